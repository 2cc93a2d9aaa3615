import Proscenium

/// The game, in one window.
@main @MainActor final class PongProgram: Responder {
  var manifest: ApplicationManifest {
    let configuration = SceneConfiguration(name: "Game", delegate: PongScene.init)
    configuration.launchSize = Size(width: 640, height: 480)
    var manifest = ApplicationManifest(
      applicationIdentifier: "org.proscenium.Pong", sceneConfigurations: [configuration],
      supportsMultipleScenes: false)
    manifest.suspensionPolicy = .whenAllInBackground
    return manifest
  }
}

extension PongProgram: ApplicationDelegate {}
