import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

extension UISuites {
  /// When controllers appear and disappear, and how alerts end.
  @MainActor @Suite("View controllers and alerts") struct ControllerTests {
    final class Controller: ViewController {
      var log: [String] = []
      override func viewDidLoad() { log.append("load") }
      override func viewWillAppear() { log.append("will+") }
      override func viewDidAppear() { log.append("did+") }
      override func viewWillDisappear() { log.append("will-") }
      override func viewDidDisappear() { log.append("did-") }
    }

    @Test("A controller appears with its window's first frame and disappears with its scene")
    func appearance() throws {
      let controller = Controller()
      let stage = try UIStage { $0.rootViewController = controller }
      #expect(controller.log == ["load", "will+", "did+"])
      stage.program.desk.focus(nil)
      stage.program.advance(by: 1000)
      #expect(controller.log.count == 3)
      controller.log = []
      stage.program.desk.minimize(stage.window)
      stage.program.advance(by: 3000)
      #expect(controller.log == ["will-", "did-"])
      stage.program.desk.restore(stage.window)
      stage.settle()
      #expect(controller.log == ["will-", "did-", "will+", "did+"])
      controller.log = []
      let next = Controller()
      stage.window.rootViewController = next
      stage.settle()
      #expect(controller.log == ["will-", "did-"] && next.log == ["load", "will+", "did+"])
      stage.program.desk.close(stage.window)
      stage.settle()
      #expect(next.log == ["load", "will+", "did+", "will-", "did-"])
    }

    /// Shows another view than the one that was created.
    final class Replacing: ViewController {
      let label = Label("hello")
      var loads = 0
      override func viewDidLoad() {
        loads += 1
        view = label
      }
    }

    @Test("A view that viewDidLoad() sets is the one that is shown")
    func replaced() throws {
      let (controller, child) = (Replacing(), Replacing())
      let stage = try UIStage { $0.rootViewController = controller }
      #expect(stage.window.rootView === controller.label && controller.label.window === stage.window)
      #expect(controller.view === controller.label && controller.loads == 1)
      controller.addChild(child)
      #expect(child.view === child.label && child.loads == 1)
      child.removeFromParent()
    }

    @Test("Children appear and disappear with their parent")
    func children() throws {
      let (parent, child) = (Controller(), Controller())
      let stage = try UIStage { $0.rootViewController = parent }
      parent.addChild(child)
      parent.view.addSubview(child.view)
      stage.settle()
      #expect(child.log == ["load", "will+", "did+"])
      stage.program.desk.minimize(stage.window)
      stage.program.advance(by: 3000)
      #expect(child.log == ["load", "will+", "did+", "will-", "did-"])
      child.removeFromParent()
      #expect(child.log.count == 5 && parent.children.isEmpty)
    }

    @Test("A window that goes away in sight takes its controller along")
    func detached() throws {
      let controller = Controller()
      let stage = try UIStage { $0.rootViewController = controller }
      stage.window.windowScene = nil
      stage.settle()
      #expect(controller.log == ["load", "will+", "did+", "will-", "did-"])
    }

    private func alert(_ answers: @escaping @MainActor (String) -> Void) -> AlertController {
      let alert = AlertController(title: "Delete the note?", message: "There is no way back from this.")
      alert.addAction(AlertAction("Delete", style: .destructive) { answers("delete") })
      alert.addAction(AlertAction("Cancel", style: .cancel) { answers("cancel") })
      alert.addAction(AlertAction("Keep") { answers("keep") })
      return alert
    }

    private func presented() throws -> (UIStage, Window, Button, () -> [String], () -> Int) {
      let button = Button("Beneath")
      var (answers, presses) = ([String](), 0)
      button.addAction(for: .primaryActionTriggered) { presses += 1 }
      let controller = ViewController()
      let stage = try UIStage { $0.rootViewController = controller }
      button.frame = Rect(x: 10, y: 10, width: 90, height: 30)
      controller.view.addSubview(button)
      #expect(button.becomeFirstResponder())
      controller.present(alert { answers.append($0) })
      stage.settle()
      let window = try #require(stage.window.windowScene?.windows.last)
      #expect(window !== stage.window)
      return (stage, window, button, { answers }, { presses })
    }

    @Test("While an alert is shown its scene stays as it is, and what is beneath hears nothing")
    func beneath() throws {
      let (stage, window, _, answers, presses) = try presented()
      #expect(stage.window.windowScene?.activationState == .foregroundActive)
      stage.send(.press(20, 20), .release(20, 20), .type(0x20, " "))
      #expect(presses() == 0 && answers() == [])
      stage.program.desk.minimize(stage.window)
      stage.program.desk.minimize(window)
      stage.program.advance(by: 3000)
      #expect(stage.window.windowScene?.activationState == .background && answers() == [])
      stage.program.desk.restore(stage.window)
      stage.program.desk.restore(window)
      stage.settle()
      #expect(answers() == [] && window.windowScene != nil)
      stage.send(.type(0xFF1B), to: window)
      stage.settle()
      #expect(answers() == ["cancel"] && stage.window.windowScene?.windows.count == 1)
      stage.send(.press(20, 20), .release(20, 20))
      #expect(presses() == 1)
    }

    @Test("While an alert is shown its scene's keys and key commands are not heard, the application's are")
    func commands() throws {
      let controller = ViewController()
      let stage = try UIStage { $0.rootViewController = controller }
      let (scene, delegate) = (try #require(stage.scene), stage.delegate)
      func type(into window: Window) {
        stage.send(.type(0x77, "\u{17}", .control), .type(0x78, "x"), to: window)
      }
      type(into: stage.window)
      #expect(scene.heard == ["command", "x"] && delegate.heard == ["x"])
      controller.present(alert { _ in })
      stage.settle()
      let window = try #require(stage.window.windowScene?.windows.last)
      type(into: window)
      #expect(scene.heard.count == 2 && delegate.heard == ["x", "\u{17}", "x"])
      type(into: stage.window)
      #expect(scene.heard.count == 2 && delegate.heard.count == 3)
      stage.send(.type(KeySymbol.escape), to: window)
      stage.settle()
      type(into: stage.window)
      #expect(scene.heard == ["command", "x", "command", "x"])
    }

    @Test("While an alert is shown a key command of the application does not act on the scene beneath")
    func commandOfApplication() throws {
      let controller = ViewController()
      let stage = try UIStage { $0.rootViewController = controller }
      let scene = try #require(stage.scene)
      stage.delegate.keys = [KeyCommand(input: "d", action: Action(UIStage.MainScene.act))]
      stage.command("d")
      #expect(scene.heard == ["command"] && stage.delegate.heard == [])
      controller.present(alert { _ in })
      stage.settle()
      stage.send(.type(0x64, "\u{4}", .control), to: try #require(stage.window.windowScene?.windows.last))
      #expect(scene.heard == ["command"] && stage.delegate.heard == ["\u{4}"])
    }

    @Test("An alert looks like one, and a button of it is its answer")
    func answer() throws {
      let (stage, window, _, answers, _) = try presented()
      let id = try #require(window.id)
      let surface = try #require(stage.program.platform.surface(of: id))
      try Pictures.expect(surface, "alert", tolerance: 0.01)
      // The first responder is the first button that does no harm.
      stage.send(.type(0xFF0D, "\r"), to: window)
      stage.settle()
      #expect(answers() == ["keep"])
    }

    @Test("An answer has its button also where the view was used before")
    func lateAnswers() throws {
      let controller = ViewController()
      let stage = try UIStage { $0.rootViewController = controller }
      var answers: [String] = []
      let alert = AlertController(title: "Go on?")
      alert.view.isUserInteractionEnabled = true
      alert.addAction(AlertAction("One") { answers.append("one") })
      alert.addAction(AlertAction("Two") { answers.append("two") })
      controller.present(alert)
      stage.settle()
      stage.send(.type(KeySymbol.return, "\r"), to: alert.window)
      stage.settle()
      #expect(answers == ["one"] && !alert.isPresented)
      alert.addAction(AlertAction("Three") { answers.append("three") })
      controller.present(alert)
      stage.settle()
      stage.send(
        .type(KeySymbol.tab, "\t"), .type(KeySymbol.tab, "\t"), .type(KeySymbol.return, "\r"), to: alert.window)
      stage.settle()
      #expect(answers == ["one", "three"])
    }

    @Test(
      "Whatever takes an alert away, its cancel action runs once",
      arguments: ["close", "minimized", "kill", "scene", "quit", "policy"])
    func cancelled(_ how: String) throws {
      let (stage, window, _, answers, _) = try presented()
      switch how {
      case "close": stage.program.desk.close(window)
      case "minimized":
        stage.program.desk.minimize(stage.window)
        stage.program.desk.minimize(window)
        stage.program.advance(by: 3000)
        #expect(answers() == [])
        stage.program.desk.close(window)
      case "kill": stage.program.platform.destroyForeign(try #require(window.id))
      case "scene": stage.program.desk.close(stage.window)
      case "quit": stage.program.application.terminate()
      default:
        let session = try #require(stage.window.windowScene?.session)
        stage.program.application.requestSceneSessionDestruction(session, options: nil, errorHandler: nil)
      }
      stage.settle()
      stage.program.advance(by: 5000)
      #expect(answers() == ["cancel"])
    }

    @Test(
      "A root that is set as the editing of the old one's field ends is the one that is shown",
      arguments: [true, false], [true, false])
    func rootAtEndOfEditing(_ isController: Bool, _ isLastController: Bool) throws {
      let (first, second, last) = (ViewController(), ViewController(), ViewController())
      let field = TextField()
      first.view.addSubview(field)
      let stage = try UIStage { $0.rootViewController = first }
      stage.settle()
      #expect(field.becomeFirstResponder())
      let window = stage.window
      field.addAction(for: .editingDidEnd) { [weak window] in
        if isLastController { window?.rootViewController = last } else { window?.rootView = last.view }
      }
      if isController { window.rootViewController = second } else { window.rootView = second.view }
      stage.settle()
      #expect(window.rootViewController === (isLastController ? last : nil))
      #expect(window.rootView === last.view && last.view.window === window)
      #expect(second.view.window == nil && first.view.window == nil)
    }

    @Test(
      "An alert is dismissed as other controllers are, and can be shown again with an answer each time",
      arguments: [true, false])
    func shownAgain(_ isAboveSheet: Bool) throws {
      let (controller, sheet) = (ViewController(), ViewController())
      let stage = try UIStage { $0.rootViewController = controller }
      if isAboveSheet { controller.present(sheet) }
      let presenter = isAboveSheet ? sheet : controller
      stage.settle()
      var (answers, ends) = ([String](), 0)
      let alert = alert { answers.append($0) }
      for end in 1...2 {
        presenter.present(alert)
        stage.settle()
        #expect(alert.isPresented && alert.window?.windowScene === stage.window.windowScene)
        alert.dismiss(animated: true) { ends += 1 }
        stage.settle()
        #expect(!alert.isPresented && alert.window == nil && ends == end && answers == [])
        #expect(controller.presentedViewController === (isAboveSheet ? sheet : nil))
      }
      for end in 1...2 {
        presenter.present(alert)
        stage.settle()
        stage.send(.type(KeySymbol.escape), to: alert.window)
        stage.settle()
        #expect(answers == Array(repeating: "cancel", count: end))
      }
    }

    @Test("The completion of an alert is called once it has appeared, and not where it is not shown")
    func completed() throws {
      final class Logged: AlertController {
        var log: [String] = []
        override func viewDidAppear() { log.append("did+") }
      }
      let controller = ViewController()
      let stage = try UIStage { $0.rootViewController = controller }
      let alert = Logged(title: "Saved")
      for _ in 1...2 {
        alert.log = []
        controller.present(alert, animated: true) { alert.log.append("shown") }
        #expect(alert.log == [])
        stage.settle()
        #expect(alert.log == ["did+", "shown"])
        alert.dismiss()
      }
      alert.log = []
      controller.present(alert, animated: true) { alert.log.append("shown") }
      alert.dismiss()
      ViewController().present(alert, animated: true) { alert.log.append("shown") }
      controller.present(alert)
      stage.settle()
      #expect(alert.log == ["did+"])
    }

    @Test("An alert without a window is dropped")
    func homeless() {
      var answers: [String] = []
      let alert = alert { answers.append($0) }
      ViewController().present(alert)
      #expect(!alert.isPresented && answers == [])
    }
  }
}
