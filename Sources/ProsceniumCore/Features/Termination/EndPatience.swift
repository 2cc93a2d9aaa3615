import ProsceniumLoop

/// How long the end of the program waits for disks: one time for all of them, whatever hangs.
///
/// Less than the time after which the process is ended. What is waited for after the disks, which is the service
/// manager's answer, has the rest of that.
struct EndPatience: Equatable {
  /// The time for all waits together.
  static let limit = Duration.milliseconds(9500)
  /// The part of it that is left to the sessions, which are saved last.
  static let forSessions = Duration.milliseconds(2500)

  /// The part of it that the program's last callback leaves, however long it takes.
  private static let forAnswer = Duration.milliseconds(500)

  /// How much of what the program's work has taken before counts, at most.
  static let mostBefore = Duration.seconds(5)

  private(set) var left = Self.limit
  /// The part of what is left that only the last wait may take.
  private var reserve = Self.forSessions

  /// Begins when the program's work has been waited for, that of documents on the same disks included.
  mutating func begin(after time: Duration) { left = Self.limit - min(time, Self.mostBefore) }

  /// How long one of several waits may take.
  /// - Parameters:
  ///   - most: The longest time.
  ///   - isLast: Whether nothing is waited for after it.
  /// - Returns: The time, perhaps none.
  func time(atMost most: Duration, isLast: Bool = false) -> Duration {
    max(.zero, min(most, isLast ? left : left - reserve))
  }

  /// Takes the time of `applicationWillTerminate(_:)`: that to write all on a disk that answers is left.
  mutating func spend(onCallback time: Duration) {
    left = max(min(left, Self.forAnswer), left - time)
    reserve = min(Self.forSessions, max(left / 2, left - Self.forAnswer))
  }

  /// Takes the time that a wait has taken.
  mutating func spend(_ time: Duration) { left = max(.zero, left - time) }
}

extension Termination {
  /// Waits for a disk at the end of the program.
  /// - Parameters:
  ///   - most: The longest time for it.
  ///   - isLast: Whether nothing is waited for after it.
  ///   - body: Waits for the time that it is given.
  func wait(atMost most: Duration, isLast: Bool = false, _ body: (Duration) -> Void) {
    let start = MonotonicClock.now
    body(patience.time(atMost: most, isLast: isLast))
    patience.spend(MonotonicClock.now - start)
  }
}
