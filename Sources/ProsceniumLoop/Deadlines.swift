import Glibc

/// Deadlines by name: setting a name again replaces its earlier deadline.
///
/// Moments are those of ``MonotonicClock``.
package struct Deadlines<Name: Hashable> {
  private var entries: [Name: DeadlineEntry] = [:]
  /// The deadlines that are paused until ``resume()``.
  private var paused: [Name: DeadlineEntry] = [:]
  /// Whether a deadline is paused when it is set; nil while none is.
  private var pauses: ((Name) -> Bool)?
  private var counter: UInt64 = 0

  /// Makes an empty list.
  package init() {}

  /// The moment of the next deadline.
  ///
  /// Read at every turn of the loop, so it is computed only when the deadlines change.
  package private(set) var next: Duration?

  /// Whether a deadline is set, and not paused.
  package func contains(_ name: Name) -> Bool { entries[name] != nil }

  /// Sets a deadline after a delay, in place of an earlier one of that name.
  /// - Parameters:
  ///   - name: The deadline.
  ///   - delay: The time until then; a negative one is none.
  ///   - now: The present moment.
  package mutating func set(_ name: Name, after delay: Duration, now: Duration) {
    // A century is far enough for every deadline, and cannot overflow.
    set(name, at: now + min(max(.zero, delay), .seconds(3_155_760_000)))
  }

  /// Sets a deadline at a moment, in place of an earlier one of that name.
  package mutating func set(_ name: Name, at due: Duration) {
    counter += 1
    let entry = DeadlineEntry(due: due, order: counter)
    if pauses?(name) == true {
      paused[name] = entry
      return
    }
    let old = entries.updateValue(entry, forKey: name)
    if let next, due >= next {
      // Only in place of the next one it may leave another to be that.
      if old?.due == next { findNext() }
    } else {
      next = due
    }
  }

  /// Cancels a deadline, also a paused one.
  package mutating func cancel(_ name: Name) {
    paused[name] = nil
    if let old = entries.removeValue(forKey: name), old.due == next { findNext() }
  }

  /// Cancels deadlines of a kind, paused ones included.
  package mutating func cancelAll(where isUnwanted: (Name) -> Bool) {
    entries = entries.filter { !isUnwanted($0.key) }
    paused = paused.filter { !isUnwanted($0.key) }
    findNext()
  }

  /// Pauses the deadlines of a kind, and those of the kind that are set from now on.
  package mutating func pause(where pauses: @escaping (Name) -> Bool) {
    self.pauses = pauses
    for (name, entry) in entries where pauses(name) {
      paused[name] = entry
      entries[name] = nil
    }
    findNext()
  }

  /// Ends the pause: a paused deadline keeps its moment, and one that has passed meanwhile is due at once.
  package mutating func resume() {
    pauses = nil
    entries.merge(paused) { _, later in later }
    paused = [:]
    findNext()
  }

  /// Removes and returns the deadlines that are due, in the order of their moments.
  package mutating func removeDue(now: Duration) -> [Name] {
    guard let next, next <= now else { return [] }
    let due = entries.filter { $0.value.due <= now }
      .sorted { ($0.value.due, $0.value.order) < ($1.value.due, $1.value.order) }
    for (name, _) in due { entries[name] = nil }
    findNext()
    return due.map { $0.key }
  }

  private mutating func findNext() { next = entries.values.lazy.map { $0.due }.min() }
}

/// A deadline's moment; not generic, so that the run time makes one type of it.
private struct DeadlineEntry {
  var due: Duration
  /// The order of setting decides between deadlines of one moment.
  var order: UInt64
}

/// The clock of every deadline: it never goes back, and stands still while the machine sleeps.
package enum MonotonicClock {
  /// The time since a fixed moment; the same moment for all clocks of the machine (`CLOCK_MONOTONIC`).
  package static var now: Duration { .nanoseconds(Int64(nanoseconds)) }

  /// The same in seconds.
  package static var seconds: Double { Double(nanoseconds) / 1e9 }

  /// The same in nanoseconds.
  package static var nanoseconds: UInt64 { nanoseconds(of: CLOCK_MONOTONIC) }

  /// The time since the start of the machine, with the time that it slept (`CLOCK_BOOTTIME`), in nanoseconds.
  package static var uptime: UInt64 { nanoseconds(of: CLOCK_BOOTTIME) }

  private static func nanoseconds(of clock: clockid_t) -> UInt64 {
    let time = time(of: clock)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  private static func time(of clock: clockid_t) -> timespec {
    var time = timespec()
    _ = clock_gettime(clock, &time)
    return time
  }
}

extension Duration {
  /// The whole milliseconds of the duration: never less than none, and a century at most.
  package var milliseconds: Int {
    let bounded = min(max(self, .zero), .seconds(3_155_760_000)).components
    return Int(bounded.seconds) * 1000 + Int(bounded.attoseconds / 1_000_000_000_000_000)
  }

  /// The duration in seconds.
  package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
