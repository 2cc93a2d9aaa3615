import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// A text view that is written in with keys.
  @MainActor @Suite("Text view: keys") struct TextViewKeyTests {
    @Test("What is typed comes at the caret; the delegate hears of each key")
    func typing() throws {
      let text = try TextStage()
      text.type("Hello\nwörld")
      #expect(text.shown == "Hello\nwörld|" && text.changes == 11 && text.selections == 11)
      text.press(Symbol.tab)
      text.press(Symbol.left, Symbol.left)
      text.press(Symbol.backspace)
      text.press(Symbol.delete)
      #expect(text.shown == "Hello\nwör|\t")
      text.press(Symbol.backspace, with: .control)
      #expect(text.shown == "Hello\n|\t")
      // A composed character comes as it is.
      text.stage.send(.type(0xE9, "é"), .type(0, "👨‍👩‍👧"))
      #expect(text.shown == "Hello\né👨‍👩‍👧|\t")
    }

    @Test("Control characters, keys without text and keys with Alt or Super write nothing")
    func controls() throws {
      let text = try TextStage("x")
      text.stage.send(
        .type(0x61, "\u{1}", .control), .type(0xFF1B, "\u{1B}"), .type(0xFFBE, ""), .type(0x61, "a", .alternate),
        .type(0x61, "a", .command), .type(0, "\u{7F}"), .type(0, "\u{85}"), .type(0, "a\0"))
      #expect(text.view.text == "x")
    }

    @Test("A new line ends as its neighbours do")
    func lineEnds() throws {
      let text = try TextStage("one\r\ntwo")
      text.press(Symbol.end, with: .control)
      text.type("\n!")
      #expect(Array(text.view.text.utf8) == Array("one\r\ntwo\r\n!".utf8))
    }

    @Test("Line Feed and the number pad's keys do what their twins do")
    func keypad() throws {
      let text = try TextStage("one two")
      text.stage.settle()
      // KP_End, KP_Enter, Linefeed; as Return, also with Control.
      text.press(0xFF9C, 0xFF8D)
      text.stage.send(.type(0xFF0A, "\n"))
      text.press(0xFF8D, with: .control)
      #expect(text.shown == "one two\n\n\n|")
      // KP_Home with Control, KP_Right, KP_Delete, KP_Tab, KP_Down, KP_Up, KP_Left
      text.press(0xFF95, with: .control)
      text.press(0xFF98, 0xFF9F, 0xFF89)
      #expect(text.shown == "o\t|e two\n\n\n")
      text.press(0xFF99, 0xFF97, 0xFF96)
      #expect(text.shown == "o|\te two\n\n\n")
      // KP_Page_Down; KP_Space; with Shift KP_Home selects, and with Shift KP_Delete cuts
      text.press(0xFF9B)
      text.stage.send(.type(0xFF80, " "))
      #expect(text.shown == "o\te two\n\n\n |")
      text.press(0xFF95, with: .shift)
      text.press(0xFF9F, with: .shift)
      #expect(text.shown == "o\te two\n\n\n|")
      #expect(text.stage.program.platform.pasteboards.items[.general]?.first?.data.elementsEqual(" ".utf8) == true)
      // With Num Lock they type.
      text.stage.send(.type(0xFFB5, "5"))
      #expect(text.shown == "o\te two\n\n\n5|")
    }

    @Test("Arrows go by characters, words and lines; Shift selects on the way")
    func movement() throws {
      let text = try TextStage("one two\nlonger line\n\nx")
      text.press(Symbol.right, Symbol.right)
      text.press(Symbol.right, with: .control)
      #expect(text.view.caretOffset == 3)
      text.press(Symbol.right, with: .control)
      #expect(text.view.caretOffset == 7)
      text.press(Symbol.left, with: [.control, .shift])
      #expect(text.shown == "one [two]\nlonger line\n\nx")
      text.press(Symbol.end)
      text.press(Symbol.down)
      #expect(text.shown == "one two\nlonger |line\n\nx")
      // Down and up again by way of lines that are too short keeps the column.
      text.press(Symbol.down, Symbol.down)
      #expect(text.shown == "one two\nlonger line\n\nx|")
      text.press(Symbol.up, Symbol.up)
      #expect(text.shown == "one two\nlonger |line\n\nx")
      text.press(Symbol.home, with: .shift)
      #expect(text.shown == "one two\n[longer ]line\n\nx")
      text.press(Symbol.up)
      #expect(text.shown == "|one two\nlonger line\n\nx")
      text.press(Symbol.up, Symbol.end)
      #expect(text.shown == "one two|\nlonger line\n\nx")
      text.press(Symbol.end, with: [.control, .shift])
      #expect(text.view.selectedRange == 7..<22)
      text.press(Symbol.down, Symbol.down)
      #expect(text.view.selectedRange == 22..<22)
    }

    @Test("A line that is wrapped has a beginning and an end of its own")
    func wrapping() throws {
      let text = try TextStage(String(repeating: "word ", count: 30))
      text.stage.settle()
      text.press(Symbol.end)
      let end = text.view.caretOffset
      #expect((20...60).contains(end))
      text.press(Symbol.home)
      #expect(text.view.caretOffset == 0)
      text.press(Symbol.end, Symbol.right)
      let second = text.view.caretOffset
      text.press(Symbol.home)
      #expect(text.view.caretOffset == second)
      text.press(Symbol.end)
      #expect(text.view.caretOffset == second + end)
      text.press(Symbol.up)
      #expect(text.view.caretOffset == end)
    }

    @Test("A line that a PARAGRAPH SEPARATOR ends has its end before it")
    func paragraphSeparators() throws {
      let text = try TextStage("abc\u{2029}def")
      text.stage.settle()
      text.press(Symbol.end)
      #expect(text.view.caretOffset == 3)
      text.press(Symbol.home)
      text.press(Symbol.end, with: .shift)
      #expect(text.view.selectedRange == 0..<3)
      text.click(300, 15)
      #expect(text.view.caretOffset == 3)
      #expect(text.view.wrappedLineStarts == [])
      let empty = try TextStage("a\u{2029}\u{2029}b")
      empty.stage.settle()
      empty.press(Symbol.right, Symbol.right)
      #expect(empty.view.caretOffset == 2)
      empty.press(Symbol.end)
      #expect(empty.view.caretOffset == 2)
      empty.press(Symbol.up, Symbol.end)
      #expect(empty.view.caretOffset == 1)
    }

    @Test("Arrows go to the left and to the right in text of both directions")
    func bidirectional() throws {
      let text = try TextStage("ab אבג cd")
      text.stage.settle()
      var places: [Int] = [0]
      while places.count < 30 {
        text.press(Symbol.right)
        if text.view.caretOffset == places.last { break }
        places.append(text.view.caretOffset)
      }
      // From the left edge to the right one: the Hebrew word is entered at its end.
      #expect(places.last == 9 && Set(places).isSuperset(of: [1, 2, 4, 5, 7, 8]), "\(places)")
      let (four, five) = (places.firstIndex(of: 4) ?? 0, places.firstIndex(of: 5) ?? 0)
      #expect(five < four, "\(places)")
      var back: [Int] = []
      while back.count < 30 {
        text.press(Symbol.left)
        back.append(text.view.caretOffset)
        if text.view.caretOffset == 0 { break }
      }
      #expect(back.last == 0, "\(back)")
      let hebrew = try TextStage("אבג\nדה")
      hebrew.stage.settle()
      hebrew.press(Symbol.left)
      #expect(hebrew.view.caretOffset == 1)
      hebrew.press(Symbol.left, Symbol.left, Symbol.left)
      #expect(hebrew.view.caretOffset == 4)
      hebrew.press(Symbol.right)
      #expect(hebrew.view.caretOffset == 3)
    }

    @Test("Undo takes back runs of typing, as a key, an action and a call")
    func undo() throws {
      let text = try TextStage("begin")
      text.press(Symbol.end)
      text.type(" more")
      text.press(Symbol.left)
      text.type("X")
      text.command("z")
      #expect(text.shown == "begin mor|e")
      text.stage.program.application.sendAction(Action(TextView.undo), to: text.view, from: nil)
      #expect(text.shown == "begin|" && !text.view.canUndo)
      text.command("z", [.control, .shift])
      text.command("y")
      #expect(text.shown == "begin morX|e" && !text.view.canRedo)
      text.view.undo()
      text.view.isEditable = false
      text.view.undo()
      text.type("z")
      text.press(Symbol.backspace, Symbol.tab)
      #expect(text.view.text == "begin more")
      text.press(Symbol.home, with: .shift)
      #expect(text.view.selectedText == "begin mor")
    }

    @Test("Cut, copy and paste go by way of the pasteboard; control characters are left out")
    func clipboard() async throws {
      let text = try TextStage("one two")
      let platform = text.stage.program.platform
      func copied(_ name: PasteboardName) -> String? {
        platform.pasteboards.items[name]?.first.map { String(decoding: $0.data, as: UTF8.self) }
      }
      text.press(Symbol.right, with: [.shift, .control])
      #expect(copied(.primary) == "one")
      text.command("c")
      #expect(copied(.general) == "one" && text.view.text == "one two")
      text.command("x")
      #expect(text.shown == "| two")
      text.press(Symbol.end)
      text.command("v")
      await text.wait { text.view.text == " twoone" }
      platform.write([PasteboardItem(text: "a\u{7}b\r\n\tc\0")], to: .general)
      text.command("a")
      text.press(Symbol.insert, with: .shift)
      await text.wait { text.view.text == "ab\r\n\tc" }
      #expect(text.shown == "ab\r\n\tc|")
      text.view.undo()
      #expect(text.shown == "[ twoone]")
      text.command("z")
      text.command("z")
      #expect(text.shown == "[one] two")
      // The middle button pastes what was selected last, where it was pressed.
      platform.write([PasteboardItem(text: "mid")], to: .primary)
      text.click(300, 10, 2)
      await text.wait { text.view.text == "one twomid" }
    }

    @Test("Setting the text begins anew, without a word to the delegate of a change")
    func setting() throws {
      let text = try TextStage("abc")
      text.press(Symbol.end)
      text.type("d")
      text.view.text = "x"
      #expect(text.changes == 1 && !text.view.canUndo && text.shown == "|x")
      text.view.selectedRange = -5..<99
      #expect(text.shown == "[x]")
      text.view.insertText("é\r\n")
      #expect(text.view.caretOffset == 2 && text.changes == 2)
    }
  }
}
