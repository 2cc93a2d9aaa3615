/// The seam to the window system.
///
/// `X11Platform` in life, `HeadlessPlatform` in tests.
///
/// Commands go out through ``perform(_:)``, at any time on the main thread, and are sent with ``flush()``; events
/// come in through ``PlatformClient``, a batch at a time, only from within ``run()``.
@MainActor package protocol Platform: AnyObject {
  /// Who hears of events. Held weakly or not: the platform never outlives its client.
  var client: (any PlatformClient)? { get set }

  /// Opens the connection and says which screens there are. Called once, before anything else.
  func start(_ identity: ApplicationIdentity) throws(PlatformError) -> [ScreenDescription]

  /// A name for a window that is going to be created. No round trip.
  func makeWindowID() -> WindowID

  /// Takes one command; what it puts on the wire goes out with the next flush.
  func perform(_ command: PlatformCommand)

  /// Sends what has been taken since the last flush.
  func flush()

  /// Waits for and hands out events until a `quit` command; returns its status.
  func run() -> Int32

  /// The monotonic clock, in seconds.
  var now: Double { get }
}

/// Who hears of a platform's events.
@MainActor package protocol PlatformClient: AnyObject {
  /// All events of one drain of the connection. Never called from within itself.
  func handle(_ batch: [PlatformEvent])

  /// Called before each sleep and after each drain of the main queue: do what has been asked for since.
  func turn()
}

/// Who the program is, as far as the window system wants to know.
package struct ApplicationIdentity: Equatable, Sendable {
  /// The application's id: `WM_CLASS`' class part.
  package var id: String
  /// The program's file name: `WM_CLASS`' instance part.
  package var instance: String
  /// The command line: the window system's own options are not taken from it.
  package var arguments: [String]
  package init(id: String, instance: String, arguments: [String] = []) {
    self.id = id
    self.instance = instance
    self.arguments = arguments
  }
}

/// Why a platform cannot start.
package struct PlatformError: Error, Equatable, CustomStringConvertible {
  /// What happened, to what, and what to do.
  package var description: String
  package init(_ description: String) { self.description = description }
}
