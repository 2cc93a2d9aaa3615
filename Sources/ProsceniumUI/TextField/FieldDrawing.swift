import ProsceniumCore

/// How a text field looks.
@MainActor struct FieldDrawing {
  let field: TextField

  /// That of the font's own line, or of the letters of another font, with the room around them.
  var height: Int {
    let line = TextLayout(displayScale: field.layout.displayScale)
    line.font = field.font
    return max(line.size.height, field.layout.size.height, field.hint.size.height) + 14
  }

  func draw(in context: DrawingContext) {
    // The room of the text changes with the view's size and the clear button, its width with the font.
    field.revealCaret()
    let theme = field.theme
    let (bounds, alpha) = (field.bounds, theme.opacity(isEnabled: field.isEnabled))
    context.fill(bounds, cornerRadius: 6, with: theme.contentBackground, alpha: alpha)
    context.stroke(bounds, cornerRadius: 6, with: theme.separator, alpha: alpha)
    if field.isFirstResponder { context.strokeFocusRing(bounds, cornerRadius: 6, theme) }
    context.withState {
      context.clip(to: field.area)
      if field.layout.text.isEmpty {
        let (area, size) = (field.area, field.hint.size)
        // Where its text begins, which is what is seen of one that is too wide.
        let isRightToLeft = TextDirection(of: field.hint.text) == .rightToLeft
        let place = Point(
          x: area.origin.x + (isRightToLeft ? area.size.width - size.width : 0),
          y: area.origin.y + (area.size.height - size.height) / 2)
        context.draw(field.hint, at: place, color: theme.secondaryLabel, alpha: alpha)
      } else {
        // Without the focus the selection is drawn in a weaker colour.
        let color = field.focus.isOn ? theme.selection : theme.weakSelection
        for range in field.shown.highlights {
          for rect in field.layout.selectionRects(from: range.lowerBound, to: range.upperBound) {
            context.fill(rect.offset(x: field.origin.x, y: field.origin.y), with: color)
          }
        }
        context.draw(field.layout, at: field.origin, color: field.textColor ?? theme.label, alpha: alpha)
        if let range = field.shown.marked {
          field.layout.drawUnderline(range, at: field.origin, in: context, field.textColor ?? theme.label)
        }
      }
      if field.hasCaret, field.blink.isOn { context.fill(field.caretRect, with: field.textColor ?? theme.label) }
    }
    if field.showsClearButton { ClearButton.draw(at: field.clearButton, theme, in: context) }
  }
}
