import DeskSupport
import ScenarioKit
import SuiteSupport
import Testing

extension ThirdDesk {
  @Suite("What a launch leaves until its first window is shown", .enabled(if: Requirement.sceneLab))
  struct LaunchOrderTests {
    /// Parts of system calls that the first paint does not need.
    private static let later = [
      // The watches for a bus that comes up, and for the time zone.
      "inotify_init1", "/etc/localtime\", O_RDONLY",
      // The sessions on disk.
      "fsync", ".session.tmp", "renameat",
      // The memory pressure of the program's group.
      "/proc/self/cgroup", "/proc/self/mountinfo", "memory.pressure",
      // The session manager's library, and preferences.
      "libSM", "libICE", "preferences",
    ]
    /// What a program opens that names default data, or asks for its directories, and this one never.
    private static let never = [
      ".default-data", "/.local/share/org.proscenium", "CACHEDIR.TAG", "user-dirs.dirs", "/program\"",
    ]
    /// Those that not every machine and program has.
    private static let possible = ["memory.pressure", "preferences"]

    @Test(
      "Watches, saves, memory pressure, libraries and preferences come after the request that shows the first window",
      .enabled(if: mustNotSkip || isInstalled("strace") && Requirement.sessionManager))
    func order() async throws {
      let desktop = try await PrivateDesktop(.none)
      let manager = try await SessionManager(Program.besideTests("TestSessionManager"))
      let folder = try TemporaryFolder()
      let log = folder.file("log")
      let program = try desktop.start(
        "env",
        [
          "-u", "MEMORY_PRESSURE_WATCH", "strace", "-f", "-qq", "-s", "600", "-o", log, DeskScenario.path, "--stay",
        ], environment: ["SESSION_MANAGER": manager.address])
      // Then they come, too
      try await waitUntil("what comes later", evidence: { program.evidence }) {
        let all = text(of: log)
        return Self.later.allSatisfy { all.contains($0) || Self.possible.contains($0) }
      }
      let calls = text(of: log).split(separator: "\n")
      let connects = try #require(calls.firstIndex { $0.contains(" write(") && $0.contains("sceneWillConnect") })
      // Until the loop waits for the first time, on several descriptors
      let main = try #require(calls.first?.split(separator: " ").first)
      let waits = try #require(
        calls[connects...].firstIndex {
          $0.hasPrefix(main) && $0.contains(" poll([") && $0.contains("}, {fd=") && !$0.contains("resumed")
        })
      let shows = try #require(calls[connects..<waits].lastIndex { $0.hasPrefix(main) && $0.contains(" writev(") })
      for part in Self.later {
        let early = calls[..<shows].first { $0.contains(part) }
        #expect(early == nil, "\(part)")
      }
      for part in Self.never {
        let call = calls.first { $0.contains(part) }
        #expect(call == nil, "\(part)")
      }
    }
  }
}
