import ProsceniumCore

/// How high each paragraph is, and the rows of those that somebody has looked at.
///
/// What nobody has looked at is taken to be as high as its length makes likely. The pieces of a long paragraph are laid out
/// one after the other, as each begins with what the one before has left; to look at one far away not all of them are, but
/// enough of those before it for the rows to fall into place.
@MainActor final class TextLines {
  private struct Line {
    var height: Int
    var rows: TextRows?
    /// How it was laid out, which is known also when the rows are given back; nil before.
    var joints: Joints?
    /// Whether that is still right.
    var isSettled = false
  }
  /// How a piece meets those beside it.
  private struct Joints {
    /// What it begins with of the piece before.
    var lead: String
    /// What it leaves to the next one.
    var rest: String
    /// That of its paragraph; nil for a paragraph in one piece, whose letters say so themselves.
    var direction: TextDirection?
  }

  private var lines: [Line] = []
  private var keptRows = 0
  /// How many layouts have been made, for those who want to know what a key costs.
  private(set) var layoutCount = 0
  private(set) var totalHeight = 0
  private(set) var width = 0
  private(set) var font = Font.system
  private(set) var lineHeight = 1
  private var characterWidth = 1.0

  var count: Int { lines.count }

  /// Forgets all rows: another text, width or font.
  func reset(_ storage: TextStorage, width: Int, font: Font) {
    (self.width, self.font) = (max(1, width), font)
    let letters = "abcdefghijklmnopqrstuvwxyz"
    let size = TextLayout(letters, font: font).size
    lineHeight = max(1, size.height)
    characterWidth = max(1, Double(size.width) / Double(letters.utf8.count))
    lines = storage.paragraphs.map { Line(height: estimate($0)) }
    totalHeight = lines.reduce(0) { $0 + $1.height }
    keptRows = 0
  }

  /// Takes over a change of the text.
  func apply(_ change: TextStorage.Change, _ storage: TextStorage) {
    let lower = change.replaced.lowerBound
    for line in lines[change.replaced] {
      totalHeight -= line.height
      if line.rows != nil { keptRows -= 1 }
    }
    let new = storage.paragraphs[lower..<lower + change.count].map { Line(height: estimate($0)) }
    for line in new { totalHeight += line.height }
    lines.replaceSubrange(change.replaced, with: new)
    unsettle(lower + change.count, storage)
  }

  /// A paragraph as it is shown; its height is right from then on.
  func rows(_ index: Int, _ storage: TextStorage) -> TextRows {
    settle(index, storage)
    if let rows = lines[index].rows { return rows }
    return layOut(index, lead: lines[index].joints?.lead ?? "", storage)
  }

  /// The paragraph that shows an offset, as ``TextStorage/location(of:)`` but for where rows go over a cut.
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

  /// Where the text that a paragraph shows begins.
  func start(of index: Int, _ storage: TextStorage) -> Int {
    storage.start(of: index) - (continues(index, storage) ? rows(index, storage).lead : 0)
  }

  // MARK: Pieces

  /// How many pieces are laid out before one that is far from all that has been looked at; 32 KB are hundreds of rows.
  private static let run = 16

  /// Whether a paragraph is the next piece of the one before.
  private func continues(_ index: Int, _ storage: TextStorage) -> Bool {
    index > 0 && index < lines.count && !storage.paragraphs[index - 1].isEnded
  }

  /// Sees to it that a piece begins with what the one before leaves.
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
      // The next one may have been laid out before anybody knew this.
      if continues(piece + 1, storage), let rest = lines[piece].joints?.rest,
        lines[piece + 1].joints?.lead.hasBytes(of: rest) == false
      {
        unsettle(piece + 1, storage)
      }
    }
  }

  /// From a paragraph on to the end of its pieces, what they begin with may be something else now.
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
    let layout = TextLayout(direction: direction)
    layout.font = font
    layout.text = lead + storage.paragraphs[index].content
    layout.width = width
    layoutCount += 1
    let rows = TextRows(
      layout, lead: lead.utf8.count, goesOn: continues(index + 1, storage), lineHeight: lineHeight)
    if lines[index].rows == nil { keptRows += 1 }
    totalHeight += rows.height - lines[index].height
    lines[index].height = rows.height
    lines[index].rows = rows
    lines[index].joints = Joints(lead: lead, rest: String(rows.rest), direction: direction)
    return rows
  }

  /// Which side a paragraph begins at, whichever of its first pieces says so; nil where there is but one.
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

  /// A paragraph's height, laid out if it has not been.
  func height(_ index: Int, _ storage: TextStorage) -> Int {
    settle(index, storage)
    return lines[index].height
  }

  /// A paragraph's height as far as it is known.
  func knownHeight(_ index: Int) -> Int { lines[index].height }

  /// Where a paragraph begins, as far as it is known.
  func y(of index: Int) -> Int { lines[..<min(index, lines.count)].reduce(0) { $0 + $1.height } }

  /// The paragraph at a height, as far as it is known.
  func index(atY y: Int) -> (index: Int, y: Int) {
    var rest = max(0, y)
    for (index, line) in lines.enumerated() {
      if rest < line.height { return (index, rest) }
      rest -= line.height
    }
    return (lines.count - 1, lines.last?.height ?? 0)
  }

  /// Gives rows back that are not shown, once there are many.
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
  /// Not `==`, to which different code points may be the same text.
  fileprivate func hasBytes(of other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
