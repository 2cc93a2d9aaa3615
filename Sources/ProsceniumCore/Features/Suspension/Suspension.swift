import ProsceniumJSON
import ProsceniumLoop
import ProsceniumTrace

/// Suspends the program in the background, where its manifest permits that: none of its code runs, and no callback
/// reports it.
///
/// The platform stops the main queue, deadlines and frames; the events that it reads in that time arrive here, where
/// they wake the program, end it, or are stored as missed events.
final class Suspension: FeatureBase, Feature, EventGate, LoopObserver {
  enum Message: Equatable {
    /// The grace period is over: pending saves are performed now.
    case graceEnded
    /// The resources are closed that are registered now: the saves may have changed them.
    case closeResources
    /// The saves at the end of the grace period are complete.
    case saved
    /// An event that was missed is handled.
    case missed(MissedEvents.Event)
  }

  /// How long a disk may delay the suspension: the user may come back in between.
  private static let writingLimit = Duration.seconds(2)
  /// The longest time of a missed event's handler: one frame, because input waits for it.
  private static let handlerLimit = 0.016

  private var policy = SuspensionPolicy.never
  private var machine = SuspensionMachine.State.running
  private var missed = MissedEvents()
  /// The cause of the wake, for the trace.
  private var wakeCause: String?
  /// The missed event that is being handled, and the time at which that began.
  private var measured: (event: MissedEvents.Event, start: Double)?

  static let manifestProperties: [ManifestProperty] = [.choice("suspensionPolicy", \.suspensionPolicy)]

  var suspendsProgram: Bool { machine == .suspended }

  // MARK: Suspending

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.accepted, by: self)
    lists.gates.append(self)
    lists.observe(.turnBegan, .handled, .turnEnded, by: self)
    lists.observe(moments: .backgroundTasksChanged, by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .configured: policy = application.resolvedManifest.suspensionPolicy
    case .backgroundTasksChanged: return observe()
    // After all that write in silence.
    case .suspended: application.executionGate.close()
    case .resumed: application.executionGate.open()
    default: break
    }
    return []
  }

  func moment(_ moment: LoopMoment) -> [FeatureAction] {
    switch moment {
    // Items in the inbox wake a suspended program.
    case .turnBegan: suspendsProgram ? observe() : []
    case .turnEnded: observe()
    case .handled: measure()
    default: []
    }
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .graceEnded: return graceEnded()
    case .closeResources: return closeResources()
    case .saved: return reduce(.expired)
    case .missed(let event):
      measured = (event, conductor.platform.now)
      switch event {
      case .platform(let event): return [.handle(event)]
      case .system(let event): return [.handleSystem(event)]
      }
    }
  }

  /// A fact may have changed that decides whether the program runs: a scene's state, a task, a request.
  private func observe() -> [FeatureAction] {
    guard policy != .never, machine != .ended else { return [] }
    return reduce(.observe(facts))
  }

  private var facts: SuspensionMachine.Facts {
    var facts = SuspensionMachine.Facts()
    facts.isAllowed = true
    facts.isLaunched = conductor.machine.phase == .running
    facts.holdsTask = application.hasBackgroundTasks
    facts.isIdle = conductor.isIdle
    // The other facts are read only where they can make a difference, because this runs at every turn of the loop.
    guard facts.isLaunched, roster.isInBackground, !facts.holdsTask else { return facts }
    facts.isInBackground = !conductor.keepsRunning
    facts.holdsMode = conductor.holdsExecution
    facts.isEnding = conductor.feature(Termination.self)?.isAsked == true
    return facts
  }

  private func reduce(_ input: SuspensionMachine.Input) -> [FeatureAction] {
    let (next, effects) = SuspensionMachine.reduce(machine, input)
    machine = next
    let actions = effects.flatMap { effect -> [FeatureAction] in
      switch effect {
      case .hold: return [set(.suspension, after: application.holdTimes.suspension, .graceEnded)]
      case .release: return [.cancel(.suspension)]
      case .suspend: return [.announce(.suspended), .traceSystem("suspended"), .command(.suspend)]
      case .wake: return wake()
      case .end:
        conductor.close()
        return []
      }
    }
    // Also without a suspension: closing a resource may have begun a task.
    return actions + (machine == .running ? reopenResources() : [])
  }

  private func graceEnded() -> [FeatureAction] {
    // A scene may have come to the foreground in the same batch.
    conductor.perform(observe())
    guard machine == .held else { return [] }
    let end = conductor.platform.now + Self.writingLimit.seconds
    return [
      .announce(.saving(.suspension)), .announce(.awaitingDisk(.suspension, until: end)), .announce(.suspending),
      send(.closeResources), send(.saved),
    ]
  }

  private func wake() -> [FeatureAction] {
    let events = exchange(&missed, with: MissedEvents()).events
    return [.command(.resume), .traceSystem("resumed", ["cause": .string(wakeCause.take() ?? "request")])]
      // Before anything uses the data.
      + (conductor.feature(Presence.self)?.resumed() ?? [])
      // Before waiting threads use them.
      + reopenResources()
      + [.announce(.resumed), .postFirst(events.map { AnyMessage(Self.self, .missed($0)) })]
  }

  // MARK: Resources

  private func closeResources() -> [FeatureAction] {
    application.value(ResourcesKey.self).beginClosing().map { .call(ResourceCall(resource: $0, isClosing: true)) }
  }

  private func reopenResources() -> [FeatureAction] {
    application.value(ResourcesKey.self).beginOpening().map { .call(ResourceCall(resource: $0, isClosing: false)) }
  }

  // MARK: Missed events

  func admit(_ batch: [PlatformEvent]) -> [PlatformEvent] {
    guard suspendsProgram else { return batch }
    var events: [PlatformEvent] = []
    for event in batch {
      switch event {
      // Messages are handled at once, and have no state.
      case .error(let message): conductor.trace(.error(message: message))
      case .fault(let message): conductor.report(message)
      case .signal(let number): return end(.signal, status: Termination.status(ofSignal: number))
      case .sessionEnded: return end(.sessionEnd, status: 0)
      case .connectionLost(let message):
        conductor.report(message)
        return end(.connectionLost, status: 1)
      case .levels, .geometry, .closeRequested, .destroyed, .input, .pointerLost, .drag, .drop, .exposed, .frame,
        .scale,
        .windowManager, .screens, .screenMode, .screenSaver, .locker, .settings, .deadline, .outcome, .sessionSave,
        .sessionSaveCancelled, .mark:
        events.append(event)
      }
    }
    guard let cause = events.lazy.compactMap(causeOfWaking).first else {
      for event in events {
        if case .locker(let state, _) = event {
          conductor.feature(Presence.self)?.noteMissed("locker", isAway: state == .locked)
        }
        missed.add(event)
      }
      return []
    }
    wakeCause = cause
    return events
  }

  /// Events after one that wakes the program are handled after it.
  func admit(_ event: SystemEvent) -> Bool {
    guard suspendsProgram, conductor.isInboxIdle else { return true }
    let (answer, feature) = conductor.whileSuspended(event)
    switch answer {
    case .wakes:
      wakeCause = causeOfWaking(event)
      return true
    case .dropped: return false
    case .handledAsleep: conductor.handle(event)
    case .kept(let kind, let rank):
      var kept: SystemEvent? = event
      if case .system(let earlier)? = missed.event(of: kind) { kept = feature?.merged(earlier, event) }
      if let kept { missed.add(.system(kept), kind: kind, rank: rank) } else { _ = missed.remove(kind) }
    case .takesBack(let kind): return !missed.remove(kind)
    case .ends(let cause, let line):
      conductor.trace(line)
      _ = end(cause, status: 0)
    }
    return false
  }

  /// An accepted event keeps a suspended program from ending without callbacks.
  override func accepted(_ event: SystemEvent) {
    if case .request = event, suspendsProgram { conductor.perform(observe()) }
  }

  /// Ends the suspended program at once, without callbacks.
  private func end(_ cause: TerminationCause, status: Int32) -> [PlatformEvent] {
    guard let termination = conductor.feature(Termination.self) else { return [] }
    conductor.perform(reduce(.told) + termination.endInSilence(cause, status: status))
    return []
  }

  /// The cause for which an event wakes the program; nil if it does not.
  private func causeOfWaking(_ event: PlatformEvent) -> String? {
    let roster = roster
    switch event {
    case .levels(let id, let levels):
      guard let record = roster[id] else { return nil }
      let bare = record.windows.bare.flatMap { $0.id == id ? $0.levels : nil }
      guard let old = bare ?? record.windows[id]?.levels else { return nil }
      if record.counts(levels) { return "shown" }
      return levels.focused && !old.focused ? "focused" : nil
    case .windowManager(let state, _):
      // Visible bare windows are connected once the item has settled.
      let waits = roster.contains { record in record.windows.bare.map { record.counts($0.levels) } ?? false }
      return state == .settled && waits ? "windowManager" : nil
    case .closeRequested(let id): return roster[id] == nil ? nil : "closeRequested"
    case .destroyed(let id): return roster[id] == nil ? nil : "destroyed"
    case .sessionSave, .sessionSaveCancelled: return "sessionManager"
    case .deadline: return "deadline"
    case .input(let id, let input):
      return roster[id] != nil && conductor.feature(Presence.self)?.disproves(input) == true ? "input" : nil
    case .locker(let state, _):
      return state != .locked && conductor.feature(Presence.self)?.isLockedByLocker == true ? "unlocked" : nil
    case .pointerLost, .drag, .drop, .geometry, .exposed, .frame, .scale, .screens, .screenMode, .screenSaver,
      .settings, .outcome,
      .signal,
      .sessionEnded, .connectionLost, .mark, .error, .fault:
      return nil
    }
  }

  /// The cause for which an event wakes the program; nil for a request of another program, and what is like it.
  private func causeOfWaking(_ event: SystemEvent) -> String? { if case .location = event { "location" } else { nil } }

  // MARK: On waking

  /// Reports that handling missed events has taken too long.
  private func measure() -> [FeatureAction] {
    // Looked at first: `take()` copies an event, and this runs with every item.
    guard measured != nil, let (event, start) = measured.take() else { return [] }
    let duration = conductor.platform.now - start
    guard duration > Self.handlerLimit else { return [] }
    return [
      .traceSystem(
        "slowHandler",
        ["handler": .string(event.handlerName), "milliseconds": .int(Int(duration * 1000))])
    ]
  }
}

/// The program has had no reason to run for the grace period.
extension Deadline { fileprivate static let suspension = Deadline("suspension") }

/// Closes a resource before the program is suspended, or opens it again.
private struct ResourceCall: Notice {
  var resource: any SuspendableResource
  var isClosing: Bool
  var call: CallDescription { CallDescription(isClosing ? "closeBeforeSuspension()" : "reopenAfterSuspension()") }

  func send(to application: Application) {
    if isClosing { resource.closeBeforeSuspension() } else { resource.reopenAfterSuspension() }
  }
}
