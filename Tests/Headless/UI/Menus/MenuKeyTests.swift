import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumUI

extension UISuites {
  /// What keys do to menus and to what these are for: keys that are held, and menus of texts and of bars.
  @MainActor @Suite("Menus by keys") struct MenuKeyTests {
    // MARK: Texts

    private func select<Text: View>(
      _ ranges: [Range<Int>], in text: Text, _ selection: ReferenceWritableKeyPath<Text, Range<Int>>, _ stage: UIStage
    ) {
      text.becomeFirstResponder()
      for range in ranges {
        text[keyPath: selection] = range
        stage.settle()
        stage.press([KeySymbol.menu])
        #expect(text[keyPath: selection] == range && MenuSession.current != nil)
        stage.press([KeySymbol.escape])
      }
    }

    @Test("The menu that a key opens for a text is for its caret or its selection, wherever that is")
    func text() throws {
      let text = TextView()
      let stage = try UIStage { $0.rootView = text }
      text.text = "one\ntwo two two two\nthree\nfour"
      select([1..<1, 6..<6, 21..<21, 4..<7, 0..<18], in: text, \.selectedRange, stage)
      text.text = (0..<200).map { "line \($0)" }.joined(separator: "\n")
      text.selectedRange = 0..<4
      text.scrollOffset = 1000
      stage.settle()
      stage.press([KeySymbol.menu])
      #expect(text.selectedRange == 0..<4 && text.scrollOffset == 1000)
      stage.press([KeySymbol.escape])
      // A press outside of the selection is for what is pressed.
      stage.click(30, 100, 3)
      #expect(text.selectedRange.isEmpty && text.caretOffset > 100)
    }

    @Test(
      "The menu that a key opens for a field is for its selection, also where the caret's place is that of two offsets")
    func field() throws {
      let field = TextField("abc \u{5D0}\u{5D1}\u{5D2} def")
      let stage = try UIStage { $0.rootView = StackView(.vertical, margin: 10, [field, Spacer()]) }
      select([0..<4, 1..<4, 4..<4, 0..<11], in: field, \.selectedRange, stage)
      field.text = "\u{5D0}\u{5D1}\u{5D2} abc"
      select([5..<7, 3..<3], in: field, \.selectedRange, stage)
    }

    @Test("A menu of a text that a subclass adds to is for the selection as well")
    func subclass() throws {
      final class Adding: TextView {
        override func contextMenu(at point: Point) -> Menu? {
          let menu = super.contextMenu(at: point)
          menu?.children.append(MenuItem("Look Up") {})
          return menu
        }
      }
      let text = Adding()
      let stage = try UIStage { $0.rootView = text }
      text.text = "one\ntwo\nthree"
      select([4..<7], in: text, \.selectedRange, stage)
      stage.press([KeySymbol.menu])
      #expect(MenuSession.current?.innermost?.navigation.rows.last?.title == "Look Up")
    }

    // MARK: Keys that are held

    /// Presses a key and holds it; calls a function after each of its reports.
    private func hold(
      _ symbol: UInt32, _ characters: String, _ modifiers: ModifierFlags = [], on stage: UIStage,
      _ reported: () -> Void = {}
    ) {
      var key = Key(code: 30, symbol: symbol, characters: characters, isDown: true, modifiers: modifiers)
      for isRepeat in [false, true, true, true, true] {
        key.isRepeat = isRepeat
        stage.send(.key(key))
        reported()
      }
    }

    @Test(
      "A key that is held opens a menu, and chooses nothing in it",
      arguments: zip([KeySymbol.return, KeySymbol.space], ["\r", " "]))
    func held(_ symbol: UInt32, _ characters: String) throws {
      var log: [String] = []
      let button = Button("Edit")
      button.menu = Menu(children: [MenuItem("Delete All") { log.append("deleted") }])
      button.showsMenuAsPrimaryAction = true
      let choices = PopUpButton(["One", "Two"])
      let stage = try UIStage { $0.rootView = StackView(.vertical, [button, choices]) }
      button.becomeFirstResponder()
      hold(symbol, characters, on: stage)
      #expect(log == [] && button.isOpen)
      stage.send(.type(symbol, characters))
      #expect(log == ["deleted"] && !button.isOpen)
      choices.becomeFirstResponder()
      var states: [Bool] = []
      hold(symbol, characters, on: stage) { states.append(choices.isOpen) }
      #expect(states == [true, true, true, true, true])
      // The key that chooses may be held as well.
      states = []
      hold(symbol, characters, on: stage) { states.append(choices.isOpen) }
      #expect(states == [false, false, false, false, false])
    }

    @Test("Alt and a letter that are held open a menu of a bar, and choose nothing in it by that letter")
    func heldLetter() throws {
      var log: [String] = []
      let file = Menu(
        titleWithMnemonic: "_File",
        children: [
          MenuItem("New") { log.append("new") }, MenuItem(titleWithMnemonic: "_Find") { log.append("find") },
        ])
      let bar = MenuBar([file])
      let stage = try UIStage { $0.rootView = StackView(.vertical, [bar, Spacer()]) }
      hold(0x66, "f", .alternate, on: stage)
      #expect(log == [] && MenuSession.current?.innermost?.navigation.highlighted == 0)
      stage.type("f")
      #expect(log == ["find"])
    }

    // MARK: Menu bars

    @Test("Keys and the pointer go past the menus of a bar that have no items")
    func empty() throws {
      let hidden = Menu("Recent", children: [MenuItem("old", attributes: .hidden) {}])
      let bar = MenuBar([
        Menu("Edit"), Menu("File", children: [MenuItem("a") {}]), Menu("Window"), hidden,
        Menu("Help", children: [MenuItem("h") {}]),
      ])
      let stage = try UIStage { $0.rootView = StackView(.vertical, spacing: 0, [bar, Spacer()]) }
      stage.settle()
      stage.press([KeySymbol.function(10)])
      #expect(bar.open == 1)
      for (key, open) in [
        (KeySymbol.right, 4), (KeySymbol.right, 1), (KeySymbol.left, 4), (KeySymbol.left, 1),
      ] {
        stage.press([key])
        #expect(bar.open == open && MenuSession.current === bar.session)
      }
      func point(_ index: Int) -> Int { bar.rect(of: index).origin.x + 5 }
      stage.send(.move(point(2), 10))
      #expect(bar.open == 1 && bar.session != nil)
      stage.send(.move(point(4), 10))
      #expect(bar.open == 4)
      stage.press([KeySymbol.escape])
      bar.menus = [Menu("Edit")]
      stage.press([KeySymbol.function(10)])
      #expect(bar.session == nil && MenuSession.current == nil)
    }
  }
}
