import CSystem
import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// Tells of the end of a process, without asking again and again (pidfd_open(2)).
@MainActor final class ProcessWatch {
  private let descriptor: Int32
  private weak var host: (any SystemHost)?
  private var id: LoopSourceID?

  /// Watches a process.
  ///
  /// Nil, and `errno`, where that cannot be done: `ESRCH` if there is no such process.
  /// - Parameters:
  ///   - process: Its number.
  ///   - host: Who has the loop.
  ///   - onEnd: Called once.
  init?(_ process: pid_t, host: any SystemHost, onEnd: @escaping @MainActor () -> Void) {
    let opened = linux_process_descriptor(process)
    // Before anything is stored, because what is stored is closed, and that sets errno.
    guard opened >= 0 else { return nil }
    descriptor = opened
    self.host = host
    id = host.watch(
      LoopSource(descriptor: descriptor, interest: .readable) { [weak self] _ in
        self?.stop()
        onEnd()
      })
  }

  isolated deinit {
    stop()
    close(descriptor)
  }

  private func stop() {
    if let id { host?.unwatch(id) }
    id = nil
  }
}
