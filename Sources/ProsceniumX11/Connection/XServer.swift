import CXCB
import ProsceniumPlatform

/// The X server as all components use it: the connection, and the values that most requests need.
@MainActor final class XServer {
  let connection: Connection
  /// The client leader (ICCCM 5.1): never mapped; session managers find the program by it, and a change of one of its
  /// properties reports the server's time.
  let leader: UInt32
  let properties: PropertyReader
  let time = ServerTime()
  private(set) var extensions: Extensions
  private(set) var atoms = Atoms()
  /// Whether the connection is lost and everything that was read has been handled: nothing is sent any more.
  private(set) var isLost = false
  private var asked: Set<AtomName> = []

  /// Connects: one round trip.
  init(display: String?) throws(PlatformError) {
    connection = try Connection(display: display)
    extensions = Extensions(connection)
    properties = PropertyReader(connection)
    leader = connection.makeID()
  }

  var root: UInt32 { connection.screen.root }

  /// Asks for atoms and extensions, and whether the root is managed: one more round trip.
  /// - Returns: Whether a window manager runs.
  func setUp(_ atoms: [AtomName]) throws(PlatformError) -> Bool {
    intern(atoms)
    extensions.prefetch(ExtensionName.atStart)
    var isManaged = false
    connection.windowAttributes(root) { isManaged = $0?.isManaged ?? false }
    connection.awaitAll()
    guard !connection.isLost else { throw PlatformError(connection.lossReason) }
    extensions.load(ExtensionName.atStart)
    connection.decoder = EventDecoder(
      firstRandREvent: extensions.firstEvent(.randr), firstFixesEvent: extensions.firstEvent(.fixes),
      firstScreenSaverEvent: extensions.firstEvent(.screenSaver), inputOpcode: extensions.majorOpcode(.input))
    return isManaged
  }

  /// Interns atoms that are not known yet.
  /// - Parameters:
  ///   - names: The atoms.
  ///   - handler: Called once they are known.
  func intern(_ names: [AtomName], _ handler: (@MainActor () -> Void)? = nil) {
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

  /// Asks for the extensions of surfaces.
  /// - Parameter handler: Called once the answer is known.
  func loadSurfaceExtensions(_ handler: @escaping @MainActor () -> Void) {
    extensions.prefetch(ExtensionName.forSurfaces)
    connection.whenDone { [weak self] in
      guard let self else { return }
      extensions.load(ExtensionName.forSurfaces)
      connection.decoder.firstShmEvent = extensions.firstEvent(.shm)
      connection.decoder.presentOpcode = extensions.majorOpcode(.present)
      handler()
    }
  }

  func selectRootEvents(properties isWanted: Bool) {
    let properties = isWanted ? XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue : 0
    connection.changeAttributes(root, .init(eventMask: properties | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue))
  }

  /// Records the loss of the connection, once everything that was read has been handled.
  func lose() {
    isLost = true
    time.abandon()
  }
}
