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
    var place = TextWalk(rounded(offset), in: self)
    while place.script == nil, let next = place.next { place = next }
    let script = place.script
    while script != nil, place.script == script, let next = place.next { place = next }
    return place.offset
  }

  /// The start of the word at or before an offset.
  func wordStart(before offset: Int) -> Int {
    var place = TextWalk(roundedUp(offset), in: self)
    while let previous = place.previous, previous.script == nil { place = previous }
    let script = place.previous?.script
    while let previous = place.previous, previous.script == script { place = previous }
    return place.offset
  }

  /// The range that a double click selects: the word, the blanks or the single symbol at an offset.
  func wordRange(at offset: Int) -> Range<Int> {
    let content = contentRange(at: offset)
    var place = TextWalk(rounded(min(max(offset, content.lowerBound), content.upperBound)), in: self)
    if place.offset == content.upperBound, place.offset > content.lowerBound { place = place.previous ?? place }
    guard place.offset < content.upperBound, let character = place.character, let end = place.next else {
      return place.offset..<place.offset
    }
    let script = place.script
    if script == nil, !character.isWhitespace { return place.offset..<end.offset }
    func fits(_ place: TextWalk) -> Bool {
      place.script == script && (script != nil || place.character?.isWhitespace == true)
    }
    var (lower, upper) = (place, end)
    while lower.offset > content.lowerBound, let previous = lower.previous, fits(previous) { lower = previous }
    while upper.offset < content.upperBound, fits(upper), let next = upper.next { upper = next }
    return lower.offset..<upper.offset
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

  /// The offsets of the clusters with numbers in a range; those after the last one count as the end of the text.
  func offsets(ofCharacters range: Range<Int>) -> Range<Int> {
    offset(ofCharacter: range.lowerBound)..<offset(ofCharacter: range.upperBound)
  }
}

extension TextStorage.Paragraph {
  /// Whether offsets equal numbers of characters up to the line ending.
  fileprivate var isOneByteEach: Bool { characterCount == contentLength + (isEnded ? 1 : 0) }
}

extension Character {
  /// What Backspace leaves of a letter: all but its last sign in scripts whose writers put letters together from signs,
  /// such as Thai, Devanagari, Hebrew and Arabic; nothing of others, where such a letter is one to them (as Pango's
  /// `backspace_deletes_character`).
  static func rest(of letter: String) -> String {
    let scalars = letter.unicodeScalars
    guard scalars.count > 1, let base = scalars.first?.properties, let last = scalars.last,
      base.generalCategory == .otherLetter, !base.isIdeographic, !last.properties.isVariationSelector,
      !kanaAndHangul.contains(where: { $0.contains(scalars[scalars.startIndex].value) })
    else { return "" }
    return String(String.UnicodeScalarView(scalars.dropLast()))
  }
  private static let kanaAndHangul: [ClosedRange<UInt32>] = [
    0x1100...0x11FF, 0x3040...0x30FF, 0x3130...0x318F, 0x31F0...0x31FF, 0xA960...0xA97F, 0xAC00...0xD7FF,
  ]
}
