import DeskSupport
import Glibc
import ScenarioKit
import SuiteSupport
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

extension ThirdDesk {
  /// What stands for a scene that is not there, under a real window manager.
  @Suite("Snapshots", .enabled(if: Requirement.sceneLab))
  struct SnapshotTests {
    private func pixels(_ run: DeskScenario, _ window: UInt32) -> Set<UInt32> {
      Set(run.desktop.desk.client.pixels(of: window, x: 0, y: 0, width: 300, height: 200) ?? [])
    }

    private func window(_ run: DeskScenario) throws -> UInt32 {
      try #require(try run.program.trace.lines().scenes.last?.window)
    }

    /// The pixels of the file that is kept of the one session.
    private func kept(_ home: TemporaryFolder) throws -> Set<UInt32> {
      let folder = home.file("state/org.proscenium.Scenario")
      let name = try #require(names(inFolder: folder).first { $0.hasSuffix(".qoi") })
      var status = stat()
      #expect(stat("\(folder)/\(name)", &status) == 0 && status.st_mode & 0o777 == 0o600)
      let bytes = try PosixFiles(path: folder).read(name, limit: 1 << 24)
      let picture = try #require(SnapshotFile.read(bytes)).picture
      #expect(picture.size == Size(width: 300, height: 200))
      var found: Set<UInt32> = []
      for y in 0..<200 { for x in 0..<300 { found.insert(picture[x, y] & 0xFF_FFFF) } }
      return found
    }

    private func waitForFile(_ home: TemporaryFolder) async throws {
      let folder = home.file("state/org.proscenium.Scenario")
      try await waitUntil("the picture on disk") { names(inFolder: folder).contains { $0.hasSuffix(".qoi") } }
    }

    @Test(
      "What the callback hid is in no file, and the picture shows until the first frame of the scene that comes back")
    func disconnected() async throws {
      try Requirement.windowManager(.openbox)
      let (secret, ground) = await (SecretWindow.secret.rgb, SecretWindow.ground.rgb)
      let home = try TemporaryFolder()
      // Given a window that shows something secret
      let run = try await DeskScenario(.openbox, arguments: ["--paint-late", "--stay"], home: home)
      defer { run.close() }
      try await run.desktop.settle(run.program) { $0.count == 1 && $0.allSatisfy(\.exists) }
      let window = try window(run)
      try await waitUntil("the first frame") { pixels(run, window) == [ground, secret] }
      // When it is made an icon
      try await run.perform("user minimize 1")
      try await waitForFile(home)
      // Then nothing of the secret is kept
      #expect(try kept(home) == [ground])
      // And when its scene has gone and the user brings it back, whose program takes its time to draw
      try await run.perform("disconnect 1")
      try await run.program.wait(for: "the disconnection") { lines in
        lines.contains { $0.name == "sceneDidDisconnect" } ? true : nil
      }
      run.desktop.desk.restore(window)
      try await waitUntil("the picture in the window", evidence: { run.program.evidence }) {
        pixels(run, window) == [ground]
      }
      try await run.desktop.settle(run.program) { $0.count == 1 && $0.allSatisfy { $0.expectedState != .background } }
      try await waitUntil("the picture still", evidence: { run.program.evidence }) { pixels(run, window) == [ground] }
      try await run.perform("paint 1")
      try await waitUntil("the first frame of the new scene") { pixels(run, window) == [ground, secret] }
      #expect(try run.program.trace.lines().filter { $0.kind == "error" }.isEmpty)
      // And the same when the program is started again
      run.program.send(SIGTERM)
      #expect(try await run.program.end() == .exited(0))
      #expect(try kept(home) == [ground])
      let again = try await DeskScenario(
        .openbox, arguments: ["--paint-late", "--stay"], on: run.desktop, home: home)
      defer { again.close() }
      try await run.desktop.settle(again.program) { $0.count == 1 && $0.allSatisfy(\.exists) }
      let restored = try self.window(again)
      try await waitUntil("the picture again", evidence: { again.program.evidence }) {
        pixels(again, restored) == [ground]
      }
      try await again.perform("paint 1")
      try await waitUntil("the first frame") { pixels(again, restored) == [ground, secret] }
      again.program.send(SIGTERM)
      #expect(try await again.program.end() == .exited(0))
    }

    @Test("Where windows stay mapped, what the window shows to compositing managers is the picture")
    func cover() async throws {
      try Requirement.windowManager(.mutter)
      let (secret, ground) = await (SecretWindow.secret.rgb, SecretWindow.ground.rgb)
      let run = try await DeskScenario(.mutter, arguments: ["--paint", "--stay"])
      defer { run.close() }
      try await run.desktop.settle(run.program) { $0.count == 1 && $0.allSatisfy(\.exists) }
      let window = try window(run)
      try await waitUntil("the first frame") { pixels(run, window) == [ground, secret] }
      try await run.perform("user minimize 1")
      try await waitUntil("the cover", evidence: { run.program.evidence }) { pixels(run, window) == [ground] }
      try await run.perform("user restore 1")
      try await waitUntil("the next frame") { pixels(run, window) == [ground, secret] }
      run.program.send(SIGTERM)
      #expect(try await run.program.end() == .exited(0))
    }
  }
}
