import Proscenium

// Begin: code of Proscenium.md
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

  func sceneDidEnterBackground(_ scene: Scene) {
    // The window is not visible any more: save, and release memory that can be filled again.
  }
}
// End: code of Proscenium.md
