import Glibc

/// A thread for one piece of work.
///
/// Not libdispatch's global queues: once one of them has been used, libdispatch on Linux looks after its threads once
/// a second for as long as the process lives, and an idle program would never sleep.
enum BriefThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs the work on a thread of its own; whether there could be one.
  static func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(body))
    var thread: pthread_t = 0
    let result = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    if result == 0 { pthread_detach(thread) } else { work.release() }
    return result == 0
  }
}
