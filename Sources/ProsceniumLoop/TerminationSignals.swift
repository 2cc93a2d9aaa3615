import CSystem
import Glibc

// The global variables of the target: a signal handler can reach nothing else. Written on the main thread, before the
// handlers are installed and after they are removed.

/// The write end of the pipe that signal handlers use; -1 while no handler is installed.
nonisolated(unsafe) private var signalPipe: Int32 = -1
/// The process that the pipe is for: a child that fork(2) has made has the pipe and the handlers, too.
nonisolated(unsafe) private var signalProcess: pid_t = -1
/// The timer of the connection that may stand still; -1 where there is none.
nonisolated(unsafe) private var lineTimer: Int32 = -1
/// The actions before the handlers', by signal; SIGTERM has the greatest number.
nonisolated(unsafe) private let earlierActions = UnsafeMutablePointer<sigaction>.allocate(capacity: Int(SIGTERM) + 1)

/// Turns SIGINT, SIGTERM and SIGHUP into bytes of a pipe, for as long as it exists.
///
/// Handlers, not blocked signals: children get a clean mask, and exec resets handlers to their defaults. A child that
/// goes on without exec has the actions from before: what another program sends to it is not the parent's.
@MainActor final class TerminationSignals {
  private let pipe: SelfPipe
  private let line: StalledLine?
  private var installed: [Int32] = []

  /// Whether the connection has been closed because it stood still.
  var hasCutLine: Bool { line?.hasCut == true }

  /// Installs the handlers.
  /// - Parameters:
  ///   - pipe: The pipe of the loop.
  ///   - socket: The connection that is closed where it stands still after a signal; nil for none.
  init(_ pipe: SelfPipe, cutting socket: Int32?) {
    self.pipe = pipe
    line = socket.flatMap { StalledLine.begin($0) }
    lineTimer = line?.timerNumber ?? -1
    signalPipe = pipe.writeEnd
    signalProcess = getpid()
    // A second Ctrl-C ends a program that does not react to the first.
    install(SIGINT, flags: UInt32(SA_RESTART) | UInt32(SA_RESETHAND)) { write(signal: $0) }
    install(SIGTERM, flags: UInt32(SA_RESTART)) { write(signal: $0) }
    install(SIGHUP, flags: UInt32(SA_RESTART)) { write(signal: $0) }
  }

  isolated deinit {
    for signal in installed { _ = sigaction(signal, earlierActions + Int(signal), nil) }
    signalPipe = -1
    lineTimer = -1
    line?.end()
  }

  /// A signal that was ignored when the program started (nohup, a shell's background job) stays ignored.
  private func install(_ signal: Int32, flags: UInt32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var old = sigaction()
    guard sigaction(signal, nil, &old) == 0 else { return }
    guard unsafeBitCast(old.__sigaction_handler.sa_handler, to: UInt.self) != 1 else { return }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = Int32(bitPattern: flags)
    earlierActions[Int(signal)] = old
    if sigaction(signal, &action, nil) == 0 { installed.append(signal) }
  }
}

/// Runs in the signal handler: all that it calls is async-signal-safe, and errno is the interrupted code's.
private func write(signal: Int32) {
  let saved = errno
  if getpid() == signalProcess {
    var byte = UInt8(truncatingIfNeeded: signal)
    _ = write(signalPipe, &byte, 1)
    // The main thread reads the pipe; it may stand in a write to the display.
    if lineTimer >= 0 {
      let step = 250_000_000
      var interval = linux_interval(seconds: 0, nanoseconds: step, first_seconds: 0, first_nanoseconds: step)
      _ = linux_set_timer(lineTimer, 0, &interval, nil)
    }
  } else {
    // It comes once more as the handler returns.
    _ = sigaction(signal, earlierActions + Int(signal), nil)
    _ = raise(signal)
  }
  errno = saved
}
