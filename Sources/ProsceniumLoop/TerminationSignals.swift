import Glibc

/// The write end of the pipe that signal handlers use; -1 while no handler is installed.
///
/// The one global variable of the target: a signal handler can reach nothing else. Written on the main thread, before
/// the handlers are installed and after they are removed.
nonisolated(unsafe) private var signalPipe: Int32 = -1

/// Turns SIGINT, SIGTERM and SIGHUP into bytes of a pipe, for as long as it exists.
///
/// Handlers, not blocked signals: children get a clean mask, and exec resets handlers to their defaults.
@MainActor final class TerminationSignals {
  private let pipe: SelfPipe
  private var previous: [(signal: Int32, action: sigaction)] = []

  init(_ pipe: SelfPipe) {
    self.pipe = pipe
    signalPipe = pipe.writeEnd
    // A second Ctrl-C ends a program that does not react to the first.
    install(SIGINT, flags: UInt32(SA_RESTART) | UInt32(SA_RESETHAND)) { write(signal: $0) }
    install(SIGTERM, flags: UInt32(SA_RESTART)) { write(signal: $0) }
    install(SIGHUP, flags: UInt32(SA_RESTART)) { write(signal: $0) }
  }

  isolated deinit {
    for entry in previous {
      var action = entry.action
      _ = sigaction(entry.signal, &action, nil)
    }
    signalPipe = -1
  }

  /// A signal that was ignored when the program started (nohup, a shell's background job) stays ignored.
  private func install(_ signal: Int32, flags: UInt32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var old = sigaction()
    guard sigaction(signal, nil, &old) == 0 else { return }
    guard unsafeBitCast(old.__sigaction_handler.sa_handler, to: UInt.self) != 1 else { return }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = Int32(bitPattern: flags)
    if sigaction(signal, &action, nil) == 0 { previous.append((signal, old)) }
  }
}

/// Runs in the signal handler: write(2) is async-signal-safe, and errno is the interrupted code's.
private func write(signal: Int32) {
  let saved = errno
  var byte = UInt8(truncatingIfNeeded: signal)
  _ = write(signalPipe, &byte, 1)
  errno = saved
}
