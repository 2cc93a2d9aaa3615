import CSystem
import Glibc

/// A timer of the kernel (timerfd_create(2)): its descriptor is readable when the time has come.
package struct KernelTimer: ~Copyable, Sendable {
  package let descriptor: Descriptor

  /// Makes a timer that is off.
  /// - Parameters:
  ///   - isRealTime: Whether it follows the time of day; else a clock that stands still while the machine sleeps, and
  ///     cannot be set.
  ///   - blocks: Whether ``wait()`` waits.
  /// - Throws: The error of timerfd_create(2).
  package init(isRealTime: Bool = false, blocks: Bool = false) throws(Errno) {
    let clock = isRealTime ? CLOCK_REALTIME : CLOCK_MONOTONIC
    let flags = linux_timer_close_on_exec | (blocks ? 0 : linux_timer_nonblocking)
    descriptor = try Descriptor(checking: linux_timer(clock, flags))
  }

  /// Sets a timer to go off once.
  /// - Parameter delay: The time until then.
  package func start(after delay: Duration) { set(delay, repeats: false) }

  /// Sets a timer to go off again and again.
  /// - Parameter interval: The time until the first time, and between two times.
  package func start(every interval: Duration) { set(interval, repeats: true) }

  /// Turns a timer off.
  package func stop() {
    var interval = linux_interval()
    _ = linux_set_timer(descriptor.number, 0, &interval, nil)
  }

  /// Sets a timer of the real clock to go off once, and also when the clock is set, which ``wait()`` reports as
  /// `ECANCELED`.
  /// - Parameter time: The moment, in seconds since 1970.
  /// - Throws: `ECANCELED` where the clock was set since the last call of ``wait()``; the timer is set all the same.
  package func start(at time: Int) throws(Errno) {
    var interval = linux_interval()
    interval.first_seconds = time
    let flags = linux_timer_absolute | linux_timer_cancel_on_set
    guard linux_set_timer(descriptor.number, flags, &interval, nil) == 0 else { throw .last }
  }

  /// Waits until a timer has gone off, and resets its descriptor.
  /// - Throws: The error of read(2): `EAGAIN` where the timer does not block and has not gone off.
  package func wait() throws(Errno) {
    var count: UInt64 = 0
    while read(descriptor.number, &count, MemoryLayout<UInt64>.size) < 0 {
      if errno != EINTR { throw .last }
    }
  }

  private func set(_ delay: Duration, repeats: Bool) {
    let parts = delay.components
    let seconds = Int(parts.seconds)
    // Zero would turn the timer off.
    let nanoseconds = max(seconds == 0 ? 1 : 0, Int(parts.attoseconds / 1_000_000_000))
    var interval = linux_interval(seconds: 0, nanoseconds: 0, first_seconds: seconds, first_nanoseconds: nanoseconds)
    if repeats { (interval.seconds, interval.nanoseconds) = (seconds, nanoseconds) }
    _ = linux_set_timer(descriptor.number, 0, &interval, nil)
  }
}

/// Calls a function once, also while the program is suspended, when the loop's own deadlines stand still.
///
/// The call is cancelled when the object is released.
@MainActor package final class LoopTimer {
  private let timer: KernelTimer
  private var registration: LoopRegistration?

  /// Starts a timer.
  /// - Parameters:
  ///   - delay: The time until the call.
  ///   - host: The loop.
  ///   - action: Called on the main thread.
  /// - Throws: The error of the kernel, which has no timer left.
  package init(after delay: Duration, host: any LoopHost, _ action: @escaping @MainActor () -> Void) throws(Errno) {
    timer = try KernelTimer()
    timer.start(after: delay)
    registration = LoopRegistration(timer.descriptor.number, host: host) { [weak self] _ in
      self?.registration = nil
      action()
    }
  }
}
