import ProsceniumCore

/// Where the text is, and drawing.
extension TextField {
  private static let dot = "•"

  /// The room of the text.
  var area: Rect {
    let area = bounds.inset(x: 8, y: 0)
    guard showsClearButton else { return area }
    return Rect(area.origin, Size(width: max(0, area.size.width - clearWidth), height: area.size.height))
  }
  private var clearWidth: Int { 20 }

  var showsClearButton: Bool {
    guard editing.storage.length > 0, isEnabled else { return false }
    switch clearButtonMode {
    case .never: return false
    case .whileEditing: return isEditing
    case .unlessEditing: return !isEditing
    case .always: return true
    }
  }

  /// The part of the field that clears it.
  var clearButton: Rect {
    let bounds = bounds
    let x = bounds.origin.x + bounds.size.width - clearWidth - 4
    return Rect(x: x, y: bounds.origin.y, width: clearWidth + 4, height: bounds.size.height)
  }

  /// Whether the text is written from right to left.
  var isRightToLeft: Bool { TextDirection(of: layout.text) == .rightToLeft }

  /// The upper left corner of the laid out text.
  private var origin: Point {
    let (area, size) = (area, layout.size)
    let room = area.size.width - size.width
    return Point(
      x: area.origin.x + (isRightToLeft ? max(0, room - 1) : 0) - shift,
      y: area.origin.y + (area.size.height - size.height) / 2)
  }

  // MARK: Offsets

  /// The offset in what is shown for an offset in the text.
  func shownOffset(_ offset: Int) -> Int {
    isSecureTextEntry ? editing.storage.characterOffset(of: offset) * Self.dot.utf8.count : offset
  }

  /// The offset in the text for an offset in what is shown.
  func textOffset(_ offset: Int) -> Int {
    isSecureTextEntry ? editing.storage.offset(ofCharacter: offset / Self.dot.utf8.count) : offset
  }

  /// The offset in the text of the caret after a click at a point.
  func offset(at point: Point) -> Int {
    editing.storage.rounded(textOffset(layout.caretOffset(at: point - origin)))
  }

  /// The offset in what is shown for a number of characters of what is being composed.
  private func shownOffset(inMarked characters: Int, of marked: TextComposition) -> Int {
    shownOffset(editing.selection.range.lowerBound)
      + (isSecureTextEntry ? characters * Self.dot.utf8.count : marked.utf8Offset(characters))
  }

  private var shownCaret: Int {
    guard let marked = input.marked else { return shownOffset(editing.selection.head) }
    return shownOffset(inMarked: marked.caret ?? marked.text.count, of: marked)
  }

  /// The caret, of which one point is drawn.
  var caretRect: Rect {
    let rect = layout.caret(at: shownCaret).offset(x: origin.x, y: origin.y)
    return Rect(rect.origin, Size(width: 1, height: rect.size.height))
  }

  // MARK: Changes

  /// Lays the text out after it or the way it is shown has changed.
  func showText() {
    let storage = editing.storage
    var text = storage.text
    if let marked = input.marked {
      let range = storage.characters(of: editing.selection.range)
      text = text.prefix(range.lowerBound) + marked.text + text.dropFirst(range.upperBound)
    }
    layout.text = isSecureTextEntry ? String(repeating: Self.dot, count: text.count) : text
    invalidateRestorableState()
    showCaret()
  }

  /// Scrolls to the caret and redraws.
  func showCaret() {
    revealCaret()
    setNeedsDisplay()
  }

  /// Scrolls so that the caret is in sight.
  func revealCaret() {
    let (area, caret) = (area, caretRect)
    guard area.size.width > 0 else { return }
    // No room is left empty behind the text, but for the caret.
    let most = max(0, layout.size.width + 1 - area.size.width)
    if caret.origin.x < area.origin.x { shift -= area.origin.x - caret.origin.x }
    let end = area.origin.x + area.size.width
    if caret.origin.x + 1 > end { shift += caret.origin.x + 1 - end }
    shift = min(max(0, shift), most)
  }

  var hasCaret: Bool { focus.isOn && (input.marked.map { $0.caret != nil } ?? editing.selection.isEmpty) }

  func focusMayHaveChanged() {
    if focus.isResigning { pressCancelled() }
    input.focusMayHaveChanged(isEditable: isEnabled)
    if focus.isOn { blink.restart(in: window) } else { blink.stop() }
    setNeedsDisplay()
  }

  func damageCaret() { setNeedsDisplay(caretRect) }

  // MARK: Drawing

  func drawField(in context: DrawingContext) {
    // The room of the text changes with the view's size and the clear button, its width with the font.
    revealCaret()
    let (theme, bounds, alpha) = (theme, bounds, isEnabled ? 1 : 0.4)
    context.fill(bounds, cornerRadius: 6, with: theme.contentBackground, alpha: alpha)
    context.stroke(bounds, cornerRadius: 6, with: theme.separator, alpha: alpha)
    if isFirstResponder { context.stroke(bounds, cornerRadius: 6, with: theme.accent, lineWidth: 2) }
    context.withState {
      context.clip(to: area)
      if layout.text.isEmpty {
        let top = area.origin.y + (area.size.height - hint.size.height) / 2
        context.draw(hint, at: Point(x: area.origin.x, y: top), color: theme.secondaryLabel, alpha: alpha)
      } else {
        // Without the focus the selection is drawn in a weaker colour.
        let color = focus.isOn ? theme.selection : theme.separator
        for range in shownHighlights {
          for rect in layout.selectionRects(from: range.lowerBound, to: range.upperBound) {
            context.fill(rect.offset(x: origin.x, y: origin.y), with: color)
          }
        }
        context.draw(layout, at: origin, color: textColor ?? theme.label, alpha: alpha)
        if let marked = input.marked {
          let range = shownOffset(inMarked: 0, of: marked)..<shownOffset(inMarked: marked.text.count, of: marked)
          layout.drawUnderline(range, at: origin, in: context, textColor ?? theme.label)
        }
      }
      if hasCaret, blink.isOn { context.fill(caretRect, with: textColor ?? theme.label) }
    }
    if showsClearButton { drawClearButton(theme, in: context) }
  }

  /// What is drawn as selected: the selection, or the highlighted parts of what is being composed.
  private var shownHighlights: [Range<Int>] {
    guard let marked = input.marked else {
      let range = editing.selection.range
      return [shownOffset(range.lowerBound)..<shownOffset(range.upperBound)]
    }
    return marked.segments.filter(\.isHighlighted).map {
      shownOffset(inMarked: $0.range.lowerBound, of: marked)..<shownOffset(inMarked: $0.range.upperBound, of: marked)
    }
  }

  private func drawClearButton(_ theme: Theme, in context: DrawingContext) {
    let place = clearButton
    let (x, y) = (place.origin.x + place.size.width / 2, place.origin.y + place.size.height / 2)
    context.fill(Rect(x: x - 7, y: y - 7, width: 14, height: 14), cornerRadius: 7, with: theme.secondaryLabel)
    var cross = Path()
    for side in [-3.0, 3.0] {
      cross.move(toX: Double(x) - side, y: Double(y) - 3)
      cross.line(toX: Double(x) + side, y: Double(y) + 3)
    }
    context.stroke(cross, with: theme.contentBackground, lineWidth: 1.5)
  }
}
