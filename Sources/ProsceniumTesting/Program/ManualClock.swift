import Synchronization

/// A clock that a test advances.
///
/// A program's clock (``HeadlessProgram/clock``) is advanced with ``HeadlessProgram/advance(by:)``, which also fires
/// the deadlines on the way; ``advance(by:)`` of the clock itself simulates a machine that is busy meanwhile. It serves
/// code with a parameter of `any Clock<Duration>`. A task that sleeps is resumed at its time, and continues as soon as
/// the test suspends: see ``HeadlessProgram/waits(until:)``.
public final class ManualClock: Clock, Sendable {
  /// A moment, as the time since the clock was made.
  public struct Instant: InstantProtocol, Sendable {
    /// The time since the clock was made, in whole nanoseconds.
    public let sinceStart: Duration

    fileprivate init(_ sinceStart: Duration) { self.sinceStart = sinceStart }

    /// The moment that is later by a duration.
    /// - Parameter duration: The duration; negative for an earlier moment.
    /// - Returns: The moment.
    public func advanced(by duration: Duration) -> Instant { Instant(sinceStart + duration) }
    /// The duration from this moment to another one.
    /// - Parameter other: The other moment.
    /// - Returns: The duration; negative where the other moment is earlier.
    public func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
    /// Whether one moment is before another.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.sinceStart < rhs.sinceStart }
  }

  private struct Sleeper {
    var deadline: Instant
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var seconds = 0.0
    var number = 0
    var sleepers: [Int: Sleeper] = [:]
    /// Tasks that were cancelled before they had begun to sleep.
    var cancelled: Set<Int> = []

    // The platform counts in fractions of seconds, which add up to almost the same.
    var now: Instant { Instant(.nanoseconds(Int64((seconds * 1e9).rounded()))) }
  }

  /// Where the clock stops, in seconds: nanoseconds of three hundred years are no number any more.
  static let end = 9e9

  private let state = Mutex(State())

  /// A clock at its beginning.
  public init() {}

  /// The present moment.
  public var now: Instant { state.withLock { $0.now } }

  /// A nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// How many tasks sleep.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Advances the clock, and wakes tasks in the order of their times.
  ///
  /// The clock stops 285 years after its beginning.
  /// - Parameter duration: The time; without effect where it is negative.
  public func advance(by duration: Duration) { if duration > .zero { seconds += duration.inSeconds } }

  /// Waits until the clock has been advanced to a moment.
  /// - Parameters:
  ///   - deadline: The moment; one that has passed is not waited for.
  ///   - tolerance: Without effect.
  /// - Throws: `CancellationError` if the task is cancelled.
  nonisolated(nonsending)
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws
  {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let result: Result<Void, any Error>? = state.withLock { state in
          if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
          if deadline <= state.now { return .success(()) }
          state.sleepers[number] = Sleeper(deadline: deadline, continuation: continuation)
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: number)
        if sleeper == nil { state.cancelled.insert(number) }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// The time since the clock was made, as the platform counts it.
  var seconds: Double {
    get { state.withLock { $0.seconds } }
    set {
      let woken = state.withLock { state in
        state.seconds = min(newValue, Self.end)
        let now = state.now
        let due = state.sleepers.filter { $0.value.deadline <= now }
        for number in due.keys { state.sleepers[number] = nil }
        return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
      }
      for (_, sleeper) in woken { sleeper.continuation.resume() }
    }
  }
}

extension Duration {
  /// The duration in seconds.
  ///
  /// No more than the clock has room for, which counts nanoseconds.
  var inSeconds: Double { min(1e9, Double(components.seconds) + Double(components.attoseconds) * 1e-18) }
}
