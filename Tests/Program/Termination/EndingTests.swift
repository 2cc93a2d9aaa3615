import DeskSupport
import Glibc
import ScenarioKit
import SuiteSupport
import Testing

extension ThirdDesk {
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
      let program = try desktop.start(Program.besideTests("SceneLab"), ["--quit-after", "2"])
      #expect(try await program.end() == .exited(0))
      #expect(try program.trace.lines().contains { $0.name == "sceneWillConnect" })
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

    @Test("A program that hangs after its last callback ends all the same", arguments: [SIGTERM, SIGINT])
    func hangsAtTheEnd(_ signal: Int32) async throws {
      let run = try await DeskScenario(.openbox, arguments: [])
      defer { run.close() }
      try await run.desktop.settle(run.program)
      try await run.perform("hang at the end")
      run.program.send(signal)
      #expect(try await run.program.end(limit: .seconds(60)) == .exited(signal == SIGINT ? 130 : 0))
      #expect(try run.program.trace.lines().last?.name == "applicationWillTerminate", "\(run.program.evidence)")
      #expect(
        run.program.errors.contains("still ran 10 s after the program was told of its end"), "\(run.program.errors)")
    }

    @Test("A program whose last callback does not return ends all the same, where the watchdog is off, too")
    func hangsInLastCallback() async throws {
      let run = try await DeskScenario(
        .openbox, arguments: ["--stay", "--slow=applicationWillTerminate=3600000=wall"],
        environment: ["PROSCENIUM_WATCHDOG": "off"])
      defer { run.close() }
      try await run.desktop.settle(run.program)
      run.program.send(SIGTERM)
      #expect(try await run.program.end(limit: .seconds(60)) == .exited(0), "\(run.program.evidence)")
      #expect(
        run.program.errors.contains("still ran 10 s after the program was told of its end"), "\(run.program.errors)")
    }

    @Test("The time for which a program is stopped at its end does not count")
    func stoppedAtTheEnd() async throws {
      let run = try await DeskScenario(
        .openbox, arguments: ["--stay", "--slow=applicationWillTerminate=3600000=file"],
        environment: ["PROSCENIUM_WATCHDOG": "off"])
      defer { run.close() }
      try await run.desktop.settle(run.program)
      run.program.send(SIGTERM)
      try await run.program.wait(for: "the callback") { _ in
        run.program.output.contains("slow applicationWillTerminate") ? () : nil
      }
      run.program.send(SIGSTOP)
      // The measure: longer than the limit.
      try await Task.sleep(for: .seconds(11))
      run.program.send(SIGCONT)
      try run.program.home.write("go", "")
      #expect(try await run.program.end() == .exited(0))
      #expect(run.program.output.contains("took applicationWillTerminate"), "\(run.program.evidence)")
      #expect(run.program.errors == "")
    }

    @Test("A suspended program that hangs at its end ends all the same")
    func hangsSuspended() async throws {
      let run = try await DeskScenario(.openbox, arguments: ["--suspend"])
      defer { run.close() }
      try await run.desktop.settle(run.program)
      try await run.perform("hang at the end")
      try await run.perform("grace 0")
      try await run.perform("user minimize 1")
      try await run.program.wait(for: "the suspension") { $0.contains { $0.name == "suspended" } ? true : nil }
      run.program.send(SIGTERM)
      #expect(try await run.program.end(limit: .seconds(60)) == .exited(0))
      #expect(try run.program.trace.lines().last?.name == "ended", "\(run.program.evidence)")
      #expect(
        run.program.errors.contains("still ran 10 s after the program was told of its end"), "\(run.program.errors)")
    }

    /// Cells of the table of endings, as `cause-start`.
    static let cells = [
      "watchdog-active", "watchdog-inactive", "watchdog-background", "watchdog-openTask", "watchdog-suspended",
      "sigterm-openTask", "sigterm-suspended", "lastClose-openTask", "lastClose-suspended", "lostDisplay-openTask",
      "lostDisplay-suspended", "kill-openTask", "kill-suspended",
    ]

    @Test("What ends a program that has a task, is suspended or hangs gives the lines of the table", arguments: cells)
    func table(_ cell: String) async throws {
      let words = cell.split(separator: "-").map(String.init)
      let (cause, start) = (words[0], words[1])
      let expected = try #require(Golden.read("Endings/\(cell)")).split(separator: "\n").map(String.init)
      let home = try TemporaryFolder()
      let pipe = home.file("hold")
      try #require(mkfifo(pipe, 0o600) == 0)
      let hold = open(pipe, O_RDWR | O_NONBLOCK)
      defer { Glibc.close(hold) }
      let hangs =
        switch start {
        case "active": "sceneWillResignActive"
        case "inactive": "sceneDidEnterBackground"
        default: "sceneWillEnterForeground"
        }
      var arguments = ["--hold=\(pipe)"] + (start == "suspended" ? ["--suspend"] : [])
      if cause == "watchdog" {
        // The first call of it is the launch's.
        if hangs == "sceneWillEnterForeground" { arguments.append("--slow=\(hangs)=0=wall") }
        arguments += ["--limits=60000,2000,2000,2000", "--slow=\(hangs)=20000=wall"]
      }
      // Given a program in the state
      let run = try await DeskScenario(
        .openbox, arguments: arguments, environment: ["PROSCENIUM_WATCHDOG": cause == "watchdog" ? "kill" : "off"],
        home: home)
      defer { run.close() }
      try await run.desktop.settle(run.program) {
        $0.count == 1 && $0.allSatisfy { $0.expectedState == .foregroundActive }
      }
      if start == "suspended" { try await run.perform("grace 0") }
      if start == "openTask" {
        #expect(write(hold, "x", 1) == 1)
        try await waitUntil("the task") { run.program.output.contains("held") }
      }
      if start == "inactive" { try await run.perform("user focus none") }
      if ["background", "openTask", "suspended"].contains(start) { try await run.perform("user minimize 1") }
      let state = ["active": "foregroundActive", "inactive": "foregroundInactive"][start] ?? "background"
      let applicationState = ["active": "active", "inactive": "inactive"][start] ?? "background"
      try await run.program.wait(for: "the state") { lines in
        // The application's line comes a moment after the scene's.
        let isThere =
          lines.scenes.first?.state == state && lines.last { $0.kind == "app" }?.state == applicationState
        let isSuspended = lines.last { $0.kind == "system" }?.name == "suspended"
        return isThere && isSuspended == (start == "suspended") ? true : nil
      }
      let before = try run.lines().count
      // When it is ended
      let window = try #require(try run.program.windows().first)
      switch (cause, start) {
      case ("watchdog", "active"): try await run.perform("user focus none")
      case ("watchdog", "inactive"): try await run.perform("user minimize 1")
      case ("watchdog", _): run.desktop.desk.restore(window)
      case ("sigterm", _): run.program.send(SIGTERM)
      case ("kill", _): run.program.send(SIGKILL)
      case ("lostDisplay", _): try await run.desktop.server.kill(SIGKILL)
      default:
        run.desktop.desk.client.sendMessage(
          window, "WM_PROTOCOLS", [run.desktop.desk.client.atom("WM_DELETE_WINDOW"), 0])
      }
      if let ends = expected.firstIndex(of: "the task ends") {
        try await run.program.wait(for: "what comes before the task's end") { _ in
          try run.lines().count - before >= ends ? true : nil
        }
        #expect(run.program.ending == nil)
        #expect(write(hold, "x", 1) == 1)
      }
      // Then its lines, its status and what the next launch says are those of the table
      let ending = try await run.program.end()
      let edges = expected.filter { $0.contains("scene") || $0.contains("application") || $0.contains("didDiscard") }
      #expect(try Array(run.lines()[before...]) == edges, "\(run.program.evidence)")
      let status = expected.first { $0.hasPrefix("status ") }.flatMap { Int32($0.dropFirst(7)) }
      #expect(ending == status.map { .exited($0) } ?? .signalled(SIGKILL), "\(run.program.evidence)")
      let desktop = cause == "lostDisplay" ? try await PrivateDesktop(.openbox) : run.desktop
      let next = try desktop.start(DeskScenario.path, home: home)
      let launch = try await next.wait(for: "the launch") { lines in lines.first { $0.kind == "launch" } }
      #expect(expected.contains { $0.hasPrefix("next launch: \(launch.reason ?? "?"),") }, "\(launch)")
    }

    static func twoScenes(
      _ kind: WindowManager, _ arguments: [String] = []
    ) async throws -> (PrivateDesktop, Program) {
      let desktop = try await PrivateDesktop(kind)
      let program = try await desktop.startSceneLab(2, arguments)
      desktop.desk.focus(try program.twoWindows().0)
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
