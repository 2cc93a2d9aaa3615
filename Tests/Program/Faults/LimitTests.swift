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
  }
}
