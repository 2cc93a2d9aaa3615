/// Text by paragraphs: a change costs what its own paragraphs cost, whatever the length of the whole.
///
/// Places are UTF-8 offsets into the whole text, as Pango's are into a paragraph. Paragraphs end with a line feed, a
/// carriage return or both, and keep what they end with: what was read is what is written again. A paragraph that is far
/// too long to be looked at is cut into several, of which only the last one has the line's end.
package struct TextStorage: Hashable, Sendable {
  /// A piece of the text up to the end of its line, and that with it.
  package struct Paragraph: Hashable, Sendable {
    package let text: String
    /// How many bytes there are before the line's end.
    package let contentLength: Int
    /// How many grapheme clusters there are, the line's end being one.
    package let characterCount: Int

    package var length: Int { text.utf8.count }
    /// Whether there is a line's end.
    package var isEnded: Bool { length > contentLength }
    /// Without the line's end.
    package var content: Substring { text[..<text.utf8.index(text.startIndex, offsetBy: contentLength)] }

    fileprivate init(_ text: Substring, contentLength: Int, isASCII: Bool) {
      self.text = String(text)
      self.contentLength = contentLength
      // Within a paragraph of ASCII there is nothing that joins: a carriage return ends it.
      characterCount = isASCII ? contentLength + (text.utf8.count > contentLength ? 1 : 0) : self.text.count
    }
  }

  /// Where an offset is.
  package struct Location: Hashable, Sendable {
    /// The paragraph; at the border of two the second one.
    package var paragraph: Int
    /// Where the paragraph begins.
    package var start: Int
    /// From there on.
    package var offset: Int
  }

  /// Which paragraphs a change has put in the place of which.
  package struct Change: Hashable, Sendable {
    package var replaced: Range<Int>
    package var count: Int
  }

  /// How long a paragraph gets before it is cut, in bytes.
  ///
  /// To lay one out takes longer the longer it is; without blanks, four times as long for twice as much.
  package static let mostBytes = 2048

  /// Never none; the last one, which may be empty, has no line's end, nor have pieces but for the last of them.
  package private(set) var paragraphs: [Paragraph]
  /// The length in bytes.
  package private(set) var length: Int

  package init(_ text: String = "") {
    paragraphs = Self.split(text)
    length = text.utf8.count
  }

  /// The whole text.
  package var text: String {
    var text = ""
    text.reserveCapacity(length)
    for paragraph in paragraphs { text += paragraph.text }
    return text
  }

  /// How many grapheme clusters there are.
  package var characterCount: Int { paragraphs.reduce(0) { $0 + $1.characterCount } }

  /// Where an offset is; what lies outside the text counts as its nearest end.
  package func location(of offset: Int) -> Location {
    let last = paragraphs.count - 1
    // Most is written at the end.
    let lastStart = length - paragraphs[last].length
    if offset >= lastStart {
      return Location(paragraph: last, start: lastStart, offset: min(offset, length) - lastStart)
    }
    var start = 0
    var index = 0
    while index < last, start + paragraphs[index].length <= offset {
      start += paragraphs[index].length
      index += 1
    }
    return Location(paragraph: index, start: start, offset: max(offset, 0) - start)
  }

  /// Where a paragraph begins; the text's end for those after the last.
  package func start(of paragraph: Int) -> Int {
    if paragraph >= paragraphs.count { return length }
    if paragraph == paragraphs.count - 1 { return length - paragraphs[paragraph].length }
    return paragraphs[..<max(0, paragraph)].reduce(0) { $0 + $1.length }
  }

  /// A part of the text.
  package subscript(range: Range<Int>) -> String {
    let (lower, upper) = (location(of: range.lowerBound), location(of: range.upperBound))
    let (first, last) = (paragraphs[lower.paragraph], paragraphs[upper.paragraph])
    if lower.paragraph == upper.paragraph {
      return String(first.text[first.index(lower.offset)..<first.index(upper.offset)])
    }
    var text = String(first.text[first.index(lower.offset)...])
    for paragraph in paragraphs[(lower.paragraph + 1)..<upper.paragraph] { text += paragraph.text }
    return text + last.text[..<last.index(upper.offset)]
  }

  /// Puts other text in the place of a part.
  @discardableResult
  package mutating func replace(_ range: Range<Int>, with new: String) -> Change {
    let (lower, upper) = (location(of: range.lowerBound), location(of: range.upperBound))
    let (first, last) = (paragraphs[lower.paragraph], paragraphs[upper.paragraph])
    var joined = String(first.text[..<first.index(lower.offset)])
    var replaced = lower.paragraph..<upper.paragraph + 1
    if lower.offset == 0, lower.paragraph > 0, paragraphs[lower.paragraph - 1].text.utf8.last == 0x0D {
      // A line feed that comes now after a carriage return ends the same line.
      replaced = lower.paragraph - 1..<upper.paragraph + 1
      joined = paragraphs[lower.paragraph - 1].text
    }
    // All pieces of a paragraph are cut anew, so that how a text is cut depends on the text alone.
    while replaced.lowerBound > 0, !paragraphs[replaced.lowerBound - 1].isEnded {
      replaced = replaced.lowerBound - 1..<replaced.upperBound
      joined = paragraphs[replaced.lowerBound].text + joined
    }
    joined += new
    joined += last.text[last.index(upper.offset)...]
    while replaced.upperBound < paragraphs.count, !paragraphs[replaced.upperBound - 1].isEnded {
      joined += paragraphs[replaced.upperBound].text
      replaced = replaced.lowerBound..<replaced.upperBound + 1
    }
    var pieces = Self.split(joined)[...]
    // After a line's end there is a paragraph already.
    if replaced.upperBound < paragraphs.count { pieces.removeLast() }
    length += joined.utf8.count - paragraphs[replaced].reduce(0) { $0 + $1.length }
    // Pieces that stay as they were have not changed.
    while replaced.count > 1, pieces.count > 1, pieces.first == paragraphs[replaced.lowerBound] {
      pieces.removeFirst()
      replaced = replaced.lowerBound + 1..<replaced.upperBound
    }
    while replaced.count > 1, pieces.count > 1, pieces.last == paragraphs[replaced.upperBound - 1] {
      pieces.removeLast()
      replaced = replaced.lowerBound..<replaced.upperBound - 1
    }
    paragraphs.replaceSubrange(replaced, with: pieces)
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
        // Between two clusters, and after a blank if there is one near.
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
  /// The place of an offset; one within a scalar counts as the scalar's beginning where text is cut.
  func index(_ offset: Int) -> String.Index { text.utf8.index(text.startIndex, offsetBy: min(max(0, offset), length)) }
  func offset(_ index: String.Index) -> Int { text.utf8.distance(from: text.startIndex, to: index) }
}
