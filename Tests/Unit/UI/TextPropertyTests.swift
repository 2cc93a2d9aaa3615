import TestSupport
import Testing

@testable import ProsceniumUI

/// Random edits beside a plain text that is changed in the same way.
@Suite("Text at random") struct TextPropertyTests {
  private static let pieces = [
    "a", "word", " ", "\n", "\r", "\r\n", "e\u{301}", "\u{301}", "👨‍👩‍👧", "\u{200D}", "👍🏽", "\u{1F3FD}", "🇩🇪", "🇩", "שלום",
    "क्ष", "한",
    "\u{1112}\u{1161}\u{11AB}", "\u{2029}", "line\nline\r\nline", "", ",", "'",
  ]

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test(
    "20,000 edits leave what a plain text has, and undoing all of them leaves the beginning",
    arguments: testSeeds(2, from: 1, test: "edits"))
  func edits(seed: UInt64) throws {
    var numbers = SeededNumbers(seed)
    let beginning = "The beginning\r\n"
    var editing = TextEditing(beginning)
    var plain = bytes(beginning)
    for step in 0..<20_000 {
      let before = editing.selection
      let size = editing.storage.length
      func replaced(by text: String) { plain.replaceSubrange(before.range, with: text.utf8) }
      switch Int.random(in: 0..<12, using: &numbers) {
      case 0...3:
        let text = Self.pieces.randomElement(using: &numbers) ?? ""
        replaced(by: text)
        editing.insert(text, as: UndoHistory.Kind.allCases.randomElement(using: &numbers) ?? .other)
      case 4, 5:
        let unit = TextEditing.Unit.allCases.dropLast(2).randomElement(using: &numbers) ?? .character
        let (range, rest) = editing.deletion(unit, forward: false)
        plain.replaceSubrange(range, with: rest.utf8)
        editing.deleteBackward(unit)
      case 6:
        let end = editing.storage.characterEnd(after: before.head)
        if before.isEmpty { plain.removeSubrange(before.head..<end) } else { replaced(by: "") }
        editing.deleteForward()
      case 7, 8:
        editing.move(
          TextEditing.Unit.allCases.randomElement(using: &numbers) ?? .character,
          forward: .random(using: &numbers), extending: .random(using: &numbers))
      case 9: editing.moveCaret(to: Int.random(in: -3...size + 3, using: &numbers))
      case 10:
        let ends = (Int.random(in: 0...size, using: &numbers), Int.random(in: 0...min(size, 20), using: &numbers))
        editing.select(TextSelection(anchor: ends.0, head: ends.0 - ends.1))
      default:
        // There and back, if there is a way.
        let text = editing.storage
        if editing.undo() {
          editing.redo()
          try #require(editing.storage == text, "step \(step)")
        }
      }
      // Long texts make everything slow and nothing clearer.
      if editing.storage.length > 400 {
        let end = editing.storage.rounded(300)
        plain.removeSubrange(0..<end)
        editing.replace(0..<end, with: "")
      }
      let text = String(decoding: plain, as: UTF8.self)
      try #require(bytes(editing.storage.text) == plain, "step \(step)")
      try #require(editing.storage == TextStorage(text), "step \(step)")
      let range = editing.selection.range
      try #require(range.lowerBound >= 0 && range.upperBound <= plain.count, "step \(step)")
      let (anchor, head) = (editing.selection.anchor, editing.selection.head)
      try #require(editing.storage.rounded(anchor) == anchor && editing.storage.rounded(head) == head, "step \(step)")
      if step % 50 == 0 {
        try #require(editing.storage.characterCount == text.count)
        let number = editing.storage.characterOffset(of: head)
        try #require(editing.storage.offset(ofCharacter: number) == head)
      }
    }
    let end = bytes(editing.storage.text)
    var steps = 0
    while editing.undo() { steps += 1 }
    #expect(editing.storage.text == beginning && steps > 3000)
    while editing.redo() {}
    #expect(bytes(editing.storage.text) == end)
  }

  @Test(
    "The changes that are told make the old paragraphs the new ones, also where long ones are cut",
    arguments: [(1, 3000), (300, 600)])
  func changes(repetitions: Int, steps: Int) throws {
    var numbers = SeededNumbers(testSeed(7))
    var storage = TextStorage(
      "a\nb\r\nc\rd" + String(repeating: "e\u{301} 👨‍👩‍👧 and so on, without an end; ", count: repetitions))
    for step in 0..<steps {
      let old = storage
      let lower = storage.rounded(.random(in: 0...storage.length, using: &numbers))
      let upper = storage.roundedUp(min(storage.length, lower + .random(in: 0...5, using: &numbers)))
      let change = storage.replace(lower..<upper, with: Self.pieces.randomElement(using: &numbers) ?? "")
      var paragraphs = old.paragraphs
      let lowerBound = change.replaced.lowerBound
      paragraphs.replaceSubrange(change.replaced, with: storage.paragraphs[lowerBound..<lowerBound + change.count])
      try #require(paragraphs == storage.paragraphs)
      if step % 20 == 0 {
        let text = storage.text
        try #require(storage == TextStorage(text) && storage.characterCount == text.count, "step \(step)")
      }
    }
  }

  @Test("A key in a megabyte costs little")
  func size() {
    let line = "A line of words, as long as lines are in a note that goes on\n"
    var editing = TextEditing(String(repeating: line, count: 17_000))
    #expect(editing.storage.length > 1_000_000)
    editing.moveCaret(to: editing.storage.length)
    let atEnd = processorTime { for _ in 0..<100 { editing.insert("x") } }
    editing.moveCaret(to: 500_000)
    let within = processorTime { for _ in 0..<20 { editing.insert("x") } }
    // Far above what it takes without optimisation, far below what the whole text would.
    #expect(atEnd < .milliseconds(500), "100 keys took \(atEnd)")
    #expect(within < .milliseconds(2000), "20 keys took \(within)")
  }
}
