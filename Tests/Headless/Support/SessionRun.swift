import FoundationEssentials
import ProsceniumCore
import ProsceniumStore
import ProsceniumTesting
import ProsceniumTrace
import SceneLifecycle

/// One run of a program whose sessions are kept on a disk in memory; the next run has the same disk.
@MainActor final class SessionRun {
  let program: HeadlessProgram
  let delegate = SessionRunDelegate()
  let store: SessionStore
  var platform: HeadlessPlatform { program.platform }
  var calls: [DelegateCall] { delegate.calls }
  var application: Application { program.application }

  init(_ disk: any StoreFiles, _ prepare: (SessionRunDelegate) -> Void = { _ in }) {
    store = SessionStore(files: disk, runsInline: true)
    program = HeadlessProgram(store: .given(store))
    prepare(delegate)
  }

  /// A run with scenes of these names, each saved.
  static func saved(_ disk: CuttableDisk, _ names: [String], _ prepare: (SessionRunDelegate) -> Void = { _ in })
    -> SessionRun
  {
    let run = SessionRun(disk, prepare).launch()
    for _ in names.dropFirst() { run.open() }
    for (scene, name) in zip(run.delegate.scenes, names) {
      scene.scene?.session.userInfo = ["name": name]
      scene.content = "text of \(name)"
    }
    run.platform.advance(by: 2000)
    return run
  }

  /// Launches, and lets every hold run out.
  @discardableResult
  func launch(_ arguments: [String] = []) -> SessionRun {
    program.launch(delegate, arguments: arguments)
    platform.advance(by: 100)
    return self
  }

  /// Opens one more scene.
  func open() {
    application.activateSceneSession(for: SceneSessionActivationRequest())
    platform.deliver()
    platform.advance(by: 100)
  }

  func kill() { program.kill() }

  func end(_ signal: Int32 = 15) { platform.send(.signal(signal)) }

  /// The scenes' delegates, in order of connection.
  var scenes: [SessionRunScene] { delegate.scenes.filter { ($0.scene?.activationState ?? .unattached) != .unattached } }

  /// Identities of the open sessions by the names that their scenes were given.
  var names: [String] { scenes.compactMap { $0.name }.sorted() }

  func reason() -> String? { program.entries.first { $0.kind == "launch" }?.text("reason") }
}

extension CuttableDisk {
  /// Adds a run that ended itself while it was connecting every stored session.
  func dieConnecting() throws {
    let sessions = try names().filter { $0.hasSuffix(".session") }.sorted()
    try append("runs", Array(("run 1\n" + sessions.map { "+\($0.dropLast(8))\n" }.joined() + "!\n").utf8))
  }
}

@MainActor final class SessionRunDelegate: RecordingDelegate {
  var scenes: [SessionRunScene] = []
  var failures: [String] = []
  var held: Set<SceneSession> = []
  var discarded: [Set<SceneSession>] = []
  var options: [Scene.ConnectionOptions] = []
  var onLaunch: () -> Void = {}
  var onConnect: (SessionRunScene) -> Void = { _ in }
  var onForeground: (SessionRunScene) -> Void = { _ in }
  var onRestore: (SessionRunScene) -> Void = { _ in }
  var onUpdate: (UserActivity) -> Void = { _ in }
  var onAsk: (SessionRunScene) -> Void = { _ in }

  override init() {
    super.init()
    numbersScenes = false
    sceneCallbacks = [.stateRestorationActivity, .shouldClose]
    recordedNames = [
      "didFinishLaunchingWithOptions", "didDiscardSceneSessions", "didHoldBackSceneSessions",
      "applicationShouldTerminate",
      "applicationWillTerminate", "sceneWillConnect", "restore", "ask", "sceneWillEnterForeground",
      "sceneDidEnterBackground", "sceneDidDisconnect", "sceneShouldClose", "key",
    ]
    manifest.applicationIdentifier = "org.proscenium.SessionRun"
    #if !WITHOUT_OpenRequests
      manifest.openedURLSchemes = ["note"]
    #endif
  }
  /// A configuration with this name alone.
  func configure(_ name: String, _ role: SceneSession.Role = .windowApplication) {
    manifest.sceneConfigurations = [
      SceneConfiguration(name: name, sessionRole: role) { [unowned self] in makeSceneDelegate(for: $0) }
    ]
  }
  override func makeSceneDelegate(for session: SceneSession) -> RecordingSceneDelegate {
    SessionRunScene(self, session: session)
  }
  override func willRecord(_ call: DelegateCall, value: Any?) -> DelegateCall? {
    switch (call.name, value) {
    case ("didFinishLaunchingWithOptions", _): onLaunch()
    case ("didHoldBackSceneSessions", let sessions as Set<SceneSession>): held = sessions
    case ("didDiscardSceneSessions", let sessions as Set<SceneSession>): discarded.append(sessions)
    case ("sceneWillConnect", let options as Scene.ConnectionOptions): self.options.append(options)
    case ("sceneDidDisconnect", _): return DelegateCall(call.name)
    default: break
    }
    return call
  }
  override func application(_ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?)
    -> Bool
  {
    onLaunch()
    return true
  }
  override func application(_ application: Application, didFailToSaveSceneSessions error: any Error) {
    failures.append("\(error)")
  }
}

/// A scene that keeps a number and a name.
@MainActor final class SessionRunScene: RecordingSceneDelegate {
  private var run: SessionRunDelegate? { owner as? SessionRunDelegate }
  /// What the scene shows; saved and restored.
  var content = "new"
  var name: String? { scene?.session.userInfo?["name"] as? String }

  override func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    run?.scenes.append(self)
    super.scene(scene, willConnectTo: session, options: options)
  }
  override func makeWindow(for scene: WindowScene) -> Window? {
    defer { run?.onConnect(self) }
    return super.makeWindow(for: scene)
  }
  override func sceneWillEnterForeground(_ scene: Scene) {
    super.sceneWillEnterForeground(scene)
    run?.onForeground(self)
  }
  override func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
    content = activity.userInfo?["content"] as? String ?? "nothing"
    record("restore", scene, content)
    run?.onRestore(self)
  }
  override func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    record("ask", scene)
    run?.onAsk(self)
    let activity = UserActivity(activityType: "org.proscenium.content")
    activity.addUserInfoEntries(from: ["content": content])
    return content == "none" ? nil : activity
  }
  override func scene(_ scene: Scene, didUpdate userActivity: UserActivity) { run?.onUpdate(userActivity) }
  override func handle(_ event: Event) -> Bool {
    if case .key(let key) = event.kind, let scene { record("key", scene, key.characters) }
    return false
  }
}
