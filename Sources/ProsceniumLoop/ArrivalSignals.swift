import CSystem
import Glibc

/// The signals that tell a loop which waits itself of arrivals; see ``Arrivals``.
///
/// The signal is for the loop's thread, which blocks it and reads it from a descriptor (signalfd(2)): no system call is
/// interrupted, and there is no other thread. A descriptor of this kind is readable only for the thread that the signal
/// is for: where another library's loop waits, which may do so on any thread, ``ArrivalWatch`` does it.
final class ArrivalSignals: Sendable {
  /// Readable for this thread once something has come since the last ``clear()``.
  private let signals: Descriptor

  /// Begins to hear of arrivals; called on the thread of the loop.
  /// - Parameter socket: The socket.
  /// - Throws: The error of the kernel, which has no descriptors left.
  init(at socket: Int32) throws(Errno) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGURG)
    self.signals = try Descriptor(checking: linux_signal_descriptor(&signals))
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    linux_tell_arrivals(socket, linux_thread(), SIGURG)
  }

  /// What the loop waits for.
  var descriptor: Int32 { signals.number }

  /// Takes note of what has come, before the client looks for it.
  func clear() { linux_clear_signals(signals.number) }
}
