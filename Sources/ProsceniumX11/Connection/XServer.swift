import CXCB
import ProsceniumPlatform

/// The X server as all components use it: the connection, and the values that most requests need.
final class XServer {
  let connection: Connection
  /// The client leader (ICCCM 5.1): never mapped; session managers find the program by it, and a change of one of its
  /// properties reports the server's time.
  ///
  /// Made by ``setUp(_:)``.
  private(set) var leader: UInt32 = 0
  private let isShared: Bool
  let time = ServerTime()
  private(set) var extensions: Extensions
  private(set) var atoms = Atoms()
  /// Whether the connection is lost and everything that was read has been handled: nothing is sent any more.
  private(set) var isLost = false
  private var asked = Set<AtomName>(minimumCapacity: AtomName.atStart.count)
  /// The properties that are being read.
  private var reads: Set<PropertyPlace> = []

  /// Connects: one round trip.
  init(display: String?) throws(PlatformError) {
    connection = try Connection(display: display)
    extensions = Extensions(connection)
    isShared = false
  }

  /// Uses a connection that another part of the program has made.
  init(sharing raw: OpaquePointer, screen: Int) throws(PlatformError) {
    connection = try Connection(sharing: raw, screen: screen)
    extensions = Extensions(connection)
    isShared = true
  }

  var root: UInt32 { connection.screen.root }

  /// Asks for atoms and extensions, and whether the root is managed: one more round trip.
  /// - Returns: Whether a window manager runs.
  func setUp(_ atoms: [AtomName]) throws(PlatformError) -> Bool {
    intern(atoms)
    extensions.prefetch(ExtensionName.atStart)
    var isManaged = false
    connection.windowAttributes(root) { isManaged = $0?.isManaged ?? false }
    // While the server answers.
    connection.flush()
    if !isShared { leaveOutIdentities() }
    leader = connection.makeID()
    connection.awaitAll()
    guard !connection.isLost else { throw PlatformError(connection.lossReason) }
    extensions.load(ExtensionName.atStart)
    connection.decoder = EventDecoder(
      firstRandREvent: extensions.firstEvent(.randr), firstFixesEvent: extensions.firstEvent(.fixes),
      firstScreenSaverEvent: extensions.firstEvent(.screenSaver), inputOpcode: extensions.majorOpcode(.input))
    return isManaged
  }

  /// How many identities may be left out before the first one; a tenth of a millisecond, and few of two million.
  private static let mostSkipped = 1 << 13

  /// Leaves out a random number of identities.
  ///
  /// A server gives the identities of a client that is gone to the next one. A window manager that has not noticed yet
  /// that the program was killed would take our windows for the ones of before, and put them in their places.
  private func leaveOutIdentities() {
    for _ in 0..<Int.random(in: 0..<Self.mostSkipped) { _ = connection.makeID() }
  }

  /// Interns atoms that are not known yet.
  /// - Parameters:
  ///   - names: The atoms.
  ///   - handler: Called once they are known.
  func intern(_ names: [AtomName], _ handler: (() -> Void)? = nil) {
    for name in names where atoms[name] == 0 && asked.insert(name).inserted {
      connection.internAtom(name.spelling(screen: connection.screen.number)) { [weak self] atom in
        self?.atoms.set(name, atom)
      }
    }
    // Requests are answered in order.
    if let handler { connection.whenDone(handler) }
  }

  /// Whether atoms have been asked for.
  func hasAsked(for name: AtomName) -> Bool { asked.contains(name) }

  /// Asks for extensions that the launch does not need.
  /// - Parameters:
  ///   - names: The extensions.
  ///   - handler: Called once the answer is known.
  func load(_ names: [ExtensionName], _ handler: @escaping () -> Void) {
    extensions.prefetch(names)
    connection.whenDone { [weak self] in
      self?.extensions.load(names)
      handler()
    }
  }

  /// Asks for the extensions of surfaces.
  /// - Parameter handler: Called once the answer is known.
  func loadSurfaceExtensions(_ handler: @escaping () -> Void) {
    load(ExtensionName.forSurfaces) { [weak self] in
      guard let self else { return }
      connection.decoder.firstShmEvent = extensions.firstEvent(.shm)
      connection.decoder.presentOpcode = extensions.majorOpcode(.present)
      handler()
    }
  }

  /// Reads a property when it has changed, with at most one request under way for each window and property.
  ///
  /// A change that is announced while a read is under way needs no second one: the server sends events and replies in
  /// the order in which things happened to it, so a notice that comes before the reply is about a change that the reply
  /// already shows, and one that comes after it finds nothing under way (``Connection`` keeps that order).
  /// - Parameters:
  ///   - window: The window.
  ///   - property: The property.
  ///   - limit: The greatest length that is read, in units of four bytes.
  ///   - isFirst: Whether the window is followed from now on: the value is read anew also where an answer is under way,
  ///     which is to one that followed the window before, and about the time before.
  ///   - handler: Called with the value.
  func read(
    _ window: UInt32, _ property: UInt32, limit: UInt32 = 64, isFirst: Bool = false,
    _ handler: @escaping (PropertyValue?) -> Void
  ) {
    let place = PropertyPlace(window: window, property: property)
    guard property != 0, reads.insert(place).inserted || isFirst else { return }
    connection.property(window, property, limit: limit) { [weak self] value in
      guard let self else { return }
      reads.remove(place)
      // That there is no answer says nothing about the property then.
      if !connection.isLost { handler(value) }
    }
  }

  /// Asks whether a compositing manager runs (EWMH, "Compositing Managers").
  func findCompositor(_ handler: @escaping (Bool) -> Void) {
    connection.selectionOwner(atoms[.compositorSelection]) { handler(($0 ?? 0) != 0) }
  }

  /// Selects the root's events: its size, and, where wanted, its properties and who holds the keyboard for it.
  func selectRootEvents(all isWanted: Bool) {
    let others = isWanted ? XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue | XCB_EVENT_MASK_FOCUS_CHANGE.rawValue : 0
    connection.changeAttributes(root, .init(eventMask: others | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue))
  }

  /// Why the connection has been lost.
  /// - Parameter isCut: Whether the program has closed it, because it stood still (`StalledLine`).
  /// - Returns: What happened, and what to do.
  func lossReason(isCut: Bool) -> String {
    guard isCut else { return connection.lossReason }
    return "the X display \"\(connection.display)\" took nothing for three seconds after the program had been asked to "
      + "end: the connection to it is closed."
  }

  /// Records the loss of the connection, once everything that was read has been handled.
  func lose() {
    isLost = true
    time.abandon()
  }
}

private struct PropertyPlace: Hashable {
  var window: UInt32
  var property: UInt32
}

/// The latest of the server's times that events have reported (X protocol, TIMESTAMP).
final class ServerTime {
  /// The latest known time; 0 while none is known.
  private(set) var latest: UInt32 = 0
  private var waiters: [(UInt32) -> Void] = []

  func observe(_ time: UInt32) {
    // One that is earlier by more than a day comes after half a turn of the server's clock, 24.8 days.
    if latest == 0 || time.isLater(than: latest) || latest &- time > 86_400_000 { latest = time }
  }

  /// Calls back with the present time.
  ///
  /// A change of a property of the client leader reports it, once for all that wait (ICCCM 2.1).
  func ask(_ server: XServer, _ handler: @escaping (UInt32) -> Void) {
    guard !server.isLost else { return }
    waiters.append(handler)
    guard waiters.count == 1 else { return }
    server.connection.touchProperty(server.leader, server.atoms[.netWMUserTime], type: PredefinedAtom.cardinal)
  }

  /// A property of the client leader has changed.
  func answer(_ time: UInt32) {
    for waiter in exchange(&waiters, with: []) { waiter(time) }
  }

  /// No answer comes any more.
  func abandon() { waiters = [] }
}

/// The X server's present time, for a process without windows.
///
/// Window managers give the focus to the user's latest action, which they find by its time (EWMH, `_NET_WM_USER_TIME`).
/// A launcher passes the time of its start on; a terminal does not, and there "now" is the moment.
package enum ServerClock {
  /// Connects, asks and closes again: two round trips.
  ///
  /// - Parameter display: The display; the one that `DISPLAY` names where nil.
  /// - Returns: The time; nil where there is no server.
  package static func now(display: String? = nil) -> UInt32? {
    guard let connection = try? Connection(display: display) else { return nil }
    let window = connection.makeID()
    connection.createPropertyWindow(window)
    connection.touchProperty(window, PredefinedAtom.wmClass, type: PredefinedAtom.string)
    connection.whenDone {}
    connection.awaitAll()
    while let event = connection.nextEvent() {
      if case .property(_, _, let time, _) = event { return time }
    }
    return nil
  }

  /// Makes an id for a start that has none of a launcher, as the Startup Notification protocol spells it.
  /// - Parameters:
  ///   - program: The program's file name.
  ///   - process: The number of its process.
  ///   - time: The server's time at the start, in milliseconds.
  /// - Returns: The id, such as `Notes-4711_TIME123456`.
  package static func startupID(program: String, process: Int32, time: UInt32) -> String {
    "\(program.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })-\(process)_TIME\(time)"
  }
}

/// The numbers of the atoms, as far as they are known yet.
struct Atoms {
  private var values = [AtomName: UInt32](minimumCapacity: AtomName.atStart.count)
  private var names = [UInt32: AtomName](minimumCapacity: AtomName.atStart.count)

  /// The atom's number; 0, which no property, type or message has, until the server has answered.
  subscript(_ name: AtomName) -> UInt32 { values[name] ?? 0 }

  func name(of atom: UInt32) -> AtomName? { names[atom] }

  mutating func set(_ name: AtomName, _ atom: UInt32) {
    guard atom != 0 else { return }
    values[name] = atom
    names[atom] = name
  }
}
