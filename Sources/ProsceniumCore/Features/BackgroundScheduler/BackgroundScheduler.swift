/// Runs tasks of the program later, also when it is suspended or does not run (UIKit's `BGTaskScheduler`).
///
/// ```swift
/// func application(_ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?) -> Bool {
///   BackgroundScheduler.shared.register(forTaskWithIdentifier: "org.example.Reader.refresh") { task in
///     let work = Task {
///       let isFresh = await Feeds.shared.load()
///       task.setTaskCompleted(success: isFresh)
///     }
///     task.expirationHandler = { work.cancel() }
///   }
///   return true
/// }
/// ```
///
/// For the main thread. The manifest names the tasks (``ApplicationManifest/permittedTaskIdentifiers``). A request
/// lasts until its task has begun, also over the end of the program; a task that has begun is requested anew, best in
/// its handler. Times are times of day; a task begins at its time or soon after, when its needs are met.
///
/// Where the program runs, suspended or not, the task runs in it. Where it does not run, systemd's user manager starts
/// it (a transient timer, `org.freedesktop.systemd1`) in the background, with `--background` and without a window: the
/// launch callbacks are called, then the task's handler. Such a process ends when its tasks are over, unless it has
/// opened a scene or holds an execution mode: as after the last scene's close
/// (``ApplicationLifecycleDelegate/applicationShouldTerminateAfterLastSceneClosed(_:)``). The display must be there. A
/// task whose needs are not met when the program is started for it is tried again a quarter of an hour later. The
/// timers last until the end of the login session, and are set anew at the next launch. Without systemd tasks run only
/// while the program does, which is said once on standard error; so it is with ``InstancePolicy/separateStores``.
///
/// Nothing is started, asked or watched before a request is pending: the battery (UPower) and the low-power mode are
/// followed while a request waits for them, the kernel's routes likewise.
@MainActor public final class BackgroundScheduler {
  /// The scheduler of ``Application/shared``.
  public static var shared: BackgroundScheduler { BackgroundScheduler(Application.shared) }

  private let application: Application

  init(_ application: Application) { self.application = application }

  private var feature: BackgroundSchedulerFeature? { application.conductor?.feature(BackgroundSchedulerFeature.self) }

  /// Registers the handler of a task; during the launch callbacks at the latest.
  ///
  /// Each identifier has one handler, which is called when its task begins, never before the launch callbacks have
  /// returned. It has to call ``BackgroundTask/setTaskCompleted(success:)`` when its work is done. The tasks have the
  /// program's background time: thirty seconds, whole again when a task begins (``Application/backgroundTimes``), which
  /// run while every scene is in the background; shortly before its end ``BackgroundTask/expirationHandler`` is called.
  /// At most one task of an identifier runs at a time. A pending request without a handler is removed after the launch,
  /// and reported.
  /// - Parameters:
  ///   - identifier: The task, one of ``ApplicationManifest/permittedTaskIdentifiers``.
  ///   - launchHandler: Begins the work, and returns quickly; on the main thread.
  /// - Returns: Whether it was registered: not twice, not after the launch, and not what is not permitted; reported
  ///   on standard error.
  @discardableResult
  public func register(
    forTaskWithIdentifier identifier: String, launchHandler: @escaping @MainActor (BackgroundTask) -> Void
  ) -> Bool {
    if let feature { return feature.register(identifier, launchHandler) }
    Application.report("The task \"\(identifier)\" gets no handler: the program has not been launched.")
    return false
  }

  /// Submits a request, in place of the pending one for the same task.
  ///
  /// On return it is on disk. A task that runs is not disturbed: the request is for the next time, a minute after the
  /// task began at the earliest.
  /// - Parameter request: The request.
  /// - Throws: ``BackgroundSchedulerError`` where it is not accepted; the pending request stays.
  public func submit(_ request: some BackgroundTaskRequest) throws(BackgroundSchedulerError) {
    guard let feature else { throw .unavailable(reason: "the program has not been launched") }
    try feature.submit(PendingTask(request))
  }

  /// Cancels the pending request of a task; a task that runs goes on.
  /// - Parameter identifier: The task.
  public func cancel(taskRequestWithIdentifier identifier: String) { feature?.cancel { $0 == identifier } }

  /// Cancels all pending requests.
  public func cancelAllTaskRequests() { feature?.cancel { _ in true } }

  /// The requests whose tasks have not begun, in the order of their identifiers.
  public var pendingTaskRequests: [any BackgroundTaskRequest] { feature?.pending.map(\.request) ?? [] }

  /// Whether the user lets the program do work in the background by itself; true at first, kept on disk.
  ///
  /// For a switch in the program's settings. While it is false no task begins, the program is not started for any, and
  /// ``Application/backgroundRefreshStatus`` is `.denied`; requests stay.
  public var isAllowedByUser: Bool {
    get { feature?.isAllowedByUser ?? true }
    set { feature?.setAllowedByUser(newValue) }
  }
}
