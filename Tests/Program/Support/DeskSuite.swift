import DeskSupport
import SuiteSupport
import Testing

/// What starts servers and window managers of its own: how scenes follow windows.
///
/// One after the other: the tests measure what happens within holds of some hundred milliseconds, and share the machine's
/// cores. Most of the time they wait, so there is a second row of them.
@Suite("On a real desk", .serialized, .timeLimit(.minutes(10)))
enum RealDesk {}

/// The second row, beside the first: the demos, sessions, suspension, faults, and what the machine tells.
@Suite("On a second desk", .serialized, .timeLimit(.minutes(10)))
enum SecondDesk {}

extension PrivateDesktop {
  /// Starts the demo and waits until all its windows are connected and settled.
  func startSceneLab(
    _ count: Int = 1, _ arguments: [String] = [], _ environment: [String: String] = [:]
  ) async throws -> Program {
    let program = try start(
      Requirement.sceneLabPath, ["--scenes", "\(count)"] + arguments, environment: environment)
    // A short quiet is enough here: whoever counts edges settles once more.
    try await settle(program, quiet: .milliseconds(200), "\(count) scenes") {
      $0.count == count && $0.allSatisfy(\.exists)
    }
    return program
  }
}
