import ProsceniumCore

/// A touch on a text.
struct TextTouch {
  var identifier: Int
  var start: Point
  var last: Point
  /// Whether the touch has moved too far for a tap.
  var isScrolling = false
}

/// Touches: a drag scrolls, a tap moves the caret.
extension TextView {
  func hear(_ touch: Touch, _ event: Event) -> Bool {
    guard let point = event.location(in: self) else { return false }
    switch touch.phase {
    case .began:
      guard self.touch == nil else { return false }
      self.touch = TextTouch(identifier: touch.identifier, start: point, last: point)
    case .moved:
      guard var held = self.touch, held.identifier == touch.identifier else { return false }
      if abs(point.y - held.start.y) > 8 { held.isScrolling = true }
      if held.isScrolling {
        // At most a few pages at once, wherever the window system reports the touch.
        scroll(by: min(max(held.last.y - point.y, -4096), 4096))
        held.last = point
      }
      self.touch = held
    case .ended, .cancelled:
      guard let held = self.touch, held.identifier == touch.identifier else { return false }
      self.touch = nil
      guard touch.phase == .ended, !held.isScrolling else { return true }
      becomeFirstResponder()
      let target = offset(at: point)
      change(reveal: false) { $0.moveCaret(to: target) }
    }
    return true
  }
}
