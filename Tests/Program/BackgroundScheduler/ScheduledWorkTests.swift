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

    private func wait(
      _ run: DeskScenario, for name: String, _ count: Int = 1, limit: Duration = .seconds(60)
    ) async throws {
      try await waitUntil("\(name) \(count)", limit: limit, evidence: { run.program.evidence }) {
        try lines(run).count { $0.name == name } >= count
      }
    }

    @Test(
      "A killed program is started by systemd for its task, in the background and without a scene, and ends after it",
      .enabled(if: mustNotSkip || UserManager.isInstalled))
    func started() async throws {
      // A slow machine may let the first process live until the task's time; that comes later then.
      for seconds in [3, 15, 75, 375] { if try await isStarted(after: seconds) { return } }
      Issue.record("The program is not killed within six minutes")
    }

    /// - Returns: Whether the program was killed before its task's time; nothing is checked where it was not.
    private func isStarted(after seconds: Int) async throws -> Bool {
      let manager = try await UserManager()
      let run = try await DeskScenario(.openbox, arguments: ["--tasks=\(seconds)"], environment: manager.environment)
      defer { run.close() }
      try await waitUntil("the timer", evidence: { run.program.evidence + manager.evidence }) {
        try manager.transientTimers.count == 1 || lines(run).contains { $0.name == "taskBegan" }
      }
      let timers = manager.transientTimers
      let first = Int(run.program.pid)
      run.program.send(SIGKILL)
      _ = try await run.program.end()
      if try lines(run).contains(where: { $0.process == first && $0.name == "taskBegan" }) {
        try await manager.end()
        return false
      }
      #expect(timers.allSatisfy { $0.hasPrefix("app-org.proscenium.Tasks@task") })
      try await wait(run, for: "applicationWillTerminate", limit: .seconds(60 + seconds))
      let all = try lines(run)
      let second = all.filter { $0.process != first }
      #expect(Set(second.map(\.process)).count == 1, "\(all)")
      #expect(
        second.map(\.name) == ["didFinishLaunchingWithOptions", "taskBegan", "taskEnded", "applicationWillTerminate"],
        "\(all)")
      try await waitUntil("the timer to be gone", evidence: { manager.evidence }) { manager.transientTimers.isEmpty }
      try await manager.end()
      return true
    }

    #if !WITHOUT_Suspension
      @Test(
        "A suspended program runs for its task, and is suspended again; its timer is stopped, and nothing is started",
        .enabled(if: mustNotSkip || UserManager.isInstalled))
      func suspended() async throws {
        // A slow machine may suspend the program only after the task's time; that comes later then.
        for seconds in [8, 40, 200] { if try await isSuspended(before: seconds) { return } }
        Issue.record("The program is not suspended within three minutes")
      }

      /// - Returns: Whether the program was suspended before its task's time; nothing is checked where it was not.
      private func isSuspended(before seconds: Int) async throws -> Bool {
        let manager = try await UserManager()
        let run = try await DeskScenario(.openbox, arguments: ["--tasks"], environment: manager.environment)
        defer { run.close() }
        try await run.desktop.settle(run.program) { $0.count == 1 && $0.allSatisfy(\.isViewable) }
        try await run.perform("task \(seconds)")
        try await waitUntil("the timer", evidence: { run.program.evidence + manager.evidence }) {
          try manager.transientTimers.count == 1 || lines(run).contains { $0.name == "taskBegan" }
        }
        try await run.perform("grace 0")
        for window in try run.program.windows() { run.desktop.desk.iconify(window) }
        try await wait(run, for: "suspended")
        if try lines(run).drop(while: { $0.name != "taskSubmitted" }).dropFirst().first?.name != "suspended" {
          try await manager.end()
          return false
        }
        try await wait(run, for: "suspended", 2, limit: .seconds(60 + seconds))
        #expect(
          try lines(run).drop { $0.name != "taskSubmitted" }.map(\.name)
            == ["taskSubmitted", "suspended", "resumed", "taskBegan", "taskEnded", "suspended"])
        try await waitUntil("the timer to be gone", evidence: { manager.evidence }) { manager.transientTimers.isEmpty }
        #expect(Set(try lines(run).map(\.process)).count == 1)
        try await manager.end()
        return true
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
