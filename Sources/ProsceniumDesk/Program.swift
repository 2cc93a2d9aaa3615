import FoundationEssentials
import Glibc
import Synchronization

/// A program under test, with its trace, its output and a home folder of its own; it ends with this object.
///
/// ``Desk/start(_:_:environment:home:)`` starts one.
public final class Program: Sendable {
  /// How a program ended.
  public enum Ending: Hashable, Sendable {
    /// By itself, with this status.
    case exited(Int32)
    /// By this signal.
    case signalled(Int32)
  }

  /// The home folder, removed with its last reference: given to another start, that run finds this one's stored
  /// sessions.
  public let home: TemporaryFolder
  package let trace: TraceReader
  private let process: ChildProcess
  /// What its threads did when its end took long.
  private let slowEnd = Mutex("")
  /// Objects that must outlive the program: its server and its window manager.
  private let surroundings: (any AnyObject & Sendable)?

  /// Its number among the system's processes.
  public var pid: Int32 { process.pid }
  /// The standard output so far.
  public var output: String { text(of: process.outputPath) }
  /// The standard error so far.
  public var errors: String { text(of: process.errorPath) }

  /// Starts an executable with a trace.
  ///
  /// Without a display, `DISPLAY` is left out. `environment` is added to the private environment, or replaces variables
  /// of it. A `home` that is used again has the sessions of the earlier run. The surroundings live as long as the
  /// program.
  package init(
    _ path: String, _ arguments: [String] = [], display: String?, environment: [String: String] = [:],
    home: TemporaryFolder? = nil, on surroundings: (any AnyObject & Sendable)? = nil
  ) throws {
    self.surroundings = surroundings
    let folder = try home ?? TemporaryFolder()
    // A second run in the same home gets files of its own.
    var run = 1
    while access(folder.file("trace-\(run)"), F_OK) == 0 { run += 1 }
    let trace = try folder.write("trace-\(run)", "")
    var variables = try privateEnvironment(home: folder, display: display)
    variables["PROSCENIUM_TRACE"] = trace
    // Where it is sought, too. Other toolkits start a bus of their own where none is named, which outlives them.
    variables["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(folder.file("runtime"))/bus"
    variables.merge(environment) { $1 }
    process = try ChildProcess(
      [path] + arguments, environment: variables, output: folder.file("out-\(run)"), errors: folder.file("err-\(run)"))
    self.home = folder
    self.trace = TraceReader(path: trace)
  }

  /// The path of an executable beside the running tests: the place of a package's products in SwiftPM.
  ///
  /// The test target has to depend on the executable's target, or it may not have been built.
  /// - Parameter name: The name of the executable.
  /// - Returns: The path.
  public static func besideTests(_ name: String) -> String {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/" + name
  }

  // MARK: Output

  /// All whole lines of its trace so far.
  ///
  /// Only programs that use Proscenium write one.
  /// - Returns: The lines.
  /// - Throws: ``DeskFailure`` where a line is none of a trace.
  public func lines() throws -> [TraceLine] { try trace.lines() }

  /// Its scenes, also those that are disconnected by now.
  /// - Returns: The scenes in the order of their first connection.
  /// - Throws: ``DeskFailure`` where a line is none of a trace.
  public func scenes() throws -> [TracedScene] { try lines().scenes }

  /// The windows of its connected scenes.
  /// - Returns: The ids, that of the oldest window first.
  /// - Throws: ``DeskFailure`` where a line is none of a trace.
  public func windows() throws -> [UInt32] { try scenes().filter { $0.state != "unattached" }.compactMap(\.window) }

  /// The evidence of a failure: the tail of the trace, the program's output, and the server's view of its scenes.
  public var evidence: String {
    let all = text(of: trace.path).split(separator: "\n", omittingEmptySubsequences: true)
    let left = all.count > 400 ? "... \(all.count - 400) lines before\n" : ""
    let tail = all.suffix(400).map { $0 + "\n" }.joined()
    let view = (surroundings as? Desk).map { "\n" + $0.view(of: self) } ?? ""
    return "--- trace\n\(left)\(tail)--- standard output\n\(output)--- standard error\n\(errors)---\(view)"
      + slowEnd.withLock { $0 }
  }

  /// What each of its threads waits for, as far as the kernel tells (proc(5)).
  private var threads: String {
    let folder = "/proc/\(pid)/task"
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return tasks.sorted().map { task in
      let files = ["comm", "wchan", "syscall", "stack"]
      return "\n--- thread \(task)" + files.map { "\n\($0): " + text(of: "\(folder)/\(task)/\($0)") }.joined()
    }.joined()
  }

  // MARK: Its end

  /// How it ended; nil while it runs.
  public var ending: Ending? { process.poll() }

  /// Sends it a signal: SIGTERM has it end in order, SIGKILL is how a process dies.
  /// - Parameter signal: The signal.
  public func send(_ signal: Int32) { process.send(signal) }

  /// Waits for its end; what its threads do when that takes more than five seconds becomes part of the ``evidence``.
  /// - Parameters:
  ///   - limit: How long at most.
  ///   - fileID: Where the wait is, for the failure.
  ///   - line: Where the wait is, for the failure.
  /// - Returns: How it ended.
  /// - Throws: ``DeskFailure`` at the limit, with the ``evidence``.
  public func end(
    limit: Duration = .seconds(60), fileID: StaticString = #fileID, line: UInt = #line
  ) async throws -> Ending {
    let start = ContinuousClock.now
    return try await waitFor("the program's end", limit: limit, evidence: { evidence }, fileID: fileID, line: line) {
      let ending = process.poll()
      if ending == nil, ContinuousClock.now - start > .seconds(5) {
        slowEnd.withLock { if $0.isEmpty { $0 = "\n--- its threads after 5 s" + threads } }
      }
      return ending
    }
  }

  // MARK: Waiting

  /// Waits for something in the trace.
  ///
  /// Fails at the limit, or when the program ends without it.
  @discardableResult
  package func wait<Value>(
    for what: String, limit: Duration = .seconds(60), evidence more: () -> String = { "" },
    fileID: StaticString = #fileID, line: UInt = #line, _ condition: ([TraceLine]) throws -> Value?
  ) async throws -> Value {
    try await waitFor(what, limit: limit, evidence: { "\(evidence)\n\(more())" }, fileID: fileID, line: line) {
      // The ending first: lines written before it are still read after it.
      let ending = process.poll()
      if let value = try condition(try trace.lines()) { return value }
      if let ending {
        throw DeskFailure(
          "the program ended (\(ending)) before \(what)", evidence: evidence, location: "\(fileID):\(line)")
      }
      return nil
    }
  }

  /// Waits for a condition on the trace, which is checked every few milliseconds.
  /// - Parameters:
  ///   - what: The name of the condition in the failure: "the second scene".
  ///   - limit: The time limit.
  ///   - fileID: Where the wait is, for the failure.
  ///   - line: Where the wait is, for the failure.
  ///   - condition: The condition on all lines so far.
  /// - Throws: ``DeskFailure`` at the limit, or when the program ends before, with the ``evidence``.
  public func waitUntil(
    _ what: String, limit: Duration = .seconds(60), fileID: StaticString = #fileID, line: UInt = #line,
    _ condition: ([TraceLine]) throws -> Bool
  ) async throws {
    try await wait(for: what, limit: limit, fileID: fileID, line: line) { try condition($0) ? () : nil }
  }

  /// Waits until a scene is in a state, by the program's trace.
  /// - Parameters:
  ///   - scene: Which one, in the order of their first connection; the first is 0.
  ///   - state: The state.
  ///   - limit: The time limit.
  ///   - fileID: Where the wait is, for the failure.
  ///   - line: Where the wait is, for the failure.
  /// - Returns: The scene's entry then, with its window.
  /// - Throws: ``DeskFailure`` at the limit, or when the program ends before, with the ``evidence``.
  @discardableResult
  public func waitForScene(
    _ scene: Int = 0, toBe state: WindowTruth.State, limit: Duration = .seconds(60),
    fileID: StaticString = #fileID, line: UInt = #line
  ) async throws -> TracedScene {
    try await wait(for: "scene \(scene) to be \(state.rawValue)", limit: limit, fileID: fileID, line: line) { lines in
      let scenes = lines.scenes
      return scenes.indices.contains(scene) && scenes[scene].state == state.rawValue ? scenes[scene] : nil
    }
  }
}
