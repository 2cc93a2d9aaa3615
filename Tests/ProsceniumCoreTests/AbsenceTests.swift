import FoundationEssentials
import ProsceniumTesting
import SceneLifecycle
import Testing

@testable import ProsceniumCore

@MainActor private final class AbsenceProgram: Responder, ApplicationDelegate {
  var calls: [String] = []
  var scenes: [AbsenceScene] = []
  var policy = SuspensionPolicy.never
  var suspensionPolicy: SuspensionPolicy { policy }
  lazy var sceneConfigurations = [SceneConfiguration(name: "Main", delegate: { AbsenceScene(self) })]
  func applicationProtectedDataWillBecomeUnavailable(_ application: Application) {
    calls.append("willBecomeUnavailable \(application.isProtectedDataAvailable)")
  }
  func applicationProtectedDataDidBecomeAvailable(_ application: Application) {
    calls.append("didBecomeAvailable \(application.isProtectedDataAvailable)")
  }
  func applicationSignificantTimeChange(_ application: Application) { calls.append("timeChange") }
  func applicationWillTerminate(_ application: Application) { calls.append("willTerminate") }
}

@MainActor private final class AbsenceScene: Responder, WindowSceneDelegate {
  private unowned let owner: AbsenceProgram
  var window: Window?
  init(_ owner: AbsenceProgram) {
    self.owner = owner
    super.init()
    owner.scenes.append(self)
  }
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    window = Window(windowScene: scene)
    window?.makeKeyAndVisible()
  }
  func sceneWillEnterForeground(_ scene: Scene) { owner.calls.append("willEnterForeground") }
  func sceneDidBecomeActive(_ scene: Scene) { owner.calls.append("didBecomeActive") }
  func sceneWillResignActive(_ scene: Scene) { owner.calls.append("willResignActive") }
  func sceneDidEnterBackground(_ scene: Scene) { owner.calls.append("didEnterBackground") }
}

/// The user goes, and comes back.
@MainActor @Suite("The user's absence") struct AbsenceTests {
  @MainActor private final class Run {
    let source = WordSource()
    let delegate = AbsenceProgram()
    let program: HeadlessProgram
    let inhibitor = CountingInhibitor()
    init(suspends: Bool = false) {
      program = HeadlessProgram(store: .none, sources: [source])
      if suspends { delegate.policy = .whenAllInBackground }
      program.launch(delegate)
      program.application.sleepInhibitor = inhibitor
      program.platform.advance(by: 3000)
      delegate.calls = []
    }
    var platform: HeadlessPlatform { program.platform }
    var application: Application { program.application }
    func say(_ absence: Absence, _ isOn: Bool, _ source: String = "a") {
      self.source.host?.post(.absence(absence, isOn: isOn, source: source))
      platform.deliver()
    }
    func takeCalls() -> [String] {
      defer { delegate.calls = [] }
      return delegate.calls
    }
  }

  @Test("Locked: resign, background, then protected data; unlocked: protected data, then the way back")
  func locked() {
    let run = Run()
    run.say(.locked, true)
    #expect(run.takeCalls() == ["willResignActive", "didEnterBackground", "willBecomeUnavailable true"])
    #expect(run.application.applicationState == .background)
    #expect(run.application.isProtectedDataAvailable)
    run.platform.advance(by: 10_001)
    #expect(!run.application.isProtectedDataAvailable)
    #expect(run.takeCalls() == [])
    run.say(.locked, false)
    #expect(run.takeCalls() == ["didBecomeAvailable true", "willEnterForeground", "didBecomeActive"])
    #expect(run.application.isProtectedDataAvailable)
  }

  @Test("Back within the grace, the data was never out of reach")
  func grace() {
    let run = Run()
    run.say(.locked, true)
    run.platform.advance(by: 9_000)
    run.say(.locked, false)
    run.platform.advance(by: 9_000)
    #expect(run.application.isProtectedDataAvailable)
    #expect(run.takeCalls().filter { $0.contains("vailable ") }.count == 2)
  }

  @Test("Away in two ways, or by two sources' word: back when none of them is left")
  func several() {
    let run = Run()
    run.say(.locked, true)
    run.say(.locked, true, "b")
    run.say(.switchedAway, true)
    #expect(run.takeCalls() == ["willResignActive", "didEnterBackground", "willBecomeUnavailable true"])
    run.say(.locked, false, "b")
    run.say(.locked, false)
    #expect(run.takeCalls() == [])
    run.say(.switchedAway, false)
    #expect(run.takeCalls() == ["didBecomeAvailable true", "willEnterForeground", "didBecomeActive"])
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
    #expect(run.delegate.scenes.count == 2)
    #expect(run.application.applicationState == .background)
    #expect(run.takeCalls() == [])
    run.say(.locked, false)
    #expect(run.application.applicationState == .active)
    #expect(run.takeCalls().filter { $0 == "willEnterForeground" }.count == 2)
  }

  @Test("Hidden meanwhile, a scene stays where it is when the user is back: what its windows say decides")
  func hiddenMeanwhile() {
    let run = Run()
    run.say(.locked, true)
    run.delegate.scenes[0].window?.id.map(run.platform.minimize)
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
    #expect(run.takeCalls() == ["willResignActive", "didEnterBackground"])
    #expect(run.inhibitor.calls == ["saved"])
    run.platform.advance(by: 60_000)
    #expect(run.application.isProtectedDataAvailable)
    run.say(.sleeping, false)
    #expect(run.takeCalls() == ["willEnterForeground", "didBecomeActive"])
    run.say(.shuttingDown, true)
    #expect(run.takeCalls() == ["willResignActive", "didEnterBackground"])
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
    #expect(run.takeCalls() == ["willTerminate"])
    #expect(run.program.exitStatus == 0)
  }

  @Test("Suspended, a lock wakes nobody and is told on waking; undone, it has not happened; a sleep wakes")
  func suspended() {
    let run = Run(suspends: true)
    run.delegate.scenes[0].window?.id.map(run.platform.minimize)
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
    #expect(run.takeCalls() == ["timeChange", "timeChange"])
    run.delegate.scenes[0].window?.id.map(run.platform.minimize)
    run.platform.advance(by: 10_000)
    #expect(run.platform.isSuspended)
    post(time(3), time(4))
    post(time(4), time(4, offset: 3600))
    #expect(run.platform.isSuspended)
    run.delegate.scenes[0].window?.id.map(run.platform.restore)
    run.platform.deliver()
    #expect(heard.last == [.newDay, .daylightSaving])
    #expect(heard.count == 3)
    let calls = run.takeCalls()
    #expect(calls.firstIndex(of: "timeChange") ?? 9 < calls.firstIndex(of: "willEnterForeground") ?? 0)
    NotificationCenter.default.removeObserver(token)
  }
}
