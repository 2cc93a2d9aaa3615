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
  /// The time that tasks have, and what happens to them at the program's end: <doc:InTheBackground>. From
  /// `applicationWillTerminate` on no task begins. On any thread, before the launch too; the task counts at once.
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

  /// Whether the program may do work in the background by itself, by its manifest, its user and the power saver.
  ///
  /// From any thread; the user's choice is known after the launch. See ``BackgroundRefreshStatusDidChangeMessage``.
  public nonisolated var backgroundRefreshStatus: BackgroundRefreshStatus { backgroundTasks.refreshStatus }

  /// Whether a background task holds the program: it does not end with its last scene, and is not suspended.
  package var hasBackgroundTasks: Bool { !backgroundTasks.isEmpty }

  /// Begins a background task at once and runs work in it, for synchronous callers.
  ///
  /// The task counts before this returns. A `Task` that calls ``withBackgroundTask(_:operation:)``, which is the same
  /// otherwise, begins its own only when it runs, and by then the program may have been suspended, or have ended.
  /// - Parameters:
  ///   - name: The task's name in the log.
  ///   - operation: The work; on the actor that it is isolated to.
  /// - Returns: The task of the work; cancelling it cancels the work.
  @discardableResult
  public nonisolated func runBackgroundTask<Success: Sendable>(
    _ name: String, @_inheritActorContext operation: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    let work = BackgroundWork(name, self, operation)
    return Task { try await work.finish() }
  }

  /// Runs work as a background task: see ``beginBackgroundTask(withName:expirationHandler:caller:)``.
  ///
  /// Shortly before the time is over the work is cancelled, and when the waiting task is cancelled. Where no time is
  /// left, the work runs cancelled from the beginning: work that checks `Task.isCancelled` does the least necessary.
  /// A synchronous callback calls ``runBackgroundTask(_:operation:)``.
  /// - Parameters:
  ///   - name: The task's name in the log.
  ///   - operation: The work; on the actor that it is isolated to.
  /// - Returns: The result of the work.
  /// - Throws: The error of the work.
  public nonisolated func withBackgroundTask<Success: Sendable, Failure: Error>(
    _ name: String,
    @_inheritActorContext operation: @escaping @Sendable () async throws(Failure) -> Success
  ) async throws(Failure) -> Success {
    return try await BackgroundWork(name, self, operation).finish()
  }
}

private enum BackgroundTimesKey: ValueKey { static var initial: BackgroundTimes { BackgroundTimes() } }

extension Duration {
  /// The longest duration: the value of ``Application/backgroundTimeRemaining`` while there is no limit.
  public static let greatest = Duration(secondsComponent: .max, attosecondsComponent: 0)
}

extension Conductor {
  /// Delays sleep and shutdown while a task is open; nil where no inhibitor is available.
  package var sleepInhibitor: (any SleepInhibitor)? {
    get { feature(BackgroundTasks.self)?.inhibitor }
    set { feature(BackgroundTasks.self)?.use(newValue) }
  }
}
