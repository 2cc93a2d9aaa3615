/// Text stored by paragraphs: the cost of a change depends on its paragraphs, not on the length of the text.
///
/// Positions are UTF-8 offsets into the text, as Pango's are into a paragraph. Paragraphs end with a line feed, a
/// carriage return or both, and keep their line ending, so that a text is written as it was read. A very long paragraph
/// is cut into pieces, of which only the last one has the line ending.
struct TextStorage: Hashable, Sendable {
  /// A part of the text up to its line ending, which is included.
  struct Paragraph: Hashable, Sendable {
    let text: String
    /// The number of bytes before the line ending.
    let contentLength: Int
    /// The number of grapheme clusters; the line ending is one.
    let characterCount: Int

    var length: Int { text.utf8.count }
    /// Whether both have the same bytes: strings are equal in other bytes, too.
    static func == (left: Paragraph, right: Paragraph) -> Bool {
      left.length == right.length && left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Whether there is a line ending.
    var isEnded: Bool { length > contentLength }
    /// The text without the line ending.
    var content: Substring { text[..<text.utf8.index(text.startIndex, offsetBy: contentLength)] }

    fileprivate init(_ text: Substring, contentLength: Int, isASCII: Bool) {
      self.text = String(text)
      self.contentLength = contentLength
      // ASCII has no clusters of several characters within a paragraph: a carriage return ends it.
      characterCount = isASCII ? contentLength + (text.utf8.count > contentLength ? 1 : 0) : self.text.count
    }
  }

  /// The paragraph of an offset, and the offset within it.
  struct Location: Hashable, Sendable {
    /// The paragraph; between two, the second one.
    var paragraph: Int
    /// The offset of the paragraph.
    var start: Int
    /// The offset relative to the paragraph.
    var offset: Int
  }

  /// The paragraphs that a change replaced, and the new ones.
  struct Change: Hashable, Sendable {
    var replaced: Range<Int>
    var count: Int
  }

  /// The length in bytes from which a paragraph is cut.
  ///
  /// The time of a layout grows with the length; without blanks, with its square.
  static let mostBytes = 2048

  /// The paragraphs; at least one.
  ///
  /// The last one, which may be empty, and all pieces but the last have no line ending.
  private(set) var paragraphs: [Paragraph]
  /// The offsets of the paragraphs.
  private var starts: [Int]
  /// The length in bytes.
  private(set) var length: Int

  init(_ text: String = "") {
    paragraphs = Self.split(text)
    starts = Self.starts(of: paragraphs[...], from: 0)
    length = text.utf8.count
  }

  private static func starts(of paragraphs: ArraySlice<Paragraph>, from start: Int) -> [Int] {
    var next = start
    return paragraphs.map { paragraph in
      defer { next += paragraph.length }
      return next
    }
  }

  /// The whole text.
  var text: String {
    var text = ""
    text.reserveCapacity(length)
    for paragraph in paragraphs { text += paragraph.text }
    return text
  }

  /// The number of grapheme clusters.
  var characterCount: Int { paragraphs.reduce(0) { $0 + $1.characterCount } }

  /// The location of an offset; one outside the text counts as the nearest end.
  func location(of offset: Int) -> Location {
    let index = max(0, starts.partitioningIndex { $0 > offset } - 1)
    let start = starts[index]
    return Location(paragraph: index, start: start, offset: min(max(offset, 0), length) - start)
  }

  /// The offset of a paragraph; the end of the text after the last one.
  func start(of paragraph: Int) -> Int { paragraph < starts.count ? starts[max(0, paragraph)] : length }

  /// A range of the text.
  subscript(range: Range<Int>) -> String {
    let (lower, upper) = (location(of: range.lowerBound), location(of: range.upperBound))
    let (first, last) = (paragraphs[lower.paragraph], paragraphs[upper.paragraph])
    if lower.paragraph == upper.paragraph {
      return String(first.text[first.index(lower.offset)..<first.index(upper.offset)])
    }
    var text = String(first.text[first.index(lower.offset)...])
    for paragraph in paragraphs[(lower.paragraph + 1)..<upper.paragraph] { text += paragraph.text }
    return text + last.text[..<last.index(upper.offset)]
  }

  /// Replaces a range of the text.
  @discardableResult
  mutating func replace(_ range: Range<Int>, with new: String) -> Change {
    let (lower, upper) = (location(of: range.lowerBound), location(of: range.upperBound))
    let (first, last) = (paragraphs[lower.paragraph], paragraphs[upper.paragraph])
    var joined = String(first.text[..<first.index(lower.offset)])
    var replaced = lower.paragraph..<upper.paragraph + 1
    if lower.offset == 0, lower.paragraph > 0, paragraphs[lower.paragraph - 1].text.utf8.last == 0x0D {
      // A line feed right after a carriage return belongs to the same line ending.
      replaced = lower.paragraph - 1..<upper.paragraph + 1
      joined = paragraphs[lower.paragraph - 1].text
    }
    // All pieces of a paragraph are cut anew, so that the cuts depend on the text alone.
    let known = replaced.lowerBound
    while replaced.lowerBound > 0, !paragraphs[replaced.lowerBound - 1].isEnded {
      replaced = replaced.lowerBound - 1..<replaced.upperBound
    }
    if replaced.lowerBound < known {
      // Forwards: to put one piece in front of the others copies all of them.
      var pieces = ""
      for paragraph in paragraphs[replaced.lowerBound..<known] { pieces += paragraph.text }
      joined = pieces + joined
    }
    joined += new
    joined += last.text[last.index(upper.offset)...]
    while replaced.upperBound < paragraphs.count, !paragraphs[replaced.upperBound - 1].isEnded {
      joined += paragraphs[replaced.upperBound].text
      replaced = replaced.lowerBound..<replaced.upperBound + 1
    }
    var pieces = Self.split(joined)[...]
    // There is a paragraph after each line ending already.
    if replaced.upperBound < paragraphs.count { pieces.removeLast() }
    let growth = joined.utf8.count - (start(of: replaced.upperBound) - start(of: replaced.lowerBound))
    length += growth
    // Equal pieces are not part of the change.
    while replaced.count > 1, pieces.count > 1, pieces.first == paragraphs[replaced.lowerBound] {
      pieces.removeFirst()
      replaced = replaced.lowerBound + 1..<replaced.upperBound
    }
    while replaced.count > 1, pieces.count > 1, pieces.last == paragraphs[replaced.upperBound - 1] {
      pieces.removeLast()
      replaced = replaced.lowerBound..<replaced.upperBound - 1
    }
    paragraphs.replaceSubrange(replaced, with: pieces)
    starts.replaceSubrange(replaced, with: Self.starts(of: pieces, from: starts[replaced.lowerBound]))
    if growth != 0 { for index in (replaced.lowerBound + pieces.count)..<starts.count { starts[index] += growth } }
    return Change(replaced: replaced, count: pieces.count)
  }

  private static func split(_ text: String) -> [Paragraph] {
    var text = text
    text.makeContiguousUTF8()
    var paragraphs: [Paragraph] = []
    let bytes = text.utf8
    var start = bytes.startIndex
    var position = start
    var content = 0
    var isASCII = true
    var limit = mostBytes
    var space: String.Index?
    while position < bytes.endIndex {
      let byte = bytes[position]
      bytes.formIndex(after: &position)
      guard byte == 0x0A || byte == 0x0D else {
        content += 1
        if byte >= 0x80 { isASCII = false }
        if byte == 0x20 { space = position }
        guard content >= limit, position < bytes.endIndex, bytes[position] != 0x0A, bytes[position] != 0x0D else {
          continue
        }
        limit += mostBytes
        // The cut is between two clusters, after a blank if one is near.
        let isNear = space.map { bytes.distance(from: $0, to: position) < mostBytes / 8 } ?? false
        let place = isNear ? space ?? position : position
        let cut = text.index(before: text.index(after: place))
        space = nil
        guard cut > start else { continue }
        let rest = bytes.distance(from: cut, to: position)
        paragraphs.append(Paragraph(text[start..<cut], contentLength: content - rest, isASCII: isASCII))
        start = cut
        content = rest
        limit = mostBytes
        continue
      }
      if byte == 0x0D, position < bytes.endIndex, bytes[position] == 0x0A { bytes.formIndex(after: &position) }
      paragraphs.append(Paragraph(text[start..<position], contentLength: content, isASCII: isASCII))
      start = position
      content = 0
      isASCII = true
      limit = mostBytes
      space = nil
    }
    paragraphs.append(Paragraph(text[start...], contentLength: content, isASCII: isASCII))
    return paragraphs
  }
}

extension TextStorage.Paragraph {
  /// The string index of an offset; within a scalar, the start of the scalar.
  func index(_ offset: Int) -> String.Index { text.utf8.index(text.startIndex, offsetBy: min(max(0, offset), length)) }
  func offset(_ index: String.Index) -> Int { text.utf8.distance(from: text.startIndex, to: index) }
}
