import ProsceniumCore

/// The heights of all paragraphs, and the rows of those that have been laid out.
///
/// The height of a paragraph without a layout is estimated from its length. The pieces of a long paragraph are laid out
/// one after the other, because each begins with the rest of the piece before. For a piece that is far away only
/// a limited number of pieces before it are laid out, so that its rows are most probably right.
@MainActor final class TextLines {
  private struct Line {
    var rows: TextRows?
    /// The joint of the last layout, which stays known when the rows are freed; nil before the first layout.
    var joints: Joints?
    /// Whether the joint is up to date.
    var isSettled = false
  }
  /// The text that a piece shares with its neighbours.
  private struct Joints {
    /// The rest of the piece before, with which this one begins.
    var lead: String
    /// The rest that this piece leaves to the next one.
    var rest: String
    /// The direction of the paragraph; nil for a paragraph of one piece, whose letters decide.
    var direction: TextDirection?
  }

  private var lines: [Line] = []
  /// Their heights, apart: each frame adds up those above what it shows.
  private var heights: [Int] = []
  private var keptRows = 0
  /// The number of layouts made so far, by which tests measure the cost of a key.
  private(set) var layoutCount = 0
  private(set) var totalHeight = 0
  private(set) var width = 0
  private(set) var font = Font.system
  /// The number of pixels per point; after a change all rows have to be discarded.
  var displayScale = 1.0
  private(set) var lineHeight = 1
  private var characterWidth = 1.0

  var count: Int { lines.count }

  /// Discards all rows, for another text, width or font.
  func reset(_ storage: TextStorage, width: Int, font: Font) {
    (self.width, self.font) = (max(1, width), font)
    let letters = "abcdefghijklmnopqrstuvwxyz"
    let layout = TextLayout(displayScale: displayScale)
    (layout.font, layout.text) = (font, letters)
    let size = layout.size
    lineHeight = max(1, size.height)
    characterWidth = max(1, Double(size.width) / Double(letters.utf8.count))
    lines = storage.paragraphs.map { _ in Line() }
    heights = storage.paragraphs.map(estimate)
    totalHeight = heights.reduce(0, +)
    keptRows = 0
  }

  /// Applies a change of the text.
  func apply(_ change: TextStorage.Change, _ storage: TextStorage) {
    let lower = change.replaced.lowerBound
    for line in lines[change.replaced] where line.rows != nil { keptRows -= 1 }
    let new = storage.paragraphs[lower..<lower + change.count].map(estimate)
    totalHeight += new.reduce(0, +) - heights[change.replaced].reduce(0, +)
    lines.replaceSubrange(change.replaced, with: new.map { _ in Line() })
    heights.replaceSubrange(change.replaced, with: new)
    unsettle(lower + change.count, storage)
  }

  /// The rows of a paragraph; lays it out if necessary, after which its height is exact.
  func rows(_ index: Int, _ storage: TextStorage) -> TextRows {
    settle(index, storage)
    if let rows = lines[index].rows { return rows }
    return layOut(index, lead: lines[index].joints?.lead ?? "", storage)
  }

  /// The paragraph that shows an offset: ``TextStorage/location(of:)``, except where a row spans two pieces.
  func location(of offset: Int, _ storage: TextStorage) -> TextStorage.Location {
    var place = storage.location(of: offset)
    guard continues(place.paragraph, storage) || continues(place.paragraph + 1, storage) else { return place }
    var rows = rows(place.paragraph, storage)
    place.start -= rows.lead
    place.offset += rows.lead
    while place.offset >= rows.length, continues(place.paragraph + 1, storage) {
      place.paragraph += 1
      place.start += rows.length
      place.offset -= rows.length
      rows = self.rows(place.paragraph, storage)
    }
    return place
  }

  /// The offset of the first character that a paragraph shows.
  func start(of index: Int, _ storage: TextStorage) -> Int {
    storage.start(of: index) - (continues(index, storage) ? rows(index, storage).lead : 0)
  }

  // MARK: Pieces

  /// The number of pieces that are laid out before one that is far from all laid out ones; 32 KB are hundreds of rows.
  private static let run = 16

  /// Whether a paragraph continues the one before as its next piece.
  private func continues(_ index: Int, _ storage: TextStorage) -> Bool {
    index > 0 && index < lines.count && !storage.paragraphs[index - 1].isEnded
  }

  /// Makes a piece begin with the rest that the one before leaves.
  private func settle(_ index: Int, _ storage: TextStorage) {
    guard !lines[index].isSettled else { return }
    var first = index
    while index - first < Self.run, continues(first, storage), !lines[first - 1].isSettled { first -= 1 }
    for piece in first...index {
      let isAfterSettled = continues(piece, storage) && lines[piece - 1].isSettled
      let lead = isAfterSettled ? lines[piece - 1].joints?.rest ?? "" : ""
      lines[piece].isSettled = true
      let joints = lines[piece].joints
      if joints?.lead.hasBytes(of: lead) != true || joints?.direction != direction(of: piece, storage) {
        layOut(piece, lead: lead, storage)
      }
      // The next piece may have been laid out before this was known.
      if continues(piece + 1, storage), let rest = lines[piece].joints?.rest,
        lines[piece + 1].joints?.lead.hasBytes(of: rest) == false
      {
        unsettle(piece + 1, storage)
      }
    }
  }

  /// Marks the joints as outdated from a paragraph to the last of its pieces.
  private func unsettle(_ index: Int, _ storage: TextStorage) {
    guard index < lines.count else { return }
    var index = index
    repeat {
      lines[index].isSettled = false
      index += 1
    } while continues(index, storage)
  }

  @discardableResult
  private func layOut(_ index: Int, lead: String, _ storage: TextStorage) -> TextRows {
    let direction = direction(of: index, storage)
    let layout = TextLayout(direction: direction, displayScale: displayScale)
    layout.font = font
    layout.text = lead + storage.paragraphs[index].content
    layout.width = width
    layoutCount += 1
    let rows = TextRows(layout, lead: lead.utf8.count, goesOn: continues(index + 1, storage), lineHeight: lineHeight)
    if lines[index].rows == nil { keptRows += 1 }
    totalHeight += rows.height - heights[index]
    heights[index] = rows.height
    lines[index].rows = rows
    lines[index].joints = Joints(lead: lead, rest: String(rows.rest), direction: direction)
    return rows
  }

  /// The direction of a paragraph in pieces, by the first of its pieces that has one; nil for a single piece.
  private func direction(of index: Int, _ storage: TextStorage) -> TextDirection? {
    guard continues(index, storage) || continues(index + 1, storage) else { return nil }
    var first = index
    while continues(first, storage) { first -= 1 }
    var piece = first
    repeat {
      if let direction = TextDirection(of: storage.paragraphs[piece].text) { return direction }
      piece += 1
    } while continues(piece, storage) && piece - first < Self.run
    return .leftToRight
  }

  // MARK: Heights

  /// The height of a paragraph in points, laid out if necessary.
  func height(_ index: Int, _ storage: TextStorage) -> Int {
    settle(index, storage)
    return heights[index]
  }

  /// The height of a paragraph in points, exact or estimated.
  func knownHeight(_ index: Int) -> Int { heights[index] }

  /// The upper edge of a paragraph in points, exact or estimated.
  func y(of index: Int) -> Int { heights[..<min(index, heights.count)].reduce(0, +) }

  /// The paragraph at a height in points, exact or estimated.
  func index(atY y: Int) -> (index: Int, y: Int) {
    var rest = max(0, y)
    for (index, height) in heights.enumerated() {
      if rest < height { return (index, rest) }
      rest -= height
    }
    return (heights.count - 1, heights.last ?? 0)
  }

  /// Frees rows that are not shown, when there are many.
  func trim(keeping shown: Range<Int>, most: Int = 300) {
    guard keptRows > most else { return }
    for index in lines.indices where !shown.contains(index) { lines[index].rows = nil }
    keptRows = lines[shown.clamped(to: lines.indices)].reduce(0) { $0 + ($1.rows == nil ? 0 : 1) }
  }

  private func estimate(_ paragraph: TextStorage.Paragraph) -> Int {
    let length = Double(paragraph.contentLength) * characterWidth
    return lineHeight * max(1, Int((length / Double(width)).rounded(.up)))
  }
}

extension String {
  /// Not `==`, which compares canonical equivalents as equal.
  fileprivate func hasBytes(of other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

/// The rows of a paragraph.
///
/// A long paragraph is cut into pieces (``TextStorage``), but rows are not: the rest of a piece after its
/// last full row is laid out together with the next piece, and belongs to the rows of that piece.
@MainActor struct TextRows {
  let layout: TextLayout
  /// The number of bytes of the piece before at the start of the layout's text.
  let lead: Int
  /// The number of bytes of the layout's text that are shown here; the others are the lead of the next piece.
  let length: Int
  let count: Int
  let height: Int

  /// - Parameters:
  ///   - layout: The layout of the lead and the piece.
  ///   - lead: The number of bytes of the piece before with which the layout begins.
  ///   - goesOn: Whether the next piece belongs to the same paragraph.
  ///   - lineHeight: The height of an empty row in points.
  init(_ layout: TextLayout, lead: Int, goesOn: Bool, lineHeight: Int) {
    (self.layout, self.lead) = (layout, lead)
    let (all, lines) = (layout.text.utf8.count, layout.lineCount)
    let last = layout.lineRange(lines - 1).lowerBound
    // Without this limit a paragraph without line breaks would be shown in its last piece alone.
    if goesOn, all - last <= Self.mostLead {
      (length, count, height) = (last, lines - 1, layout.lineRect(lines - 1).origin.y)
    } else {
      (length, count, height) = (all, lines, max(lineHeight, layout.size.height))
    }
  }

  /// The largest row, in bytes, that is left to the next piece.
  private static let mostLead = 16 * TextStorage.mostBytes

  /// The text with which the next piece begins.
  var rest: Substring {
    let text = layout.text
    return text[text.utf8.index(text.startIndex, offsetBy: length)...]
  }
}
