import CXCB
import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// Windows that another library of this process has made, and owns.
///
/// Followed as our own are; their contents, properties and input stay their owner's, whose connection is another one.
/// A window manager is asked by messages alone (EWMH), which every client may send.
@MainActor final class Guests: X11Component {
  /// No toolkit nests windows deeper.
  private static let deepest = 16
  /// The server answers us before it reads what the owner has sent, or sends at the end of its turn.
  private static let patience = Duration.milliseconds(500)
  /// Windows that the server did not know when it was asked for the first time.
  private var unknown: Set<UInt32> = []

  /// Begins to follow a window, of which everything has to be asked.
  func follow(_ id: WindowID, _ description: WindowDescription) {
    guard id.rawValue != 0, windows[id.rawValue] == nil else { return }
    // Nobody can hide or close it, and its events are the program's own.
    guard id.rawValue != server.root else {
      batch.append(.fault("The adopted window \(id) is the root window: adopt a window of the toolkit's own."))
      return batch.append(.destroyed(id))
    }
    let window = TopLevel(id.rawValue, description, connection.screen.visual, isTransparent: false, root: server.root)
    window.isGuest = true
    window.isBare = true
    // By its owner, who shows it when it is ready.
    window.showing.isRequested = true
    windows.add(window)
    // At once: what is told before the answers come is kept, too.
    if let place = description.placement?.frame {
      windows.apply(.created(place), to: window)
      windows.apply(.placed, to: window)
    }
    internAtoms()
    ask(window)
    checkProcess(of: window)
  }

  /// Reports a window of another process, which its owner in this one can neither hide nor destroy.
  private func checkProcess(of window: TopLevel) {
    askForProcesses(of: window, [server.leader, window.id]) { window, processes in
      guard processes[0] != processes[1], !Self.mayHaveConnected(processes[1]) else { return nil }
      return "The adopted window \(window) is of another process: the owner here can neither hide nor destroy it. "
        + "Adopt windows of this process only; SceneObserver follows the states of any."
    }
  }

  /// Whether a process can have made a connection that this one goes on with: one that forked has ended, or waits.
  private static func mayHaveConnected(_ process: UInt32) -> Bool {
    let id = pid_t(clamping: process)
    return id == getppid() || kill(id, 0) != 0 && errno == ESRCH
  }

  /// Reports a window that is within another one of this process, not of a window manager's: nobody manages it.
  func checkParent(of window: TopLevel, _ parent: UInt32) {
    guard window.isGuest, parent != server.root else { return }
    askForProcesses(of: window, [server.leader, parent]) { window, processes in
      guard processes[0] == processes[1] else { return nil }
      return
        "The adopted window \(window) is within the window \(WindowID(rawValue: parent)) of this process, which the "
        + "window manager manages in its place: adopt that one."
    }
  }

  /// Asks for the processes of windows, of which a server elsewhere, or of before X-Resource 1.2, knows none.
  ///
  /// Nothing follows where the server has another number for this process: this one is in a container, or what
  /// forwards its connections (`ssh -X`, `socat`) is one process for all clients or another one for each connection.
  /// - Parameters:
  ///   - window: The window that it is about.
  ///   - windows: Two windows.
  ///   - handler: What is wrong, if anything; not called where the process of one is not known for certain.
  private func askForProcesses(
    of window: TopLevel, _ windows: [UInt32], _ handler: @escaping (WindowID, [UInt32]) -> String?
  ) {
    let id = window.windowID
    server.load(ExtensionName.forGuests) { [weak self] in
      guard let self, server.extensions.has(.resource) else { return }
      connection.whenReplied(server.extensions.send(.resourceQueryProcesses(of: windows))) { [weak self] reply in
        let processes = windows.indices.compactMap { index in
          reply?.read(resource_process.self, at: ReplyBytes.header + index * MemoryLayout<resource_process>.size)?
            .process
        }
        guard processes.count == windows.count, processes[0] == UInt32(getpid()), let problem = handler(id, processes)
        else { return }
        self?.batch.append(.fault(problem))
      }
    }
  }

  private func internAtoms() {
    guard !server.hasAsked(for: .netMoveResizeWindow) else { return }
    server.intern([.netMoveResizeWindow, .netFrameExtents]) { [weak self] in
      guard let self else { return }
      for window in windows.all where window.isGuest { windows.markChanged(window) }
    }
  }

  private func ask(_ window: TopLevel) {
    // A window that is not there is found out by the answers.
    connection.changeAttributes(window.id, .init(eventMask: Input.stateEvents), .ignore)
    var isMapped: Bool?
    var form = (frame: Rect(x: 0, y: 0, width: 1, height: 1), depth: connection.screen.rootVisual.depth)
    connection.windowAttributes(window.id) { found in
      // One that was made a moment later is there without its events.
      guard let found, found.your_event_mask & Input.stateEvents == Input.stateEvents else { return }
      isMapped = found.isMapped
    }
    connection.form(of: window.id) { form = $0 ?? form }
    connection.parent(of: window.id) { [weak self, weak window] parent in
      guard let self, let window, windows[window.id] === window else { return }
      guard let parent, let isMapped else { return missed(window) }
      begin(window, form.frame, isOnRoot: parent == server.root)
      if form.depth != connection.screen.rootVisual.depth { windows.apply(.redirected, to: window) }
      if parent != server.root { parts.windows.reparented(window, to: parent) }
      if isMapped { windows.apply(.mapped, to: window) }
    }
    parts.manager.readProperties(of: window, isFirst: true)
    connection.inputFocus { [weak self, weak window] focus in
      guard let self, let window else { return }
      findFocus(of: window, from: focus, focus: focus, steps: Self.deepest)
    }
  }

  /// Begins with what was found.
  ///
  /// The place that is kept is the one that a window comes back to, though its owner has made it elsewhere; of another
  /// the one that it gets, whatever it was made with.
  private func begin(_ window: TopLevel, _ frame: Rect, isOnRoot: Bool) {
    // Its owner does not know of the start, which has been taken out of the environment.
    if let launch = parts.startup.current { parts.startup.write(launch, to: window.id) }
    let comesBack = window.description.placement != nil
    if !comesBack {
      windows.apply(.created(frame), to: window)
      windows.apply(.unplaced, to: window)
    }
    windows.apply(.showRequested, to: window)
    if comesBack { windows.apply(.configured(frame, isAbsolute: isOnRoot), to: window) }
  }

  /// Finds out whether the focus is in a window, or in a window of it: events come for its changes only.
  /// - Parameters:
  ///   - window: The window.
  ///   - id: The window that the focus is on, or one that this is in.
  ///   - focus: The window that the focus is on, as far as known.
  ///   - steps: How many windows more are looked at.
  private func findFocus(of window: TopLevel, from id: UInt32, focus: UInt32, steps: Int) {
    guard windows[window.id] === window, window.model.isMapped, !window.model.focus.hasFocus else { return }
    if id == window.id {
      guard id != focus else { return windows.apply(.focusIn(.normal, .nonlinear), to: window) }
      // It may have moved since it was asked for, of which events have come before this answer.
      return connection.inputFocus { [weak self, weak window] now in
        guard let self, let window else { return }
        let start = now == focus ? window.id : now
        findFocus(of: window, from: start, focus: start, steps: Self.deepest)
      }
    }
    // None, PointerRoot, or no window of ours.
    guard id > XCB_INPUT_FOCUS_POINTER_ROOT.rawValue, id != server.root, steps > 0 else { return }
    connection.parent(of: id) { [weak self, weak window] parent in
      guard let self, let window, let parent else { return }
      findFocus(of: window, from: parent, focus: focus, steps: steps - 1)
    }
  }

  /// Asks once more about a window that the server does not know: the second time it is gone, or never was.
  private func missed(_ window: TopLevel) {
    guard unknown.insert(window.id).inserted else {
      batch.append(
        .fault(
          "The adopted window \(window.windowID) is not there: its toolkit has destroyed it, or made it on another display, "
            + "or has not flushed its connection."))
      return vanish(window)
    }
    loop.set(.unknownGuest(window.id), after: Self.patience)
  }

  func askAgain(about window: TopLevel) { ask(window) }

  /// A window is gone.
  func remove(_ window: TopLevel) {
    guard unknown.remove(window.id) != nil else { return }
    loop.cancel(.unknownGuest(window.id))
  }

  private func vanish(_ window: TopLevel) {
    batch.append(.destroyed(window.windowID))
    parts.windows.remove(window)
  }

  /// A window is followed no more, which stays its owner's.
  func release(_ window: TopLevel) { parts.dragAndDrop.selectEvents(of: window.id) }

  /// A window may be there: for the first time it is put where it comes back to, later it may be to be activated.
  func place(_ window: TopLevel) {
    guard window.isGuest, window.model.isViewable else { return }
    if exchange(&window.showing.awaitsOwner, with: false) { parts.windows.mapper.activate(window) }
    guard !window.showing.wasShown else { return }
    parts.startup.finish()
    // Asked for when the first window was followed.
    guard server.atoms[.netMoveResizeWindow] != 0 else { return }
    window.showing.wasShown = true
    guard let place = window.description.placement else { return }
    whenReferenceIsKnown(of: window) { [weak self] in
      guard let self else { return }
      move(window, to: place.frame, $0)
      let mapper = parts.windows.mapper
      if let desktop = place.desktop {
        mapper.sendWorkspace(window, desktop < 0 ? EWMH_ALL_WORKSPACES.rawValue : UInt32(clamping: desktop))
      }
      if place.isMaximized { mapper.setMaximized(window, true) }
      if place.isFullScreen { mapper.setFullScreen(window, true) }
    }
  }

  /// Moves and resizes a window: its contents, whatever frame it has (EWMH, `_NET_MOVERESIZE_WINDOW`).
  func move(_ window: TopLevel, to frame: Rect) {
    whenReferenceIsKnown(of: window) { [weak self] in self?.move(window, to: frame, $0) }
  }

  /// The point of a window that a position is of (ICCCM 4.1.2.3, `win_gravity`).
  private struct Reference {
    var gravity = XCB_GRAVITY_STATIC.rawValue
    /// Where the contents are from it.
    var offset = Point(x: 0, y: 0)
  }

  /// Asks for the reference by which all window managers agree: that of the window's own hints.
  ///
  /// By another one openbox moves it, too, but takes the position for one of its own later: a window that was
  /// maximised or full screen comes back beside its place, by the size of its frame.
  private func whenReferenceIsKnown(of window: TopLevel, _ body: @escaping (Reference) -> Void) {
    var gravity = XCB_GRAVITY_NORTH_WEST.rawValue
    connection.property(window.id, PredefinedAtom.wmNormalHints, limit: 18) { value in
      let hints = value?.words(ofType: PredefinedAtom.wmSizeHints) ?? []
      // ICCCM 4.1.2.3: the flag PWinGravity, and the value.
      if hints.count >= 18, hints[0] & (1 << 9) != 0 { gravity = hints[17] }
    }
    connection.property(window.id, server.atoms[.netFrameExtents], limit: 4) { value in
      var reference = Reference()
      if gravity == XCB_GRAVITY_NORTH_WEST.rawValue, let edges = value?.words(ofType: PredefinedAtom.cardinal),
        edges.count >= 4
      {
        // Left and top.
        reference = Reference(
          gravity: gravity, offset: Point(x: Int(Int16(clamping: edges[0])), y: Int(Int16(clamping: edges[2]))))
      }
      body(reference)
    }
  }

  private func move(_ window: TopLevel, to frame: Rect, _ reference: Reference) {
    guard windows[window.id] === window else { return }
    let message = server.atoms[.netMoveResizeWindow]
    guard root.isManaged, message != 0, parts.support.allows(.netMoveResizeWindow) else {
      return connection.configure(window.id, frame)
    }
    // All four values, from an application.
    let flags = reference.gravity | 0xf << 8 | EWMH_SOURCE_APPLICATION.rawValue << 12
    let values = [
      frame.origin.x - reference.offset.x, frame.origin.y - reference.offset.y, frame.size.width, frame.size.height,
    ]
    connection.sendToManager(
      message, about: window.id, [flags] + values.map { UInt32(bitPattern: Int32(clamping: $0)) })
  }
}
