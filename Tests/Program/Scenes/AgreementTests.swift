import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension RealDesk {
  /// After every action the trace agrees with what another client is told by the server.
  @Suite("The trace agrees with the server", .enabled(if: Requirement.sceneLab))
  struct AgreementTests {
    static let cases = all { kind, action in kind.reasonAgainst(action) == nil }
    static let refusals = all { kind, action in kind.reasonAgainst(action) != nil }

    /// A manager that goes has tests of its own.
    private static func all(_ isIncluded: (WindowManager, DeskAction) -> Bool) -> [Case] {
      windowManagers.flatMap { kind in
        DeskAction.allCases.filter { $0 != .restartManager && isIncluded(kind, $0) }.map {
          Case(kind: kind, action: $0)
        }
      }
    }

    struct Case: Sendable, CustomTestStringConvertible {
      var kind: WindowManager
      var action: DeskAction
      var testDescription: String { "\(kind): \(action.rawValue)" }
    }

    @Test("After each action under each window manager", arguments: cases)
    func agreement(_ test: Case) async throws {
      try Requirement.windowManager(test.kind)
      // Given two scenes, the first of them active
      let desktop = try await PrivateDesktop(test.kind)
      let program = try await desktop.startSceneLab(2)
      let (first, _) = try program.twoWindows()
      try await desktop.focus(first, program)
      // When a person acts, then the trace follows, there and back
      try await desktop.act(test.action, program)
      #expect(program.ending == nil)
    }

    @Test(
      "Windows that have come back over the desktop stay in the foreground when another one has the focus",
      arguments: [WindowManager.icewm, .jwm, .xfwm4, .metacity])
    func overDesktop(_ kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      // Given three scenes, and the desktop
      let desktop = try await PrivateDesktop(kind)
      let program = try await desktop.startSceneLab(3)
      desktop.desk.showDesktop(true)
      try await desktop.settle(program, "on") { $0.allSatisfy { $0.expectedState == .background } }
      // When one is activated, and opens another
      let first = try #require(try program.windows().first)
      try await desktop.focus(first, program)
      try desktop.desk.key("n")
      // Then the one is in plain sight, and in the foreground
      try await desktop.settle(program, "a fourth") {
        $0.count == 4 && $0[0].expectedState == .foregroundInactive && $0[3].expectedState == .foregroundActive
      }
    }

    @Test("What a window manager cannot do changes nothing", arguments: refusals)
    func refusal(_ test: Case) async throws {
      try Requirement.windowManager(test.kind)
      let desktop = try await PrivateDesktop(test.kind)
      let program = try await desktop.startSceneLab(2)
      let (first, _) = try program.twoWindows()
      try await desktop.focus(first, program)
      // When it is asked all the same, then the reason holds: nothing changes
      try await desktop.askInVain(test.action, program)
    }
  }
}
