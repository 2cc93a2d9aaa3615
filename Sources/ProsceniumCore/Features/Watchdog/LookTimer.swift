import CSystem
import Glibc

/// A timer of the kernel's that a thread waits for: setting it wakes nobody, and while it is off the wait has no end.
final class LookTimer: Sendable {
  private let descriptor: Int32

  /// Nil where the process may have no more descriptors.
  init?() {
    descriptor = linux_timer(CLOCK_MONOTONIC, O_CLOEXEC)
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  func start(every nanoseconds: UInt64) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    set(
      linux_interval(
        seconds: Int(seconds), nanoseconds: Int(rest), first_seconds: Int(seconds), first_nanoseconds: Int(rest)))
  }

  func stop() { set(linux_interval()) }

  private func set(_ interval: linux_interval) {
    var interval = interval
    _ = linux_set_timer(descriptor, 0, &interval, nil)
  }

  /// Waits until the time has come, once for all the times that have come meanwhile.
  func wait() {
    var count: UInt64 = 0
    while read(descriptor, &count, 8) < 0, errno == EINTR {}
  }
}
