import Proscenium

private final class EditorScene: Responder, WindowSceneDelegate {
  var window: Window?
  init(session: SceneSession) {}
}

// Begin: code of TheManifest.md
private final class AppDelegate: Responder {
  let manifest: ApplicationManifest = {
    var manifest = ApplicationManifest(
      applicationIdentifier: "org.example.Editor",
      sceneConfigurations: [SceneConfiguration(name: "Editor") { EditorScene(session: $0) }])
    manifest.supportsMultipleScenes = false
    manifest.exitsOnSuspend = true
    return manifest
  }()
}

extension AppDelegate: ApplicationDelegate {}
// End: code of TheManifest.md
