import Proscenium

// Begin: code of README.md
private final class AppDelegate: Responder {
  let manifest = ApplicationManifest(
    sceneConfigurations: [SceneConfiguration(name: "Editor", delegate: EditorScene.init)])
}

extension AppDelegate: ApplicationDelegate {}

private final class EditorScene: Responder {
  var window: Window?
}

extension EditorScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    window = Window(windowScene: scene)
    window?.title = "Editor"
    window?.makeKeyAndVisible()
  }
  func sceneDidBecomeActive(_ scene: Scene) { window?.backgroundColor = .white }
  func sceneWillResignActive(_ scene: Scene) { window?.backgroundColor = Color(rgb: 0xDDDDDD) }
  func sceneDidEnterBackground(_ scene: Scene) { print("hidden: stop timers, release memory") }
}
// End: code of README.md
