import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension RealDesk {
  /// After every action the trace agrees with what another client is told by the server.
  @Suite("The trace agrees with the server", .enabled(if: Requirement.sceneLab))
  struct AgreementTests {
    @Test("After each action under each window manager", arguments: windowManagers)
    func agreement(_ kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      // Given two scenes
      let desktop = try await PrivateDesktop(kind)
      let program = try await desktop.startSceneLab(2)
      let (first, _) = try program.twoWindows()
      // A manager that goes has tests of its own. The last action closes the first window.
      for action in DeskAction.allCases where action != .restartManager {
        // Given the first of them active
        try await desktop.focus(first, program)
        do {
          if kind.reasonAgainst(action) == nil {
            // When a person acts, then the trace follows, there and back
            try await desktop.act(action, program)
          } else {
            // What the window manager cannot do changes nothing, though it is asked
            try await desktop.askInVain(action, program)
          }
        } catch { throw DeskFailure("\(action.rawValue): \(error)", evidence: program.evidence) }
      }
      #expect(program.ending == nil)
    }

    @Test("A window that was an icon, and on which JWM leaves HIDDEN, is in the foreground under another one")
    func coveredAfterAnIcon() async throws {
      try Requirement.windowManager(.jwm)
      // Given a window that is shown again by its own program's map
      let desktop = try await PrivateDesktop(.jwm)
      let (desk, program) = (desktop.desk, try await desktop.startSceneLab())
      let window = try #require(try program.windows().first)
      desk.iconify(window)
      try await desktop.settle(program, "iconified") { $0[0].expectedState == .background }
      desk.client.map(window)
      try await desktop.settle(program, "shown") {
        $0[0].expectedState > .background && $0[0].netWMState.contains("_NET_WM_STATE_HIDDEN")
      }
      // When another client's window covers the screen
      let count = try program.trace.lines().count
      let cover = desk.cover()
      // Then it loses the focus, and nothing else
      try await desktop.settle(program, "covered") { truths in
        desk.client.truth(cover).isViewable && truths[0].expectedState == .foregroundInactive
      }
      #expect(try program.edges(since: count) == ["A sceneWillResignActive"])
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
  }
}
