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
  }
}
