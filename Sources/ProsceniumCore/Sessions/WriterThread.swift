internal import Glibc

/// A thread for one piece of work.
enum WriterThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs the work on a thread of its own, which takes no signals; whether there could be one.
  static func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(body))
    var every = sigset_t()
    var before = sigset_t()
    sigfillset(&every)
    pthread_sigmask(SIG_SETMASK, &every, &before)
    var thread: pthread_t = 0
    let result = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    pthread_sigmask(SIG_SETMASK, &before, nil)
    if result == 0 { pthread_detach(thread) } else { work.release() }
    return result == 0
  }
}
