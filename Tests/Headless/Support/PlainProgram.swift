import ProsceniumCore
import ProsceniumTesting

/// A program whose scenes make one window and may not refuse a close.
@MainActor final class PlainProgram: RecordingDelegate {
  private final class Glass: Window {
    override var isOpaque: Bool { false }
  }

  private final class PlainScene: RecordingSceneDelegate {
    override func makeWindow(for scene: WindowScene) -> Window? {
      (owner as? PlainProgram)?.makesGlass == true ? Glass(windowScene: scene) : Window(windowScene: scene)
    }
    override func handle(_ event: Event) -> Bool {
      if let scene = event.window?.windowScene { record("event", scene) }
      return true
    }
  }

  let program = HeadlessProgram()
  /// Whether the windows that are made from now on are translucent.
  var makesGlass = false
  var platform: HeadlessPlatform { program.platform }

  override init() {
    super.init()
    numbersScenes = false
    endsAfterLastScene = false
    recordedNames = ["sceneWillConnect", "sceneDidDisconnect", "didUpdateEffectiveGeometry", "event"]
  }
  override func makeSceneDelegate(for session: SceneSession) -> RecordingSceneDelegate {
    PlainScene(self, session: session)
  }

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

  func window(_ session: Int) -> Window? { (sessions[session].scene as? WindowScene)?.windows.first }
}
