import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

extension UISuites {
  /// Containers that a program writes itself: their children appear and disappear with their views.
  @MainActor @Suite("Containers of one's own") struct OwnContainerTests {
    private let a = LoggedController("A")
    private let b = LoggedController("B")
    private let c = LoggedController("C")

    /// Shows the view of one of several children.
    final class Pager: ViewController {
      let pages: [LoggedController]
      init(_ pages: [LoggedController]) { self.pages = pages }
      override func viewDidLoad() {
        for page in pages { addChild(page) }
        show(0)
        for page in pages { page.didMove(toParent: self) }
      }
      func show(_ index: Int) {
        for page in pages where page.isViewLoaded { page.view.removeFromSuperview() }
        view.addSubview(pages[index].view)
      }
    }

    private func stage(_ controller: ViewController) throws -> UIStage {
      _ = LoggedController.takeLog()
      let stage = try UIStage { $0.rootViewController = controller }
      stage.settle()
      return stage
    }

    private func log() -> [String] { LoggedController.takeLog() }

    /// A container with the view of A in its own, and another place there.
    private func container() throws -> (UIStage, ViewController, View) {
      let (parent, other) = (ViewController(), View())
      let stage = try stage(parent)
      parent.view.addSubview(other)
      parent.addChild(a)
      parent.view.addSubview(a.view)
      stage.settle()
      _ = log()
      return (stage, parent, other)
    }

    @Test("Of children only those appear whose views are in that of the container, and the others are not loaded")
    func pager() throws {
      let pager = Pager([a, b, c])
      let stage = try stage(pager)
      let joins = ["A joins", "B joins", "C joins", "A joined", "B joined", "C joined"]
      #expect(log() == joins + ["A will+", "A did+"] && !b.isViewLoaded && !c.isViewLoaded)
      pager.show(1)
      #expect(log() == ["A will-", "A did-", "B will+"])
      stage.settle()
      #expect(log() == ["B did+"])
      stage.program.desk.minimize(stage.window)
      stage.program.advance(by: 3000)
      #expect(log() == ["B will-", "B did-"])
      pager.show(2)
      stage.program.desk.restore(stage.window)
      stage.settle()
      #expect(log() == ["C will+", "C did+"])
    }

    @Test("In another view of a container those children appear whose views are in it, and the others disappear")
    func otherView() throws {
      let (stage, parent, _) = try container()
      parent.addChild(b)
      let layout = View()
      layout.addSubview(b.view)
      parent.view = layout
      stage.settle()
      #expect(log() == ["B joins", "A will-", "A did-", "B will+", "B did+"])
      stage.program.desk.minimize(stage.window)
      stage.program.advance(by: 3000)
      #expect(log() == ["B will-", "B did-"])
    }

    @Test("A controller that leaves its tabs or its stack before it is shown disappears")
    func leftBeforeShown() throws {
      let root = NavigationController(rootViewController: c)
      let tabs = TabBarController([root, a, b])
      let stage = try stage(tabs)
      a.acts["load"] = { [a] in a.removeFromParent() }
      tabs.selectedIndex = 1
      stage.settle()
      #expect(tabs.selectedViewController === b && a.view.window == nil && b.view.window === stage.window)
      let seen = log()
      #expect(seen.count { $0 == "A will+" } == seen.count { $0 == "A did-" }, "\(seen)")
      tabs.selectedIndex = 0
      stage.settle()
      let pushed = LoggedController("D")
      pushed.acts["load"] = { pushed.removeFromParent() }
      _ = log()
      root.pushViewController(pushed, animated: false)
      stage.settle()
      #expect(root.topViewController === c && c.view.window === stage.window && pushed.view.window == nil)
      let told = log()
      #expect(told.count { $0 == "D will+" } == told.count { $0 == "D did-" }, "\(told)")
    }

    @Test("A child that comes later appears when its view is added, and disappears before that is taken out")
    func later() throws {
      let parent = ViewController()
      let stage = try stage(parent)
      var windows: [Window?] = []
      for moment in [" will+", " did+", " will-", " did-"] {
        b.acts[moment] = { [b] in windows.append(b.view.window) }
      }
      parent.addChild(b)
      #expect(log() == ["B joins"] && !b.isViewLoaded)
      parent.view.addSubview(b.view)
      #expect(log() == ["B will+"])
      b.didMove(toParent: parent)
      stage.settle()
      #expect(log() == ["B joined", "B did+"])
      b.willMove(toParent: nil)
      b.view.removeFromSuperview()
      b.removeFromParent()
      #expect(log() == ["B leaves", "B will-", "B did-", "B left"])
      let window = stage.window
      #expect(windows.map { $0 === window } == [true, true, true, false])
    }

    @Test("A child appears also where its view is in place before it is added, and with a view around its own")
    func order() throws {
      let parent = ViewController()
      let stage = try stage(parent)
      parent.view.addSubview(a.view)
      #expect(log() == [])
      parent.addChild(a)
      #expect(log() == ["A joins", "A will+"])
      let frame = View()
      parent.addChild(b)
      frame.addSubview(b.view)
      #expect(log() == ["B joins"])
      parent.view.addSubview(frame)
      #expect(log() == ["B will+"])
      stage.settle()
      _ = log()
      frame.removeFromSuperview()
      #expect(log() == ["B will-", "B did-"])
    }

    @Test("A view that goes to another place in its container does not disappear")
    func moved() throws {
      let (stage, _, other) = try container()
      other.addSubview(a.view)
      stage.settle()
      #expect(log() == [] && a.view.window === stage.window)
      let elsewhere = View()
      elsewhere.addSubview(a.view)
      #expect(log() == ["A will-", "A did-"])
    }

    @Test("Children of a child follow it, each after its parent")
    func nested() throws {
      let parent = ViewController()
      let stage = try stage(parent)
      let pager = Pager([b, c])
      a.addChild(pager)
      a.view.addSubview(pager.view)
      parent.addChild(a)
      _ = log()
      parent.view.addSubview(a.view)
      stage.settle()
      #expect(log() == ["A will+", "B will+", "A did+", "B did+"])
      pager.show(1)
      stage.settle()
      #expect(log() == ["B will-", "B did-", "C will+", "C did+"])
      a.view.removeFromSuperview()
      #expect(log() == ["A will-", "C will-", "A did-", "C did-"])
    }

    @Test(
      "A child that is put elsewhere while it disappears appears there, and not in the same place",
      arguments: [true, false])
    func putBack(_ isSame: Bool) throws {
      let (stage, parent, other) = try container()
      let place: View = isSame ? parent.view : other
      a.acts[" will-"] = { [a] in place.addSubview(a.view) }
      a.view.removeFromSuperview()
      stage.settle()
      // From the same place it is removed all the same; what is elsewhere stays there.
      #expect(log() == ["A will-", "A did-"] + (isSame ? [] : ["A will+", "A did+"]))
      #expect(a.view.superview === (isSame ? nil : other))
    }

    @Test("A child beside the controllers of a stack or of tabs appears with its view", arguments: [true, false])
    func beside(_ isStack: Bool) throws {
      let container = isStack ? NavigationController(rootViewController: a) : TabBarController([a])
      let stage = try stage(container)
      _ = log()
      container.addChild(b)
      container.view.addSubview(b.view)
      stage.settle()
      #expect(log() == ["B joins", "B will+", "B did+"])
      stage.program.desk.minimize(stage.window)
      stage.program.advance(by: 3000)
      #expect(log() == ["B will-", "A will-", "A did-", "B did-"])
      stage.program.desk.restore(stage.window)
      stage.settle()
      #expect(log() == ["B will+", "A will+", "B did+", "A did+"])
      b.view.removeFromSuperview()
      #expect(log() == ["B will-", "B did-"])
    }

    // MARK: Sizes

    /// Writes down how large its view is before it appears.
    final class Sized: ViewController {
      var size: Size?
      override func viewWillAppear() { size = view.bounds.size }
    }

    @Test(
      "The view of a container's controller has its size before it appears", arguments: ["stack", "tabs", "columns"])
    func sizeInContainer(_ kind: String) throws {
      let (first, second) = (Sized(), Sized())
      let container: ViewController =
        switch kind {
        case "stack": NavigationController(rootViewController: first)
        case "tabs": TabBarController([first, second])
        default: SplitViewController(primary: first, secondary: second)
        }
      // Within another one, too.
      let stage = try stage(NavigationController(rootViewController: container))
      let (width, height) = (320, 196)
      let part = kind == "columns" ? Size(width: 213, height: height) : Size(width: width, height: height - 44)
      #expect(first.size == part)
      (container as? NavigationController)?.pushViewController(second)
      (container as? TabBarController)?.selectedIndex = 1
      stage.program.advance(by: 1000)
      #expect(second.size == (kind == "columns" ? Size(width: 100, height: height) : part))
      // What is beneath has the size that the window has got meanwhile.
      guard let navigation = container as? NavigationController else { return }
      stage.program.platform.move(stage.id, to: Rect(x: 0, y: 0, width: 500, height: 400))
      stage.settle()
      navigation.popViewController()
      #expect(first.size == Size(width: 500, height: 312))
    }

    @Test("A controller that fills the window, and what it leaves, have its size before they appear")
    func sizeOfCover() throws {
      let (below, cover) = (Sized(), Sized())
      let stage = try stage(below)
      #expect(below.size == Size(width: 320, height: 240))
      cover.modalPresentationStyle = .fullScreen
      below.present(cover, animated: false)
      #expect(cover.size == Size(width: 320, height: 240))
      stage.settle()
      stage.program.platform.move(stage.id, to: Rect(x: 0, y: 0, width: 500, height: 400))
      stage.settle()
      cover.dismiss(animated: false)
      #expect(below.size == Size(width: 500, height: 400))
    }
  }
}
