import ProsceniumCore

/// How changes of views are animated.
public struct ViewAnimationOptions: OptionSet, Hashable, Sendable {
  /// The options as a number.
  public let rawValue: UInt
  /// Options by their number.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// Slow at the start and at the end, as without an option.
  public static let curveEaseInOut: ViewAnimationOptions = []
  /// Slow at the start.
  public static let curveEaseIn = ViewAnimationOptions(rawValue: 1)
  /// Slow at the end.
  public static let curveEaseOut = ViewAnimationOptions(rawValue: 2)
  /// The same speed all the time.
  public static let curveLinear = ViewAnimationOptions(rawValue: 3)
  /// Again and again, until the view leaves its window, or its scene the foreground.
  public static let `repeat` = ViewAnimationOptions(rawValue: 4)
  /// There and back; at its end the new values are drawn.
  public static let autoreverse = ViewAnimationOptions(rawValue: 8)

  var curve: TimingCurve { [.easeInOut, .easeIn, .easeOut, .linear][Int(rawValue & 3)] }
}

extension View {
  /// How changes of views are animated.
  public typealias AnimationOptions = ViewAnimationOptions

  /// Animates changes of views: see ``Animator`` for what is animated, and when nothing is.
  /// - Parameters:
  ///   - duration: The length of the animation; none where it is negative.
  ///   - delay: The time before it begins.
  ///   - options: How it goes.
  ///   - animations: Changes views; called at once.
  ///   - completion: Called once, on the main thread, after this function has returned: with true at the end of the
  ///     animation, and with false where it was ended before, because nobody can see the views any more.
  public static func animate(
    withDuration duration: Duration, delay: Duration = .zero, options: AnimationOptions = [],
    animations: () -> Void, completion: (@MainActor (Bool) -> Void)? = nil
  ) {
    requireMainThread()
    let animator = Animator(
      duration: duration, curve: options.curve, repeats: options.contains(.repeat),
      autoreverses: options.contains(.autoreverse))
    if let completion { animator.addCompletion { _, isFinished in completion(isFinished) } }
    animator.start(after: delay, animations)
  }

  /// Animates changes of views, and returns when that has ended.
  /// - Parameters:
  ///   - duration: The length of the animation; none where it is negative.
  ///   - delay: The time before it begins.
  ///   - options: How it goes.
  ///   - animations: Changes views; called at once.
  /// - Returns: Whether it came to its end before nobody could see the views any more.
  @discardableResult
  public static func animate(
    withDuration duration: Duration, delay: Duration = .zero, options: AnimationOptions = [],
    animations: () -> Void
  ) async -> Bool {
    await withMainActorContinuation { continuation in
      animate(withDuration: duration, delay: delay, options: options, animations: animations) {
        continuation.resume(returning: $0)
      }
    }
  }

  /// Makes changes that are not animated, within the changes of an animation.
  /// - Parameter actions: Changes views; called at once.
  public static func performWithoutAnimation(_ actions: () -> Void) { Animator.record(as: nil, actions) }
}
