import DeskSupport
import FoundationEssentials
import Glibc
import ScenarioKit
import SuiteSupport
import Testing

extension ThirdDesk {
  /// Programs that die while a session connects: by their own doing, and by another's.
  @Suite("Deaths within a connection", .enabled(if: Requirement.sceneLab))
  struct CrashTests {
    /// One person's sessions, run after run.
    struct Life {
      let home: TemporaryFolder
      let desktop: PrivateDesktop

      /// With one session that has been saved.
      init() async throws {
        home = try TemporaryFolder()
        desktop = try await PrivateDesktop()
        try await run()
      }

      var journal: String { text(of: home.file("state/org.proscenium.Scenario/runs")) }

      /// Starts the program; without Swift's own handlers, which outlive a signal of another process.
      func launch(
        _ arguments: [String], _ environment: [String: String] = [:], backtrace: Bool = false
      ) async throws -> DeskScenario {
        var environment = environment
        environment["SWIFT_BACKTRACE"] = backtrace ? "enable=yes" : "enable=no"
        return try await DeskScenario(
          .none, arguments: ["--stay"] + arguments, environment: environment, on: desktop, home: home)
      }

      /// A run that settles with so many scenes at least, and ends in order.
      /// - Returns: How many scenes it had, and whether it held a session back.
      @discardableResult
      func run(scenes: Int = 1) async throws -> (scenes: Int, isHolding: Bool) {
        let run = try await launch([])
        defer { run.close() }
        try await run.desktop.settle(run.program) { $0.count >= scenes && $0.allSatisfy(\.isViewable) }
        let lines = try run.program.trace.lines()
        run.program.send(SIGTERM)
        #expect(try await run.program.end() == .exited(0))
        return (
          lines.scenes.count,
          lines.contains { $0.kind == "error" && ($0.message ?? "").contains("is held back: the last two runs") }
        )
      }
    }

    @Test(
      "A session in whose connection two runs ended themselves is held back, and tried again by the next launch",
      arguments: ScenarioOptions.Death.allCases)
    func own(_ death: ScenarioOptions.Death) async throws {
      let life = try await Life()
      // Given two runs that die of it
      for _ in 0..<2 {
        let isTrap = death == .trap || death == .trapBeside
        let run = try await life.launch(["--die=willConnect=\(death)"], backtrace: isTrap)
        defer { run.close() }
        let ending = try await run.program.end()
        #expect(death == .exit ? ending == .exited(1) : ending != .exited(0), "\(run.program.evidence)")
        #expect(life.journal.hasSuffix("!\n"), "\(life.journal)")
        if isTrap { #expect(run.program.errors.contains("*** Program crashed"), "\(run.program.evidence)") }
      }
      // Then the next one is without it, and the one after that has both
      let third = try await life.run()
      #expect(third == (1, true), "\(life.journal)")
      let fourth = try await life.run(scenes: 2)
      #expect(fourth == (2, false), "\(life.journal)")
    }

    @Test(
      "A session within whose connection others kill the program is never held back",
      arguments: [SIGKILL, SIGABRT, SIGSEGV, SIGQUIT])
    func others(_ signal: Int32) async throws {
      let life = try await Life()
      for _ in 0..<3 {
        let run = try await life.launch(["--slow=willConnect=60000=wall"])
        defer { run.close() }
        try await run.program.wait(for: "the callback") { [run] _ in
          run.program.output.contains("slow willConnect") ? () : nil
        }
        run.program.send(signal)
        #expect(try await run.program.end() == .signalled(signal), "\(run.program.evidence)")
        #expect(!life.journal.contains("!"), "\(life.journal)")
      }
      let next = try await life.run()
      #expect(next == (1, false), "\(life.journal)")
    }

    @Test("A session whose connection hangs until the watchdog kills the program is held back")
    func hang() async throws {
      let life = try await Life()
      for _ in 0..<2 {
        let run = try await life.launch(
          ["--limits=60000,60000,60000,2000", "--slow=willConnect=60000=wall"], ["PROSCENIUM_WATCHDOG": "kill"])
        defer { run.close() }
        #expect(try await run.program.end() == .signalled(SIGKILL), "\(run.program.evidence)")
      }
      let next = try await life.run()
      #expect(next == (1, true), "\(life.journal)")
    }

    @Test("The program's own handler of a crash is called as ever", arguments: [ScenarioOptions.Death.null, .abort])
    func handlers(_ death: ScenarioOptions.Death) async throws {
      let life = try await Life()
      let run = try await life.launch(["--crash-handler", "--die=willConnect=\(death)"])
      defer { run.close() }
      #expect(try await run.program.end() == .signalled(death == .null ? SIGSEGV : SIGABRT), "\(run.program.evidence)")
      let output = run.program.output
      #expect(output.contains("the program's own handler"), "\(run.program.evidence)")
      #expect(life.journal.hasSuffix("!\n"), "\(life.journal)")
    }

    @Test(
      "A handler that is installed within a connection and calls what it finds cuts off none that was there before",
      arguments: [ScenarioOptions.Death.null, .abort])
    func chainedHandlers(_ death: ScenarioOptions.Death) async throws {
      let life = try await Life()
      let run = try await life.launch([
        "--crash-handler", "--crash-handler=willConnect", "--die=sceneWillEnterForeground=\(death)",
      ])
      defer { run.close() }
      #expect(try await run.program.end() == .signalled(death == .null ? SIGSEGV : SIGABRT), "\(run.program.evidence)")
      let handlers = run.program.output.split(separator: "\n").filter { $0.hasSuffix("handler") }
      #expect(handlers == ["the late handler", "the program's own handler"], "\(run.program.evidence)")
      #expect(life.journal.hasSuffix("!\n"), "\(life.journal)")
    }

    @Test("The handlers are there while a session connects, and have given the signals back when the program rests")
    func handlersAtRest() async throws {
      let life = try await Life()
      let run = try await life.launch(["--slow=willConnect=300000=file"])
      defer { run.close() }
      // Signals that nothing else in the program handles.
      let signals = [SIGILL, SIGTRAP, SIGSYS].reduce(UInt64(0)) { $0 | 1 << UInt64($1 - 1) }
      func handled() throws -> UInt64 {
        let status = text(of: "/proc/\(run.program.pid)/status")
        let mask = try #require(
          status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last)
        return try #require(UInt64(mask, radix: 16)) & signals
      }
      try await run.program.wait(for: "the callback") { _ in run.program.output.contains("slow willConnect") ? () : nil
      }
      #expect(try handled() == signals)
      try run.program.home.write("go", "")
      try await run.desktop.settle(run.program)
      try await run.program.wait(for: "the former handlers") { _ in try handled() == 0 ? () : nil }
    }
  }
}
