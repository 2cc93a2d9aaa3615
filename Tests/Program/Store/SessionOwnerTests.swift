import DeskSupport
import FoundationEssentials
import Glibc
import SuiteSupport
import Testing

extension ThirdDesk {
  /// One application's store has one owner, for as long as it lives.
  @Suite("Owners of sessions", .enabled(if: Requirement.sceneLab))
  struct SessionOwnerTests {
    @Test("A second program ends with 1 and says who runs and where; when the first is killed, the next one runs")
    func secondProgram() async throws {
      // Given a program
      let desktop = try await PrivateDesktop(.openbox)
      let home = try TemporaryFolder()
      let first = try desktop.start(Program.besideTests("SceneLab"), ["--scenes", "2"], home: home)
      try await desktop.settle(first, "two scenes") { $0.count == 2 && $0.allSatisfy(\.exists) }
      // When a second one is started
      let second = try desktop.start(Program.besideTests("SceneLab"), home: home)
      // Then it ends, and says why
      #expect(try await second.end() == .exited(1))
      #expect(second.errors.contains("process \(first.pid) "), "\(second.evidence)")
      #expect(second.errors.contains("display \(desktop.server.display)"), "\(second.evidence)")
      // And when the first is killed, the next one has its windows
      first.send(SIGKILL)
      _ = try await first.end()
      let third = try desktop.start(Program.besideTests("SceneLab"), home: home)
      try await desktop.settle(third, "two scenes again") { $0.count == 2 && $0.allSatisfy(\.exists) }
      #expect(
        try Set(third.trace.lines().scenes.map(\.identifier)) == Set(first.trace.lines().scenes.map(\.identifier)))
    }

    @Test("A child of a program that was killed does not keep its sessions")
    func child() async throws {
      // Given a program with a child that inherited whatever a child inherits
      let home = try TemporaryFolder()
      let first = try await DeskScenario(.openbox, arguments: [], home: home)
      defer { first.close() }
      try await first.desktop.settle(first.program)
      try await first.perform("child")
      let word = first.program.output.split(separator: "\n").first { $0.hasPrefix("child ") }?.dropFirst(6)
      let child = try #require(word.flatMap { pid_t($0) })
      defer { kill(child, SIGKILL) }
      // When the program is killed and the child is not
      first.program.send(SIGKILL)
      _ = try await first.program.end()
      #expect(kill(child, 0) == 0, "the child has gone, so nothing was shown")
      // Then the next program has the sessions
      let second = try first.desktop.start(DeskScenario.path, home: home)
      try await first.desktop.settle(second, "the scene again") { $0.count == 1 && $0.allSatisfy(\.exists) }
      #expect(kill(child, 0) == 0)
    }
  }

  /// A thousand sessions, of which none is shown.
  @Suite("Many sessions", .enabled(if: Requirement.sceneLab))
  struct ManySessionsTests {
    static let count = 1000

    /// A home with that many sessions, all with this object.
    private func home(_ body: String) throws -> (home: TemporaryFolder, path: String) {
      let home = try TemporaryFolder()
      let path = home.file("state/org.proscenium.Scenario")
      for number in 0..<Self.count {
        let line = "proscenium-session 2 session-\(number) \(1_700_000_000 + number).5 hidden windowApplication Main"
        try home.write("state/org.proscenium.Scenario/session-\(number).session", "\(line)\n\(body)\n", mode: 0o600)
      }
      return (home, path)
    }

    private func names(_ path: String) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    @Test("A launch in the background reads none of them; asking for one reads that one")
    func background() async throws {
      // Given records whose first lines are good, and the rest of which cannot be read
      let (home, path) = try home(#"{"title":7}"#)
      let run = try await DeskScenario(.openbox, arguments: ["--background", "--stay"], home: home)
      defer { run.close() }
      try await run.program.wait(for: "the launch") { lines in
        lines.first { $0.name == "didFinishLaunchingWithOptions" }
      }
      // When the program has done all that it does by itself
      try await run.perform("nothing")
      // Then nothing was found to be damaged
      #expect(names(path).count { $0.hasSuffix(".damaged") } == 0)
      #expect(try run.program.trace.lines().filter { $0.kind == "error" }.isEmpty)
      // And one that is asked for is
      try await run.perform("keep session-500 text")
      #expect(names(path).filter { $0.hasSuffix(".damaged") } == ["session-500.session.damaged"])
    }

    @Test("One session's change writes one small file")
    func oneChange() async throws {
      // Given a program that has launched among them
      let (home, path) = try home(#"{"title":"one of many","userInfo":{"text":"as it was"}}"#)
      let run = try await DeskScenario(.openbox, arguments: ["--background", "--stay"], home: home)
      defer { run.close() }
      try await run.perform("nothing")
      let before = stamps(path)
      #expect(before.count >= Self.count)
      // When one of them changes
      try await run.perform("keep session-7 changed")
      try await waitUntil("the change on disk", evidence: { run.program.evidence }) {
        text(of: "\(path)/session-7.session").contains("changed")
      }
      run.program.send(SIGTERM)
      #expect(try await run.program.end() == .exited(0))
      // Then its file is another one, and a small one; of the others only the list of runs has changed
      let after = stamps(path)
      #expect(Set(after.filter { before[$0.key] != $0.value }.keys) == ["session-7.session", "runs"])
      #expect(after["session-7.session"]?.size ?? 0 < 1000)
      #expect(Set(after.keys) == Set(before.keys))
    }

    private struct Stamp: Equatable {
      var inode: UInt
      var size: Int
      var seconds: Int
      var nanoseconds: Int
    }

    private func stamps(_ path: String) -> [String: Stamp] {
      var stamps: [String: Stamp] = [:]
      for name in names(path) {
        var status = stat()
        guard lstat("\(path)/\(name)", &status) == 0 else { continue }
        stamps[name] = Stamp(
          inode: UInt(status.st_ino), size: Int(status.st_size), seconds: status.st_mtim.tv_sec,
          nanoseconds: status.st_mtim.tv_nsec)
      }
      return stamps
    }
  }
}
