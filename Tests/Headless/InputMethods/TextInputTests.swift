#if canImport(ProsceniumUI)
  import Testing

  @testable import ProsceniumCore
  @testable import ProsceniumPlatform
  @testable import ProsceniumTesting
  @testable import ProsceniumUI

  /// Texts that the input method of the kit writes in.
  @MainActor @Suite("Texts and an input method", .serialized) struct TextInputTests {
    /// Takes letters, shows them in upper case, and commits them at a space.
    @MainActor private final class Engine {
      var word = ""
      func start(on machine: HeadlessMachine) {
        machine.inputMethod.start { [unowned machine] key in
          guard key.isDown, key.modifiers.isEmpty else { return .passes }
          if key.characters == " ", !self.word.isEmpty {
            machine.inputMethod.commitText(self.word.uppercased())
            self.word = ""
            return .takes
          }
          guard key.characters.first?.isLetter == true else { return .passes }
          self.word += key.characters
          machine.inputMethod.compose(TextComposition(self.word, caret: self.word.count))
          return .takes
        }
      }
    }

    private let engine = Engine()

    private func launch(_ text: String = "") throws -> TextStage {
      let stage = try TextStage(text)
      engine.start(on: stage.stage.program.machine)
      stage.stage.settle()
      return stage
    }

    private func marked(_ stage: TextStage) -> String? { stage.view.input.marked?.text }

    @Test("What is composed is shown in the text, and is a part of it when it is committed: one step to undo")
    func composed() throws {
      let stage = try launch("one two")
      stage.view.selectedRange = 4..<7
      let before = stage.view.restorationState
      stage.type("abc")
      #expect(marked(stage) == "abc")
      #expect(stage.view.shown.text == "one abc")
      #expect(stage.shown == "one [two]")
      #expect(stage.view.restorationState == before)
      #expect(stage.changes == 0)
      #expect(!stage.view.canUndo)
      stage.type(" ")
      #expect(marked(stage) == nil)
      #expect(stage.shown == "one ABC|")
      #expect(stage.changes == 1)
      stage.command("z")
      #expect(stage.shown == "one [two]")
      #expect(!stage.view.canUndo)
    }

    @Test("Keys that the engine does not take go on in their order, and commands too")
    func passed() throws {
      let stage = try launch()
      stage.type("12")
      stage.press(Symbol.left)
      stage.type("3")
      #expect(stage.shown == "13|2")
      stage.command("a")
      #expect(stage.shown == "[132]")
      stage.command("w")
      #expect(stage.stage.scene?.heard.contains("command") == true)
    }

    @Test("Keys wait behind one that the engine has not answered, for half a second and once")
    func silent() throws {
      let stage = try launch()
      let program = stage.stage.program
      program.machine.inputMethod.start { _ in .hangs }
      stage.type("abc")
      program.advance(by: 499)
      #expect(stage.view.text == "")
      program.advance(by: 1)
      #expect(stage.view.text == "abc")
      stage.type("de")
      #expect(stage.view.text == "abcde")
      // A late answer: what the engine made of the key is dropped, and it is asked again.
      program.machine.inputMethod.compose(TextComposition("a"))
      #expect(marked(stage) == nil)
      #expect(program.machine.inputMethod.service.log.last == "reset")
      stage.type("f")
      #expect(stage.view.text == "abcde")
      program.machine.inputMethod.stop()
      #expect(stage.view.text == "abcdef")
      // Nothing is left that would wake the program.
      stage.type("g")
      #expect(stage.view.text == "abcdefg")
    }

    #if !WITHOUT_Suspension
      @Test("One that comes while the program is suspended has the keys of when it runs again, one that goes has none")
      func suspended() throws {
        let stage = try TextStage(suspends: true)
        let program = stage.stage.program
        func inSuspension(_ change: () -> Void) {
          program.desk.minimize(stage.stage.window)
          program.advance(by: 10_000)
          #expect(program.platform.isSuspended)
          change()
          #expect(program.platform.isSuspended)
          program.desk.restore(stage.stage.window)
          stage.stage.settle()
        }
        inSuspension { engine.start(on: program.machine) }
        stage.type("a")
        #expect(marked(stage) == "a")
        stage.type(" ")
        #expect(stage.view.text == "A")
        inSuspension { program.machine.inputMethod.stop() }
        stage.type("b")
        #expect(stage.view.text == "Ab")
        // The latest counts.
        inSuspension {
          engine.start(on: program.machine)
          program.machine.inputMethod.stop()
        }
        stage.type("c")
        #expect(stage.view.text == "Abc")
      }
    #endif

    @Test("A click, a movement, an undo, another text and the end of the focus take away what is composed")
    func ended() throws {
      let ends: [(TextStage) -> Void] = [
        { $0.click(4, 8) }, { $0.press(Symbol.left) }, { $0.view.undo() }, { $0.view.text = "new" },
        { $0.view.insertText("x") }, { $0.view.caretOffset = 0 }, { $0.view.resignFirstResponder() },
        { $0.stage.window.rootView = View() }, { $0.view.isEditable = false },
        { $0.stage.program.desk.focus(nil) },
      ]
      for (number, end) in ends.enumerated() {
        engine.word = ""
        let stage = try launch("text")
        stage.type("ab")
        #expect(marked(stage) == "ab", "\(number)")
        end(stage)
        stage.stage.program.advance(by: 1000)
        #expect(marked(stage) == nil, "\(number)")
        #expect(!stage.view.text.contains("ab"), "\(number)")
        #expect(stage.view.shown.text == stage.view.text, "\(number)")
      }
    }

    private func tap(_ point: Point, _ stage: UIStage) {
      for phase in [Touch.Phase.began, .ended] {
        stage.send(.touch(Touch(identifier: 1, phase: phase, location: point)))
      }
    }

    @Test("A tap puts the caret where the text is without what was composed, as a click does")
    func tapped() throws {
      let stage = try launch("one two")
      let place = try #require(stage.view.caretRect(at: 5))
      stage.view.caretOffset = 0
      // Letters of two bytes: what is before the place has another length than without them.
      stage.type("éé")
      #expect(marked(stage) == "éé")
      tap(Point(x: place.origin.x + 1, y: place.origin.y + 2), stage.stage)
      #expect(marked(stage) == nil)
      #expect(stage.shown == "one t|wo")
    }

    @Test("A tap on a field does so too")
    func tappedField() throws {
      let (stage, field) = try field("one two")
      field.caretOffset = 5
      let place = field.convert(field.caretRect.origin, to: nil)
      field.caretOffset = 0
      stage.type("abc")
      #expect(field.input.marked?.text == "abc")
      tap(Point(x: place.x + 1, y: place.y + 2), stage)
      #expect(field.input.marked == nil)
      #expect(UIStage.marked(field.text, field.selectedRange) == "one t|wo")
    }

    @Test("What the engine wants to stay does so when the user goes elsewhere")
    func remainder() throws {
      let stage = try launch("text")
      stage.view.caretOffset = 4
      stage.stage.program.machine.inputMethod.compose(TextComposition("han", caret: 3, remainder: "HAN"))
      #expect(stage.view.text == "text")
      stage.click(4, 8)
      #expect(stage.view.text == "textHAN")
      stage.view.undo()
      #expect(stage.view.text == "text")
    }

    @Test("The engine is told of the caret, the text around it and its traits; of nothing without a focus")
    func told() throws {
      let stage = try launch("first\nsecond")
      let input = stage.stage.program.machine.inputMethod.service
      stage.view.selectedRange = 8..<8
      stage.stage.settle()
      let text = try #require(input.text)
      #expect(text.surroundings == SurroundingText("second", anchor: 2, caret: 2))
      #expect(text.traits.isMultiline)
      let caret = try #require(text.caret)
      #expect(stage.stage.window.frame.contains(caret.origin))
      // The window moves, and the caret with it.
      stage.stage.window.requestFrame(Rect(x: 200, y: 150, width: 320, height: 240))
      stage.stage.settle()
      #expect(input.text?.caret?.origin == Point(x: caret.origin.x + 100, y: caret.origin.y + 50))
      // The program sets another text.
      stage.view.text = "new"
      stage.stage.settle()
      #expect(input.text?.surroundings == SurroundingText("new", anchor: 0, caret: 0))
      stage.view.resignFirstResponder()
      #expect(input.text == nil)
    }

    @Test("Text around the caret is deleted by the scalar, and the caret stays where it is")
    func deleted() throws {
      let stage = try launch("one two")
      stage.view.caretOffset = 5
      stage.stage.program.machine.inputMethod.deleteSurroundingText(offset: -4, count: 3)
      #expect(stage.shown == "ot|wo")
      stage.stage.program.machine.inputMethod.deleteSurroundingText(offset: -100, count: Int.max)
      #expect(stage.shown == "|")
    }

    @Test("What is deleted around the caret while something is composed leaves that as it is")
    func deletedAroundComposition() throws {
      let stage = try launch("hello ")
      stage.view.caretOffset = 6
      let input = stage.stage.program.machine.inputMethod
      input.compose(TextComposition("wor", caret: 3, remainder: "WOR"))
      input.deleteSurroundingText(offset: -1, count: 1)
      #expect(stage.view.text == "hello")
      #expect(marked(stage) == "wor")
      #expect(stage.view.shown.text == "hellowor")
      #expect(!input.service.log.contains("reset"))
      input.commitText("world")
      #expect(stage.shown == "helloworld|")
    }

    @Test("A composition in a long paragraph leaves the lines of the text as they were")
    func long() throws {
      let paragraph = String(repeating: "word ", count: 1500)
      let stage = try launch("a\n" + paragraph + "\nb")
      stage.view.caretOffset = 4000
      for _ in 0..<3 {
        stage.type("xyz")
        _ = try stage.stage.surface()
        stage.press(Symbol.right)
      }
      #expect(stage.view.shown.paragraphs.map(\.length) == stage.view.editing.storage.paragraphs.map(\.length))
      #expect(stage.view.lines.count == stage.view.editing.storage.paragraphs.count)
      #expect(stage.changes == 0)
    }

    // MARK: Fields

    private func field(_ text: String, _ setUp: @escaping (TextField) -> Void = { _ in }) throws -> (UIStage, TextField)
    {
      let field = TextField(text)
      let stage = try UIStage { window in
        setUp(field)
        window.rootView = StackView(.vertical, [field])
        field.becomeFirstResponder()
      }
      engine.start(on: stage.program.machine)
      stage.settle()
      return (stage, field)
    }

    @Test("A field shows what is composed, keeps its limit, and sends its events for what is committed")
    func fields() throws {
      let (stage, field) = try field("ab") { $0.maximumLength = 4 }
      var events = 0
      field.addAction(for: .editingChanged) { events += 1 }
      stage.type("xyz")
      #expect(field.layout.text == "abxyz")
      #expect(field.text == "ab")
      #expect(events == 0)
      stage.type(" ")
      #expect(field.text == "abXY")
      #expect(field.layout.text == "abXY")
      #expect(events == 1)
      stage.type("q")
      stage.press([Symbol.home])
      #expect(field.layout.text == "abXY")
      #expect(UIStage.marked(field.text, field.selectedRange) == "|abXY")
    }

    @Test("The engine is told of a text that the program sets in a field")
    func toldOfField() throws {
      let (stage, field) = try field("ab")
      field.text = "new"
      stage.settle()
      let text = stage.program.machine.inputMethod.service.text
      #expect(text?.surroundings == SurroundingText("new", anchor: 3, caret: 3))
    }

    @Test("What the engine wants to stay comes before what is pasted, cut or inserted in a field, within its limit")
    func remainderInField() throws {
      let (stage, field) = try field("text") { $0.maximumLength = 9 }
      func compose(over range: Range<Int>) {
        field.text = "text"
        field.selectedRange = range
        stage.program.machine.inputMethod.compose(TextComposition("han", caret: 3, remainder: "HAN"))
        #expect(field.input.marked?.text == "han")
      }
      compose(over: 4..<4)
      field.insertText("P")
      #expect(UIStage.marked(field.text, field.selectedRange) == "textHANP|")
      compose(over: 2..<4)
      field.insertText("P")
      #expect(UIStage.marked(field.text, field.selectedRange) == "teHANP|")
      compose(over: 2..<4)
      field.cut()
      #expect(UIStage.marked(field.text, field.selectedRange) == "teHAN|")
      compose(over: 4..<4)
      field.insertText("1234")
      #expect(field.text == "textHAN12")
    }

    @Test("Of a secret the engine gets nothing, and what is composed there is dots")
    func secure() throws {
      let (stage, field) = try field("secret") { $0.isSecureTextEntry = true }
      stage.type("ab")
      #expect(field.layout.text == "••••••••")
      stage.type(" ")
      #expect(field.text == "secretAB")
      let input = stage.program.machine.inputMethod.service
      stage.settle()
      #expect(input.text?.traits.isSecureTextEntry == true)
      #expect(input.text?.surroundings == nil)
      stage.program.machine.inputMethod.deleteSurroundingText(offset: -3, count: 3)
      #expect(field.text == "secretAB")
    }

    @Test("The input method follows the focus from one field to the next")
    func focus() throws {
      let fields = [TextField(), TextField()]
      let stage = try UIStage { window in
        window.rootView = StackView(.vertical, fields)
        fields[0].becomeFirstResponder()
      }
      engine.start(on: stage.program.machine)
      stage.settle()
      stage.type("ab")
      stage.press([Symbol.tab])
      #expect(fields[1].isFirstResponder)
      #expect(fields[0].input.marked == nil)
      engine.word = ""
      stage.type("cd ")
      #expect(fields.map(\.text) == ["", "CD"])
      #expect(
        stage.program.machine.inputMethod.service.log.filter { ["focus", "blur"].contains($0) } == [
          "focus", "blur", "focus",
        ])
    }

    @Test("The field that a handler focuses while a composition ends has the engine, also the same one")
    func focusMovedMeanwhile() throws {
      for target in 0..<3 {
        let fields = [TextField(), TextField(), TextField()]
        let stage = try UIStage { window in
          window.rootView = StackView(.vertical, fields)
          fields[0].becomeFirstResponder()
        }
        let input = stage.program.machine.inputMethod
        input.start { _ in .passes }
        stage.settle()
        input.compose(TextComposition("x", caret: 1, remainder: "X"))
        fields[0].addAction(for: .editingChanged) { fields[target].becomeFirstResponder() }
        fields[1].becomeFirstResponder()
        stage.settle()
        let first = try #require(fields.first { $0.isFirstResponder })
        #expect(fields[0].text == "X")
        input.commitText("Y")
        #expect(first.text.hasSuffix("Y"), "\(target)")
        #expect(input.service.text != nil)
      }
    }

    @Test("A click behind keys that wait for the engine comes after them, and so do the drag and the release")
    func clickBehindKeys() throws {
      let fields = [TextField(), TextField("hello")]
      let stage = try UIStage { window in
        window.rootView = StackView(.vertical, fields)
        fields[0].becomeFirstResponder()
      }
      stage.program.machine.inputMethod.start { _ in .hangs }
      stage.settle()
      let place = fields[1].convert(fields[1].bounds, to: nil)
      let (left, y) = (place.origin.x + 2, place.origin.y + place.size.height / 2)
      stage.type("abc")
      stage.send(.press(left, y), .move(left + place.size.width - 4, y), .release(left + place.size.width - 4, y))
      #expect(fields[0].isFirstResponder)
      stage.program.advance(by: 500)
      #expect(fields.map(\.text) == ["abc", "hello"])
      #expect(fields[1].isFirstResponder && fields[1].selectedText == "hello")
      // Keys behind the click are the other field's.
      stage.type("d")
      stage.program.advance(by: 500)
      #expect(fields.map(\.text) == ["abc", "d"])
    }

    @Test("Without an engine nothing is asked, told or waited for")
    func without() throws {
      let stage = try TextStage("text")
      let input = stage.stage.program.machine.inputMethod.service
      stage.type("ab")
      stage.click(4, 8)
      #expect(stage.view.text == "abtext")
      #expect(input.log == ["focus"])
    }

    @Test("Keys of a sequence of dead keys are not the engine's")
    func dead() throws {
      let stage = try launch()
      stage.stage.send(.type(0xFE51, ""), .type(0x65, "é"))
      #expect(stage.view.text == "é")
      #expect(stage.stage.program.machine.inputMethod.service.log.allSatisfy { ["focus", "update"].contains($0) })
    }
  }
#endif
