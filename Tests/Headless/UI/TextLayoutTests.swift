import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

extension UISuites {
  /// Places in a text: what carets and selections are made of.
  @MainActor @Suite("Text layout") struct TextLayoutTests {
    private func layout(_ text: String, width: Int? = nil) -> TextLayout {
      #expect(TestFonts.isSet)
      let layout = TextLayout(text, font: Font(size: 16))
      layout.width = width
      return layout
    }

    @Test("A text has a size, and more lines where it is narrower")
    func size() {
      let wide = layout("one two three four")
      #expect(wide.size.width > 60 && wide.size.height > 12 && wide.lineCount == 1)
      let narrow = layout("one two three four", width: 60)
      #expect(narrow.lineCount > 1 && narrow.size.width <= 60 && narrow.size.height > wide.size.height)
      narrow.maximumLines = 1
      #expect(narrow.lineCount == 1 && narrow.isTruncated)
    }

    @Test("A click on a character gives its caret, and the caret its place")
    func carets() {
      let text = layout("abc e\u{301}x 😀!")
      var place = 0
      var last = -1
      for character in text.text {
        let caret = text.caret(at: place)
        #expect(caret.origin.x > last && caret.size.height > 10)
        #expect(text.caretOffset(at: Point(x: caret.origin.x + 1, y: 5)) == place)
        last = caret.origin.x
        place += character.utf8.count
      }
      #expect(text.caretOffset(at: Point(x: 10_000, y: 5)) == place)
      #expect(text.caretOffset(at: Point(x: Int.min, y: Int.max)) >= 0)
      // Within a character, and out of range: no harm.
      for wrong in [-5, 6, 11, 10_000, Int.max, Int.min] { _ = (text.caret(at: wrong), text.line(at: wrong)) }
    }

    @Test("Lines have ranges and places")
    func lines() {
      let text = layout("first\nsecond line\n")
      #expect(text.lineCount == 3)
      #expect(text.lineRange(0) == 0..<5 && text.lineRange(1) == 6..<17 && text.lineRange(2) == 18..<18)
      #expect(text.lineRange(7).isEmpty && text.line(at: 8) == 1 && text.line(at: 18) == 2)
      #expect(text.lineRect(1).origin.y >= text.lineRect(0).size.height - 1)
      #expect(text.caret(at: 18).origin.y == text.lineRect(2).origin.y)
    }

    @Test("The arrow to the right goes to the right, in every direction of the text")
    func visual() {
      let text = layout("ab שלום cd")
      var place = 0
      var places = [text.caret(at: 0).origin.x]
      for _ in 0..<text.text.count {
        place = text.moveVisually(from: place, by: 1)
        places.append(text.caret(at: place).origin.x)
      }
      #expect(place == text.text.utf8.count && places.count == text.text.count + 1)
      #expect(places.first == 0 && places.last == places.max())
      #expect(text.moveVisually(from: 0, by: -1) == 0)
      #expect(text.moveVisually(from: 0, by: 1_000_000) == text.text.utf8.count)
    }

    @Test("A selection over two directions has several rectangles; a NUL does not end a text")
    func selection() {
      let text = layout("ab שלום cd")
      #expect(text.selectionRects(from: 0, to: 2).count == 1)
      #expect(text.selectionRects(from: 0, to: 5).count >= 2)
      #expect(text.selectionRects(from: 5, to: 5).isEmpty)
      let two = layout("one\ntwo")
      #expect(two.selectionRects(from: 1, to: 6).count == 2)
      let nul = layout("a\0b")
      #expect(nul.size.width > layout("a").size.width && nul.caret(at: 3).origin.x > nul.caret(at: 2).origin.x)
    }

    @Test("A word that is broken shows nothing that it does not have", arguments: [TextWrapping.word, .character])
    func hyphens(_ wrapping: TextWrapping) {
      let text = layout(String(repeating: "incomprehensibilities", count: 8), width: 100)
      text.wrapping = wrapping
      #expect(text.lineCount > 8)
      for line in 0..<text.lineCount {
        let range = text.lineRange(line)
        let bytes = Array(text.text.utf8)[range]
        // By itself the row is as wide: there is no hyphen at its end.
        let alone = layout(String(decoding: bytes, as: UTF8.self))
        #expect(abs(text.lineRect(line).size.width - alone.size.width) <= 1, "row \(line)")
      }
    }
  }
}
