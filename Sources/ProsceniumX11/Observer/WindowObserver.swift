package import CXCB
import ProsceniumLoop
package import ProsceniumPlatform
import SceneLifecycle

/// The facts of windows that this program has not made through the platform: the model of windows, fed by a connection
/// of its own or by one that another part of the program has made.
///
/// Belongs to one thread at a time, whichever it is. Nothing here waits, but for two round trips when it is made.
package final class WindowObserver {
  /// The moments at which something is done without an event.
  private enum DeadlineName: Hashable { case managerCheck, managerSettled, workspaceRule }

  private static let windowEvents =
    XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue | XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue
    | XCB_EVENT_MASK_FOCUS_CHANGE.rawValue | XCB_EVENT_MASK_VISIBILITY_CHANGE.rawValue
    | XCB_EVENT_MASK_ENTER_WINDOW.rawValue | XCB_EVENT_MASK_LEAVE_WINDOW.rawValue
  private static let rootEvents = XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue | XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue
  /// No window manager nests windows deeper.
  private static let deepest = 16
  /// A flood of events must not keep the caller's loop waiting: the most that one turn handles.
  private static let longestBatch = 10_000
  /// How many windows of the client list are told of, at most.
  private static let mostClients: UInt32 = 16_384

  private let server: XServer
  /// Whether another part of the program made the connection, and reads its events.
  private let isShared: Bool
  private let support: ManagerSupport
  private let managerCheck: ManagerCheck
  private let desktops: DesktopSearch
  private var root = RootModel()
  private var windows: [UInt32: ObservedWindow] = [:]
  /// For each frame that is followed, the windows in it.
  private var windowsInFrames: [UInt32: Set<UInt32>] = [:]
  private var marked: [ObservedWindow] = []
  private var enquiries = Enquiries()
  private var facts: [ObservedFact] = []
  private var deadlines = Deadlines<DeadlineName>()
  private var focusQuestion = SingleQuestion()
  /// Whether the last turn has left events to the next one, which the descriptor may not announce.
  package private(set) var hasMore = false
  /// Whether the windows that the window manager manages are told of.
  package var followsClients = false { didSet { if followsClients, !oldValue { readClients() } } }

  /// Connects to a display; the one that `DISPLAY` names where nil.
  package convenience init(display: String?) throws(PlatformError) {
    try self.init(try XServer(display: display), isShared: false)
  }

  /// Uses a connection that another part of the program has made; its events are passed to ``handle(event:)``.
  package convenience init(sharing connection: OpaquePointer, screen: Int) throws(PlatformError) {
    try self.init(try XServer(sharing: connection, screen: screen), isShared: true)
  }

  private init(_ server: XServer, isShared: Bool) throws(PlatformError) {
    self.server = server
    self.isShared = isShared
    support = ManagerSupport(server)
    managerCheck = ManagerCheck(server)
    desktops = DesktopSearch(server)
    let isManaged = try server.setUp(AtomName.atStart + AtomName.forManager + AtomName.forShowingDesktop)
    select(Self.rootEvents, of: server.root)
    apply(.windowManager(present: isManaged, name: nil))
    followsManagers()
    followsScreens()
    check()
    server.connection.flush()
  }

  /// The descriptor of the connection, which is readable when something has come.
  package var descriptor: Int32 { server.connection.fileDescriptor }

  /// The moment of ``MonotonicClock`` at which ``dispatch()`` has something to do without an event.
  package var nextDeadline: Duration? { deadlines.next }

  /// The bits that tell apart the resources of one client: windows of one client have the same others.
  package var resourceMask: UInt32 { server.connection.screen.resourceMask }

  // MARK: Windows

  /// Begins to observe a window, which the root is not; its levels are a fact as soon as they are known.
  package func observe(_ id: UInt32) {
    guard windows[id] == nil, !server.isLost else { return }
    if id == server.root { return facts.append(.gone(id)) }
    let window = ObservedWindow(id, root: server.root)
    windows[id] = window
    enquiries.append(window)
    askNext()
    server.connection.flush()
  }

  private func askNext() {
    while let window = enquiries.next() {
      // Not by endAsking(), which would call this once more for each of them.
      guard self[window] else {
        enquiries.end()
        continue
      }
      window.isSelected = true
      select(Self.windowEvents, of: window.id) { [weak self, weak window] in
        guard let self else { return }
        if let window, self[window] { ask(window) } else { endAsking() }
      }
    }
  }

  private func endAsking() {
    enquiries.end()
    askNext()
  }

  /// Ends the observation of a window.
  ///
  /// A connection of another part of the program keeps the events of the window selected.
  package func stopObserving(_ id: UInt32) {
    guard let window = windows.removeValue(forKey: id) else { return }
    stopFollowingFrames(of: window)
    if !isShared, !window.model.isDestroyed, windowsInFrames[id] == nil {
      server.connection.changeAttributes(id, .init(eventMask: 0), .ignore)
    }
    server.connection.flush()
  }

  /// Selects events of a window, beside those that the connection has selected already.
  /// - Parameters:
  ///   - events: The events.
  ///   - id: The window. Where it is gone nothing is selected, which the answers to questions about it show.
  ///   - selected: Called once they are: what is asked from then on misses no change.
  private func select(_ events: UInt32, of id: UInt32, _ selected: @escaping () -> Void = {}) {
    guard isShared else {
      server.connection.changeAttributes(id, .init(eventMask: events), .ignore)
      return selected()
    }
    server.connection.windowAttributes(id) { [weak self] found in
      if let self, let found, found.your_event_mask & events != events {
        WindowAttributes(eventMask: found.your_event_mask | events).set(of: id, server.connection)
      }
      selected()
    }
  }

  /// Asks for all that is true of a window already.
  private func ask(_ window: ObservedWindow) {
    let (id, connection) = (window.id, server.connection)
    var isMapped: Bool?
    var form = (frame: Rect(x: 0, y: 0, width: 1, height: 1), depth: connection.screen.rootVisual.depth)
    connection.windowAttributes(id) { isMapped = $0?.isMapped }
    connection.form(of: id) { form = $0 ?? form }
    connection.parent(of: id) { [weak self, weak window] parent in
      guard let self, let window, self[window] else { return }
      guard let parent, let isMapped else { return vanish(window) }
      // Not by a signal of the window's own: nothing follows from it about the window manager.
      let isNew = window.model.phase == .absent
      change(window, .created(form.frame))
      // Over a connection that is shared its events may have come before the answers.
      if !isNew { change(window, .configured(form.frame, isAbsolute: parent == server.root)) }
      if form.depth != connection.screen.rootVisual.depth { change(window, .redirected) }
      window.frames.parent = parent
      change(window, .reparented(parent: parent, parentIsRoot: parent == server.root))
      if isMapped {
        change(window, .showRequested)
        change(window, .mapped)
      }
    }
    for name in [AtomName.wmState, .netWMState, .netWMDesktop, .netWMName] { read(name, of: window, isFirst: true) }
    readOldTitle(of: window, isFirst: true)
    connection.whenDone { [weak self, weak window] in
      guard let self else { return }
      endAsking()
      guard let window, self[window] else { return }
      window.isAsking = false
      mark(window)
      findFocus()
    }
  }

  /// Whether a window is observed still.
  private subscript(_ window: ObservedWindow) -> Bool { windows[window.id] === window }

  private func vanish(_ window: ObservedWindow) {
    stopFollowingFrames(of: window)
    windows[window.id] = nil
    facts.append(.gone(window.id))
  }

  // MARK: Signals

  private func apply(_ signal: WindowSignal, to window: ObservedWindow) {
    if let sign = window.model.windowManagerSign(in: signal, root: root, isForeign: true) { apply(sign) }
    change(window, signal)
  }

  private func change(_ window: ObservedWindow, _ signal: WindowSignal) {
    let hadKeys = window.model.acceptsKeys
    let effects = window.model.apply(signal, root: root)
    mark(window)
    // Keys go to one window: where no event has reported that another one lost them, that event got lost.
    if !hadKeys, window.model.acceptsKeys {
      for other in windows.values where other !== window && other.model.acceptsKeys {
        change(other, .focusOut(.normal, .nonlinear))
        if other.model.acceptsKeys { change(other, .leave(.normal, .nonlinear, focus: false)) }
      }
    }
    for effect in effects {
      switch effect {
      case .queryAncestors: findFrames(of: window)
      case .queryWorkspace: readRoot(.netCurrentDesktop)
      case .translateCoordinates: findOrigin(of: window)
      case .queryCompositor:
        server.findCompositor { [weak self, weak window] isRunning in
          guard let self, let window, self[window] else { return }
          apply(.composited(isRunning), to: window)
        }
      // Where a window rests is of interest to those that bring it back.
      case .startResting: break
      }
    }
  }

  private func apply(_ signal: RootSignal) {
    let before = root.windowManager
    // Nothing is known of the one that may be starting: what it writes onto windows before it is checked counts.
    if case .windowManagerChanged = signal { support.atoms = nil }
    for effect in root.apply(signal, windows: windows.values.map(\.model)) {
      switch effect {
      case .recheckWindowManager: set(.managerCheck, after: .milliseconds(500))
      case .startSettling: set(.managerSettled, after: HoldTimes().windowManagerChange)
      case .startWorkspaceRuleDeadline: set(.workspaceRule, after: .milliseconds(300))
      case .discardManagerProperties: for window in windows.values { change(window, .windowManagerLost) }
      }
    }
    if root.windowManager != before { facts.append(.windowManager(root.windowManager)) }
    for window in windows.values { mark(window) }
  }

  private func mark(_ window: ObservedWindow) {
    guard !window.isMarked else { return }
    window.isMarked = true
    marked.append(window)
  }

  private func set(_ name: DeadlineName, after delay: Duration) {
    deadlines.set(name, after: delay, now: MonotonicClock.now)
  }

  // MARK: Frames and the focus

  private func findFrames(of window: ObservedWindow) {
    window.frames.search += 1
    window.frames.found = []
    stopFollowingFrames(of: window)
    visit(window.frames.parent, of: window, search: window.frames.search)
  }

  /// Selects a frame's events first and asks for its state then, so that no change is missed in between: what events
  /// say meanwhile the model knows better than a late answer.
  private func visit(_ frame: UInt32, of window: ObservedWindow, search: Int) {
    guard window.frames.found.count < Self.deepest else { return }
    window.frames.followed.insert(frame)
    windowsInFrames[frame, default: []].insert(window.id)
    if windows[frame]?.isSelected == true { return ask(frame, of: window, search: search) }
    select(XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue, of: frame) { [weak self, weak window] in
      if let self, let window { ask(frame, of: window, search: search) }
    }
  }

  private func ask(_ frame: UInt32, of window: ObservedWindow, search: Int) {
    server.connection.windowAttributes(frame) { [weak window] found in
      guard let window, window.frames.search == search, let found else { return }
      window.frames.found.append(.init(window: frame, isMapped: found.isMapped))
    }
    server.connection.parent(of: frame) { [weak self, weak window] parent in
      guard let self, let window, window.frames.search == search, self[window] else { return }
      // Gone: the ReparentNotify or DestroyNotify that says so begins another search.
      guard let parent, window.frames.found.last?.window == frame else { return }
      if parent == server.root || parent == 0 {
        apply(.ancestors(window.frames.found), to: window)
      } else {
        visit(parent, of: window, search: search)
      }
    }
  }

  private func stopFollowingFrames(of window: ObservedWindow) {
    for frame in window.frames.followed {
      windowsInFrames[frame]?.remove(window.id)
      guard windowsInFrames[frame]?.isEmpty == true else { continue }
      windowsInFrames[frame] = nil
      // Gone already, mostly.
      if !isShared, windows[frame] == nil { server.connection.changeAttributes(frame, .init(eventMask: 0), .ignore) }
    }
    window.frames.followed = []
  }

  private func apply(_ signal: WindowSignal, toWindowsIn frame: UInt32) {
    for id in (windowsInFrames[frame] ?? []).sorted() {
      guard let window = windows[id] else { continue }
      for index in window.frames.found.indices where window.frames.found[index].window == frame {
        if case .ancestorMapped = signal { window.frames.found[index].isMapped = true }
        if case .ancestorUnmapped = signal { window.frames.found[index].isMapped = false }
      }
      apply(signal, to: window)
    }
  }

  private func findOrigin(of window: ObservedWindow) {
    server.connection.originInRoot(of: window.id) { [weak self, weak window] origin in
      guard let self, let window, self[window] else { return }
      apply(.translated(origin), to: window)
    }
  }

  /// Finds the window that has the focus, or a window of it: events come for its changes only.
  private func findFocus() {
    guard focusQuestion.begin() else { return }
    server.connection.inputFocus { [weak self] in self?.findWindow(ofFocus: $0) }
  }

  private func findWindow(ofFocus focus: UInt32) {
    if focus == server.root || focus == XCB_INPUT_FOCUS_POINTER_ROOT.rawValue { return findPointer() }
    climb(from: focus, ofFocus: focus, steps: Self.deepest)
  }

  private func climb(from id: UInt32, ofFocus focus: UInt32, steps: Int) {
    if let window = windows[id] {
      guard id != focus else { return focusFound(in: window) }
      // It may have moved since it was asked for, of which events have come before this answer.
      return server.connection.inputFocus { [weak self] now in
        guard let self else { return }
        if now == focus { focusFound(in: windows[id]) } else { findWindow(ofFocus: now) }
      }
    }
    guard id != XCB_INPUT_FOCUS_NONE.rawValue, id != server.root, steps > 0 else { return focusFound() }
    server.connection.parent(of: id) { [weak self] in self?.climb(from: $0 ?? 0, ofFocus: focus, steps: steps - 1) }
  }

  /// Finds the window that the pointer is in, where that decides about keys: crossing events come for changes only.
  private func findPointer() {
    server.connection.childBelowPointer(of: server.root) { [weak self] child in
      guard let self else { return }
      if let window = windows[child], window.model.isMapped { change(window, .enter(.normal, .ancestor, focus: true)) }
      focusFound()
    }
  }

  private func focusFound(in window: ObservedWindow? = nil) {
    if let window, window.model.isMapped, !window.model.focus.hasFocus { change(window, .focusIn(.normal, .nonlinear)) }
    if focusQuestion.end() { findFocus() }
  }

  // MARK: Properties

  private func read(_ name: AtomName, of window: ObservedWindow, isFirst: Bool = false) {
    switch name {
    case .wmState, .netWMState, .netWMDesktop, .netWMName: break
    case _: return
    }
    let limit: UInt32 = name == .netWMName ? 256 : 64
    server.read(window.id, server.atoms[name], limit: limit, isFirst: isFirst) { [weak self, weak window] value in
      guard let self, let window, self[window] else { return }
      take(name, value, of: window, isFirst: isFirst)
    }
  }

  private func take(_ name: AtomName, _ value: PropertyValue?, of window: ObservedWindow, isFirst: Bool) {
    if let signal = support.signal(name, value, isFirst: isFirst) { return apply(signal, to: window) }
    window.hasTitle = value?.text != nil
    if let title = value?.text { facts.append(.title(window.id, title)) } else { readOldTitle(of: window) }
  }

  /// Reads the title that programs of Xlib alone write, which counts where there is no newer one (ICCCM 4.1.2.1).
  private func readOldTitle(of window: ObservedWindow, isFirst: Bool = false) {
    server.read(window.id, PredefinedAtom.wmName, limit: 256, isFirst: isFirst) { [weak self, weak window] value in
      guard let self, let window, self[window], !window.hasTitle else { return }
      let isUTF8 = value?.type == server.atoms[.utf8String]
      let title = isUTF8 ? value?.text : value.map { CompoundText.decode(Array($0.bytes.prefix { $0 != 0 })) }
      facts.append(.title(window.id, title ?? ""))
    }
  }

  private func rootPropertyChanged(_ name: AtomName) {
    switch name {
    case .netSupportingWMCheck: apply(.windowManagerChanged(cause: name.rawValue))
    case .netSupported: set(.managerCheck, after: .milliseconds(500))
    case .netCurrentDesktop, .netShowingDesktop: readRoot(name)
    case .netClientList: readClients()
    case .netClientListStacking: findDesktops()
    case _: break
    }
  }

  private func readRoot(_ name: AtomName) {
    server.read(server.root, server.atoms[name], limit: 1) { [weak self] value in
      guard let self, root.isManaged else { return }
      let number = support.allows(name) ? value?.first(ofType: PredefinedAtom.cardinal) : nil
      if name == .netCurrentDesktop { return apply(.currentWorkspace(number)) }
      if !root.isShowingDesktop { for window in windows.values { change(window, .desktopsAbove([])) } }
      apply(.showingDesktop(number == 1))
      findDesktops()
    }
  }

  private func readClients() {
    guard followsClients else { return }
    server.read(server.root, server.atoms[.netClientList], limit: Self.mostClients) { [weak self] value in
      self?.facts.append(.clients(value?.words(ofType: PredefinedAtom.window) ?? []))
    }
  }

  private func findDesktops() {
    guard root.isShowingDesktop else { return }
    // A desktop's own window may be observed, too.
    desktops.begin(isOwn: { _ in false }) { [weak self] found in
      guard let self else { return }
      for window in windows.values {
        change(window, .desktopsAbove(found.desktops(above: window.frames.outermost ?? window.id)))
      }
    }
  }

  // MARK: The window manager and the screens

  private func check() {
    managerCheck.begin(redirected: {}) { [weak self] answers in
      guard let self else { return }
      support.atoms = answers.isValidated ? answers.supported : []
      apply(.windowManager(present: answers.isPresent, name: answers.name))
      guard answers.isPresent else { return }
      for window in windows.values {
        read(.netWMDesktop, of: window)
        // States that count no more.
        if support.lacksStates { read(.netWMState, of: window, isFirst: true) }
      }
      for name in [AtomName.netCurrentDesktop, .netShowingDesktop] { readRoot(name) }
      readClients()
    }
  }

  /// Has the start and the end of window managers told that frame no window.
  ///
  /// Over a connection that is shared the version and the events of XFixes are its owner's: toolkits select these too.
  private func followsManagers() {
    guard !isShared, server.extensions.has(.fixes) else { return }
    server.connection.whenReplied(server.extensions.send(.fixesQueryVersion)) { _ in }
    server.extensions.send(
      .fixesSelectSelectionInput(window: server.root, selection: server.atoms[.managerSelection]))
  }

  private func followsScreens() {
    let size = server.connection.screen.size
    apply(.monitors([Rect(x: 0, y: 0, width: size.width, height: size.height)]))
    guard server.extensions.has(.randr) else { return }
    server.connection.whenReplied(server.extensions.send(.randrQueryVersion)) { _ in }
    if !isShared {
      server.extensions.send(.randrSelectInput(window: server.root, RANDR_SCREEN_CHANGE, RANDR_CRTC_CHANGE))
    }
    readMonitors()
  }

  private func readMonitors() {
    guard server.extensions.has(.randr) else { return }
    let question = server.extensions.send(.randrGetMonitors(window: server.root, activeOnly: true))
    server.connection.whenReplied(question) { [weak self] reply in
      guard let self else { return }
      guard let reply else {
        // RandR before 1.5: it has no monitors.
        return server.connection.geometry(of: server.root) { [weak self] in
          if let self, let whole = $0 { apply(.monitors([whole])) }
        }
      }
      let monitors = MonitorReply.decode(reply)
      if !monitors.isEmpty { apply(.monitors(monitors.map(\.frame))) }
    }
  }

  private func rootResized(to size: Size) {
    if server.extensions.has(.randr) { return readMonitors() }
    apply(.monitors([Rect(x: 0, y: 0, width: size.width, height: size.height)]))
  }

  // MARK: Events

  /// Handles an event that another part of the program has read from the connection that is shared.
  package func handle(event: UnsafePointer<xcb_generic_event_t>) { handle(server.connection.decode(event)) }

  private func handle(_ event: XEvent) {
    switch event {
    case .crossing(let event, let isEnter, let mode, let detail, let focus):
      guard let window = windows[event.window] else { return }
      apply(isEnter ? .enter(mode, detail, focus: focus) : .leave(mode, detail, focus: focus), to: window)
    case .focus(let id, let isIn, let mode, let detail):
      guard let window = windows[id] else { return }
      apply(isIn ? .focusIn(mode, detail) : .focusOut(mode, detail), to: window)
    case .visibility(let id, let visibility): windows[id].map { apply(.visibility(visibility), to: $0) }
    case .destroyed(let id, let event) where id == event:
      apply(.ancestorDestroyed(id), toWindowsIn: id)
      windowsInFrames[id] = nil
      if let window = windows[id] { vanish(window) }
    case .unmapped(let id, let event, isSynthetic: false) where id == event:
      windows[id].map { apply(.unmapped, to: $0) }
      apply(.ancestorUnmapped(id), toWindowsIn: id)
    case .mapped(let id, let event) where id == event:
      if let window = windows[id] {
        // Its program has asked for it.
        apply(.showRequested, to: window)
        apply(.mapped, to: window)
      }
      apply(.ancestorMapped(id), toWindowsIn: id)
    case .reparented(let id, let event, let parent) where id == event:
      if let window = windows[id] { reparented(window, to: parent) }
      apply(.ancestorReparented(id), toWindowsIn: id)
    case .configured(let id, let event, let frame, let isSynthetic) where id == event:
      if let window = windows[id] {
        configured(window, frame, isSynthetic: isSynthetic)
      } else if id == server.root {
        rootResized(to: frame.size)
      }
    case .property(let id, let property, _, _):
      if property == PredefinedAtom.wmName, let window = windows[id], !window.hasTitle { readOldTitle(of: window) }
      guard let name = server.atoms.name(of: property) else { return }
      if id == server.root { return rootPropertyChanged(name) }
      guard let window = windows[id] else { return }
      if case .netWMState = name { apply(.netStateAnnounced, to: window) }
      read(name, of: window)
    case .screensChanged: readMonitors()
    case .selectionOwner(let selection, _):
      if server.atoms.name(of: selection) == .managerSelection { apply(.windowManagerChanged(cause: "WM_S owner")) }
    // Of requests about windows that are gone: all others have their answers handled.
    case .failed: break
    case .destroyed, .unmapped, .mapped, .reparented, .configured, .key, .button, .motion, .exposed, .message, .device,
      .devicesChanged, .deviceSwitched, .keyboardMapping, .selectionRequested, .selectionNotified,
      .bytes, .selectionCleared, .screenSaver, .presentCompleted, .presentIdle, .shmCompleted, .unknown:
      break
    }
  }

  private func reparented(_ window: ObservedWindow, to parent: UInt32) {
    window.frames.parent = parent
    if parent == server.root {
      window.frames.search += 1
      window.frames.found = []
      stopFollowingFrames(of: window)
    }
    apply(.reparented(parent: parent, parentIsRoot: parent == server.root), to: window)
  }

  private func configured(_ window: ObservedWindow, _ frame: Rect, isSynthetic: Bool) {
    guard !isSynthetic || !root.isKnownUnmanaged else { return }
    let isAbsolute = isSynthetic ? root.monitors.contains { $0.intersects(frame) } : window.frames.parent == server.root
    apply(.configured(frame, isAbsolute: isAbsolute), to: window)
  }

  // MARK: A turn

  /// Reads what has come and does what is due, without waiting.
  ///
  /// Of a connection that is shared only answers are read.
  /// - Returns: What is new, in the order in which it was found; of the levels of a window the last.
  package func dispatch() -> [ObservedFact] {
    let connection = server.connection
    hasMore = false
    guard !server.isLost else { return [] }
    var count = 0
    repeat {
      while !isShared, count < Self.longestBatch, let event = connection.nextEvent() {
        count += 1
        handle(event)
      }
      while connection.handleReplies() {}
      for name in deadlines.removeDue(now: MonotonicClock.now) { deadlinePassed(name) }
      connection.flush()
      // A write may have read.
    } while !isShared && count < Self.longestBatch && connection.hasQueued()
    hasMore = count >= Self.longestBatch
    takeLevels()
    if connection.isLost {
      facts.append(.lost(connection.lossReason))
      hasMore = false
      deadlines.cancelAll { _ in true }
      server.lose()
    }
    return exchange(&facts, with: [])
  }

  private func deadlinePassed(_ name: DeadlineName) {
    switch name {
    case .managerCheck: check()
    case .managerSettled: apply(.windowManagerSettled)
    case .workspaceRule: apply(.workspaceRuleDue)
    }
  }

  private func takeLevels() {
    var later: [ObservedWindow] = []
    for window in exchange(&marked, with: []) {
      guard self[window] else { continue }
      guard window.isKnown else {
        later.append(window)
        continue
      }
      window.isMarked = false
      let levels = window.model.levels(root: root)
      guard levels != window.reported else { continue }
      window.reported = levels
      facts.append(.levels(window.id, levels))
    }
    marked += later
  }
}

/// The windows that are still to be asked about, a few at a time: the questions about all at once would take more
/// memory than the windows.
private struct Enquiries {
  private static let most = 16
  private var waiting: ArraySlice<ObservedWindow> = []
  /// How many are under way.
  private var count = 0

  mutating func append(_ window: ObservedWindow) { waiting.append(window) }

  /// The next window to ask about; nil where there is none, or enough is under way.
  mutating func next() -> ObservedWindow? {
    guard count < Self.most, let window = waiting.popFirst() else { return nil }
    if waiting.isEmpty { waiting = [] }
    count += 1
    return window
  }

  mutating func end() { count -= 1 }
}
