import ProsceniumCore
import ProsceniumTesting
import Testing

/// Sessions that were connecting when the program died.
@MainActor @Suite("Sessions whose connection killed the program", .serialized) struct LaunchGuardTests {
  @Test("A session whose connection killed the last two runs is held back, kept, and may be tried again")
  func crashGuard() throws {
    let disk = CuttableDisk()
    let first = SessionRun.saved(disk, ["good", "bad", "fine"])
    first.end()
    // Two runs die in the connection of one of them.
    for round in 0..<2 {
      let run = SessionRun(disk)
      run.delegate.onConnect = { [weak run] scene in if scene.name == "bad" { run?.kill() } }
      run.launch()
      #expect(run.names.contains("good"), "\(round)")
      run.kill()
    }
    let third = SessionRun(disk).launch()
    third.platform.advance(by: 10_000)
    #expect(third.names == ["fine", "good"])
    #expect(third.delegate.held.map { $0.userInfo?["name"] as? String } == ["bad"])
    let bad = try #require(third.delegate.held.first)
    #expect(bad.holdReason == .connectionCrashed)
    third.application.requestSceneSessionActivation(bad, userActivity: nil)
    third.platform.deliver()
    third.platform.advance(by: 100)
    #expect(third.names == ["bad", "fine", "good"])
    #expect(bad.holdReason == nil)
    third.end()
    let fourth = SessionRun(disk).launch()
    #expect(fourth.names == ["bad", "fine", "good"] && fourth.delegate.held.isEmpty)
  }

  @Test("One crash blames no session: the next run connects those that were connecting one after the other")
  func oneCrash() {
    let disk = CuttableDisk()
    SessionRun.saved(disk, ["a", "b", "c"]).end()
    let crashed = SessionRun(disk)
    crashed.delegate.onConnect = { [weak crashed] scene in if scene.name == "b" { crashed?.kill() } }
    crashed.launch()
    crashed.kill()
    let next = SessionRun(disk)
    next.platform.windowManager.showsAtOnce = false
    next.launch()
    // One suspect is under way and has not been seen yet: the other one waits.
    let connected = next.names.count
    #expect(connected < 3)
    next.platform.advance(by: 30_000)
    #expect(next.names == ["a", "b", "c"])
    #expect(next.delegate.held.isEmpty)
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
    crashed.platform.windowManager.showsAtOnce = false
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

  @Test("A damaged record among those that were connecting at the last death does not stop the others")
  func damagedRecord() throws {
    let disk = CuttableDisk()
    let first = SessionRun.saved(disk, ["a", "b"])
    let damaged = try #require(first.scenes[0].scene?.session.persistentIdentifier)
    first.end()
    let crashed = SessionRun(disk)
    crashed.platform.windowManager.showsAtOnce = false
    crashed.launch().kill()
    let name = "\(damaged).session"
    let bytes = try disk.read(name, limit: 1 << 20)
    let start = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
    try disk.write(name, Array(bytes[...start]) + Array("{\"activity\":7}\n".utf8))
    let next = SessionRun(disk).launch()
    next.platform.advance(by: 20_000)
    #expect(next.names == ["b"])
  }

  @Test("A scene that is never seen counts as connecting for five seconds", arguments: [(1000, 1), (5000, 0)])
  func neverSeen(_ milliseconds: Int, _ held: Int) {
    let disk = CuttableDisk()
    SessionRun.saved(disk, ["a"]).end()
    for _ in 0..<2 {
      let run = SessionRun(disk)
      run.platform.windowManager.showsAtOnce = false
      run.launch()
      run.platform.advance(by: milliseconds)
      run.kill()
    }
    #expect(SessionRun(disk).launch().delegate.held.count == held)
  }

  #if !WITHOUT_Suspension
    @Test("A run in the background that follows a death within a connection may be suspended")
    func background() {
      let disk = CuttableDisk()
      SessionRun(disk).launch().end()
      let crashed = SessionRun(disk)
      crashed.platform.windowManager.showsAtOnce = false
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
  #endif
}
