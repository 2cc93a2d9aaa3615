import CXCB
import ProsceniumPlatform

/// The frames that a window manager puts around our windows: their map state is the only sign that some give.
extension X11Platform {
  /// Nobody nests windows deeper; a tree that changes all the time must not keep the search going for ever.
  private static let deepest = 16

  /// Looks for the frames between the window and the root, one after the other, without waiting.
  func findAncestors(of window: TopLevel) {
    guard let root = connection?.screen.root else { return }
    window.search += 1
    window.found = []
    for ancestor in window.ancestors { owners[ancestor]?.remove(window.id) }
    window.ancestors = []
    guard window.parent != root else { return }
    visit(window.parent, of: window, search: window.search)
  }

  /// Listens to a frame first and asks for its state then, so that no change is missed in between.
  ///
  /// Asked once more where the server has no answer: where the frame has gone, the search is over by then.
  private func visit(_ ancestor: UInt32, of window: TopLevel, search: Int, isRepeated: Bool = false) {
    guard let connection, window.found.count < Self.deepest else { return }
    if windows[ancestor] == nil {
      // BadWindow: the frame is gone already, and a ReparentNotify on the way.
      connection.changeAttributes(
        ancestor, .init(eventMask: XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue), .ignore)
    }
    window.ancestors.insert(ancestor)
    owners[ancestor, default: []].insert(window.id)
    connection.windowAttributes(ancestor) { [weak window] reply in
      guard let window, window.search == search, let reply else { return }
      window.found.append(.init(window: ancestor, isMapped: reply.isMapped))
    }
    connection.parent(of: ancestor) { [weak self, weak window] parent in
      guard let self, let window, window.search == search, windows[window.id] != nil else { return }
      guard let parent, window.found.last?.window == ancestor else {
        window.found.removeAll { $0.window == ancestor }
        if !isRepeated { visit(ancestor, of: window, search: search, isRepeated: true) }
        return
      }
      if parent == connection.screen.root || parent == 0 {
        signal(window, .ancestors(window.found))
      } else {
        visit(parent, of: window, search: search)
      }
    }
  }

  /// The answer is awaited by the model, which asks one question at a time.
  func findOrigin(of window: TopLevel) {
    connection?.originInRoot(of: window.id) { [weak self, weak window] x, y in
      guard let self, let window, windows[window.id] != nil else { return }
      signal(window, .translated(Point(x: x, y: y)))
    }
  }

  /// Something happened to a frame: all windows in it hear of it.
  func frameChanged(_ frame: UInt32, _ signal: WindowSignal) {
    for id in (owners[frame] ?? []).sorted() {
      guard let window = windows[id] else { continue }
      // Later than the reply that is in already.
      for index in window.found.indices where window.found[index].window == frame {
        switch signal {
        case .ancestorMapped: window.found[index].isMapped = true
        case .ancestorUnmapped: window.found[index].isMapped = false
        case _: break
        }
      }
      self.signal(window, signal)
    }
  }
}
