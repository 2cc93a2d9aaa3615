import Glibc

/// The clock of every deadline: it never goes back, and stands still while the machine sleeps.
package enum MonotonicClock {
  /// The time since a fixed moment; the same moment for all clocks of the machine (`CLOCK_MONOTONIC`).
  package static var now: Duration {
    var time = timespec()
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
