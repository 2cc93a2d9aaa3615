private import Dispatch
private import Synchronization

/// A gate that is open while the program runs and closed while it is suspended: for work on other threads.
///
/// The main thread, the main queue and main-actor tasks stop by themselves, and so do libdispatch's timers of every
/// queue, `Task.sleep` and `asyncAfter` with them: timers that become due are performed when the program runs again.
/// Other threads, queues and tasks run on as long as they have work without such a timer, unless they wait here between
/// two pieces of it. All functions may be called from any thread. A thread that is in the middle of a piece when the
/// gate closes is not stopped.
public final class ExecutionGate: Sendable {
  private struct State {
    var isOpen = true
    var waiters: [Int: @Sendable () -> Void] = [:]
    var count = 0
  }
  private let state = Mutex(State())

  init() {}

  /// Whether the program runs now; it may change a moment later.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Returns at once while the program runs, else when it runs again, or when the task is cancelled.
  public func wait() async {
    let ticket = state.withLock { state in
      state.count += 1
      return state.count
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let passes = state.withLock { state in
          // Cancelled before it could be resumed.
          if state.isOpen || Task.isCancelled { return true }
          state.waiters[ticket] = { continuation.resume() }
          return false
        }
        if passes { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: ticket) }?()
    }
  }

  /// Returns at once while the program runs, else blocks the thread until it runs again.
  ///
  /// Not for the main thread, which is stopped by itself.
  @available(*, noasync, message: "Use `await wait()`, which does not block a thread.")
  public func wait() {
    let signal = DispatchSemaphore(value: 0)
    let waits = state.withLock { state in
      guard !state.isOpen else { return false }
      state.count += 1
      state.waiters[state.count] = { signal.signal() }
      return true
    }
    if waits { signal.wait() }
  }

  /// The number of waiters.
  var waiting: Int { state.withLock { $0.waiters.count } }

  func close() { state.withLock { $0.isOpen = false } }

  func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      return exchange(&state.waiters, with: [:])
    }
    for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) { waiter() }
  }
}
