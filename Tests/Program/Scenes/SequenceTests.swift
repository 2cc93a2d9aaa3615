import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension FourthDesk {
  /// Nothing more and nothing less than what should be delivered.
  @Suite("Exact sequences", .enabled(if: Requirement.sceneLab))
  struct SequenceTests {
    @Test("Focus that moves between two scenes is nothing to the application", arguments: windowManagers)
    func focusBetweenScenes(_ kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      // Given two scenes, the first of them active; a busy window manager may leave a moment between two focuses
      let run = try await DeskScenario(kind, arguments: ["--patient"])
      defer { run.close() }
      let (desktop, program) = (run.desktop, run.program)
      try await desktop.settle(program) { $0.allSatisfy(\.isViewable) && $0.count == 1 }
      try await run.perform("new")
      try await desktop.settle(program) { $0.count == 2 && $0.allSatisfy(\.isViewable) }
      let (first, second) = try program.twoWindows()
      desktop.desk.focus(first)
      try await desktop.settle(program) { $0[0].expectedState == .foregroundActive }
      let count = try program.trace.lines().count
      // When the second gets the focus
      desktop.desk.focus(second)
      try await desktop.settle(program) { $0[1].expectedState == .foregroundActive }
      // Then the first resigns before the second becomes active, and that is all
      try await run.perform("outlast holds")
      #expect(try program.edges(since: count) == ["A sceneWillResignActive", "B sceneDidBecomeActive"])
      #expect(try program.applicationLines(since: count).isEmpty)
    }

    @Test("The launch of one scene goes step by step", arguments: windowManagers)
    func launch(_ kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      // A window manager that is slow may leave a moment between two focuses: it is within the hold.
      let run = try await DeskScenario(kind, arguments: ["--patient"])
      defer { run.close() }
      try await run.desktop.settle(run.program) { $0.count == 1 && $0[0].isViewable }
      run.desktop.desk.focus(try #require(try run.program.windows().first))
      try await run.desktop.settle(run.program) { $0[0].expectedState == .foregroundActive }
      let edges = try run.program.edges(since: 0)
      #expect(edges == ["A sceneWillConnect", "A sceneWillEnterForeground", "A sceneDidBecomeActive"])
    }

    @Test("Going full screen and back is not the background", arguments: [WindowManager.metacity, .xfwm4, .openbox])
    func reframing(_ kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      // Given an active scene, whose facts are held for longer than a busy machine takes to change a frame
      let run = try await DeskScenario(kind, arguments: ["--patient"])
      defer { run.close() }
      let (desktop, program) = (run.desktop, run.program)
      try await program.wait(for: "its scene") { $0.first { $0.to == "foregroundInactive" } }
      let window = try #require(try program.windows().first)
      desktop.desk.focus(window)
      try await desktop.settle(program) { $0[0].expectedState == .foregroundActive }
      let count = try program.trace.lines().count
      // When its window becomes full-screen and normal again, with a new frame each time under some managers
      for isFullScreen in [true, false] {
        desktop.desk.setFullScreen(window, isFullScreen)
        try await desktop.settle(program, "full screen \(isFullScreen)") {
          $0[0].netWMState.contains("_NET_WM_STATE_FULLSCREEN") == isFullScreen
            && $0[0].expectedState == .foregroundActive
        }
      }
      // Then nothing has happened to the scene when every hold that began meanwhile is over
      try await run.perform("outlast holds")
      let edges = try program.edges(since: count)
      #expect(edges == [], "\(text(of: program.trace.path))")
    }

    @Test(
      "A window manager that dies and another that comes hide nothing and connect nothing",
      arguments: windowManagers)
    func windowManagerDies(_ kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      let successor: WindowManager = kind == .openbox ? .xfwm4 : .openbox
      try Requirement.windowManager(successor)
      // Given two scenes
      let desktop = try await PrivateDesktop(kind)
      let program = try await desktop.startSceneLab(2)
      let (first, _) = try program.twoWindows()
      desktop.desk.focus(first)
      try await desktop.settle(program) { $0[0].expectedState == .foregroundActive }
      let count = try program.trace.lines().count
      // When the manager is killed
      try await desktop.killWindowManager(SIGKILL)
      // Then all settles without one: longer than the long hold of 1500 ms
      try await desktop.settle(program, quiet: .milliseconds(1800), "without a manager") {
        $0.allSatisfy { $0.expectedState > .background }
      }
      // And when another comes, then it settles again
      try await desktop.startWindowManager(successor)
      try await desktop.settle(program, quiet: .milliseconds(1800), "with \(successor)") {
        $0.allSatisfy { $0.expectedState > .background && $0.windowManagerRuns }
      }
      let edges = try program.edges(since: count)
      let forbidden = ["sceneDidEnterBackground", "sceneWillConnect", "sceneDidDisconnect", "sceneWillEnterForeground"]
      #expect(edges.filter { edge in forbidden.contains { edge.hasSuffix($0) } }.isEmpty)
    }

    @Test(
      "A tab in the back stays hidden when its workspace, or i3 itself, comes back",
      arguments: [DeskAction.switchDesktop, .cover, .restartManager])
    func tabs(_ action: DeskAction) async throws {
      try Requirement.windowManager(.i3Tabbed)
      // Given two tabs, the first in front
      let desktop = try await PrivateDesktop(.i3Tabbed)
      // One after the other: the trace has no window of a scene that was hidden before it was seen.
      let program = try await desktop.startSceneLab()
      try desktop.desk.key("n")
      try await desktop.settle(program, "two tabs") { $0.count == 2 && $0.allSatisfy(\.exists) }
      let (first, _) = try program.twoWindows()
      try await desktop.focus(first, program)
      // When all of them go and come, then one is hidden again
      try await desktop.act(action, program)
      try await desktop.settle(program, "one in the back") { truths in
        truths.count { $0.expectedState == .background } == 1
      }
      // And so is each in turn when the other one comes in front
      let windows = try program.windows()
      for front in [1, 0] {
        try await desktop.focus(windows[front], program)
        try await desktop.settle(program, "the other in the back") { $0[1 - front].expectedState == .background }
      }
    }

    @Test("An iconified scene survives its window manager", arguments: [WindowManager.openbox, .xfwm4, .mutter, .twm])
    func windowManagerDiesIconified(_ kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      let desktop = try await PrivateDesktop(kind)
      let program = try await desktop.startSceneLab(2)
      let (first, _) = try program.twoWindows()
      desktop.desk.iconify(first)
      try await desktop.settle(program, "iconified") { $0[0].expectedState == .background }
      // When its manager is killed, the server's save-set maps the window again
      try await desktop.killWindowManager(SIGKILL)
      try await desktop.settle(program, quiet: .milliseconds(1800), "without a manager") { $0[0].isViewable }
      let successor: WindowManager = kind == .openbox ? .xfwm4 : .openbox
      try await desktop.startWindowManager(successor)
      try await desktop.settle(program, quiet: .milliseconds(1800), "with \(successor)") {
        $0.allSatisfy(\.windowManagerRuns)
      }
      #expect(try !program.edges(since: 0).contains { $0.hasSuffix("sceneDidDisconnect") })
    }

    @Test(
      "A disconnected scene stays disconnected when its window manager dies and another comes",
      arguments: [WindowManager.openbox, .xfwm4, .mutter, .twm])
    func windowManagerDiesDisconnected(_ kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      let successor: WindowManager = kind == .openbox ? .xfwm4 : .openbox
      try Requirement.windowManager(successor)
      // Given one scene in use and one that was iconified and disconnected
      let run = try await DeskScenario(kind, arguments: [])
      defer { run.close() }
      let (desktop, program) = (run.desktop, run.program)
      try await desktop.settle(program, "the first") { $0.count == 1 }
      try await run.perform("new")
      try await desktop.settle(program, "the second") { $0.count == 2 && $0.allSatisfy(\.isViewable) }
      let (first, _) = try program.twoWindows()
      desktop.desk.iconify(first)
      try await desktop.settle(program, "iconified") { $0[0].expectedState == .background }
      try await run.perform("disconnect 1")
      try await desktop.settle(program, "disconnected") { $0.count == 1 }
      let count = try program.trace.lines().count
      // When its manager is killed, the server's save-set maps the bare window
      try await desktop.killWindowManager(SIGKILL)
      try await desktop.settle(program, quiet: .milliseconds(1800), "without a manager") { _ in
        desktop.desk.client.truth(first).isViewable
      }
      // And another comes, which finds the window iconic: openbox by `_NET_WM_STATE` alone, which twm does not write
      try await desktop.startWindowManager(successor)
      try await program.waitUntil("a settled manager") { lines in
        lines.dropFirst(count).contains { $0.name == "windowManager" && $0.to == "settled" }
      }
      let isShown = kind == .twm
      if isShown {
        try await program.waitUntil("the connection of the shown window") { lines in
          lines.dropFirst(count).contains { $0.name == "sceneWillConnect" }
        }
      }
      try await desktop.settle(program, quiet: .milliseconds(1800), "with \(successor)") {
        $0.allSatisfy(\.windowManagerRuns)
      }
      // Then only a window that is shown has connected, and nothing has gone to the background
      #expect((desktop.desk.client.truth(first).expectedState > .background) == isShown)
      let edges = try program.edges(since: count)
      let forbidden = ["sceneDidEnterBackground", "sceneDidDisconnect"] + (isShown ? [] : ["sceneWillConnect"])
      #expect(
        edges.filter { edge in forbidden.contains { edge.hasSuffix($0) } }.isEmpty,
        "\(edges) \(desktop.desk.client.truth(first))\n\(program.evidence)")
    }
  }
}
