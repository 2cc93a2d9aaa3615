import DeskSupport
import FoundationEssentials
import Glibc
import SuiteSupport
import Testing

extension ThirdDesk {
  /// The file of scheduled tasks on a disk that is ill for a while.
  @Suite("The file of scheduled tasks", .enabled(if: Requirement.sceneLab && FaultyDisk.isAvailable))
  struct TaskFileTests {
    private static let file = "state/org.proscenium.Tasks/tasks.json"

    private func evidence(_ disk: FaultyDisk, _ program: Program) -> String {
      "--- calls\n\(disk.made.map { "\($0)" }.joined(separator: "\n"))\n\(program.evidence)"
    }

    /// The calls for the file that were ill.
    private func ill(_ disk: FaultyDisk) -> [FaultyDisk.Made] { disk.ill.filter { $0.path.contains("/tasks.json") } }

    @Test(
      "A program that was started for a task ends when the disk has let go of the request",
      arguments: [FaultyDisk.Mode.fail, .hang])
    func ending(_ mode: FaultyDisk.Mode) async throws {
      let home = try TemporaryFolder()
      let disk = try await FaultyDisk(home)
      // Given a request of a program that was killed, whose time has come
      let first = try await DeskScenario(
        .openbox, arguments: ["--tasks=10000"], environment: disk.environment, home: home)
      defer { first.close() }
      try await waitUntil("the request on disk", evidence: { evidence(disk, first.program) }) {
        text(of: home.file(Self.file)).contains("refresh")
      }
      first.program.send(SIGKILL)
      _ = try await first.program.end()
      let request = text(of: home.file(Self.file))
      let begin = try #require(request.firstMatch(of: /"begin" ?: ?([0-9.e+]+)/)?.output.1)
      try home.write(Self.file, request.replacing(begin, with: "1000000000"), mode: 0o600)
      // When it is started for the task, and the disk is ill for two seconds from the request's removal on
      try disk.become(FaultyDisk.Illness(mode: mode, call: .unlink, length: 2000))
      let second = try first.desktop.start(
        DeskScenario.path, ["--background", "--proscenium-task", "org.proscenium.Tasks.refresh"],
        environment: disk.environment, home: home)
      #expect(try await second.end() == .exited(0))
      // Then the next launch does not find it
      #expect(try second.trace.lines().contains { $0.name == "taskEnded" }, "\(evidence(disk, second))")
      #expect(ill(disk).contains { $0.call == "unlink" }, "\(evidence(disk, second))")
      #expect(access(home.file(Self.file), F_OK) != 0, "\(evidence(disk, second))")
      #expect(!ill(disk).contains { $0.outcome == "hang" && $0.isOnMainThread }, "\(evidence(disk, second))")
    }

    @Test("A program goes on while the disk hangs, and has saved its requests when it does so no longer")
    func hanging() async throws {
      let home = try TemporaryFolder()
      let disk = try await FaultyDisk(home)
      let run = try await DeskScenario(
        .openbox, arguments: ["--tasks=10000"], environment: disk.environment, home: home)
      defer { run.close() }
      try await run.desktop.settle(run.program)
      let old = text(of: home.file(Self.file))
      try disk.become(FaultyDisk.Illness(mode: .hang, call: .rename))
      // Two requests: the second one meets a disk that hangs already
      try await run.perform("task 20000")
      try await run.perform("task 30000")
      try await waitUntil("the write that hangs", evidence: { evidence(disk, run.program) }) { !ill(disk).isEmpty }
      #expect(ill(disk).count == 1 && ill(disk).allSatisfy { !$0.isOnMainThread }, "\(evidence(disk, run.program))")
      try disk.become(nil)
      let submitted = try run.program.trace.lines().count { $0.name == "taskSubmitted" }
      #expect(submitted == 3)
      try await waitUntil("the second write", evidence: { evidence(disk, run.program) }) {
        disk.made.count { $0.call == "rename" && $0.path.contains("/tasks.json") && $0.outcome == "ok" } == 2
      }
      #expect(text(of: home.file(Self.file)) != old)
      #expect(
        try run.program.trace.lines().filter { $0.kind == "error" && $0.message?.contains("saved") == true }.isEmpty)
      run.program.send(SIGTERM)
      #expect(try await run.program.end() == .exited(0))
    }
  }
}
