import DeskSupport
import FoundationEssentials
import Glibc
import Testing

/// Everything that starts servers and window managers of its own.
///
/// One after the other: the tests measure what
/// happens within holds of some hundred milliseconds, and share the machine's cores.
@Suite("On a real desk", .serialized, .timeLimit(.minutes(10)))
enum RealDesk {}

/// What tests here need from the machine.
enum Requirement {
  static var server: Bool { mustNotSkip || XServer.isInstalled }
  static var sceneLab: Bool { server && (mustNotSkip || access(sceneLabPath, X_OK) == 0) }

  /// The demo lies beside the test bundle in the build folder.
  static var sceneLabPath: String {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/SceneLab"
  }

  /// Skips a test by name where its window manager is missing, unless nothing may be skipped.
  static func windowManager(_ kind: WindowManager) throws {
    if !kind.isInstalled, !mustNotSkip { try Test.cancel("\(kind) is not installed") }
  }
}

/// The window managers that every behaviour is tested under.
let windowManagers: [WindowManager] = [.openbox, .i3, .xfwm4, .mutter, .twm, .none]

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

extension Program {
  /// The edges since a moment, each as "A sceneWillResignActive".
  ///
  /// The scenes are named A, B and so on by age.
  func edges(since count: Int) throws -> [String] {
    let lines = try trace.lines()
    let names = lines.scenes.map(\.identifier)
    return lines.dropFirst(count).filter { $0.kind == "edge" }.map { line in
      let index = names.firstIndex { $0 == line.scene } ?? 25
      return "\(Character(UnicodeScalar(UInt8(65 + min(index, 25))))) \(line.name ?? "")"
    }
  }

  /// The application-level lines since a moment.
  func applicationLines(since count: Int) throws -> [String] {
    try trace.lines().dropFirst(count).filter { $0.kind == "app" }.map { $0.name ?? "" }
  }

  /// The windows of the connected scenes, oldest first.
  func windows() throws -> [UInt32] {
    try trace.lines().scenes.filter { $0.state != "unattached" }.compactMap(\.window)
  }
}
