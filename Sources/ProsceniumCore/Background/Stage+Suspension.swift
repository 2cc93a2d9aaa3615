import ProsceniumTrace
import SceneLifecycle

/// Suspension: nothing of the program runs while nobody looks, and nothing tells it so.
///
/// The platform stops the main queue, deadlines and frames; what it reads meanwhile comes here, where it wakes the program,
/// ends it, or is kept for later.
extension Stage {
  /// A handler of what was missed should take no longer than one frame: input waits for it.
  private static let longestHandler = 0.016
  /// How long a disk may take before the program is suspended anyhow, in milliseconds: somebody may come back meanwhile.
  private static let writingLimit = 2000

  package var isSuspended: Bool { suspension == .suspended }

  /// Something may have changed that decides whether the program runs: a scene's state, a task, a request.
  ///
  /// Looked at after each item of the inbox too, so that only who changes something outside of one has to call it.
  func executionChanged() {
    guard suspensionPolicy != .never, suspension != .ended else { return }
    advance(.observe(executionFacts))
  }

  private var executionFacts: SuspensionMachine.Facts {
    let isIdle = isInboxIdle && dirty.isEmpty
    // The rest is looked at only where it can make a difference, because this runs at every turn of the loop.
    guard law.phase == .running, census[2] + census[3] == 0, !holdsBackgroundTask else {
      return SuspensionMachine.Facts(
        isAllowed: true, isLaunched: law.phase == .running, holdsTask: holdsBackgroundTask, isIdle: isIdle)
    }
    return SuspensionMachine.Facts(
      isAllowed: true, isLaunched: suspects.isEmpty && suspectUnderWay == nil,
      isInBackground: !records.contains(where: isBusy), isEnding: termination != .running, isIdle: isIdle)
  }

  /// Whether a session that is not in the foreground is on its way to something.
  private func isBusy(_ record: SceneRecord) -> Bool {
    if record.restorations > 0 || record.isAskingToClose || !record.parcels.isEmpty { return true }
    // A bare window that is seen is about to be connected, unless that has been tried in vain.
    return (record.bare?.machine ?? .resting) != .resting
  }

  private func advance(_ input: SuspensionMachine.Input) {
    let (next, effects) = SuspensionMachine.reduce(suspension, input)
    suspension = next
    for effect in effects {
      switch effect {
      case .hold: suspensionDeadline = makeDeadline(.suspension, holdTimes.suspension)
      case .release:
        if let id = suspensionDeadline { cancel(id) }
        suspensionDeadline = nil
      case .suspend: suspend()
      case .wake: wake()
      case .end: endSuspended()
      }
    }
    // Also where it has not come to a suspension: what was closed for it may have begun a task.
    if suspension == .running { reopenResources() }
  }

  /// The grace is over: what would have been saved a moment later is saved now.
  func graceEnded() {
    suspensionDeadline = nil
    // A scene may have come to the foreground in the same batch.
    executionChanged()
    guard suspension == .held else { return }
    if saveDeadline != nil { saveDue() }
    application.preferencesIfUsed?.finishWriting(milliseconds: Self.writingLimit)
    // Whoever got this far has survived its connection.
    for record in connecting + connectingLong { unmarkConnecting(record) }
    closeResources()
    advance(.expired)
  }

  private func suspend() {
    // What was changed after the grace: a program that is told to end while it is suspended saves nothing more.
    if saveDeadline != nil { saveSessions() }
    application.preferencesIfUsed?.writeInSilence(milliseconds: Self.writingLimit)
    trace.record("system", [("name", .text("suspended"))])
    application.executionGate.close()
    platform.perform(.suspend)
  }

  private func wake() {
    platform.perform(.resume)
    trace.record("system", [("name", .text("resumed")), ("cause", .text(wakeCause ?? "request"))])
    wakeCause = nil
    // Before threads that wait at the gate use them.
    reopenResources()
    application.executionGate.open()
    postFirst(missed.events.map { .missed($0) })
    missed = MissedEvents()
  }

  /// All was saved when the scenes went to the background.
  private func endSuspended() {
    termination = .ending
    trace.record("system", [("name", .text("ended")), ("cause", .text(terminationCause?.rawValue ?? "request"))])
    endStore()
    platform.perform(.quit(exitStatus))
  }

  // MARK: What happens meanwhile

  /// Takes a batch while no code runs.
  func takeSuspended(_ batch: [PlatformEvent]) {
    for event in batch {
      switch event {
      case .error(let message): trace.record("error", [("message", .text(message))])
      case .fault(let message): report(message)
      case .signal(let number): return endInSilence(.signal, status: number == 2 ? 130 : 0)
      case .sessionEnded: return endInSilence(.sessionEnd, status: 0)
      case .connectionLost(let message):
        report(message)
        return endInSilence(.connectionLost, status: 1)
      case .levels, .geometry, .closeRequested, .destroyed, .input, .exposed, .frame, .scale, .windowManager, .screens,
        .screenSaver, .settings, .deadline, .outcome, .sessionSave, .sessionSaveCancelled:
        break
      }
    }
    guard let cause = batch.lazy.compactMap(causeOfWaking).first else { return batch.forEach { missed.note($0) } }
    wakeCause = cause
    // Said above.
    post(.batch(batch.filter { !$0.isMessage }))
  }

  /// Ends a suspended program at once, without callbacks; does nothing while it runs.
  func endInSilence(_ cause: TerminationCause, status: Int32) {
    guard isSuspended else { return }
    terminationCause = cause
    exitStatus = status
    advance(.told)
  }

  /// Why an event wakes the program; nil if it does not.
  private func causeOfWaking(_ event: PlatformEvent) -> String? {
    switch event {
    case .levels(let id, let levels):
      guard let record = owners[id], let old = record.bare?.id == id ? record.bare?.levels : record.windows[id]?.levels
      else { return nil }
      if record.counts(levels) { return "shown" }
      return levels.focused && !old.focused ? "focused" : nil
    case .windowManager(let state, _):
      // Bare windows that are seen are connected once it has settled.
      let waits = records.contains { record in record.bare.map { record.counts($0.levels) } ?? false }
      return state == .settled && waits ? "windowManager" : nil
    case .closeRequested(let id): return owners[id] == nil ? nil : "closeRequested"
    case .destroyed(let id): return owners[id] == nil ? nil : "destroyed"
    case .sessionSave, .sessionSaveCancelled: return "sessionManager"
    case .deadline: return "deadline"
    case .input(let id, let input): return owners[id] != nil && disprovesAbsence(input) ? "input" : nil
    case .geometry, .exposed, .frame, .scale, .screens, .screenSaver, .settings, .outcome, .signal,
      .sessionEnded, .connectionLost, .error, .fault:
      return nil
    }
  }

  // MARK: On waking

  /// Handles what was missed, and says so where that takes too long.
  func measure(_ event: MissedEvents.Event, _ body: () -> Void) {
    let start = platform.now
    body()
    let duration = platform.now - start
    guard duration > Self.longestHandler else { return }
    trace.record(
      "system",
      [
        ("name", .text("slowHandler")), ("handler", .text(event.missedName)),
        ("milliseconds", .number(Int(duration * 1000))),
      ])
  }
}

extension MissedEvents.Event {
  fileprivate var missedName: String {
    switch self {
    case .platform(let event): event.missedName
    case .system(.time): "applicationSignificantTimeChange(_:)"
    case .system(.memoryPressure): "applicationDidReceiveMemoryWarning(_:)"
    case .system(.absence), .system(.silence), .system(.firstWord): "applicationProtectedDataWillBecomeUnavailable(_:)"
    case .system(.request): "scene(_:openURLContexts:)"
    case .system(.screenSaver): "screenSaver"
    case .system(.settings): "windowScene(_:didUpdate:interfaceOrientation:traitCollection:)"
    case .system(.preferencesEdited): "Preferences.DidChangeMessage"
    }
  }
}

extension PlatformEvent {
  /// Whether it is said at once, and is all that there is to it.
  fileprivate var isMessage: Bool {
    switch self {
    case .error, .fault: true
    case .levels, .geometry, .closeRequested, .destroyed, .input, .exposed, .frame, .scale, .windowManager, .screens,
      .screenSaver, .settings, .deadline, .outcome, .signal, .sessionSave, .sessionSaveCancelled, .sessionEnded,
      .connectionLost:
      false
    }
  }

  /// What a program does about the event, by the name that it knows.
  fileprivate var missedName: String {
    switch self {
    case .levels: "visibility"
    case .geometry: "windowScene(_:didUpdateEffectiveGeometry:)"
    case .exposed: "exposed"
    case .scale: "scale"
    case .windowManager: "windowManager"
    case .screens: "Screen notifications"
    case .screenSaver: "screenSaver"
    case .settings: "windowScene(_:didUpdate:interfaceOrientation:traitCollection:)"
    case .outcome: "completion of a window request"
    case .closeRequested, .destroyed, .input, .frame, .deadline, .signal, .sessionSave, .sessionSaveCancelled,
      .sessionEnded, .connectionLost, .error, .fault:
      "event"
    }
  }
}
