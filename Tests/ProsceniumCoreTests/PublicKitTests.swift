import Proscenium
import ProsceniumTesting
import Testing

/// What a program's own tests can do with nothing but what is public.
@MainActor @Suite("The public kit") struct PublicKitTests {
  private final class Delegate: Responder, ApplicationDelegate {
    let sceneConfigurations = [SceneConfiguration(name: "Editor", delegate: EditorScene.init)]
  }
  private final class EditorScene: Responder, WindowSceneDelegate {
    var window: Window?
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      guard let scene = scene as? WindowScene else { return }
      window = Window(windowScene: scene)
      window?.makeKeyAndVisible()
    }
  }

  @Test("A window minimised for less than its hold was never in the background")
  func flap() throws {
    // Given a program with one window
    let program = HeadlessProgram()
    program.launch(Delegate())
    let scene = try #require(program.application.connectedScenes.first as? WindowScene)
    let window = try #require(scene.windows.first)
    _ = program.newLines()
    // When it is minimised and comes back within a moment
    program.minimize(window)
    program.advance(by: 40)
    program.restore(window)
    program.advance(by: 1000)
    // Then nothing has happened
    #expect(program.newLines() == [])
    // And when it stays away, then it has
    program.minimize(window)
    program.advance(by: 300)
    #expect(scene.activationState == .background)
    program.requestClose(window)
    #expect(program.exitStatus == 0)
  }
}
