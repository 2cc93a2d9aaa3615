import ProsceniumLoop
import ProsceniumPlatform

/// Windows that are left on no monitor when one goes.
///
/// Window managers bring them back; where none does, the platform does, once, and only where nothing else has happened
/// to the window. A window that was on no monitor before has been moved there on purpose: some window managers use such
/// a place for the windows of other workspaces.
extension Screens {
  /// How long a window manager has to bring windows back.
  private static let strayTimeout = Duration.seconds(1)

  /// The screens have changed.
  func followStrays(from old: [ScreenDescription]) {
    for window in windows.all where window.showing.isRequested && strays[window.id] == nil {
      let frame = window.geometry(root).frame
      if old.contains(where: { $0.frame.intersects(frame) }), !isOnScreen(frame) { strays[window.id] = frame }
    }
    fitFullScreens(old)
    if strays.isEmpty { loop.cancel(.strays) } else { loop.set(.strays, after: Self.strayTimeout) }
  }

  /// The window manager's time is over.
  func bringBackStrays() {
    let strays = strays
    self.strays = [:]
    for (id, frame) in strays.sorted(by: { $0.key < $1.key }) {
      guard let window = windows[id], window.showing.isRequested, window.geometry(root).frame == frame,
        !isOnScreen(frame)
      else { continue }
      let areas = current.map(\.visibleFrame)
      connection.configure(id, WindowPlacement(frame: frame).onScreen(areas).frame)
    }
  }

  /// Makes windows fit that fill a screen without a window manager.
  private func fitFullScreens(_ old: [ScreenDescription]) {
    for window in windows.all where window.frameBeforeFullScreen != nil {
      let frame = window.geometry(root).frame
      guard let before = old.first(where: { $0.frame == frame }),
        let new = current.first(where: { $0.name == before.name }) ?? current.first, new.frame != frame
      else { continue }
      strays[window.id] = nil
      connection.configure(window.id, new.frame)
    }
  }
}
