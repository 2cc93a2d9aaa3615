import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

extension UISuites {
  /// Controllers that change what is shown while they are told of a change.
  @MainActor @Suite("Changes within callbacks") struct CallbackTests {
    private let a = LoggedController("A")
    private let b = LoggedController("B")
    private let c = LoggedController("C")
    private let d = LoggedController("D")

    private func stage(_ controller: ViewController) throws -> UIStage {
      _ = LoggedController.takeLog()
      let stage = try UIStage { $0.rootViewController = controller }
      stage.settle()
      return stage
    }

    /// Expects the window to show one of the controllers, and each of them to have been told whether it is shown.
    private func expectShown(_ shown: LoggedController, _ stage: UIStage, _ location: SourceLocation = #_sourceLocation)
    {
      stage.program.advance(by: 1000)
      for one in [a, b, c, d] {
        let isInWindow = one.isViewLoaded && one.view.window === stage.window
        #expect(isInWindow == (one === shown), "the view of \(one.name)", sourceLocation: location)
        #expect(count(one, " will+") - count(one, " did-") == (one === shown ? 1 : 0), sourceLocation: location)
        #expect(count(one, " will-") == count(one, " did-"), "\(LoggedController.log)", sourceLocation: location)
      }
      #expect((try? stage.surface()[160, 150] & 0xFFFFFF) == shown.color, sourceLocation: location)
    }

    private func count(_ controller: LoggedController, _ what: String) -> Int {
      LoggedController.log.count { $0 == controller.name + what }
    }

    private func names(_ controllers: [ViewController]) -> String {
      controllers.map { ($0 as? LoggedController)?.name ?? "?" }.joined()
    }

    // MARK: Stacks

    @Test("A root controller that pushes when its view is loaded is beneath, and is gone back to")
    func rootPushes() throws {
      let navigation = NavigationController(rootViewController: a)
      a.acts["load"] = { [b] in navigation.pushViewController(b, animated: false) }
      let stage = try stage(navigation)
      expectShown(b, stage)
      #expect(navigation.topViewController === b && count(a, " will+") == 0)
      #expect(count(a, " joined") == 1 && count(b, " joined") == 1)
      stage.click(20, 20)
      expectShown(a, stage)
    }

    @Test(
      "A controller that pops itself or pushes another one before it is shown",
      arguments: ["load", " will+", " joined"], [true, false])
    func beforeShown(_ moment: String, _ animated: Bool) throws {
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      b.acts[moment] = { navigation.popViewController(animated: animated) }
      navigation.pushViewController(b, animated: animated)
      expectShown(a, stage)
      #expect(names(navigation.viewControllers) == "A" && b.parent == nil)
      b.acts[moment] = { [c] in navigation.pushViewController(c, animated: animated) }
      // It is loaded once.
      if moment == "load" { c.acts = [" will+": { [d] in navigation.pushViewController(d, animated: animated) }] }
      navigation.pushViewController(moment == "load" ? c : b, animated: animated)
      let top = moment == "load" ? d : c
      expectShown(top, stage)
      #expect(navigation.topViewController === top && navigation.viewControllers.count == 3)
      navigation.popViewController(animated: animated)
      expectShown(moment == "load" ? c : b, stage)
      navigation.popViewController(animated: animated)
      expectShown(a, stage)
    }

    @Test("A controller that pushes another one when its view is loaded is beneath that", arguments: [true, false])
    func pushedOnLoad(_ animated: Bool) throws {
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      b.acts["load"] = { [c] in navigation.pushViewController(c, animated: animated) }
      navigation.pushViewController(b, animated: animated)
      expectShown(c, stage)
      #expect(names(navigation.viewControllers) == "ABC")
      navigation.popViewController(animated: animated)
      expectShown(b, stage)
    }

    @Test("A controller that pops all others as it leaves the stack", arguments: [" leaves", " left"])
    func popsOnLeaving(_ moment: String) throws {
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      for one in [b, c, d] { navigation.pushViewController(one, animated: false) }
      d.acts[moment] = { navigation.popToRootViewController(animated: false) }
      // The second Back comes before the first one's way has ended.
      navigation.popViewController()
      stage.program.advance(by: 50)
      navigation.popViewController()
      expectShown(a, stage)
      #expect(names(navigation.viewControllers) == "A" && a.children.isEmpty && names(navigation.children) == "A")
      navigation.pushViewController(b)
      expectShown(b, stage)
    }

    @Test("A push that ends a pop whose controller changes the stack")
    func pushEndsPop() throws {
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      for one in [b, c] { navigation.pushViewController(one, animated: false) }
      c.acts[" left"] = { navigation.popToRootViewController(animated: false) }
      navigation.popViewController()
      stage.program.advance(by: 50)
      navigation.pushViewController(d)
      expectShown(d, stage)
      #expect(names(navigation.viewControllers) == "AD")
      navigation.popViewController()
      expectShown(a, stage)
    }

    @Test("A controller that is pushed again while it is being popped stays in the stack", arguments: [true, false])
    func pushedAgain(_ animated: Bool) throws {
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      navigation.pushViewController(b, animated: false)
      stage.settle()
      a.acts[" will+"] = { [b] in navigation.pushViewController(b, animated: animated) }
      navigation.popViewController(animated: animated)
      expectShown(b, stage)
      #expect(names(navigation.viewControllers) == "AB" && b.navigationController === navigation)
    }

    // MARK: Tabs

    @Test("A controller that chooses another tab before it is shown", arguments: ["load", " will+"])
    func tabs(_ moment: String) throws {
      let tabs = TabBarController([a, b])
      let stage = try stage(tabs)
      b.acts[moment] = { tabs.selectedIndex = 0 }
      tabs.selectedIndex = 1
      expectShown(a, stage)
      #expect(tabs.selectedIndex == 0)
      tabs.selectedIndex = 1
      expectShown(b, stage)
    }

    @Test("The first of tabs that chooses another one when its view is loaded")
    func firstTab() throws {
      let tabs = TabBarController([a, b])
      a.acts["load"] = { tabs.selectedIndex = 1 }
      let stage = try stage(tabs)
      expectShown(b, stage)
      #expect(tabs.selectedIndex == 1)
      tabs.selectedIndex = 0
      expectShown(a, stage)
    }

    // MARK: Children that leave

    @Test("A controller that another stack pushes leaves its own, which shows the one below", arguments: [true, false])
    func pushedElsewhere(_ animated: Bool) throws {
      let (one, two) = (NavigationController(rootViewController: a), NavigationController(rootViewController: b))
      let stage = try stage(SplitViewController(primary: one, secondary: two))
      one.pushViewController(c, animated: false)
      stage.settle()
      _ = LoggedController.takeLog()
      two.pushViewController(c, animated: animated)
      stage.program.advance(by: 1000)
      #expect(names(one.viewControllers) == "A" && names(one.children) == "A" && names(two.viewControllers) == "BC")
      #expect(a.view.window === stage.window && c.view.isDescendant(of: two.view) && c.parent === two)
      #expect(count(a, " will+") == 1 && count(a, " did+") == 1 && count(b, " did-") == 1)
      #expect(count(c, " will-") == 1 && count(c, " did-") == 1 && count(c, " will+") == 1 && count(c, " did+") == 1)
      one.popViewController(animated: animated)
      two.popViewController(animated: animated)
      stage.program.advance(by: 1000)
      #expect(names(one.viewControllers) == "A" && names(two.viewControllers) == "B" && c.parent == nil)
      #expect(a.view.window === stage.window && b.view.window === stage.window && c.view.window == nil)
    }

    @Test("A controller that is taken out of a stack uncovers the one below it")
    func takenOut() throws {
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      for one in [b, c, d] { navigation.pushViewController(one, animated: false) }
      stage.settle()
      func takeOut(_ controller: ViewController) {
        controller.willMove(toParent: nil)
        controller.view.removeFromSuperview()
        controller.removeFromParent()
      }
      takeOut(b)
      expectShown(d, stage)
      #expect(names(navigation.viewControllers) == "ACD")
      takeOut(d)
      expectShown(c, stage)
      #expect(names(navigation.viewControllers) == "AC" && count(d, " left") == 1)
      navigation.popViewController()
      expectShown(a, stage)
      takeOut(a)
      stage.settle()
      #expect(navigation.viewControllers.isEmpty && navigation.children.isEmpty && a.view.window == nil)
      navigation.pushViewController(b)
      expectShown(b, stage)
    }

    @Test("A controller that is taken out of tabs, or pushed elsewhere, has no tab any more", arguments: [true, false])
    func tabGoes(_ isShown: Bool) throws {
      let tabs = TabBarController([a, b, c])
      let stage = try stage(tabs)
      tabs.selectedIndex = isShown ? 1 : 2
      stage.settle()
      b.removeFromParent()
      expectShown(c, stage)
      #expect(names(tabs.viewControllers) == "AC" && tabs.selectedIndex == 1)
      let other = NavigationController(rootViewController: d)
      other.pushViewController(c, animated: false)
      expectShown(a, stage)
      #expect(names(tabs.viewControllers) == "A" && tabs.selectedIndex == 0 && c.parent === other)
      a.removeFromParent()
      stage.settle()
      #expect(tabs.viewControllers.isEmpty && tabs.selectedViewController == nil && a.view.window == nil)
    }

    // MARK: Roots

    @Test(
      "Another root controller that a callback sets is the one that is shown",
      arguments: ["B load", "A will-", "A did-", "B will+"])
    func roots(_ moment: String) throws {
      let stage = try stage(a)
      let window = stage.window
      (moment.hasPrefix("A") ? a : b).acts[moment == "B load" ? "load" : String(moment.dropFirst())] = { [c] in
        window.rootViewController = c
      }
      window.rootViewController = b
      expectShown(c, stage)
      #expect(window.rootViewController === c && window.rootView === c.view && count(c, " did+") == 1)
      #expect(count(b, " did+") == 0)
      window.rootViewController = b
      expectShown(b, stage)
      #expect(count(b, " did+") == 1)
    }

    // MARK: Sheets

    @Test(
      "A sheet is shown in whose making another one is presented, which is refused, and none that is dismissed then",
      arguments: ["load", "size", "fit"], [false, true])
    func madeSheet(_ moment: String, isDismissed: Bool) throws {
      /// Does something as it is asked for its size.
      final class Sized: ViewController {
        var act: (() -> Void)?
        override var preferredContentSize: Size? {
          get {
            act.take()?()
            return Size(width: 200, height: 100)
          }
          set {}
        }
      }
      final class Fitting: View {
        var act: (() -> Void)?
        override func sizeThatFits(_ size: Size) -> Size {
          act.take()?()
          return Size(width: 200, height: 100)
        }
      }
      let stage = try stage(a)
      let (sized, fitting) = (Sized(), Fitting())
      let sheet = moment == "size" ? sized : b
      let act = { [a, c] in if isDismissed { a.dismiss() } else { a.present(c) } }
      switch moment {
      case "load": b.acts["load"] = act
      case "size": sized.act = act
      default:
        b.view = fitting
        fitting.act = act
      }
      a.present(sheet)
      stage.program.advance(by: 1000)
      let scene = try #require(stage.window.windowScene)
      let count = isDismissed ? 0 : 1
      #expect(a.presentedViewController === (isDismissed ? nil : sheet))
      #expect(scene.windows.count == 1 + count && scene.modalWindows.count == count && c.window == nil)
      a.dismiss()
      stage.settle()
      #expect(scene.windows.count == 1 && scene.modalWindows.isEmpty)
      // It can be shown later.
      a.present(sheet)
      stage.settle()
      #expect(sheet.window === scene.modalWindows.last && scene.windows.count == 2)
    }

    @Test("A sheet that is presented by others as its view is loaded is theirs")
    func presentedMeanwhile() throws {
      let stage = try stage(a)
      a.present(b)
      stage.settle()
      c.acts["load"] = { [a, c] in
        a.dismiss()
        a.present(c)
      }
      b.present(c)
      stage.settle()
      let scene = try #require(stage.window.windowScene)
      #expect(a.presentedViewController === c && b.presentedViewController == nil && scene.modalWindows.count == 1)
      #expect(scene.windows.count == 2 && c.window === scene.modalWindows.last)
      c.dismiss()
      stage.settle()
      #expect(scene.windows.count == 1 && scene.modalWindows.isEmpty)
    }

    // MARK: Children

    @Test("Children that are added when the view is loaded appear after their parent")
    func childrenOfLoaded() throws {
      let tabs = TabBarController([a, b])
      b.acts["load"] = { [b, c] in
        b.addChild(c)
        b.view.addSubview(c.view)
      }
      let stage = try stage(tabs)
      _ = LoggedController.takeLog()
      tabs.selectedIndex = 1
      stage.settle()
      #expect(LoggedController.takeLog() == ["A will-", "C joins", "B will+", "C will+", "A did-", "B did+", "C did+"])
    }

    @Test("Children of a controller that goes as it is about to appear do not appear")
    func childrenOfGone() throws {
      let stage = try stage(a)
      let window = stage.window
      b.addChild(c)
      b.view.addSubview(c.view)
      b.acts[" will+"] = { [a] in window.rootViewController = a }
      window.rootViewController = b
      expectShown(a, stage)
      window.rootViewController = b
      stage.settle()
      #expect(count(c, " will+") == 1 && count(c, " did+") == 1)
    }

    @Test("A child that moves to another parent as it disappears is that one's", arguments: [" will-", " did-"])
    func movesOn(_ moment: String) throws {
      a.addChild(c)
      a.view.addSubview(c.view)
      let stage = try stage(a)
      c.acts[moment] = { [c, d] in d.addChild(c) }
      c.removeFromParent()
      stage.settle()
      #expect(c.parent === d && names(d.children) == "C" && a.children.isEmpty && count(c, " left") == 1)
    }

    // MARK: The first responder

    private func field(in controller: LoggedController, at y: Int = 10) -> TextField {
      let field = TextField()
      field.frame = Rect(x: 10, y: y, width: 120, height: 30)
      controller.view.addSubview(field)
      return field
    }

    @Test("A controller of a stack chooses the first responder before it appears", arguments: [true, false])
    func firstResponderOfStack(_ animated: Bool) throws {
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      let (below, above) = (field(in: a), field(in: b))
      b.acts[" will+"] = { above.becomeFirstResponder() }
      navigation.pushViewController(b, animated: animated)
      stage.program.advance(by: 1000)
      stage.type("up")
      #expect(above.isFirstResponder && above.text == "up")
      a.acts[" will+"] = { below.becomeFirstResponder() }
      navigation.popViewController(animated: animated)
      stage.program.advance(by: 1000)
      stage.type("down")
      #expect(below.isFirstResponder && below.text == "down" && above.text == "up")
    }

    @Test(
      "A controller of a sheet chooses the first responder as its view is loaded, and before it appears",
      arguments: ["load", " will+"], [ModalPresentationStyle.formSheet, .pageSheet])
    func firstResponderOfSheet(_ moment: String, _ style: ModalPresentationStyle) throws {
      let stage = try stage(a)
      let below = field(in: a)
      #expect(below.becomeFirstResponder())
      (b.modalPresentationStyle, b.preferredContentSize) = (style, Size(width: 200, height: 100))
      var (fields, edits) = ([TextField](), [String]())
      b.acts[moment] = {
        fields = [field(in: b), field(in: b, at: 60)]
        for (index, field) in fields.enumerated() {
          field.addAction(for: .editingDidBegin) { edits.append("+\(index)") }
          field.addAction(for: .editingDidEnd) { edits.append("-\(index)") }
        }
        #expect(fields[1].becomeFirstResponder() && fields[1].isFirstResponder)
      }
      a.present(b)
      stage.program.advance(by: 1000)
      let window = try #require(b.window)
      #expect(window !== stage.window && window.firstResponder === fields[1] && fields[1].isEditing)
      stage.send(.type(0x78, "x"), to: window)
      #expect(fields.map(\.text) == ["", "x"] && edits == ["+1"] && below.isFirstResponder && below.text.isEmpty)
      stage.send(.type(KeySymbol.tab, "\t"), to: window)
      #expect(window.firstResponder === fields[0])
      a.dismiss()
      #expect(edits == ["+1", "-1", "+0", "-0"] && below.isFirstResponder)
    }

    @Test("A sheet that is dismissed as its view is loaded leaves the keys where they were")
    func firstResponderOfDismissedSheet() throws {
      let stage = try stage(a)
      let below = field(in: a)
      #expect(below.becomeFirstResponder())
      var (other, edits) = (TextField(), [String]())
      b.acts["load"] = {
        other = field(in: b)
        other.addAction(for: .editingDidBegin) { edits.append("+") }
        other.addAction(for: .editingDidEnd) { edits.append("-") }
        #expect(other.becomeFirstResponder())
        b.dismiss()
        #expect(!other.isFirstResponder && edits == ["+", "-"])
      }
      a.present(b)
      stage.program.advance(by: 1000)
      #expect(stage.window.windowScene?.windows.count == 1 && a.presentedViewController == nil)
      #expect(below.isFirstResponder && !other.becomeFirstResponder())
      a.present(b)
      stage.program.advance(by: 1000)
      #expect(b.window?.firstResponder === other && edits == ["+", "-", "+"])
    }

    @Test("A controller that fills the window chooses the first responder before it appears", arguments: [true, false])
    func firstResponderOfCover(_ animated: Bool) throws {
      let stage = try stage(a)
      let (below, first, second) = (field(in: a), field(in: b), field(in: b, at: 60))
      #expect(below.becomeFirstResponder())
      b.modalPresentationStyle = .fullScreen
      b.acts[" will+"] = { second.becomeFirstResponder() }
      a.present(b, animated: animated)
      stage.program.advance(by: 1000)
      stage.type("up")
      #expect(second.isFirstResponder && second.text == "up" && first.text.isEmpty)
      a.dismiss(animated: animated)
      stage.program.advance(by: 1000)
      stage.type("down")
      #expect(below.isFirstResponder && below.text == "down")
    }
  }
}
