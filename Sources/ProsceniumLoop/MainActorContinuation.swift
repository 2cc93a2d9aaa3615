internal import Dispatch
internal import Synchronization

/// Suspends the present task until a continuation is resumed, on any thread; the task goes on on the main thread.
///
/// Does what `withCheckedContinuation` does, without libdispatch's global queues, by way of which Swift resumes
/// continuations: from their first use on, libdispatch wakes the process once a second to look after their threads, for
/// as long as it is not suspended. The asynchronous methods of documents, pasteboards and dialogs wait so.
///
///     let answer = await withMainActorContinuation { continuation in
///       client.ask { continuation.resume(returning: $0) }
///     }
///
/// - Parameter body: Called at once, on the main thread.
/// - Returns: What the continuation is resumed with.
@MainActor public func withMainActorContinuation<Value: Sendable>(
  _ body: (MainActorContinuation<Value>) -> Void
) async -> Value {
  let continuation = MainActorContinuation<Value>()
  // Not within what follows, which leaves the main thread first: what is asked for is asked for now.
  body(continuation)
  if let value = continuation.value { return value }
  return await withTaskExecutorPreference(MainQueueExecutor.shared) {
    await withCheckedContinuation { continuation.wait($0) }
  }
}

/// What a task waits for in ``withMainActorContinuation(_:)``.
public final class MainActorContinuation<Value: Sendable>: Sendable {
  private enum State {
    case empty
    case waiting(CheckedContinuation<Value, Never>)
    case resumed(Value)
  }
  private let state = Mutex(State.empty)

  fileprivate init() {}

  /// Lets the task go on; on any thread.
  ///
  /// The first value counts.
  /// - Parameter value: What ``withMainActorContinuation(_:)`` returns.
  public func resume(returning value: Value) {
    let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
      switch state {
      case .resumed: return nil
      case .empty:
        state = .resumed(value)
        return nil
      case .waiting(let task):
        state = .resumed(value)
        return task
      }
    }
    waiting?.resume(returning: value)
  }

  fileprivate var value: Value? { state.withLock { if case .resumed(let value) = $0 { value } else { nil } } }

  fileprivate func wait(_ task: CheckedContinuation<Value, Never>) {
    let value = state.withLock { state -> Value? in
      if case .resumed(let value) = state { return value }
      state = .waiting(task)
      return nil
    }
    if let value { task.resume(returning: value) }
  }
}

extension MainActorContinuation where Value == Void {
  /// Lets the task go on; on any thread.
  public func resume() { resume(returning: ()) }
}

/// Runs the jobs of a task that are no actor's on the main queue: among them the one that resumes a continuation.
private final class MainQueueExecutor: TaskExecutor {
  static let shared = MainQueueExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    DispatchQueue.main.async { job.runSynchronously(on: executor) }
  }
}
