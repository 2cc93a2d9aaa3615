import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// What a field adds to what the user types.
  @MainActor @Suite("Completion") struct CompletionTests {
    @MainActor private final class Form: TextFieldDelegate {
      let field = TextField()
      let stage: UIStage
      var suggestions: [String]
      var asked: [String] = []
      var refuses = false

      init(_ suggestions: [String]) throws {
        self.suggestions = suggestions
        stage = try UIStage(field, Rect(x: 10, y: 10, width: 200, height: 30))
        field.delegate = self
        field.becomeFirstResponder()
      }
      func textField(_ textField: TextField, completionsFor text: String) -> [String] {
        asked.append(text)
        // A delegate may look at the field.
        _ = (textField.text, textField.selectedRange)
        return suggestions
      }
      func textField(
        _ textField: TextField, shouldChangeCharactersIn range: Range<Int>, replacementString string: String
      ) -> Bool { !refuses }
      var shown: String { UIStage.marked(field.text, field.selectedRange) }
    }

    @Test("The rest of the first suggestion is selected behind what is typed, and goes with what is typed next")
    func types() throws {
      let form = try Form(["Berlin", "Bern", "bergamot"])
      var changes = 0
      form.field.addAction(for: .editingChanged) { changes += 1 }
      form.stage.type("b")
      #expect(form.shown == "b[erlin]" && changes == 1)
      form.stage.type("er")
      #expect(form.shown == "ber[lin]")
      form.stage.type("n")
      #expect(form.shown == "bern|" && form.asked == ["b", "be", "ber", "bern"])
      form.suggestions = ["bern"]
      form.stage.type("x")
      #expect(form.shown == "bernx|" && changes == 5)
    }

    @Test(
      "Right, End and Return leave it, Backspace and Delete remove it",
      arguments: [
        (KeySymbol.right, "Berlin|"), (KeySymbol.end, "Berlin|"), (KeySymbol.return, "Berlin|"),
        (KeySymbol.backspace, "B|"), (KeySymbol.delete, "B|"),
      ])
    func keys(_ symbol: UInt32, _ expected: String) throws {
      let form = try Form(["Berlin"])
      form.stage.type("B")
      form.stage.send(.type(symbol))
      #expect(form.shown == expected && form.asked == ["B"])
    }

    @Test(
      "What is accepted has the letters of the suggestion",
      arguments: [KeySymbol.right, KeySymbol.end, KeySymbol.return])
    func letters(_ symbol: UInt32) throws {
      let form = try Form(["Canada"])
      var changes = 0
      form.field.addAction(for: .editingChanged) { changes += 1 }
      form.stage.type("c")
      #expect(form.shown == "c[anada]" && changes == 1)
      form.stage.send(.type(symbol))
      #expect(form.shown == "Canada|" && changes == 2)
      // What is typed in full, or not accepted, stays as it is.
      form.field.text = ""
      form.stage.type("canada")
      form.stage.send(.type(symbol))
      #expect(form.shown == "canada|")
      form.field.text = ""
      form.stage.type("c")
      form.stage.send(.type(KeySymbol.delete))
      form.stage.send(.type(symbol))
      #expect(form.shown == "c|")
    }

    @Test("A selection of the user's up to the end stays where nothing was added", arguments: [true, false])
    func ownSelection(isLeft: Bool) throws {
      let form = try Form([])
      form.field.text = "hello world"
      form.field.selectedRange = 6..<11
      if isLeft { form.field.resignFirstResponder() } else { form.stage.send(.type(KeySymbol.return)) }
      #expect(form.shown == "hello [world]")
    }

    @Test("A suggestion is found by its letters in upper and lower case of every script")
    func scripts() throws {
      for (suggestion, typed, shown) in [
        ("İstanbul", "ist", "ist[anbul]"), ("Işık", "ı", "ı[şık]"), ("ΟΔΟΣ 1", "οδος", "οδος[ 1]"),
      ] {
        let form = try Form([suggestion])
        form.stage.type(typed)
        #expect(form.shown == shown)
        form.stage.send(.type(KeySymbol.end))
        #expect(form.shown == suggestion + "|")
      }
    }

    @Test("A field that is left has the caret behind it, and no selection")
    func left() throws {
      let form = try Form(["Berlin"])
      form.stage.type("B")
      form.field.resignFirstResponder()
      #expect(form.shown == "Berlin|")
      let other = try Form(["Canada"])
      other.stage.type("c")
      other.field.resignFirstResponder()
      #expect(other.shown == "Canada|")
      other.field.undo()
      #expect(other.shown == "canada|")
    }

    @Test("Tab leaves it in the field, and an undo takes what was typed and added back")
    func undo() throws {
      let form = try Form(["Berlin"])
      form.stage.type("B")
      form.stage.send(.type(KeySymbol.tab, "\t"))
      #expect(form.field.text == "Berlin")
      form.field.undo()
      #expect(form.field.text == "")
      form.field.redo()
      #expect(form.field.text == "Berlin")
    }

    @Test("Nothing is added within the text, to a secure one, by a paste, or where it is refused or there is no room")
    func none() throws {
      let form = try Form(["Berlin"])
      form.field.insertText("B")
      form.field.selectedRange = 0..<0
      form.stage.type("A")
      #expect(form.shown == "A|B" && form.asked == [])
      form.field.text = ""
      form.refuses = true
      form.stage.type("B")
      #expect(form.shown == "|" && form.asked == [])
      form.refuses = false
      form.field.isSecureTextEntry = true
      form.stage.type("B")
      #expect(form.shown == "B|" && form.asked == [])
      form.field.isSecureTextEntry = false
      form.field.text = ""
      form.field.maximumLength = 3
      form.stage.type("B")
      #expect(form.shown == "B[er]")
      form.stage.type("erlin")
      #expect(form.shown == "Ber|")
    }

    @Test("Suggestions of any kind do no harm")
    func wild() throws {
      let form = try Form(["", "\u{301}", "B", "b\nc", String(repeating: "B", count: 20_000)])
      form.stage.type("b")
      #expect(form.shown == "b[ c]")
      form.suggestions = [String(repeating: "b", count: 20_000)]
      form.field.text = ""
      form.stage.type("b")
      #expect(form.field.text.count == 10_000)
    }
  }
}
