internal import Glibc

/// Runs a function that may wait, for a disk or a server, on a thread of its own; the task goes on on the main thread.
///
/// The thread ends with the function, and receives the signals that the main thread receives: so do processes that the
/// function starts. Nothing is left that wakes the program, as after the first use of Swift's threads off the main
/// actor: see ``withMainActorContinuation(_:)``.
///
///     let size = await runBesideMainThread { size(ofFolder: path) }
///
/// - Parameter body: The function; it runs to its end, also where the task is cancelled. Where the process has reached
///   its limit of threads it runs on the main thread.
/// - Returns: What the function has returned.
@MainActor public func runBesideMainThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withMainActorContinuation { continuation in
    let work: @Sendable () -> Void = { continuation.resume(returning: body()) }
    if !DetachedThread.run(blocksSignals: false, work) { work() }
  }
}

/// A thread for one piece of work.
package enum DetachedThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// All signals but those of a thread's own faults: where one of these is blocked, the kernel ends the process without
  /// its handlers.
  private static let allButFaults: sigset_t = {
    var set = sigset_t()
    sigfillset(&set)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS] { sigdelset(&set, fault) }
    return set
  }()

  /// Runs a function on a thread of its own.
  /// - Parameters:
  ///   - stackSize: The size of the stack in bytes; the system's usual one where nil.
  ///   - blocksSignals: Whether it receives no signals but those of its own faults; else those of the calling thread.
  ///   - body: The function.
  /// - Returns: Whether there is such a thread; false where the process has reached its limit.
  package static func run(
    stackSize: Int? = nil, blocksSignals: Bool = true, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    let work = Unmanaged.passRetained(Work(body))
    var thread: pthread_t = 0
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
    func create() -> Int32 {
      pthread_create(
        &thread, &attributes,
        { argument in
          guard let argument else { return nil }
          // Released when the function has returned: the first memory that a thread frees makes the C library map 128
          // MB for it, which the watchdog's thread, begun first in a launch, never needs.
          let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
          withExtendedLifetime(work) { work.body() }
          return nil
        }, work.toOpaque())
    }
    let result = blocksSignals ? withoutSignals(create) : create()
    if result == 0 { pthread_detach(thread) } else { work.release() }
    return result == 0
  }

  /// Calls a function; meanwhile this thread receives no signals but those of its own faults.
  package static func withoutSignals<Value>(_ body: () -> Value) -> Value {
    var blocked = allButFaults
    var before = sigset_t()
    pthread_sigmask(SIG_SETMASK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
  }
}
