internal import Glibc

/// A thread for one piece of work.
package enum DetachedThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs a function on a thread of its own, which receives no signals.
  /// - Parameters:
  ///   - stackSize: The size of the stack in bytes; the system's usual one where nil.
  ///   - body: The function.
  /// - Returns: Whether there is such a thread; false where the process has reached its limit.
  package static func run(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(body))
    var every = sigset_t()
    var before = sigset_t()
    sigfillset(&every)
    pthread_sigmask(SIG_SETMASK, &every, &before)
    var thread: pthread_t = 0
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
    let result = pthread_create(
      &thread, &attributes,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    pthread_sigmask(SIG_SETMASK, &before, nil)
    if result == 0 { pthread_detach(thread) } else { work.release() }
    return result == 0
  }
}
