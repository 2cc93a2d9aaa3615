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
  var calls: [String] { delegate.calls }
  var application: Application { program.application }

  init(_ disk: CuttableDisk, _ prepare: (SessionRunDelegate) -> Void = { _ in }) {
    store = SessionStore(files: disk, runsInline: true)
    program = HeadlessProgram(store: .given(store))
    prepare(delegate)
    SessionRunScene.run = delegate
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

@MainActor final class SessionRunDelegate: Responder, ApplicationDelegate {
  var calls: [String] = []
  /// Told of each call of a scene.
  var onCall: (String) -> Void = { _ in }
  var scenes: [SessionRunScene] = []
  var configurations = [SceneConfiguration(name: "Main", delegate: SessionRunScene.init)]
  var supportsMultipleScenes = true
  var reply = TerminateReply.now
  var closeReply = SceneCloseReply.now
  var tellsGeometry = false
  var failures: [String] = []
  var held: Set<SceneSession> = []
  var discarded: [Set<SceneSession>] = []
  var options: [Scene.ConnectionOptions] = []
  var onLaunch: () -> Void = {}
  var onConnect: (SessionRunScene) -> Void = { _ in }
  var onRestore: (SessionRunScene) -> Void = { _ in }
  var onUpdate: (UserActivity) -> Void = { _ in }
  var onAsk: (SessionRunScene) -> Void = { _ in }
  var onResign: (SessionRunScene) -> Void = { _ in }
  var onBecomeActive: (SessionRunScene) -> Void = { _ in }
  var staysAlive = false
  var suspensionPolicy = SuspensionPolicy.never
  var onGeometry: () -> Void = {}
  var openedURLSchemes: Set<String> { ["note"] }

  var applicationIdentifier: String { "org.proscenium.SessionRun" }
  var sceneConfigurations: [SceneConfiguration] { configurations }
  var manifest: ApplicationManifest {
    var manifest = ApplicationManifest(
      applicationIdentifier: applicationIdentifier, sceneConfigurations: sceneConfigurations,
      supportsMultipleScenes: supportsMultipleScenes)
    manifest.openedURLSchemes = openedURLSchemes
    manifest.suspensionPolicy = suspensionPolicy
    return manifest
  }
  func application(_ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    onLaunch()
    return true
  }
  func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    onLaunch()
    calls.append("didFinishLaunching")
    return true
  }
  func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {
    calls.append("didDiscard \(sceneSessions.count)")
    discarded.append(sceneSessions)
  }
  func application(_ application: Application, didHoldBackSceneSessions sceneSessions: Set<SceneSession>) {
    calls.append("didHoldBack \(sceneSessions.count)")
    held = sceneSessions
  }
  func application(_ application: Application, didFailToSaveSceneSessions error: any Error) {
    failures.append("\(error)")
  }
  func applicationShouldTerminate(_ application: Application) -> TerminateReply {
    calls.append("shouldTerminate \(application.terminationCause?.rawValue ?? "?")")
    return reply
  }
  func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool { !staysAlive }
  func applicationWillTerminate(_ application: Application) { calls.append("willTerminate") }
}

/// A scene that keeps a number and a name.
@MainActor final class SessionRunScene: Responder, WindowSceneDelegate {
  static weak var run: SessionRunDelegate?
  var window: Window?
  weak var scene: WindowScene?
  /// What the scene shows; saved and restored.
  var content = "new"
  var name: String? { scene?.session.userInfo?["name"] as? String }
  private var log: String { scene?.session.userInfo?["name"] as? String ?? "?" }

  private func say(_ call: String) {
    Self.run?.calls.append(call)
    Self.run?.onCall(call)
  }

  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    self.scene = scene as? WindowScene
    Self.run?.scenes.append(self)
    Self.run?.options.append(options)
    say("willConnect")
    guard let scene = scene as? WindowScene else { return }
    let window = Window(windowScene: scene)
    Self.run?.onConnect(self)
    window.makeKeyAndVisible()
    self.window = window
  }
  func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
    content = activity.userInfo?["content"] as? String ?? "nothing"
    say("restore \(content)")
    Self.run?.onRestore(self)
  }
  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    say("ask")
    Self.run?.onAsk(self)
    let activity = UserActivity(activityType: "org.proscenium.content")
    activity.addUserInfoEntries(from: ["content": content])
    return content == "none" ? nil : activity
  }
  func scene(_ scene: Scene, didUpdate userActivity: UserActivity) { Self.run?.onUpdate(userActivity) }
  func sceneWillEnterForeground(_ scene: Scene) { say("willEnterForeground") }
  func sceneDidBecomeActive(_ scene: Scene) { Self.run?.onBecomeActive(self) }
  func sceneWillResignActive(_ scene: Scene) { Self.run?.onResign(self) }
  func sceneDidEnterBackground(_ scene: Scene) { say("didEnterBackground") }
  func sceneDidDisconnect(_ scene: Scene) { say("didDisconnect") }
  func sceneShouldClose(_ scene: Scene) -> SceneCloseReply {
    say("shouldClose")
    return Self.run?.closeReply ?? .now
  }
  func windowScene(_ windowScene: WindowScene, didUpdateEffectiveGeometry previous: WindowScene.Geometry) {
    guard Self.run?.tellsGeometry == true else { return }
    say("geometry")
    Self.run?.onGeometry()
  }
  override func handle(_ event: Event) -> Bool {
    if case .key(let key) = event.kind { say("key \(key.characters)") }
    return false
  }
}
