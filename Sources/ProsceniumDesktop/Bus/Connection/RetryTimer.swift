import CSystem
import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// Calls something once, that much later, also while the program is suspended (timerfd_create(2)).
///
/// The framework's own deadlines stand still then, and the bus has to be found again all the same: others reach a program
/// that is suspended by it.
@MainActor final class RetryTimer {
  private let descriptor: Int32
  private weak var host: (any SystemHost)?
  private var id: LoopSourceID?

  /// Nil where the kernel has no timer left.
  init?(milliseconds: Int, host: any SystemHost, _ action: @escaping @MainActor () -> Void) {
    // TFD_NONBLOCK and TFD_CLOEXEC.
    let timer = linux_timer(CLOCK_MONOTONIC, O_NONBLOCK | O_CLOEXEC)
    guard timer >= 0 else { return nil }
    descriptor = timer
    self.host = host
    var interval = linux_interval()
    interval.first_seconds = milliseconds / 1000
    // Zero would mean never.
    interval.first_nanoseconds = max(1, milliseconds % 1000 * 1_000_000)
    _ = linux_set_timer(timer, 0, &interval, nil)
    id = host.watch(
      LoopSource(descriptor: timer, interest: .readable) { [weak self] _ in
        self?.stop()
        action()
      })
  }

  isolated deinit {
    stop()
    close(descriptor)
  }

  func stop() {
    if let id { host?.unwatch(id) }
    id = nil
  }
}
