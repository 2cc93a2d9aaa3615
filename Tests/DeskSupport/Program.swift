package import Glibc
import Synchronization

/// A program under test, with its trace, its output and a home of its own; it ends with this object.
package final class Program: Sendable {
  package let home: TemporaryFolder
  package let trace: TraceReader
  private let process: ChildProcess
  /// What must not end before the program: its server, and who is on it.
  private let surroundings: (any AnyObject & Sendable)?

  package var pid: pid_t { process.pid }
  package var output: String { text(of: process.outputPath) }
  package var errors: String { text(of: process.errorPath) }

  /// Starts an executable with a trace.
  ///
  /// Without a display, `DISPLAY` is left out. `environment` is added to the private environment, or replaces what is
  /// in it. A `home` that is used again has the sessions of the run before. What the program stands on lives as long as
  /// the program.
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
    variables.merge(environment) { $1 }
    process = try ChildProcess(
      [path] + arguments, environment: variables, output: folder.file("out-\(run)"), errors: folder.file("err-\(run)"))
    self.home = folder
    self.trace = TraceReader(path: trace)
  }

  package var ending: ChildProcess.Ending? { process.poll() }
  package func send(_ signal: Int32) { process.send(signal) }

  /// Waits for its end.
  package func end(limit: Duration = .seconds(20)) async throws -> ChildProcess.Ending {
    try await waitFor("the program's end", limit: limit, evidence: { evidence }) { process.poll() }
  }

  /// Waits for something in the trace.
  ///
  /// Fails at the limit, or when the program ends without it.
  @discardableResult
  package func wait<Value>(
    for what: String, limit: Duration = .seconds(20), evidence more: () -> String = { "" },
    _ condition: ([TraceLine]) throws -> Value?
  ) async throws -> Value {
    try await waitFor(what, limit: limit, evidence: { "\(evidence)\n\(more())" }) {
      // The ending first: lines written before it are still read after it.
      let ending = process.poll()
      if let value = try condition(try trace.lines()) { return value }
      if let ending { throw DeskFailure("the program ended (\(ending)) before \(what)\n\(evidence)") }
      return nil
    }
  }

  /// Everything that a failure should show.
  package var evidence: String {
    "--- trace\n\(text(of: trace.path))--- standard output\n\(output)--- standard error\n\(errors)---"
  }

  /// How often its threads went to sleep and were woken, or interrupted, since its start; and how many there are.
  package var contextSwitches: (voluntary: Int, threads: Int) {
    var voluntary = 0
    var threads = 0
    for task in names(inFolder: "/proc/\(pid)/task") where Int(task) != nil {
      threads += 1
      let lines = text(of: "/proc/\(pid)/task/\(task)/status").split(separator: "\n")
      let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }
      voluntary += line.flatMap { Int($0.split(separator: "\t").last ?? "") } ?? 0
    }
    return (voluntary, threads)
  }
}
