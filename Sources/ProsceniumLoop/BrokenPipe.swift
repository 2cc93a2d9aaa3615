import Glibc

/// Keeps SIGPIPE from ending the program.
package enum BrokenPipe {
  /// Makes a write to a broken pipe an error: libxcb writes with writev(2), which raises SIGPIPE when the server is
  /// gone.
  ///
  /// It installs a handler that does nothing instead of SIG_IGN, because exec resets handlers, while children inherit
  /// ignored signals. A disposition that the program has set stays.
  package static func tolerate() {
    var action = sigaction()
    guard sigaction(SIGPIPE, nil, &action) == 0, action.__sigaction_handler.sa_handler == nil else { return }
    action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESTART))
    _ = sigaction(SIGPIPE, &action, nil)
  }
}
