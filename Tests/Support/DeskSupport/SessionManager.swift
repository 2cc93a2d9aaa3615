import Glibc

/// A session manager of the test's own, which does what it is told; it ends with this object.
package final class SessionManager: Sendable {
  /// What clients put in `SESSION_MANAGER`.
  package let address: String
  private let process: ChildProcess
  private let folder: TemporaryFolder
  private let commands: Int32

  /// Starts the program at a path, and waits until it listens.
  package init(_ path: String, _ options: [String] = []) async throws {
    let folder = try TemporaryFolder()
    let pipe = folder.file("commands")
    guard mkfifo(pipe, 0o600) == 0 else { throw DeskFailure("no pipe for commands") }
    commands = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    let process = try ChildProcess(
      [path, pipe] + options, environment: try privateEnvironment(home: folder, display: nil),
      output: folder.file("out"), errors: folder.file("err"))
    self.process = process
    self.folder = folder
    address = try await waitFor("the session manager", evidence: { text(of: process.errorPath) }) {
      let line = text(of: process.outputPath).split(separator: "\n").first { $0.hasPrefix("listening ") }
      return line.map { String($0.dropFirst("listening ".count)) }
    }
  }

  deinit { close(commands) }

  /// What it has heard, a line each.
  package var lines: [String] {
    text(of: process.outputPath).split(separator: "\n").map(String.init).filter { !$0.hasPrefix("listening ") }
  }

  /// What it has heard of the conversation itself: no properties, and nothing that it did by itself.
  package var heard: [String] {
    lines.filter { !$0.hasPrefix("propert") && !$0.hasPrefix("done ") && !$0.hasPrefix("regist") }
  }

  /// The value of a property, as it was set last.
  package func property(_ name: String) -> String? {
    lines.last { $0.hasPrefix("property \(name) ") }.map { String($0.dropFirst("property \(name) ".count)) }
  }

  /// The id of the client that registered last.
  package var clientID: String? {
    lines.last { $0.hasPrefix("registered ") }.map { String($0.dropFirst("registered ".count)) }
  }

  package func tell(_ command: String) {
    let line = command + "\n"
    _ = line.withCString { write(commands, $0, strlen($0)) }
  }

  package func send(_ signal: Int32) { process.send(signal) }

  /// Waits until it has heard a line so many times.
  package func wait(for line: String, times: Int = 1, evidence: () -> String = { "" }) async throws {
    try await waitUntil(
      "the session manager to hear \(line)", evidence: { "\(lines.joined(separator: "\n"))\n\(evidence())" }
    ) { lines.count { $0 == line || $0.hasPrefix(line + " ") } >= times }
  }
}
