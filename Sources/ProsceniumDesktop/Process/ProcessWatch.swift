import CSystem
import Glibc
import ProsceniumLoop

/// Waits for the end of a process (pidfd_open(2)).
@MainActor final class ProcessWatch {
  private let descriptor: Descriptor
  private var registration: LoopRegistration?

  /// Begins to wait.
  /// - Parameters:
  ///   - process: The process's number.
  ///   - host: The loop.
  ///   - onEnd: Called once.
  /// - Throws: The error of pidfd_open(2): `ESRCH` if there is no such process, `ENOSYS` on a kernel without it.
  init(_ process: pid_t, host: any LoopHost, onEnd: @escaping @MainActor () -> Void) throws(Errno) {
    let number = linux_process_descriptor(process)
    guard number >= 0 else { throw .last }
    descriptor = Descriptor(owning: number)
    registration = LoopRegistration(number, host: host) { [weak self] _ in
      self?.registration = nil
      onEnd()
    }
  }
}
