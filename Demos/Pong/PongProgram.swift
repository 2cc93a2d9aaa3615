import Proscenium

/// The game, in one window.
@main @MainActor final class PongProgram: Responder, ApplicationDelegate {
  var applicationIdentifier: String { "org.proscenium.Pong" }
  var suspensionPolicy: SuspensionPolicy { .whenAllInBackground }
  var supportsMultipleScenes: Bool { false }

  var sceneConfigurations: [SceneConfiguration] {
    let configuration = SceneConfiguration(name: "Game", delegate: PongScene.init)
    configuration.launchSize = Size(width: 640, height: 480)
    return [configuration]
  }
}
