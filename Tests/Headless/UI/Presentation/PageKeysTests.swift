import FoundationEssentials
import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumUI

extension UISuites {
  /// Which view gets the keys when a container shows another page.
  @MainActor @Suite("Keys of pages") struct PageKeysTests {
    private let a = LoggedController("A")
    private let b = LoggedController("B")
    private let c = LoggedController("C")

    private func stage(_ controller: ViewController) throws -> UIStage {
      LoggedController.log = []
      let stage = try UIStage { $0.rootViewController = controller }
      stage.settle()
      return stage
    }

    private func slide(_ stage: UIStage) { stage.program.advance(by: 1000) }

    private func add<Added: View>(_ view: Added, to controller: ViewController, at y: Int = 10) -> Added {
      view.frame = Rect(x: 10, y: y, width: 120, height: 30)
      controller.view.addSubview(view)
      return view
    }

    @Test("A page that a row of a list opens gets the keys, and the list gets them back", arguments: [true, false])
    func list(_ animated: Bool) throws {
      final class Opener: TableViewDelegate {
        var open = {}
        func tableView(_ tableView: TableView, performPrimaryActionForRowAt indexPath: IndexPath) { open() }
      }
      let (numbers, opener, list) = (Numbers(Array(0..<20)), Opener(), TableView())
      list.register({ TableViewCell() }, forCellReuseIdentifier: "number")
      (list.dataSource, list.delegate) = (numbers, opener)
      a.view = list
      _ = add(Label("text"), to: b)
      let button = add(Button("in it"), to: b, at: 60)
      let navigation = NavigationController(rootViewController: a)
      opener.open = { [b] in navigation.pushViewController(b, animated: animated) }
      let stage = try stage(navigation)
      list.becomeFirstResponder()
      stage.press([KeySymbol.down, KeySymbol.down, KeySymbol.return])
      slide(stage)
      #expect(navigation.topViewController === b && button.isFirstResponder)
      stage.press([KeySymbol.left], with: .alternate)
      if !animated { slide(stage) }
      #expect(navigation.topViewController === a && list.isFirstResponder)
      stage.press([KeySymbol.down])
      #expect(list.indexPathForSelectedRow?.row == 2)
      slide(stage)
      #expect(list.isFirstResponder)
    }

    @Test("A page without a view for the keys gets none, and the page before gets them back")
    func empty() throws {
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      let (_, second) = (add(Button("1"), to: a), add(Button("2"), to: a, at: 60))
      second.becomeFirstResponder()
      navigation.pushViewController(b)
      slide(stage)
      #expect(stage.window.firstResponder == nil)
      navigation.popViewController()
      #expect(second.isFirstResponder)
      // The button that leads back has gone, too.
      navigation.pushViewController(b)
      slide(stage)
      stage.press([KeySymbol.tab])
      #expect((stage.window.firstResponder as? Button)?.title == "\u{2039} A")
      stage.press([KeySymbol.return])
      slide(stage)
      #expect(navigation.topViewController === a && second.isFirstResponder)
    }

    @Test("Each tab gets the keys back where it had them, and the first view of a new one gets them")
    func tabs() throws {
      let tabs = TabBarController([a, b, c])
      let stage = try stage(tabs)
      let (_, text) = (add(Button("a"), to: a), add(TextField(), to: a, at: 60))
      let (first, second) = (add(Button("b1"), to: b), add(Button("b2"), to: b, at: 60))
      text.becomeFirstResponder()
      stage.press([KeySymbol.pageDown], with: .control)
      #expect(stage.window.firstResponder == nil)
      stage.settle()
      #expect(first.isFirstResponder)
      stage.press([KeySymbol.tab])
      #expect(second.isFirstResponder)
      // There and back at once, past a tab that has not appeared.
      stage.press([KeySymbol.pageDown, KeySymbol.pageDown], with: .control)
      #expect(tabs.selectedIndex == 0 && text.isFirstResponder)
      stage.press([KeySymbol.pageDown], with: .control)
      #expect(second.isFirstResponder)
      // What cannot be used any more gets nothing.
      tabs.selectedIndex = 0
      second.isEnabled = false
      tabs.selectedIndex = 1
      stage.settle()
      #expect(first.isFirstResponder)
      tabs.selectedIndex = 0
      first.removeFromSuperview()
      c.view.addSubview(first)
      tabs.selectedIndex = 1
      stage.settle()
      #expect(stage.window.firstResponder == nil)
    }

    @Test("Where no view has the keys, none gets them from another page")
    func none() throws {
      let (navigation, tabs) = (NavigationController(rootViewController: a), TabBarController([b, c]))
      for controller in [a, b, c] { _ = add(TextField(), to: controller) }
      let stage = try stage(navigation)
      navigation.pushViewController(tabs)
      slide(stage)
      tabs.selectedIndex = 1
      slide(stage)
      navigation.popViewController()
      slide(stage)
      #expect(navigation.topViewController === a && stage.window.firstResponder == nil)
      // Another controller of the same window.
      let button = add(Button(""), to: b)
      b.title = "B"
      navigation.pushViewController(tabs, animated: false)
      tabs.selectedIndex = 0
      slide(stage)
      button.becomeFirstResponder()
      tabs.selectedIndex = 1
      button.removeFromSuperview()
      slide(stage)
      #expect((stage.window.firstResponder as? TextField)?.isDescendant(of: c.view) == true)
    }

    @Test(
      "What the program chooses gets the keys, and no other field begins to be edited",
      arguments: ["load", " will+", " did+", "none has"])
    func chosen(_ moment: String) throws {
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      add(Button(""), to: a).becomeFirstResponder()
      var (fields, edits) = ([TextField](), [String]())
      func choose() {
        if moment != "none has" || stage.window.firstResponder == nil { fields[1].becomeFirstResponder() }
      }
      b.acts["load"] = { [b] in
        fields = [add(TextField(), to: b), add(TextField(), to: b, at: 60)]
        for (index, field) in fields.enumerated() {
          field.addAction(for: .editingDidBegin) { edits.append("+\(index)") }
          field.addAction(for: .editingDidEnd) { edits.append("-\(index)") }
        }
        if moment == "load" { choose() }
      }
      if moment != "load" { b.acts[moment == "none has" ? " did+" : moment] = choose }
      navigation.pushViewController(b)
      slide(stage)
      #expect(fields[1].isFirstResponder && edits == ["+1"])
      // As well when the page comes back.
      let (other, tabs) = (ViewController(), TabBarController([ViewController()]))
      _ = add(Button(""), to: other)
      _ = tabs.view
      navigation.pushViewController(other)
      slide(stage)
      #expect(edits == ["+1", "-1"])
      fields[0].isEnabled = true
      b.acts[" will+"] = { fields[0].becomeFirstResponder() }
      navigation.popViewController()
      slide(stage)
      #expect(fields[0].isFirstResponder && edits == ["+1", "-1", "+0"])
    }

    @Test("What the user chooses while a page slides in keeps the keys")
    func chosenByUser() throws {
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      add(Button(""), to: a).becomeFirstResponder()
      let (first, second) = (add(TextField(), to: b), add(TextField(), to: b, at: 60))
      var edits = 0
      first.addAction(for: .editingDidBegin) { edits += 1 }
      navigation.pushViewController(b)
      stage.program.advance(by: 50)
      stage.click(20, 44 + 70)
      slide(stage)
      #expect(second.isFirstResponder && edits == 0)
    }

    @Test("A push in the middle of a push hands the keys on, and a pop in the middle gives them back")
    func quick() throws {
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      let (_, own) = (add(Button("1"), to: a), add(Button("2"), to: a, at: 60))
      let (inB, inC) = (add(TextField(), to: b), add(Button("3"), to: c))
      var edits = 0
      inB.addAction(for: .editingDidBegin) { edits += 1 }
      own.becomeFirstResponder()
      navigation.pushViewController(b)
      stage.program.advance(by: 50)
      navigation.pushViewController(c)
      slide(stage)
      #expect(inC.isFirstResponder && edits == 0)
      navigation.popToRootViewController()
      #expect(own.isFirstResponder)
      slide(stage)
      navigation.pushViewController(b)
      stage.program.advance(by: 50)
      navigation.popViewController()
      stage.program.advance(by: 50)
      #expect(own.isFirstResponder && edits == 0)
      slide(stage)
      #expect(own.isFirstResponder)
    }

    @Test("A page that is pushed in the background gets the keys when it is seen, and no other window loses them")
    func background() throws {
      let navigation = NavigationController(rootViewController: a)
      let stage = try stage(navigation)
      add(Button(""), to: a).becomeFirstResponder()
      let button = add(Button(""), to: b)
      stage.program.desk.minimize(stage.window)
      stage.program.advance(by: 3000)
      navigation.pushViewController(b)
      stage.program.advance(by: 1000)
      #expect(stage.window.firstResponder == nil)
      stage.program.desk.restore(stage.window)
      stage.program.advance(by: 1000)
      #expect(button.isFirstResponder)
      // Beneath a sheet.
      let field = add(TextField(), to: c)
      navigation.present(c)
      stage.program.advance(by: 1000)
      let sheet = try #require(c.window)
      #expect(sheet.firstResponder === field && sheet.isKeyWindow)
      navigation.popViewController(animated: false)
      stage.program.advance(by: 1000)
      #expect(sheet.isKeyWindow && field.isFirstResponder && (a.view.subviews[0] as? Button)?.isFirstResponder == true)
    }
  }
}
