import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension ThirdDesk {
  /// Foundation's main run loop, which only the program itself runs.
  @Suite("Timers of Foundation", .enabled(if: Requirement.program("FoundationProgram")))
  struct RunLoopReportTests {
    private let error = "A Timer of Foundation is overdue"

    private func start(_ arguments: [String] = []) async throws -> (PrivateDesktop, Program) {
      let desktop = try await PrivateDesktop(.none)
      return (desktop, try desktop.start(Program.besideTests("FoundationProgram"), arguments))
    }

    #if DEBUG
      @Test(
        "A timer that never fires is an error of a debug build, told once, also where there was one of an hour before",
        arguments: [[], ["--hourly"]])
      func overdue(_ arguments: [String]) async throws {
        let (desktop, program) = try await start(arguments)
        try await waitUntil("the error", evidence: { program.evidence }) { program.errors.contains(error) }
        program.send(SIGTERM)
        #expect(try await program.end() == .exited(0))
        #expect(program.errors.split(separator: "\n").count { $0.contains(error) } == 1, "\(program.evidence)")
        withExtendedLifetime(desktop) {}
      }
    #endif

    @Test("A second start of a program with a main of its own ends with a status, and not as a crash")
    func secondStart() async throws {
      let (desktop, home) = (try await PrivateDesktop(.none), try TemporaryFolder())
      let path = Program.besideTests("FoundationProgram")
      let first = try desktop.start(path, ["--attached", "--stays"], home: home)
      try await waitUntil("the launch", evidence: { first.evidence }) { first.output.contains("launched") }
      let second = try desktop.start(path, ["--attached", "--stays"], home: home)
      #expect(try await second.end() == .exited(1), "\(second.evidence)")
      #expect(second.errors.contains("is running already, as process \(first.pid)"), "\(second.evidence)")
      first.send(SIGTERM)
      #expect(try await first.end() == .exited(0), "\(first.evidence)")
    }

    @Test("A program that runs the run loop by itself hears nothing of it")
    func runByProgram() async throws {
      let (desktop, program) = try await start(["--runs-loop"])
      #expect(try await program.end() == .exited(0))
      #expect(!program.errors.contains(error), "\(program.evidence)")
      withExtendedLifetime(desktop) {}
    }

    @Test(
      "A block that is performed on the main thread runs though nothing else happens",
      arguments: ["serves", "attached"])
    func alone(_ way: String) async throws {
      let (desktop, program) = try await start(["--\(way)", "--alone"])
      #expect(try await program.end() == .exited(0), "\(program.evidence)")
      #expect(program.output.contains("performed"))
      withExtendedLifetime(desktop) {}
    }

    @Test(
      "Where the run loop is served, or the program's own, timers fire and blocks run",
      arguments: ["serves", "attached"])
    func served(_ way: String) async throws {
      let (desktop, program) = try await start(["--\(way)"])
      try await waitUntil("the block", evidence: { program.evidence }) { program.output.contains("performed") }
      #expect(try await program.end() == .exited(0))
      #expect(!program.errors.contains(error), "\(program.evidence)")
      let calls = try program.trace.lines().filter { $0.kind == "edge" }.compactMap(\.name)
      #expect(calls.contains("sceneWillConnect") && calls.contains("sceneDidDisconnect"), "\(calls)")
      withExtendedLifetime(desktop) {}
    }
  }
}
