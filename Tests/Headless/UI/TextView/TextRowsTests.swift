import ProsceniumCore
import ProsceniumTesting
import TestSupport
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// A long paragraph is laid out in pieces, which cannot be seen.
  @MainActor @Suite("Rows of a long paragraph") struct TextRowsTests {
    private static let font = Font(size: 13)

    /// Words of every length, the same in every run.
    private static func text(_ letters: [String], blanks: Bool, bytes: Int, seed: UInt64 = 1) -> String {
      var numbers = SeededNumbers(seed)
      var text = ""
      while text.utf8.count < bytes {
        for _ in 0..<Int.random(in: 1...9, using: &numbers) { text += letters.randomElement(using: &numbers) ?? "" }
        if blanks { text += " " }
      }
      return text
    }

    nonisolated private static let latin = ["a", "b", "i", "m", "n", "o", "w", "W", "l", "-", "é"]
    nonisolated private static let hebrew = ["א", "ב", "ג", "ש", "ם", "ו", "ל"]
    nonisolated private static let arabic = ["س", "ل", "ا", "م", "ع", "ي", "ه"]
    nonisolated private static let marked = ["e\u{301}", "o\u{308}\u{301}", "a\u{323}\u{302}\u{301}", "i", "g\u{330}"]

    private func lines(_ storage: TextStorage, width: Int) -> TextLines {
      #expect(TestFonts.isSet)
      let lines = TextLines()
      lines.reset(storage, width: width, font: Self.font)
      return lines
    }

    /// Where the rows of some paragraphs begin in the text.
    private func starts(_ lines: TextLines, _ storage: TextStorage, _ paragraphs: Range<Int>) -> [Int] {
      paragraphs.flatMap { index in
        let rows = lines.rows(index, storage)
        let start = lines.start(of: index, storage)
        return (0..<rows.count).map { start + rows.layout.lineRange($0).lowerBound }
      }
    }

    @Test(
      "50 KB have the rows that one layout of the whole has",
      arguments: [
        (latin, true, 300), (latin, false, 900), (hebrew, true, 300), (hebrew, false, 900), (arabic, true, 300),
        (marked, true, 300), (marked, false, 900), (latin + hebrew, true, 500), (["漢", "字"], false, 300),
      ])
    func whole(_ letters: [String], _ blanks: Bool, _ width: Int) throws {
      let text = Self.text(letters, blanks: blanks, bytes: 50_000)
      let storage = TextStorage(text)
      let lines = lines(storage, width: width)
      let whole = TextLayout(text, font: Self.font)
      whole.width = width
      let count = storage.paragraphs.count
      #expect(count > 20)
      let (found, wanted) = (
        starts(lines, storage, 0..<count), (0..<whole.lineCount).map { whole.lineRange($0).lowerBound }
      )
      let different = zip(found, wanted).first { $0 != $1 }
      #expect(
        found.count == wanted.count && different == nil,
        "\(found.count) of \(wanted.count) rows; \(different ?? (0, 0))")
      #expect(lines.totalHeight == whole.size.height)
      // Every offset is in the piece whose rows show it.
      for offset in stride(from: 0, to: text.utf8.count, by: 97) {
        let place = lines.location(of: offset, storage)
        #expect(place.start + place.offset == offset)
        #expect(place.start == lines.start(of: place.paragraph, storage))
        #expect((0..<lines.rows(place.paragraph, storage).length).contains(place.offset))
      }
    }

    @Test("A paragraph has one direction, whichever of its pieces says which")
    func direction() {
      let storage = TextStorage(
        String(repeating: "1 ", count: 2000) + "שלום " + Self.text(Self.latin, blanks: true, bytes: 9000))
      let lines = lines(storage, width: 300)
      for index in storage.paragraphs.indices {
        // The first character of each row is at its right edge.
        let layout = lines.rows(index, storage).layout
        if storage.paragraphs[index].text.first != "1" { continue }
        #expect(layout.caret(at: 0).origin.x > 250, "piece \(index)")
      }
      #expect(TextDirection(of: "1, 2 שa") == .rightToLeft && TextDirection(of: "1a ש") == .leftToRight)
      #expect(TextDirection(of: "1 + 2") == nil && TextDirection(of: "\u{200F}a") == .rightToLeft)
    }

    @Test(
      "After edits anywhere the rows are those of the new text, and few are laid out for each",
      arguments: [true, false])
    func edits(blanks: Bool) throws {
      var numbers = SeededNumbers(testSeed(3))
      var storage = TextStorage(Self.text(Self.latin, blanks: blanks, bytes: 12_000))
      let lines = lines(storage, width: 600)
      for step in 0..<60 {
        let lower = storage.rounded(.random(in: 0...storage.length, using: &numbers))
        let upper = storage.roundedUp(min(storage.length, lower + .random(in: 0...9, using: &numbers)))
        let new = ["x", "", "some words ", "\n", "ש", "y\nz"].randomElement(using: &numbers) ?? ""
        lines.apply(storage.replace(lower..<upper, with: new), storage)
        // Rows are looked up here and there.
        for _ in 0..<3 { _ = lines.rows(.random(in: 0..<lines.count, using: &numbers), storage) }
        guard step % 4 == 0 else { continue }
        let all = 0..<storage.paragraphs.count
        let fresh = self.lines(storage, width: 600)
        try #require(starts(lines, storage, all) == starts(fresh, storage, all), "step \(step)")
        try #require(lines.totalHeight == fresh.totalHeight, "step \(step)")
      }
      _ = starts(lines, storage, 0..<storage.paragraphs.count)
      let before = lines.layoutCount
      lines.apply(storage.replace(storage.length..<storage.length, with: "x"), storage)
      _ = starts(lines, storage, 0..<storage.paragraphs.count)
      #expect(lines.layoutCount - before <= 2)
    }

    @Test("Far away in a megabyte a few pieces are laid out, and the rows are the right ones all the same")
    func far() throws {
      let storage = TextStorage(Self.text(Self.latin, blanks: true, bytes: 200_000))
      let last = storage.paragraphs.count - 1
      let (near, far) = (lines(storage, width: 500), lines(storage, width: 500))
      let found = starts(far, storage, last - 1..<last + 1)
      #expect(far.layoutCount < 20)
      #expect(found == Array(starts(near, storage, 0..<last + 1).suffix(found.count)))
      // From there upwards and down again no row is short.
      for index in (0...last).reversed() { _ = far.rows(index, storage) }
      #expect(starts(far, storage, 0..<last + 1) == starts(near, storage, 0..<last + 1))
    }

    @Test("A row without an end is cut once it is too long to be handed on")
    func endless() throws {
      // No width at all.
      let storage = TextStorage(String(repeating: "\u{200B}", count: 60_000))
      let lines = lines(storage, width: 300)
      var shown = 0
      for index in storage.paragraphs.indices { shown += lines.rows(index, storage).length }
      #expect(shown == storage.length && lines.totalHeight < 12 * lines.lineHeight)
    }

    /// What a text view with a text is to look like: one layout, drawn as a whole.
    private final class Plain: View {
      let layout: TextLayout
      var offset = 0
      init(_ layout: TextLayout) {
        self.layout = layout
        super.init()
      }
      override func draw(_ rect: Rect, in context: DrawingContext) {
        context.fill(bounds, with: theme.contentBackground)
        context.clip(to: Rect(x: 0, y: 6, width: bounds.size.width, height: bounds.size.height - 12))
        context.draw(layout, at: Point(x: 8, y: 6 - offset), color: theme.label)
      }
    }

    @Test("A view shows what one layout would, and its caret goes from row to row", arguments: [true, false])
    func view(blanks: Bool) throws {
      // Given a text of several pieces
      let text = Self.text(Self.latin, blanks: blanks, bytes: 7000)
      let stage = try TextStage(text, font: Self.font)
      stage.view.isEditable = false
      let layout = TextLayout(text, font: Self.font)
      layout.width = 320 - 16
      let plain = Plain(layout)
      stage.stage.settle()
      // When it is scrolled down by less than its height, and all of it can be looked at
      var pictures: [[UInt32]] = []
      for offset in stride(from: 0, to: layout.size.height - 240, by: 200) {
        stage.view.scrollOffset = offset
        stage.stage.settle()
        pictures.append(try stage.stage.surface().pixels)
      }
      stage.view.isEditable = true
      // And the caret goes down by rows
      stage.press(Symbol.home, with: .control)
      var carets: [Int] = []
      for _ in 0..<layout.lineCount {
        carets.append(stage.view.caretOffset)
        stage.press(Symbol.down)
      }
      // Then it shows the rows of the whole, and the caret stands where they begin
      let characters = Array(text)
      let starts = (0..<layout.lineCount).map { row in
        String(decoding: Array(text.utf8)[..<layout.lineRange(row).lowerBound], as: UTF8.self).count
      }
      #expect(carets == starts && characters.count > 4000)
      #expect(pictures.count > 5 && Set(pictures).count == pictures.count)
      stage.stage.window.rootView = plain
      for (index, picture) in pictures.enumerated() {
        plain.offset = index * 200
        plain.setNeedsDisplay()
        stage.stage.settle()
        let wanted = try stage.stage.surface().pixels
        // But for the scroll bar.
        var different = 0
        for y in 0..<240 { for x in 0..<310 where picture[320 * y + x] != wanted[320 * y + x] { different += 1 } }
        #expect(different == 0, "picture \(index)")
      }
    }
  }
}
