import Testing

@testable import ProsceniumUI

/// Writing: the caret, the selection, and the way back.
@Suite("Text editing") struct TextEditingTests {
  /// Text with a caret in it as `|`.
  private func shown(_ editing: TextEditing) -> String {
    let caret = editing.selection.head
    return editing.storage[0..<caret] + "|" + editing.storage[caret..<editing.storage.length]
  }

  @Test("What is typed comes at the caret, and in the place of what is selected")
  func typing() {
    var editing = TextEditing("hello")
    editing.moveCaret(to: 5)
    editing.insert(" wörld")
    #expect(shown(editing) == "hello wörld|")
    editing.move(.word, forward: false, extending: true)
    #expect(editing.selectedText == "wörld")
    editing.insert("W")
    editing.insert("!")
    #expect(shown(editing) == "hello W!|")
    // The first key and what it replaced are one step with the rest of the run.
    editing.undo()
    #expect(shown(editing) == "hello |wörld" && editing.selectedText == "wörld")
    editing.redo()
    #expect(shown(editing) == "hello W!|" && editing.selection.isEmpty)
  }

  @Test("Backspace and Delete take whole clusters, with Control whole words")
  func deleting() {
    var editing = TextEditing("a👨‍👩‍👧e\u{301}\r\nword next")
    editing.moveCaret(to: editing.storage.length)
    editing.deleteBackward(.word)
    #expect(editing.storage.text.hasSuffix("word "))
    editing.moveCaret(to: editing.storage.offset(ofCharacter: 4))
    editing.deleteBackward()
    #expect(shown(editing) == "a👨‍👩‍👧e\u{301}|word ")
    editing.deleteBackward()
    editing.deleteBackward()
    #expect(shown(editing) == "a|word ")
    editing.deleteForward(.word)
    #expect(shown(editing) == "a| ")
    editing.deleteForward()
    editing.deleteForward()
    editing.deleteBackward()
    editing.deleteBackward()
    #expect(shown(editing) == "|")
    while editing.undo() {}
    #expect(editing.storage.text == "a👨‍👩‍👧e\u{301}\r\nword next")
  }

  @Test(
    "Backspace takes the last sign of a letter where writers put letters together from signs, else the whole letter",
    arguments: [
      // Thai, Devanagari, Tamil, Hebrew, Arabic, Lao, Persian with a sign that joins nothing
      ("กี่", "กี"), ("น้ำ", "น้"), ("क्षि", "क्ष"), ("கொ", "க"), ("\u{5E9}\u{5C1}\u{5B8}", "\u{5E9}\u{5C1}"),
      ("بّ", "ب"), ("ກີ່", "ກີ"), ("ی\u{200C}", "ی"),
      // Latin, Greek, Cyrillic, kana, Hangul
      ("e\u{301}\u{323}", ""), ("α\u{301}", ""), ("и\u{306}", ""), ("か\u{3099}", ""), ("\u{1112}\u{1161}\u{11AB}", ""),
      // Flags, families, keycaps, an ideograph's variant, a line ending
      ("🇩🇪", ""), ("👩‍👩‍👧", ""), ("1\u{FE0F}\u{20E3}", ""), ("\u{845B}\u{E0100}", ""), ("\r\n", ""),
      // One sign alone
      ("ก", ""), ("ש", ""),
    ])
  func backspace(_ letter: String, _ rest: String) {
    var editing = TextEditing("x" + letter + "y")
    editing.moveCaret(to: 1 + letter.utf8.count)
    editing.deleteBackward()
    #expect(editing.storage.text.unicodeScalars.elementsEqual(("x" + rest + "y").unicodeScalars))
    #expect(editing.selection == TextSelection(caret: 1 + rest.utf8.count))
    // A run is one step; Delete and a selection take the whole letter.
    while editing.selection.head > 1 { editing.deleteBackward() }
    #expect(editing.storage.text == "xy")
    #expect(editing.undo() && !editing.canUndo)
    #expect(editing.storage.text.utf8.elementsEqual(("x" + letter + "y").utf8))
    editing.moveCaret(to: 1)
    editing.deleteForward()
    #expect(editing.storage.text == "xy")
  }

  @Test("A run of typing is one step; a move, a line's end and another kind of edit begin the next")
  func grouping() {
    var editing = TextEditing()
    for letter in "one" { editing.insert(String(letter)) }
    editing.insert("\n")
    for letter in "two" { editing.insert(String(letter)) }
    editing.move(.character, forward: false)
    editing.insert("x")
    editing.deleteBackward()
    editing.deleteBackward()
    editing.insert("paste", as: .other)
    editing.insert("d")
    var states = [editing.storage.text]
    while editing.undo() { states.append(editing.storage.text) }
    #expect(
      states == ["one\ntpastedo", "one\ntpasteo", "one\nto", "one\ntwxo", "one\ntwo", "one\n", ""])
    var again: [String] = []
    while editing.redo() { again.append(editing.storage.text) }
    #expect(again == Array(states.reversed().dropFirst()))
    editing.undo()
    editing.insert("!")
    #expect(!editing.canRedo)
  }

  @Test("Left and right leave a selection at its end; Shift keeps where it was begun")
  func selecting() {
    var editing = TextEditing("abcdef")
    editing.select(TextSelection(anchor: 4, head: 2))
    editing.move(.character, forward: true)
    #expect(editing.selection == TextSelection(caret: 4))
    editing.select(TextSelection(anchor: 4, head: 2))
    editing.move(.character, forward: false)
    #expect(editing.selection == TextSelection(caret: 2))
    editing.move(.document, forward: true, extending: true)
    editing.move(.character, forward: false, extending: true)
    #expect(editing.selection == TextSelection(anchor: 2, head: 5))
    editing.selectAll()
    #expect(editing.selectedText == "abcdef")
    editing.move(.paragraph, forward: false)
    #expect(editing.selection == TextSelection(caret: 0))
  }

  @Test("Right to left text is gone through in reading order")
  func rightToLeft() {
    var editing = TextEditing("אבג")
    editing.move(.character, forward: true)
    #expect(shown(editing) == "א|בג")
    editing.insert("ד")
    #expect(shown(editing) == "אד|בג")
    editing.move(.word, forward: true)
    editing.deleteBackward()
    #expect(shown(editing) == "אדב|")
  }

  @Test("A mark that joins with what is before the caret leaves the caret after both")
  func combining() {
    var editing = TextEditing("ab\u{308}c")
    editing.moveCaret(to: 1)
    editing.insert("e")
    editing.insert("\u{301}")
    #expect(editing.selection.head == 4 && editing.storage.characterCount == 4)
    editing.deleteBackward()
    editing.select(TextSelection(anchor: 1, head: 2))
    // Within the cluster: its beginning.
    #expect(editing.selection == TextSelection(caret: 1))
    editing.replace(1..<4, with: "\u{308}")
    #expect(editing.storage.text == "a\u{308}c" && editing.selection.head == 3)
  }

  @Test("What is remembered has a limit, and its oldest half goes")
  func limit() {
    var history = UndoHistory()
    history.limit = 10_000
    for index in 0..<1000 {
      history.record(
        .init(offset: index, removed: "", inserted: "x"), .other, before: .init(caret: index),
        after: .init(caret: index + 1))
    }
    var steps = 0
    while let step = history.undo() {
      #expect(step.edit.offset == 999 - steps)
      steps += 1
    }
    #expect((40...100).contains(steps))
  }
}
