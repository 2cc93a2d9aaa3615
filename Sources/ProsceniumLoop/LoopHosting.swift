/// The part of the process that belongs to an ``EventLoop``.
package enum LoopHosting: Sendable {
  /// The process is the program's own: the loop runs libdispatch's main queue.
  case program
  /// The loop is a guest, in tests and before the program begins: the caller runs the main queue.
  case guest
}
