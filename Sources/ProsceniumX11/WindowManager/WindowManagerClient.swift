import CXCB
import ProsceniumLoop
import ProsceniumPlatform

/// The program as a client of the window manager: whether one runs, what it supports, and what it writes.
@MainActor final class WindowManagerClient: X11Component {
  /// Whether the window manager has changed since the program started or was suspended last.
  private var hasChanged = false
  /// Whether the one that runs has come since windows were shown, and has not been asked for their states.
  private var isUnasked = false
  /// Whether `_NET_SHOWING_DESKTOP` may be believed as it is found: the window manager ran before the program.
  private(set) var mayShowDesktop = false
  /// Whether changes of the root's properties are selected.
  private var followsRoot = true
  private lazy var desktops = DesktopQuery(parts)
  private lazy var managerCheck = ManagerCheck(server)

  private var support: ManagerSupport { parts.support }
  private var workAreas: WorkAreaQuery { parts.monitors.workAreas }

  // MARK: Start and suspension

  /// Selects the events of extensions about the root that the platform uses.
  func selectEventsOfExtensions() {
    if server.extensions.has(.fixes) {
      // A client has to ask for the version first (fixesproto.txt, section 4); the answer does not matter.
      connection.whenReplied(server.extensions.send(.fixesQueryVersion)) { _ in }
      for selection in [AtomName.managerSelection, .compositorSelection] {
        server.extensions.send(.fixesSelectSelectionInput(window: server.root, selection: server.atoms[selection]))
      }
    }
    if server.extensions.has(.randr) {
      connection.whenReplied(server.extensions.send(.randrQueryVersion)) { _ in }
      server.extensions.send(
        .randrSelectInput(window: server.root, RANDR_SCREEN_CHANGE, RANDR_CRTC_CHANGE, RANDR_OUTPUT_CHANGE))
    }
  }

  /// Checks for the first time since the program started or was suspended.
  func restart() {
    mayShowDesktop = root.isManaged && !hasChanged
    check()
  }

  /// The program is suspended: only events that can show a window again are selected.
  func suspend() {
    hasChanged = false
    followsRoot = needsRoot
    if !followsRoot { server.selectRootEvents(all: false) }
  }

  /// The root may be another one while the program is suspended.
  /// - Returns: As of ``resume()``.
  func followRoot() -> Bool { needsRoot && !server.isLost && resume() }

  /// The program runs again.
  /// - Returns: Whether changes of the root's properties may have been missed.
  func resume() -> Bool {
    guard !followsRoot else { return false }
    followsRoot = true
    server.selectRootEvents(all: true)
    return true
  }

  /// Whether a change of a root property can show a window again that nothing else shows.
  ///
  /// Where the desktop is shown, or workspaces hide windows by their numbers alone. Otherwise an event of the window
  /// itself reports that it is shown, and a selection event or a ReparentNotify reports a window manager that starts or
  /// ends.
  private var needsRoot: Bool { root.isManaged && (root.isShowingDesktop || root.isWorkspaceRuleOn) }

  // MARK: The check

  /// Checks again, without waiting.
  func check() {
    guard !server.isLost else { return }
    loop.cancel(.managerCheck)
    managerCheck.begin(redirected: { [weak self] in self?.internAtoms() }) { [weak self] in self?.finish($0) }
  }

  private func finish(_ answers: ManagerCheck.Answers) {
    guard !connection.isLost else { return }
    let wasManaged = root.isManaged
    let isGone = wasManaged && !answers.isPresent
    let covering = isGone ? windows.all.filter { $0.isToCover(root) } : []
    support.atoms = answers.isValidated ? answers.supported : []
    if answers.isPresent { internAtoms() }
    windows.apply(.windowManager(present: answers.isPresent, name: answers.name))
    parts.windows.managerQuestion.managerChecked()
    workAreas.refresh(anew: true)
    guard answers.isPresent else { return covering.forEach(parts.windows.mapper.keepFullScreen) }
    if !wasManaged { isUnasked = true }
    // Until now everything counted as supported, or where none ran as the program's own.
    if !wasManaged || support.lacksStates { windows.all.forEach(readProperties) }
    readRoot()
    describeWindows()
  }

  /// It has been the same for a while, and has taken over the windows that it found.
  func settled() {
    windows.apply(.windowManagerSettled)
    windows.all.forEach(parts.windows.mapper.mapAgain)
    // metacity and jwm give a window another frame when it leaves full screen, as one that has just started.
    windows.all.forEach(parts.windows.putBack)
    guard root.isManaged, exchange(&isUnasked, with: false) else { return }
    windows.all.forEach(parts.windows.mapper.handOver)
  }

  /// Interns the atoms that only a window manager needs, and then reads its properties.
  private func internAtoms() {
    guard !server.hasAsked(for: .wmChangeState) else { return }
    windows.onWorkspaceDoubt = { [weak self] in self?.readRoot(.netCurrentDesktop) }
    server.intern(AtomName.forManager) { [weak self] in
      guard let self, root.isManaged else { return }
      readRoot()
      describeWindows()
      // Properties that changed before the atoms were known could not be read.
      for window in windows.all { readProperties(of: window, isFirst: window.isGuest) }
    }
  }

  /// Writes the properties that only a window manager reads.
  private func describeWindows() {
    for window in windows.all where window.properties.areWritten {
      parts.windows.writer.writeForManager(window)
      parts.windows.mapper.releaseHeldBack(window)
    }
  }

  // MARK: Events

  /// A property of the root has changed.
  func rootPropertyChanged(_ name: AtomName) {
    switch name {
    case .netSupportingWMCheck: managerChanges(cause: name.rawValue)
    case .netSupported: loop.set(.managerCheck, after: .milliseconds(500))
    case .netCurrentDesktop, .netShowingDesktop: readRoot(name)
    case .netWorkArea, .netClientList: workAreas.propertyChanged(name)
    case .netClientListStacking: desktops.refresh()
    case _: break
    }
  }

  /// A selection has another owner.
  func selectionChanged(_ name: AtomName?) {
    switch name {
    case .managerSelection: managerChanges(cause: "WM_S owner")
    // A compositor alone manages no windows; one that comes with a window manager is a reason to check again.
    case .compositorSelection: loop.set(.managerCheck, after: .milliseconds(500))
    case _: break
    }
  }

  /// A window manager that dies while it shows the desktop leaves `_NET_SHOWING_DESKTOP` behind, and most that come
  /// after it do not write it until they are asked to: from here on only a new value is believed.
  private func managerChanges(cause: String) {
    mayShowDesktop = false
    // Nothing is known of the one that may be starting: what it writes onto windows before it is checked counts.
    support.atoms = nil
    (hasChanged, isUnasked) = (true, true)
    parts.windows.managerQuestion.managerChanged()
    windows.apply(.showingDesktop(false))
    windows.apply(.windowManagerChanged(cause: cause))
  }

  // MARK: Properties of the root

  private func readRoot() {
    guard server.atoms[.netActiveWindow] != 0, support.atoms != nil else { return }
    windows.apply(.supports(activeWindow: support.lists(.netActiveWindow), hidden: support.lists(.netWMStateHidden)))
    readRoot(.netCurrentDesktop)
    guard mayShowDesktop else { return }
    mayShowDesktop = false
    readRoot(.netShowingDesktop)
  }

  private func readRoot(_ name: AtomName) {
    guard support.allows(name) else { return setRoot(name, nil) }
    server.read(server.root, server.atoms[name], limit: 1) { [weak self] value in
      guard let self, root.isManaged else { return }
      setRoot(name, support.allows(name) ? value?.first(ofType: PredefinedAtom.cardinal) : nil)
    }
  }

  private func setRoot(_ name: AtomName, _ number: UInt32?) {
    guard name == .netCurrentDesktop else { return setShowingDesktop(number == 1) }
    windows.apply(.currentWorkspace(number))
    workAreas.refresh()
  }

  private func setShowingDesktop(_ isShown: Bool) {
    // Those that were above when it was shown last say nothing now.
    if !root.isShowingDesktop { for window in windows.all { windows.apply(.desktopsAbove([]), to: window) } }
    windows.apply(.showingDesktop(isShown))
    desktops.refresh()
  }

  // MARK: The properties that a window manager writes onto our windows, read when they change

  /// Reads all of them anew.
  func readProperties(of window: TopLevel) { readProperties(of: window, isFirst: false) }

  /// Reads all of them, of a window that is followed from now on where that is said.
  func readProperties(of window: TopLevel, isFirst: Bool) {
    for name in [AtomName.wmState, .netWMState, .netWMDesktop, .netWMAllowedActions] {
      read(name, of: window, isFirst: isFirst)
    }
  }

  /// A property has changed.
  func propertyChanged(_ name: AtomName, of window: TopLevel) {
    if case .netWMState = name { windows.apply(.netStateAnnounced, to: window) }
    read(name, of: window)
  }

  private func read(_ name: AtomName, of window: TopLevel, isFirst: Bool = false) {
    let decode: @MainActor (WindowManagerClient, TopLevel, PropertyValue?) -> Void
    switch name {
    case .wmState:
      // Its type is WM_STATE, and its first unit the state (ICCCM 4.1.3.1).
      decode = { $0.setState($1, $2?.first(ofType: $0.server.atoms[.wmState])) }
    case .netWMState, .netWMDesktop:
      decode = { manager, window, value in
        guard let signal = manager.signal(name, value, of: window, isFirst: isFirst) else { return }
        manager.windows.apply(signal, to: window)
      }
    case .netWMAllowedActions:
      decode = { $1.properties.allowedActions = $2?.words(ofType: PredefinedAtom.atom).map(Set.init) }
    case _: return
    }
    server.read(window.id, server.atoms[name], isFirst: isFirst) { [weak self, weak window] value in
      guard let self, let window, windows[window.id] === window else { return }
      decode(self, window, value)
    }
  }

  /// What a property of a window says: where none runs, it has been written by the program, and says nothing.
  private func signal(
    _ name: AtomName, _ value: PropertyValue?, of window: TopLevel, isFirst: Bool
  ) -> WindowSignal? {
    guard root.isKnownUnmanaged, support.atoms != nil, name == .netWMState else {
      return support.signal(name, value, isFirst: isFirst)
    }
    return .netState(window.frameBeforeFullScreen == nil ? [] : .fullScreen)
  }

  private func setState(_ window: TopLevel, _ state: UInt32?) {
    if state != nil {
      loop.cancel(.managerProbe(window.id))
      parts.windows.managerQuestion.gaveSign()
    }
    windows.apply(.wmState(state), to: window)
    // No state or WithdrawnState: the window manager does not manage the window any more (ICCCM 4.1.3.1).
    if state ?? ICCCM_WITHDRAWN_STATE.rawValue == ICCCM_WITHDRAWN_STATE.rawValue {
      parts.windows.mapper.finishLeaving(window)
    }
  }
}
