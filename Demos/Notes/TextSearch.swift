/// Finds words in a text, in capitals or not.
enum TextSearch {
  /// Finds the nearest place, at the end of the text from its other end on.
  /// - Parameters:
  ///   - words: What is looked for.
  ///   - text: The text.
  ///   - selection: Where the search begins: behind it, or before it. In numbers of characters, as all places.
  ///   - backwards: Whether the nearest place before it is wanted.
  /// - Returns: The place; nil for none.
  static func range(
    of words: String, in text: String, from selection: Range<Int>, backwards: Bool = false
  ) -> Range<Int>? {
    let ranges = folded(text).ranges(of: folded(words)).filter { !$0.isEmpty }
    return backwards
      ? ranges.last { $0.upperBound <= selection.lowerBound } ?? ranges.last
      : ranges.first { $0.lowerBound >= selection.upperBound } ?? ranges.first
  }

  /// The characters, without a difference of upper and lower case.
  private static func folded(_ text: String) -> [String] { text.map { $0.lowercased() } }
}
