import Glibc
package import ProsceniumLoop

/// The seam to the window system.
///
/// `X11Platform` in life, `HeadlessPlatform` in tests.
///
/// Commands go out through ``perform(_:)``, at any time on the main thread, and are sent with ``flush()``; events
/// come in through ``PlatformClient``, a batch at a time, only from within ``run()``.
@MainActor package protocol Platform: AnyObject, Sendable {
  /// The receiver of events, which lives as long as the platform runs.
  var client: (any PlatformClient)? { get set }

  /// Opens the connection and returns the screens. Called once, before anything else.
  func start(_ identity: ApplicationIdentity) throws(PlatformError) -> [ScreenDescription]

  /// A name for a window that is going to be created. No round trip.
  func makeWindowID() -> WindowID

  /// Performs one command; its requests are sent with the next flush.
  func perform(_ command: PlatformCommand)

  /// Draws into the window's surface and presents the result.
  ///
  /// The body receives the memory and the parts to draw: the damage, or everything where the surface is empty or has
  /// another size. Pixels outside the parts are those drawn before. Does nothing, and returns false, where the window
  /// has no surface: it is gone, bare, of no size, or memory is exhausted. Where the window system still reads the
  /// surface, too; another frame comes when it does not any more.
  func draw(_ window: WindowID, damage: Damage, _ body: (inout PixelBuffer, Damage) -> Void) -> Bool

  /// The memory of a window's surface in bytes, each byte once, whether it is ours, the server's, or shared.
  func footprint(of window: WindowID) -> Int
  /// Whether the last pixels of a window may still be visible while its scene is in the background.
  ///
  /// Compositing managers show the pixels of a window that stays mapped, in switchers and on other workspaces.
  func keepsPixels(_ window: WindowID) -> Bool

  /// Makes the program the owner of one of the pasteboards.
  ///
  /// The data is sent to other programs until another owner comes.
  func write(_ items: [PasteboardItem], to pasteboard: PasteboardName)

  /// Requests the data of a pasteboard from its owner, in the first of these types that it has.
  ///
  /// The answer comes later, on the main thread; nil where there is none, or the owner does not answer.
  func read(
    _ types: [String], from pasteboard: PasteboardName, _ completion: @escaping @MainActor (PasteboardItem?) -> Void)

  /// Requests the MIME types of a pasteboard's data from its owner.
  ///
  /// The answer comes later, on the main thread; empty where there is no data, or the owner does not answer.
  func readTypes(of pasteboard: PasteboardName, _ completion: @escaping @MainActor ([String]) -> Void)

  /// Begins to drag items, while the first button is down in a window.
  ///
  /// The pointer is the drag's until the button is up or ``PlatformCommand/cancelDrag``; ``PlatformEvent/drag(_:)`` has
  /// its end, which always comes. One drag at a time: another one ends at once.
  func beginDrag(_ offer: DragOffer, from window: WindowID)

  /// Makes a startup notification id for content that is opened now, with the time of the user's last action.
  ///
  /// Nil where the user has not acted yet, or the time is unknown.
  func makeStartupToken() -> String?

  /// Watches a descriptor in the loop until ``unwatch(_:)``.
  func watch(_ source: LoopSource) -> LoopSourceID

  /// Removes a descriptor from the loop; it causes no further calls, also within the same turn.
  func unwatch(_ id: LoopSourceID)

  /// Makes the loop turn once; from any thread.
  nonisolated func wake()

  /// Sends the commands since the last flush.
  func flush()

  /// Waits for events and delivers them until a `quit` command; returns its status.
  func run() -> Int32

  /// Lets another library's loop wait in ``run()``, so that its sources run too.
  func wait(in outer: any OuterLoop) throws

  /// Begins to turn in another library's loop, in place of ``run()``, with ``runTurn()``.
  /// - Parameter drainsMainQueue: Whether the turns run libdispatch's main queue.
  /// - Returns: A descriptor, which is readable while a turn is due.
  /// - Throws: The error of the kernel, which has no descriptors left.
  func attach(drainsMainQueue: Bool) throws(Errno) -> Int32

  /// Delivers what has come, without waiting; returns the status of a `quit` command.
  func runTurn() -> Int32?

  /// When a turn is due at the latest, as a moment of ``now``; zero for now, nil for never.
  var nextTurn: Duration? { get }

  /// Makes a turn due in another library's loop: something has been asked for outside of a turn.
  func requestTurn()

  /// Whether a window manager runs; known from ``start(_:)`` on.
  var hasWindowManager: Bool { get }

  /// Whether the window system is connected, checked now: its loss may not have been delivered yet.
  var isConnected: Bool { get }

  /// The monotonic clock, in seconds; on any thread.
  nonisolated var now: Double { get }
}

/// A platform without an event loop of its own turns in no other.
extension Platform {
  package func wait(in outer: any OuterLoop) throws { throw Errno(ENOTSUP) }
  package func attach(drainsMainQueue: Bool) throws(Errno) -> Int32 { throw Errno(ENOTSUP) }
  package func runTurn() -> Int32? { nil }
  package var nextTurn: Duration? { nil }
  package func requestTurn() {}
}

/// The receiver of a platform's events.
@MainActor package protocol PlatformClient: AnyObject {
  /// All events of one drain of the connection. Never called from within itself.
  func handle(_ batch: [PlatformEvent])

  /// Called before each sleep and after each drain of the main queue: performs the requests since.
  func turn()

  /// Runs the blocks that wait in libdispatch's main queue, which are the program's.
  /// - Parameter run: Runs them.
  func runMainQueue(_ run: () -> Void)

  /// Whether work waits that is less urgent than any answer to another program.
  var hasIdleWork: Bool { get }

  /// Called where the loop would sleep and there is idle work: all events have been handled, the resulting requests
  /// have been sent, and nothing new can be read.
  func performIdleWork()
}

extension PlatformClient {
  package func runMainQueue(_ run: () -> Void) { run() }
}

/// The identity of the program for the window system.
package struct ApplicationIdentity: Equatable, Sendable {
  /// The application's id: `WM_CLASS`' class part.
  package var id: String
  /// The program's file name: `WM_CLASS`' instance part.
  package var instance: String
  /// The command line: the window system's own options are not taken from it.
  package var arguments: [String]
  /// Windows are about to be placed: `start` has to return the screens with their names, which costs more round trips
  /// on some servers.
  package var needsScreens: Bool
  package init(id: String, instance: String, arguments: [String] = [], needsScreens: Bool = false) {
    self.id = id
    self.instance = instance
    self.arguments = arguments
    self.needsScreens = needsScreens
  }
}

/// The error of a platform that cannot start.
package struct PlatformError: Error, Equatable, CustomStringConvertible {
  /// The error, its object, and the remedy.
  package var description: String
  package init(_ description: String) { self.description = description }
}
