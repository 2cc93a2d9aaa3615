import DeskSupport
import FoundationEssentials
import Glibc
import SuiteSupport
import Testing

extension ThirdDesk {
  /// The directories of a real process, and a real full disk.
  @Suite("The directories of a program", .enabled(if: Requirement.sceneLab))
  struct DirectoriesProgramTests {
    @Test("They are where the environment says; the temporary one is gone after the end")
    func directories() async throws {
      let home = try TemporaryFolder()
      try home.write(".config/user-dirs.dirs", "XDG_DOCUMENTS_DIR=\"$HOME/Papers\"\n")
      let run = try await DeskScenario(
        .openbox, arguments: ["--stay"], environment: ["XDG_CACHE_HOME": home.file("caches"), "TMPDIR": home.path],
        home: home)
      defer { run.close() }
      try await run.desktop.settle(run.program)
      #expect(!FileManager.default.fileExists(atPath: home.file("caches")))
      try await run.perform("directories")
      let lines = run.program.output.split(separator: "\n").map(String.init)
      func path(_ word: String) -> String? {
        lines.last { $0.hasPrefix(word + " /") }.map { String($0.dropFirst(word.count + 1)) }
      }
      let id = "org.proscenium.Scenario"
      #expect(path("support") == home.file(".local/share/\(id)"), "\(run.program.evidence)")
      #expect(path("documents") == home.file("Papers") && path("caches") == home.file("caches/\(id)"))
      #expect(path("state") == home.file("state/\(id)/program"))
      #expect(home.read("caches/\(id)/CACHEDIR.TAG").hasPrefix("Signature: 8a477f597d28d172789f06886806bc55"))
      let temporary = try #require(path("temporary"))
      #expect(temporary.hasPrefix(home.file(id + "-")) && FileManager.default.fileExists(atPath: temporary))
      run.program.send(SIGTERM)
      #expect(try await run.program.end() == .exited(0))
      #expect(!FileManager.default.fileExists(atPath: temporary))
    }

    @Test("On a full disk the program is told that its caches should shrink", .enabled(if: FaultyDisk.isAvailable))
    func full() async throws {
      let home = try TemporaryFolder()
      let disk = try await FaultyDisk(home)
      let run = try await DeskScenario(
        .openbox, arguments: ["--stay"], environment: disk.environment, home: home)
      defer { run.close() }
      try await run.desktop.settle(run.program)
      try await run.perform("directories")
      try disk.become(FaultyDisk.Illness(mode: .fail, call: .write))
      let session = try #require(try run.program.trace.lines().scenes.first?.identifier)
      try await run.perform("keep \(session) word")
      try await waitUntil("the program to be told", evidence: { run.program.evidence }) {
        run.program.output.contains("shrink for disk")
      }
      #expect(try run.program.trace.lines().count { $0.name == "cachesShouldShrink" } == 1, "\(run.program.evidence)")
      run.program.send(SIGKILL)
      _ = try await run.program.end()
    }
  }
}
