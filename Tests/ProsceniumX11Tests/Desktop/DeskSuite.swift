import DeskSupport
import Glibc
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

/// What tests here need from the machine.
enum Requirement {
  static var server: Bool { mustNotSkip || XServer.isInstalled }
  static var sceneLab: Bool { server && (mustNotSkip || access(sceneLabPath, X_OK) == 0) }

  /// The demo lies beside the test bundle in the build folder.
  static var sceneLabPath: String { Program.besideTests("SceneLab") }

  /// Skips a test by name where its window manager is missing, unless nothing may be skipped.
  static func windowManager(_ kind: WindowManager) throws {
    if !kind.isInstalled, !mustNotSkip { try Test.cancel("\(kind) is not installed") }
  }
}

/// The window managers that every behaviour is tested under.
let windowManagers: [WindowManager] = [.openbox, .i3, .xfwm4, .mutter, .twm, .none]

extension WindowManager {
  /// Those that the tests' script installs.
  static let usual: [WindowManager] = [
    .openbox, .i3, .xfwm4, .mutter, .twm, .metacity, .none, .fluxbox, .icewm, .jwm, .awesome, .bspwm,
  ]
}

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
