import Glibc
import Synchronization

/// A private X server with a window manager and a simulated user: the environment of a program.
///
/// Actions of the user are requested from the server and the window manager by the means of other programs, and are
/// complete when the window manager has performed them; wait for their effects with
/// ``waitUntil(_:limit:fileID:line:_:)`` or with the program's own
/// waits. Windows are named by their numbers on the server, as ``Program/windows()`` gives them.
///
/// The server and the window manager end with this object at the latest.
public final class Desk: Sendable {
  /// The X server of the desk.
  public let server: XServer
  /// The person's connection, with which the server is asked as well.
  package let client: XClient
  private let present: Mutex<RunningWindowManager>

  /// The window manager that runs now; ``WindowManager/none`` after it was killed.
  public var windowManager: WindowManager { present.withLock { $0.kind } }
  package var kind: WindowManager { windowManager }

  /// Starts a server on a free display, and a window manager that is ready when this returns.
  /// - Parameters:
  ///   - windowManager: The window manager.
  ///   - withoutExtensions: Extensions that the server lacks, by their names, such as `RANDR`.
  /// - Throws: ``DeskFailure`` where one of them does not start, with its output.
  public convenience init(_ windowManager: WindowManager = .none, withoutExtensions: [String] = []) async throws {
    let isHost = windowManager.displayFile != nil
    let server = try await isHost ? XServer(hostedBy: windowManager) : XServer(withoutExtensions: withoutExtensions)
    try await self.init(at: server, windowManager)
  }

  /// A user at a server; another one there starts no window manager.
  package init(at server: XServer, _ windowManager: WindowManager = .none) async throws {
    self.server = server
    present = Mutex(try await windowManager.start(on: server))
    client = try XClient(display: server.display)
  }

  // MARK: Programs

  /// Starts an executable on this desk, with a home folder of its own and a trace.
  ///
  /// The program is isolated from your own desktop: no session bus, no session manager, no configuration. It ends with
  /// the returned object at the latest.
  /// - Parameters:
  ///   - path: The executable, with a slash; without one it is searched for along `PATH`. ``Program/besideTests(_:)``
  ///     finds the products of your package.
  ///   - arguments: The arguments.
  ///   - environment: Variables that are added to the private environment, or replace variables of it.
  ///   - home: The home of an earlier run, for a launch with that run's stored sessions.
  /// - Returns: The running program.
  /// - Throws: ``DeskFailure`` where it cannot be started.
  public func start(
    _ path: String, _ arguments: [String] = [], environment: [String: String] = [:], home: TemporaryFolder? = nil
  ) throws -> Program {
    let program = try Program(path, arguments, display: server.display, environment: environment, home: home, on: self)
    ProgramKeeper.current?.add(program)
    return program
  }

  // MARK: The window manager

  /// Kills the window manager, with SIGKILL by default, and leaves the windows without one.
  ///
  /// Returns when it has ended.
  /// - Parameters:
  ///   - signal: The signal.
  ///   - fileID: Where the wait is, for the failure.
  ///   - line: Where the wait is, for the failure.
  /// - Throws: ``DeskFailure`` where it does not end.
  public func killWindowManager(_ signal: Int32 = 9, fileID: StaticString = #fileID, line: UInt = #line) async throws {
    try await present.withLock { $0 }.kill(signal)
    try await waitUntil("the window manager to be gone", fileID: fileID, line: line) { !client.windowManagerRuns }
    try await startWindowManager(.none)
  }

  /// Starts a window manager where none runs, and waits until it is ready.
  /// - Parameter kind: The window manager.
  /// - Throws: ``DeskFailure`` where one runs, and where this one is not ready in time.
  public func startWindowManager(_ kind: WindowManager) async throws {
    guard !client.windowManagerRuns else {
      throw DeskFailure("\(self.kind) runs; end it with killWindowManager() before \(kind) is started")
    }
    let next = try await kind.start(on: server)
    present.withLock { $0 = next }
  }

  /// Sends the window manager a signal that need not end it.
  package func signalWindowManager(_ signal: Int32) { present.withLock { $0 }.send(signal) }

  /// Ends the window manager and the server, also while other references to this object exist, and waits for their end.
  package func end() async {
    try? await present.withLock { $0 }.kill()
    try? await server.kill(SIGTERM)
  }

  // MARK: Waiting

  /// Waits for a condition, which is checked every few milliseconds.
  /// - Parameters:
  ///   - what: The name of the condition in the failure: "the note to be shown".
  ///   - limit: The time limit.
  ///   - fileID: Where the wait is, for the failure.
  ///   - line: Where the wait is, for the failure.
  ///   - condition: The condition.
  /// - Throws: ``DeskFailure`` at the limit, with the server's view of the windows and, in a test with the trait for
  ///   desks, the evidence of each program that it started; and errors of the condition.
  public func waitUntil(
    _ what: String, limit: Duration = .seconds(60), fileID: StaticString = #fileID, line: UInt = #line,
    _ condition: () throws -> Bool
  ) async throws {
    try await waitFor(what, limit: limit, evidence: { evidence }, fileID: fileID, line: line) {
      try condition() ? () : nil
    }
  }

  // MARK: The server's view

  /// The properties of a window now, as the server reports them.
  /// - Parameter window: The window.
  /// - Returns: The properties.
  public func truth(_ window: UInt32) -> WindowTruth { client.truth(window) }

  /// Where a window is on the screen, without its frame, in pixels; nil where there is no such window.
  /// - Parameter window: The window.
  /// - Returns: The rectangle.
  public func place(of window: UInt32) -> Place? { client.place(of: window) }

  /// The windows of all programs, the lowest first: those that the window manager manages, without its frames, also
  /// when they are minimised.
  public var windows: [UInt32] { client.programWindows }

  /// The title of a window (`_NET_WM_NAME`, or `WM_NAME`); nil where it has no title.
  /// - Parameter window: The window.
  /// - Returns: The title.
  public func title(of window: UInt32) -> String? { client.title(of: window) }

  /// The server's view of all windows, a line each, for people.
  public var view: String {
    let rows = windows.map { "\"\(title(of: $0) ?? "")\" \(place(of: $0).map { "\($0)" } ?? "") \(truth($0))" }
    return "--- the windows on \(server.display) under \(windowManager)\n" + (rows + ["---"]).joined(separator: "\n")
  }

  private var evidence: String {
    ([view] + (ProgramKeeper.current?.programs ?? []).map(\.evidence)).joined(separator: "\n")
  }

  /// Takes a picture of the whole screen.
  /// - Returns: The bytes of a PNG.
  /// - Throws: ``DeskFailure`` where the server does not give it.
  public func screenshot() throws -> [UInt8] {
    let (width, height) = (Int(client.width), Int(client.height))
    guard let pixels = client.pixels(of: client.root, x: 0, y: 0, width: width, height: height) else {
      throw DeskFailure("\(server.display) gives no picture of its screen: it has gone, or its depth is not 24")
    }
    return PNG.encode(pixels, width: width)
  }
}

/// Holds programs beyond the test that started them, for the evidence of a failure.
package final class ProgramKeeper: Sendable {
  @TaskLocal package static var current: ProgramKeeper?
  private let kept = Mutex<[Program]>([])

  package init() {}

  package var programs: [Program] { kept.withLock { $0 } }
  func add(_ program: Program) { kept.withLock { $0.append(program) } }

  /// Ends them all.
  package func end() {
    let programs = kept.withLock { programs in
      defer { programs = [] }
      return programs
    }
    for program in programs { program.send(SIGKILL) }
  }
}
