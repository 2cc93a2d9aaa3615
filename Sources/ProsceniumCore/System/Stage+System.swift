import FoundationEssentials

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
  package func watch(_ source: LoopSource) -> LoopSourceID { platform.watch(source) }

  package func unwatch(_ id: LoopSourceID) { platform.unwatch(id) }

  package func after(milliseconds: Int, _ action: @escaping @MainActor () -> Void) -> DeadlineID {
    makeDeadline(.action(action), milliseconds: milliseconds)
  }

  package func post(_ event: SystemEvent) {
    if isSuspended {
      switch event {
      case .memoryPressure(let pressure):
        // What would not be told wakes nobody, or pressure that lasts would keep the program running.
        var limit = pressureLimit
        if endsSuspended(under: pressure) || !limit.admits(pressure, now: platform.now) { return }
      case .time: return missed.note(event)
      case .absence(let absence, let isOn, let source):
        // Nobody sees a program that is suspended: it need not run to go out of sight.
        if missed.note(absence, isOn: isOn, source, event) { return }
      }
    }
    post(.system(event))
  }

  package func log(_ message: String) { trace.record("error", [("message", .text(message))]) }

  package func note(_ name: String, _ text: String) {
    trace.record("system", [("name", .text(name)), ("cause", .text(text))])
  }

  package var now: Double { platform.now }
}
