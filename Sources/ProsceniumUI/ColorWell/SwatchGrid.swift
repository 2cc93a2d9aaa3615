import ProsceniumCore

/// Rows of colours, of which one is chosen by a press or by the arrows.
final class SwatchGrid: Control {
  private static let side = 30

  /// The swatch that is chosen; nil for none.
  var selectedIndex: Int? { didSet { if oldValue != selectedIndex { setNeedsDisplay() } } }

  var selectedColor: Color? { selectedIndex.map { Swatches.colors[$0] } }

  // MARK: Input

  override var canBecomeFirstResponder: Bool { isEnabled }

  override func handle(_ event: Event) -> Bool {
    guard let (key, symbol) = plainKey(event) else { return super.handle(event) }
    let next: Int
    switch symbol {
    case KeySymbol.left: next = Swatches.step(from: selectedIndex, columns: -1)
    case KeySymbol.right: next = Swatches.step(from: selectedIndex, columns: 1)
    case KeySymbol.up: next = Swatches.step(from: selectedIndex, rows: -1)
    case KeySymbol.down: next = Swatches.step(from: selectedIndex, rows: 1)
    default: return pressedByKey(event) ?? super.handle(event)
    }
    if key.isDown { select(next, event) }
    return true
  }

  override func beginTracking(_ event: Event) {
    super.beginTracking(event)
    guard isTracking, let point = event.location(in: self) else { return }
    let (column, row) = (point.x / Self.side, point.y / Self.side)
    guard point.x >= 0, point.y >= 0, column < Swatches.columns else { return }
    let index = row * Swatches.columns + column
    if Swatches.colors.indices.contains(index) { select(index, event) }
  }

  /// A press chooses a colour, and does not end the panel.
  override func endTracking(_ event: Event) { _ = stopTracking(event) }

  func select(_ index: Int, _ event: Event?) {
    selectedIndex = index
    sendActions(for: .valueChanged, event)
  }

  // MARK: Drawing

  /// The place of a swatch in the view.
  func place(of index: Int) -> Rect {
    Rect(
      x: index % Swatches.columns * Self.side, y: index / Swatches.columns * Self.side, width: Self.side,
      height: Self.side)
  }

  override var intrinsicContentSize: Size {
    Size(width: Swatches.columns * Self.side, height: Swatches.colors.count / Swatches.columns * Self.side)
  }

  override func draw(_ rect: Rect, in context: DrawingContext) {
    for (index, color) in Swatches.colors.enumerated() {
      let place = place(of: index)
      let swatch = place.inset(x: 4, y: 4)
      context.fill(swatch, cornerRadius: 4, with: color)
      context.stroke(swatch, cornerRadius: 4, with: theme.separator)
      guard index == selectedIndex else { continue }
      context.stroke(
        place.inset(x: 1, y: 1), cornerRadius: 6, with: isFirstResponder ? theme.accent : theme.secondaryLabel,
        lineWidth: 2)
    }
    if isFirstResponder, selectedIndex == nil {
      context.strokeFocusRing(bounds, cornerRadius: 6, theme)
    }
  }
}
