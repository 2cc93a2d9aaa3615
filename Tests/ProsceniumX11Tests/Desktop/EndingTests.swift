import DeskSupport
import Glibc
import Testing

extension DesktopTests {
  /// However a program is ended from outside, its scenes go down in order.
  @Suite("Endings", .enabled(if: Requirement.sceneLab))
  struct EndingTests {
    @Test("A server that dies under two scenes", arguments: [SIGKILL, SIGTERM])
    func serverDies(_ signal: Int32) async throws {
      // Given an active scene and an inactive one
      let (stage, program) = try await Self.twoScenes(.openbox)
      let count = try program.trace.lines().count
      // When the server goes
      try await stage.server.kill(signal)
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
      let (stage, program) = try await Self.twoScenes(kind)
      let count = try program.trace.lines().count
      try stage.desk.key("q")
      #expect(try await program.end() == .exited(0))
      try Self.expectOrder(program, since: count)
    }

    @Test("A program that quits by itself after a time")
    func quitAfter() async throws {
      let stage = try await Stage()
      let program = try await stage.startSceneLab(1, ["--quit-after", "2"])
      #expect(try await program.end() == .exited(0))
      try Self.expectOrder(program, since: 0)
    }

    @Test("Closing the last window ends the program, and discards", arguments: [WindowManager.openbox, .none])
    func lastWindow(_ kind: WindowManager) async throws {
      let stage = try await Stage(kind)
      let program = try await stage.startSceneLab(1)
      stage.desk.close(try #require(try program.windows().first))
      #expect(try await program.end() == .exited(0))
      let names = try program.trace.lines().filter { $0.kind == "edge" || $0.kind == "app" }.compactMap(\.name)
      let last = names.filter {
        ["sceneDidDisconnect", "didDiscardSceneSessions", "applicationWillTerminate"].contains($0)
      }
      #expect(last == ["sceneDidDisconnect", "didDiscardSceneSessions", "applicationWillTerminate"])
    }

    @Test("Sessions survive SIGTERM and SIGKILL, and come back", arguments: [SIGTERM, SIGKILL])
    func restoration(_ signal: Int32) async throws {
      // Given two scenes that have been saved by going to the background once
      let (stage, program) = try await Self.twoScenes(.openbox)
      let before = Set(try program.trace.lines().scenes.map(\.identifier))
      try await stage.desk.switchDesktop(1)
      try await stage.settle(program, "saved") { $0.allSatisfy { $0.expectedState == .background } }
      try await stage.desk.switchDesktop(0)
      try await stage.settle(program, "back") { $0.allSatisfy { $0.expectedState > .background } }
      // When the program is ended and started again in the same home
      program.send(signal)
      _ = try await program.end()
      let again = try stage.start(Requirement.sceneLabPath, home: program.home)
      // Then both come back as who they were
      try await stage.settle(again, "restored") { $0.count == 2 }
      #expect(Set(try again.trace.lines().scenes.map(\.identifier)) == before)
    }

    static func twoScenes(_ kind: WindowManager) async throws -> (Stage, Program) {
      let stage = try await Stage(kind)
      let program = try await stage.startSceneLab(2)
      stage.desk.focus(try AgreementTests.pair(program).0)
      try await stage.settle(program) {
        $0[0].expectedState == .foregroundActive && $0[1].expectedState == .foregroundInactive
      }
      return (stage, program)
    }

    /// Every scene has gone down without leaving out a state, before the application was told that it ends.
    static func expectOrder(_ program: Program, since count: Int) throws {
      let lines = try program.trace.lines()
      #expect(lines.violations == [])
      let states = lines.scenes.map(\.state)
      #expect(states.allSatisfy { $0 == "background" || $0 == "unattached" }, "\(program.evidence)")
      let ends = lines.indices.filter { lines[$0].name == "applicationWillTerminate" && lines[$0].kind == "app" }
      #expect(ends.count == 1, "\(program.evidence)")
      let last = lines.lastIndex { $0.kind == "edge" && $0.name != "sceneDidDisconnect" }
      if let end = ends.first, let last { #expect(last < end, "\(program.evidence)") }
    }
  }
}
