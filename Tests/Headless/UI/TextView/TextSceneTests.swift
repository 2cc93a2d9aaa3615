import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// What a text view makes of its window's scene.
  @MainActor @Suite("A text view and its scene") struct TextSceneTests {
    @Test("The caret goes with its window into another scene, and follows that one's state")
    func anotherScene() throws {
      // Given two scenes, the first with a text view
      let text = try TextStage("text")
      let (stage, view, window) = (text.stage, text.view, text.stage.window)
      UIStage.MainScene.setUp = nil
      stage.program.application.activateSceneSession(for: SceneSessionActivationRequest())
      stage.settle()
      let second = try #require(UIStage.MainScene.last?.windowScene)
      #expect(second !== window.windowScene && !view.blink.isRunning)
      // When the first scene's window goes to the second, which is active
      window.windowScene = second
      window.makeKeyAndVisible()
      stage.settle()
      #expect(second.activationState == .foregroundActive && window.isKeyWindow)
      // Then what is typed comes there
      #expect(view.blink.isRunning)
      // And the caret comes and goes with that scene
      stage.program.desk.focus(nil)
      stage.program.advance(by: 1000)
      #expect(!view.blink.isRunning)
      stage.program.desk.focus(window)
      stage.settle()
      #expect(view.blink.isRunning)
      // And with the key window of that scene
      second.windows.first?.makeKey()
      stage.settle()
      #expect(!view.blink.isRunning)
    }

    @Test("A window made before its scene shows its caret when it gets one")
    func lateScene() throws {
      let stage = try UIStage { _ in }
      let scene = try #require(stage.window.windowScene)
      let window = Window()
      let view = TextView()
      window.rootView = view
      view.becomeFirstResponder()
      window.cursor = .text
      window.windowScene = scene
      window.makeKeyAndVisible()
      stage.settle()
      #expect(view.blink.isRunning)
      let id = try #require(window.id)
      #expect(stage.program.platform.commands.contains(.setCursor(id, .text)))
    }

    /// A scene that keeps what its text view has to restore.
    private final class PageScene: Responder, WindowSceneDelegate {
      let view = TextView()
      var window: Window?
      func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
        guard let scene = scene as? WindowScene else { return }
        view.text = (1...200).map { "line \($0)\n" }.joined()
        window = Window(windowScene: scene)
        window?.rootView = view
        view.becomeFirstResponder()
        window?.makeKeyAndVisible()
      }
      func stateRestorationActivity(for scene: Scene) -> UserActivity? {
        let activity = UserActivity(activityType: "page")
        activity.userInfo = ["page": view.restorationValue].compactMapValues { $0 }
        return activity
      }
      func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
        view.restorationValue = activity.userInfo?["page"]
      }
    }
    private final class PageProgram: Responder, ApplicationDelegate {
      let manifest = ApplicationManifest(
        sceneConfigurations: [SceneConfiguration(name: "Page", delegate: PageScene.init)])
    }

    @Test(
      "What is scrolled, selected or deleted is so again after a kill",
      arguments: ["wheel", "touch", "bar", "caret", "delete"])
    func killed(by means: String) throws {
      // Given a page that has been saved
      let program = HeadlessProgram(delegate: PageProgram.init)
      func view() throws -> TextView { try #require(program.scenes.first?.delegate as? PageScene).view }
      program.launch()
      program.advance(by: .seconds(3))
      let (before, oldText) = (try view().restorationState, try view().text)
      // When it is scrolled, and the program killed two seconds later
      let id = try #require(program.windows.first?.id)
      func send(_ kind: InputEvent.Kind) { program.platform.send(.input(id, InputEvent(kind, time: 1))) }
      func touch(_ phase: Touch.Phase, _ y: Int) {
        send(.touch(Touch(identifier: 1, phase: phase, location: Point(x: 90, y: y))))
      }
      switch means {
      case "wheel": send(.scroll(Scroll(deltaX: 0, deltaY: 5, isPrecise: false, location: Point(x: 90, y: 90))))
      case "touch":
        touch(.began, 300)
        touch(.moved, 100)
        touch(.ended, 100)
      case "bar":
        let x = (program.windows.first?.frame.size.width ?? 0) - 3
        send(.press(x, 3))
        send(.move(x, 90))
        send(.release(x, 90))
      case "delete": send(.type(Symbol.delete))
      default: send(.type(Symbol.right))
      }
      program.advance(by: .seconds(2))
      let (state, text) = (try view().restorationState, try view().text)
      #expect((text == oldText) == (means != "delete") && (state == before) == (means == "delete"))
      #expect((state["caret"] == before["caret"]) == (means != "caret"))
      program.kill()
      program.relaunch()
      program.advance(by: .seconds(1))
      // Then it is as it was
      #expect(try view().restorationState == state && view().text == text)
    }
  }
}
