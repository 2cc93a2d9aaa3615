import Glibc

/// How the speed of an animation changes over its duration.
///
/// A value: the curve of an ``Animator``; those of `View.animate(withDuration:)` are among its options.
public struct TimingCurve: Hashable, Sendable {
  private enum Kind: Hashable {
    case linear
    case cubic(x1: Double, y1: Double, x2: Double, y2: Double)
    case spring(damping: Double, velocity: Double)
  }
  private let kind: Kind

  /// The same speed all the time.
  public static let linear = TimingCurve(kind: .linear)
  /// Slow at the start.
  public static let easeIn = cubicBezier(x1: 0.42, y1: 0, x2: 1, y2: 1)
  /// Slow at the end.
  public static let easeOut = cubicBezier(x1: 0, y1: 0, x2: 0.58, y2: 1)
  /// Slow at the start and at the end.
  public static let easeInOut = cubicBezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1)

  /// A cubic Bézier curve from (0, 0) to (1, 1): time is to the right, the way upwards.
  ///
  /// A number that is not finite counts as 0.
  /// - Parameters:
  ///   - x1: The time of the first control point, limited to 0...1.
  ///   - y1: The way of the first control point, limited to -10...10.
  ///   - x2: The time of the second control point, limited to 0...1.
  ///   - y2: The way of the second control point, limited to -10...10.
  /// - Returns: The curve.
  public static func cubicBezier(x1: Double, y1: Double, x2: Double, y2: Double) -> TimingCurve {
    TimingCurve(
      kind: .cubic(
        x1: limited(x1, 0...1), y1: limited(y1, -10...10), x2: limited(x2, 0...1), y2: limited(y2, -10...10)))
  }

  /// A spring that comes to rest at the end of the duration.
  ///
  /// A number that is not finite counts as 0.
  /// - Parameters:
  ///   - dampingRatio: 1 without oscillation, less with more of it; limited to 0.05...1.
  ///   - initialVelocity: The speed at the start in whole ways per duration, limited to -100...100.
  /// - Returns: The curve.
  public static func spring(dampingRatio: Double, initialVelocity: Double = 0) -> TimingCurve {
    TimingCurve(
      kind: .spring(damping: limited(dampingRatio, 0.05...1), velocity: limited(initialVelocity, -100...100)))
  }

  private static func limited(_ number: Double, _ range: ClosedRange<Double>) -> Double {
    min(max(number.isFinite ? number : 0, range.lowerBound), range.upperBound)
  }

  /// The part of the way that is done after a part of the duration.
  /// - Parameter fraction: The part of the duration, limited to 0...1.
  /// - Returns: The part of the way: 0 at the start, 1 at the end; between them also beyond where it swings.
  public func value(at fraction: Double) -> Double {
    guard fraction > 0 else { return 0 }
    guard fraction < 1 else { return 1 }
    switch kind {
    case .linear: return fraction
    case .cubic(let x1, let y1, let x2, let y2):
      // Time only grows along the curve, so that its place is found by halving.
      var (low, high) = (0.0, 1.0)
      for _ in 0..<40 {
        let middle = (low + high) / 2
        if Self.bezier(x1, x2, at: middle) < fraction { low = middle } else { high = middle }
      }
      return Self.bezier(y1, y2, at: low)
    case .spring(let damping, let velocity): return Self.spring(damping, velocity, at: fraction)
    }
  }

  private static func bezier(_ first: Double, _ second: Double, at place: Double) -> Double {
    let rest = 1 - place
    return 3 * rest * rest * place * first + 3 * rest * place * place * second + place * place * place
  }

  /// The step response of a damped oscillator, as fast as is needed for a thousandth of the way to be left at 1.
  private static func spring(_ damping: Double, _ velocity: Double, at time: Double) -> Double {
    guard damping < 1 else {
      let frequency = 9.23
      return 1 - exp(-frequency * time) * (1 + (frequency - velocity) * time)
    }
    let frequency = 6.91 / damping
    let swing = frequency * sqrt(1 - damping * damping)
    let decay = damping * frequency
    return 1 - exp(-decay * time) * (cos(swing * time) + (decay - velocity) / swing * sin(swing * time))
  }
}
