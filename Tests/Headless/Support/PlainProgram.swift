import ProsceniumCore
import ProsceniumTesting

/// A program whose scenes make one window, may not refuse a close, and write down what they are told.
@MainActor final class PlainProgram: Responder, ApplicationDelegate {
  /// What the scenes were told, in order.
  private(set) var calls: [String] = []
  /// Whether scenes make a window.
  var makesWindows = true
  /// How scenes are configured.
  var configure: (SceneConfiguration) -> Void = { _ in }
  /// Whether one scene is all there may be.
  var isSingle = false
  let program = HeadlessProgram()
  var platform: HeadlessPlatform { program.platform }

  var sceneConfigurations: [SceneConfiguration] {
    let configuration = SceneConfiguration(name: "Plain") { [unowned self] in PlainScene(self) }
    configure(configuration)
    return [configuration]
  }
  var supportsMultipleScenes: Bool { !isSingle }
  var manifest: ApplicationManifest {
    ApplicationManifest(sceneConfigurations: sceneConfigurations, supportsMultipleScenes: supportsMultipleScenes)
  }
  func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool { false }

  /// The sessions in order of their windows' roles' first appearance.
  private(set) var sessions: [SceneSession] = []

  func launch() {
    program.launch(self)
    platform.advance(by: 3000)
  }

  func newScene() {
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    platform.advance(by: 3000)
  }

  func disconnect(_ session: SceneSession) {
    program.application.requestSceneDisconnection(session)
    platform.advance(by: 3000)
  }

  fileprivate func note(_ call: String, _ scene: Scene) {
    if !sessions.contains(scene.session) { sessions.append(scene.session) }
    calls.append(call)
  }

  func window(_ session: Int) -> Window? { (sessions[session].scene as? WindowScene)?.windows.first }
}

@MainActor private final class PlainScene: Responder, WindowSceneDelegate {
  private unowned let owner: PlainProgram
  var window: Window?

  init(_ owner: PlainProgram) {
    self.owner = owner
    super.init()
  }

  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    owner.note("willConnect", scene)
    guard owner.makesWindows, let scene = scene as? WindowScene else { return }
    window = Window(windowScene: scene)
    window?.makeKeyAndVisible()
  }
  func sceneDidDisconnect(_ scene: Scene) { owner.note("didDisconnect", scene) }
  func windowScene(_ windowScene: WindowScene, didUpdateEffectiveGeometry previous: WindowScene.Geometry) {
    owner.note("didUpdateEffectiveGeometry", windowScene)
  }
  override func handle(_ event: Event) -> Bool {
    if let scene = event.window?.windowScene { owner.note("event", scene) }
    return true
  }
}
