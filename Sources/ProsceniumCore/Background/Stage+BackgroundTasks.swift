import FoundationEssentials
import ProsceniumLoop
import ProsceniumTrace
import SceneLifecycle

/// The background time of the process, on the main thread.
@MainActor struct BackgroundTime {
  var machine = BackgroundTimeMachine.State()
  var deadline: DeadlineID?
  /// What is left while the time stands still, in seconds; nil where all of it is.
  var left: Double?
  /// When it ends, while it runs.
  var end: Double?
  var inhibitor: (any SleepInhibitor)?
  /// The last scene has been closed, and the program would have ended if no task had held it.
  var holdsLastScene = false
  /// How the end goes on, which waits for tasks.
  var heldEnding: ApplicationMachine.Input?
}

extension Stage {
  private var tasks: BackgroundTaskTable { application.backgroundTasks }
  /// The whole time, in seconds.
  var longestBackgroundTime: Double { Self.seconds(application.backgroundTimes.total) }
  /// How long before its end the handlers are called, in seconds.
  private var warning: Double { min(Self.seconds(application.backgroundTimes.warning), longestBackgroundTime) }

  /// A year is for ever to a task.
  private static func seconds(_ time: Duration) -> Double {
    Double(min(max(.zero, time), .seconds(31_536_000)).milliseconds) / 1000
  }

  /// Whether a background task holds the program: it does not end with its last scene, and is not suspended.
  package var holdsBackgroundTask: Bool { !tasks.isEmpty }

  /// Looks whether a thread has left word: a first task has begun, the last one has ended, or there was a mistake.
  func noticeBackgroundTasks() {
    if tasks.takeNote() { post(.tasksChanged) }
  }

  /// Word was left.
  func tasksChanged() {
    for complaint in tasks.takeComplaints() { report(complaint) }
    observeBackgroundTime()
    executionChanged()
  }

  /// Whether background time counts: not any more while the first scene is told that it comes to the foreground.
  private var isTimeLimited: Bool { isConcealing || (application.applicationState == .background && isInBackground) }

  /// The application's state, or whether a task is open, may have changed.
  func observeBackgroundTime() {
    applyToBackgroundTime(.observe(isInBackground: isTimeLimited, hasTasks: !tasks.isEmpty))
  }

  /// One of the two moments that the time asked for has come.
  func backgroundTimeDue() {
    backgroundTime.deadline = nil
    applyToBackgroundTime(backgroundTime.machine.time == .expiring ? .expired : .warned)
  }

  /// Gives one input to the law of background time and performs its effects.
  func applyToBackgroundTime(_ input: BackgroundTimeMachine.Input) {
    let (next, effects) = BackgroundTimeMachine.reduce(backgroundTime.machine, input)
    let (isNew, wasHeld) = (next != backgroundTime.machine, backgroundTime.machine.holds)
    backgroundTime.machine = next
    for effect in effects {
      switch effect {
      case .hold: backgroundTime.inhibitor?.inhibit(reason: "A task in the background is being finished.")
      case .release: backgroundTime.inhibitor?.release()
      case .run: run(for: backgroundTime.left ?? longestBackgroundTime, dueBefore: warning)
      case .stop: stopBackgroundTime()
      case .refill: backgroundTime.left = nil
      case .warn:
        stopBackgroundTime()
        run(for: warning, dueBefore: 0)
        publishBackgroundTime()
        callExpirationHandlers()
      case .giveUp: giveUpTasks()
      }
    }
    if next.time == .spent { backgroundTime.left = 0 }
    publishBackgroundTime()
    if wasHeld, !next.holds { post(.tasksDone) }
    if isNew {
      watchConduct()
      executionChanged()
    }
  }

  private func run(for length: Double, dueBefore warning: Double) {
    backgroundTime.end = platform.now + length
    backgroundTime.deadline = makeDeadline(
      .backgroundTime, milliseconds: Int((max(0, length - warning) * 1000).rounded()))
  }

  private func stopBackgroundTime() {
    if let deadline = backgroundTime.deadline { cancel(deadline) }
    backgroundTime.deadline = nil
    if let end = backgroundTime.end { backgroundTime.left = max(0, end - platform.now) }
    backgroundTime.end = nil
  }

  /// What other threads see.
  private func publishBackgroundTime() {
    let clock: BackgroundTaskTable.Clock =
      if !isTimeLimited {
        .unlimited
      } else if let end = backgroundTime.end {
        .running(end)
      } else {
        .standing(backgroundTime.left ?? longestBackgroundTime)
      }
    tasks.publish(clock, refuses: backgroundTime.machine.refuses)
  }

  private func callExpirationHandlers() {
    for task in tasks.takeHandlers() where tasks.isOpen(task.id) {
      trace.record("system", [("name", .text("backgroundTaskExpires")), ("task", .text(task.name))])
      watched("the expiration handler of \(task.name)") { task.handler?() }
    }
  }

  private func giveUpTasks() {
    stopBackgroundTime()
    for name in tasks.takeAll() {
      report(
        "The background task \"\(name)\" was still open when its time was over, and holds the program no longer. End it "
          + "in its expiration handler.")
    }
  }

  // MARK: What waits for tasks

  /// No task is open any more: what would have ended the program does so now.
  func tasksDone() {
    guard !holdsBackgroundTask else { return }
    workDoneInBackground()
    // What was spared for their sake.
    reclaimSoon()
    if let input = backgroundTime.heldEnding {
      backgroundTime.heldEnding = nil
      reduce(input)
    }
    if backgroundTime.holdsLastScene {
      backgroundTime.holdsLastScene = false
      checkLastScene()
    }
  }

  /// Goes on with the end of the program once no task is open; until then its windows are out of sight.
  ///
  /// Where nobody may say no to the end the tasks have a moment only: it must not wait for as long as they like.
  func endAfterTasks(_ input: ApplicationMachine.Input) {
    observeBackgroundTime()
    guard holdsBackgroundTask else { return reduce(input) }
    backgroundTime.heldEnding = input
    for record in records.ordered {
      let windows = record.windows.filter(\.value.isShown).map(\.key)
      let shown = windows.sorted { $0.rawValue < $1.rawValue } + (record.bare.map { $0.isShown ? [$0.id] : [] } ?? [])
      for window in shown { platform.perform(.withdraw(window)) }
    }
    if terminationCause?.isCancellable == false { post(.tasksHurried) }
  }
}
