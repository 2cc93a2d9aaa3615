import Glibc

/// Keeps a dead X server from killing the program.
package enum BrokenPipe {
  /// libxcb writes with writev(2), which raises SIGPIPE when the server is gone; it has to be an error instead.
  ///
  /// A handler that does nothing, and not SIG_IGN: exec gives handlers back their default, while children inherit
  /// what is ignored. Whoever has a disposition of their own keeps it.
  package static func tolerate() {
    var action = sigaction()
    guard sigaction(SIGPIPE, nil, &action) == 0, action.__sigaction_handler.sa_handler == nil else { return }
    action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESTART))
    _ = sigaction(SIGPIPE, &action, nil)
  }
}
