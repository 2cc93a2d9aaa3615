import ProsceniumCore

/// A finger that scrolls a view once it has moved too far for a tap.
struct ScrollFinger {
  let identifier: Int
  private(set) var isScrolling = false
  // In points of the window: the view may be moved by what is around it.
  private let start: Point
  private var last: Point

  @MainActor init(_ touch: Touch, _ event: Event) {
    identifier = touch.identifier
    start = event.points(touch.location)
    last = start
  }

  /// Whether the finger has moved too far for a tap.
  @MainActor func isFar(_ touch: Touch, _ event: Event) -> Bool {
    let now = event.points(touch.location)
    return abs(now.x - start.x) > 8 || abs(now.y - start.y) > 8
  }

  /// The scroll view that the finger scrolls instead of pressing the control on which it began; nil where the control
  /// keeps it.
  @MainActor func scrollView(around view: View, _ touch: Touch, _ event: Event) -> ScrollView? {
    guard let control = view as? Control, !control.followsFinger, isFar(touch, event) else { return nil }
    return control.selfAndSuperviews.lazy.compactMap { $0 as? ScrollView }.first { $0.isLargerInside }
  }

  /// Follows the finger.
  /// - Returns: How far the content of a view goes with it, in the view's points.
  @MainActor mutating func move(_ touch: Touch, _ event: Event, in view: View) -> Point {
    let now = event.points(touch.location)
    if isFar(touch, event) { isScrolling = true }
    guard isScrolling else { return .zero }
    let step = view.convert(last, from: nil) - view.convert(now, from: nil)
    last = now
    // At most a few pages at once, wherever the window system reports the touch.
    func bounded(_ length: Int) -> Int { min(max(length, -4096), 4096) }
    return Point(x: bounded(step.x), y: bounded(step.y))
  }

  /// Scrolls a view and the scroll views around it, each by what those within it have left.
  @MainActor static func scroll(_ view: View, by distance: Point) {
    var rest = distance
    for case let view as ScrollView in view.selfAndSuperviews where rest != .zero {
      let before = view.contentOffset
      view.contentOffset = before + rest
      rest = rest - (view.contentOffset - before)
    }
  }
}

extension Scroll {
  /// The distance in lines: with Shift a wheel turns sideways.
  var distance: (x: Double, y: Double) { modifiers.contains(.shift) ? (deltaY, deltaX) : (deltaX, deltaY) }
}
