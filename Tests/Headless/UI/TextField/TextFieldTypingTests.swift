import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// What keys and pastes put into a field and take out of it, where characters are more than one sign.
  @MainActor @Suite("Text field: signs and limits") struct TextFieldTypingTests {
    private final class Editor: TextFieldDelegate {
      var asked: [(range: Range<Int>, string: String)] = []
      func textField(
        _ textField: TextField, shouldChangeCharactersIn range: Range<Int>, replacementString string: String
      ) -> Bool {
        asked.append((range, string))
        return true
      }
    }

    private let field = TextField()
    private let editor = Editor()
    private let stage: UIStage

    init() throws {
      stage = try UIStage(field, Rect(x: 10, y: 10, width: 200, height: 30))
      field.delegate = editor
      field.becomeFirstResponder()
    }

    @Test("Backspace takes the last sign of a letter, for which the delegate is asked about the whole letter")
    func backspace() {
      field.text = "aกี่"
      stage.press([Symbol.backspace])
      #expect(field.text.unicodeScalars.elementsEqual("aกี".unicodeScalars))
      #expect(editor.asked.last?.range == 1..<2 && editor.asked.last?.string == "กี")
      stage.press([Symbol.backspace, Symbol.backspace, Symbol.backspace])
      #expect(field.text == "" && editor.asked.last?.string == "")
      stage.command("z")
      #expect(field.text.utf8.elementsEqual("aกี่".utf8) && !field.canUndo)
    }

    @Test("Also where the text is longer than it may be; of a secret it takes the whole letter")
    func limits() {
      field.maximumLength = 1
      field.text = "abกี่"
      stage.press([Symbol.backspace])
      #expect(field.text.unicodeScalars.elementsEqual("abกี".unicodeScalars))
      field.isSecureTextEntry = true
      stage.press([Symbol.backspace])
      #expect(field.text == "ab")
    }

    @Test("Of a text that is too long the delegate is asked about the part that there is room for")
    func paste() {
      field.maximumLength = 5
      field.insertText(String(repeating: "a\r\n", count: 1000))
      #expect(field.text == "a a a" && editor.asked.map(\.string) == ["a a a"])
      // Signs need no room.
      field.text = "abcde"
      field.insertText("\u{301}\u{323}")
      #expect(field.text == "abcde\u{301}\u{323}")
      // Nor does a limit that is none harm.
      field.maximumLength = .max
      field.text = ""
      field.insertText("\u{1}abc\n")
      #expect(field.text == "abc ")
      field.maximumLength = .min
      field.insertText("d")
      #expect(field.text == "abc ")
    }
  }
}
