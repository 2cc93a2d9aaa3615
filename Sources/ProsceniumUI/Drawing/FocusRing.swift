import ProsceniumCore

/// The ring of the first responder.
extension DrawingContext {
  /// Draws the ring around a part of a view, a point beside it.
  func strokeFocusRing(around rect: ExactRect, cornerRadius: Double, _ theme: Theme) {
    let line = max(aligned(2), 1 / scale)
    let room = max(aligned(1), 1 / scale) + line / 2
    let path = Path(rect.inset(x: -room, y: -room), cornerRadius: cornerRadius + room)
    stroke(path, with: theme.accent, lineWidth: line)
  }
}
