import ProsceniumJSON
import ProsceniumLoop
import ProsceniumTrace

/// Gives the program time for tasks in the background, and delays sleep, suspension and termination for them.
final class BackgroundTasks: FeatureBase, Feature, LoopObserver {
  enum Message: Equatable {
    /// A task has begun or ended on some thread.
    case changed
    /// Background time, or the times that the program chose, may have changed.
    case observe
    /// Scheduled work begins: all of the time is there again.
    case grant
    /// A part of background time is over, or the program has to end.
    case reduce(BackgroundTimeMachine.Input)
    /// No task is open any more.
    case done
    /// The termination continues with this input once no task is open.
    case endAfterTasks(ApplicationMachine.Input)
  }

  private var machine = BackgroundTimeMachine.State()
  /// The remaining time while it is paused; nil where all of it is left.
  private var left: Duration?
  /// The end of the time while it runs, on the platform's clock in seconds.
  private var end: Double?
  /// The last scene has been closed, and a task keeps the program from ending.
  private var holdsLastScene = false
  /// The input with which the termination continues, once no task is open.
  private var heldEnd: ApplicationMachine.Input?
  /// Delays sleep and shutdown while a task is open; nil where no inhibitor is available.
  private(set) var inhibitor: (any SleepInhibitor)?

  private let tasks: BackgroundTaskTable
  /// A year stands for an unlimited time.
  private static let longest = Duration.seconds(31_536_000)
  private var total: Duration { min(max(.zero, application.backgroundTimes.total), Self.longest) }
  /// How long before the end of the time the handlers are called.
  private var warning: Duration { min(max(.zero, application.backgroundTimes.warning), total) }

  required init(_ conductor: Conductor) {
    tasks = conductor.application.backgroundTasks
    super.init(conductor)
  }

  /// Whether a task holds the program, as observed last.
  var holds: Bool { machine.holds }

  /// The time that a terminating program has left.
  var timeToEnd: Duration { min(tasks.timeLeft ?? total, total) }

  /// Sets the inhibitor of sleep and shutdown.
  func use(_ inhibitor: (any SleepInhibitor)?) {
    if machine.holds { self.inhibitor?.release() }
    self.inhibitor = inhibitor
    if machine.holds { inhibitor?.inhibit(reason: Self.reason) }
  }

  /// Keeps the program from ending after its last scene, until no task is open; whether it does.
  func holdLastScene() -> Bool {
    guard machine.holds else { return false }
    holdsLastScene = true
    return true
  }

  // MARK: Observing

  override func join(_ lists: inout FeatureLists) {
    lists.observe(.turnBegan, .betweenItems, by: self)
    lists.observe(before: [.sceneWillEnterForeground], by: self)
    lists.observe(moments: .applicationStateSet, by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    // Work that was interrupted for lack of time may continue in the callback.
    case .before(.sceneWillEnterForeground, _): observe()
    case .applicationStateSet: observe()
    case .savedForSleep: saved()
    default: []
    }
  }

  func moment(_ moment: LoopMoment) -> [FeatureAction] { tasks.clearChange() ? [post(.changed)] : [] }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .changed: tasks.drainErrors().map { .report($0) } + observe() + [.announce(.backgroundTasksChanged)]
    case .observe: observe()
    case .grant: reduce(.grant)
    case .reduce(let input): reduce(input)
    case .done: done()
    case .endAfterTasks(let input): endAfterTasks(input)
    }
  }

  private func saved() -> [FeatureAction] {
    // A callback of this item may have begun a task, which holds the machine.
    let actions = observe()
    inhibitor?.saved()
    return actions
  }

  // MARK: Background time

  /// Whether background time counts: no longer when the first scene's entry to the foreground is called.
  private var isTimeLimited: Bool {
    conductor.machine.phase.isEnding
      || (application.applicationState == .background && roster.isInBackground)
  }

  /// The application's state, or whether a task is open, may have changed.
  private func observe() -> [FeatureAction] {
    reduce(.observe(isInBackground: isTimeLimited, hasTasks: !tasks.isEmpty))
  }

  /// Reduces one input of the background time machine, and returns the actions of its effects.
  private func reduce(_ input: BackgroundTimeMachine.Input) -> [FeatureAction] {
    let (next, effects) = BackgroundTimeMachine.reduce(machine, input)
    let old = machine
    machine = next
    var actions: [FeatureAction] = []
    for effect in effects {
      switch effect {
      case .hold: inhibitor?.inhibit(reason: Self.reason)
      case .release: inhibitor?.release()
      case .run: actions.append(run(for: left ?? total, dueBefore: warning, .warned))
      case .stop: actions.append(stop())
      case .refill: left = nil
      case .warn:
        _ = stop()
        actions.append(run(for: warning, dueBefore: .zero, .expired))
        actions += tasks.drainHandlers().map { .call(ExpirationCall(task: $0)) }
      case .giveUp: actions += giveUp()
      }
    }
    if next.time == .spent { left = .zero }
    publish()
    if old.holds, !next.holds { actions.append(post(.done)) }
    if old != next { actions.append(.announce(.backgroundTasksChanged)) }
    return actions
  }

  private static let reason = "A task in the background is being finished."

  private func run(
    for length: Duration, dueBefore warning: Duration, _ input: BackgroundTimeMachine.Input
  ) -> FeatureAction {
    end = conductor.platform.now + length.seconds
    return set(.backgroundTime, after: max(.zero, length - warning), .reduce(input))
  }

  private func stop() -> FeatureAction {
    if let end { left = .seconds(max(0, end - conductor.platform.now)) }
    end = nil
    return .cancel(.backgroundTime)
  }

  /// Publishes the remaining time for other threads.
  private func publish() {
    let clock: BackgroundTaskTable.Clock =
      if !isTimeLimited {
        .unlimited
      } else if let end {
        .running(end)
      } else {
        .standing(left ?? total)
      }
    tasks.publish(clock, refuses: machine.refuses)
  }

  private func giveUp() -> [FeatureAction] {
    [stop()]
      + tasks.removeAll().map { name in
        .report(
          "The background task \"\(name)\" was still open when its time was over, and holds the program no longer. End it "
            + "in its expiration handler.")
      }
  }

  // MARK: Termination

  /// No task is open any more: a held termination continues.
  private func done() -> [FeatureAction] {
    // One that another thread has begun meanwhile holds it again. What was observed decides, not the table: of a task
    // that begins and ends unobserved nothing comes.
    var actions = observe()
    guard !machine.holds else { return actions }
    actions.append(.announce(.workDone(nil)))
    if let input = heldEnd.take() { actions.append(.reduce(input)) }
    if exchange(&holdsLastScene, with: false) { actions.append(.send(AnyMessage(Closing.self, .checkLastScene))) }
    return actions
  }

  /// Continues the termination once no task is open; until then its windows are hidden.
  ///
  /// Where the termination cannot be refused the tasks have a short time only.
  private func endAfterTasks(_ input: ApplicationMachine.Input) -> [FeatureAction] {
    var actions = observe()
    guard machine.holds else { return actions + [.reduce(input)] }
    heldEnd = input
    for record in roster.ordered {
      let windows = record.windows.states.filter(\.isShown).sorted { $0.id.rawValue < $1.id.rawValue }
      let shown = windows.map(\.id) + (record.windows.bare.map { $0.isShown ? [$0.id] : [] } ?? [])
      actions += shown.map { .command(.withdraw($0)) }
      // The windows of other toolkits are theirs to hide.
      actions += windows.compactMap { $0.window.flatMap { AdoptionCall($0, .hidden(true)) } }.map { .call($0) }
    }
    if application.terminationCause?.isCancellable == false { actions.append(post(.reduce(.hurry))) }
    return actions
  }
}

/// Background time is about to end, or has ended.
extension Deadline { fileprivate static let backgroundTime = Deadline("backgroundTime") }

/// The expiration handler of one task, unless another one's handler has ended the task.
private struct ExpirationCall: Notice {
  var task: BackgroundTaskTable.OpenTask
  var call: CallDescription { CallDescription("the expiration handler of \(task.name)") }

  func send(to application: Application) {
    guard application.backgroundTasks.isOpen(task.id) else { return }
    application.conductor?.trace(.system("backgroundTaskExpires", ["task": .string(task.name)]))
    task.handler?()
  }
}
