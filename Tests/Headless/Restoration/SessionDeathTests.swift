import ProsceniumCore
import ProsceniumTesting
import Testing

/// What programs that were killed at random moments have shown.
@MainActor @Suite("Sessions of programs that were killed", .serialized) struct SessionDeathTests {
  @Test("A state that is to be asked for within a second is, whatever is saved in between")
  func stateOutlivesEarlySave() throws {
    // Given two scenes, one of which says that its state changed
    let disk = CuttableDisk()
    let run = SessionRun(disk).launch()
    run.open()
    run.platform.advance(by: 2000)
    let changed = run.scenes[0]
    changed.scene?.session.userInfo = ["name": "changed"]
    changed.content = "changed"
    changed.scene?.invalidateRestorableState()
    // When the other one is closed, which saves at once, and the program is killed after the second
    run.platform.advance(by: 500)
    run.program.desk.close(try #require(run.scenes[1].window))
    run.platform.advance(by: 501)
    run.kill()
    // Then the state was saved
    let next = SessionRun(disk).launch()
    #expect(next.delegate.scenes.map(\.content) == ["changed"])
  }

  @Test("Of several that were connecting when a run died, one that cannot be read does not keep the others away")
  func damagedSuspect() throws {
    // Given three sessions that were all connecting when the program died
    let disk = CuttableDisk()
    let first = SessionRun(disk).launch()
    first.open()
    first.open()
    for (scene, name) in zip(first.delegate.scenes, ["a", "b", "c"]) { scene.scene?.session.userInfo = ["name": name] }
    let identifier = try #require(first.delegate.scenes[0].scene?.session.persistentIdentifier)
    first.end()
    let crashed = SessionRun(disk)
    crashed.platform.showsAtOnce = false
    crashed.launch()
    crashed.kill()
    // When the first of them is damaged within
    let name = identifier + ".session"
    let record = String(decoding: try disk.read(name, limit: 1 << 20), as: UTF8.self)
    let header = record.prefix { $0 != "\n" }
    try disk.write(name, Array("\(header)\n{\"title\":7}\n".utf8))
    // Then the others come back
    let next = SessionRun(disk).launch()
    next.platform.advance(by: 10_000)
    #expect(next.names == ["b", "c"])
  }

  @Test("A run in the background that follows a death within a connection may be suspended")
  func background() {
    let disk = CuttableDisk()
    SessionRun(disk).launch().end()
    let crashed = SessionRun(disk)
    crashed.platform.showsAtOnce = false
    crashed.launch()
    crashed.kill()
    let next = SessionRun(disk) { $0.manifest.suspensionPolicy = .whenAllInBackground }.launch(["--background"])
    next.platform.advance(by: 20_000)
    #expect(next.platform.isSuspended)
    // And what was connecting then comes when it is asked for
    next.application.openSessions.first.map {
      next.application.activateSceneSession(for: SceneSessionActivationRequest(session: $0))
    }
    next.platform.deliver()
    #expect(next.scenes.count == 1)
  }
}
