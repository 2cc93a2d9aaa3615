import ProsceniumCore

/// What of an animated view is on its way: added to the view's value, it is what is drawn.
struct Motion {
  let animator: Animator
  let property: AnimatedValue.Property
  /// What is added at the start of the animation.
  let difference: SIMD8<Double>
  /// How much of the way the animator had done when the value was set.
  let start: Double

  /// The part of the difference that is left.
  @MainActor var rest: Double {
    let progress = animator.progress
    guard start < 1, progress != 1 else { return 0 }
    let rest = (1 - progress) / (1 - start)
    // One that runs back passes where it was added; there the old value is drawn already.
    return start > 0 ? min(rest, 1) : rest
  }
}

/// The values with which a view is drawn: its own, or others while it is animated.
@MainActor struct Shown {
  var place: ViewPlace
  var alpha: Double
  var backgroundColor: Color?

  /// The view's own values.
  init(model view: View) {
    place = ViewPlace(of: view)
    alpha = view.alpha
    backgroundColor = view.backgroundColor
  }

  init(_ view: View) {
    self.init(model: view)
    // A picture that stands for the scene has what the program has set, however little of the way is done.
    guard !view.host.motions.isEmpty, view.tree?.pictureMode == nil else { return }
    var sums: [AnimatedValue.Property: SIMD8<Double>] = [:]
    for motion in view.host.motions { sums[motion.property, default: .zero] += motion.difference * motion.rest }
    for (property, sum) in sums where sum != .zero {
      let value = value(of: property)
      set(value.with(value.numbers + sum))
    }
  }

  func value(of property: AnimatedValue.Property) -> AnimatedValue {
    switch property {
    case .frame: .frame(place.frame)
    case .boundsOrigin: .boundsOrigin(place.boundsOrigin)
    case .alpha: .alpha(alpha)
    case .backgroundColor: .backgroundColor(backgroundColor)
    case .transform: .transform(place.transform ?? .identity)
    }
  }

  private mutating func set(_ value: AnimatedValue) {
    switch value {
    case .frame(let rect): place.frame = rect
    case .boundsOrigin(let point): place.boundsOrigin = point
    case .alpha(let number): alpha = number
    case .backgroundColor(let color): backgroundColor = color
    case .transform(let transform): place.transform = transform == .identity ? nil : transform
    }
  }

  /// The bounds that are drawn.
  var bounds: Rect { Rect(place.boundsOrigin, place.frame.size) }
}
