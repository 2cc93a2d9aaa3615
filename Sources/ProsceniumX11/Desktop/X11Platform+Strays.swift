import ProsceniumLoop
import ProsceniumPlatform

/// Windows that a monitor has left behind.
///
/// Window managers bring them back; where none does, we do, once, and only where nothing else has happened to the window. A
/// window that no monitor showed before has been put there on purpose: some window managers keep other desktops there.
extension X11Platform {
  /// How long a window manager has got to bring windows back.
  private static let patience = 1000

  /// The monitors are others now.
  func noteStrays(_ before: [ScreenDescription]) {
    for window in windows.values where window.isShowRequested {
      let frame = geometry(of: window).frame
      guard screens.strays[window.id] == nil, before.contains(where: { $0.frame.intersects(frame) }),
        !isOnScreen(frame)
      else { continue }
      screens.strays[window.id] = frame
    }
    fitFullScreens(before)
    if screens.strays.isEmpty { loop.cancel(.strays) } else { setTimer(.strays, Self.patience) }
  }

  /// The time is over.
  func bringBackStrays() {
    let strays = screens.strays
    screens.strays = [:]
    for (id, frame) in strays.sorted(by: { $0.key < $1.key }) {
      guard let window = windows[id], window.isShowRequested, geometry(of: window).frame == frame, !isOnScreen(frame)
      else { continue }
      let areas = screens.current.map(\.visibleFrame)
      configure(window, WindowPlacement(frame: frame).onScreen(areas).frame)
    }
  }

  private func isOnScreen(_ frame: Rect) -> Bool { screens.current.contains { $0.frame.intersects(frame) } }

  /// Without a window manager nobody else makes windows fit that fill a screen.
  private func fitFullScreens(_ before: [ScreenDescription]) {
    for window in windows.values where window.frameBeforeFullScreen != nil {
      let frame = geometry(of: window).frame
      guard let old = before.first(where: { $0.frame == frame }) else { continue }
      let new = screens.current.first { $0.name == old.name } ?? screens.current.first
      guard let new, new.frame != frame else { continue }
      screens.strays[window.id] = nil
      configure(window, new.frame)
    }
  }
}
