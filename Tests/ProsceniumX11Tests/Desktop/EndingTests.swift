import DeskSupport
import Glibc
import Testing

extension RealDesk {
  /// However a program is ended from outside, its scenes go down in order.
  @Suite("Endings", .enabled(if: Requirement.sceneLab))
  struct EndingTests {
    @Test("A server that dies under two scenes", arguments: [SIGKILL, SIGTERM])
    func serverDies(_ signal: Int32) async throws {
      // Given an active scene and an inactive one
      let (desktop, program) = try await Self.twoScenes(.openbox)
      let count = try program.trace.lines().count
      // When the server goes
      try await desktop.server.kill(signal)
      // Then the program ends in order, says why, and its status tells
      guard case .exited(let status) = try await program.end(), status != 0 else {
        Issue.record("\(program.evidence)")
        return
      }
      #expect(!program.errors.isEmpty)
      try Self.expectOrder(program, since: count)
    }

    @Test(
      "Signals that ask a program to end", arguments: [(SIGTERM, 0), (SIGHUP, 0), (SIGINT, 130)] as [(Int32, Int32)])
    func signals(_ signal: Int32, _ status: Int32) async throws {
      let (_, program) = try await Self.twoScenes(.openbox)
      let count = try program.trace.lines().count
      program.send(signal)
      #expect(try await program.end() == .exited(status))
      try Self.expectOrder(program, since: count)
      #expect(try !program.applicationLines(since: count).contains("didDiscardSceneSessions"))
    }

    @Test("A second SIGINT is never too much")
    func secondInterrupt() async throws {
      let (_, program) = try await Self.twoScenes(.none)
      program.send(SIGINT)
      program.send(SIGINT)
      // The second finds the program on its way out (and ends it at once), or gone.
      let ending = try await program.end()
      #expect(ending == .signalled(SIGINT) || ending == .exited(130))
    }

    @Test("The quit key", arguments: [WindowManager.openbox, .none])
    func quitKey(_ kind: WindowManager) async throws {
      let (desktop, program) = try await Self.twoScenes(kind)
      let count = try program.trace.lines().count
      try desktop.desk.key("q")
      #expect(try await program.end() == .exited(0))
      try Self.expectOrder(program, since: count)
    }

    @Test("A program that quits by itself after a time")
    func quitAfter() async throws {
      let desktop = try await PrivateDesktop()
      let program = try await desktop.startSceneLab(1, ["--quit-after", "2"])
      #expect(try await program.end() == .exited(0))
      try Self.expectEnd(program)
    }

    @Test("Closing the last window ends the program, and discards", arguments: [WindowManager.openbox, .none])
    func lastWindow(_ kind: WindowManager) async throws {
      let desktop = try await PrivateDesktop(kind)
      let program = try await desktop.startSceneLab(1)
      desktop.desk.close(try #require(try program.windows().first))
      #expect(try await program.end() == .exited(0))
      let names = try program.trace.lines().filter { $0.kind == "edge" || $0.kind == "app" }.compactMap(\.name)
      let last = names.filter {
        ["sceneDidDisconnect", "didDiscardSceneSessions", "applicationWillTerminate"].contains($0)
      }
      #expect(last == ["sceneDidDisconnect", "didDiscardSceneSessions", "applicationWillTerminate"])
    }

    static func twoScenes(
      _ kind: WindowManager, _ arguments: [String] = []
    ) async throws -> (PrivateDesktop, Program) {
      let desktop = try await PrivateDesktop(kind)
      let program = try await desktop.startSceneLab(2, arguments)
      desktop.desk.focus(try AgreementTests.pair(program).0)
      try await desktop.settle(program) {
        $0[0].expectedState == .foregroundActive && $0[1].expectedState == .foregroundInactive
      }
      return (desktop, program)
    }

    /// Both scenes have gone down step by step, the active one first, before the application was told that it ends.
    static func expectOrder(_ program: Program, since count: Int) throws {
      let lines = try program.trace.lines()
      #expect(lines.violations == [])
      #expect(
        try program.edges(since: count) == [
          "A sceneWillResignActive", "A sceneDidEnterBackground", "B sceneDidEnterBackground", "A sceneDidDisconnect",
          "B sceneDidDisconnect",
        ], "\(program.evidence)")
      try expectEnd(program)
    }

    /// Every scene is down, and the application heard last that it ends.
    static func expectEnd(_ program: Program) throws {
      let lines = try program.trace.lines()
      #expect(lines.violations == [])
      #expect(lines.scenes.allSatisfy { $0.state == "unattached" }, "\(program.evidence)")
      let names = lines.filter { $0.kind == "edge" || $0.kind == "app" }.map(\.name)
      #expect(names.last == "applicationWillTerminate", "\(program.evidence)")
      #expect(names.count { $0 == "applicationWillTerminate" } == 1, "\(program.evidence)")
    }
  }
}
