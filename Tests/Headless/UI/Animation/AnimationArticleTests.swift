import Proscenium
import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

// Begin: code of Animation.md
private final class PanelScene: Responder {
  var window: Window?
  let panel = View(frame: Rect(x: 20, y: 20, width: 200, height: 120))

  func slideAway() {
    View.animate(withDuration: .milliseconds(250), options: .curveEaseIn) {
      panel.frame.origin.x = -panel.frame.size.width
      panel.alpha = 0
    } completion: { [panel] _ in
      panel.isHidden = true
    }
  }

  func wobble() {
    panel.transform = Transform(rotationAngle: 0.2)
    Animator(duration: .milliseconds(600), dampingRatio: 0.3) { [panel] in panel.transform = .identity }
      .startAnimation()
  }
}

extension PanelScene: WindowSceneDelegate {
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    let root = View()
    root.addSubview(panel)
    panel.backgroundColor = Color(rgb: 0x1A66D6)
    window = Window(windowScene: scene)
    window?.rootView = root
    window?.makeKeyAndVisible()
  }
}
// End: code of Animation.md

extension UISuites {
  /// The panel of the article, seen and in the background.
  @MainActor @Suite("The article about animation") struct AnimationArticleTests {
    private final class Delegate: Responder, ApplicationDelegate {
      let manifest = ApplicationManifest(
        sceneConfigurations: [SceneConfiguration(name: "Panel", delegate: PanelScene.init)])
    }

    @Test("The panel wobbles and slides away, and is away at once where the scene leaves", arguments: [false, true])
    func panel(_ leaves: Bool) throws {
      let program = HeadlessProgram(delegate: Delegate.init)
      program.launch()
      program.advance(by: .seconds(1))
      let scene = try #require(program.scenes.first?.delegate as? PanelScene)
      scene.wobble()
      #expect(scene.panel.transform == .identity)
      program.advance(by: .seconds(1))
      scene.slideAway()
      #expect(!scene.panel.isHidden && scene.panel.alpha == 0)
      if leaves { scene.window?.isHidden = true }
      program.advance(by: .milliseconds(leaves ? 20 : 400))
      #expect(scene.panel.isHidden)
    }
  }
}
