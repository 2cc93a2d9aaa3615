import ProsceniumCore
import ProsceniumTesting
import Testing

/// The end of the responder chain: every event that no responder handles comes to it.
@MainActor @Suite("The responder chain") struct ResponderChainTests {
  /// An application that is its own delegate, and the delegate of its scenes.
  final class Everything: Application, ApplicationDelegate, SceneDelegate {
    var manifest: ApplicationManifest {
      ApplicationManifest(sceneConfigurations: [SceneConfiguration(name: "Main", delegate: { self })])
    }
  }

  final class Unused: Responder {
    func act(_ sender: AnyObject?) {}
  }

  /// A delegate of both.
  final class Both: Responder, ApplicationDelegate, WindowSceneDelegate {
    var heard = 0
    var window: Window?
    var manifest: ApplicationManifest {
      ApplicationManifest(sceneConfigurations: [SceneConfiguration(name: "Main", delegate: { self })])
    }
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      guard let scene = scene as? WindowScene else { return }
      window = Window(windowScene: scene)
      window?.makeKeyAndVisible()
    }
    override func handle(_ event: Event) -> Bool {
      heard += 1
      return false
    }
  }

  /// The class of the application's delegate, of which each scene has an object of its own.
  final class OneForEach: Responder, ApplicationDelegate, SceneDelegate {
    var manifest: ApplicationManifest {
      ApplicationManifest(sceneConfigurations: [SceneConfiguration(name: "Main", delegate: OneForEach.init)])
    }
  }

  @Test("A delegate of a scene passes on, whose class is that of the application's delegate too")
  func oneForEach() throws {
    let delegate = OneForEach()
    let program = HeadlessProgram()
    program.launch(delegate)
    let ofScene = try #require(program.application.connectedScenes.first?.delegate as? OneForEach)
    #expect(ofScene !== delegate)
    #expect(ofScene.next === program.application && program.application.next === delegate && delegate.next == nil)
  }

  @Test("An application that is its own delegate ends the chain")
  func ownDelegate() {
    let application = Everything()
    let program = HeadlessProgram(application: application)
    program.launch(application)
    #expect(application.next == nil)
    #expect(!application.sendAction(Action(Unused.act), to: nil, from: application, for: nil))
  }

  @Test("A delegate of a scene and of the application ends the chain")
  func both() throws {
    let delegate = Both()
    let program = HeadlessProgram()
    program.launch(delegate)
    let window = try #require(delegate.window)
    #expect(window.windowScene?.next === delegate && delegate.next == nil)
    let key = Key(code: 38, symbol: 0x61, characters: "a", isDown: true)
    program.application.sendEvent(Event(.key(key), window: window))
    #expect(delegate.heard == 1)
  }
}
