import ProsceniumPlatform

/// Finds shakes in samples of an accelerometer.
///
/// The machine is shaken when it is pushed to and fro: the acceleration without gravity, which is what lasts, points
/// the other way again and again. One jolt, a turn or a fall is no shake. Every shake that begins either ends or is
/// cancelled.
struct ShakeDetector: Sendable {
  /// The time between samples, in seconds.
  static let interval = 0.04
  /// The weakest push, in metres per square second.
  static let push = 7.0
  /// How many pushes, each against the last one, are a shake.
  static let pushes = 4
  /// The longest time from the beginning of a push to that of the next one, without a push, and without samples, in
  /// seconds.
  static let pause = 0.4
  /// The longest shake, in seconds: what lasts longer is a ride, or a sensor that is broken.
  static let longest = 3.0
  /// The time in which most of another direction of gravity is learnt, in seconds.
  private static let learning = 1.0

  private enum State: Hashable {
    /// Held still, or pushed so many times.
    case waiting(Int)
    /// Shaken since.
    case shaken(Double)
    /// Shaken for too long, until it is held still.
    case spent
  }

  private var state = State.waiting(0)
  private var gravity: Acceleration?
  private var time = 0.0
  /// The last push and when it began, until the pause is over.
  private var last: (push: Acceleration, beginning: Double)?
  /// When it was pushed last.
  private var lastPush = 0.0

  /// Takes the next sample.
  /// - Parameters:
  ///   - sample: The acceleration.
  ///   - now: Its time, in seconds on a clock that does not go back.
  /// - Returns: What it means, if anything.
  mutating func add(_ sample: Acceleration, at now: Double) -> ShakePhase? {
    let step = now - time
    time = now
    guard let known = gravity, step <= Self.pause else {
      let phase = interrupt()
      gravity = sample
      return phase
    }
    let rest = known.moved(towards: sample, by: max(step, 0) / (max(step, 0) + Self.learning))
    gravity = rest
    let force = sample - rest
    if force.squaredLength >= Self.push * Self.push {
      lastPush = now
      if last.map({ $0.push.dot(force) < 0 }) ?? true {
        let isInTime = last.map { now - $0.beginning <= Self.pause } ?? true
        last = (force, now)
        if case .waiting(let count) = state {
          let pushes = isInTime ? count + 1 : 1
          state = pushes < Self.pushes ? .waiting(pushes) : .shaken(now)
          if case .shaken = state { return .began }
        }
      }
    } else if last != nil, now - lastPush > Self.pause {
      return still()
    }
    guard case .shaken(let since) = state, now - since > Self.longest else { return nil }
    state = .spent
    return .cancelled
  }

  /// No sample comes for a while.
  /// - Returns: `.cancelled` within a shake.
  mutating func interrupt() -> ShakePhase? {
    (gravity, last) = (nil, nil)
    defer { state = .waiting(0) }
    if case .shaken = state { return .cancelled }
    return nil
  }

  /// It is held still.
  private mutating func still() -> ShakePhase? {
    last = nil
    defer { state = .waiting(0) }
    if case .shaken = state { return .ended }
    return nil
  }
}
