import CXCB
import Glibc
import ProsceniumLoop
package import ProsceniumPlatform

/// Start-up: two serial round trips, whatever the number of windows, and two more where windows have to find their
/// places on the screens: RandR cannot be asked before the server has said how it is numbered, nor for the monitors' names
/// before it has named their atoms.
extension X11Platform {
  package func start(_ identity: ApplicationIdentity) throws(PlatformError) -> [ScreenDescription] {
    guard connection == nil else { throw PlatformError("the X11 platform has been started already.") }
    guard loop.canWake else { throw PlatformError("no file descriptors are left for the event loop.") }
    BrokenPipe.tolerate()
    // The first round trip: the setup.
    let connection = try Connection(display: display)
    self.connection = connection
    self.identity = identity
    source = loop.watch(
      LoopSource(descriptor: connection.fileDescriptor, interest: .readable) { _ in }, stage: .input)
    if loop.hosting == .program { loop.catchTerminationSignals() }
    session.plan = sessionManager.flatMap { SessionPlan($0, identity) }
    startup = StartupNotification.takeFromEnvironment()
    userTime = startup?.time ?? 0
    properties = PropertyReader(connection)
    leader = connection.makeID()

    // The second: atoms, extensions, and whether somebody manages the root's windows.
    var extensions = Extensions(connection)
    intern(AtomName.atStart + (startup == nil ? [] : AtomName.forStartup) + (session.plan == nil ? [] : [.smClientID]))
    extensions.prefetch(ExtensionName.atStart)
    var isManaged = false
    connection.windowAttributes(connection.screen.root) { isManaged = $0?.isManaged ?? false }
    connection.awaitAll()
    guard !connection.isLost else { throw PlatformError(connection.lossReason) }
    extensions.load(ExtensionName.atStart)
    self.extensions = extensions
    decoder = EventDecoder(
      firstRandREvent: extensions.firstEvent(.randr), firstFixesEvent: extensions.firstEvent(.fixes),
      firstScreenSaverEvent: extensions.firstEvent(.screenSaver), inputOpcode: extensions.majorOpcode(.input))

    createLeader(connection)
    listenToRoot(connection, extensions)
    readResources()
    prepareDevices()
    signal(.windowManager(present: isManaged, name: nil))
    manager.mayShowDesktop = isManaged
    if isManaged { checkManager() }
    screens.current = [
      ScreenDescription(
        name: "screen", frame: screenFrame(connection), isPrimary: true, physicalSize: connection.screen.physicalSize,
        isProvisional: extensions.has(.randr))
    ]
    signal(.monitors(screens.current.map(\.frame)))
    refreshScreens()
    if identity.needsScreens { awaitScreens(connection) }
    if loop.hosting == .program { setTimer(.desktopChoices, Self.desktopChoicesDelay) }
    connection.flush()
    joinSession()
    // Those that were there at launch do not connect: the first word on them is the batch's.
    return screens.current.map { screen in
      var screen = screen
      screen.isProvisional = extensions.has(.randr)
      return screen
    }
  }

  /// Interns atoms that are not known yet; what is sent after it finds them known when its own reply comes.
  func intern(_ names: [AtomName]) {
    guard let connection else { return }
    for name in names where atoms[name] == 0 && !manager.asked.contains(name) {
      manager.asked.insert(name)
      connection.internAtom(name.spelling(screen: connection.screen.number)) { [weak self] atom in
        self?.atoms.set(name, atom)
      }
    }
  }

  private func screenFrame(_ connection: Connection) -> Rect {
    Rect(x: 0, y: 0, width: connection.screen.size.width, height: connection.screen.size.height)
  }

  /// The client leader (ICCCM 5.1): never mapped; session managers find the program by it, and a change of one of its
  /// properties tells the server's time (ICCCM 2.1).
  private func createLeader(_ connection: Connection) {
    connection.createWindow(
      leader, x: -1, y: -1, width: 1, height: 1,
      attributes: .init(eventMask: XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue), isInputOnly: true)
    writeClass(leader)
    connection.changeProperty(leader, atoms[.wmClientLeader], type: PredefinedAtom.window, [leader])
    // Who comes back will be who they were, but for a session manager that does not know them any more.
    if let id = session.plan?.command.previousID { writeSessionID(id) }
    if let startup {
      connection.changeProperty(
        leader, atoms[.netStartupID], type: atoms[.utf8String], bytes: Array(startup.id.utf8))
    }
  }

  private func listenToRoot(_ connection: Connection, _ extensions: Extensions) {
    let root = connection.screen.root
    listenToRootProperties(true)
    if extensions.has(.fixes) {
      // A client has to ask for the version first (fixesproto.txt, section 4); nobody waits for the answer.
      connection.whenReplied(extensions.send(.fixesQueryVersion(major: 5, minor: 0))) { _ in }
      for selection in [AtomName.managerSelection, .compositorSelection] {
        // SetSelectionOwner 1, SelectionWindowDestroy 2, SelectionClientClose 4.
        extensions.send(.fixesSelectSelectionInput(window: root, selection: atoms[selection], mask: 7))
      }
    }
    if extensions.has(.randr) {
      connection.whenReplied(extensions.send(.randrQueryVersion(major: 1, minor: 5))) { _ in }
      // RRScreenChangeNotify 1, RRCrtcChangeNotify 2, RROutputChangeNotify 4.
      extensions.send(.randrSelectInput(window: root, mask: 7))
    }
  }
}

extension X11Platform {
  /// Without them only the root's ConfigureNotify is heard, which tells of a new size, also without RandR.
  func listenToRootProperties(_ isWanted: Bool) {
    guard let connection else { return }
    let properties = isWanted ? XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue : 0
    connection.changeAttributes(
      connection.screen.root, .init(eventMask: properties | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue))
  }
}

extension Connection.AttributesReply {
  /// Whether a client redirects the root's children: the one universal mark of a window manager (ICCCM 4.3).
  var isManaged: Bool { allEventMasks & XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT.rawValue != 0 }
}
