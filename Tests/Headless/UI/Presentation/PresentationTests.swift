import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

extension UISuites {
  /// Controllers that are presented: what they are told, who gets input, and how they end.
  @MainActor @Suite("Presentation") struct PresentationTests {
    private let below = LoggedController("A")
    private let shown = LoggedController("B")

    private func stage(_ style: ModalPresentationStyle) throws -> UIStage {
      let stage = try UIStage { [below] in $0.rootViewController = below }
      stage.settle()
      shown.modalPresentationStyle = style
      shown.preferredContentSize = Size(width: 200, height: 100)
      _ = LoggedController.takeLog()
      return stage
    }

    private func present(_ stage: UIStage, animated: Bool = true) -> Window? {
      below.present(shown, animated: animated) { LoggedController.log.append("shown") }
      stage.program.advance(by: 1000)
      return shown.window
    }

    private func log() -> [String] { LoggedController.takeLog() }

    private func isOver(_ stage: UIStage) -> Bool {
      below.presentedViewController == nil && shown.presentingViewController == nil
        && stage.window.windowScene?.windows.count == 1 && stage.window.windowScene?.modalWindows.isEmpty == true
        && stage.window.rootView === below.view
    }

    @Test("A sheet is a window of the scene, whose state stays, and what is below neither appears nor disappears")
    func sheet() throws {
      let stage = try stage(.formSheet)
      let window = try #require(present(stage))
      #expect(log() == ["B will+", "B did+", "shown"] && window !== stage.window)
      #expect(window.frame == Rect(x: 160, y: 170, width: 200, height: 100) && window.title == "B")
      #expect(below.presentedViewController === shown && shown.presentingViewController === below)
      #expect(stage.window.windowScene?.modalWindows.last === window)
      #expect(stage.window.windowScene?.activationState == .foregroundActive)
      below.dismiss { LoggedController.log.append("hidden") }
      stage.settle()
      #expect(log() == ["B will-", "B did-", "hidden"] && isOver(stage))
    }

    @Test("A page is nearly as large as what it is above, and can be resized")
    func page() throws {
      let stage = try stage(.pageSheet)
      let window = try #require(present(stage))
      #expect(window.frame.size == Size(width: 240, height: 180) && window.maximumSize == nil)
    }

    @Test("What fills the window takes the place of what is below, in UIKit's order", arguments: [true, false])
    func cover(_ animated: Bool) throws {
      let stage = try stage(.fullScreen)
      let window = try #require(present(stage, animated: animated))
      #expect(log() == ["A will-", "B will+", "A did-", "B did+", "shown"] && window === stage.window)
      #expect(below.view.window == nil && shown.view.frame == Rect(x: 0, y: 0, width: 320, height: 240))
      #expect(shown.view.transform == .identity && stage.window.rootViewController === below)
      shown.dismiss(animated: animated) { LoggedController.log.append("hidden") }
      stage.program.advance(by: 1000)
      #expect(log() == ["B will-", "A will+", "B did-", "hidden", "A did+"] && isOver(stage))
      let frames = stage.frameRequests
      stage.program.advance(by: 3000)
      #expect(stage.frameRequests == frames)
    }

    @Test("Escape dismisses, unless only the program may", arguments: [ModalPresentationStyle.formSheet, .fullScreen])
    func escape(_ style: ModalPresentationStyle) throws {
      let stage = try stage(style)
      let window = try #require(present(stage))
      shown.isModalInPresentation = true
      stage.send(.type(KeySymbol.escape), to: window)
      stage.program.advance(by: 1000)
      #expect(below.presentedViewController === shown)
      shown.isModalInPresentation = false
      stage.send(.type(KeySymbol.escape), to: window)
      stage.program.advance(by: 1000)
      #expect(isOver(stage))
    }

    @Test("The close button of a sheet dismisses it, unless only the program may")
    func closed() throws {
      let stage = try stage(.formSheet)
      let window = try #require(present(stage))
      shown.isModalInPresentation = true
      stage.program.desk.close(window)
      stage.settle()
      #expect(below.presentedViewController === shown && !window.isHidden)
      shown.isModalInPresentation = false
      stage.program.desk.close(window)
      stage.settle()
      #expect(isOver(stage))
    }

    @Test(
      "Tab stays within, and what is below gets its focus back",
      arguments: [ModalPresentationStyle.formSheet, .fullScreen])
    func focus(_ style: ModalPresentationStyle) throws {
      let stage = try stage(style)
      let (under, first, second) = (Button("Under"), Button("One"), Button("Two"))
      for (index, button) in [first, second].enumerated() {
        button.frame = Rect(x: 10, y: 10 + 40 * index, width: 80, height: 30)
        shown.view.addSubview(button)
      }
      under.frame = Rect(x: 10, y: 10, width: 80, height: 30)
      below.view.addSubview(under)
      var presses = 0
      under.addAction(for: .primaryActionTriggered) { presses += 1 }
      #expect(under.becomeFirstResponder())
      let window = try #require(present(stage))
      #expect(first.isFirstResponder)
      for button in [second, first, second] {
        stage.send(.type(KeySymbol.tab, "\t"), to: window)
        #expect(button.isFirstResponder)
      }
      stage.send(.press(20, 20), .release(20, 20), .type(KeySymbol.space, " "))
      #expect(presses == 0)
      below.dismiss()
      stage.program.advance(by: 1000)
      #expect(under.isFirstResponder)
      stage.send(.type(KeySymbol.space, " "))
      #expect(presses == 1)
    }

    @Test(
      "Presented controllers follow the state of the scene", arguments: [ModalPresentationStyle.formSheet, .fullScreen])
    func background(_ style: ModalPresentationStyle) throws {
      let stage = try stage(style)
      let window = try #require(present(stage))
      _ = log()
      stage.program.desk.minimize(stage.window)
      if window !== stage.window { stage.program.desk.minimize(window) }
      stage.program.advance(by: 3000)
      let own = log().filter { $0.hasPrefix("B") }
      #expect(own == ["B will-", "B did-"] && below.presentedViewController === shown)
      stage.program.desk.restore(stage.window)
      if window !== stage.window { stage.program.desk.restore(window) }
      stage.program.advance(by: 1000)
      #expect(log().filter { $0.hasPrefix("B") } == ["B will+", "B did+"])
    }

    @Test("A dismissal takes along all that is above", arguments: [ModalPresentationStyle.formSheet, .fullScreen])
    func nested(_ style: ModalPresentationStyle) throws {
      let stage = try stage(style)
      _ = present(stage)
      let (upper, uppermost) = (LoggedController("C"), LoggedController("D"))
      upper.modalPresentationStyle = .fullScreen
      shown.present(upper)
      stage.program.advance(by: 1000)
      upper.present(uppermost)
      stage.program.advance(by: 1000)
      #expect(upper.presentingViewController === shown && uppermost.presentingViewController === upper)
      // One at a time: another one is reported, and not shown.
      below.present(LoggedController("E"))
      upper.present(below)
      #expect(below.presentedViewController === shown)
      below.dismiss()
      stage.program.advance(by: 1000)
      #expect(isOver(stage) && upper.presentingViewController == nil && uppermost.window == nil)
      #expect(uppermost.presentingViewController == nil)
    }

    @Test("A child presents above its outermost parent, and again while the last one slides out")
    func child() throws {
      let navigation = NavigationController(rootViewController: below)
      let stage = try UIStage { $0.rootViewController = navigation }
      stage.settle()
      shown.modalPresentationStyle = .fullScreen
      below.present(shown)
      stage.program.advance(by: 1000)
      #expect(shown.presentingViewController === navigation && below.presentedViewController === shown)
      below.dismiss()
      stage.program.advance(by: 50)
      below.present(shown)
      stage.program.advance(by: 1000)
      #expect(shown.view.window === stage.window && navigation.view.window == nil)
      stage.window.rootViewController = LoggedController("Z")
      stage.settle()
      #expect(shown.window == nil && shown.presentingViewController == nil && navigation.presentedViewController == nil)
    }

    @Test("Whatever takes a sheet away, it has disappeared once", arguments: ["scene", "kill", "quit", "root"])
    func gone(_ how: String) throws {
      let stage = try stage(.formSheet)
      let window = try #require(present(stage))
      _ = log()
      switch how {
      case "scene": stage.program.desk.close(stage.window)
      case "kill": stage.program.platform.destroyForeign(try #require(window.id))
      case "quit": stage.program.application.terminate()
      default: stage.window.rootViewController = nil
      }
      stage.program.advance(by: 5000)
      #expect(log().filter { $0 == "B did-" }.count == 1 && shown.presentingViewController == nil)
    }

    @Test("Without a window of a scene nothing is presented, and a dismissal of nothing completes")
    func homeless() {
      ViewController().present(shown)
      var isOver = false
      shown.dismiss { isOver = true }
      #expect(shown.presentingViewController == nil && isOver)
    }

    @Test("An alert is presented as other controllers are")
    func alert() throws {
      let stage = try stage(.formSheet)
      let alert: ViewController = AlertController(title: "Sure?")
      var isShown = false
      below.present(alert, animated: true) { isShown = true }
      stage.settle()
      #expect((alert as? AlertController)?.isPresented == true && isShown)
    }
  }
}
