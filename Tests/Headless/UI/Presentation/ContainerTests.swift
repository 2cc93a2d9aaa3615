import ProsceniumCore
import ProsceniumPlatform
import ProsceniumTesting
import ProsceniumUI
import Testing

/// A controller that writes down what it is told.
@MainActor final class LoggedController: ViewController {
  static var log: [String] = []
  let name: String
  /// What is done once when it is told something; `load` is not written down.
  var acts: [String: () -> Void] = [:]
  init(_ name: String) {
    self.name = name
    super.init()
    title = name
    restorationIdentifier = name
  }

  static func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  private func note(_ what: String) {
    Self.log.append(name + what)
    acts.removeValue(forKey: what)?()
  }
  override func loadView() {
    view = View()
    view.backgroundColor = Color(rgb: color)
  }
  /// The colour of its view.
  var color: UInt32 { UInt32(name.unicodeScalars.first?.value ?? 0) * 0x010307 }
  override func viewDidLoad() { acts.removeValue(forKey: "load")?() }
  override func viewWillAppear() { note(" will+") }
  override func viewDidAppear() { note(" did+") }
  override func viewWillDisappear() { note(" will-") }
  override func viewDidDisappear() { note(" did-") }
  override func willMove(toParent parent: ViewController?) { note(parent == nil ? " leaves" : " joins") }
  override func didMove(toParent parent: ViewController?) { note(parent == nil ? " left" : " joined") }
  override func viewWillTransition(to size: Size, with coordinator: TransitionCoordinator) {
    note(" \(size.width)x\(size.height)")
    coordinator.animate(
      alongsideTransition: { [weak self] in self?.note(" alongside") },
      completion: { [weak self] in self?.note(" done") })
    super.viewWillTransition(to: size, with: coordinator)
  }
}

extension UISuites {
  /// Stacks, tabs and columns of controllers: what they are told, and in which order.
  @MainActor @Suite("Containers of controllers") struct ContainerTests {
    private let a = LoggedController("A")
    private let b = LoggedController("B")
    private let c = LoggedController("C")

    private func stage(_ controller: ViewController) throws -> UIStage {
      LoggedController.log = []
      let stage = try UIStage {
        $0.rootViewController = controller
        controller.viewIfNeeded()
      }
      stage.settle()
      return stage
    }

    private func log() -> [String] { LoggedController.takeLog() }

    @Test("A push and a pop tell both controllers in UIKit's order", arguments: [true, false])
    func order(_ animated: Bool) throws {
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      #expect(log() == ["A joined", "A will+", "A did+"])
      navigation.pushViewController(b, animated: animated)
      stage.program.advance(by: 100)
      let first = ["B joins", "A will-", "B will+"]
      #expect(log() == (animated ? first : first + ["B joined", "A did-", "B did+"]))
      #expect(b.navigationController === navigation && navigation.topViewController === b)
      stage.program.advance(by: 1000)
      #expect(log() == (animated ? ["B joined", "A did-", "B did+"] : []))
      #expect(a.view.window == nil && b.view.window != nil)
      #expect(navigation.popViewController(animated: animated) === b)
      stage.program.advance(by: 1000)
      #expect(log() == ["B leaves", "B will-", "A will+", "B did-", "B left", "A did+"])
      #expect(navigation.popViewController() == nil && b.parent == nil && b.view.transform == .identity)
      let frames = stage.frameRequests
      stage.program.advance(by: 3000)
      #expect(stage.frameRequests == frames)
    }

    @Test("A second push ends the first one, and a pop to the root leaves out those between")
    func quick() throws {
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      navigation.pushViewController(b)
      stage.program.advance(by: 50)
      navigation.pushViewController(c)
      stage.program.advance(by: 1000)
      #expect(
        log() == [
          "A joined", "A will+", "A did+", "B joins", "A will-", "B will+", "B joined", "A did-", "C joins", "B will-",
          "C will+", "C joined", "B did-", "C did+",
        ])
      #expect(
        navigation.popToRootViewController(animated: false).map { ($0 as? LoggedController)?.name } == ["B", "C"])
      stage.settle()
      #expect(
        log() == ["B leaves", "C leaves", "C will-", "A will+", "B left", "C did-", "C left", "A did+"])
      navigation.pushViewController(a)
      #expect(navigation.viewControllers.count == 1)
    }

    @Test("A controller that was popped is freed when it is out of sight", arguments: [true, false])
    func freed(_ animated: Bool) throws {
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      weak var popped: ViewController?
      do {
        let controller = ViewController()
        popped = controller
        navigation.pushViewController(controller, animated: animated)
      }
      stage.program.advance(by: 1000)
      #expect(popped?.view.window === stage.window)
      navigation.popViewController(animated: animated)
      stage.program.advance(by: 1000)
      #expect(popped == nil)
    }

    @Test("The bar has the title and leads back, as keys do")
    func bar() throws {
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      #expect(a.view.frame == Rect(x: 0, y: 0, width: 320, height: 196))
      navigation.pushViewController(b, animated: false)
      stage.settle()
      stage.click(20, 20)
      stage.program.advance(by: 1000)
      #expect(navigation.topViewController === a)
      stage.click(20, 20)
      navigation.pushViewController(b, animated: false)
      stage.settle()
      stage.press([KeySymbol.left], with: .alternate)
      stage.program.advance(by: 1000)
      #expect(navigation.topViewController === a)
      navigation.isNavigationBarHidden = true
      stage.settle()
      #expect(a.view.frame.size.height == 240 && a.view.convert(Point(x: 0, y: 0), to: nil).y == 0)
    }

    @Test("A push in the background, and a background in the middle of a push, leave all in order")
    func background() throws {
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      navigation.pushViewController(b)
      stage.program.advance(by: 50)
      _ = log()
      stage.window.isHidden = true
      stage.program.advance(by: 3000)
      #expect(log() == ["B joined", "A did-", "B will-", "B did-"])
      navigation.pushViewController(c)
      stage.program.advance(by: 1000)
      #expect(log() == ["C joins", "C joined"])
      stage.window.isHidden = false
      stage.settle()
      #expect(log() == ["C will+", "C did+"] && c.view.window != nil && b.view.window == nil)
    }

    // MARK: The page that leaves

    /// A stack of which the root has a button, and what is pushed a field; the log is begun anew.
    private func pages(_ isReduced: Bool) throws -> (NavigationController, Button, TextField, UIStage) {
      let (button, field) = (Button("Next"), TextField())
      for (view, page) in [(button as View, a), (field, b)] {
        view.frame = Rect(x: 10, y: 10, width: 100, height: 30)
        page.view.addSubview(view)
      }
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      var settings = DesktopSettings()
      settings.prefersReducedMotion = isReduced
      stage.program.platform.send(.settings(settings))
      stage.settle()
      return (navigation, button, field, stage)
    }

    @Test("While a page slides in, keys go to it, and not to the page beneath", arguments: [false, true])
    func keysOfPush(_ isReduced: Bool) throws {
      let (navigation, button, field, stage) = try pages(isReduced)
      var presses = 0
      button.addAction(for: .primaryActionTriggered) { [b] in
        presses += 1
        navigation.pushViewController(presses == 1 ? b : ViewController())
      }
      button.becomeFirstResponder()
      stage.press([KeySymbol.return])
      #expect(stage.window.firstResponder == nil)
      stage.program.advance(by: 50)
      stage.press([KeySymbol.return])
      #expect(presses == 1 && navigation.topViewController === b)
      // Without a way the page has appeared by now.
      if !isReduced { stage.press([KeySymbol.tab]) }
      #expect(field.isFirstResponder)
      stage.type("abc")
      stage.program.advance(by: 1000)
      #expect(field.text == "abc" && field.isFirstResponder && button.window == nil)
    }

    @Test("While a page slides out, keys go to the one that is shown again", arguments: [false, true], [false, true])
    func keysOfPop(_ isReduced: Bool, _ isLate: Bool) throws {
      let (navigation, button, field, stage) = try pages(isReduced)
      navigation.pushViewController(c, animated: false)
      navigation.pushViewController(b, animated: false)
      stage.settle()
      field.becomeFirstResponder()
      var ends = 0
      field.addAction(for: .editingDidEnd) { ends += 1 }
      navigation.popToRootViewController()
      stage.program.advance(by: 50)
      stage.type("abc")
      #expect(field.text == "" && ends == 1 && stage.scene?.heard == ["a", "b", "c"])
      if isLate { stage.program.advance(by: 1000) }
      stage.press([KeySymbol.tab])
      #expect(button.isFirstResponder)
      stage.program.advance(by: 1000)
      #expect(button.isFirstResponder && field.window == nil && ends == 1)
      // What was left can be used when it is pushed again.
      navigation.pushViewController(b)
      stage.program.advance(by: 1000)
      stage.type("d")
      #expect(field.text == "d")
    }

    @Test("A page that gives the keys to a view as it is about to appear keeps them there")
    func keysOfCallback() throws {
      let (navigation, button, field, stage) = try pages(false)
      button.becomeFirstResponder()
      b.acts[" will+"] = { field.becomeFirstResponder() }
      a.acts[" will+"] = { button.becomeFirstResponder() }
      navigation.pushViewController(b)
      stage.type("ab")
      stage.program.advance(by: 1000)
      #expect(field.isFirstResponder && field.text == "ab")
      a.acts[" will+"] = { button.becomeFirstResponder() }
      navigation.popViewController()
      #expect(button.isFirstResponder)
      stage.program.advance(by: 1000)
      #expect(button.isFirstResponder)
    }

    @Test("The end of editing of a field in the page that leaves may show another page", arguments: [true, false])
    func changedAtEndOfEditing(_ animated: Bool) throws {
      let (navigation, _, field, stage) = try pages(false)
      navigation.pushViewController(b, animated: false)
      stage.settle()
      field.becomeFirstResponder()
      field.addAction(for: .editingDidEnd) { [c] in navigation.pushViewController(c, animated: animated) }
      navigation.popViewController(animated: animated)
      stage.program.advance(by: 1000)
      #expect(navigation.viewControllers.map(\.title) == ["A", "C"] && c.view.window === stage.window)
      #expect(a.view.window == nil && b.view.window == nil && c.view.transform == .identity)
      #expect(c.view.convert(Point(x: 0, y: 0), to: nil) == Point(x: 0, y: 44))
    }

    @Test("Of tabs only the chosen controller appears, by pointer, keys and program")
    func tabs() throws {
      let tabs = TabBarController([a, b, c])
      var chosen: [String?] = []
      tabs.selectionHandler = { chosen.append($0.title) }
      let stage = try stage(tabs)
      // Each has joined once, be it shown or not.
      #expect(log() == ["A joined", "B joined", "C joined", "A will+", "A did+"] && !b.isViewLoaded)
      stage.press([KeySymbol.pageDown], with: .control)
      stage.settle()
      #expect(log() == ["A will-", "B will+", "A did-", "B did+"] && chosen == ["B"])
      stage.press([KeySymbol.pageUp, KeySymbol.pageUp], with: .control)
      stage.settle()
      #expect(tabs.selectedIndex == 2 && chosen == ["B", "A", "C"] && tabs.selectedViewController === c)
      tabs.selectedIndex = 99
      tabs.selectedIndex = 1
      stage.settle()
      #expect(tabs.selectedIndex == 1 && chosen.count == 3 && b.view.frame == Rect(x: 0, y: 0, width: 320, height: 196))
      stage.click(130, 22)
      stage.settle()
      #expect(tabs.selectedIndex == 0 && b.tabBarController === tabs && !log().contains { $0.contains("joined") })
    }

    @Test("The keys of tabs turn them also while a text or a list has the keys")
    func tabsAroundText() throws {
      let (text, list) = (TextView(), TableView())
      text.text = "one\ntwo\nthree"
      let numbers = Numbers(Array(0..<100))
      list.dataSource = numbers
      (a.view, b.view) = (text, list)
      let tabs = TabBarController([a, b, c])
      let stage = try stage(tabs)
      for (view, next) in [(text as View, 1), (list, 2)] {
        #expect(view.becomeFirstResponder())
        stage.press([KeySymbol.pageDown], with: .control)
        stage.settle()
        #expect(tabs.selectedIndex == next)
      }
      #expect(text.caretOffset == 0 && list.indexPathForSelectedRow == nil)
    }

    @Test("Tabs within another controller get their keys where nothing has the keys")
    func tabsWithin() throws {
      final class Outer: ViewController {
        let tabs: TabBarController
        init(_ tabs: TabBarController) {
          self.tabs = tabs
          super.init()
        }
        override func loadView() {
          addChild(tabs)
          tabs.view.isStretching = true
          view = StackView(.vertical, spacing: 0, [tabs.view])
          tabs.didMove(toParent: self)
        }
      }
      let tabs = TabBarController([a, b, c])
      let stage = try stage(Outer(tabs))
      #expect(stage.window.firstResponder == nil)
      for index in [1, 2, 0] {
        stage.press([KeySymbol.pageDown], with: .control)
        stage.settle()
        #expect(tabs.selectedIndex == index)
      }
    }

    @Test("The divider follows the pointer and the arrows, within limits")
    func split() throws {
      let split = SplitViewController(primary: a, secondary: b)
      let stage = try stage(split)
      #expect(log() == ["A joined", "B joined", "A will+", "B will+", "A did+", "B did+"])
      split.primaryColumnWidth = 120
      stage.settle()
      #expect(a.view.frame.size.width == 120 && b.view.frame == Rect(x: 127, y: 0, width: 193, height: 240))
      stage.send(.press(123, 50), .move(153, 50))
      #expect(split.primaryColumnWidth == 150)
      stage.send(.move(900, 50), .release(900, 50), .move(10, 50))
      #expect(split.primaryColumnWidth == 213)
      stage.send(.type(KeySymbol.tab, "\t"), .type(KeySymbol.left), .type(KeySymbol.left))
      #expect(split.primaryColumnWidth == 193 && b.splitViewController === split)
      split.primaryColumnWidth = .min
      #expect(split.primaryColumnWidth == 100)
      split.minimumColumnWidth = .max
      split.primaryColumnWidth = .max
      #expect(split.primaryColumnWidth == 157)
    }

    @Test("Before a resize the controllers that are seen are told their sizes, with calls around it")
    func resized() throws {
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      navigation.pushViewController(b, animated: false)
      stage.settle()
      _ = log()
      stage.program.platform.move(stage.id, to: Rect(x: 0, y: 0, width: 500, height: 400))
      stage.settle()
      #expect(log() == ["B 500x356", "B alongside", "B done"] && b.view.frame.size == Size(width: 500, height: 356))
      stage.program.desk.minimize(stage.window)
      stage.program.advance(by: 3000)
      _ = log()
      stage.program.platform.move(stage.id, to: Rect(x: 0, y: 0, width: 320, height: 240))
      stage.program.desk.restore(stage.window)
      stage.settle()
      #expect(!log().contains { $0.contains("x") })
    }

    @Test("Before a resize each column is told the width that it gets")
    func resizedColumns() throws {
      let split = SplitViewController(primary: a, secondary: b)
      let stage = try stage(split)
      _ = log()
      stage.program.platform.move(stage.id, to: Rect(x: 0, y: 0, width: 500, height: 400))
      stage.settle()
      #expect(log().filter { $0.contains("x") } == ["A 240x400", "B 253x400"])
      #expect(a.view.frame.size == Size(width: 240, height: 400) && b.view.frame.size == Size(width: 253, height: 400))
    }

    @Test("A controller is not its own child, nor one of a child of its own")
    func circles() throws {
      let navigation = NavigationController(rootViewController: a)
      a.addChild(navigation)
      a.addChild(a)
      #expect(a.children.isEmpty && navigation.parent == nil)
    }
  }
}

extension ViewController {
  fileprivate func viewIfNeeded() { _ = view }
}
