public import ProsceniumCore

/// The ring of the first responder.
extension DrawingContext {
  /// Draws the ring that shows that a view gets the keys, inside a rectangle.
  ///
  /// It is broader in high contrast, where the borders of controls are nearly as strong as the ring.
  /// - Parameters:
  ///   - rect: The rectangle in points.
  ///   - cornerRadius: The radius of the corners in points.
  ///   - theme: The colours of the view.
  ///   - isAccented: Whether the ring is on the accent colour.
  public func strokeFocusRing(_ rect: Rect, cornerRadius: Double = 0, _ theme: Theme, isAccented: Bool = false) {
    let color = isAccented ? theme.accentLabel : theme.accent
    stroke(rect, cornerRadius: cornerRadius, with: color, lineWidth: theme.isHighContrast ? 3 : 2)
  }

  /// Draws the ring around a part of a view, a point beside it.
  func strokeFocusRing(around rect: ExactRect, cornerRadius: Double, _ theme: Theme) {
    let line = max(aligned(2), 1 / scale)
    let room = max(aligned(1), 1 / scale) + line / 2
    let path = Path(rect.inset(x: -room, y: -room), cornerRadius: cornerRadius + room)
    stroke(path, with: theme.accent, lineWidth: line)
  }
}
