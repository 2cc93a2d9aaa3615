import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension ThirdDesk {
  /// Scheduled work of real programs: with a systemd user manager of its own, which starts them, and without one.
  @Suite("Scheduled work on X11", .enabled(if: Requirement.sceneLab))
  struct ScheduledWorkTests {
    private typealias Line = (process: Int, name: String)

    /// The lines about tasks, suspensions, launches and the end, with their processes.
    private func lines(_ run: DeskScenario) throws -> [Line] {
      let names: Set = [
        "taskSubmitted", "taskBegan", "taskExpires", "taskEnded", "suspended", "resumed", "sceneWillConnect",
        "didFinishLaunchingWithOptions", "applicationWillTerminate",
      ]
      return try run.program.trace.lines().compactMap { line in
        line.name.flatMap { names.contains($0) ? (line.pid, $0) : nil }
      }
    }

    private func wait(_ run: DeskScenario, for name: String, _ count: Int = 1) async throws {
      try await waitUntil("\(name) \(count)", limit: .seconds(60), evidence: { run.program.evidence }) {
        try lines(run).count { $0.name == name } >= count
      }
    }

    @Test(
      "A killed program is started by systemd for its task, in the background and without a scene, and ends after it",
      .enabled(if: mustNotSkip || UserManager.isInstalled))
    func started() async throws {
      let manager = try await UserManager()
      let run = try await DeskScenario(.openbox, arguments: ["--tasks=3"], environment: manager.environment)
      defer { run.close() }
      try await waitUntil("the timer", evidence: { run.program.evidence + manager.evidence }) {
        manager.transientTimers.count == 1
      }
      #expect(manager.transientTimers.allSatisfy { $0.hasPrefix("app-org.proscenium.Tasks@task") })
      let first = Int(run.program.pid)
      run.program.send(SIGKILL)
      _ = try await run.program.end()
      try await wait(run, for: "applicationWillTerminate")
      let all = try lines(run)
      let second = all.filter { $0.process != first }
      #expect(Set(second.map(\.process)).count == 1, "\(all)")
      #expect(
        second.map(\.name) == ["didFinishLaunchingWithOptions", "taskBegan", "taskEnded", "applicationWillTerminate"],
        "\(all)")
      #expect(!all.contains { $0.process == first && $0.name == "taskBegan" })
      try await waitUntil("the timer to be gone", evidence: { manager.evidence }) { manager.transientTimers.isEmpty }
      try await manager.end()
    }

    #if !WITHOUT_Suspension
      @Test(
        "A suspended program runs for its task, and is suspended again; its timer is stopped, and nothing is started",
        .enabled(if: mustNotSkip || UserManager.isInstalled))
      func suspended() async throws {
        let manager = try await UserManager()
        let run = try await DeskScenario(.openbox, arguments: ["--tasks"], environment: manager.environment)
        defer { run.close() }
        try await run.desktop.settle(run.program) { $0.count == 1 && $0.allSatisfy(\.isViewable) }
        try await run.perform("task 8")
        try await waitUntil("the timer", evidence: { run.program.evidence + manager.evidence }) {
          manager.transientTimers.count == 1
        }
        try await run.perform("grace 0")
        for window in try run.program.windows() { run.desktop.desk.iconify(window) }
        try await wait(run, for: "suspended", 2)
        #expect(
          try lines(run).drop { $0.name != "taskSubmitted" }.map(\.name)
            == ["taskSubmitted", "suspended", "resumed", "taskBegan", "taskEnded", "suspended"])
        try await waitUntil("the timer to be gone", evidence: { manager.evidence }) { manager.transientTimers.isEmpty }
        #expect(Set(try lines(run).map(\.process)).count == 1)
        try await manager.end()
      }
    #endif

    @Test("Without systemd the program says so once, and runs its task while it runs")
    func without() async throws {
      let bus = try await PrivateBus()
      let run = try await DeskScenario(.openbox, arguments: ["--tasks=0"], environment: bus.environment)
      defer { run.close() }
      try await wait(run, for: "taskEnded")
      try await run.perform("task 500")
      try await run.perform("task 1000")
      func reports() throws -> Int {
        try run.program.trace.lines().count { $0.message?.contains("Scheduled tasks run only while") == true }
      }
      try await waitUntil("the report", evidence: { run.program.evidence }) { try reports() == 1 }
      try await run.perform("task 2000")
      #expect(try reports() == 1)
    }
  }
}
