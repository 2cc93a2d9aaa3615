import FoundationEssentials
import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

@MainActor @Suite("When memory is short") struct MemoryWarningTests {
  /// Made when the test itself begins: the application made last is the shared one.
  @MainActor private final class Fixture {
    let source = WordSource()
    let delegate = MemoryProgram()
    lazy var program = HeadlessProgram(store: .none, sources: [source])
  }
  private let fixture = Fixture()
  var source: WordSource { fixture.source }
  var delegate: MemoryProgram { fixture.delegate }
  var program: HeadlessProgram { fixture.program }
  var application: Application { program.application }
  var platform: HeadlessPlatform { program.platform }

  /// Launches with so many scenes; the last one is active, `hidden` of the first are in the background.
  func launch(_ count: Int, hidden: Int = 0, _ policy: (inout ReclaimPolicy) -> Void = { _ in }) {
    program.launch(delegate)
    platform.advance(by: 3000)
    policy(&application.reclaimPolicy)
    for _ in 1..<count {
      application.activateSceneSession(for: SceneSessionActivationRequest())
      platform.advance(by: 3000)
    }
    for scene in delegate.scenes.prefix(hidden) { hide(scene) }
    delegate.calls = []
  }

  func hide(_ scene: MemoryScene) {
    scene.window?.id.map(platform.minimize)
    platform.advance(by: 3000)
  }

  func press(_ pressure: MemoryPressure) {
    source.host?.post(.memoryPressure(pressure))
    platform.advance(by: 100)
  }

  var warnings: [String] {
    program.entries.filter { $0.kind == "system" && $0.text("name") == "memoryWarning" }.compactMap { $0.text("level") }
  }
  var connected: [Int] { delegate.scenes.indices.filter { delegate.scenes[$0].session.scene != nil } }

  @Test(
    "The delegate hears first, then the scenes' contents, those in the background first, then observers, then caches")
  func order() {
    launch(3)
    hide(delegate.scenes[2])
    platform.focus(delegate.scenes[0].window?.id)
    var policy = ReclaimPolicy()
    policy.disconnectsUnderPressure = false
    application.reclaimPolicy = policy
    platform.deliver()
    for (index, scene) in delegate.scenes.enumerated() {
      let content = Content { [delegate] in delegate.calls.append("content \(index)") }
      scene.window?.content = content
      scene.cache?.insert(index, for: 0, cost: 100)
    }
    delegate.calls = []
    let token = NotificationCenter.default.addObserver(of: application, for: .didReceiveMemoryWarning) {
      [delegate] _ in delegate.calls.append("notified \(delegate.scenes.map { $0.cache?.count ?? 0 })")
    }
    press(.warning)
    NotificationCenter.default.removeObserver(token)
    #expect(
      delegate.calls == [
        "applicationDidReceiveMemoryWarning", "content 2", "content 0", "content 1", "notified [1, 1, 1]",
      ])
    #expect(delegate.scenes.allSatisfy { $0.cache?.count == 0 })
    #expect(warnings == ["warning"])
  }

  @Test("At most one warning in ten seconds, in the background too; none before the launch is over and after the end")
  func rate() {
    launch(1)
    press(.warning)
    press(.warning)
    #expect(warnings == ["warning"])
    hide(delegate.scenes[0])
    platform.advance(by: 10_000)
    press(.warning)
    #expect(warnings == ["warning", "warning"])
    press(.critical)
    #expect(warnings.count == 3)
    #expect(delegate.calls.filter { $0 == "applicationDidReceiveMemoryWarning" }.count == 3)
    application.terminate()
    platform.deliver()
    platform.advance(by: 20_000)
    source.host?.post(.memoryPressure(.critical))
    application.conductor?.turn()
    #expect(warnings.count == 3)
  }

  @Test("A task that begins in the answer to a warning keeps the scenes, as one that was open before")
  func taskInWarning() {
    launch(3, hidden: 2)
    delegate.onCall = { [application] _ in _ = application.beginBackgroundTask(withName: "saving") }
    press(.warning)
    #expect(connected == [0, 1, 2])
  }

  @Test("A scene that is shown in the answer to a warning is on its way into sight, and stays")
  func shownInWarning() {
    launch(3)
    for scene in delegate.scenes.prefix(2) { scene.window?.isHidden = true }
    platform.advance(by: 3000)
    #expect(delegate.scenes.prefix(2).allSatisfy { $0.scene?.activationState == .background })
    delegate.onCall = { [unowned delegate] _ in
      for scene in delegate.scenes.prefix(2) { scene.window?.isHidden = false }
    }
    press(.warning)
    platform.advance(by: 3000)
    #expect(connected == [0, 1, 2])
    #expect(delegate.scenes.prefix(2).allSatisfy { $0.window?.id.flatMap { platform.windows[$0]?.isMapped } == true })
  }

  @Test("A warning disconnects half of the background's scenes, the largest first, with their reason; critical all")
  func reclaim() {
    launch(5, hidden: 4)
    delegate.scenes[2].cache?.insert(1, for: 1, cost: 500)
    delegate.scenes[3].cache?.insert(1, for: 1, cost: 900)
    #expect(delegate.scenes[3].scene?.footprint == 900)
    press(.warning)
    #expect(connected == [0, 1, 4])
    #expect(
      delegate.calls.filter { $0.name == "sceneDidDisconnect" } == [
        "scene4 sceneDidDisconnect reclaimed", "scene3 sceneDidDisconnect reclaimed",
      ])
    #expect(application.openSessions.count == 5)
    #expect(platform.windows.values.filter(\.isBare).count == 2)
    press(.critical)
    #expect(connected == [4])
    // What was disconnected comes back with its window.
    let bare = platform.windows.filter { $0.value.isBare }.keys.min { $0.rawValue < $1.rawValue }
    bare.map(platform.restore)
    platform.advance(by: 3000)
    #expect(delegate.scenes.count == 6)
  }

  @Test("A limit on scenes in the background holds at every entry, and when it is set")
  func count() {
    launch(4, hidden: 0) { $0.maximumBackgroundScenes = 1 }
    hide(delegate.scenes[0])
    #expect(connected == [0, 1, 2, 3])
    hide(delegate.scenes[1])
    #expect(connected == [1, 2, 3])
    application.reclaimPolicy.maximumBackgroundScenes = 0
    platform.deliver()
    #expect(connected == [2, 3])
  }

  @Test("A scene that is shown as one before it is disconnected is on its way into sight, and stays")
  func shownInDisconnection() {
    launch(3)
    for scene in delegate.scenes.prefix(2) { scene.window?.isHidden = true }
    platform.advance(by: 3000)
    delegate.onCall = { [unowned delegate] call in
      if call.name == "sceneDidDisconnect" { delegate.scenes[1].window?.isHidden = false }
    }
    application.reclaimPolicy.maximumBackgroundScenes = 0
    platform.advance(by: 3000)
    #expect(connected == [1, 2])
    #expect(delegate.scenes[1].window?.id.flatMap { platform.windows[$0]?.isMapped } == true)
  }

  @Test("A task that begins as a scene is disconnected keeps those after it until it ends")
  func taskInDisconnection() {
    launch(4, hidden: 3)
    var task = BackgroundTaskIdentifier.invalid
    delegate.onCall = { [unowned delegate, application] call in
      guard call.name == "sceneDidDisconnect" else { return }
      delegate.onCall = { _ in }
      task = application.beginBackgroundTask(withName: "saving")
    }
    application.reclaimPolicy.maximumBackgroundScenes = 1
    platform.deliver()
    #expect(task != .invalid && connected == [1, 2, 3])
    application.endBackgroundTask(task)
    platform.deliver()
    #expect(connected == [2, 3])
    hide(delegate.scenes[3])
    #expect(connected == [3])
  }

  @Test("Critical pressure disconnects all scenes, whatever begins meanwhile")
  func taskUnderCriticalPressure() {
    launch(3, hidden: 2)
    delegate.onCall = { [application] _ in _ = application.beginBackgroundTask(withName: "saving") }
    press(.critical)
    #expect(connected == [2])
  }

  @Test("What a task has put off that ends before anybody has looked is made up for")
  func unobservedTask() {
    launch(2, hidden: 1)
    // That it has begun is looked at behind the reclaim and the scene that ends it.
    let task = application.beginBackgroundTask(withName: "short")
    application.reclaimPolicy.maximumBackgroundScenes = 0
    delegate.onConnect = { [application] _ in application.endBackgroundTask(task) }
    application.activateSceneSession(for: SceneSessionActivationRequest())
    platform.advance(by: 100)
    #expect(!application.hasBackgroundTasks && connected == [1, 2])
  }

  @Test("A limit on the time in the background takes one deadline, which goes when the scene comes back")
  func time() {
    launch(2, hidden: 0) { $0.maximumBackgroundTime = .seconds(60) }
    #expect(application.conductor?.pendingDeadlines == 0)
    hide(delegate.scenes[0])
    platform.advance(by: 30_000)
    hide(delegate.scenes[1])
    #expect(application.conductor?.pendingDeadlines == 1)
    delegate.scenes[1].window?.id.map(platform.restore)
    platform.advance(by: 28_000)
    #expect(connected == [1])
    platform.advance(by: 600_000)
    #expect(connected == [1])
    #expect(application.conductor?.pendingDeadlines == 0)
  }

  @Test("While a task is open the scenes are not looked at again and again; what was spared goes with the task")
  func held() {
    launch(3) { $0.maximumBackgroundTime = .seconds(60) }
    let task = application.beginBackgroundTask(withName: "held")
    platform.deliver()
    hide(delegate.scenes[0])
    #expect(application.conductor?.pendingDeadlines == 1)
    platform.advance(by: 60_000)
    press(.warning)
    #expect(connected == [0, 1, 2] && warnings == ["warning"])
    #expect(application.conductor?.pendingDeadlines == 0)
    application.endBackgroundTask(task)
    platform.deliver()
    #expect(connected == [1, 2])
    #expect(application.conductor?.pendingDeadlines == 0)
  }

  @Test("A scene that waits for the window manager is exempt, and one without a window, which could not come back")
  func exempt() {
    launch(1)
    platform.windowManager.showsAtOnce = false
    application.activateSceneSession(for: SceneSessionActivationRequest())
    platform.advance(by: 100)
    delegate.showsWindows = false
    application.activateSceneSession(for: SceneSessionActivationRequest())
    platform.advance(by: 100)
    press(.critical)
    #expect(connected == [0, 1, 2])
  }

  @Test("Under critical pressure a program that wants it ends: with willTerminate, and only in the background")
  func ends() {
    launch(1) { $0.endsUnderCriticalPressure = true }
    press(.critical)
    #expect(program.exitStatus == nil)
    hide(delegate.scenes[0])
    platform.advance(by: 20_000)
    press(.warning)
    #expect(program.exitStatus == nil)
    press(.critical)
    #expect(program.exitStatus == 0)
    #expect(application.terminationCause == .memoryPressure)
    #expect(delegate.calls.last == "applicationWillTerminate")
  }

  #if !WITHOUT_Suspension
    @Test("A suspended program that wants it ends in silence, and the next launch brings the sessions back")
    func silence() throws {
      let disk = CuttableDisk()
      let run = SessionRun(disk) { $0.manifest.suspensionPolicy = .whenAllInBackground }.launch()
      run.open()
      run.application.reclaimPolicy.endsUnderCriticalPressure = true
      for scene in run.scenes { scene.scene?.session.userInfo = ["name": "\(run.scenes.count)"] }
      for window in run.scenes.compactMap(\.window) { run.program.desk.minimize(window) }
      run.program.advance(by: 20_000)
      #expect(run.platform.isSuspended)
      let calls = run.calls
      run.application.conductor?.post(.memoryPressure(.critical))
      run.application.conductor?.turn()
      #expect(run.program.exitStatus == 0)
      #expect(run.calls == calls)
      #expect(run.application.terminationCause == .memoryPressure)
      let next = SessionRun(disk).launch()
      #expect(next.reason() == "restore")
      #expect(next.application.openSessions.count == 2)
    }
  #endif

  @Test("Entering the background empties the scene's caches, and the program's with the last scene")
  func background() {
    launch(2)
    let shared = PurgeableCache<Int, Int>()
    func fill() {
      shared.insert(1, for: 1, cost: 10)
      for scene in delegate.scenes { scene.cache?.insert(1, for: 1, cost: 10) }
    }
    fill()
    hide(delegate.scenes[0])
    #expect(delegate.scenes.map { $0.cache?.count } == [0, 1])
    #expect(shared.count == 1)
    hide(delegate.scenes[1])
    #expect(delegate.scenes.map { $0.cache?.count } == [0, 0])
    #expect(shared.count == 0)
  }

  @Test(
    "A refresh of a disconnected session connects it in the background, asks for its state, and leaves nothing in its caches"
  )
  func refresh() {
    launch(2, hidden: 1) { $0.maximumBackgroundTime = .seconds(60) }
    let session: SceneSession? = delegate.scenes[0].session
    platform.advance(by: 60_000)
    #expect(session?.scene == nil)
    delegate.calls = []
    delegate.onConnect = { $0.cache?.insert(1, for: 1, cost: 10) }
    session.map { application.requestSceneSessionRefresh($0) }
    platform.deliver()
    #expect(delegate.calls == ["scene1 sceneWillConnect", "scene1 stateRestorationActivity"])
    #expect(session?.scene?.activationState == .background)
    #expect(delegate.scenes[2].cache?.count == 0)
    platform.advance(by: 61_000)
    #expect(session?.scene == nil)
    #expect(delegate.calls.last == "scene1 sceneDidDisconnect reclaimed")
  }
}

@MainActor final class MemoryProgram: RecordingDelegate {
  var scenes: [MemoryScene] = []
  var onConnect: (MemoryScene) -> Void = { _ in }

  override init() {
    super.init()
    sceneCallbacks = [.stateRestorationActivity]
    recordedNames = [
      "applicationDidReceiveMemoryWarning", "applicationWillTerminate", "sceneWillConnect", "stateRestorationActivity",
      "sceneDidDisconnect",
    ]
  }
  override func makeSceneDelegate(for session: SceneSession) -> RecordingSceneDelegate {
    MemoryScene(self, session: session)
  }
}

@MainActor final class MemoryScene: RecordingSceneDelegate {
  private(set) var cache: PurgeableCache<Int, Int>?

  override func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    if let scene = scene as? WindowScene { cache = PurgeableCache(scene: scene) }
    if let program = owner as? MemoryProgram {
      program.scenes.append(self)
      program.onConnect(self)
    }
    super.scene(scene, willConnectTo: session, options: options)
  }
}

/// Contents of a window that only hear of memory.
@MainActor private final class Content: WindowContent {
  private let onWarning: () -> Void
  init(_ onWarning: @escaping () -> Void) { self.onWarning = onWarning }
  func didReceiveMemoryWarning() { onWarning() }
  func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {}
}
