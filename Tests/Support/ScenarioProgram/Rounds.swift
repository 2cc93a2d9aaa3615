import Proscenium

/// Scenes that come and go by themselves, as fast as the window system lets them: what a long life leaves behind.
///
/// Nothing is written down on the way, so that what grows is the framework's.
@MainActor enum Rounds {
  enum Kind: String {
    /// Shown, hidden, disconnected, and activated again.
    case disconnect
    /// Opened and closed.
    case close
  }

  static var kind = Kind.disconnect
  private static var left = 0
  private static var whenDone: () -> Void = {}
  private static weak var scene: Scene?

  /// Starts that many rounds; the last one leaves a scene in the foreground.
  static func start(_ kind: Kind, _ count: Int, whenDone: @escaping () -> Void) {
    self.kind = kind
    self.whenDone = whenDone
    left = count
    if let scene { appeared(scene) }
  }

  static func appeared(_ scene: Scene) {
    self.scene = scene
    guard left > 0 else {
      whenDone()
      whenDone = {}
      return
    }
    switch kind {
    case .disconnect: for window in (scene as? WindowScene)?.windows ?? [] { window.isHidden = true }
    case .close: Application.shared.requestSceneSessionDestruction(scene.session)
    }
  }

  static func enteredBackground(_ scene: Scene) {
    if left > 0, kind == .disconnect { Application.shared.requestSceneDisconnection(scene.session) }
  }

  static func disconnected(_ scene: Scene) {
    guard left > 0 else { return }
    left -= 1
    switch kind {
    case .disconnect:
      Application.shared.activateSceneSession(for: SceneSessionActivationRequest(session: scene.session))
    case .close: Application.shared.activateSceneSession(for: SceneSessionActivationRequest())
    }
  }
}

@MainActor final class RoundsDelegate: Responder, ApplicationDelegate {
  let manifest = ApplicationManifest(
    sceneConfigurations: [SceneConfiguration(name: "Main", delegate: RoundsScene.init)])
  func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool { false }
}

@MainActor private final class RoundsScene: Responder, WindowSceneDelegate {
  var window: Window?

  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    scene.title = "Round"
    let window = Window(windowScene: scene)
    window.minimumSize = Size(width: 10, height: 10)
    window.icon = WindowIcon(size: Size(width: 2, height: 2), pixels: [1, 2, 3, 4])
    window.requestFullScreen(true)
    window.makeKeyAndVisible()
    let panel = Window(windowScene: scene)
    panel.isHidden = false
    self.window = window
  }
  func sceneWillEnterForeground(_ scene: Scene) { Rounds.appeared(scene) }
  func sceneDidEnterBackground(_ scene: Scene) { Rounds.enteredBackground(scene) }
  func sceneDidDisconnect(_ scene: Scene) { Rounds.disconnected(scene) }
}
