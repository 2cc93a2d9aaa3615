import DeskSupport
import SuiteSupport
import Testing

/// The first of three rows of tests that start a server, a window manager and programs: how scenes follow windows,
/// Beacon, session managers.
///
/// The rows run side by side, the tests of a row one after the other: they measure what happens within holds of some
/// hundred milliseconds, and share the machine's cores, but wait most of the time. Each row takes about as long as
/// the others.
@Suite("On a real desk", .serialized, .timeLimit(.minutes(30)))
enum RealDesk {}

/// The second row: demos, suspension, the watchdog, faults, the machine's events.
@Suite("On a second desk", .serialized, .timeLimit(.minutes(30)))
enum SecondDesk {}

/// The third row: bad input, endings, memory, snapshots, stored sessions and their restoration.
@Suite("On a third desk", .serialized, .timeLimit(.minutes(30)))
enum ThirdDesk {}

extension PrivateDesktop {
  /// Starts the demo and waits until all its windows are connected and settled.
  func startSceneLab(
    _ count: Int = 1, _ arguments: [String] = [], _ environment: [String: String] = [:]
  ) async throws -> Program {
    let program = try start(
      Program.besideTests("SceneLab"), ["--scenes", "\(count)"] + arguments, environment: environment)
    // A short quiet is enough here: tests that count edges settle once more.
    try await settle(program, quiet: .milliseconds(200), "\(count) scenes") {
      $0.count == count && $0.allSatisfy(\.exists)
    }
    return program
  }
}

extension Program {
  /// The windows of its two scenes.
  func twoWindows() throws -> (UInt32, UInt32) {
    let windows = try windows()
    try #require(windows.count == 2, "\(evidence)")
    return (windows[0], windows[1])
  }
}
