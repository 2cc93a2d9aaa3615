import ProsceniumCore

/// Drawing and damage.
extension TextView {
  func drawText(_ rect: Rect, in context: DrawingContext) {
    if backgroundColor == nil { context.fill(rect, with: theme.contentBackground) }
    let color = textColor ?? theme.label
    let selection = shownSelection.range
    context.withState {
      context.clip(to: Rect(x: bounds.origin.x, y: area.origin.y, width: bounds.size.width, height: area.size.height))
      let visible = visibleParagraphs()
      var start = visible.isEmpty ? 0 : lines.start(of: top.paragraph, shown)
      for (index, frame) in visible {
        let paragraph = shown.paragraphs[index]
        if frame.origin.y < rect.origin.y + rect.size.height, frame.origin.y + frame.size.height > rect.origin.y {
          for range in input.lines?.highlights ?? [selection] {
            draw(range, of: index, from: start, at: frame, in: context)
          }
          let rows = rows(index)
          let top = rect.origin.y - frame.origin.y
          rows.layout.draw(
            in: context, lines: rows.count, within: top..<top + rect.size.height, at: frame.origin, color: color)
          input.lines?.drawUnderline(in: rows.layout, from: start, upTo: rows.length, at: frame.origin, context, color)
        }
        start += rows(index).length + paragraph.length - paragraph.contentLength
      }
      if hasCaret, blink.isOn, let caret = caretRect(at: shownSelection.head) { context.fill(caret, with: color) }
    }
    if let thumb {
      let x = bounds.origin.x + bounds.size.width - ScrollBars.width
      let bar = Rect(x: x, y: bounds.origin.y + thumb.start + 2, width: 6, height: thumb.length - 4)
      context.fill(bar, cornerRadius: 3, with: theme.secondaryLabel, alpha: 0.6)
    }
    // The background of texts is that of the window in high contrast.
    if theme.isHighContrast { context.stroke(bounds, with: theme.separator) }
  }

  private func draw(_ selection: Range<Int>, of index: Int, from start: Int, at frame: Rect, in context: DrawingContext)
  {
    let paragraph = shown.paragraphs[index]
    let (lower, upper) = (selection.lowerBound - start, selection.upperBound - start)
    let (layout, length) = (rows(index).layout, rows(index).length)
    guard lower < upper, lower <= length, upper > 0 else { return }
    // Without the focus the selection is drawn in a weaker colour.
    let color = isFocused ? theme.selection : theme.weakSelection
    var rects = layout.selectionRects(from: max(0, lower), to: min(upper, length))
    if paragraph.isEnded, upper > length {
      // The line ending.
      let end = layout.caret(at: length)
      rects.append(Rect(end.origin, Size(width: 5, height: end.size.height)))
    }
    for rect in rects { context.fill(rect.offset(x: frame.origin.x, y: frame.origin.y), with: color) }
  }

  // MARK: Focus

  /// Whether the view gets the keys that the user types.
  var isFocused: Bool { focus.isOn }

  /// Whether there is a caret, on or off.
  var hasCaret: Bool {
    isEditable && isFocused && (input.lines.map { $0.caret != nil } ?? editing.selection.isEmpty)
  }

  func focusMayHaveChanged() {
    if focus.isResigning { pressCancelled() }
    input.focusMayHaveChanged(isEditable: isEditable)
    if isFocused { blink.restart(in: window) } else { blink.stop() }
    if editing.selection.isEmpty { damageCaret() } else { damage(editing.selection.range) }
  }

  // MARK: Damage

  func damageCaret() { if let rect = caretRect(at: shownSelection.head) { setNeedsDisplay(rect) } }

  /// Requests a redraw of the paragraphs of a range.
  func damage(_ range: Range<Int>) {
    let visible = visibleParagraphs()
    let first = paragraph(showing: range.lowerBound, among: visible)
    damage(paragraphs: first..<max(first, paragraph(showing: range.upperBound, among: visible)) + 1)
  }

  func damage(paragraphs: Range<Int>) {
    for (index, frame) in visibleParagraphs() where paragraphs.contains(index) {
      // The caret and slanted letters may lie outside the width of the text, but within the view.
      setNeedsDisplay(Rect(x: bounds.origin.x, y: frame.origin.y, width: bounds.size.width, height: frame.size.height))
    }
  }

  func damageScrollBar() {
    setNeedsDisplay(
      Rect(x: bounds.origin.x + bounds.size.width - 8, y: bounds.origin.y, width: 8, height: bounds.size.height))
  }
}
