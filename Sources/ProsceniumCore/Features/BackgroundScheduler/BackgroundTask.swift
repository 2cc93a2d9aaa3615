/// A task that the system has begun for the program (UIKit's `BGTask`); given to the handler that was registered with
/// ``BackgroundScheduler/register(forTaskWithIdentifier:launchHandler:)``.
@MainActor public final class BackgroundTask {
  /// The kinds of tasks.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Of an ``AppRefreshTaskRequest``.
    case refresh
    /// Of a ``ProcessingTaskRequest``.
    case processing
  }

  /// The task's identifier.
  public let identifier: String
  /// The kind of the request.
  public let kind: Kind
  /// Called once, one second before the task's time is over, and when the program has to end; it has to stop the work
  /// and call ``setTaskCompleted(success:)``.
  ///
  /// A task without a handler is over then. It is not called once the task is completed.
  public var expirationHandler: (@MainActor () -> Void)? { didSet { assertMainThread() } }
  /// Whether the task is over: completed, or expired.
  public private(set) var isOver = false
  private let onCompletion: @MainActor (BackgroundTask, Bool) -> Void

  init(
    identifier: String, kind: Kind, onCompletion: @escaping @MainActor (BackgroundTask, _ success: Bool) -> Void
  ) {
    (self.identifier, self.kind, self.onCompletion) = (identifier, kind, onCompletion)
  }

  /// Ends the task: the program may be suspended again, or end where it was started for the task.
  ///
  /// A task that is over is not completed again.
  /// - Parameter success: Whether its work was done, for the trace; a task that failed is not repeated by itself.
  public func setTaskCompleted(success: Bool) {
    assertMainThread()
    guard !isOver else { return }
    end()
    onCompletion(self, success)
  }

  /// The task is over; handlers capture what they work with.
  func end() { (isOver, expirationHandler) = (true, nil) }
}
