import ProsceniumCore
import ProsceniumStore
import ProsceniumTesting
import SceneLifecycle
import Testing

/// Sessions that outlive the process, on a disk in memory.
@MainActor @Suite("Sessions that survive", .serialized) struct SessionTests {
  private func identifiers(_ run: SessionRun) -> Set<String> {
    Set(run.application.openSessions.map(\.persistentIdentifier))
  }

  @Test("Quit and launched again, every scene comes back with its identity, its userInfo and its state")
  func quitAndBack() {
    let disk = CuttableDisk()
    let first = SessionRun.saved(disk, ["a", "b", "c"])
    let before = identifiers(first)
    first.application.terminate()
    first.platform.deliver()
    #expect(first.platform.quitStatus == 0)
    #expect(first.calls.last == "applicationWillTerminate")

    let second = SessionRun(disk).launch()
    #expect(identifiers(second) == before)
    #expect(second.names == ["a", "b", "c"])
    #expect(second.delegate.scenes.map(\.content) == ["text of a", "text of b", "text of c"])
    #expect(second.delegate.options.allSatisfy { $0.isReconnect && $0.restorationReason == .restore })
    #expect(second.reason() == "restore")
    // The most recently active one has the focus, and it alone asked for it.
    #expect(second.scenes.last?.scene?.activationState == .foregroundActive)
    let asking = second.platform.commands.filter { if case .show(_, .activated) = $0 { true } else { false } }
    #expect(asking.count == 1)
  }

  @Test("Closed scenes do not come back, whatever ends the program", arguments: [15, 9] as [Int32])
  func closedStaysClosed(_ signal: Int32) throws {
    let disk = CuttableDisk()
    let first = SessionRun.saved(disk, ["a", "b"])
    first.program.desk.close(try #require(first.scenes[0].window))
    #expect(first.calls.suffix(2) == ["sceneDidDisconnect", "didDiscardSceneSessions 1"])
    if signal == 9 { first.kill() } else { first.end(signal) }
    let second = SessionRun(disk).launch()
    #expect(second.names == ["b"])
    #expect(second.reason() == (signal == 9 ? "recover" : "restore"))
    #expect(second.delegate.discarded.isEmpty)
  }

  @Test("A first launch, and one after everything was closed, has the reason launch and one new scene")
  func firstLaunch() throws {
    let disk = CuttableDisk()
    let first = SessionRun(disk).launch()
    #expect(first.reason() == "launch")
    #expect(first.delegate.options.map(\.isReconnect) == [false])
    first.program.desk.close(try #require(first.scenes[0].window))
    #expect(first.platform.quitStatus == 0)
    let second = SessionRun(disk).launch()
    #expect(second.reason() == "launch")
    #expect(second.delegate.options.map(\.isReconnect) == [false])
    #expect(second.application.restorationReason == .launch)
  }

  @Test("A launch that finds no display does not count: the next one has the reason that it would have had")
  func noDisplay() {
    let disk = CuttableDisk()
    for _ in 0..<3 {
      let failed = SessionRun(disk)
      failed.platform.startError = PlatformError("There is no display.")
      failed.launch()
      #expect(failed.reason() == nil)
    }
    #expect(SessionRun(disk).launch().reason() == "launch")
  }

  @Test("What a scene or its window is called is stored when it changes, and still when the program has ended")
  func titles() throws {
    let disk = CuttableDisk()
    func stored() throws -> String? {
      try SessionStore(files: disk, runsInline: true).load().sessions.first?.decode().title
    }
    let first = SessionRun(disk).launch()
    let scene = try #require(first.scenes.first)
    scene.window?.title = "Chapter 1"
    first.platform.advance(by: 1100)
    #expect(try stored() == "Chapter 1")
    // The scene's title is that of a window that has none of its own.
    scene.window?.title = nil
    scene.scene?.title = "Chapter 2"
    first.end()
    #expect(first.platform.quitStatus == 0)
    #expect(try stored() == "Chapter 2")
  }

  @Test("The state is asked for on entry to the background, and given back before the first foreground")
  func orderOfRestoration() throws {
    let disk = CuttableDisk()
    let first = SessionRun.saved(disk, ["a"])
    first.delegate.calls = []
    first.program.desk.minimize(try #require(first.scenes[0].window))
    first.platform.advance(by: 3000)
    #expect(first.calls == ["sceneDidEnterBackground", "ask"])
    first.program.desk.restore(try #require(first.scenes[0].window))
    first.end()
    #expect(
      first.calls.suffix(6) == [
        "sceneWillEnterForeground", "applicationShouldTerminate signal", "sceneDidEnterBackground", "ask",
        "sceneDidDisconnect", "applicationWillTerminate",
      ])
    let second = SessionRun(disk).launch()
    #expect(
      second.calls == [
        "didFinishLaunchingWithOptions", "sceneWillConnect", "restore text of a", "sceneWillEnterForeground",
      ])
  }

  @Test("A scene that says that its state changed is asked within a second, once")
  func invalidation() throws {
    let disk = CuttableDisk()
    let run = SessionRun.saved(disk, ["a"])
    run.delegate.calls = []
    run.scenes[0].content = "changed"
    for _ in 0..<10 { run.scenes[0].scene?.invalidateRestorableState() }
    run.platform.advance(by: 999)
    run.platform.advance(by: 2)
    #expect(run.calls == ["ask"])
    run.kill()
    let second = SessionRun(disk).launch()
    #expect(second.delegate.scenes.map(\.content) == ["changed"])
    #expect(second.delegate.options.map(\.restorationReason) == [.recover])
  }

  @Test("An answer of nothing clears what was saved before")
  func clearing() {
    let disk = CuttableDisk()
    let first = SessionRun.saved(disk, ["a"])
    first.scenes[0].content = "none"
    first.end()
    let second = SessionRun(disk).launch()
    #expect(!second.calls.contains { $0.name == "restore" })
  }

  @Test("A scene in the background comes back as a bare window in its place, and connects when it is seen")
  func bareReturn() throws {
    let disk = CuttableDisk()
    let first = SessionRun.saved(disk, ["a", "b"])
    first.program.desk.minimize(try #require(first.scenes[0].window))
    first.platform.advance(by: 3000)
    first.end()

    let second = SessionRun(disk).launch()
    #expect(second.names == ["b"])
    #expect(second.application.openSessions.count == 2)
    let bare = try #require(second.platform.windows.first { $0.value.isBare })
    #expect(bare.value.isMinimized)
    #expect(bare.value.mapCount == 1)
    second.platform.restore(bare.key)
    second.platform.advance(by: 2000)
    #expect(second.names == ["a", "b"])
    #expect(second.delegate.scenes.last?.content == "text of a")
    #expect(second.platform.windows[bare.key]?.mapCount == 1)
  }

  @Test("A restore policy says which sessions come back; the others are reported as discarded")
  func policies() {
    for (policy, ending, comesBack) in [
      (SceneConfiguration.RestorePolicy.never, 15, false), (.never, 9, false), (.afterCrashOrSessionEnd, 15, true),
      (.afterCrashOrSessionEnd, 9, true), (.afterCrashOrSessionEnd, 0, false), (.always, 0, true),
      (.afterCrashOrSessionEnd, 2, false),
    ] as [(SceneConfiguration.RestorePolicy, Int32, Bool)] {
      let disk = CuttableDisk()
      let prepare: (SessionRunDelegate) -> Void = { $0.manifest.sceneConfigurations[0].restorePolicy = policy }
      let first = SessionRun.saved(disk, ["a"], prepare)
      let old = identifiers(first)
      switch ending {
      case 0:
        first.application.terminate()
        first.platform.deliver()
      case 9: first.kill()
      default: first.end(ending)
      }
      let second = SessionRun(disk, prepare).launch()
      #expect((identifiers(second) == old) == comesBack, "\(policy) \(ending)")
      #expect(second.delegate.discarded.map { Set($0.map(\.persistentIdentifier)) } == (comesBack ? [] : [old]))
      if !comesBack {
        #expect(
          second.calls.prefix(3) == ["didFinishLaunchingWithOptions", "didDiscardSceneSessions 1", "sceneWillConnect"])
        #expect(SessionRun(disk, prepare).launch().delegate.discarded.count <= 1)
      }
    }
  }

  @Test("A session whose configuration is gone is held back and kept")
  func unknownConfiguration() throws {
    let disk = CuttableDisk()
    SessionRun.saved(disk, ["a"]).end()
    let second = SessionRun(disk) {
      $0.configure("Other")
    }.launch()
    #expect(
      second.calls.prefix(3) == ["didFinishLaunchingWithOptions", "didHoldBackSceneSessions 1", "sceneWillConnect"])
    let held = try #require(second.delegate.held.first)
    #expect(held.holdReason == .unknownConfiguration)
    var failure: (any Error)?
    second.application.requestSceneSessionActivation(held, userActivity: nil) { failure = $0 }
    second.platform.deliver()
    #expect((failure as? SceneError)?.code == .requestDenied)
    second.end()
    let third = SessionRun(disk).launch()
    #expect(third.names == ["a"])
  }

  @Test("Sessions discarded just before the process died are reported at the next launch, once")
  func discardedMeanwhile() throws {
    let disk = CuttableDisk()
    let first = SessionRun.saved(disk, ["a", "b"])
    first.store.discard(try #require(first.scenes[0].scene?.session.persistentIdentifier))
    first.store.flush()
    first.kill()
    let second = SessionRun(disk).launch()
    #expect(second.names == ["b"])
    #expect(second.delegate.discarded.map { $0.map { $0.userInfo?["name"] as? String } } == [["a"]])
    #expect(second.calls.prefix(2) == ["didFinishLaunchingWithOptions", "didDiscardSceneSessions 1"])
    second.end()
    #expect(SessionRun(disk).launch().delegate.discarded.isEmpty)
  }

  @Test("Content finds its session: one that prefers it, one that accepts it, or a new one")
  func activationConditions() {
    let disk = CuttableDisk()
    let run = SessionRun.saved(disk, ["a", "b"])
    run.scenes[0].scene?.activationConditions.canActivateForTargetContentIdentifier = .prefix("note:")
    run.scenes[0].scene?.activationConditions.prefersToActivateForTargetContentIdentifier = .equals("note:1")
    run.scenes[1].scene?.activationConditions.canActivateForTargetContentIdentifier = .prefix("note:")
    run.platform.advance(by: 2000)
    func activate(_ target: String?) -> Int {
      let activity = UserActivity(activityType: "show")
      activity.targetContentIdentifier = target
      run.application.activateSceneSession(for: SceneSessionActivationRequest(userActivity: activity))
      run.platform.deliver()
      run.platform.advance(by: 200)
      return run.delegate.scenes.count
    }
    #expect(activate("note:1") == 2)
    #expect(run.scenes[0].scene?.activationState == .foregroundActive)
    #expect(activate("page:1") == 3)
    #expect(activate(nil) == 4)
    run.end()
    #if !WITHOUT_OpenRequests
      // A URL at the next launch goes to the session that prefers it, once.
      let second = SessionRun(disk).launch(["note:1"])
      #expect(second.delegate.options.map { $0.urlContexts.count }.reduce(0, +) == 1)
      let chosen = zip(second.delegate.scenes, second.delegate.options).first { !$0.1.urlContexts.isEmpty }?.0
      #expect(chosen?.name == "a")
      #expect(chosen?.scene?.activationState == .foregroundActive)
    #endif
  }

  @Test("A launch in the background connects nothing, and keeps everything")
  func backgroundLaunch() {
    let disk = CuttableDisk()
    SessionRun.saved(disk, ["a", "b"]).end()
    let second = SessionRun(disk).launch(["--background"])
    #expect(second.delegate.scenes.isEmpty && second.platform.windows.isEmpty)
    #expect(second.application.openSessions.count == 2)
    second.end()
    #expect(SessionRun(disk).launch().names == ["a", "b"])
  }

  @Test("Without a window manager nothing can be iconic: every scene comes back in sight")
  func unmanaged() throws {
    let disk = CuttableDisk()
    let first = SessionRun.saved(disk, ["a", "b"])
    first.program.desk.minimize(try #require(first.scenes[0].window))
    first.platform.advance(by: 3000)
    first.end()
    let second = SessionRun(disk)
    second.platform.windowManager.isRunning = false
    second.launch()
    #expect(second.names == ["a", "b"])
  }

  @Test("The place where a window has come to rest is saved at once")
  func place() throws {
    let disk = CuttableDisk()
    let run = SessionRun(disk).launch()
    run.platform.advance(by: 2000)
    let frame = Rect(x: 31, y: 47, width: 300, height: 200)
    run.program.desk.move(try #require(run.scenes[0].window), to: frame)
    run.platform.advance(by: 1)
    let stored = SessionStore(files: disk.restarted(.nothing), runsInline: true).load().sessions
    #expect(try stored.map { try $0.decode().placement?.frame } == [frame])
  }

  @Test("Places, sizes, desktops and states are saved, and said before the window is mapped")
  func placement() throws {
    let disk = CuttableDisk()
    let first = SessionRun.saved(disk, ["a"])
    var geometry = WindowGeometry(frame: Rect(x: 0, y: 0, width: 1920, height: 1080))
    geometry.normalFrame = Rect(x: 30, y: 40, width: 500, height: 300)
    geometry.isMaximized = true
    geometry.desktop = 2
    first.platform.send(.geometry(try #require(first.scenes[0].window?.id), geometry))
    first.platform.advance(by: 1500)
    first.kill()
    let second = SessionRun(disk).launch()
    var expected = WindowPlacement(frame: Rect(x: 30, y: 40, width: 500, height: 300))
    expected.isMaximized = true
    expected.desktop = 2
    let created = second.platform.commands.compactMap { command -> WindowDescription? in
      if case .create(_, let description) = command { description } else { nil }
    }
    #expect(created.map(\.placement) == [expected])
  }

  @Test("A window that comes back is no larger than all screens together, and keeps its size on them")
  func smallerScreen() throws {
    func screen(_ name: String, _ x: Int) -> ScreenDescription {
      ScreenDescription(name: name, frame: Rect(x: x, y: 0, width: 800, height: 600), isPrimary: x == 0)
    }
    let disk = CuttableDisk()
    let first = SessionRun.saved(disk, ["a"])
    let frame = Rect(x: 40, y: 50, width: 1400, height: 560)
    first.platform.send(.geometry(try #require(first.scenes[0].window?.id), WindowGeometry(frame: frame)))
    first.platform.advance(by: 1500)
    first.kill()
    func shown(_ screens: [ScreenDescription]) -> [Rect?] {
      let run = SessionRun(disk)
      run.platform.windowManager.screens = screens
      run.launch()
      defer { run.kill() }
      return run.platform.commands.compactMap { command in
        if case .create(_, let description) = command { description.placement?.frame } else { nil }
      }
    }
    #expect(shown([screen("A", 0), screen("B", 800)]) == [frame])
    #expect(shown([screen("A", 0)]) == [Rect(x: 0, y: 40, width: 800, height: 560)])
  }

  @Test(
    "What happens to windows while the program ends or the window manager is away is not remembered",
    arguments: [true, false])
  func freeze(isSaid: Bool) throws {
    let disk = CuttableDisk()
    let first = SessionRun.saved(disk, ["a"])
    let window = try #require(first.scenes[0].window?.id)
    // One that was there from the start is never said to have come.
    if isSaid { first.platform.send(.windowManager(.settled, cause: "test")) }
    first.platform.send(.geometry(window, WindowGeometry(frame: Rect(x: 7, y: 8, width: 90, height: 80))))
    first.platform.send(.windowManager(.absent, cause: "test"))
    first.platform.send(.geometry(window, WindowGeometry(frame: Rect(x: 0, y: 0, width: 9, height: 8))))
    first.end()
    let second = SessionRun(disk).launch()
    let frames = second.platform.commands.compactMap { command -> Rect? in
      if case .create(_, let description) = command { description.placement?.frame } else { nil }
    }
    #expect(frames == [Rect(x: 7, y: 8, width: 90, height: 80)])
  }

  /// metacity makes new frames where a window goes to full screen, and counts as changing then.
  @Test("What happens to windows while the window manager changes is remembered once it has settled")
  func settled() throws {
    let disk = CuttableDisk()
    let first = SessionRun.saved(disk, ["a"])
    let window = try #require(first.scenes[0].window?.id)
    first.platform.send(.windowManager(.settled, cause: "test"))
    first.platform.send(.windowManager(.changing, cause: "reparented"))
    var geometry = WindowGeometry(frame: Rect(x: 0, y: 0, width: 1280, height: 960))
    geometry.normalFrame = Rect(x: 30, y: 40, width: 500, height: 300)
    geometry.isFullScreen = true
    first.platform.send(.geometry(window, geometry))
    first.platform.send(.windowManager(.settled, cause: "settled"))
    first.platform.advance(by: 1500)
    first.kill()
    let second = SessionRun(disk).launch()
    let placements = second.platform.commands.compactMap { command -> WindowPlacement? in
      if case .create(_, let description) = command { description.placement } else { nil }
    }
    #expect(placements.map(\.isFullScreen) == [true])
    #expect(placements.map(\.frame) == [geometry.normalFrame])
  }
}
