import ProsceniumCore
import ProsceniumTesting
import SceneLifecycle
import Testing

/// What happens to kept sessions in the moments when two things happen at once.
@MainActor @Suite("Sessions between two things", .serialized) struct SessionRestorationTests {
  private func created(_ run: SessionRun) -> [WindowDescription] {
    run.platform.commands.compactMap { if case .create(_, let description) = $0 { description } else { nil } }
  }

  private func activations(_ run: SessionRun) -> Int {
    run.platform.commands.count { if case .show(_, .activated) = $0 { true } else { false } }
  }

  private func activate(_ session: SceneSession, _ run: SessionRun) {
    run.application.requestSceneSessionActivation(session, userActivity: nil)
    run.platform.deliver()
    run.platform.advance(by: 200)
  }

  // MARK: Saving

  @Test("The scene's delegate is the last to add to what is saved")
  func didUpdate() throws {
    let disk = CuttableDisk()
    let run = SessionRun(disk).launch()
    run.delegate.onUpdate = { $0.addUserInfoEntries(from: ["content": "added last"]) }
    run.scenes[0].content = "first"
    run.end()
    let next = SessionRun(disk.restarted(.unsynced(seed: 1))).launch()
    #expect(next.scenes.map(\.content) == ["added last"])
  }

  @Test("A changed state is asked for within a second, though another scene's change is saved meanwhile")
  func invalidationAndResign() throws {
    let disk = CuttableDisk()
    let run = SessionRun.saved(disk, ["a", "b"])
    run.scenes[1].content = "changed"
    run.scenes[1].scene?.invalidateRestorableState()
    // The focus goes to the other scene: what changed is saved at once, and no scene is asked.
    run.program.desk.focus(run.scenes[0].window)
    run.platform.advance(by: 1100)
    run.kill()
    let second = SessionRun(disk).launch()
    #expect(second.delegate.scenes.map(\.content).contains("changed"))
  }

  @Test("A delegate that calls for being asked while it is asked is not asked once a second for ever")
  func invalidationWithinAsk() {
    let run = SessionRun.saved(CuttableDisk(), ["a"])
    run.delegate.onAsk = { $0.scene?.invalidateRestorableState() }
    run.scenes[0].scene?.invalidateRestorableState()
    run.platform.advance(by: 10_000)
    #expect(run.calls.count { $0 == "ask" } == 1)
  }

  #if !WITHOUT_OpenRequests
    @Test("An activity's delegate hears that a scene goes on with it, a connected one and a new one")
    func continuation() {
      final class Listener: UserActivityDelegate {
        var count = 0
        func userActivityWasContinued(_ userActivity: UserActivity) { count += 1 }
      }
      let run = SessionRun.saved(CuttableDisk(), ["a"])
      let listener = Listener()
      let activity = UserActivity(activityType: "show")
      activity.delegate = listener
      run.application.requestSceneSessionActivation(run.scenes[0].scene?.session, userActivity: activity)
      run.platform.advance(by: 100)
      #expect(listener.count == 1)
      run.application.requestSceneSessionActivation(nil, userActivity: activity)
      run.platform.advance(by: 100)
      #expect(listener.count == 2)
      #expect(run.delegate.options.last?.userActivities == [activity])
    }
  #endif

  @Test("An activity that a scene's delegate has asks for its scene's state when it needs to be saved")
  func delegateActivity() {
    let disk = CuttableDisk()
    let run = SessionRun.saved(disk, ["a"])
    run.scenes[0].content = "changed"
    run.scenes[0].userActivity = UserActivity(activityType: "edit")
    run.scenes[0].userActivity?.needsSave = true
    run.platform.advance(by: 1100)
    run.kill()
    #expect(SessionRun(disk).launch().delegate.scenes.map(\.content) == ["changed"])
  }

  @Test("A title is saved by itself, and a disconnected session keeps the one that it had")
  func titles() throws {
    let disk = CuttableDisk()
    let first = SessionRun.saved(disk, ["a", "b"])
    first.scenes[0].window?.title = "Letter"
    first.platform.advance(by: 1100)
    first.program.desk.minimize(try #require(first.scenes[0].window))
    first.platform.advance(by: 3000)
    let session = try #require(first.scenes[0].scene?.session)
    first.application.requestSceneDisconnection(session)
    first.platform.advance(by: 3000)
    #expect(session.scene == nil)
    first.end()
    let second = SessionRun(disk).launch()
    #expect(second.platform.windows.values.first { $0.isBare }?.description.title == "Letter")
  }

  @Test("A session that is refreshed and disconnected comes back as if it had never been")
  func refreshKeepsPresence() throws {
    let disk = CuttableDisk()
    SessionRun.saved(disk, ["a"]).end()
    let second = SessionRun(disk).launch(["--background"])
    let session = try #require(second.application.openSessions.first)
    second.application.requestSceneSessionRefresh(session)
    second.platform.advance(by: 100)
    #expect(session.scene?.activationState == .background)
    second.application.requestSceneDisconnection(session)
    second.platform.advance(by: 2000)
    #expect(session.scene == nil)
    second.end()
    #expect(SessionRun(disk).launch().names == ["a"])
  }

  // MARK: Connecting

  @Test("A session that an activation brings back after a launch in the background has its place")
  func activationPlace() throws {
    let disk = CuttableDisk()
    let first = SessionRun.saved(disk, ["a"])
    let frame = Rect(x: 30, y: 40, width: 500, height: 300)
    first.platform.send(.geometry(try #require(first.scenes[0].window?.id), WindowGeometry(frame: frame)))
    first.end()
    let second = SessionRun(disk).launch(["--background"])
    activate(try #require(second.application.openSessions.first), second)
    #expect(created(second).map { $0.placement?.frame } == [frame])
  }

  @Test(
    "Where one scene is all there may be, the last of several stored sessions is the one, and it stays the only one")
  func singleScene() {
    let disk = CuttableDisk()
    SessionRun.saved(disk, ["a", "b"]).end()
    let second = SessionRun(disk) { $0.manifest.supportsMultipleScenes = false }.launch()
    #expect(second.names == ["b"])
    var failure: (any Error)?
    second.application.activateSceneSession(for: SceneSessionActivationRequest()) { failure = $0 }
    second.platform.advance(by: 100)
    #expect((failure as? SceneError)?.code == .multipleScenesNotSupported)
    failure = nil
    let other = second.application.openSessions.first { $0.scene == nil }
    second.application.requestSceneSessionActivation(other, userActivity: nil) { failure = $0 }
    second.platform.advance(by: 100)
    #expect((failure as? SceneError)?.code == .multipleScenesNotSupported)
    #expect(second.names == ["b"])
  }

  @Test("Where one scene is all there may be, it is the last one that can be read, or a new one", arguments: 0...3)
  func singleSceneDamaged(good: Int) throws {
    let disk = CuttableDisk()
    SessionRun.saved(disk, ["a", "b", "c"]).end()
    // By their names, which are not in order, and their contents
    let files = try disk.names().filter { $0.hasSuffix(".session") }
    for file in files {
      let bytes = try disk.read(file, limit: 1 << 20)
      let name = try #require(
        ["a", "b", "c"].first { String(decoding: bytes, as: UTF8.self).contains("text of \($0)") })
      if name > ["", "a", "b", "c"][good] {
        try disk.write(file, bytes.map { $0 == UInt8(ascii: ":") ? UInt8(ascii: ";") : $0 })
      }
    }
    let second = SessionRun(disk) { $0.manifest.supportsMultipleScenes = false }.launch()
    #expect(second.program.exitStatus == nil && second.scenes.count == 1)
    #expect(second.names == (good == 0 ? [] : [["a", "b", "c"][good - 1]]))
    #expect(second.scenes.first?.scene?.activationState == .foregroundActive)
  }

  #if !WITHOUT_OpenRequests
    @Test("Where one scene is all there may be, it gets the URL of the launch whatever its conditions say")
    func singleSceneURL() throws {
      let disk = CuttableDisk()
      let first = SessionRun.saved(disk, ["a"])
      first.scenes[0].scene?.activationConditions.canActivateForTargetContentIdentifier = .none
      first.end()
      let second = SessionRun(disk) { $0.manifest.supportsMultipleScenes = false }.launch(["note:1"])
      #expect(second.names == ["a"])
      #expect(second.delegate.options.map { $0.urlContexts.count } == [1])
    }

    @Test("A URL at the launch brings the session that it is for into sight, though it was an icon on another desktop")
    func iconURL() throws {
      let disk = CuttableDisk()
      let first = SessionRun.saved(disk, ["a", "b"])
      let window = try #require(first.scenes[0].window?.id)
      first.scenes[0].scene?.activationConditions.prefersToActivateForTargetContentIdentifier = .prefix("note:")
      first.platform.send(window, toDesktop: 2)
      first.platform.minimize(window)
      first.platform.advance(by: 2000)
      first.kill()
      let second = SessionRun(disk).launch(["note:1"])
      let scene = try #require(second.delegate.scenes.first { $0.name == "a" }?.scene)
      #expect(scene.activationState == .foregroundActive)
      #expect(created(second).first { $0.role == scene.session.persistentIdentifier }?.placement?.desktop == nil)
    }
  #endif

  @Test("Where one scene is all there may be, one that is held back makes room for a new one")
  func singleSceneHeldBack() {
    let disk = CuttableDisk()
    SessionRun.saved(disk, ["a"]).end()
    let second = SessionRun(disk) {
      $0.manifest.supportsMultipleScenes = false
      $0.configure("Other")
    }.launch()
    #expect(second.delegate.held.count == 1)
    #expect(second.scenes.map { $0.scene?.activationState } == [.foregroundActive])
  }

  #if !WITHOUT_ExternalDisplays
    @Test("Where nothing can be connected the program ends, though there are sessions that are held back")
    func nothingToConnect() {
      let disk = CuttableDisk()
      SessionRun.saved(disk, ["a"]).end()
      let second = SessionRun(disk) {
        $0.configure("Other", .windowExternalDisplayNonInteractive)
      }.launch()
      #expect(second.platform.quitStatus == 1)
      #expect(SessionRun(disk).launch().names == ["a"])
    }
  #endif

  @Test("Closed to the background, a session is what the next launch shows, rather than something new")
  func closedToBackground() throws {
    let disk = CuttableDisk()
    let prepare: (SessionRunDelegate) -> Void = { $0.manifest.sceneConfigurations[0].closePolicy = .background }
    let first = SessionRun.saved(disk, ["a"], prepare)
    first.program.desk.close(try #require(first.scenes[0].window))
    first.platform.advance(by: 2000)
    first.end()
    let second = SessionRun(disk, prepare).launch()
    #expect(second.names == ["a"])
    #expect(second.application.openSessions.count == 1)
    #expect(second.scenes.map { $0.scene?.activationState } == [.foregroundActive])
  }

  @Test("After a run that ended while the desktop was shown, the last used window has the focus again")
  func shownDesktop() throws {
    let disk = CuttableDisk()
    let first = SessionRun.saved(disk, ["a", "b"])
    for scene in first.scenes {
      let id = try #require(scene.window?.id)
      first.platform.send(.geometry(id, WindowGeometry(frame: Rect(x: 1, y: 2, width: 300, height: 200))))
      first.platform.send(.levels(id, WindowLevels(visible: false, visibleCause: "showing-desktop")))
    }
    first.platform.advance(by: 3000)
    #expect(first.scenes.map { $0.scene?.activationState } == [.background, .background])
    first.kill()
    let second = SessionRun(disk).launch()
    second.platform.advance(by: 1000)
    #expect(second.names == ["a", "b"])
    #expect(second.scenes.first { $0.name == "b" }?.scene?.activationState == .foregroundActive)
  }

  @Test("Windows that were not used come back in the order in which they came")
  func neverActive() {
    let disk = CuttableDisk()
    let first = SessionRun(disk)
    first.platform.windowManager.obeysActivation = false
    first.launch()
    for _ in 0..<7 { first.open() }
    for (number, scene) in first.delegate.scenes.enumerated() { scene.scene?.session.userInfo = ["name": "\(number)"] }
    first.end()
    let second = SessionRun(disk).launch()
    #expect(second.delegate.scenes.map { $0.name } == (0..<8).map { "\($0)" })
  }

  @Test("Destroying a session that has no window does not end a program that was launched in the background")
  func destroyUnseen() throws {
    let disk = CuttableDisk()
    SessionRun.saved(disk, ["a", "b"]).end()
    let second = SessionRun(disk).launch(["--background"])
    second.application.requestSceneSessionDestruction(try #require(second.application.openSessions.first))
    second.platform.advance(by: 100)
    #expect(second.platform.quitStatus == nil)
    #expect(second.application.openSessions.count == 1)
    #expect(second.calls.contains("didDiscardSceneSessions 1"))
  }

  @Test("A start without a display is no death")
  func noDisplay() {
    let disk = CuttableDisk()
    let first = SessionRun(disk)
    first.platform.startError = PlatformError("There is no display.")
    first.launch()
    #expect(SessionRun(disk).launch().reason() == "launch")
  }

  // MARK: Restoration that takes a while

  /// A second run whose scenes wait for their content.
  private func waiting(_ disk: CuttableDisk) -> SessionRun {
    let run = SessionRun(disk)
    run.delegate.onRestore = { scene in
      scene.content = "not there yet"
      scene.scene?.extendStateRestoration()
    }
    return run.launch()
  }

  @Test("A scene whose state is being brought back is out of sight until it is complete, and then has the focus")
  func extended() {
    let disk = CuttableDisk()
    SessionRun.saved(disk, ["a"]).end()
    let second = waiting(disk)
    second.platform.advance(by: 3000)
    #expect(second.scenes.map { $0.scene?.activationState } == [.background])
    #expect(second.platform.windows.values.allSatisfy { !$0.isMapped })
    second.scenes[0].scene?.completeStateRestoration()
    second.platform.advance(by: 100)
    #expect(second.scenes.map { $0.scene?.activationState } == [.foregroundActive])
  }

  @Test("The end in the middle of a restoration does not replace what was saved", arguments: [15, 9] as [Int32])
  func endWithinRestoration(_ signal: Int32) {
    let disk = CuttableDisk()
    SessionRun.saved(disk, ["a"]).end()
    let second = waiting(disk)
    second.scenes[0].scene?.invalidateRestorableState()
    second.platform.advance(by: 1500)
    if signal == 9 { second.kill() } else { second.end(signal) }
    let third = SessionRun(disk).launch()
    #expect(third.delegate.scenes.map(\.content) == ["text of a"])
  }

  @Test("A refresh of a session that takes its time does not replace what was saved; it is asked when it is complete")
  func refreshWithinRestoration() throws {
    let disk = CuttableDisk()
    SessionRun.saved(disk, ["a"]).end()
    let second = SessionRun(disk)
    second.delegate.onRestore = { scene in
      scene.content = "not there yet"
      scene.scene?.extendStateRestoration()
    }
    second.launch(["--background"])
    let session = try #require(second.application.openSessions.first)
    second.application.requestSceneSessionRefresh(session)
    second.platform.advance(by: 2000)
    #expect(session.stateRestorationActivity?.userInfo?["content"] as? String == "text of a")
    second.scenes[0].content = "there"
    second.scenes[0].scene?.completeStateRestoration()
    second.platform.advance(by: 2000)
    #expect(session.stateRestorationActivity?.userInfo?["content"] as? String == "there")
  }

  @Test("An iconic session that is activated comes to the front when its state has been brought back")
  func activationWithinRestoration() throws {
    let disk = CuttableDisk()
    let first = SessionRun.saved(disk, ["a", "b"])
    first.program.desk.minimize(try #require(first.scenes[0].window))
    first.platform.advance(by: 3000)
    first.end()
    let second = SessionRun(disk).launch()
    second.delegate.onRestore = { $0.scene?.extendStateRestoration() }
    let session = try #require(second.application.openSessions.first { $0.scene == nil })
    let before = activations(second)
    activate(session, second)
    #expect(activations(second) == before)
    (session.scene as? WindowScene)?.completeStateRestoration()
    second.platform.advance(by: 200)
    #expect(session.scene?.activationState == .foregroundActive)
    #expect(activations(second) == before + 1)
  }

  @Test("A limit of any length is a limit")
  func limits() {
    for limit in [Duration.seconds(Int64.max), .zero, .seconds(-5)] {
      let disk = CuttableDisk()
      SessionRun.saved(disk, ["a"]).end()
      let second = SessionRun(disk)
      second.delegate.onRestore = { $0.scene?.extendStateRestoration(limit: limit) {} }
      second.launch()
      second.platform.advance(by: 3_600_000)
      #expect(second.scenes.map { $0.scene?.activationState } == [.foregroundActive])
    }
  }

  @Test("Of several extensions the limit that ends last counts, and no operation runs where there is none")
  func severalLimits() throws {
    let disk = CuttableDisk()
    SessionRun.saved(disk, ["a"]).end()
    let second = SessionRun(disk)
    second.delegate.onRestore = { scene in
      for seconds in [2, 20, 4] as [Int64] { scene.scene?.extendStateRestoration(limit: .seconds(seconds)) {} }
    }
    second.launch()
    second.platform.advance(by: 19_000)
    #expect(second.scenes.map { $0.scene?.activationState } == [.background])
    second.platform.advance(by: 1000)
    let scene = try #require(second.scenes.first?.scene)
    #expect(scene.activationState == .foregroundActive)
    // No extension is left that the next one could be a part of.
    scene.extendStateRestoration(limit: .seconds(1)) { Issue.record("The scene is in the foreground.") }
    second.platform.advance(by: 5000)
    #expect(scene.activationState == .foregroundActive)
  }

  // MARK: Endings

  @Test("While an answer is awaited, the cause is the strongest one")
  func strongestCause() {
    let run = SessionRun.saved(CuttableDisk(), ["a"])
    run.delegate.terminateReply = .later
    run.application.terminate()
    run.platform.deliver()
    #expect(run.application.terminationCause == .requested)
    run.end()
    #expect(run.application.terminationCause == .signal)
    run.application.reply(toApplicationShouldTerminate: false)
    run.platform.deliver()
    #expect(run.platform.quitStatus == 0)
  }

  @Test("A last close that is refused leaves the program running; a signal ends it in order")
  func refusedLastClose() throws {
    let run = SessionRun.saved(CuttableDisk(), ["a"])
    run.delegate.terminateReply = .cancel
    run.program.desk.close(try #require(run.scenes[0].window))
    run.platform.advance(by: 1000)
    #expect(run.platform.quitStatus == nil)
    #expect(run.application.terminationCause == nil)
    run.end()
    #expect(run.platform.quitStatus == 0)
    #expect(run.calls.suffix(2) == ["applicationShouldTerminate signal", "applicationWillTerminate"])
  }

  @Test("What is asked for in the last callbacks is kept or refused, and nothing is called after the end")
  func lastWords() throws {
    let disk = CuttableDisk()
    let run = SessionRun.saved(disk, ["a", "b"])
    run.delegate.onAsk = { [weak run] scene in
      scene.scene?.session.userInfo = ["name": "last \(scene.name ?? "")"]
      run?.application.terminate(status: 3)
      run?.application.activateSceneSession(for: SceneSessionActivationRequest()) { _ in }
      if let session = scene.scene?.session { run?.application.requestSceneSessionDestruction(session) { _ in } }
    }
    run.end()
    #expect(run.calls.last == "applicationWillTerminate")
    #expect(SessionRun(disk).launch().names == ["last a", "last b"])
  }

  // MARK: What is left

  @Test("A run leaves nothing in memory, however often there is one")
  func memory() {
    final class Witness {
      weak var application: Application?
      weak var delegate: SessionRunDelegate?
      weak var session: SceneSession?
      weak var scene: Scene?
    }
    let disk = CuttableDisk()
    var witnesses: [Witness] = []
    for round in 0..<100 {
      let run = SessionRun(disk).launch()
      let witness = Witness()
      witness.application = run.application
      witness.delegate = run.delegate
      witness.scene = run.scenes.first?.scene
      witness.session = witness.scene?.session
      #expect(witness.session != nil)
      witnesses.append(witness)
      if round % 2 == 0 { run.end() } else { run.kill() }
    }
    // The last application stays the shared one, and what it has open with it.
    let left = witnesses.dropLast().filter {
      $0.application != nil || $0.delegate != nil || $0.session != nil || $0.scene != nil
    }
    #expect(left.isEmpty)
  }
}
