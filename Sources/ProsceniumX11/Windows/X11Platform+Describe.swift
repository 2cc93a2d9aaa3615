import CXCB
import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// Windows and what they say about themselves.
extension X11Platform {
  /// What the life cycle listens to.
  private static var stateMask: UInt32 {
    XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue | XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue
      | XCB_EVENT_MASK_FOCUS_CHANGE.rawValue | XCB_EVENT_MASK_VISIBILITY_CHANGE.rawValue
      | XCB_EVENT_MASK_ENTER_WINDOW.rawValue | XCB_EVENT_MASK_LEAVE_WINDOW.rawValue
  }
  /// What only a window with contents needs.
  private static var contentMask: UInt32 {
    XCB_EVENT_MASK_EXPOSURE.rawValue | XCB_EVENT_MASK_KEY_PRESS.rawValue | XCB_EVENT_MASK_KEY_RELEASE.rawValue
      | XCB_EVENT_MASK_BUTTON_PRESS.rawValue | XCB_EVENT_MASK_BUTTON_RELEASE.rawValue
      | XCB_EVENT_MASK_POINTER_MOTION.rawValue
  }
  /// What no window needs that nobody sees.
  private static var pointerMask: UInt32 {
    XCB_EVENT_MASK_BUTTON_PRESS.rawValue | XCB_EVENT_MASK_BUTTON_RELEASE.rawValue
      | XCB_EVENT_MASK_POINTER_MOTION.rawValue
  }

  /// The pointer's events of a window, or none.
  ///
  /// Keys stay: the first one after the window is shown may come before
  /// anything that we send because of it.
  func listenToPointer(_ window: TopLevel, isWanted: Bool) {
    guard !window.isBare else { return }
    let mask = Self.stateMask | Self.contentMask
    connection?.changeAttributes(window.id, .init(eventMask: isWanted ? mask : mask & ~Self.pointerMask))
    selectDevices(window, isWanted: isWanted)
  }

  func create(_ id: WindowID, _ description: WindowDescription) {
    guard !isLost, let connection, id.rawValue != 0, id.rawValue != .max, windows[id.rawValue] == nil else { return }
    let screen = connection.screen
    let alphaVisual = description.isTransparent ? screen.alphaVisual : nil
    let window = TopLevel(
      id.rawValue, description, alphaVisual ?? screen.visual, isTransparent: alphaVisual != nil, root: screen.root)
    windows[window.id] = window
    takePlacement(window)
    let description = window.description
    let position = description.position ?? Point(x: 0, y: 0)
    let frame = Rect(
      x: Int(Hints.position(position.x)), y: Int(Hints.position(position.y)),
      width: Hints.bounded(description.size.width), height: Hints.bounded(description.size.height))
    connection.createWindow(
      window.id, x: Hints.position(position.x), y: Hints.position(position.y), width: UInt16(frame.size.width),
      height: UInt16(frame.size.height),
      attributes: attributes(of: window), depth: window.visual.depth, visual: window.visual.id)
    renewScale(window, frame)
    selectDevices(window)
    signal(window, .created(frame))
    if description.placement != nil { signal(window, .placed) }
  }

  /// A window of another visual than its parent needs a border pixel and a colormap (X protocol, CreateWindow).
  private func attributes(of window: TopLevel) -> Connection.WindowAttributes {
    var attributes = Connection.WindowAttributes(
      backgroundPixel: backgroundPixel(of: window), eventMask: Self.stateMask | Self.contentMask)
    guard let connection, window.visual != connection.screen.rootVisual else { return attributes }
    attributes.borderPixel = 0
    attributes.colormap = colormap(of: window.visual)
    return attributes
  }

  private func colormap(of visual: Visual) -> UInt32 {
    if let known = surfaces.colormaps[visual.id] { return known }
    guard let connection else { return 0 }
    let colormap = connection.makeID()
    connection.createColormap(colormap, visual: visual.id)
    surfaces.colormaps[visual.id] = colormap
    return colormap
  }

  /// What everybody may read, said once: when the window is first shown, so that what changes before costs nothing.
  func describe(_ window: TopLevel) {
    guard !window.isDescribed, let connection else { return }
    window.isDescribed = true
    if window.description.background != window.createdBackground, window.picture == nil {
      connection.changeAttributes(window.id, .init(backgroundPixel: backgroundPixel(of: window)))
    }
    writeTitle(window)
    writeClass(window.id)
    writeProtocols(window)
    writeRole(window)
    writeTransient(window)
  }

  /// The bare window gets its contents back; the next batch says its levels again, for whoever takes it over.
  func adopt(_ window: TopLevel, _ description: WindowDescription) {
    guard let connection else { return }
    let old = window.description
    window.description = description
    window.isBare = false
    if window.wasShown {
      // It has been put back already, and the user may have moved it since.
      window.description.placement = old.placement
      window.description.position = old.position
      if old.placement != nil { window.description.size = old.size }
    } else if let placement = description.placement {
      place(window, placement.frame)
      takePlacement(window)
      signal(window, .placed)
    } else {
      window.description.placement = old.placement
      window.description.position = old.position
      if old.placement != nil { window.description.size = old.size }
    }
    connection.changeAttributes(
      window.id,
      .init(
        backgroundPixel: window.picture == nil ? backgroundPixel(of: window) : nil,
        eventMask: Self.stateMask | Self.contentMask))
    // Whoever takes it over knows of no scale yet.
    window.scale = 1
    renewScale(window, geometry(of: window).frame)
    selectDevices(window)
    connection.clearArea(window.id)
    if window.isDescribed {
      if old.title != description.title { writeTitle(window) }
      if old.role != description.role { writeRole(window) }
      if old.transientFor != description.transientFor { writeTransient(window) }
    }
    if window.isDescribedToManager { writeNormalHints(window) }
    window.lastLevels = nil
    window.lastGeometry = nil
    markChanged(window.id)
  }

  func bare(_ window: TopLevel) {
    letGoOfInput(window)
    window.isBare = true
    purgeSurface(window)
    dropPicture(window)
    selectDevices(window, isWanted: false)
    connection?.changeAttributes(window.id, .init(eventMask: Self.stateMask))
  }

  func destroy(_ window: TopLevel) {
    connection?.destroyWindow(window.id)
    forget(window)
  }

  /// Everything that belongs to a window, given back; the window itself is gone or going.
  func forget(_ window: TopLevel) {
    stopFrames(window)
    freeSurface(window)
    loop.cancel(.sync(window.id))
    loop.cancel(.picture(window.id))
    keyboard.down = keyboard.down.filter { $0.value != window.id }
    cursors.wanted[window.id] = nil
    pointer.touches = pointer.touches.filter { $0.value.window != window.id }
    if window.syncCounter != 0 { extensions?.send(.syncDestroyCounter(window.syncCounter), onError: .ignore) }
    for ancestor in window.ancestors { owners[ancestor]?.remove(window.id) }
    owners = owners.filter { !$0.value.isEmpty }
    loop.cancel(.managerProbe(window.id))
    loop.cancel(.leaving(window.id))
    loop.cancel(.rest(window.id))
    loop.cancel(.iconic(window.id))
    windows[window.id] = nil
    changed.remove(window.id)
    changedOrder.removeAll { $0 == window.id }
    keyboard.held.removeAll { $0.input.window == window.id }
    dropRequests(of: window)
    loseFocus(window)
    focusOrder.removeAll { $0 == window.id }
  }

  // MARK: Properties

  /// Where the window will appear, said before it is shown: as the user's own wish (USPosition), so that it stays there.
  func place(_ window: TopLevel, _ frame: Rect) {
    guard let connection, !window.isShowRequested else { return }
    window.description.position = frame.origin
    window.description.size = frame.size
    window.description.placement?.frame = frame
    connection.configure(
      window.id, x: Hints.position(frame.origin.x), y: Hints.position(frame.origin.y),
      width: UInt16(Hints.bounded(frame.size.width)), height: UInt16(Hints.bounded(frame.size.height)))
    // Nobody else has a say in it: it lies on the root, unmapped.
    signal(window, .configured(frame, isAbsolute: true))
    if window.isDescribedToManager { writeNormalHints(window) }
  }

  func setTitle(_ window: TopLevel, _ title: String) {
    window.description.title = title
    if window.isDescribed { writeTitle(window) }
  }

  func setIcon(_ window: TopLevel, _ icon: WindowIcon?) {
    let had = window.icon != nil
    window.icon = icon
    if window.isDescribedToManager, icon != nil || had { writeIcon(window) }
  }

  func setBackground(_ window: TopLevel, _ color: Color) {
    window.description.background = color
    // What is drawn covers it.
    guard window.isDescribed, window.surface == nil, window.picture == nil, let connection else { return }
    connection.changeAttributes(window.id, .init(backgroundPixel: backgroundPixel(of: window)))
    connection.clearArea(window.id)
  }

  func setSizeLimits(_ window: TopLevel, minimum: Size?, maximum: Size?) {
    window.description.minimumSize = minimum
    window.description.maximumSize = maximum
    if window.isDescribedToManager { writeNormalHints(window) }
  }

  /// `WM_NAME` for everybody, `_NET_WM_NAME` in UTF-8 (ICCCM 4.1.2.1, EWMH "Application Window Properties").
  private func writeTitle(_ window: TopLevel) {
    guard let connection else { return }
    let title = Hints.text(window.description.title)
    let utf8 = Array(title.utf8)
    connection.changeProperty(window.id, atoms[.netWMName], type: atoms[.utf8String], bytes: utf8)
    if let latin1 = Hints.latin1(title) {
      connection.changeProperty(window.id, PredefinedAtom.wmName, type: PredefinedAtom.string, bytes: latin1)
    } else {
      connection.changeProperty(window.id, PredefinedAtom.wmName, type: atoms[.utf8String], bytes: utf8)
    }
  }

  /// `WM_CLASS`: instance, zero, class, zero (ICCCM 4.1.2.5).
  func writeClass(_ window: UInt32) {
    let parts = [identity.instance, identity.id].map { Hints.text($0).utf8.filter { $0 != 0 } + [0] }
    connection?.changeProperty(
      window, PredefinedAtom.wmClass, type: PredefinedAtom.string, bytes: Array(parts.joined()))
  }

  private func writeProtocols(_ window: TopLevel) {
    var protocols = [atoms[.wmDeleteWindow], atoms[.netWMPing]]
    if window.syncCounter != 0 { protocols.append(atoms[.netWMSyncRequest]) }
    connection?.changeProperty(window.id, atoms[.wmProtocols], type: PredefinedAtom.atom, protocols)
  }

  private func writeRole(_ window: TopLevel) {
    guard !window.description.role.isEmpty else { return }
    connection?.changeProperty(
      window.id, atoms[.wmWindowRole], type: PredefinedAtom.string,
      bytes: Array(Hints.text(window.description.role).utf8))
  }

  private func writeTransient(_ window: TopLevel) {
    guard let owner = window.description.transientFor else { return }
    connection?.changeProperty(
      window.id, PredefinedAtom.wmTransientFor, type: PredefinedAtom.window, [owner.rawValue])
  }

  func writeNormalHints(_ window: TopLevel) {
    connection?.changeProperty(
      window.id, PredefinedAtom.wmNormalHints, type: PredefinedAtom.wmSizeHints, Hints.normal(window.description))
  }

  func writeGeneralHints(_ window: TopLevel, isIconic: Bool) {
    connection?.changeProperty(
      window.id, PredefinedAtom.wmHints, type: PredefinedAtom.wmHints,
      Hints.general(leader: leader, isIconic: isIconic, isInteractive: window.description.isInteractive))
  }

  // MARK: What only a window manager reads

  func describeAllToManager() {
    for id in windows.keys.sorted() {
      guard let window = windows[id], window.isDescribed else { continue }
      describeToManager(window)
      releaseHeldBack(window)
    }
  }

  /// The rest of the properties: without a window manager nobody would read them.
  func describeToManager(_ window: TopLevel) {
    guard let connection else { return }
    guard !window.isDescribedToManager else { return }
    window.isDescribedToManager = true
    writeNormalHints(window)
    writeGeneralHints(window, isIconic: false)
    connection.changeProperty(window.id, atoms[.wmClientLeader], type: PredefinedAtom.window, [leader])
    connection.changeProperty(
      window.id, atoms[.netWMPID], type: PredefinedAtom.cardinal, [UInt32(bitPattern: getpid())])
    connection.changeProperty(
      window.id, PredefinedAtom.wmClientMachine, type: PredefinedAtom.string, bytes: hostName())
    let isDialog = window.description.transientFor != nil
    connection.changeProperty(
      window.id, atoms[.netWMWindowType], type: PredefinedAtom.atom,
      [atoms[isDialog ? .netWMWindowTypeDialog : .netWMWindowTypeNormal]])
    if window.icon != nil { writeIcon(window) }
    createSyncCounter(window)
  }

  func hostName() -> [UInt8] {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return [] }
    return buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  }

  /// `_NET_WM_SYNC_REQUEST` (EWMH, "Window Manager Protocols"): the counter's value says which resize is drawn.
  private func createSyncCounter(_ window: TopLevel) {
    guard let connection, let extensions, extensions.has(.sync) else { return }
    if !manager.isSyncInitialized {
      manager.isSyncInitialized = true
      connection.whenReplied(extensions.send(.syncInitialize(major: 3, minor: 0))) { _ in }
    }
    window.syncCounter = connection.makeID()
    extensions.send(.syncCreateCounter(window.syncCounter, value: 0))
    connection.changeProperty(
      window.id, atoms[.netWMSyncRequestCounter], type: PredefinedAtom.cardinal, [window.syncCounter])
    writeProtocols(window)
  }

  /// Piece by piece: a request without BIG-REQUESTS, whose enabling would be waited for, has at most 256 kB.
  private func writeIcon(_ window: TopLevel) {
    guard let connection else { return }
    guard let icon = window.icon else { return connection.deleteProperty(window.id, atoms[.netWMIcon]) }
    let words = [UInt32(icon.size.width), UInt32(icon.size.height)] + icon.pixels
    for start in stride(from: 0, to: words.count, by: 60_000) {
      connection.changeProperty(
        window.id, atoms[.netWMIcon], type: PredefinedAtom.cardinal,
        Array(words[start..<min(start + 60_000, words.count)]), mode: start == 0 ? .replace : .append)
    }
  }
}
