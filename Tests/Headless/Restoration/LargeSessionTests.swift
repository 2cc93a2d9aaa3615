import ProsceniumCore
import ProsceniumTesting
import ProsceniumTrace
import Testing

/// What a launch reads of sessions that are together too large for it.
@MainActor @Suite("Sessions that are too large to be read at once", .serialized) struct LargeSessionTests {
  /// A program whose sessions, from the first one that was active to the last, each pretend to have 10 MB.
  private func launch(
    _ disk: CuttableDisk, _ arguments: [String] = [], _ prepare: (SessionRunDelegate) -> Void = { _ in }
  ) -> (run: SessionRun, files: CountingFiles) {
    let files = CountingFiles(disk, recordSize: 10 << 20)
    return (SessionRun(files, prepare).launch(arguments), files)
  }

  private func stored() throws -> CuttableDisk {
    let disk = CuttableDisk()
    let run = SessionRun.saved(disk, ["a", "b", "c", "d", "e"])
    for scene in run.scenes {
      run.program.desk.focus(scene.window)
      run.platform.advance(by: 1100)
    }
    run.end()
    return disk.restarted(.nothing)
  }

  private func errors(_ run: SessionRun) -> [String] {
    run.program.entries.compactMap { if case .error(let message) = $0 { message } else { nil } }
  }

  @Test("A launch restores those that were active last; the others follow, or come when they are activated")
  func healthy() throws {
    let disk = try stored()
    let (run, files) = launch(disk)
    #expect(run.names == ["d", "e"] && files.reads.count == 2)
    #expect(errors(run).count == 1 && errors(run).first?.hasPrefix("Not all sessions are restored at once") == true)
    #expect(run.application.openSessions.count == 5)
    func states() -> [Scene.ActivationState?] { run.scenes.prefix(2).map { $0.scene?.activationState } }
    let before = states()
    run.platform.advance(by: 1000)
    #expect(run.names == ["b", "c", "d", "e"] && files.reads.count == 4)
    // And the focus stays where it is.
    #expect(states() == before && before.contains(.foregroundActive))
    // Nor is its window below theirs, whatever the window manager does with such.
    func window(_ name: String) -> WindowID? { run.scenes.first { $0.name == name }?.window?.id }
    let shown = run.platform.commands.compactMap { command -> WindowID? in
      if case .show(let id, _) = command { id } else { nil }
    }
    #expect(shown.suffix(3) == [window("b"), window("c"), window("e")].compactMap { $0 })
    for session in run.application.openSessions where session.scene == nil {
      run.application.requestSceneSessionActivation(session, userActivity: nil)
    }
    run.platform.advance(by: 100)
    #expect(run.names == ["a", "b", "c", "d", "e"])
    run.platform.advance(by: 2000)
    #expect(run.names == ["a", "b", "c", "d", "e"] && files.reads.count == 5 && Set(files.reads).count == 5)
    #expect(run.scenes.allSatisfy { scene in scene.name.map { scene.content == "text of \($0)" } == true })
    #expect(run.program.violations.isEmpty)
  }

  #if !WITHOUT_LaunchGuard
    @Test("Those of the rest that were connecting when the last run died are connected one after the other, too")
    func suspects() throws {
      let disk = try stored()
      try disk.dieConnecting()
      let run = SessionRun(CountingFiles(disk, recordSize: 10 << 20))
      // None is seen before the time limit of its connection.
      run.platform.windowManager.showsAtOnce = false
      run.launch()
      var counts = [run.names.count]
      for _ in 0..<400 {
        run.platform.advance(by: 100)
        counts.append(run.names.count)
      }
      #expect(counts.first == 1 && counts.last == 5)
      #expect(zip(counts, counts.dropFirst()).allSatisfy { $1 - $0 <= 1 }, "\(counts)")
    }
  #endif

  @Test("A program whose scenes are closed before the rest is there goes on, and ends with the last of the rest")
  func closed() throws {
    let (run, _) = launch(try stored())
    func close() {
      for window in run.scenes.compactMap(\.window) { run.program.desk.close(window) }
      run.platform.advance(by: 100)
    }
    close()
    #expect(run.names == [] && run.program.exitStatus == nil)
    run.platform.advance(by: 1000)
    #expect(run.names == ["b", "c"] && run.program.exitStatus == nil)
    run.platform.advance(by: 1000)
    #expect(run.names == ["a", "b", "c"])
    close()
    #expect(run.program.exitStatus == 0)
    #expect(run.program.violations.isEmpty)
  }

  @Test("A program whose scenes are closed ends where nothing of the rest can be read")
  func closedBeforeDamaged() throws {
    let disk = try stored()
    let names = try disk.names().filter { $0.hasSuffix(".session") }
    for name in names {
      let bytes = try disk.read(name, limit: .max)
      guard ["a", "b", "c"].contains(where: { String(decoding: bytes, as: UTF8.self).contains("text of \($0)") }) else {
        continue
      }
      let end = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
      disk.replace(name, with: bytes[...end] + Array("{rubbish}\n".utf8))
    }
    let (run, _) = launch(disk)
    for window in run.scenes.compactMap(\.window) { run.program.desk.close(window) }
    run.platform.advance(by: 100)
    #expect(run.program.exitStatus == nil)
    run.platform.advance(by: 2000)
    #expect(run.program.exitStatus == 0)
  }

  @Test("Each launch reads as many that are damaged at once, sets them aside, and reads none of them again")
  func damaged() throws {
    var disk = try stored()
    for name in try disk.names() where name.hasSuffix(".session") {
      let bytes = try disk.read(name, limit: .max)
      let end = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
      disk.replace(name, with: bytes[...end] + Array("{rubbish}\n".utf8))
    }
    var reads: [String] = []
    for count in [2, 2, 1, 0] {
      let (run, files) = launch(disk)
      #expect(files.reads.count == count && run.application.applicationState == .active)
      // The new scene that there is in their place is none of them.
      run.program.application.openSessions.compactMap(\.scene).forEach {
        run.application.requestSceneSessionDestruction($0.session, options: nil)
      }
      run.platform.advance(by: 100)
      reads += files.reads
      run.end()
      disk = disk.restarted(.nothing)
    }
    #expect(Set(reads).count == 5)
    #expect(try disk.names().count { $0.hasSuffix(".session.damaged") } == 5)
  }

  @Test("No more is read to find the session that an activity is for")
  func candidates() throws {
    let (run, files) = launch(try stored(), ["--background"])
    #expect(files.reads == [])
    let activity = UserActivity(activityType: "show")
    activity.targetContentIdentifier = "nobody's"
    // What has been read counts no more.
    for count in [2, 4, 5, 5] {
      run.application.requestSceneSessionActivation(nil, userActivity: activity)
      run.platform.advance(by: 1000)
      #expect(files.reads.count == count)
    }
  }

  @Test("No more is read to discard those that a launch does not restore; the delegate can read each")
  func discarded() throws {
    var names: [String] = []
    let (run, files) = launch(try stored()) { $0.manifest.sceneConfigurations[0].restorePolicy = .never }
    #expect(files.reads.count == 2)
    #expect(run.delegate.discarded.map(\.count) == [5])
    for session in run.delegate.discarded.first ?? [] { names += [session.userInfo?["name"] as? String ?? "?"] }
    #expect(names.count { $0 != "?" } >= 2)
  }
}
