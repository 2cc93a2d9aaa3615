import FoundationEssentials
import ProsceniumTesting
import SceneLifecycle
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

@MainActor private final class AbsenceProgram: RecordingDelegate {
  /// What scenes said of the reason as they were about to resign.
  var reasons: [InactiveReason?] = []

  override init() {
    super.init()
    numbersScenes = false
    recordedNames = Self.sceneStates.union([
      "willBecomeUnavailable", "didBecomeAvailable", "applicationSignificantTimeChange", "applicationWillTerminate",
    ])
  }
  override func willRecord(_ call: DelegateCall, value: Any?) -> DelegateCall? {
    if call.name == "sceneWillResignActive" { reasons.append((value as? Scene)?.inactiveReason) }
    return call
  }
  override func applicationProtectedDataWillBecomeUnavailable(_ application: Application) {
    record("willBecomeUnavailable", nil, "\(application.isProtectedDataAvailable)")
  }
  override func applicationProtectedDataDidBecomeAvailable(_ application: Application) {
    record("didBecomeAvailable", nil, "\(application.isProtectedDataAvailable)")
  }
}

/// The user goes, and comes back.
@MainActor @Suite("The user's absence") struct AbsenceTests {
  @MainActor private final class Run {
    let source = WordSource()
    let delegate = AbsenceProgram()
    let program: HeadlessProgram
    let inhibitor = CountingInhibitor()
    init(suspends: Bool = false, isAppBased: Bool = false) {
      program = HeadlessProgram(store: .none, sources: [source])
      if isAppBased { delegate.manifest.lifecycleModel = .appBased }
      #if !WITHOUT_Suspension
        if suspends { delegate.manifest.suspensionPolicy = .whenAllInBackground }
      #endif
      program.launch(delegate)
      program.application.conductor?.sleepInhibitor = inhibitor
      program.platform.advance(by: 3000)
      _ = delegate.takeCalls()
    }
    var platform: HeadlessPlatform { program.platform }
    var application: Application { program.application }
    func say(_ absence: ConcealmentReason, _ isOn: Bool, _ source: String = "a") {
      self.source.host?.post(.concealment(absence, isOn: isOn, source: source))
      platform.deliver()
    }
    func takeCalls() -> [DelegateCall] { delegate.takeCalls() }
  }

  @Test("A locker that says nothing on a bus locks as others do, and a blanked screen interrupts")
  func locker() {
    let run = Run()
    run.platform.send(.locker(.blanked))
    #expect(run.takeCalls() == ["sceneWillResignActive"])
    run.platform.send(.locker(.locked))
    #expect(run.takeCalls() == ["sceneDidEnterBackground", "willBecomeUnavailable true"])
    run.platform.send(.locker(.none))
    #expect(
      run.takeCalls() == ["didBecomeAvailable true", "sceneWillEnterForeground", "sceneDidBecomeActive"])
    // One that is over in the same batch wipes nothing
    run.platform.send(.locker(.locked), .locker(.none))
    run.platform.advance(by: 10_001)
    #expect(run.takeCalls() == [] && run.application.isProtectedDataAvailable)
  }

  @Test("A sleep that is called off before the scenes are told lets the machine go all the same")
  func sleepCalledOff() {
    let run = Run()
    for isOn in [true, false] { run.source.host?.post(.concealment(.sleeping, isOn: isOn, source: "a")) }
    run.platform.deliver()
    #expect(run.inhibitor.calls == ["saved"] && run.application.applicationState == .active)
  }

  @Test("A lock while background tasks hold the program's end protects its data, and its end gives it back")
  func heldEnd() {
    let run = Run()
    let task = run.application.beginBackgroundTask(withName: "upload")
    run.application.terminate()
    run.platform.advance(by: 100)
    #expect(run.takeCalls() == ["sceneWillResignActive", "sceneDidEnterBackground"])
    run.say(.locked, true)
    #expect(run.takeCalls() == ["willBecomeUnavailable true"])
    run.platform.advance(by: 10_001)
    #expect(!run.application.isProtectedDataAvailable)
    run.say(.locked, false)
    #expect(run.takeCalls() == ["didBecomeAvailable true"] && run.application.isProtectedDataAvailable)
    run.application.endBackgroundTask(task)
    run.platform.advance(by: 100)
    #expect(run.takeCalls() == ["applicationWillTerminate"] && run.platform.quitStatus == 0)
  }

  #if !WITHOUT_Suspension
    @Test("The end of such a lock wakes a program that was suspended behind it, and a lock wakes none")
    func lockerAndSuspension() {
      let run = Run(suspends: true)
      run.platform.send(.locker(.locked))
      run.platform.advance(by: 6000)
      #expect(run.platform.isSuspended)
      _ = run.takeCalls()
      run.platform.send(.locker(.locked))
      #expect(run.platform.isSuspended)
      run.platform.send(.locker(.none))
      #expect(!run.platform.isSuspended)
      #expect(
        run.takeCalls().filter { $0.name.hasPrefix("scene") } == ["sceneWillEnterForeground", "sceneDidBecomeActive"])
      let resumed = run.program.entries.last { $0.text("name") == "resumed" }
      #expect(resumed?.text("cause") == "unlocked")
    }
  #endif

  @Test("Locked: resign, background, then protected data; unlocked: protected data, then the way back")
  func locked() {
    let run = Run()
    run.say(.locked, true)
    #expect(run.takeCalls() == ["sceneWillResignActive", "sceneDidEnterBackground", "willBecomeUnavailable true"])
    #expect(run.application.applicationState == .background)
    #expect(run.application.isProtectedDataAvailable)
    run.platform.advance(by: 10_001)
    #expect(!run.application.isProtectedDataAvailable)
    #expect(run.takeCalls() == [])
    run.say(.locked, false)
    #expect(run.takeCalls() == ["didBecomeAvailable true", "sceneWillEnterForeground", "sceneDidBecomeActive"])
    #expect(run.application.isProtectedDataAvailable)
  }

  @Test("Why a scene is about to be inactive is known when it is told so, and not while it is active")
  func reasons() throws {
    let run = Run()
    let scene = try #require(run.program.windows[0].windowScene)
    #expect(scene.inactiveReason == nil)
    run.say(.locked, true)
    #expect(scene.inactiveReason == nil)
    run.say(.locked, false)
    #expect(scene.inactiveReason == nil)
    scene.beginInterruption()
    run.platform.deliver()
    #expect(run.delegate.reasons == [.passing, .interrupted] && scene.inactiveReason == .interrupted)
  }

  @Test("Back within the grace, the data was never out of reach")
  func grace() {
    let run = Run()
    run.say(.locked, true)
    run.platform.advance(by: 9_000)
    run.say(.locked, false)
    run.platform.advance(by: 9_000)
    #expect(run.application.isProtectedDataAvailable)
    #expect(run.takeCalls().filter { $0.name.contains("vailable") }.count == 2)
  }

  @Test("Away in two ways, or by two sources' word: back when none of them is left")
  func several() {
    let run = Run()
    run.say(.locked, true)
    run.say(.locked, true, "b")
    run.say(.switchedAway, true)
    #expect(run.takeCalls() == ["sceneWillResignActive", "sceneDidEnterBackground", "willBecomeUnavailable true"])
    run.say(.locked, false, "b")
    run.say(.locked, false)
    #expect(run.takeCalls() == [])
    run.say(.switchedAway, false)
    #expect(run.takeCalls() == ["didBecomeAvailable true", "sceneWillEnterForeground", "sceneDidBecomeActive"])
    // What was never said is not taken back.
    run.say(.locked, false)
    #expect(run.takeCalls() == [])
  }

  @Test("Whatever is opened, shown or asked for while the screen is locked stays in the background until it is not")
  func opened() {
    let run = Run()
    run.say(.locked, true)
    _ = run.takeCalls()
    run.application.activateSceneSession(for: SceneSessionActivationRequest())
    run.platform.deliver()
    run.platform.advance(by: 3000)
    #expect(run.program.scenes.count == 2)
    #expect(run.application.applicationState == .background)
    #expect(run.takeCalls() == [])
    run.say(.locked, false)
    #expect(run.application.applicationState == .active)
    #expect(run.takeCalls().filter { $0 == "sceneWillEnterForeground" }.count == 2)
  }

  @Test("Hidden meanwhile, a scene stays where it is when the user is back: what its windows say decides")
  func hiddenMeanwhile() {
    let run = Run()
    run.say(.locked, true)
    run.program.windows[0].id.map(run.platform.minimize)
    run.platform.advance(by: 3000)
    _ = run.takeCalls()
    run.say(.locked, false)
    run.platform.advance(by: 3000)
    #expect(run.takeCalls() == ["didBecomeAvailable true"])
    #expect(run.application.applicationState == .background)
  }

  @Test("Before a sleep everything is in the background, then the machine is let go; data stays available")
  func sleep() {
    let run = Run()
    run.say(.sleeping, true)
    #expect(run.takeCalls() == ["sceneWillResignActive", "sceneDidEnterBackground"])
    #expect(run.inhibitor.calls == ["saved"])
    run.platform.advance(by: 60_000)
    #expect(run.application.isProtectedDataAvailable)
    run.say(.sleeping, false)
    #expect(run.takeCalls() == ["sceneWillEnterForeground", "sceneDidBecomeActive"])
    run.say(.shuttingDown, true)
    #expect(run.takeCalls() == ["sceneWillResignActive", "sceneDidEnterBackground"])
    #expect(run.inhibitor.calls == ["saved", "saved"])
    // A program that is ending, and waits for a task, has saved already.
    let task = run.application.beginBackgroundTask(withName: "saving")
    run.application.terminate()
    run.platform.deliver()
    run.say(.sleeping, true)
    #expect(run.inhibitor.calls == ["saved", "saved", "inhibit", "saved"])
    #expect(run.takeCalls() == [])
    run.application.endBackgroundTask(task)
    run.platform.deliver()
    #expect(run.takeCalls() == ["applicationWillTerminate"])
    #expect(run.program.exitStatus == 0)
  }

  @Test("A task that begins as the program enters the background for a sleep holds the machine until it ends")
  func taskBeforeSleep() {
    let run = Run(isAppBased: true)
    let window = Window()
    window.makeKeyAndVisible()
    run.platform.advance(by: 100)
    #expect(run.application.applicationState == .active)
    var task = BackgroundTaskIdentifier.invalid
    run.delegate.recordedNames?.insert("applicationDidEnterBackground")
    run.delegate.onCall = { [unowned run] call in
      guard call == "applicationDidEnterBackground" else { return }
      task = run.application.beginBackgroundTask(withName: "saving")
    }
    run.say(.sleeping, true)
    #expect(run.inhibitor.calls == ["inhibit", "saved"])
    run.application.endBackgroundTask(task)
    run.platform.deliver()
    #expect(run.inhibitor.calls == ["inhibit", "saved", "release"])
  }

  #if !WITHOUT_Suspension
    @Test("A lock does not wake a suspended program and is told on waking; undone, it has not happened; a sleep wakes")
    func suspended() {
      let run = Run(suspends: true)
      run.program.windows[0].id.map(run.platform.minimize)
      run.platform.advance(by: 10_000)
      #expect(run.platform.isSuspended)
      _ = run.takeCalls()
      run.say(.locked, true)
      #expect(run.platform.isSuspended)
      run.say(.locked, false)
      #expect(run.platform.isSuspended)
      run.say(.locked, true)
      run.say(.sleeping, true)
      #expect(!run.platform.isSuspended)
      #expect(run.takeCalls() == ["willBecomeUnavailable true"])
      #expect(run.inhibitor.calls == ["saved"])
      run.platform.advance(by: 10_000)
      #expect(run.platform.isSuspended)
      // The user is back, and the program knew that he was away.
      run.say(.locked, false)
      #expect(run.takeCalls() == ["didBecomeAvailable true"])
    }

    @Test(
      "The grace of a lock passes while the program is suspended: the data is out of reach before anything else",
      arguments: [true, false])
    func graceWhileSuspended(_ isSaidOnBus: Bool) {
      let run = Run(suspends: true)
      run.program.windows[0].id.map(run.platform.minimize)
      run.platform.advance(by: 10_000)
      #expect(run.platform.isSuspended)
      _ = run.takeCalls()
      func lock(_ isOn: Bool) {
        if isSaidOnBus { run.say(.locked, isOn) } else { run.platform.send(.locker(isOn ? .locked : .none)) }
      }
      // A lock that was over soon does not count.
      lock(true)
      lock(false)
      run.platform.advance(by: 60_000)
      lock(true)
      run.platform.advance(by: 6_000)
      #expect(run.platform.isSuspended)
      // Nor does another report that ends meanwhile end this one.
      run.say(.switchedAway, true)
      run.say(.switchedAway, false)
      // Something that wakes within the grace finds the rest of it.
      run.say(.sleeping, true)
      #expect(!run.platform.isSuspended)
      #expect(run.takeCalls() == ["willBecomeUnavailable true"])
      run.say(.sleeping, false)
      run.platform.advance(by: 3_900)
      #expect(run.application.isProtectedDataAvailable)
      run.platform.advance(by: 200)
      #expect(!run.application.isProtectedDataAvailable)
      lock(false)
      #expect(run.takeCalls() == ["didBecomeAvailable true"])
      run.platform.advance(by: 10_000)
      #expect(run.platform.isSuspended)
      lock(true)
      run.platform.advance(by: 60_000)
      #expect(run.platform.isSuspended && run.takeCalls() == [])
      run.say(.sleeping, true)
      #expect(!run.platform.isSuspended && !run.application.isProtectedDataAvailable)
      #expect(run.takeCalls() == ["willBecomeUnavailable false"])
      lock(false)
      #expect(run.takeCalls() == ["didBecomeAvailable true"])
    }

    @Test("So is one that had begun before the program was suspended")
    func graceBeforeSuspension() {
      let run = Run(suspends: true)
      run.say(.locked, true)
      run.platform.advance(by: 7_000)
      #expect(run.platform.isSuspended)
      run.platform.advance(by: 60_000)
      run.say(.sleeping, true)
      #expect(!run.platform.isSuspended && !run.application.isProtectedDataAvailable)
      run.say(.locked, false)
      #expect(run.takeCalls().suffix(1) == ["didBecomeAvailable true"])
      #expect(run.application.isProtectedDataAvailable)
    }

    @Test("Suspended, what is said twice is no change, and what is said in one turn counts in its order")
    func suspendedAgain() {
      let run = Run(suspends: true)
      run.say(.locked, true)
      run.platform.advance(by: 10_000)
      #expect(run.platform.isSuspended)
      _ = run.takeCalls()
      // As by a daemon that was started anew
      run.say(.locked, true)
      #expect(run.platform.isSuspended)
      run.say(.locked, false)
      #expect(!run.platform.isSuspended && run.application.applicationState == .active)
      #expect(run.takeCalls() == ["didBecomeAvailable true", "sceneWillEnterForeground", "sceneDidBecomeActive"])
      // As to a process that was stopped meanwhile
      run.say(.locked, true)
      run.platform.advance(by: 10_000)
      #expect(run.platform.isSuspended)
      _ = run.takeCalls()
      for isOn in [false, true] { run.source.host?.post(.concealment(.locked, isOn: isOn, source: "a")) }
      run.platform.deliver()
      #expect(run.application.applicationState == .background)
      #expect(run.takeCalls().last == "willBecomeUnavailable true")
      run.say(.locked, false)
      #expect(run.application.applicationState == .active)
    }
  #endif

  private func silence(_ run: Run, _ isOn: Bool) {
    run.source.host?.post(.silence(isOn: isOn, source: "a"))
    run.platform.deliver()
  }

  private func press(_ run: Run) throws {
    let window = try #require(run.program.windows[0].id)
    let press = InputEvent(.button(PointerButton(number: 1, isDown: true, location: Point(x: 1, y: 1))), time: 1)
    run.platform.send(.input(window, press))
  }

  @Test("Who says that the user is gone goes itself: that counts on, until a key or a button shows that it is wrong")
  func silent() throws {
    let run = Run()
    run.say(.locked, true)
    _ = run.takeCalls()
    // A source that speaks is believed, whatever is pressed
    try press(run)
    #expect(run.takeCalls() == [])
    silence(run, true)
    #expect(run.application.applicationState == .background)
    #expect(run.takeCalls() == [])
    try press(run)
    #expect(run.takeCalls() == ["didBecomeAvailable true", "sceneWillEnterForeground", "sceneDidBecomeActive"])
    // Heard again, it is believed again
    silence(run, false)
    run.say(.locked, true)
    try press(run)
    #expect(run.application.applicationState == .background)
  }

  #if !WITHOUT_Suspension
    @Test("So for a program that is suspended: it sleeps on, until the user presses something")
    func silentWhileSuspended() throws {
      let run = Run(suspends: true)
      run.say(.locked, true)
      run.platform.advance(by: 20_000)
      #expect(run.platform.isSuspended)
      _ = run.takeCalls()
      try press(run)
      silence(run, true)
      #expect(run.platform.isSuspended)
      try press(run)
      #expect(!run.platform.isSuspended)
      #expect(run.takeCalls() == ["didBecomeAvailable true", "sceneWillEnterForeground", "sceneDidBecomeActive"])
    }
  #endif

  @Test("While it is being asked whether the user is there no scene is active; one in front is once it is known")
  func firstWord() {
    let source = WordSource()
    let delegate = AbsenceProgram()
    let program = HeadlessProgram(store: .none, sources: [source])
    source.onStart = { $0.post(.firstWord(isAwaited: true)) }
    program.launch(delegate)
    #expect(delegate.calls == ["sceneWillEnterForeground"])
    source.host?.post(.firstWord(isAwaited: false))
    program.platform.deliver()
    #expect(delegate.calls == ["sceneWillEnterForeground", "sceneDidBecomeActive"])
  }

  @Test("Told before the launch callbacks, a lock keeps the first scene in the background")
  func lockedAtLaunch() {
    let source = WordSource()
    let delegate = AbsenceProgram()
    let program = HeadlessProgram(store: .none, sources: [source])
    source.onStart = { $0.post(.concealment(.locked, isOn: true, source: "a")) }
    program.launch(delegate)
    program.platform.advance(by: 3000)
    #expect(program.scenes.count == 1)
    #expect(program.application.applicationState == .background)
    #expect(delegate.calls == ["willBecomeUnavailable true"])
    source.host?.post(.concealment(.locked, isOn: false, source: "a"))
    program.platform.deliver()
    #expect(
      delegate.calls.dropFirst() == ["didBecomeAvailable true", "sceneWillEnterForeground", "sceneDidBecomeActive"])
  }

  @Test("A lock that was there before the launch leaves protected data unavailable from its first word on")
  func lockedBeforeLaunch() {
    let source = WordSource()
    let delegate = AbsenceProgram()
    let program = HeadlessProgram(store: .none, sources: [source])
    source.onStart = { $0.post(.firstWord(isAwaited: true)) }
    program.launch(delegate)
    // However long the launch takes
    program.platform.advance(by: 5000)
    source.host?.post(.concealment(.locked, isOn: true, source: "a"))
    source.host?.post(.firstWord(isAwaited: false))
    program.platform.deliver()
    #expect(delegate.calls == ["sceneWillEnterForeground", "sceneDidEnterBackground"])
    #expect(!program.application.isProtectedDataAvailable)
    // Once the user has been there, a lock is told
    source.host?.post(.concealment(.locked, isOn: false, source: "a"))
    program.platform.deliver()
    _ = delegate.takeCalls()
    source.host?.post(.concealment(.locked, isOn: true, source: "a"))
    program.platform.deliver()
    #expect(delegate.takeCalls().last == "willBecomeUnavailable true" && program.application.isProtectedDataAvailable)
  }

  @Test("A lock of a program that runs in the background is told")
  func lockedInBackground() {
    let run = Run()
    run.program.windows[0].id.map(run.platform.minimize)
    run.platform.advance(by: 3000)
    _ = run.takeCalls()
    run.say(.locked, true)
    #expect(run.takeCalls() == ["willBecomeUnavailable true"] && run.application.isProtectedDataAvailable)
  }

  @Test("A time that jumped is told once for all that happened, after the launch, and on waking")
  func time() {
    let run = Run(suspends: true)
    func time(_ day: Int, offset: Int = 0, zone: String = "Z", skew: Double = 0) -> CivilTime {
      CivilTime(day: day, offset: offset, zone: zone, skew: skew)
    }
    var heard: [Set<SignificantTimeChange>] = []
    let token = NotificationCenter.default.addObserver(of: run.application, for: .significantTimeChange) {
      heard.append($0.changes)
    }
    func post(_ from: CivilTime, _ to: CivilTime) {
      run.source.host?.post(.time(from: from, to: to))
      run.platform.deliver()
    }
    post(time(1), time(2))
    post(time(2), time(3, offset: 3600, zone: "Y", skew: 100))
    post(time(2), time(2, skew: 0.9))
    #expect(heard == [[.newDay], [.newDay, .timeZone, .clockSet]])
    #expect(run.takeCalls() == ["applicationSignificantTimeChange", "applicationSignificantTimeChange"])
    #if !WITHOUT_Suspension
      run.program.windows[0].id.map(run.platform.minimize)
      run.platform.advance(by: 10_000)
      #expect(run.platform.isSuspended)
      post(time(3), time(4))
      post(time(4), time(4, offset: 3600))
      #expect(run.platform.isSuspended)
      run.program.windows[0].id.map(run.platform.restore)
      run.platform.deliver()
      #expect(heard.last == [.newDay, .daylightSaving])
      #expect(heard.count == 3)
      let calls = run.takeCalls()
      #expect(
        calls.firstIndex(of: "applicationSignificantTimeChange") ?? 9 < calls.firstIndex(of: "sceneWillEnterForeground")
          ?? 0)
    #endif
    NotificationCenter.default.removeObserver(token)
  }
}
