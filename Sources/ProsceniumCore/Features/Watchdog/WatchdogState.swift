/// The watched calls, their start times, and the exceeded limits: the arithmetic of the watchdog, without a clock.
///
/// Checked once a ``step`` while a call is watched. Time counts as far as checks observe it: a check
/// two steps after the one before, or later, means that the process was stopped in between (or got no processor
/// time) and counts nothing. So a stop never counts for more than the rest of a step, and late checks
/// report late, never early.
struct WatchdogState: Hashable, Sendable {
  /// One watched call.
  struct Watch: Hashable, Sendable {
    let callback: CallDescription
    /// All times are nanoseconds; nil for no limit.
    var limit: UInt64?
    fileprivate(set) var since: UInt64
    /// The part of its time that has been observed, in nanoseconds.
    fileprivate(set) var seen: UInt64
    /// It has exceeded its limit, and has been reported.
    fileprivate(set) var isOver = false

    /// It has exceeded its limit, and has not been pardoned.
    var isOverrun: Bool { limit != nil && isOver }
    fileprivate var isWatched: Bool { limit != nil && !isOver }

    /// Adds the time since the last check.
    /// - Returns: Whether the limit is exceeded now, and was not before.
    fileprivate mutating func check(at now: UInt64, since lastCheck: UInt64, step: UInt64) -> Bool {
      guard let limit, !isOver else { return false }
      let before = max(since, lastCheck)
      let passed = now > before ? now - before : 0
      if passed <= step * 2 { seen += min(passed, step) }
      isOver = seen >= limit
      return isOver
    }
  }

  /// From the process's start to the first batch.
  private(set) var launch: Watch?
  /// The launch, while it waits for another process.
  private var pausedLaunch: Watch?
  /// The callbacks that are running, each within the one before.
  private var callbacks: [Watch] = []
  /// The time between two checks, in nanoseconds.
  private(set) var step: UInt64
  private var lastCheck: UInt64 = 0

  init(step: UInt64) { self.step = max(step, 1) }

  /// A step for the shortest limit: fine enough to be exact, and coarse enough to cost nothing.
  static func step(for limits: [UInt64]) -> UInt64 { min(max((limits.min() ?? 0) / 20, 10_000_000), 250_000_000) }

  /// The innermost callback that is running: the time of the others stands still.
  var callback: Watch? { callbacks.last }

  /// Whether any call is watched.
  var isWatching: Bool { launch?.isWatched == true || callbacks.last?.isWatched == true }

  /// Begins a launch.
  mutating func beginLaunch(limit: UInt64?, now: UInt64) {
    launch = Watch(callback: CallDescription("launch", phase: .launch), limit: limit, since: now, seen: 0)
  }

  /// Counts the time that had passed before a launch was begun.
  /// - Parameters:
  ///   - passed: The time.
  ///   - usual: The limit of a launch that the program sets none for. Nothing counts where the time alone is over that:
  ///     the process was something else before.
  mutating func countBeforeLaunch(_ passed: UInt64, below usual: UInt64?) {
    guard let usual, passed < usual else { return }
    launch?.seen += passed
    pausedLaunch?.seen += passed
  }

  /// Sets changed limits.
  mutating func change(launchLimit: UInt64?, step: UInt64) {
    launch?.limit = launchLimit
    pausedLaunch?.limit = launchLimit
    self.step = max(step, 1)
  }

  /// The launch waits for another process: its time stands still.
  mutating func pauseLaunch() {
    pausedLaunch = launch.take() ?? pausedLaunch
  }

  /// The launch goes on, with the time that it has taken before.
  mutating func resumeLaunch(now: UInt64) {
    guard var watch = pausedLaunch.take() else { return }
    watch.since = now
    launch = watch
  }

  /// The first batch has been handled.
  mutating func endLaunch() -> Watch? { launch.take() }

  /// Begins a callback within those that are running.
  mutating func begin(_ callback: CallDescription, limit: UInt64?, now: UInt64) {
    callbacks.append(Watch(callback: callback, limit: limit, since: now, seen: 0))
  }

  /// Ends the innermost callback; returns it where it has exceeded its limit.
  mutating func end() -> Watch? {
    guard let ended = callbacks.popLast(), ended.isOverrun else { return nil }
    return ended
  }

  /// Checks the watched calls; returns those that have exceeded their limits since the last check.
  mutating func check(at now: UInt64) -> [Watch] {
    var expired: [Watch] = []
    if launch?.check(at: now, since: lastCheck, step: step) == true, let launch { expired.append(launch) }
    if let last = callbacks.indices.last, callbacks[last].check(at: now, since: lastCheck, step: step) {
      expired.append(callbacks[last])
    }
    lastCheck = now
    return expired
  }

  /// Pardons calls that exceeded their limits for a reason outside the program: they are not reported any more.
  mutating func pardon() {
    if launch?.isOver == true { launch?.limit = nil }
    if let last = callbacks.indices.last, callbacks[last].isOver { callbacks[last].limit = nil }
  }
}
