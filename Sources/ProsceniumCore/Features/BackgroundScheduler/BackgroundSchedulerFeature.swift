import ProsceniumJSON
import ProsceniumLoop
import ProsceniumStore
import ProsceniumTrace

/// Begins the program's tasks at their times, when their needs are met; keeps the requests on disk; and has the program
/// started for them where it does not run.
final class BackgroundSchedulerFeature: FeatureBase, Feature {
  enum Message: Equatable {
    /// A task may begin: a request, its time or its needs have changed.
    case observe
    /// The program that was started for a task may end.
    case checkEnd
    /// The disk may give, or take, what it has not.
    case tryFileAgain
  }

  private struct Running {
    var task: BackgroundTask
    var work: BackgroundTaskIdentifier
  }

  /// How far the launch has come: handlers are registered until it is over, and tasks begin then.
  private enum Stage: Comparable { case before, configured, opened, launched, ready, over }

  /// How much later than the program itself the service manager acts, in seconds: a program that runs is not disturbed.
  static let margin = 10
  /// The time from a start whose needs were not met to the next one, in seconds.
  static let retry = 900.0

  private var stage = Stage.before
  private var handlers: [String: @MainActor (BackgroundTask) -> Void] = [:]
  /// The requests, read at their first use.
  private lazy var stored = StoredSchedule<TaskSchedule>(
    .tasks, "scheduled tasks", conductor, retryingAt: .taskFile, with: AnyMessage(Self.self, .tryFileAgain)
  ) { [manifest] schedule in
    // Another version of the program may have had other tasks.
    schedule.pending = schedule.pending.filter { manifest.permittedTaskIdentifiers.contains($0.key) }
  }
  private var running: [String: Running] = [:]
  private var conditions = WorkConditions()
  /// When the tasks of this process began, in seconds since 1970.
  private var begins: [String: Double] = [:]
  /// When tasks are looked at again whose needs are not met, in seconds since 1970.
  private var retries: [String: Double] = [:]
  /// The program was started for a task, and has shown nothing.
  private var endsAfterTasks = false

  static let manifestProperties: [ManifestProperty] = [
    .texts("permittedTaskIdentifiers", \.permittedTaskIdentifiers),
    .flag("allowsBackgroundRefresh", \.allowsBackgroundRefresh),
  ]

  private var monitor: (any WorkMonitor)? { application.host.machine.work }
  private var manifest: ApplicationManifest { application.resolvedManifest }
  private var isAllowed: Bool { manifest.allowsBackgroundRefresh && isAllowedByUser }

  /// A crash before a run of which nobody has seen anything is still one.
  override var takesRunBack: Bool { endsAfterTasks }

  /// Whether the program was started for a task, and it is not known yet what that is, or whether its needs are met.
  override var keepsRunning: Bool {
    endsAfterTasks && stage == .ready && (stored.isAwaited || waits(where: { $0 == .unknown }))
  }

  // MARK: The program's side

  func register(_ identifier: String, _ handler: @escaping @MainActor (BackgroundTask) -> Void) -> Bool {
    let refusal: String? =
      if stage >= .launched {
        "handlers are registered before application(_:didFinishLaunchingWithOptions:) returns"
      } else if handlers[identifier] != nil {
        "it has one already"
      } else if stage >= .configured, !manifest.permittedTaskIdentifiers.contains(identifier) {
        Self.notPermitted
      } else {
        nil
      }
    if let refusal { conductor.report("The task \"\(identifier)\" gets no handler: \(refusal).") }
    if refusal == nil { handlers[identifier] = handler }
    return refusal == nil
  }

  private static let notPermitted = "permittedTaskIdentifiers of the manifest does not have it"

  func submit(_ task: PendingTask) throws(BackgroundSchedulerError) {
    guard let monitor, stage >= .opened, stage < .over else {
      throw .unavailable(reason: "the program has not been launched, or ends")
    }
    guard manifest.permittedTaskIdentifiers.contains(task.identifier) else {
      throw .notPermitted(identifier: task.identifier)
    }
    guard isAllowed else { throw .unavailable(reason: "background work is not allowed") }
    guard schedule.hasRoom(for: task) else { throw .tooManyPendingTaskRequests }
    var task = task
    let now = monitor.now
    let earliest = max(task.earliest ?? now, now, (begins[task.identifier] ?? -.infinity) + PendingTask.pause)
    task.begin = min(earliest, PendingTask.latest)
    do throws(FileError) {
      try stored.save { [task] in $0.pending[task.identifier] = task }
    } catch {
      throw .unavailable(reason: "it cannot be saved: \(error)")
    }
    retries[task.identifier] = nil
    conductor.trace(.system("taskSubmitted", details(task.identifier, task.kind)))
    conductor.post(Self.self, .observe)
  }

  func cancel(_ isMeant: @escaping (String) -> Bool) {
    keep { $0.remove(isMeant) }
  }

  var pending: [PendingTask] { schedule.ordered }

  var isAllowedByUser: Bool { schedule.isAllowedByUser }

  func setAllowedByUser(_ isAllowed: Bool) {
    assertMainThread()
    keep { $0.isAllowedByUser = isAllowed }
  }

  // MARK: The file

  private var schedule: TaskSchedule { stage >= .opened ? stored.contents : TaskSchedule() }

  /// Makes a change that counts in this process, whether it can be saved or not.
  private func keep(_ change: @escaping (inout TaskSchedule) -> Void) {
    if stage >= .opened, stored.keep(change) { conductor.post(Self.self, .observe) }
  }

  // MARK: Launch and end

  /// The task that the service manager has started the program for.
  private var startTask: String? {
    let task = conductor.feature(Launch.self)?.options.scheduledTask
    return task == WorkStart.notice ? nil : task
  }

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.handle, .whileSuspended, .keepsRunning, .takesRunBack, by: self)
    lists.observe(moments: .applicationStateSet, .backgroundTasksChanged, by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .configured:
      stage = .configured
      return dropUnpermitted() + updateStatus()
    // A store that cannot be opened at the launch is opened later.
    case .storeOpened:
      if stage >= .launched { stored.tryAgain() }
      stage = max(stage, .opened)
    case .launched: stage = .launched
    case .started: return begin()
    case .applicationStateSet: if application.applicationState != .background { endsAfterTasks = false }
    case .backgroundTasksChanged: return dropExpired()
    case .executionChanged: return endsAfterTasks ? [post(.checkEnd)] : []
    case .resumed: return stage == .ready ? [post(.observe)] : []
    case .terminating: return end()
    default: break
    }
    return []
  }

  private func dropUnpermitted() -> [FeatureAction] {
    let dropped = handlers.keys.filter { !manifest.permittedTaskIdentifiers.contains($0) }.sorted()
    return dropped.map { identifier in
      handlers[identifier] = nil
      return .report("The task \"\(identifier)\" has no handler: \(Self.notPermitted).")
    }
  }

  /// The launch is over; a program without tasks reads nothing.
  private func begin() -> [FeatureAction] {
    endsAfterTasks = startTask != nil && application.applicationState == .background
    // A timer of an earlier version may start a program that has no tasks any more.
    guard endsAfterTasks || !manifest.permittedTaskIdentifiers.isEmpty else { return [] }
    stage = .ready
    return [post(.observe), post(.checkEnd)]
  }

  /// The process ends: what still runs is over, and what waits for its needs is tried later.
  private func end() -> [FeatureAction] {
    guard stage == .ready else { return [] }
    let lines = running.values.sorted { $0.task.identifier < $1.task.identifier }.map { ended($0, "expired") }
    retries = [:]
    stored.finish()
    if let monitor { arm(at: monitor.now) }
    stage = .over
    return lines
  }

  // MARK: Observing

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .observe: observe()
    case .checkEnd: checkEnd()
    case .tryFileAgain: tryFileAgain()
    }
  }

  private func tryFileAgain() -> [FeatureAction] {
    stored.tryAgain()
    return observe() + (conductor.isSuspended ? [] : [post(.checkEnd)])
  }

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    guard case .scheduledWork(let news) = event else { return [] }
    switch news {
    case .due: break
    case .conditions(let next): conditions = next
    case .run(let identifier): return schedule.pending[identifier].map { begin($0) } ?? []
    }
    // A message would wake a suspended program.
    return observe() + (conductor.isSuspended ? [] : [post(.checkEnd)])
  }

  /// A suspended program runs for a task that begins, and for nothing else.
  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    guard case .scheduledWork(let news) = event else { return nil }
    switch news {
    case .due: return isDue(conditions) ? .wakes : .handledAsleep
    case .conditions(let next): return isDue(next) ? .wakes : .handledAsleep
    case .run: return .wakes
    }
  }

  private func isDue(_ conditions: WorkConditions) -> Bool {
    guard let monitor, isAllowed else { return false }
    return !schedule.due(at: monitor.now, conditions, running: Set(running.keys)).isEmpty
  }

  /// Begins the tasks that are due, and waits for the next one.
  private func observe() -> [FeatureAction] {
    guard let monitor, stage == .ready, !conductor.machine.phase.isEnding else { return [] }
    guard !conductor.isSuspended else {
      arm(at: monitor.now)
      return []
    }
    var actions = dropUnhandled()
    if isAllowed {
      let due = schedule.due(at: monitor.now, conditions, running: Set(running.keys))
      actions += due.flatMap { begin($0) }
    }
    arm(at: monitor.now)
    return actions + updateStatus()
  }

  /// Requests that nothing could ever serve would start the program again and again.
  private func dropUnhandled() -> [FeatureAction] {
    let dropped = schedule.ordered.filter { handlers[$0.identifier] == nil }
    guard !dropped.isEmpty else { return [] }
    keep { schedule in for task in dropped { schedule.pending[task.identifier] = nil } }
    return dropped.map {
      .report("The request for the task \"\($0.identifier)\" is dropped: no handler was registered during the launch.")
    }
  }

  /// Sets the timers, and follows what requests wait for: conditions only where their time has come.
  private func arm(at now: Double) {
    guard let monitor else { return }
    let schedule = isAllowed ? schedule : TaskSchedule()
    var needs: Set<WorkCondition> = []
    for task in schedule.pending.values {
      // The status depends on the user's wish to save power while a refresh is pending.
      needs.formUnion(task.begin(at: now) <= now ? task.needs : task.needs.intersection([.fullPower]))
    }
    monitor.follow(needs)
    for condition in WorkCondition.allCases where !needs.contains(condition) { conditions[condition] = nil }
    var times = schedule.pending.mapValues { nextLook(at: $0, after: now) }
    monitor.wake(at: times.values.min())
    // The start for a request that cannot be read has gone off, and would be the last one.
    if stored.isUnread, isAllowed, let startTask { times[startTask] = nextLook(at: startTask, after: now) }
    // A process that has its own store by chance is not the one that would be started.
    let isKept = manifest.instancePolicy != .separateStores && (conductor.store != nil || stored.isUnread)
    let starts = times.map { WorkStart(identifier: $0.key, time: Int($0.value.rounded(.up)) + Self.margin) }
    monitor.setStarts(isKept ? Set(starts) : [], of: conductor.identity.id)
  }

  /// When a request is looked at next.
  ///
  /// While one waits for its needs, the start is put off before the service manager acts: a start that has gone off
  /// would be the last one, if this process is killed.
  private func nextLook(at task: PendingTask, after now: Double) -> Double {
    let begin = task.begin(at: now)
    return begin <= now ? nextLook(at: task.identifier, after: now) : begin
  }

  private func nextLook(at identifier: String, after now: Double) -> Double {
    // One that is farther away is of a clock that was ahead.
    if let retry = retries[identifier], retry > now, retry <= now + Self.retry { return retry }
    let retry = now + Self.retry
    retries[identifier] = retry
    return retry
  }

  private func updateStatus() -> [FeatureAction] {
    let status: BackgroundRefreshStatus =
      if !manifest.allowsBackgroundRefresh {
        .restricted
      } else if !isAllowedByUser || conditions.hasFullPower == false {
        .denied
      } else {
        .available
      }
    return status == application.backgroundRefreshStatus ? [] : [.callAfterSettling(StatusCall(status: status))]
  }

  // MARK: Tasks

  /// Begins a task, with all of the background time.
  ///
  /// Where that is about to be over the task begins afterwards.
  private func begin(_ pending: PendingTask) -> [FeatureAction] {
    let identifier = pending.identifier
    guard let handler = handlers[identifier], running[identifier] == nil else { return [] }
    conductor.perform(.send(AnyMessage(BackgroundTasks.self, .grant)))
    let work = application.beginBackgroundTask(withName: "the scheduled task \(identifier)") { [weak self] in
      self?.expire(identifier)
    }
    guard work != .invalid else { return [] }
    keep { $0.pending[identifier] = nil }
    retries[identifier] = nil
    begins[identifier] = monitor?.now
    let task = BackgroundTask(identifier: identifier, kind: pending.kind) { [weak self] task, success in
      self?.finish(task, success ? "completed" : "failed")
    }
    running[identifier] = Running(task: task, work: work)
    return [
      .traceSystem("taskBegan", details(identifier, pending.kind)),
      .callAfterSettling(TaskCall(task: task, handler: FunctionCall { handler(task) })),
    ]
  }

  private func details(_ identifier: String, _ kind: BackgroundTask.Kind) -> TraceDetails {
    ["task": .string(identifier), "type": .string(kind.rawValue)]
  }

  /// The time of a task is nearly over.
  private func expire(_ identifier: String) {
    guard let task = running[identifier]?.task, !task.isOver else { return }
    conductor.trace(.system("taskExpires", details(identifier, task.kind)))
    guard let handler = task.expirationHandler else { return finish(task, "expired") }
    task.expirationHandler = nil
    handler()
  }

  private func finish(_ task: BackgroundTask, _ outcome: String) {
    guard let run = running[task.identifier], run.task === task else { return }
    conductor.perform(ended(run, outcome))
  }

  /// A task is over: another one may begin, and the program may end.
  private func ended(_ run: Running, _ outcome: String) -> FeatureAction {
    let task = run.task
    running[task.identifier] = nil
    task.end()
    application.backgroundTasks.finish(run.work.rawValue)
    conductor.post(Self.self, .observe)
    conductor.post(Self.self, .checkEnd)
    var details = details(task.identifier, task.kind)
    details.append("outcome", .string(outcome))
    return .traceSystem("taskEnded", details)
  }

  /// Tasks that were not completed within their time are over; others may begin that had none.
  private func dropExpired() -> [FeatureAction] {
    guard stage == .ready else { return [] }
    let lines = running.values.filter { !application.backgroundTasks.isOpen($0.work.rawValue) }
      .sorted { $0.task.identifier < $1.task.identifier }.map { ended($0, "expired") }
    return lines + (isDue(conditions) ? [post(.observe)] : [])
  }

  /// Whether a task whose time has come waits for this obstacle; nil for one that is about to begin.
  private func waits(where isMeant: (PendingTask.Obstacle?) -> Bool) -> Bool {
    guard let monitor, isAllowed else { return false }
    let now = monitor.now
    return schedule.pending.values.contains { $0.begin(at: now) <= now && isMeant($0.obstacle(conditions)) }
  }

  /// Ends the program that was started for a task, unless something else keeps it.
  private func checkEnd() -> [FeatureAction] {
    guard endsAfterTasks, stage == .ready, running.isEmpty, !conductor.holdsExecution else { return [] }
    guard !stored.isAwaited, !waits(where: { $0 != .unmet }) else { return [] }
    switch conductor.machine.model {
    case .sceneBased: return [.send(AnyMessage(Closing.self, .checkLastScene))]
    // Its implicit scene is there without a window, too. A window that was asked for may not be in the foreground yet.
    case .appBased where roster.contains(where: \.windows.isAnyShown): return []
    case .appBased: return [.post(AnyMessage(Termination.self, .ask(.requested, status: 0)))]
    }
  }
}

/// The disk may be ill.
extension Deadline { fileprivate static let taskFile = Deadline("taskFile") }
