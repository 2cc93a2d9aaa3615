import ProsceniumCore

/// How high each paragraph is, and the layouts of those that somebody has looked at.
///
/// What nobody has looked at is taken to be as high as its length makes likely.
@MainActor final class TextLines {
  private struct Line {
    var height: Int
    var layout: TextLayout?
  }

  private var lines: [Line] = []
  private var keptLayouts = 0
  /// How many layouts have been made, for those who want to know what a key costs.
  private(set) var layoutCount = 0
  private(set) var totalHeight = 0
  private(set) var width = 0
  private(set) var font = Font.system
  private(set) var lineHeight = 1
  private var characterWidth = 1.0

  var count: Int { lines.count }

  /// Forgets all layouts: another text, width or font.
  func reset(_ storage: TextStorage, width: Int, font: Font) {
    (self.width, self.font) = (max(1, width), font)
    let letters = "abcdefghijklmnopqrstuvwxyz"
    let size = TextLayout(letters, font: font).size
    lineHeight = max(1, size.height)
    characterWidth = max(1, Double(size.width) / Double(letters.utf8.count))
    lines = storage.paragraphs.map { Line(height: estimate($0), layout: nil) }
    totalHeight = lines.reduce(0) { $0 + $1.height }
    keptLayouts = 0
  }

  /// Takes over a change of the text.
  func apply(_ change: TextStorage.Change, _ storage: TextStorage) {
    let lower = change.replaced.lowerBound
    for line in lines[change.replaced] {
      totalHeight -= line.height
      if line.layout != nil { keptLayouts -= 1 }
    }
    let new = storage.paragraphs[lower..<lower + change.count].map { Line(height: estimate($0), layout: nil) }
    for line in new { totalHeight += line.height }
    lines.replaceSubrange(change.replaced, with: new)
  }

  /// A paragraph as it is shown; its height is right from then on.
  func layout(_ index: Int, _ storage: TextStorage) -> TextLayout {
    if let layout = lines[index].layout { return layout }
    let layout = TextLayout(String(storage.paragraphs[index].content), font: font)
    layout.width = width
    layoutCount += 1
    keptLayouts += 1
    let height = max(lineHeight, layout.size.height)
    totalHeight += height - lines[index].height
    lines[index] = Line(height: height, layout: layout)
    return layout
  }

  /// A paragraph's height, laid out if it has not been.
  func height(_ index: Int, _ storage: TextStorage) -> Int {
    if lines[index].layout == nil { _ = layout(index, storage) }
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

  /// Gives layouts back that are not shown, once there are many.
  func trim(keeping shown: Range<Int>, most: Int = 300) {
    guard keptLayouts > most else { return }
    for index in lines.indices where !shown.contains(index) { lines[index].layout = nil }
    keptLayouts = lines[shown.clamped(to: lines.indices)].reduce(0) { $0 + ($1.layout == nil ? 0 : 1) }
  }

  private func estimate(_ paragraph: TextStorage.Paragraph) -> Int {
    let length = Double(paragraph.contentLength) * characterWidth
    return lineHeight * max(1, Int((length / Double(width)).rounded(.up)))
  }
}
