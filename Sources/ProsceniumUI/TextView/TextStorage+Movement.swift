/// The movements of a caret through text in reading order, for either direction of writing.
///
/// Offsets never lie within a grapheme cluster; a line ending is one.
extension TextStorage {
  /// The end of the cluster that begins at an offset or contains it.
  func characterEnd(after offset: Int) -> Int {
    let place = location(of: offset)
    let paragraph = paragraphs[place.paragraph]
    guard place.offset < paragraph.length else { return length }
    return place.start + paragraph.offset(paragraph.text.index(after: paragraph.index(place.offset)))
  }

  /// The start of the cluster before an offset, or of the one that contains it.
  func characterStart(before offset: Int) -> Int {
    var place = location(of: offset)
    if place.offset == 0 {
      guard place.paragraph > 0 else { return 0 }
      place = location(of: place.start - 1)
      place.offset = paragraphs[place.paragraph].length
    }
    let paragraph = paragraphs[place.paragraph]
    let within = rounded(place.start + place.offset)
    if within < place.start + place.offset { return within }
    return place.start + paragraph.offset(paragraph.text.index(before: paragraph.index(place.offset)))
  }

  /// The offset, or the start of the cluster that contains it.
  func rounded(_ offset: Int) -> Int {
    let place = location(of: offset)
    let paragraph = paragraphs[place.paragraph]
    guard place.offset > 0, place.offset < paragraph.length else { return place.start + place.offset }
    // From within a cluster String.index(after:) goes on from the start of the cluster.
    let end = paragraph.text.index(after: paragraph.index(place.offset))
    return place.start + paragraph.offset(paragraph.text.index(before: end))
  }

  /// The offset, or the end of the cluster that contains it.
  func roundedUp(_ offset: Int) -> Int {
    let start = rounded(offset)
    return start < min(max(0, offset), length) ? characterEnd(after: start) : start
  }

  /// The end of the word at or after an offset.
  func wordEnd(after offset: Int) -> Int {
    var place = offset
    while let character = character(at: place), !isWord(character, at: place) { place = characterEnd(after: place) }
    while let character = character(at: place), isWord(character, at: place) { place = characterEnd(after: place) }
    return place
  }

  /// The start of the word at or before an offset.
  func wordStart(before offset: Int) -> Int {
    var place = offset
    while let previous = previousPlace(place), !isWord(at: previous) { place = previous }
    while let previous = previousPlace(place), isWord(at: previous) { place = previous }
    return place
  }

  /// The range that a double click selects: the word, the blanks or the single symbol at an offset.
  func wordRange(at offset: Int) -> Range<Int> {
    let content = contentRange(at: offset)
    var place = rounded(min(max(offset, content.lowerBound), content.upperBound))
    if place == content.upperBound, place > content.lowerBound { place = characterStart(before: place) }
    guard place < content.upperBound, let character = character(at: place) else { return place..<place }
    let kind = isWord(character, at: place) ? 0 : character.isWhitespace ? 1 : 2
    if kind == 2 { return place..<characterEnd(after: place) }
    func fits(_ place: Int) -> Bool {
      guard let character = self.character(at: place) else { return false }
      return kind == 0 ? isWord(character, at: place) : character.isWhitespace
    }
    var lower = place
    while lower > content.lowerBound, case let previous = characterStart(before: lower), fits(previous) {
      lower = previous
    }
    var upper = place
    while upper < content.upperBound, fits(upper) { upper = characterEnd(after: upper) }
    return lower..<upper
  }

  /// The paragraph of an offset without its line ending.
  func contentRange(at offset: Int) -> Range<Int> {
    let place = location(of: offset)
    var (first, last) = (place.paragraph, place.paragraph)
    var (lower, upper) = (place.start, place.start + paragraphs[last].contentLength)
    while first > 0, !paragraphs[first - 1].isEnded {
      first -= 1
      lower -= paragraphs[first].length
    }
    while last < paragraphs.count - 1, !paragraphs[last].isEnded {
      last += 1
      upper += paragraphs[last].contentLength
    }
    return lower..<upper
  }

  // MARK: Counting characters

  /// The number of clusters before an offset; a cluster that contains it does not count.
  func characterOffset(of offset: Int) -> Int {
    let place = location(of: offset)
    let paragraph = paragraphs[place.paragraph]
    let before = paragraphs[..<place.paragraph].reduce(0) { $0 + $1.characterCount }
    if paragraph.isOneByteEach { return before + min(place.offset, paragraph.contentLength) }
    let end = paragraph.index(rounded(offset) - place.start)
    return before + paragraph.text.distance(from: paragraph.text.startIndex, to: end)
  }

  /// The numbers of the clusters in a range of offsets.
  func characters(of range: Range<Int>) -> Range<Int> {
    let lower = characterOffset(of: range.lowerBound)
    return lower..<(range.isEmpty ? lower : characterOffset(of: range.upperBound))
  }

  /// The offset of the cluster with a number; the end of the text after the last one.
  func offset(ofCharacter number: Int) -> Int {
    var rest = max(0, number)
    var start = 0
    for paragraph in paragraphs {
      if rest < paragraph.characterCount {
        if paragraph.isOneByteEach { return start + rest }
        return start + paragraph.offset(paragraph.text.index(paragraph.text.startIndex, offsetBy: rest))
      }
      rest -= paragraph.characterCount
      start += paragraph.length
    }
    return length
  }

  // MARK: Words

  /// The cluster that begins at an offset; nil at the end of the text.
  func character(at offset: Int) -> Character? {
    let place = location(of: offset)
    let paragraph = paragraphs[place.paragraph]
    return place.offset < paragraph.length ? paragraph.text[paragraph.index(place.offset)] : nil
  }

  private func previousPlace(_ place: Int) -> Int? { place > 0 ? characterStart(before: place) : nil }

  private func isWord(at place: Int) -> Bool { character(at: place).map { isWord($0, at: place) } ?? false }

  /// Words are letters and digits, and apostrophes between two of them.
  private func isWord(_ character: Character, at place: Int) -> Bool {
    if character.isPartOfWord { return true }
    guard character == "'" || character == "\u{2019}", place > 0 else { return false }
    let before = self.character(at: characterStart(before: place))
    let after = self.character(at: characterEnd(after: place))
    return before?.isLetter == true && after?.isLetter == true
  }
}

extension TextStorage.Paragraph {
  /// Whether offsets equal numbers of characters up to the line ending.
  fileprivate var isOneByteEach: Bool { characterCount == contentLength + (isEnded ? 1 : 0) }
}

extension Character {
  fileprivate var isPartOfWord: Bool {
    guard let first = unicodeScalars.first else { return false }
    let properties = first.properties
    if properties.isAlphabetic || properties.numericType != nil || first == "_" { return true }
    // A combining mark without a base.
    return properties.generalCategory == .nonspacingMark || properties.generalCategory == .spacingMark
  }
}
