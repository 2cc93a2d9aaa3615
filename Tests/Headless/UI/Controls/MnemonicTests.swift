import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// Letters that press a control together with Alt.
  @MainActor @Suite("Mnemonics") struct MnemonicTests {
    private func press(_ letter: Character, _ stage: UIStage, _ modifiers: ModifierFlags = .alternate) {
      let scalar = letter.unicodeScalars.first?.value ?? 0
      let symbol = scalar < 0x100 ? scalar : 0x0100_0000 + scalar
      stage.send(.type(symbol, String(letter), modifiers))
    }

    @Test("An underscore marks the letter behind it, two are one, and what is read comes back when it is written")
    func marks() {
      let cases = [
        ("_Save", "Save", "s", "_Save"), ("Save _As", "Save As", "a", "Save _As"), ("a__b", "a_b", nil, "a__b"),
        ("_a_b", "ab", "a", "_ab"), ("a_", "a", nil, "a"), ("___x", "_x", "x", "___x"), ("", "", nil, ""),
        ("_É\u{301}x", "É\u{301}x", "é\u{301}", "_É\u{301}x"), ("_שלום", "שלום", "ש", "_שלום"),
        ("_ß", "ß", "ß", "_ß"), ("_İptal", "İptal", "i", "_İptal"), ("_Σ", "Σ", "σ", "_Σ"),
      ]
      for (marked, text, mnemonic, again) in cases {
        let content = MarkedText(marked)
        #expect(content.text == text && content.mnemonic == mnemonic && content.marked == again, "\(marked)")
        #expect(MarkedText(content.marked) == content)
      }
      let button = Button()
      button.titleWithMnemonic = "_Save"
      #expect(button.title == "Save" && button.titleWithMnemonic == "_Save")
      button.title = "_Save"
      #expect(button.titleWithMnemonic == "__Save" && button.caption.content.mnemonic == nil)
    }

    @Test("Alt and the letter press a button or a switch, and make the target of a label the first responder")
    func presses() throws {
      let (button, toggle, label, field) = (Button(), Switch(), Label(), TextField())
      button.titleWithMnemonic = "_Save"
      toggle.titleWithMnemonic = "So_und"
      label.textWithMnemonic = "_Имя"
      label.mnemonicTarget = field
      let stage = try UIStage(
        StackView(.vertical, [button, toggle, label, field]), Rect(x: 0, y: 0, width: 200, height: 200))
      let record = button.recordEvents()
      press("s", stage)
      #expect(record.take() == ["inside", "primary"] && button.isFirstResponder)
      press("U", stage, [.alternate, .shift])
      #expect(toggle.isOn && toggle.isFirstResponder)
      press("и", stage)
      #expect(field.isFirstResponder && field.text == "")
      // From within a field, and held.
      press("s", stage)
      stage.send(
        .key(Key(code: 30, symbol: 0x73, characters: "s", isDown: true, isRepeat: true, modifiers: .alternate)))
      #expect(record.take() == ["inside", "primary"])
      press("s", stage, [])
      press("s", stage, [.alternate, .control])
      press("s", stage, [.alternate, .command])
      press("q", stage)
      #expect(record.take() == [])
      label.mnemonicTarget = nil
      press("и", stage)
      #expect(button.isFirstResponder)
    }

    @Test("The key of a letter is that of its capital, in Turkish too", arguments: ["_İptal", "_Işık", "_ılık"])
    func turkish(_ title: String) throws {
      let button = Button()
      button.titleWithMnemonic = title
      let stage = try UIStage(button, Rect(x: 0, y: 0, width: 200, height: 40))
      let record = button.recordEvents()
      for letter in ["i", "İ", "ı", "I"] as [Character] {
        press(letter, stage)
        #expect(record.take() == ["inside", "primary"], "\(letter)")
      }
      let marked = MenuBar.mnemonics(of: [MarkedText(plain: "İşlem"), MarkedText(plain: "Iş")])
      #expect(marked.map(\.mnemonic) == ["i", "ş"])
    }

    @Test("Under a layout of another script the key of the letter presses, unless another view has what it types")
    func otherScripts() throws {
      let (save, other) = (Button(), Button())
      save.titleWithMnemonic = "_Save"
      other.titleWithMnemonic = "_Имя"
      let stage = try UIStage(StackView(.vertical, [save, other]), Rect(x: 0, y: 0, width: 200, height: 200))
      func press(_ letter: String, _ latin: Character) {
        var key = Key(code: 39, symbol: 0x6DB, characters: letter, isDown: true, modifiers: .alternate)
        key.latinCode = latin.asciiValue ?? 0
        stage.send(.key(key))
      }
      press("ы", "S")
      #expect(save.isFirstResponder)
      press("и", "s")
      #expect(other.isFirstResponder)
      press("ы", "q")
      #expect(other.isFirstResponder)
    }

    @Test("What is disabled, hidden or in another window is not pressed")
    func unreachable() throws {
      let button = Button()
      button.titleWithMnemonic = "_Save"
      let box = StackView(.vertical, [button])
      let stage = try UIStage(box, Rect(x: 0, y: 0, width: 200, height: 200))
      let record = button.recordEvents()
      button.isEnabled = false
      press("s", stage)
      button.isEnabled = true
      box.isHidden = true
      press("s", stage)
      box.isHidden = false
      box.isUserInteractionEnabled = false
      press("s", stage)
      box.isUserInteractionEnabled = true
      box.removeFromSuperview()
      press("s", stage)
      #expect(record.take() == [])
      let label = Label()
      label.textWithMnemonic = "_Save"
      label.mnemonicTarget = button
      stage.window.rootView = label
      press("s", stage)
      #expect(record.take() == [] && stage.window.firstResponder == nil)
      // Nor is what a label outside of it is for.
      let (field, inner) = (TextField(), View())
      inner.addSubview(field)
      stage.window.rootView = StackView(.vertical, [label, inner])
      label.mnemonicTarget = field
      for view in [inner, field] {
        view.isUserInteractionEnabled = false
        press("s", stage)
        view.isUserInteractionEnabled = true
        view.isHidden = true
        press("s", stage)
        view.isHidden = false
        #expect(stage.window.firstResponder == nil)
      }
      press("s", stage)
      #expect(field.isFirstResponder)
    }

    @Test(
      "A button that can no longer be used once a field is left is not pressed",
      arguments: ["disabled", "hidden", "removed"])
    func unreachableOnceLeft(_ how: String) throws {
      let (field, button) = (TextField(), Button())
      button.titleWithMnemonic = "_Save"
      let stage = try UIStage(StackView(.vertical, [field, button]), Rect(x: 0, y: 0, width: 200, height: 200))
      let record = button.recordEvents()
      field.addAction(for: .editingDidEnd) {
        switch how {
        case "disabled": button.isEnabled = false
        case "hidden": button.isHidden = true
        default: button.removeFromSuperview()
        }
      }
      field.becomeFirstResponder()
      press("s", stage)
      #expect(record.take() == [] && !field.isFirstResponder)
    }

    @Test("Of several ones the next follows a number field, in which another view has the keys")
    func afterNumberField() throws {
      let (label, number, button) = (Label(), NumberField(), Button())
      label.textWithMnemonic = "_Size"
      label.mnemonicTarget = number
      button.titleWithMnemonic = "_Save"
      let stage = try UIStage(StackView(.vertical, [label, number, button]), Rect(x: 0, y: 0, width: 200, height: 200))
      for _ in 0..<2 {
        press("s", stage)
        #expect((stage.window.firstResponder as? View)?.isDescendant(of: number) == true)
        press("s", stage)
        #expect(button.isFirstResponder)
      }
    }

    @Test("Of several ones the next becomes the first responder, and none is pressed")
    func several() throws {
      let buttons = (0..<3).map { _ in Button() }
      for button in buttons { button.titleWithMnemonic = "_Save" }
      let stage = try UIStage(StackView(.vertical, buttons), Rect(x: 0, y: 0, width: 200, height: 200))
      let records = buttons.map { $0.recordEvents() }
      for index in [0, 1, 2, 0] {
        press("s", stage)
        #expect(buttons[index].isFirstResponder)
      }
      #expect(records.allSatisfy { $0.take() == [] })
    }

    @Test("A title that is the same one is not drawn again, and another mnemonic is")
    func sameTitle() throws {
      final class Counted: Button {
        var draws = 0
        override func draw(_ rect: Rect, in context: DrawingContext) {
          draws += 1
          super.draw(rect, in: context)
        }
      }
      let button = Counted()
      button.titleWithMnemonic = "_Save"
      let stage = try UIStage(button, Rect(x: 10, y: 10, width: 80, height: 30))
      for (title, draws) in [("_Save", 1), ("S_ave", 2), ("S_ave", 2), ("Save", 3)] {
        button.titleWithMnemonic = title
        stage.settle()
        #expect(button.draws == draws)
      }
    }

    @Test("The letter is underlined, and nothing else is")
    func looks() throws {
      let label = Label("nnnn")
      let frame = Rect(x: 10, y: 10, width: 60, height: 20)
      let stage = try UIStage(label, frame)
      let plain = try stage.pixels(frame)
      label.textWithMnemonic = "nn_nn"
      let marked = try stage.pixels(frame)
      let different = plain.indices.filter { plain[$0] != marked[$0] }
      let rows = Set(different.map { $0 / 60 })
      #expect(rows.count == 1 && 5...12 ~= different.count)
      #expect(different.allSatisfy { 14...28 ~= $0 % 60 })
      label.text = "nnnn"
      #expect(try stage.pixels(frame) == plain)
    }

    @Test("The letter is underlined in its own line, and not at the ellipsis of a text that ends before it")
    func linesAndEllipsis() throws {
      let label = Label("nnnn\nnnnn")
      label.numberOfLines = 0
      let frame = Rect(x: 10, y: 10, width: 60, height: 40)
      let stage = try UIStage(label, frame)
      let plain = try stage.pixels(frame)
      label.textWithMnemonic = "nnnn\nnn_nn"
      let marked = try stage.pixels(frame)
      let rows = Set(plain.indices.filter { plain[$0] != marked[$0] }.map { $0 / 60 })
      let layout = label.caption.layout
      #expect(rows.count == 1 && rows.allSatisfy { $0 > (40 + layout.size.height) / 2 - layout.size.height / 2 })
      label.numberOfLines = 1
      label.text = "nnnnnnnnnnnnnnnn"
      let cut = try stage.pixels(frame)
      label.textWithMnemonic = "nnnnnnnnnnnnnnn_n"
      #expect(try stage.pixels(frame) == cut)
      label.textWithMnemonic = "nn_nnnnnnnnnnnnnn"
      #expect(try stage.pixels(frame) != cut)
    }
  }
}
