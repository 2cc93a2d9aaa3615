import FoundationEssentials
public import SceneLifecycle
import Synchronization

extension Application {
  /// The time of background tasks: thirty seconds for all of them together.
  ///
  /// Time that has begun to run out is not changed.
  public var backgroundTimes: BackgroundTimes {
    get { value(BackgroundTimesKey.self) }
    set {
      setValue(newValue, BackgroundTimesKey.self)
      conductor?.perform(.send(AnyMessage(BackgroundTasks.self, .observe)))
    }
  }

  /// Begins a background task: work that should complete although the program may enter the background.
  ///
  /// While a task is open the program does not end when its last scene is closed, is not suspended, and delays sleep
  /// and shutdown of the machine (logind's inhibitors, where available). Any number may be open, and each needs an
  /// ``endBackgroundTask(_:)`` of its own.
  ///
  /// **Time.** In the foreground there is no limit. In the background all tasks together have ``backgroundTimes``' 30
  /// seconds, which run while one is open, and are whole again when a scene comes to the foreground, from its
  /// `sceneWillEnterForeground` on. One second before the end the handlers of all open tasks are called, in the order
  /// in which the tasks began, once each. Tasks that are open after that are named in the log and hold nothing any
  /// more; iOS kills a program for it, Proscenium does not.
  ///
  /// **Termination.** When the program or its user ends it, its scenes go to the background and its windows are hidden,
  /// its tasks complete in their time, and then its scenes are disconnected and `applicationWillTerminate` is called.
  /// Where a refusal is impossible (a signal, the end of the session, the loss of the display) the handlers are called
  /// at once, and one second is left. In `applicationWillTerminate` and after it no task begins.
  ///
  /// May be called on any thread, before the launch too. The task counts at once.
  /// - Parameters:
  ///   - name: The task's name in the log; the calling function where nil.
  ///   - expirationHandler: Called on the main thread shortly before the time is over; it has to end the task, and
  ///     return quickly.
  ///   - caller: The calling function.
  /// - Returns: The task; ``BackgroundTaskIdentifier/invalid`` if no time is left, and then the handler is
  ///   not called.
  public nonisolated func beginBackgroundTask(
    withName name: String?, expirationHandler: (@MainActor @Sendable () -> Void)? = nil,
    caller: StaticString = #function
  ) -> BackgroundTaskIdentifier {
    let id = backgroundTasks.begin(name ?? "\(caller)", expirationHandler)
    return id.map(BackgroundTaskIdentifier.init(rawValue:)) ?? .invalid
  }

  /// Begins a background task with the calling function's name; see
  /// ``beginBackgroundTask(withName:expirationHandler:caller:)``.
  /// - Parameters:
  ///   - expirationHandler: Called on the main thread shortly before the time is over.
  ///   - caller: The function that calls.
  /// - Returns: The task, or ``BackgroundTaskIdentifier/invalid``.
  public nonisolated func beginBackgroundTask(
    expirationHandler: (@MainActor @Sendable () -> Void)? = nil, caller: StaticString = #function
  ) -> BackgroundTaskIdentifier {
    beginBackgroundTask(withName: nil, expirationHandler: expirationHandler, caller: caller)
  }

  /// Ends a background task.
  ///
  /// May be called on any thread. A task that has ended before, or whose time was over, is logged and otherwise
  /// ignored. ``BackgroundTaskIdentifier/invalid`` is ignored without a log.
  /// - Parameter identifier: The task.
  public nonisolated func endBackgroundTask(_ identifier: BackgroundTaskIdentifier) {
    if identifier != .invalid { backgroundTasks.end(identifier.rawValue) }
  }

  /// The remaining time of the program's tasks; ``Swift/Duration/greatest`` while the program is in the foreground.
  ///
  /// On any thread. The program may end earlier: the user may terminate it, or turn the machine off.
  public nonisolated var backgroundTimeRemaining: Duration { backgroundTasks.timeLeft ?? .greatest }

  /// Whether the program may do work in the background by itself; from any thread.
  ///
  /// `.available` unless the desktop environment restricts it; X11 never does. Changes are posted as
  /// ``BackgroundRefreshStatusDidChangeMessage``.
  public nonisolated var backgroundRefreshStatus: BackgroundRefreshStatus { backgroundTasks.refreshStatus }

  /// Sets whether programs may do work in the background.
  package func update(backgroundRefreshStatus status: BackgroundRefreshStatus) {
    guard backgroundTasks.setRefreshStatus(status) else { return }
    let message = BackgroundRefreshStatusDidChangeMessage(application: self)
    NotificationCenter.default.post(message, subject: self)
  }

  /// Delays sleep and shutdown while a task is open; nil where no inhibitor is available.
  package var sleepInhibitor: (any SleepInhibitor)? {
    get { conductor?.feature(BackgroundTasks.self)?.inhibitor }
    set { conductor?.feature(BackgroundTasks.self)?.use(newValue) }
  }

  /// Whether a background task holds the program: it does not end with its last scene, and is not suspended.
  package var hasBackgroundTasks: Bool { !backgroundTasks.isEmpty }

  /// Begins a background task at once and runs work in it, for synchronous callers.
  ///
  /// Use it in `sceneDidEnterBackground(_:)` and other callbacks: the task counts before this returns. A `Task` that
  /// calls ``withBackgroundTask(_:operation:)`` begins its own only when it runs, and by then the program may have
  /// been suspended, or have ended. Otherwise the same as that function.
  /// - Parameters:
  ///   - name: The task's name in the log.
  ///   - operation: The work; on the actor that it is isolated to.
  /// - Returns: The task of the work; cancelling it cancels the work.
  @discardableResult
  public nonisolated func runBackgroundTask<Success: Sendable>(
    _ name: String, @_inheritActorContext operation: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    let (identifier, work) = startBackgroundTask(name, operation)
    return Task { try await finish(work, identifier) }
  }

  /// Runs work as a background task: see ``beginBackgroundTask(withName:expirationHandler:caller:)``.
  ///
  /// Shortly before the time is over the work is cancelled, and when the waiting task is cancelled. Where no time is
  /// left, the work runs cancelled from the beginning: work that checks `Task.isCancelled` does the least
  /// necessary. The background task begins when this function does: a synchronous callback calls
  /// ``runBackgroundTask(_:operation:)``.
  /// - Parameters:
  ///   - name: The task's name in the log.
  ///   - operation: The work; on the actor that it is isolated to.
  /// - Returns: The result of the work.
  /// - Throws: The error of the work.
  public nonisolated func withBackgroundTask<Success: Sendable, Failure: Error>(
    _ name: String,
    @_inheritActorContext operation: @escaping @Sendable () async throws(Failure) -> Success
  ) async throws(Failure) -> Success {
    let (identifier, work) = startBackgroundTask(name, operation)
    return try await finish(work, identifier)
  }

  private nonisolated func startBackgroundTask<Success: Sendable, Failure: Error>(
    _ name: String, _ operation: @escaping @Sendable () async throws(Failure) -> Success
  ) -> (BackgroundTaskIdentifier, Task<Result<Success, Failure>, Never>) {
    let expiry = Expiry()
    let identifier = beginBackgroundTask(withName: name) { expiry.come() }
    let work = Task { () -> Result<Success, Failure> in
      if identifier == .invalid { withUnsafeCurrentTask { $0?.cancel() } }
      do throws(Failure) {
        return .success(try await operation())
      } catch {
        return .failure(error)
      }
    }
    expiry.wait { work.cancel() }
    return (identifier, work)
  }

  private nonisolated func finish<Success: Sendable, Failure: Error>(
    _ work: Task<Result<Success, Failure>, Never>, _ identifier: BackgroundTaskIdentifier
  ) async throws(Failure) -> Success {
    let result = await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      work.cancel()
    }
    endBackgroundTask(identifier)
    return try result.get()
  }

  /// The end of a task's time, which may come before the work has begun.
  private final class Expiry: Sendable {
    private enum State {
      case open, come
      case awaited(@Sendable () -> Void)
    }
    private let state = Mutex(State.open)

    func come() {
      let before = state.withLock { state in
        defer { state = .come }
        return state
      }
      if case .awaited(let cancel) = before { cancel() }
    }

    func wait(_ cancel: @escaping @Sendable () -> Void) {
      let hasCome = state.withLock { state in
        if case .come = state { return true }
        state = .awaited(cancel)
        return false
      }
      if hasCome { cancel() }
    }
  }
}

private enum BackgroundTimesKey: ValueKey {
  static var initial: BackgroundTimes { BackgroundTimes() }
}

extension Duration {
  /// The longest duration: the value of ``Application/backgroundTimeRemaining`` while there is no limit.
  public static let greatest = Duration(secondsComponent: .max, attosecondsComponent: 0)
}
