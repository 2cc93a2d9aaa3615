import DeskSupport
import SuiteSupport
import Testing

/// The first of four rows of tests that start a server, a window manager and programs: how scenes follow windows,
/// Beacon, session managers, an ill disk.
///
/// The rows run side by side, the tests of a row one after the other: they measure what happens within holds of some
/// hundred milliseconds, and share the machine's cores, but wait most of the time. Each row takes about as long as
/// the others.
@Suite("On a real desk", .serialized, .timeLimit(.minutes(30)))
enum RealDesk {}

/// The second row: demos, suspension, faults, the machine's events.
@Suite("On a second desk", .serialized, .timeLimit(.minutes(30)))
enum SecondDesk {}

/// The third row: endings, memory, snapshots, stored sessions and their restoration.
@Suite("On a third desk", .serialized, .timeLimit(.minutes(30)))
enum ThirdDesk {}

/// The fourth row: exact sequences, a thousand rounds, the watchdog, bad input.
@Suite("On a fourth desk", .serialized, .timeLimit(.minutes(30)))
enum FourthDesk {}

/// What tests build with other tools, once for all of them.
actor Builds {
  static let shared = Builds()
  private var builds: [String: Task<String, any Error>] = [:]

  func once(_ name: String, _ build: @escaping @Sendable () async throws -> String) async throws -> String {
    let task = builds[name] ?? Task(operation: build)
    builds[name] = task
    return try await task.value
  }
}

extension PrivateDesktop {
  /// Starts the demo and waits until all its windows are connected and settled.
  func startSceneLab(
    _ count: Int = 1, _ arguments: [String] = [], _ environment: [String: String] = [:]
  ) async throws -> Program {
    let program = try start(
      Program.besideTests("SceneLab"), ["--scenes", "\(count)"] + arguments, environment: environment)
    // A short quiet is enough here: tests that count edges settle once more.
    try await settle(program, quiet: .milliseconds(200), "\(count) scenes") {
      $0.count == count && $0.allSatisfy(\.exists) && $0.contains { $0.expectedState > .background }
    }
    return program
  }
}

extension Program {
  /// The events of documents in its trace.
  func documentEvents() throws -> [String] {
    try trace.lines().filter { $0.name == "document" }.compactMap { line in
      line.text.split(separator: "\"event\":\"").dropFirst().first.map { String($0.prefix { $0 != "\"" }) }
    }
  }

  /// Waits until it has read so many documents: before, a text takes no keys and does not scroll, and may be seen while
  /// another program's change is still to come.
  func opens(documents count: Int) async throws {
    try await wait(for: "\(count) documents to be open") { _ in
      try documentEvents().count { $0 == "opened" } >= count ? () : nil
    }
  }

  /// The windows of its two scenes.
  func twoWindows() throws -> (UInt32, UInt32) {
    let windows = try windows()
    try #require(windows.count == 2, "\(evidence)")
    return (windows[0], windows[1])
  }
}
