/// How often an animation goes its way.
struct AnimationCycle: Hashable {
  let duration: Duration
  let repeats: Bool
  let autoreverses: Bool

  /// The length of all of it; nil without an end.
  private var length: Duration? { repeats && duration > .zero ? nil : autoreverses ? duration * 2 : duration }

  /// Its end is reached at once.
  static let none = AnimationCycle(duration: .zero, repeats: false, autoreverses: false)

  func isOver(at elapsed: Duration) -> Bool { length.map { elapsed >= $0 } ?? false }

  /// The part of the way, 0...1, at a time since the start: 0 before it, and 1 after all.
  func phase(at elapsed: Duration) -> Double {
    guard elapsed > .zero, duration > .zero else { return isOver(at: elapsed) ? 1 : 0 }
    // After there and back the new values are drawn.
    if isOver(at: elapsed) { return 1 }
    let parts = elapsed / duration
    let whole = parts.rounded(.down)
    if autoreverses { return whole.truncatingRemainder(dividingBy: 2) == 0 ? parts - whole : 1 - (parts - whole) }
    return parts - whole
  }
}
