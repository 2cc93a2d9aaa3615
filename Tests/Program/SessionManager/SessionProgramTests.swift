import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension RealDesk {
  /// Whole programs and a session manager.
  @Suite("Session managers", .enabled(if: Requirement.sessionManager))
  struct SessionTests {
    @Test("A program saves when it is asked, goes when it is told, and says good-bye")
    func wholeSession() async throws {
      let manager = try await SessionManager(Program.besideTests("TestSessionManager"))
      let desktop = try await PrivateDesktop(.openbox)
      let program = try await Self.start(desktop, manager.address)
      try await manager.wait(for: "properties", evidence: { program.evidence })
      #expect(manager.property("ProcessID") == "\(program.pid)")
      manager.tell("save 1 0 0 0")
      try await manager.wait(for: "save-done 1", evidence: { program.evidence })
      manager.tell("complete")
      manager.tell("save 2 1 2 0")
      try await manager.wait(for: "interact-request", evidence: { program.evidence })
      manager.tell("interact")
      try await manager.wait(for: "save-done 1", times: 2, evidence: { program.evidence })
      manager.tell("die")
      #expect(try await program.end() == .exited(0))
      try ThirdDesk.EndingTests.expectEnd(program)
      try await manager.wait(for: "closed")
      #expect(try program.trace.lines().filter { $0.kind == "error" }.isEmpty)
    }

    @Test("A program that ends by itself says good-bye to its session manager")
    func leaves() async throws {
      let manager = try await SessionManager(Program.besideTests("TestSessionManager"))
      let program = try await Self.start(try await PrivateDesktop(), manager.address)
      try await manager.wait(for: "properties", evidence: { program.evidence })
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
      try await manager.wait(for: "closed")
    }

    @Test(
      "Without a session manager to speak with the program runs, and says so once",
      arguments: [
        "nonsense", "local/nowhere:@/tmp/.ICE-unix/0,unix/nowhere:/tmp/.ICE-unix/0", ",,,,", "tcp/127.0.0.1:1",
        "unix/x:" + String(repeating: "y", count: 10_000),
      ])
    func unreachable(address: String) async throws {
      let desktop = try await PrivateDesktop()
      let program = try await Self.start(desktop, address)
      try await program.wait(for: "the error", evidence: { address }) { lines in Self.errors(lines).isEmpty ? nil : () }
      try await desktop.settle(program)
      #expect(try Self.errors(program.trace.lines()).count == 1, "\(program.evidence)")
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    @Test("A session manager that wants a cookie the program does not have")
    func refused() async throws {
      let manager = try await SessionManager(Program.besideTests("TestSessionManager"), ["--refuse-hosts"])
      let program = try await Self.start(try await PrivateDesktop(), manager.address)
      try await program.wait(for: "the error") { lines in Self.errors(lines).isEmpty ? nil : () }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    @Test("The program does not wait for a session manager that hangs", arguments: [true, false])
    func hangs(isStopped: Bool) async throws {
      // Given one that never takes a connection, or takes it and never answers
      let manager = try await SessionManager(
        Program.besideTests("TestSessionManager"), isStopped ? [] : ["--refuse-registration"])
      if isStopped { manager.send(SIGSTOP) }
      // When a program starts, then it is on the screen long before the silence has been noticed
      let desktop = try await PrivateDesktop()
      let program = try await Self.start(desktop, manager.address)
      try await desktop.settle(program) { $0.first?.expectedState == .foregroundActive }
      // And the silence is noticed, and disturbs nothing
      try await program.wait(for: "the error") { lines in Self.errors(lines).isEmpty ? nil : () }
      let lines = try program.trace.lines()
      let active = try #require(lines.firstIndex { $0.name == "sceneDidBecomeActive" })
      let error = try #require(lines.firstIndex { !Self.errors([$0]).isEmpty })
      #expect(active < error, "\(program.evidence)")
      if isStopped {
        // A late answer is as good as an early one.
        manager.send(SIGCONT)
        try await manager.wait(for: "properties", evidence: { program.evidence })
      }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    @Test("A session manager that is killed, or hangs up, and a program that runs on", arguments: [true, false])
    func dies(isKilled: Bool) async throws {
      let manager = try await SessionManager(Program.besideTests("TestSessionManager"))
      let desktop = try await PrivateDesktop(.openbox)
      let program = try await Self.start(desktop, manager.address)
      try await manager.wait(for: "properties", evidence: { program.evidence })
      if isKilled { manager.send(SIGKILL) } else { manager.tell("hang-up") }
      try await program.wait(for: "the error") { lines in Self.errors(lines).isEmpty ? nil : () }
      desktop.desk.iconify(try #require(try program.windows().first))
      try await desktop.settle(program) { $0.first?.expectedState == .background }
      #expect(try Self.errors(program.trace.lines()).count == 1)
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    @Test("Debian's own xsm: a checkpoint, the same id after a restart, and the end of the session")
    func xsm() async throws {
      if !isInstalled("xsm"), !mustNotSkip { try Test.cancel("xsm is not installed") }
      let desktop = try await PrivateDesktop(.openbox)
      let home = try TemporaryFolder()
      // Given xsm, which tells what it starts where it is
      let script = try home.write(
        "tell", "#!/bin/sh\necho \"$SESSION_MANAGER\" > '\(home.path)/address'\n", mode: 0o755)
      try home.write(".xsmstartup", script + "\n")
      var environment = try privateEnvironment(home: home, display: desktop.server.display)
      environment["ICEAUTHORITY"] = home.file("cookies")
      let manager = try ChildProcess(
        ["xsm"], environment: environment, output: home.file("out"), errors: home.file("err"))
      let address = try await waitFor("xsm", evidence: { text(of: manager.errorPath) }) {
        let line = text(of: home.file("address"))
        return line.hasSuffix("\n") ? String(line.dropLast()) : nil
      }
      // When a program registers, with the cookie that xsm has written
      let authority = ["SESSION_MANAGER": address, "ICEAUTHORITY": home.file("cookies")]
      let program = try Program(
        Program.besideTests("ScenarioProgram"), [],
        display: desktop.server.display, environment: authority, on: desktop)
      try await desktop.settle(program) { $0.count == 1 }
      // Then a checkpoint has it in the session, with the command that brings it back
      var checkpoint = ContinuousClock.now - .seconds(1)
      let saved = try await waitFor("the session file", evidence: { program.evidence }) { () -> String? in
        // Once a second: one that comes before the program has registered is without it.
        if ContinuousClock.now - checkpoint >= .seconds(1) {
          manager.send(SIGUSR1)
          checkpoint = .now
        }
        let session = text(of: home.file(".XSM-Default"))
        return session.contains("ScenarioProgram") ? session : nil
      }
      let words = saved.split(whereSeparator: \.isWhitespace).map { String($0) }
      let id = try #require(words.firstIndex(of: "--session-id").flatMap { words.dropFirst($0 + 1).first }, "\(saved)")
      // And the end of the session is its end
      manager.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
      try ThirdDesk.EndingTests.expectEnd(program)
      #expect(try Self.errors(program.trace.lines()).isEmpty, "\(program.evidence)")
      _ = try await manager.wait()

      // When the session begins again, xsm starts the program by itself
      let trace = TraceReader(path: home.file("trace"))
      environment["PROSCENIUM_TRACE"] = trace.path
      let next = try ChildProcess(
        ["xsm", "-session", "Default"], environment: environment, output: home.file("out"), errors: home.file("err"))
      let evidence = { "\(saved)\n\(text(of: trace.path))\n\(text(of: next.errorPath))" }
      // Then it is who it was
      let active = try await waitFor("the program", evidence: evidence) {
        try trace.lines().first { $0.name == "sceneDidBecomeActive" }
      }
      let client = desktop.desk.client
      let window = try #require(active.windowNumber)
      let leader = try #require(client.longs(window, "WM_CLIENT_LEADER", type: "WINDOW")?.first)
      try await waitUntil("the id on the client leader", evidence: evidence) {
        client.text(leader, "SM_CLIENT_ID") == id
      }
      // The id was on the leader before the program had reached xsm: a checkpoint, once a second, shows that it has
      var asked: ContinuousClock.Instant?
      unlink(home.file(".XSM-Default"))
      try await waitUntil("xsm to know the program", limit: .seconds(60), evidence: evidence) {
        if asked.map({ ContinuousClock.now - $0 > .seconds(1) }) ?? true {
          next.send(SIGUSR1)
          asked = .now
        }
        return text(of: home.file(".XSM-Default")).contains("ScenarioProgram")
      }
      next.send(SIGTERM)
      try await waitUntil("the end", evidence: evidence) {
        try trace.lines().contains { $0.name == "applicationWillTerminate" }
      }
      #expect(try Self.errors(trace.lines()).isEmpty, "\(evidence())")
    }

    private static func start(_ desktop: PrivateDesktop, _ address: String) async throws -> Program {
      let program = try Program(
        Program.besideTests("ScenarioProgram"), [],
        display: desktop.server.display, environment: ["SESSION_MANAGER": address], on: desktop)
      try await desktop.settle(program, quiet: .milliseconds(200)) { $0.count == 1 }
      return program
    }

    private static func errors(_ lines: [TraceLine]) -> [String] {
      lines.filter { $0.kind == "error" && ($0.message ?? "").contains("session manager") }.compactMap(\.message)
    }
  }
}
