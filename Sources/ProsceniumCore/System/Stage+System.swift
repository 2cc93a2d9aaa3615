import FoundationEssentials
package import ProsceniumLoop
import ProsceniumTrace

/// What the kernel and the bus say.
extension Stage {
  /// Starts the sources; before the launch callbacks.
  func startSources() {
    for source in sources { source.start(self) }
  }

  func stopSources() {
    for source in sources { source.stop() }
  }

  /// Answers what follows once the scenes have walked.
  func handle(_ event: SystemEvent) -> [Afterwards] {
    switch event {
    case .memoryPressure(let pressure): memoryPressure(pressure)
    case .time(let from, let to): timeChanged(to.changes(since: from))
    case .absence(let absence, let isOn, let source): return change(absence, isOn: isOn, source: source)
    case .silence(let isOn, let source): noteSilence(isOn: isOn, source: source)
    case .firstWord(let isAwaited): awaitFirstWord(isAwaited)
    case .request(let request): return handle(request)
    case .screenSaver(let isOn, let source): changeScreenSaver(isOn: isOn, source: source)
    case .settings(let settings): return settingsChanged(settings, from: .portal)
    case .preferencesEdited: return [{ [application] in application.preferencesIfUsed?.reread() }]
    }
    return []
  }

  private func timeChanged(_ changes: Set<SignificantTimeChange>) {
    guard !changes.isEmpty, law.phase == .launched || law.phase == .running else { return }
    trace.record(
      "system",
      [("name", .text("timeChange")), ("changes", .list(changes.map(\.rawValue).sorted()))])
    watched("applicationSignificantTimeChange(_:)") {
      application.delegate?.applicationSignificantTimeChange(application)
      NotificationCenter.default.post(
        Application.SignificantTimeChangeMessage(application: application, changes: changes), subject: application)
    }
  }
}

extension Stage: SystemHost {
  package var applicationIdentifier: String { identity.id }

  package func watch(_ source: LoopSource) -> LoopSourceID { platform.watch(source) }

  package func unwatch(_ id: LoopSourceID) { platform.unwatch(id) }

  package func after(milliseconds: Int, _ action: @escaping @MainActor () -> Void) -> DeadlineID {
    makeDeadline(.action(action), milliseconds: milliseconds)
  }

  package func post(_ event: SystemEvent) {
    // What comes after something that wakes the program is handled after it.
    if isSuspended, isInboxIdle {
      switch event {
      case .memoryPressure(let pressure):
        // What would not be told wakes nobody, or pressure that lasts would keep the program running.
        var limit = pressureLimit
        if endsSuspended(under: pressure) || !limit.admits(pressure, now: platform.now) { return }
      case .time, .screenSaver, .settings, .preferencesEdited: return missed.note(event)
      case .absence(let absence, let isOn, let source):
        // What it knows already is no change, and what is kept would be taken for one that the next word takes back.
        if isOn, !absence.waitsForSaving, absences[absence]?.contains(source) == true { return }
        // Nobody sees a program that is suspended: it need not run to go out of sight.
        if missed.note(absence, isOn: isOn, source, event) { return }
      case .silence(let isOn, let source): return noteSilence(isOn: isOn, source: source)
      case .firstWord, .request: break
      }
    }
    post(.system(event))
    guard case .request = event else { return }
    requestsWaiting += 1
    // Taken is taken: what ends a suspended program in silence does not end one that has something to do.
    if isSuspended { executionChanged() }
  }

  package func log(_ message: String) { trace.record("error", [("message", .text(message))]) }

  package func note(_ name: String, _ text: String) {
    trace.record("system", [("name", .text(name)), ("cause", .text(text))])
  }

  package var acceptsRequests: Bool { termination != .ending }

  package var timeToEnd: Double { min(application.backgroundTimeRemaining, longestBackgroundTime) }

  package func offer(_ inhibitor: any IdleInhibitor) {
    restraint.idleInhibitor = inhibitor
    if restraint.isScreenKeptAwake { inhibitor.keepAwake(true) }
  }

  package var now: Double { platform.now }
}
