import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension FourthDesk {
  /// What the process may have no more of, or may not have at all.
  @Suite("Limits of the process", .enabled(if: Requirement.sceneLab))
  struct LimitTests {
    @Test("However few descriptors a process has left, it says why it does not run, and ends in order")
    func descriptors() async throws {
      for count in 5...24 {
        let program = try Program(
          "sh", ["-c", "ulimit -n \(count); exec \"$0\"", Program.besideTests("SceneLab")], display: ":1999")
        #expect(try await program.end() == .exited(1), "\(count)\n\(program.evidence)")
        #expect(program.errors.contains("Proscenium: "), "\(count)")
      }
    }

    @Test(
      "A window is drawn all the same where memory cannot be shared, and by shared memory after a signal",
      .enabled(if: mustNotSkip || isInstalled("strace")),
      arguments: ["memfd_create:error=ENOSYS", "memfd_create:error=EPERM", "fallocate:error=EINTR:when=1"])
    func sharing(_ fault: String) async throws {
      let run = try await DeskScenario(
        .none, arguments: ["--memory=300x200"],
        under: ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(fault.prefix { $0 != ":" })"]
          + ["-e", "inject=\(fault)"])
      defer { run.close() }
      let window = try #require(
        await run.program.wait(for: "the scene") { lines in
          lines.scenes.first { $0.state.hasPrefix("foreground") && $0.window != nil }
        }.window)
      let picture: [UInt32] = (0..<200).flatMap { y in
        (0..<300).map { x in UInt32(truncatingIfNeeded: x &* 997 &+ y &* 31) & 0xFF_FFFF }
      }
      try await waitUntil("the picture", evidence: { run.program.evidence }) {
        run.desktop.desk.client.pixels(of: window, x: 0, y: 0, width: 300, height: 200) == picture
      }
      #expect((run.program.sharedMemory > 0) == fault.contains("EINTR"))
      #expect(!run.program.errors.contains("Proscenium: "), "\(run.program.errors)")
    }
  }
}
