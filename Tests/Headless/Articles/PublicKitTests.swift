import Proscenium
import ProsceniumTesting
import Testing

/// What a program's own tests can do with nothing but what is public.
@MainActor @Suite("The public kit") struct PublicKitTests {
  private final class Delegate: Responder, ApplicationDelegate {
    let manifest = ApplicationManifest(
      sceneConfigurations: [SceneConfiguration(name: "Editor", delegate: EditorScene.init)])
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
    let program = HeadlessProgram(delegate: Delegate.init)
    program.launch()
    let scene = try #require(program.scenes.first)
    let window = try #require(program.windows.first)
    program.ignoreLines()
    // When it is minimised and comes back within a moment
    program.desk.minimize(window)
    program.advance(by: .milliseconds(40))
    program.desk.restore(window)
    program.advance(by: .seconds(1))
    // Then nothing has happened
    try program.expectNothingMore()
    // And when it stays away, then it has
    program.desk.minimize(window)
    program.advance(by: .milliseconds(300))
    #expect(scene.activationState == .background)
    program.desk.close(window)
    #expect(program.exitStatus == 0)
  }
}
