import Glibc

/// The clock of deadlines: it never goes back, and stands still while the machine sleeps.
package enum MonotonicClock {
  /// Nanoseconds since some fixed moment.
  package static var nanoseconds: UInt64 {
    var time = timespec()
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(max(0, time.tv_sec)) * 1_000_000_000 + UInt64(max(0, time.tv_nsec))
  }
}
