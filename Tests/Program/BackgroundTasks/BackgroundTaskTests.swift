import DeskSupport
import Glibc
import ScenarioKit
import SuiteSupport
import Testing

extension ThirdDesk {
  /// Background tasks on a real server, where the loop sleeps.
  @Suite("Background tasks on X11", .enabled(if: Requirement.sceneLab))
  struct BackgroundTaskTests {
    @Test("A task that a thread ends while the loop sleeps ends the program whose last scene was closed")
    func thread() async throws {
      try Requirement.windowManager(.openbox)
      let folder = try TemporaryFolder()
      let pipe = folder.file("hold")
      #expect(mkfifo(pipe, 0o600) == 0)
      let descriptor = open(pipe, O_RDWR | O_CLOEXEC)
      defer { close(descriptor) }
      // Given a task that was begun on a thread
      let run = try await DeskScenario(.openbox, arguments: ["--hold=\(pipe)"])
      defer { run.close() }
      #expect(write(descriptor, "1", 1) == 1)
      try await waitUntil("the task") { run.program.output.contains("held") }
      // When the last scene is closed
      try? await run.perform("destroy 1")
      try await run.program.wait(for: "the close") {
        $0.contains { $0.name == "didDiscardSceneSessions" } ? () : nil
      }
      // Then the program stays and sleeps
      try await run.program.rests(for: .seconds(1))
      #expect(run.program.ending == nil)
      // Until the thread is done
      #expect(write(descriptor, "2", 1) == 1)
      #expect(try await run.program.end() == .exited(0), "\(run.program.evidence)")
      #expect(run.program.output.contains("let go"))
    }
  }
}
