import CXCB
import ProsceniumPlatform

/// The frames that a window manager puts around windows: their map state is the only sign that some give.
extension WindowTable {
  /// No window manager nests windows deeper; a tree that changes all the time must not keep the search going for ever.
  private static let deepest = 16

  /// Finds the frames between a window and the root, one after the other, without waiting.
  func findFrames(of window: TopLevel) {
    window.frames.search += 1
    window.frames.found = []
    stopFollowingFrames(of: window)
    guard window.frames.parent != server.root else { return }
    visit(window.frames.parent, of: window, search: window.frames.search)
  }

  /// Selects a frame's events first and asks for its state then, so that no change is missed in between.
  ///
  /// Asked once more where the server has no answer: where the frame has gone, the search is over by then.
  private func visit(_ frame: UInt32, of window: TopLevel, search: Int, isRepeated: Bool = false) {
    guard window.frames.found.count < Self.deepest else { return }
    if self[frame] == nil {
      // BadWindow: the frame is gone already, and a ReparentNotify on the way.
      server.connection.changeAttributes(
        frame, .init(eventMask: XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue), .ignore)
    }
    window.frames.followed.insert(frame)
    windowsInFrames[frame, default: []].insert(window.id)
    server.connection.windowAttributes(frame) { [weak window] found in
      guard let window, window.frames.search == search, let found else { return }
      window.frames.found.append(.init(window: frame, isMapped: found.isMapped))
    }
    server.connection.parent(of: frame) { [weak self, weak window] parent in
      guard let self, let window, window.frames.search == search, self[window.id] != nil else { return }
      guard let parent, window.frames.found.last?.window == frame else {
        window.frames.found.removeAll { $0.window == frame }
        if !isRepeated { visit(frame, of: window, search: search, isRepeated: true) }
        return
      }
      if parent == server.root || parent == 0 {
        apply(.ancestors(window.frames.found), to: window)
      } else {
        visit(parent, of: window, search: search)
      }
    }
  }

  /// Asks where a window is; the model waits for the answer and asks one question at a time.
  func findOrigin(of window: TopLevel) {
    server.connection.originInRoot(of: window.id) { [weak self, weak window] origin in
      guard let self, let window, self[window.id] != nil else { return }
      apply(.translated(origin), to: window)
    }
  }

  /// Applies a signal about a frame to all windows in it.
  func apply(_ signal: WindowSignal, toWindowsIn frame: UInt32) {
    for id in (windowsInFrames[frame] ?? []).sorted() {
      guard let window = self[id] else { continue }
      // Later than a reply that has come already.
      for index in window.frames.found.indices where window.frames.found[index].window == frame {
        switch signal {
        case .ancestorMapped: window.frames.found[index].isMapped = true
        case .ancestorUnmapped: window.frames.found[index].isMapped = false
        case _: break
        }
      }
      apply(signal, to: window)
    }
  }

  /// A window has been destroyed that is none of ours, and may be a frame.
  func frameDestroyed(_ frame: UInt32) {
    apply(.ancestorDestroyed(frame), toWindowsIn: frame)
    windowsInFrames[frame] = nil
  }

  /// Whether a window's events are selected: it is one of ours or a frame.
  func isFollowing(_ window: UInt32) -> Bool { self[window] != nil || windowsInFrames[window] != nil }

  func stopFollowingFrames(of window: TopLevel) {
    for frame in window.frames.followed {
      windowsInFrames[frame]?.remove(window.id)
      if windowsInFrames[frame]?.isEmpty == true { windowsInFrames[frame] = nil }
    }
    window.frames.followed = []
  }
}
