import ProsceniumCore

/// Conversion between offsets of the text and points of the view.
extension TextView {
  /// The rectangle of the text, in points of the view.
  var area: Rect { bounds.inset(x: inset.width, y: inset.height) }

  /// The margin around the text, as far as lengths make sense.
  var inset: Size { Size(width: textInset.width.sensible, height: textInset.height.sensible) }

  /// The text that is laid out: with what is being composed in it.
  var shown: TextStorage { input.lines?.storage ?? editing.storage }

  /// The selection in the text that is laid out.
  var shownSelection: TextSelection {
    input.lines.map { TextSelection(caret: $0.caret ?? $0.range.upperBound) } ?? editing.selection
  }

  /// Whether the view has a size and a layout of its text.
  var isLaidOut: Bool { lines.count > 0 && lines.width == area.size.width && area.size.height > 0 }

  func resetLines() {
    lines.reset(shown, width: area.size.width, font: font)
    setNeedsDisplay()
  }

  /// The size of the text with its margins, in a width.
  func textSize(in width: Int) -> Size {
    let (measured, text) = (TextLines(), shown)
    measured.displayScale = lines.displayScale
    measured.reset(text, width: width - 2 * inset.width, font: font)
    var size = Size(width: 0, height: 2 * inset.height)
    for index in 0..<measured.count {
      size.height += measured.height(index, text)
      size.width = max(size.width, measured.rows(index, text).layout.size.width)
      measured.trim(keeping: index..<index + 1)
    }
    return Size(width: max(0, min(size.width + 2 * inset.width, width)), height: max(0, size.height))
  }

  /// Whether the superview gives the view the remaining room, whatever its text.
  var takesRest: Bool { isStretching && (superview is StackView || superview is GridView) }

  /// Has a superview that gives the view the size of its text lay it out again.
  func sizeMayHaveChanged() { if !takesRest { superview?.setNeedsLayout() } }

  func relayout() {
    sizeMayHaveChanged()
    if lines.count > 0 { resetLines() }
    setNeedsLayout()
    setNeedsDisplay()
  }

  func rows(_ paragraph: Int) -> TextRows { lines.rows(paragraph, shown) }

  /// The paragraph that shows the character at a UTF-8 offset, and the offset of the paragraph.
  func location(of offset: Int) -> TextStorage.Location { lines.location(of: offset, shown) }

  /// The visible paragraphs from the top, with their upper edges in points.
  func visibleParagraphs() -> [(index: Int, frame: Rect)] {
    guard isLaidOut else { return [] }
    var found: [(Int, Rect)] = []
    let area = area
    var (index, y) = (top.paragraph, area.origin.y - top.y)
    while index < lines.count, y < area.origin.y + area.size.height {
      let height = lines.height(index, shown)
      found.append((index, Rect(x: area.origin.x, y: y, width: area.size.width, height: height)))
      y += height
      index += 1
    }
    return found
  }

  /// The paragraph that shows an offset; a paragraph that is not visible is not laid out for an exact answer.
  func paragraph(showing offset: Int, among visible: [(index: Int, frame: Rect)]) -> Int {
    let paragraph = shown.location(of: offset).paragraph
    // The rest of a piece is shown by the next one.
    guard let first = visible.first?.index, let last = visible.last?.index, (first - 1...last).contains(paragraph)
    else { return paragraph }
    return location(of: offset).paragraph
  }

  /// The UTF-8 offsets at which lines begin that go on with a paragraph, of the paragraphs in sight.
  var wrappedLineStarts: [Int] {
    visibleParagraphs().flatMap { index, _ in
      let (rows, start) = (rows(index), lines.start(of: index, shown))
      let goesOn = index > 0 && !shown.paragraphs[index - 1].isEnded
      return (0..<rows.count).filter { $0 == 0 ? goesOn : isWrapped(rows.layout, after: $0 - 1) }
        .map { start + rows.layout.lineRange($0).lowerBound }
    }
  }

  /// The rectangle in points of the caret before the character at a UTF-8 offset; nil if it is not visible.
  func caretRect(at offset: Int) -> Rect? {
    let visible = visibleParagraphs()
    let paragraph = paragraph(showing: offset, among: visible)
    guard let frame = visible.first(where: { $0.index == paragraph })?.frame else { return nil }
    let place = location(of: offset)
    let caret = rows(place.paragraph).layout.caret(at: place.offset)
    let x = min(max(0, caret.origin.x), area.size.width - 1)
    return Rect(x: frame.origin.x + x, y: frame.origin.y + caret.origin.y, width: 1, height: caret.size.height)
  }

  /// The UTF-8 offset nearest to a point of the view.
  func offset(at point: Point) -> Int { isLaidOut ? offset(at: place(at: point), x: point.x - area.origin.x) : 0 }

  /// The UTF-8 offset of the character at a point of the view; beside the text the nearest one.
  func characterOffset(at point: Point) -> Int {
    guard isLaidOut, case let place = normalized(place(at: point)),
      let found = rows(place.paragraph).layout.character(at: Point(x: point.x - area.origin.x, y: place.y))
    else { return offset(at: point) }
    return shown.rounded(lines.start(of: place.paragraph, shown) + found)
  }

  private func place(at point: Point) -> TextPlace {
    // Drags end within a page above and below.
    let y = min(max(point.y - area.origin.y, -area.size.height), 2 * area.size.height)
    return TextPlace(paragraph: top.paragraph, y: top.y + y)
  }

  /// The UTF-8 offset nearest to a height of the text and a distance from its left edge, in points.
  func offset(at place: TextPlace, x: Int) -> Int {
    let place = normalized(place)
    let rows = rows(place.paragraph)
    let start = lines.start(of: place.paragraph, shown)
    let found = rows.layout.caretOffset(at: Point(x: x, y: min(max(0, place.y), rows.height - 1)))
    // The end of a wrapped line is the start of the next one: the caret goes before its last character.
    let line = line(at: place.y, rows.layout)
    let range = rows.layout.lineRange(line)
    if goesOn(after: line, of: place.paragraph), found >= range.upperBound, range.upperBound > range.lowerBound {
      return shown.characterStart(before: start + range.upperBound)
    }
    return shown.rounded(start + found)
  }

  /// Whether a line ends because it is wrapped.
  func goesOn(after line: Int, of paragraph: Int) -> Bool {
    let rows = rows(paragraph)
    if line < rows.count - 1 { return isWrapped(rows.layout, after: line) }
    return paragraph < lines.count - 1 && !shown.paragraphs[paragraph].isEnded
  }

  /// Whether nothing is between a line and the next one of a paragraph: PARAGRAPH SEPARATOR ends lines within it.
  private func isWrapped(_ layout: TextLayout, after line: Int) -> Bool {
    layout.lineRange(line).upperBound == layout.lineRange(line + 1).lowerBound
  }

  private func line(at y: Int, _ layout: TextLayout) -> Int {
    layout.line(at: layout.index(at: Point(x: 0, y: y)).index)
  }

  /// The same place with a paragraph that contains it; beyond the text, its first or last point.
  func normalized(_ place: TextPlace) -> TextPlace {
    var place = TextPlace(paragraph: min(max(0, place.paragraph), lines.count - 1), y: place.y)
    while place.y < 0, place.paragraph > 0 {
      place.paragraph -= 1
      place.y += lines.height(place.paragraph, shown)
    }
    place.y = max(0, place.y)
    while case let height = lines.height(place.paragraph, shown), place.y >= height {
      guard place.paragraph < lines.count - 1 else { return TextPlace(paragraph: place.paragraph, y: height - 1) }
      place.y -= height
      place.paragraph += 1
    }
    return place
  }

  // MARK: Scrolling

  /// Scrolls a place to the upper edge of the view, or as far as the end of the text allows.
  /// - Returns: Whether the text moved.
  @discardableResult
  func scroll(to place: TextPlace) -> Bool {
    let before = top
    guard isLaidOut else {
      top = TextPlace(paragraph: min(max(0, place.paragraph), max(0, shown.paragraphs.count - 1)), y: place.y)
      setNeedsLayout()
      if top != before { delegate?.textViewDidScroll(self) }
      return false
    }
    top = upwards(normalized(place))
    guard top != before else { return false }
    setNeedsDisplay()
    lines.trim(keeping: top.paragraph..<min(lines.count, top.paragraph + 100))
    delegate?.textViewDidScroll(self)
    return true
  }

  /// Scrolls by a number of points.
  @discardableResult
  func scroll(by points: Int) -> Bool { scroll(to: TextPlace(paragraph: top.paragraph, y: top.y + points)) }

  /// No empty room is shown below the text while there is text above the upper edge.
  private func upwards(_ place: TextPlace) -> TextPlace {
    var rest = place.y + area.size.height
    var index = place.paragraph
    while rest > 0, index < lines.count {
      rest -= lines.height(index, shown)
      index += 1
    }
    guard rest > 0 else { return place }
    return normalized(TextPlace(paragraph: place.paragraph, y: place.y - rest))
  }

  func revealCaret() {
    guard isLaidOut else { return }
    let place = location(of: shownSelection.head)
    let caret = rows(place.paragraph).layout.caret(at: place.offset)
    let (above, below) = (caret.origin.y, caret.origin.y + caret.size.height)
    if place.paragraph < top.paragraph || (place.paragraph == top.paragraph && above < top.y) {
      scroll(to: TextPlace(paragraph: place.paragraph, y: above))
      return
    }
    // From the upper edge down to the lower one.
    var distance = -top.y
    var index = top.paragraph
    while index < place.paragraph, distance <= area.size.height {
      distance += lines.height(index, shown)
      index += 1
    }
    if index < place.paragraph || distance + below > area.size.height {
      scroll(to: TextPlace(paragraph: place.paragraph, y: below - area.size.height))
    }
  }

  // MARK: The scroll bar

  /// The thumb of the scroll bar; nil where the whole text is visible.
  var thumb: ScrollThumb? {
    guard isLaidOut, bounds.size.width > 2 * ScrollBars.width else { return nil }
    return ScrollThumb(lines.totalHeight + 2 * inset.height, bounds.size.height, scrollOffset)
  }
}
