/// What is being waited for, since when, and what has run out: the arithmetic of the watchdog, without a clock.
///
/// Somebody looks at it once a ``step`` while something is watched, and time counts as far as it was seen to pass: a look
/// that comes two steps after the one before, or later, finds that the process was stopped meanwhile (or got no processor
/// at all) and counts nothing. So a stop is never counted for more than what was left of a step, and whoever looks late
/// reports late, never early.
package struct Vigil: Hashable, Sendable {
  /// One thing that is waited for.
  package struct Watch: Hashable, Sendable {
    package let callback: WatchedCallback
    /// All times are nanoseconds; nil for no limit.
    package var limit: UInt64?
    package let since: UInt64
    /// How much of its time has been seen to pass.
    package fileprivate(set) var seen: UInt64
    /// It has run out, and that has been told.
    package fileprivate(set) var isOver = false

    /// It has run out, and nobody has pardoned it.
    package var isOverrun: Bool { limit != nil && isOver }
    fileprivate var isWatched: Bool { limit != nil && !isOver }
  }

  /// From the process's start to the first batch.
  package private(set) var launch: Watch?
  /// The callback that is running.
  package private(set) var callback: Watch?
  /// How often somebody looks.
  package private(set) var step: UInt64
  private var lastLook: UInt64 = 0

  package init(step: UInt64) { self.step = max(step, 1) }

  /// A step that is fine enough for the shortest limit, and seldom enough to cost nothing.
  package static func step(for limits: [UInt64]) -> UInt64 {
    min(max((limits.min() ?? 0) / 20, 10_000_000), 250_000_000)
  }

  /// Whether there is anything to look for.
  package var isWatching: Bool { launch?.isWatched == true || callback?.isWatched == true }

  /// A launch begins, of which some has passed before anybody could look.
  package mutating func beginLaunch(limit: UInt64?, now: UInt64, passed: UInt64) {
    launch = Watch(callback: WatchedCallback("launch", phase: .launch), limit: limit, since: now, seen: passed)
  }

  /// The limits are known now, or others.
  package mutating func change(launchLimit: UInt64?, step: UInt64) {
    launch?.limit = launchLimit
    self.step = max(step, 1)
  }

  /// The first batch has been handled.
  package mutating func endLaunch() -> Watch? {
    defer { launch = nil }
    return launch
  }

  /// A callback is about to be called; answers the one that it is called within.
  package mutating func begin(_ callback: WatchedCallback, limit: UInt64?, now: UInt64) -> Watch? {
    defer { self.callback = Watch(callback: callback, limit: limit, since: now, seen: 0) }
    return self.callback
  }

  /// The callback has returned.
  package mutating func end(within outer: Watch?) -> Watch? {
    defer { callback = outer }
    return callback
  }

  /// Takes a look; answers what has run out since the last one.
  package mutating func look(at now: UInt64) -> [Watch] {
    let expired = [look(at: now, at: \.launch), look(at: now, at: \.callback)].compactMap { $0 }
    lastLook = now
    return expired
  }

  /// What has run out does so for a reason that is not the program's: nothing more is said of it.
  package mutating func pardon() {
    if launch?.isOver == true { launch?.limit = nil }
    if callback?.isOver == true { callback?.limit = nil }
  }

  private mutating func look(at now: UInt64, at place: WritableKeyPath<Vigil, Watch?>) -> Watch? {
    guard var watch = self[keyPath: place], let limit = watch.limit, !watch.isOver else { return nil }
    let before = max(watch.since, lastLook)
    let passed = now > before ? now - before : 0
    if passed <= step * 2 { watch.seen += min(passed, step) }
    watch.isOver = watch.seen >= limit
    self[keyPath: place] = watch
    return watch.isOver ? watch : nil
  }
}
