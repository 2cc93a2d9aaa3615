import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

extension UISuites {
  /// When a controller disappears that is within what another controller takes the place of: with its container.
  @MainActor @Suite("Children of what disappears") struct ChildOrderTests {
    private let a = LoggedController("A")
    private let b = LoggedController("B")
    private let c = LoggedController("C")

    /// A container that shows A.
    private func container(_ kind: String) -> ViewController {
      switch kind {
      case "stack": return NavigationController(rootViewController: a)
      case "tabs": return TabBarController([a])
      case "columns": return SplitViewController(primary: ViewController(), secondary: a)
      case "stack in tabs": return TabBarController([NavigationController(rootViewController: a)])
      default:
        let own = ViewController()
        own.addChild(a)
        own.view.addSubview(a.view)
        return own
      }
    }

    private func stage(_ controller: ViewController) throws -> UIStage {
      let stage = try UIStage { $0.rootViewController = controller }
      stage.settle()
      _ = log()
      return stage
    }

    /// What controllers were told of appearing and disappearing since the last call.
    private func log() -> [String] { LoggedController.takeLog().filter { $0.hasSuffix("+") || $0.hasSuffix("-") } }

    @Test(
      "A child is told that it has disappeared when its container has, after the way of the views",
      arguments: ["stack", "tabs", "columns", "stack in tabs", "own"], ["cover", "push", "pop", "tab", "root"])
    func order(_ kind: String, _ way: String) throws {
      let inner = container(kind)
      let outer: ViewController =
        switch way {
        case "push": NavigationController(rootViewController: inner)
        case "pop": NavigationController(rootViewController: b)
        case "tab": TabBarController([inner, b])
        default: inner
        }
      let stack = outer as? NavigationController
      if way == "pop" { stack?.pushViewController(inner, animated: false) }
      let stage = try stage(outer)
      b.modalPresentationStyle = .fullScreen
      switch way {
      case "cover": inner.present(b)
      case "push": stack?.pushViewController(b)
      case "pop": stack?.popViewController()
      case "tab": (outer as? TabBarController)?.selectedIndex = 1
      default: stage.window.rootViewController = b
      }
      switch way {
      case "tab": #expect(log() == ["A will-", "B will+", "A did-"])
      case "root": #expect(log() == ["A will-", "A did-", "B will+"])
      default:
        stage.program.advance(by: 100)
        #expect(log() == ["A will-", "B will+"] && a.view.window === stage.window)
      }
      stage.program.advance(by: 1000)
      #expect(log() == (["tab", "root"].contains(way) ? ["B did+"] : ["A did-", "B did+"]) && a.view.window == nil)
    }

    @Test(
      "What begins in the middle tells a child of its end once, and in order", arguments: ["hidden", "back", "gone"])
    func interrupted(_ event: String) throws {
      let tabs = TabBarController([NavigationController(rootViewController: a)])
      let stage = try stage(tabs)
      b.modalPresentationStyle = .fullScreen
      tabs.present(b)
      stage.program.advance(by: 100)
      #expect(log() == ["A will-", "B will+"])
      switch event {
      case "hidden":
        stage.window.isHidden = true
        stage.program.advance(by: 3000)
        #expect(log() == ["A did-", "B will-", "B did-"])
        stage.window.isHidden = false
      case "back":
        tabs.dismiss()
        stage.program.advance(by: 1000)
        #expect(log() == ["A did-", "B will-", "A will+", "B did-", "A did+"])
      default:
        var isMovingFromParent: Bool?
        a.acts[" did-"] = { [a] in isMovingFromParent = a.isMovingFromParent }
        a.removeFromParent()
        #expect(log() == ["A did-"] && isMovingFromParent == true)
      }
      stage.program.advance(by: 1000)
      #expect(log() == (event == "back" ? [] : event == "hidden" ? ["B will+", "B did+"] : ["B did+"]))
    }

    @Test("A stack that goes in the middle of a push ends that first", arguments: [true, false])
    func middleOfPush(_ isTab: Bool) throws {
      let stack = NavigationController(rootViewController: a)
      let tabs = TabBarController([stack, b])
      let stage = try stage(tabs)
      stack.pushViewController(c)
      stage.program.advance(by: 50)
      #expect(log() == ["A will-", "C will+"])
      let cover = LoggedController("D")
      cover.modalPresentationStyle = .fullScreen
      if isTab { tabs.selectedIndex = 1 } else { tabs.present(cover) }
      stage.program.advance(by: 1000)
      let new = isTab ? "B" : "D"
      #expect(log() == ["A did-", "C will-", "\(new) will+", "C did-", "\(new) did+"])
      if isTab { tabs.selectedIndex = 0 } else { cover.dismiss() }
      stage.program.advance(by: 1000)
      #expect(log() == ["\(new) will-", "C will+", "\(new) did-", "C did+"])
      #expect(c.view.window === stage.window && a.view.window == nil)
    }

    @Test("A stack that is shown again as it is told that it goes shows what is on it then")
    func shownAgain() throws {
      let stack = NavigationController(rootViewController: a)
      let tabs = TabBarController([stack, b])
      let stage = try stage(tabs)
      a.acts[" did-"] = { tabs.selectedIndex = 0 }
      tabs.selectedIndex = 1
      stage.program.advance(by: 1000)
      #expect(log() == ["A will-", "B will+", "A did-", "B will-", "A will+", "B did-", "A did+"])
      // What it shows changes while it goes.
      a.acts[" will-"] = { [c] in stack.pushViewController(c) }
      tabs.selectedIndex = 1
      stage.program.advance(by: 1000)
      #expect(log() == ["A will-", "A did-", "B will+", "B did+"])
      #expect(stack.topViewController === c && c.view.window == nil && b.view.window === stage.window)
      tabs.selectedIndex = 0
      stage.program.advance(by: 1000)
      #expect(log() == ["B will-", "C will+", "B did-", "C did+"])
    }
  }
}
