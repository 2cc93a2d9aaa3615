import ProsceniumCore

/// Where the text is.
extension TextField {
  /// The room of the text.
  var area: Rect {
    let area = bounds.inset(x: 8, y: 0)
    guard showsClearButton else { return area }
    return Rect(area.origin, Size(width: max(0, area.size.width - ClearButton.width), height: area.size.height))
  }

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
  var clearButton: Rect { ClearButton.place(in: bounds) }

  /// Whether the text is written from right to left.
  var isRightToLeft: Bool { TextDirection(of: layout.text) == .rightToLeft }

  /// The upper left corner of the laid out text.
  var origin: Point {
    let (area, size) = (area, layout.size)
    let room = area.size.width - size.width
    return Point(
      x: area.origin.x + (isRightToLeft ? max(0, room - 1) : 0) - shift,
      y: area.origin.y + (area.size.height - size.height) / 2)
  }

  // MARK: Offsets

  /// The offset in the text of the caret after a click at a point.
  func offset(at point: Point) -> Int {
    editing.storage.rounded(shown.textOffset(layout.caretOffset(at: point - origin)))
  }

  /// The offset in the text of the character at a point; beside the text the nearest one.
  func characterOffset(at point: Point) -> Int {
    layout.character(at: point - origin).map { editing.storage.rounded(shown.textOffset($0)) } ?? offset(at: point)
  }

  /// What is shown, and where in it is what of the text.
  var shown: FieldText { FieldText(editing, input.marked, isSecure: isSecureTextEntry) }

  /// The caret, of which one point is drawn.
  var caretRect: Rect {
    let rect = layout.caret(at: shown.caret).offset(x: origin.x, y: origin.y)
    return Rect(rect.origin, Size(width: 1, height: rect.size.height))
  }

  // MARK: Changes

  /// Lays the text out after it or the way it is shown has changed.
  func showText() {
    let height = layout.size.height
    layout.text = shown.text
    if layout.size.height != height { invalidateIntrinsicContentSize() }
    invalidateRestorableState()
    showCaret()
  }

  /// Scrolls to the caret and redraws.
  func showCaret() {
    revealCaret()
    setNeedsDisplay()
  }

  /// Scrolls so that the caret is in sight, or the beginning of a text that is not edited.
  func revealCaret() {
    let (area, caret) = (area, isEditing ? caretRect : layout.caret(at: 0).offset(x: origin.x, y: origin.y))
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
}
