import DeskSupport
import FoundationEssentials
import Glibc
import SuiteSupport
import Testing

extension ThirdDesk {
  /// What comes back on a real desk when the program is started again.
  @Suite("Restore", .enabled(if: Requirement.sceneLab))
  struct RestoreTests {
    @Test("A window that was iconic comes back iconic, without its scene", arguments: [WindowManager.mutter, .openbox])
    func iconic(_ kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      // Given a program of two windows, one of them iconic, that was ended
      let desktop = try await PrivateDesktop(kind)
      let first = try await desktop.startSceneLab(2)
      desktop.desk.iconify(try #require(try first.windows().first))
      try await desktop.settle(first) { $0.contains { $0.expectedState == .background } }
      let hidden = try #require(try first.trace.lines().scenes.first { $0.state == "background" }?.identifier)
      first.send(SIGTERM)
      #expect(try await first.end() == .exited(0))
      // When it is started again
      let second = try desktop.start(Program.besideTests("SceneLab"), [], home: first.home)
      try await desktop.settle(second) { $0.contains { $0.expectedState == .foregroundActive } }
      // Then that window's scene has not been connected, for it cannot be seen
      let scenes = try second.trace.lines().filter { $0.name == "sceneWillConnect" }.compactMap(\.scene)
      #expect(scenes.count == 1 && !scenes.contains(hidden), "\(second.evidence)")
    }

    @Test("What is printed goes nowhere, and not into the store, where the standard files are closed")
    func closedStandardFiles() async throws {
      let desktop = try await PrivateDesktop(.none)
      let command = "exec \"$0\" <&- >&- 2>&-"
      let program = try desktop.start("/bin/sh", ["-c", command, Program.besideTests("SceneLab")])
      try await program.wait(for: "the launch") { lines in lines.contains { $0.kind == "launch" } ? true : nil }
      for descriptor in 0...2 {
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(program.pid)/fd/\(descriptor)")
        #expect(target == "/dev/null")
      }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    @Test("A limit for the size of files costs what cannot be saved, and not the program")
    func fileSizeLimit() async throws {
      let desktop = try await PrivateDesktop(.none)
      let command = "ulimit -S -f 0; exec \"$0\" --quit-after 1 >/dev/null 2>&1"
      let program = try desktop.start("/bin/sh", ["-c", command, Program.besideTests("SceneLab")])
      #expect(try await program.end() == .exited(0))
    }
  }
}
