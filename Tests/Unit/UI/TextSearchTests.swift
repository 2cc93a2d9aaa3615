import Testing

@testable import Notes

/// Where Notes finds words.
@Suite("Finding words in a note") struct TextSearchTests {
  @Test(
    "The nearest place is found, behind the selection or before it, and round the end",
    arguments: [
      ("one two one", "one", 0..<0, 0..<3, 8..<11), ("one two one", "one", 0..<3, 8..<11, 8..<11),
      ("one two one", "one", 8..<11, 0..<3, 0..<3), ("one two one", "two", 5..<5, 4..<7, 4..<7),
    ])
  func places(text: String, words: String, from: Range<Int>, next: Range<Int>, previous: Range<Int>) {
    #expect(TextSearch.range(of: words, in: text, from: from) == next)
    #expect(TextSearch.range(of: words, in: text, from: from, backwards: true) == previous)
  }

  @Test(
    "Capitals make no difference, and places are counted in characters",
    arguments: [
      ("ÄRGER", "ärger", 0..<5), ("👩‍👩‍👧 Grüße", "GRÜSSE", nil), ("👩‍👩‍👧 Grüße", "grüß", 2..<6), ("a\r\nb", "B", 2..<3),
      ("e\u{301}te", "\u{E9}T", 0..<2), ("a.b", ".", 1..<2), ("abc", "", nil), ("", "a", nil), ("ab", "abc", nil),
    ] as [(String, String, Range<Int>?)])
  func characters(text: String, words: String, place: Range<Int>?) {
    #expect(TextSearch.range(of: words, in: text, from: 0..<0) == place)
  }
}
