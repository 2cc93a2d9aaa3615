import CXCB
import ProsceniumPlatform

/// Windows that another library of this process has made, and owns.
///
/// Followed as our own are; their contents, properties and input stay their owner's, whose connection is another one.
/// A window manager is asked by messages alone (EWMH), which every client may send.
@MainActor final class Guests: X11Component {
  /// Where windows come back to that have not been shown yet.
  private var places: [UInt32: WindowPlacement] = [:]
  private var areAtomsKnown = false

  /// Begins to follow a window, of which everything has to be asked.
  func follow(_ id: WindowID, _ description: WindowDescription) {
    guard id.rawValue != 0, windows[id.rawValue] == nil else { return }
    let window = TopLevel(id.rawValue, description, connection.screen.visual, isTransparent: false, root: server.root)
    window.isGuest = true
    window.isBare = true
    // By its owner, who shows it when it is ready.
    window.showing.isRequested = true
    window.showing.wasShown = true
    windows.add(window)
    places[window.id] = description.placement
    internAtoms()
    // A window that is gone is found out by the answers.
    connection.changeAttributes(window.id, .init(eventMask: Input.stateEvents), .ignore)
    ask(window)
  }

  private func internAtoms() {
    guard !server.hasAsked(for: .netMoveResizeWindow) else { return }
    server.intern([.netMoveResizeWindow]) { [weak self] in
      guard let self else { return }
      areAtomsKnown = true
      for id in places.keys.sorted() { if let window = windows[id] { windows.markChanged(window) } }
    }
  }

  private func ask(_ window: TopLevel) {
    var isMapped: Bool?
    var frame = Rect(x: 0, y: 0, width: 1, height: 1)
    connection.windowAttributes(window.id) { isMapped = $0?.isMapped }
    connection.geometry(of: window.id) { frame = $0 ?? frame }
    connection.parent(of: window.id) { [weak self, weak window] parent in
      guard let self, let window, windows[window.id] === window else { return }
      guard let parent, let isMapped else { return vanish(window) }
      windows.apply(.created(frame), to: window)
      if parent != server.root { parts.windows.reparented(window, to: parent) }
      windows.apply(.showRequested, to: window)
      if isMapped { windows.apply(.mapped, to: window) }
    }
    parts.manager.readProperties(of: window)
    connection.inputFocus { [weak self, weak window] focus in
      guard let self, let window, windows[window.id] === window else { return }
      // Of a window within it the events that follow tell.
      if focus == window.id, window.model.isMapped { windows.apply(.focusIn(.normal, .nonlinear), to: window) }
    }
  }

  private func vanish(_ window: TopLevel) {
    batch.append(.destroyed(window.windowID))
    parts.windows.remove(window)
  }

  /// Follows a window no more, which stays its owner's.
  func release(_ window: TopLevel) {
    places[window.id] = nil
    connection.changeAttributes(window.id, .init(eventMask: 0), .ignore)
  }

  /// Puts a window that has been shown for the first time where it comes back to.
  func place(_ window: TopLevel) {
    guard window.isGuest, areAtomsKnown, window.model.isViewable, let place = places.removeValue(forKey: window.id)
    else {
      return
    }
    move(window, to: place.frame)
    if let desktop = place.desktop {
      parts.windows.mapper.sendWorkspace(window, desktop < 0 ? EWMH_ALL_WORKSPACES.rawValue : UInt32(clamping: desktop))
    }
    if place.isMaximized { parts.windows.mapper.setMaximized(window, true) }
    if place.isFullScreen { parts.windows.mapper.setFullScreen(window, true) }
  }

  /// Moves and resizes a window: its contents, whatever frame it has (EWMH, `_NET_MOVERESIZE_WINDOW`).
  func move(_ window: TopLevel, to frame: Rect) {
    let message = server.atoms[.netMoveResizeWindow]
    guard root.isManaged, message != 0, parts.support.allows(.netMoveResizeWindow) else {
      return connection.configure(window.id, frame)
    }
    // Gravity "static", all four values, from an application.
    let flags = XCB_GRAVITY_STATIC.rawValue | 0xf << 8 | EWMH_SOURCE_APPLICATION.rawValue << 12
    let values = [frame.origin.x, frame.origin.y, frame.size.width, frame.size.height]
    connection.sendToManager(
      message, about: window.id, [flags] + values.map { UInt32(bitPattern: Int32(clamping: $0)) })
  }
}
