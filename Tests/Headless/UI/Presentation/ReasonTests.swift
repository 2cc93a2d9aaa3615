import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

extension UISuites {
  /// What controllers can ask while they are told that they appear or disappear: why they do.
  @MainActor @Suite("Why controllers appear and disappear") struct ReasonTests {
    /// Writes down what it is told, and why.
    final class Reasoned: ViewController {
      private var log: [String] = []
      var reason: String {
        (isMovingToParent ? " added" : "") + (isBeingPresented ? " presented" : "")
          + (isMovingFromParent ? " removed" : "") + (isBeingDismissed ? " dismissed" : "")
      }
      private func note(_ what: String) { log.append(what + reason) }
      override func viewWillAppear() { note("will+") }
      override func viewDidAppear() { note("did+") }
      override func viewWillDisappear() { note("will-") }
      override func viewDidDisappear() { note("did-") }
      /// What it was told since the last call; between the calls there is no reason.
      func take() -> [String] {
        defer { log = [] }
        return reason.isEmpty ? log : log + ["still" + reason]
      }
    }

    private let a = Reasoned()
    private let b = Reasoned()

    private func stage(_ controller: ViewController) throws -> UIStage {
      let stage = try UIStage { $0.rootViewController = controller }
      stage.settle()
      return stage
    }

    /// Expects nothing to be a reason where the scene goes to the background and comes back.
    private func expectNoReasonInBackground(_ controller: Reasoned, _ stage: UIStage) {
      let windows = stage.window.windowScene?.windows ?? []
      for window in windows { stage.program.desk.minimize(window) }
      stage.program.advance(by: 3000)
      for window in windows { stage.program.desk.restore(window) }
      stage.settle()
      #expect(controller.take() == ["will-", "did-", "will+", "did+"])
    }

    @Test("A push and a pop are told apart from what is above, and from the background", arguments: [true, false])
    func stack(_ animated: Bool) throws {
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      #expect(a.take() == ["will+ added", "did+ added"])
      for _ in 1...2 {
        navigation.pushViewController(b, animated: animated)
        stage.program.advance(by: 1000)
        #expect(a.take() == ["will-", "did-"] && b.take() == ["will+ added", "did+ added"])
        expectNoReasonInBackground(b, stage)
        navigation.popViewController(animated: animated)
        stage.program.advance(by: 1000)
        #expect(a.take() == ["will+", "did+"] && b.take() == ["will- removed", "did- removed"])
      }
      // What was beneath another one all the time was not pushed just now.
      let between = Reasoned()
      navigation.isNavigationBarHidden = true
      for one in [between, b] { navigation.pushViewController(one, animated: animated) }
      stage.program.advance(by: 1000)
      _ = between.take()
      navigation.popToRootViewController(animated: animated)
      stage.program.advance(by: 1000)
      #expect(between.take() == [] && b.take().last == "did- removed")
      // What has its place from a window is there for no such reason, nor goes for one.
      stage.window.rootViewController = between
      stage.settle()
      stage.window.rootViewController = Reasoned()
      stage.settle()
      #expect(between.take() == ["will+", "did+", "will-", "did-"])
    }

    @Test("A controller beneath others from the start appears as they are popped, and was not pushed just now")
    func beneath() throws {
      let navigation = NavigationController(rootViewController: a)
      navigation.pushViewController(b, animated: false)
      let stage = try stage(navigation)
      #expect(a.take() == [] && b.take() == ["will+ added", "did+ added"])
      navigation.popViewController(animated: false)
      stage.settle()
      #expect(a.take() == ["will+", "did+"] && b.take() == ["will- removed", "did- removed"])
    }

    @Test(
      "A presentation and its end are told apart from the background",
      arguments: [ModalPresentationStyle.formSheet, .fullScreen], ["program", "escape", "close"])
    func presentation(_ style: ModalPresentationStyle, _ end: String) throws {
      let stage = try stage(a)
      #expect(a.take() == ["will+", "did+"])
      b.modalPresentationStyle = style
      b.preferredContentSize = Size(width: 200, height: 100)
      a.present(b)
      stage.program.advance(by: 1000)
      #expect(b.take() == ["will+ presented", "did+ presented"])
      expectNoReasonInBackground(b, stage)
      _ = a.take()
      switch end {
      case "program": a.dismiss()
      case "escape": stage.send(.type(KeySymbol.escape), to: b.window)
      default:
        guard style == .formSheet, let window = b.window else { return }
        stage.program.desk.close(window)
      }
      stage.program.advance(by: 1000)
      #expect(b.take() == ["will- dismissed", "did- dismissed"] && a.presentedViewController == nil)
      #expect(a.take() == (style == .formSheet ? [] : ["will+", "did+"]))
    }

    @Test("A sheet that the user closes and only the program dismisses is not being dismissed")
    func modal() throws {
      let stage = try stage(a)
      b.isModalInPresentation = true
      a.present(b)
      stage.program.advance(by: 1000)
      _ = b.take()
      stage.program.desk.close(try #require(b.window))
      stage.program.advance(by: 1000)
      #expect(b.take().allSatisfy { !$0.contains("dismissed") } && a.presentedViewController === b)
    }

    @Test("An alert is presented and dismissed, too", arguments: [true, false])
    func alert(_ isClosed: Bool) throws {
      final class Asking: AlertController {
        var log: [Bool] = []
        override func viewDidAppear() { log.append(isBeingPresented) }
        override func viewWillDisappear() { log.append(isBeingDismissed) }
        override func viewDidDisappear() { log.append(isBeingDismissed) }
      }
      let stage = try stage(a)
      let alert = Asking(title: "Saved")
      a.present(alert)
      stage.settle()
      if isClosed { stage.program.desk.close(try #require(alert.window)) } else { alert.dismiss() }
      stage.settle()
      #expect(alert.log == [true, true, true] && !alert.isBeingDismissed && !alert.isPresented)
    }

    @Test("A child of one's own container is added and removed, in either order", arguments: [true, false])
    func child(_ isViewFirst: Bool) throws {
      let stage = try stage(a)
      for _ in 1...2 {
        a.addChild(b)
        a.view.addSubview(b.view)
        b.didMove(toParent: a)
        stage.settle()
        #expect(b.take() == ["will+ added", "did+ added"])
        expectNoReasonInBackground(b, stage)
        // Only its view goes, and comes back.
        b.view.removeFromSuperview()
        a.view.addSubview(b.view)
        stage.settle()
        #expect(b.take() == ["will-", "did-", "will+", "did+"])
        b.willMove(toParent: nil)
        if isViewFirst { b.view.removeFromSuperview() }
        b.removeFromParent()
        if !isViewFirst { b.view.removeFromSuperview() }
        #expect(b.take() == ["will- removed", "did- removed"])
      }
    }
  }
}
