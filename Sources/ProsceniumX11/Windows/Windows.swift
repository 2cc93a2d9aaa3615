import CXCB
import ProsceniumLoop
import ProsceniumPlatform

/// The life of our top-level windows: created, adopted, bared and destroyed.
@MainActor final class Windows: X11Component {
  private(set) lazy var writer = PropertyWriter(parts)
  private(set) lazy var managerQuestion = ManagerQuestion(parts)
  private(set) lazy var mapper = WindowMapper(parts)
  private(set) lazy var requests = WindowRequests(parts)
  private(set) lazy var popUps = PopUps(parts)
  private(set) lazy var guests = Guests(parts)

  func create(_ id: WindowID, _ description: WindowDescription) {
    guard id.rawValue != 0, id.rawValue != .max, windows[id.rawValue] == nil else { return }
    let screen = connection.screen
    let alphaVisual = description.isTransparent ? screen.alphaVisual : nil
    let window = TopLevel(
      id.rawValue, description, alphaVisual ?? screen.visual, isTransparent: alphaVisual != nil, root: server.root)
    windows.add(window)
    applyPlacement(of: window)
    let frame = Hints.bounded(
      Rect(
        x: window.description.position?.x ?? 0, y: window.description.position?.y ?? 0,
        width: window.description.size.width, height: window.description.size.height))
    connection.createWindow(window.id, frame, attributes(of: window), visual: window.visual)
    windows.apply(.created(frame), to: window)
    if window.visual.depth != connection.screen.rootVisual.depth { windows.apply(.redirected, to: window) }
    if description.popUp?.isMenu != false { parts.input.pointer.devices.select(for: window) }
    if window.isPopUp { return }
    parts.screens.updateScale(of: window, frame)
    if window.description.placement != nil { windows.apply(.placed, to: window) }
  }

  /// A window of another visual than its parent needs a border pixel and a colormap (X protocol, CreateWindow).
  private func attributes(of window: TopLevel) -> WindowAttributes {
    var attributes = WindowAttributes(
      background: parts.drawing.surfaces.background(of: window), eventMask: Input.allEvents)
    if let kind = window.description.popUp {
      attributes.isOverrideRedirect = true
      attributes.eventMask = PopUps.events(of: kind)
    }
    guard window.visual != connection.screen.rootVisual else { return attributes }
    attributes.borderPixel = 0
    attributes.colormap = parts.drawing.surfaces.colormap(of: window.visual)
    return attributes
  }

  /// Gives a bare window its contents back; the next batch delivers its levels again.
  func adopt(_ window: TopLevel, _ description: WindowDescription) {
    let old = window.description
    window.description = description
    window.isBare = false
    if let placement = description.placement, !window.showing.wasShown {
      place(window, placement.frame.origin, placement.frame.size)
      applyPlacement(of: window)
      windows.apply(.placed, to: window)
    } else {
      // It is where it was, or has been moved by the user since it came back.
      window.description.placement = old.placement
      window.description.position = old.position
      if old.placement != nil { window.description.size = old.size }
    }
    connection.changeAttributes(
      window.id,
      .init(
        background: window.drawing.picture == nil ? parts.drawing.surfaces.background(of: window) : nil,
        eventMask: Input.allEvents))
    // The scale is new to the scene that adopts the window.
    window.scale = description.scale
    parts.screens.updateScale(of: window, window.geometry(root).frame)
    parts.input.pointer.devices.select(for: window)
    // Where it can be seen already, the server has exposed it while nothing was drawn into it.
    connection.clearArea(window.id, exposes: true)
    writer.update(window, from: old)
    window.delivered.levels = nil
    window.delivered.geometry = nil
    windows.markChanged(window)
  }

  /// Takes a window's contents; its place on the screen and in the taskbar stays.
  func bare(_ window: TopLevel) {
    parts.input.end(in: window)
    window.isBare = true
    parts.drawing.purge(window)
    parts.drawing.dropPicture(window)
    parts.input.pointer.devices.select(for: window, isWanted: false)
    connection.changeAttributes(window.id, .init(eventMask: Input.stateEvents))
  }

  func destroy(_ window: TopLevel) {
    // Of the server's events about a window that is gone no one comes here.
    parts.input.end(in: window)
    if !window.isGuest { connection.destroyWindow(window.id) }
    remove(window)
    if window.isGuest { guests.release(window) }
  }

  /// Gives back everything that belongs to a window; the window itself is gone or going.
  func remove(_ window: TopLevel) {
    parts.drawing.surfaces.remove(window)
    parts.protocols.remove(window)
    parts.input.remove(window)
    mapper.remove(window)
    guests.remove(window)
    windows.remove(window)
    requests.remove(window)
    parts.focus.remove(window)
  }

  // MARK: Events

  /// ReparentNotify.
  func reparented(_ window: TopLevel, to parent: UInt32) {
    let isRoot = parent == server.root
    window.frames.parent = parent
    guests.checkParent(of: window, parent)
    loop.cancel(.managerProbe(window.id))
    windows.apply(.reparented(parent: parent, parentIsRoot: isRoot), to: window)
    if isRoot {
      windows.findFrames(of: window)
      mapper.finishLeaving(window)
    }
  }

  /// ConfigureNotify.
  func configured(_ window: TopLevel, _ frame: Rect, isSynthetic: Bool) {
    // Only a window manager sends one.
    guard !isSynthetic || !root.isKnownUnmanaged else { return }
    // Real events are relative to the parent, synthetic ones to the root (ICCCM 4.1.5). Any client can send one that
    // moves the window off the screens: the server is asked then.
    let isAbsolute = isSynthetic ? parts.screens.isOnScreen(frame) : window.frames.parent == server.root
    windows.apply(.configured(frame, isAbsolute: isAbsolute), to: window)
    parts.protocols.resized(window)
  }

  // MARK: Place

  /// Sets the frame of a window before it is shown: as the user's own wish (USPosition), so that it stays there.
  /// - Parameters:
  ///   - window: The window.
  ///   - origin: Its upper left corner; where it is, with no wish of the user's, where nil.
  ///   - size: Its size.
  func place(_ window: TopLevel, _ origin: Point?, _ size: Size) {
    guard !window.showing.isRequested else { return }
    var frame = window.geometry(root).frame
    frame.size = size
    window.description.size = size
    if let origin {
      frame.origin = origin
      window.description.position = origin
    }
    if window.description.placement != nil { window.description.placement?.frame = frame }
    connection.configure(window.id, frame)
    // It lies on the root, unmapped: no window manager changes it.
    windows.apply(.configured(frame, isAbsolute: true), to: window)
    writer.updateNormalHints(window)
  }

  /// Moves and resizes a window.
  func move(_ window: TopLevel, to frame: Rect) {
    mapper.endFullScreenUnmanaged(window)
    if window.isGuest { return guests.move(window, to: frame) }
    window.description.position = frame.origin
    window.description.size = frame.size
    // The hints state that the position is that of the window, not of its frame.
    writer.updateNormalHints(window)
    connection.configure(window.id, frame)
  }

  /// A window has rested for a short while.
  func restedBriefly(_ window: TopLevel) {
    putBack(window)
    windows.apply(.restedBriefly, to: window)
  }

  /// Puts a window back that has been left as large as a state made it which has ended.
  func putBack(_ window: TopLevel) {
    if let place = window.model.takePlaceToGoBackTo(root: root) { move(window, to: place) }
  }

  /// Makes a window come back as its placement says: before it is mapped, and not again.
  private func applyPlacement(of window: TopLevel) {
    guard let placement = window.description.placement else { return }
    window.description.position = placement.frame.origin
    window.description.size = placement.frame.size
    window.showing.startsMinimized = placement.isMinimized
    window.showing.startsMaximized = placement.isMaximized
    window.showing.startsFullScreen = placement.isFullScreen
    window.showing.firstWorkspace = placement.desktop.map {
      $0 < 0 ? EWMH_ALL_WORKSPACES.rawValue : UInt32(clamping: $0)
    }
  }
}
