package import ProsceniumLoop

/// The seam to the window system.
///
/// `X11Platform` in life, `HeadlessPlatform` in tests.
///
/// Commands go out through ``perform(_:)``, at any time on the main thread, and are sent with ``flush()``; events
/// come in through ``PlatformClient``, a batch at a time, only from within ``run()``.
@MainActor package protocol Platform: AnyObject, Sendable {
  /// Who hears of events. Held weakly or not: the platform never outlives its client.
  var client: (any PlatformClient)? { get set }

  /// Opens the connection and says which screens there are. Called once, before anything else.
  func start(_ identity: ApplicationIdentity) throws(PlatformError) -> [ScreenDescription]

  /// A name for a window that is going to be created. No round trip.
  func makeWindowID() -> WindowID

  /// Takes one command; what it puts on the wire goes out with the next flush.
  func perform(_ command: PlatformCommand)

  /// Draws into the window's surface and puts what was drawn on the screen.
  ///
  /// The body gets the memory and the parts to draw: the damage, or everything where the surface holds nothing yet or has
  /// another size. What lies outside the parts is what was drawn before. Does nothing, and answers false, where the
  /// window has no surface now: gone, bare, of no size, or no memory for it.
  func draw(_ window: WindowID, damage: Damage, _ body: (inout PixelBuffer, Damage) -> Void) -> Bool

  /// How many bytes the surface of a window takes, each once, whether it is ours, the server's, or shared.
  func footprint(of window: WindowID) -> Int
  /// Whether somebody may still see what a window showed last, though its scene is in the background.
  ///
  /// Compositing managers show the pixels of a window that stays mapped, in switchers and on other desktops.
  func keepsPixels(_ window: WindowID) -> Bool

  /// Takes one of the pasteboards for the program.
  ///
  /// The data is handed to other programs until another owner comes.
  func write(_ items: [PasteboardItem], to pasteboard: PasteboardName)

  /// Asks the owner of a pasteboard for the first of these types that it has.
  ///
  /// The answer comes later, on the main thread; nil where there is none, or the owner does not answer.
  func read(
    _ types: [String], from pasteboard: PasteboardName, _ completion: @escaping @MainActor (PasteboardItem?) -> Void)

  /// Asks the owner of a pasteboard for the MIME types of what it has.
  ///
  /// The answer comes later, on the main thread; empty where there is nothing, or the owner does not answer.
  func readTypes(of pasteboard: PasteboardName, _ completion: @escaping @MainActor ([String]) -> Void)

  /// An id for the start of whatever is opened now, with the time of what the user did last in the program.
  ///
  /// Nil where the user has not done anything yet, or nobody knows when.
  func makeStartupToken() -> String?

  /// Has the loop wait for a descriptor until it is no longer watched.
  func watch(_ source: LoopSource) -> LoopSourceID

  /// Has the loop forget a descriptor; nothing more is heard of it, also within the same turn.
  func unwatch(_ id: LoopSourceID)

  /// Makes the loop turn once, whatever it waits for; from any thread.
  nonisolated func wake()

  /// Sends what has been taken since the last flush.
  func flush()

  /// Waits for and hands out events until a `quit` command; returns its status.
  func run() -> Int32

  /// Whether somebody manages windows; known from ``start(_:)`` on.
  var hasWindowManager: Bool { get }

  /// Whether the window system still is there, asked now: its loss may not have been handed out yet.
  var isConnected: Bool { get }

  /// The monotonic clock, in seconds; on any thread.
  nonisolated var now: Double { get }
}

/// Who hears of a platform's events.
@MainActor package protocol PlatformClient: AnyObject {
  /// All events of one drain of the connection. Never called from within itself.
  func handle(_ batch: [PlatformEvent])

  /// Called before each sleep and after each drain of the main queue: do what has been asked for since.
  func turn()

  /// Whether there is something to do that nobody who waits for an answer should wait for.
  var hasIdleWork: Bool { get }

  /// Called where the loop would sleep and there is idle work: everything that came has been handled, what followed
  /// from it has been sent, and nothing new can be read.
  func performIdleWork()
}

/// Who the program is, as far as the window system wants to know.
package struct ApplicationIdentity: Equatable, Sendable {
  /// The application's id: `WM_CLASS`' class part.
  package var id: String
  /// The program's file name: `WM_CLASS`' instance part.
  package var instance: String
  /// The command line: the window system's own options are not taken from it.
  package var arguments: [String]
  /// Windows are going to be placed at once: `start` has to say which screens there are, with their names, at the price of
  /// more round trips where they are needed.
  package var needsScreens: Bool
  package init(id: String, instance: String, arguments: [String] = [], needsScreens: Bool = false) {
    self.id = id
    self.instance = instance
    self.arguments = arguments
    self.needsScreens = needsScreens
  }
}

/// Why a platform cannot start.
package struct PlatformError: Error, Equatable, CustomStringConvertible {
  /// What happened, to what, and what to do.
  package var description: String
  package init(_ description: String) { self.description = description }
}
