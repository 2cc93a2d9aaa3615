internal import Dispatch
internal import Synchronization

/// A value that threads share, and wait for changes of.
final class Monitor<Value: Sendable>: Sendable {
  private struct State {
    var value: Value
    var waiting: [DispatchSemaphore] = []
  }

  private let state: Mutex<State>

  init(_ value: Value) { state = Mutex(State(value: value)) }

  /// Reads or changes the value, and wakes the threads that wait for it.
  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    state.withLock { state in
      for semaphore in state.waiting { semaphore.signal() }
      state.waiting = []
      return body(&state.value)
    }
  }

  /// Waits until a condition has a result.
  /// - Parameters:
  ///   - timeout: The longest time to wait; nil for no limit.
  ///   - condition: Looks at the value, under the lock, each time that it may have changed.
  /// - Returns: The result; nil where the time is over.
  func wait<Result: Sendable>(for timeout: Duration?, until condition: (Value) -> Result?) -> Result? {
    let end = timeout.map { DispatchTime.now() + .nanoseconds(Int($0 / .nanoseconds(1))) } ?? .distantFuture
    var isOver = false
    while true {
      let semaphore = DispatchSemaphore(value: 0)
      let result = state.withLock { state in
        let result = condition(state.value)
        if result == nil, !isOver { state.waiting.append(semaphore) }
        return result
      }
      if result != nil || isOver { return result }
      isOver = semaphore.wait(timeout: end) == .timedOut
    }
  }
}
