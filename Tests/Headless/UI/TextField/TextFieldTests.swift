import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// A field that is written in.
  @MainActor @Suite("Text field") struct TextFieldTests {
    /// A window with a field, and a button after it.
    @MainActor final class Form: TextFieldDelegate {
      let stage: UIStage
      let field = TextField()
      let button = Button("OK")
      var heard: [String] = []
      var refused: Set<String> = []

      init(_ text: String = "", set: (TextField) -> Void = { _ in }) throws {
        let (field, button) = (field, button)
        field.font = Font(family: "Monospace", size: 13)
        field.text = text
        set(field)
        stage = try UIStage { window in
          let view = View()
          for one in [field, button] { view.addSubview(one) }
          field.frame = Rect(x: 10, y: 10, width: 136, height: 30)
          button.frame = Rect(x: 10, y: 60, width: 120, height: 30)
          window.rootView = view
        }
        field.delegate = self
        for (events, name) in [
          (ControlEvents.editingDidBegin, "begin"), (.editingChanged, "changed"), (.editingDidEnd, "end"),
          (.editingDidEndOnExit, "exit"), (.primaryActionTriggered, "primary"),
        ] {
          field.addAction(for: events) { [weak self] in self?.heard.append(name) }
        }
        stage.settle()
      }

      var suggestions: [String] = []
      func textField(_ textField: TextField, completionsFor text: String) -> [String] { suggestions }

      private func agrees(to name: String) -> Bool { !refused.contains(name) }
      func textFieldShouldBeginEditing(_ textField: TextField) -> Bool { agrees(to: "begin") }
      func textFieldDidBeginEditing(_ textField: TextField) { heard.append("didBegin") }
      func textFieldDidEndEditing(_ textField: TextField) { heard.append("didEnd") }
      func textFieldShouldClear(_ textField: TextField) -> Bool { agrees(to: "clear") }
      func textFieldShouldReturn(_ textField: TextField) -> Bool { agrees(to: "return") }
      var asked: [(range: Range<Int>, string: String)] = []
      func textField(_ field: TextField, shouldChangeCharactersIn range: Range<Int>, replacementString string: String)
        -> Bool
      {
        asked.append((range, string))
        return agrees(to: string)
      }

      /// Text with the caret in it as `|`, and what is selected between `[` and `]`.
      var shown: String { UIStage.marked(field.text, field.selectedRange) }

      func copied(_ name: PasteboardName) -> String? {
        stage.program.platform.pasteboards.items[name]?.first.map { String(decoding: $0.data, as: UTF8.self) }
      }
    }

    @Test("A click begins editing, keys write, Return triggers, Tab goes on to the next view and ends editing")
    func events() throws {
      let form = try Form()
      form.stage.click(60, 25)
      #expect(form.field.isEditing && form.heard == ["didBegin", "begin"])
      form.stage.type("wör")
      #expect(form.shown == "wör|" && form.heard.suffix(3) == ["changed", "changed", "changed"])
      form.heard = []
      form.stage.type("\n")
      #expect(form.heard == ["exit", "primary"] && form.field.text == "wör" && form.field.isEditing)
      form.stage.send(.type(Symbol.tab, "\t"))
      #expect(form.button.isFirstResponder && form.heard.suffix(2) == ["didEnd", "end"] && form.field.text == "wör")
      form.stage.send(.type(Symbol.tab, "\t"))
      #expect(form.field.isEditing)
    }

    @Test("The delegate may refuse to begin, to change, to clear and to return")
    func refusals() throws {
      let form = try Form("abc") { $0.clearButtonMode = .always }
      form.refused = ["begin", "return", "clear", "x", ""]
      form.stage.click(60, 25)
      #expect(!form.field.isEditing && form.heard.isEmpty)
      form.refused.remove("begin")
      form.stage.click(60, 25)
      form.stage.type("xy\n")
      form.stage.press([Symbol.backspace])
      #expect(form.shown == "abcy|" && form.heard == ["didBegin", "begin", "changed"])
      #expect(form.asked.map(\.range) == [3..<3, 3..<3, 3..<4] && form.asked.map(\.string) == ["x", "y", ""])
      form.stage.click(136, 25)
      #expect(form.field.text == "abcy")
      form.refused = []
      form.stage.click(136, 25)
      #expect(form.field.text.isEmpty && form.heard.last == "changed")
      // Without a text there is no button, and the place is one of the text.
      #expect(!form.field.showsClearButton)
    }

    @Test("The clear button is there when its mode says so")
    func clearButton() throws {
      let form = try Form("abc")
      func shows(_ mode: TextField.ViewMode) -> Bool {
        form.field.clearButtonMode = mode
        return form.field.showsClearButton
      }
      #expect(TextField.ViewMode.allCases.filter(shows) == [.unlessEditing, .always])
      form.field.becomeFirstResponder()
      #expect(TextField.ViewMode.allCases.filter(shows) == [.whileEditing, .always])
      // A press that ends elsewhere clears nothing.
      form.stage.send(.press(136, 25), .release(136, 200))
      #expect(form.field.text == "abc")
      form.field.isEnabled = false
      #expect(TextField.ViewMode.allCases.filter(shows).isEmpty)
    }

    @Test("Movements, deletions, selections and undo are those of a line")
    func keys() throws {
      let form = try Form("one two three")
      form.field.becomeFirstResponder()
      form.stage.press([Symbol.left, Symbol.left])
      #expect(form.shown == "one two thr|ee")
      form.stage.press([Symbol.left], with: .control)
      #expect(form.shown == "one two |three")
      form.stage.press([Symbol.backspace], with: .control)
      #expect(form.shown == "one |three")
      form.stage.press([Symbol.delete])
      form.stage.press([Symbol.down])
      form.stage.type("!")
      #expect(form.shown == "one hree!|")
      form.stage.press([Symbol.up], with: .shift)
      #expect(form.field.selectedText == "one hree!" && form.copied(.primary) == "one hree!")
      form.stage.press([Symbol.right])
      form.stage.command("z")
      form.stage.command("z")
      #expect(form.shown == "one |three")
      form.stage.command("y")
      #expect(form.field.text == "one hree" && form.field.canUndo && form.field.canRedo)
      form.stage.click(10 + 8 + 8 * 5, 25)
      form.stage.click(10 + 8 + 8 * 5, 25, after: 100)
      #expect(form.field.selectedText == "hree")
      form.stage.click(10 + 8 + 8 * 5, 25, after: 100)
      #expect(form.field.selectedText == "one hree")
      form.field.selectedRange = 900..<2000
      #expect(form.shown == "one hree|")
    }

    @Test("Keys without a command of the field go on: arrows with Control, letters with Alt, Escape")
    func otherKeys() throws {
      let form = try Form("abc")
      form.field.becomeFirstResponder()
      form.stage.send(.type(Symbol.escape, "\u{1B}"), .type(0x61, "a", .alternate), .type(Symbol.up, "up", .control))
      #expect(form.stage.scene?.heard == ["\u{1B}", "a", "up"] && form.field.text == "abc")
    }

    @Test("Line endings become spaces, other control characters go, and a text may not grow too long")
    func oneLine() async throws {
      let form = try Form("a\r\nb\tc\u{7}\u{2028}d")
      #expect(form.field.text == "a b c d" && form.shown == "a b c d|")
      form.field.becomeFirstResponder()
      form.field.maximumLength = 9
      form.stage.program.platform.write([PasteboardItem(text: "x\ny\nz")], to: .general)
      form.stage.command("v")
      await form.stage.wait { form.field.text == "a b c dx " }
      #expect(form.field.text == "a b c dx ")
      form.stage.type("q")
      #expect(form.field.text == "a b c dx ")
      form.stage.command("a")
      form.field.insertText("👨‍👩‍👧")
      #expect(form.shown == "👨‍👩‍👧|")
      form.field.text = String(repeating: "w", count: 20)
      #expect(form.field.text.count == 20)
      form.stage.type("q")
      #expect(form.field.text.count == 20)
    }

    @Test("A secure text is shown as dots, and is neither copied nor walked word by word")
    func secure() throws {
      let form = try Form("open sésame") { $0.isSecureTextEntry = true }
      form.field.becomeFirstResponder()
      #expect(form.field.layout.text == String(repeating: "•", count: 11))
      form.stage.press([Symbol.left], with: .control)
      #expect(form.shown == "|open sésame")
      form.stage.press([Symbol.right, Symbol.right, Symbol.right, Symbol.right, Symbol.right, Symbol.right])
      form.stage.press([Symbol.right])
      #expect(form.shown == "open sé|same")
      form.stage.press([Symbol.backspace])
      #expect(form.field.text == "open ssame" && form.field.layout.text.count == 10)
      form.stage.click(10 + 8 + 8 * 2, 25)
      form.stage.click(10 + 8 + 8 * 2, 25, after: 100)
      #expect(form.shown == "[open ssame]")
      form.stage.command("c")
      form.stage.command("x")
      form.stage.command("a")
      #expect(form.field.text == "open ssame" && form.copied(.general) == nil && form.copied(.primary) == nil)
      form.field.isSecureTextEntry = false
      #expect(form.field.layout.text == "open ssame")
    }

    @Test("A long text scrolls so that the caret is in sight, and back")
    func scrolling() throws {
      let form = try Form()
      form.field.becomeFirstResponder()
      form.stage.type(String(repeating: "abcdefgh ", count: 6))
      let area = form.field.area
      #expect(form.field.shift > 0 && area.contains(form.field.caretRect.origin))
      form.stage.press([Symbol.home])
      #expect(form.field.shift == 0 && area.contains(form.field.caretRect.origin))
      // A drag beyond the edge scrolls with each move.
      form.stage.send(.press(30, 25), .move(400, 25), .release(400, 25))
      #expect(form.field.shift > 0 && form.field.selectedText.count > 10)
      form.stage.press([Symbol.end])
      form.stage.press([Symbol.backspace], with: .control)
      // No room stays empty behind the text.
      #expect(form.field.shift == form.field.layout.size.width + 1 - area.size.width)
    }

    @Test("Arrows follow the screen in a text from right to left, which begins at the right edge")
    func rightToLeft() throws {
      let form = try Form("שלום")
      form.field.becomeFirstResponder()
      #expect(form.field.isRightToLeft && form.field.caretRect.origin.x > form.field.area.origin.x + 40)
      form.stage.press([Symbol.right])
      #expect(form.field.caretOffset == 3)
      form.stage.press([Symbol.left])
      #expect(form.field.caretOffset == 4)
    }

    @Test("A field that is disabled or hidden while it is edited ends editing, and takes no input")
    func disabled() throws {
      let form = try Form("abc")
      form.field.becomeFirstResponder()
      form.field.isEnabled = false
      #expect(!form.field.isEditing && form.heard.suffix(2) == ["didEnd", "end"])
      form.stage.click(60, 25)
      form.field.insertText("x")
      #expect(!form.field.becomeFirstResponder() && form.field.text == "abc" && !form.field.isEditing)
      form.field.isEnabled = true
      form.field.becomeFirstResponder()
      form.field.isHidden = true
      #expect(!form.field.isEditing)
    }

    @Test("The caret blinks while the field has the keys, and no longer than that")
    func blinking() throws {
      let form = try Form()
      form.field.becomeFirstResponder()
      #expect(form.field.blink.isRunning)
      form.stage.program.advance(by: 11_000)
      #expect(!form.field.blink.isRunning && form.field.blink.isOn)
      form.stage.type("a")
      #expect(form.field.blink.isRunning)
      form.stage.program.desk.focus(nil)
      form.stage.program.advance(by: 1000)
      #expect(!form.field.blink.isRunning && form.field.isEditing)
    }

    @Test("Setting the text is no event of the user's, and begins anew")
    func setting() throws {
      let form = try Form()
      form.field.becomeFirstResponder()
      form.stage.type("a")
      form.heard = []
      form.field.text = "new"
      #expect(form.heard.isEmpty && form.shown == "new|" && !form.field.canUndo)
      form.field.restorationState = ["anchor": 1, "caret": 2]
      #expect(form.shown == "n[e]w" && form.field.restorationState == ["anchor": 1, "caret": 2])
      form.field.restorationState = ["anchor": -7, "caret": Int.max]
      #expect(form.shown == "[new]")
    }

    @Test("What the delegate sets while it is asked is kept, where it says no")
    func settingWhenAsked() throws {
      final class Upper: TextFieldDelegate {
        func textField(_ field: TextField, shouldChangeCharactersIn range: Range<Int>, replacementString string: String)
          -> Bool
        {
          field.text += string.uppercased()
          return string == "b"
        }
      }
      let form = try Form()
      let upper = Upper()
      form.field.delegate = upper
      form.field.becomeFirstResponder()
      form.stage.type("a")
      #expect(form.shown == "A|")
      // Where it says yes, what was typed comes where it was typed.
      form.stage.type("b")
      #expect(form.field.text == "AbB")
    }

    // MARK: What the program does meanwhile

    /// Two fields whose steps one undo manager has.
    private final class Pair: View {
      let manager = UndoManager()
      override var undoManager: UndoManager? { manager }
    }

    @Test("What is typed after another field was edited is a step of its own in their undo manager")
    func commonUndo() throws {
      let (first, second, pair) = (TextField(), TextField(), Pair())
      let stage = try UIStage { window in
        for field in [first, second] { pair.addSubview(field) }
        window.rootView = pair
        first.becomeFirstResponder()
      }
      stage.type("a")
      second.becomeFirstResponder()
      stage.type("b")
      first.becomeFirstResponder()
      stage.type("c")
      stage.command("z")
      #expect(first.text == "a" && second.text == "b")
      stage.command("z")
      stage.command("z")
      #expect(first.text == "" && second.text == "" && !pair.manager.canUndo)
    }

    /// A number that the undo manager of a pair has steps of, too.
    @MainActor private final class Counter {
      private(set) var value = 0
      private let manager: UndoManager
      init(_ manager: UndoManager) { self.manager = manager }
      func add(_ number: Int) {
        manager.registerUndo(withTarget: self) { $0.add(-number) }
        value += number
      }
    }

    @Test("What is typed after another step of the undo manager, or after its undo, is a step of its own")
    func otherSteps() throws {
      let (field, pair) = (TextField(), Pair())
      let counter = Counter(pair.manager)
      let stage = try UIStage { window in
        pair.addSubview(field)
        window.rootView = pair
        field.becomeFirstResponder()
      }
      func isNow(_ text: String, _ value: Int) -> Bool { field.text == text && counter.value == value }
      stage.type("ab")
      counter.add(1)
      stage.type("de")
      for (text, value) in [("ab", 1), ("ab", 0), ("", 0)] {
        stage.command("z")
        #expect(isNow(text, value))
      }
      #expect(!pair.manager.canUndo)
      stage.type("ab")
      counter.add(1)
      stage.command("z")
      #expect(isNow("ab", 0) && pair.manager.canRedo)
      stage.type("d")
      #expect(!pair.manager.canRedo)
      stage.command("z")
      #expect(isNow("ab", 0))
      stage.command("y")
      stage.type("e")
      stage.command("z")
      #expect(isNow("abd", 0))
    }

    @Test("A handler that disables the field while it is pressed ends the press")
    func disabledByHandler() throws {
      let form = try Form("some text")
      form.field.addAction(for: .editingDidBegin) { [weak field = form.field] in field?.isEnabled = false }
      form.stage.click(30, 25)
      form.field.isEnabled = true
      form.stage.send(.move(100, 25), .move(120, 25))
      #expect(form.field.selectedRange.isEmpty && form.field.press.drag.kind == .none)
    }

    @Test("A field that takes the first responder back when it ends editing keeps it, and the next one does not begin")
    func takenBack() throws {
      let form = try Form("abc")
      let other = TextField()
      form.button.superview?.addSubview(other)
      var begun = 0
      other.addAction(for: .editingDidBegin) { begun += 1 }
      form.field.becomeFirstResponder()
      form.field.addAction(for: .editingDidEnd) { [weak field = form.field] in field?.becomeFirstResponder() }
      form.heard = []
      #expect(!other.becomeFirstResponder() && begun == 0 && !other.isEditing)
      #expect(form.field.isEditing && form.heard == ["didEnd", "end", "didBegin", "begin"])
    }

    @Test("A field that the end of another one makes the first responder begins once, also where the user clicks it")
    func begunByEnd() throws {
      let form = try Form("abc")
      let other = TextField()
      form.button.superview?.addSubview(other)
      other.becomeFirstResponder()
      other.addAction(for: .editingDidEnd) { [weak field = form.field] in field?.becomeFirstResponder() }
      form.heard = []
      form.stage.click(60, 25)
      #expect(form.field.isEditing && form.heard == ["didBegin", "begin"])
      form.button.becomeFirstResponder()
      #expect(form.heard == ["didBegin", "begin", "didEnd", "end"])
    }

    @Test("A field that is focused while its controller's view loads begins, and ends")
    func begunWhileLoading() throws {
      final class Loading: ViewController {
        let field = TextField()
        override func viewDidLoad() {
          super.viewDidLoad()
          view.addSubview(field)
          field.becomeFirstResponder()
        }
      }
      let (form, controller) = (try Form(), Loading())
      var heard: [String] = []
      controller.field.addAction(for: .editingDidBegin) { heard.append("begin") }
      controller.field.addAction(for: .editingDidEnd) { heard.append("end") }
      form.stage.window.rootViewController = controller
      #expect(controller.field.isEditing && heard == ["begin"])
      controller.field.resignFirstResponder()
      #expect(heard == ["begin", "end"])
    }

    @Test("A field that was edited in a window that is gone begins in the next one")
    func begunInNextWindow() throws {
      let form = try Form()
      let field = TextField()
      var begun = 0
      field.addAction(for: .editingDidBegin) { begun += 1 }
      weak var gone: Window?
      do {
        let window = Window(windowScene: try #require(form.stage.window.windowScene))
        window.rootView = field
        #expect(field.becomeFirstResponder() && begun == 1)
        window.windowScene = nil
        gone = window
      }
      form.stage.settle()
      #expect(gone == nil && !field.isEditing)
      form.button.superview?.addSubview(field)
      #expect(field.becomeFirstResponder() && begun == 2)
    }

    @Test("A delegate that resigns at once leaves a field that has ended")
    func resignedAtOnce() throws {
      final class Picker: TextFieldDelegate {
        func textFieldDidBeginEditing(_ textField: TextField) { textField.resignFirstResponder() }
      }
      let form = try Form("abc")
      let picker = Picker()
      form.field.delegate = picker
      form.stage.click(60, 25)
      #expect(!form.field.isEditing && form.heard == ["end"])
    }

    @Test("A middle click pastes, but not into a field that may not be edited")
    func middleClick() async throws {
      let form = try Form("abc")
      form.stage.program.platform.write([PasteboardItem(text: "mid")], to: .primary)
      form.refused = ["begin"]
      form.stage.click(20, 25, 2)
      form.refused = []
      form.stage.click(130, 25, 2)
      await form.stage.wait { form.field.text != "abc" }
      #expect(form.field.text == "abcmid" && form.heard.filter { $0 == "changed" } == ["changed"])
    }

    @Test("The caret and the text are in sight where the room or the font changes")
    func room() throws {
      let form = try Form(String(repeating: "wide ", count: 10)) { $0.clearButtonMode = .whileEditing }
      form.field.becomeFirstResponder()
      form.stage.settle()
      func caretIsInSight() -> Bool {
        let (area, caret) = (form.field.area, form.field.caretRect)
        return caret.origin.x >= area.origin.x && caret.origin.x < area.origin.x + area.size.width
      }
      #expect(form.field.showsClearButton && caretIsInSight())
      form.field.font = Font(family: "Monospace", size: 2)
      form.stage.settle()
      #expect(form.field.shift == 0 && caretIsInSight())
      form.field.text = "שלום"
      form.field.font = Font(family: "Monospace", size: 13)
      form.stage.press([Symbol.home])
      #expect(caretIsInSight() && form.field.caretOffset == 0)
    }

    @Test("A text that is too long already keeps what is selected; Return that is held is pressed once")
    func limits() throws {
      let form = try Form(String(repeating: "w", count: 20)) { $0.maximumLength = 10 }
      form.field.becomeFirstResponder()
      form.field.selectedRange = 3..<4
      form.stage.type("x")
      form.field.maximumLength = .min
      form.stage.type("x")
      #expect(form.field.text.count == 20 && form.field.selectedRange == 3..<4)
      form.stage.press([Symbol.delete])
      #expect(form.field.text.count == 19)
      form.heard = []
      for isRepeat in [false, true, true] {
        let key = Key(code: 36, symbol: 0xFF0D, characters: "\r", isDown: true, isRepeat: isRepeat)
        form.stage.send(.key(key))
      }
      #expect(form.heard == ["exit", "primary"])
    }

    @Test("A full field takes the signs that belong to its last character, and nothing more")
    func limitOfSigns() throws {
      for (letter, sign) in [("e", "\u{301}"), ("क", "ि"), ("👍", "\u{1F3FD}"), ("ก", "\u{E34}")] {
        let form = try Form { $0.maximumLength = 1 }
        form.field.becomeFirstResponder()
        form.stage.type(letter)
        form.field.insertText(sign)
        #expect(form.field.text.unicodeScalars.elementsEqual((letter + sign).unicodeScalars), "\(form.field.text)")
        form.field.insertText("x")
        form.field.insertText(sign + "x")
        #expect(form.field.text.count == 1 && form.field.text.hasPrefix(letter + sign), "\(form.field.text)")
        form.field.undo()
        #expect(form.field.text.count <= 1)
      }
      // A suggestion finds no room.
      let form = try Form("w") { $0.maximumLength = 1 }
      form.suggestions = ["w\u{301}x"]
      form.field.becomeFirstResponder()
      form.stage.press([Symbol.end])
      form.stage.type("\u{301}")
      #expect(form.shown == "w\u{301}|")
    }

    @Test("A placeholder begins where a text of its letters does, and is seen from its beginning")
    func placeholders() throws {
      let form = try Form()
      let area = form.field.area
      func shades(_ x: Int) throws -> Set<UInt32> {
        let frame = form.field.frame
        let place = Rect(x: frame.origin.x + x, y: frame.origin.y + 4, width: 24, height: frame.size.height - 8)
        return Set(try form.stage.pixels(place))
      }
      let (left, right) = (area.origin.x, area.origin.x + area.size.width - 24)
      form.field.placeholder = "\u{5E9}\u{5DC}"
      #expect(try shades(left).count == 1 && shades(right).count > 1)
      form.field.placeholder = "ab"
      #expect(try shades(left).count > 1 && shades(right).count == 1)
      // The beginning is empty, and the rest has no room.
      let blank = String(repeating: "\u{A0}", count: 30)
      form.field.placeholder = "\u{200F}" + blank + String(repeating: "\u{5E9}", count: 40)
      #expect(try shades(left).count > 1 && shades(right).count == 1)
    }

    @Test("Arrows walk through a text of both directions, without sticking")
    func bothDirections() throws {
      for text in ["abc אבג", "אבג abc", "abc אבג def"] {
        let form = try Form(text)
        form.field.becomeFirstResponder()
        let forward = form.field.isRightToLeft ? Symbol.left : Symbol.right
        for symbol in [Symbol.right, Symbol.left] {
          var places: Set<Int> = []
          form.field.caretOffset = symbol == forward ? 0 : text.count
          for _ in 0..<text.count * 2 {
            places.insert(form.field.caretOffset)
            form.stage.press([symbol])
          }
          #expect(places.count > text.count / 2, "\(text), \(places)")
        }
      }
    }
  }
}
