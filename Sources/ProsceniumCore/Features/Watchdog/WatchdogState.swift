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
  }

  /// From the process's start to the first batch.
  private(set) var launch: Watch?
  /// The launch, while it waits for another process.
  private var pausedLaunch: Watch?
  /// The callback that is running.
  private(set) var callback: Watch?
  /// The time between two checks, in nanoseconds.
  private(set) var step: UInt64
  private var lastCheck: UInt64 = 0

  init(step: UInt64) { self.step = max(step, 1) }

  /// A step for the shortest limit: fine enough to be exact, and coarse enough to cost nothing.
  static func step(for limits: [UInt64]) -> UInt64 { min(max((limits.min() ?? 0) / 20, 10_000_000), 250_000_000) }

  /// Whether any call is watched.
  var isWatching: Bool { launch?.isWatched == true || callback?.isWatched == true }

  /// Begins a launch.
  mutating func beginLaunch(limit: UInt64?, now: UInt64) {
    launch = Watch(callback: CallDescription("launch", phase: .launch), limit: limit, since: now, seen: 0)
  }

  /// Counts the time that had passed before a launch was begun; nothing where that alone is over the limit: the process
  /// was something else before.
  mutating func countBeforeLaunch(_ passed: UInt64) {
    func count(_ watch: inout Watch?) { if let limit = watch?.limit, passed < limit { watch?.seen += passed } }
    count(&launch)
    count(&pausedLaunch)
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

  /// Begins a callback; returns the enclosing one.
  mutating func begin(_ callback: CallDescription, limit: UInt64?, now: UInt64) -> Watch? {
    exchange(&self.callback, with: Watch(callback: callback, limit: limit, since: now, seen: 0))
  }

  /// Ends the present callback.
  mutating func end(within outer: Watch?) -> Watch? { exchange(&callback, with: outer) }

  /// Checks the watched calls; returns those that have exceeded their limits since the last check.
  mutating func check(at now: UInt64) -> [Watch] {
    let expired = [check(at: now, at: \.launch), check(at: now, at: \.callback)].compactMap { $0 }
    lastCheck = now
    return expired
  }

  /// Pardons calls that exceeded their limits for a reason outside the program: they are not reported any more.
  mutating func pardon() {
    if launch?.isOver == true { launch?.limit = nil }
    if callback?.isOver == true { callback?.limit = nil }
  }

  private mutating func check(at now: UInt64, at place: WritableKeyPath<WatchdogState, Watch?>) -> Watch? {
    guard var watch = self[keyPath: place], let limit = watch.limit, !watch.isOver else { return nil }
    let before = max(watch.since, lastCheck)
    let passed = now > before ? now - before : 0
    if passed <= step * 2 { watch.seen += min(passed, step) }
    watch.isOver = watch.seen >= limit
    self[keyPath: place] = watch
    return watch.isOver ? watch : nil
  }
}
