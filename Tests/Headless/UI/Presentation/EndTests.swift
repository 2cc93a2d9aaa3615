import FoundationEssentials
import ProsceniumTesting
import ProsceniumUI
import Testing

@testable import ProsceniumCore

extension UISuites {
  /// What views and controllers are told when their scene or the program ends.
  @MainActor @Suite("Views at the end") struct EndTests {
    enum Way: String, CaseIterable { case close, destruction, disconnection, quit, signal }

    private func end(_ way: Way, _ stage: UIStage) throws {
      let (application, session) = (stage.program.application, try #require(stage.window.windowScene?.session))
      switch way {
      case .close: stage.program.platform.requestClose(stage.id)
      case .destruction: application.requestSceneSessionDestruction(session)
      case .disconnection:
        stage.program.platform.minimize(stage.id)
        stage.program.advance(by: 3000)
        application.requestSceneDisconnection(session)
      case .quit: application.terminate()
      case .signal: stage.program.platform.send(.signal(15))
      }
      stage.program.advance(by: 3000)
      #expect(stage.window.windowScene == nil)
    }

    @Test("What is typed in a field counts when its scene or the program ends", arguments: Way.allCases)
    func typed(_ way: Way) throws {
      let number = NumberField(0, in: 0...100)
      // What a handler saves has to come in time
      var saved: [(value: Double, isConnected: Bool)] = []
      let stage = try UIStage(number, Rect(x: 10, y: 10, width: 150, height: 30))
      number.addAction(for: .valueChanged) {
        saved.append((number.value, !stage.program.application.connectedScenes.isEmpty))
      }
      number.becomeFirstResponder()
      stage.window.rootView?.layoutIfNeeded()
      stage.type("42")
      #expect(saved.isEmpty)
      try end(way, stage)
      #expect(saved.count == 1 && saved.first?.value == 42 && saved.first?.isConnected == true && number.value == 42)
    }

    @Test("State that is saved at the program's end knows the field that was edited")
    func focus() throws {
      let field = TextField()
      var ends = 0
      let stage = try UIStage(field, Rect(x: 10, y: 10, width: 150, height: 30))
      field.addAction(for: .editingDidEnd) { ends += 1 }
      field.becomeFirstResponder()
      var wasEdited: Bool?
      let token = NotificationCenter.default.addObserver(for: Scene.DidEnterBackgroundMessage.self) { _ in
        wasEdited = field.isFirstResponder
      }
      try end(.quit, stage)
      #expect(wasEdited == true && ends == 1 && !field.isFirstResponder)
      NotificationCenter.default.removeObserver(token)
    }

    @Test("An alert is cancelled before the program's last callback", arguments: [Way.close, .quit, .signal])
    func alert(_ way: Way) throws {
      var calls: [String] = []
      let stage = try UIStage { _ in }
      let alert = AlertController(title: "Save?")
      alert.addAction(AlertAction("Cancel", style: .cancel) { calls.append("cancel") })
      alert.present(above: stage.window)
      stage.settle()
      let token = NotificationCenter.default.addObserver(for: Application.WillTerminateMessage.self) { _ in
        calls.append("applicationWillTerminate")
      }
      try end(way, stage)
      #expect(calls == ["cancel", "applicationWillTerminate"])
      NotificationCenter.default.removeObserver(token)
    }
  }
}
