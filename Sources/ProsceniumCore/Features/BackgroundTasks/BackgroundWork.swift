import Synchronization

/// Work that runs as a background task, and is cancelled shortly before its time is over.
struct BackgroundWork<Success: Sendable, Failure: Error>: Sendable {
  private let application: Application
  private let identifier: BackgroundTaskIdentifier
  private let task: Task<Result<Success, Failure>, Never>

  /// Begins a background task, and the work in it.
  /// - Parameters:
  ///   - name: The name of the task in the log.
  ///   - application: The application.
  ///   - operation: The work.
  init(
    _ name: String, _ application: Application, _ operation: @escaping @Sendable () async throws(Failure) -> Success
  ) {
    self.application = application
    let expiry = Expiry()
    let identifier = application.beginBackgroundTask(withName: name) { expiry.come() }
    let task = Task { () -> Result<Success, Failure> in
      if identifier == .invalid { withUnsafeCurrentTask { $0?.cancel() } }
      do throws(Failure) {
        return .success(try await operation())
      } catch {
        return .failure(error)
      }
    }
    expiry.wait { task.cancel() }
    self.identifier = identifier
    self.task = task
  }

  /// Waits for the work, and ends the background task.
  /// - Returns: The result of the work.
  /// - Throws: The error of the work.
  func finish() async throws(Failure) -> Success {
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    application.backgroundTasks.finish(identifier.rawValue)
    return try result.get()
  }
}

/// The end of a task's time, which may come before the work has begun.
private final class Expiry: Sendable {
  private let state = Mutex<(hasCome: Bool, cancel: (@Sendable () -> Void)?)>((false, nil))

  func come() {
    let cancel = state.withLock { state in
      state.hasCome = true
      return state.cancel
    }
    cancel?()
  }

  func wait(_ cancel: @escaping @Sendable () -> Void) {
    let hasCome = state.withLock { state in
      state.cancel = cancel
      return state.hasCome
    }
    if hasCome { cancel() }
  }
}
