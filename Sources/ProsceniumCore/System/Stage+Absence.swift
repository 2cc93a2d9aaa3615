import FoundationEssentials
import ProsceniumStore
import ProsceniumTrace
import SceneLifecycle
import Synchronization

/// The user goes and comes back: the screen is locked, the machine sleeps.
extension Stage {
  /// How long a disk may take before the machine sleeps anyhow, in milliseconds, where nobody says how long it waits.
  private static let savingLimit = 4000

  /// Whether nobody can look at any scene, so that a connected one belongs in the background.
  var isOutOfSight: Bool { isConcealing || !absences.isEmpty }

  /// The user went or came back, in one way; answers what follows once the scenes have walked.
  func change(_ absence: Absence, isOn: Bool, source: String) -> [Afterwards] {
    switch law.phase {
    case .notLaunched, .launching, .launched, .running: break
    // Everything is in the background already, or on its way there; whoever waits for that is not kept waiting.
    case .concealing, .disconnecting, .terminated:
      return isOn && absence.waitsForSaving ? [{ [weak self] in self?.savedForSleep() }] : []
    }
    let wasOn = absences[absence] != nil
    if isOn { absences[absence, default: []].insert(source) } else { absences[absence]?.remove(source) }
    if absences[absence]?.isEmpty == true { absences[absence] = nil }
    guard wasOn != (absences[absence] != nil) else { return [] }
    trace.record("fact", [("name", .text(absence.rawValue)), ("to", .flag(isOn)), ("cause", .text(source))])
    if !isOn, !absences.keys.contains(where: \.protectsData) { protectData(.returned) }
    concealAgain()
    if absences.isEmpty { for record in expecting { awaitForeground(record) } }
    guard isOn else { return [] }
    return [
      { [weak self] in
        guard let self else { return }
        if absence.protectsData { protectData(.left) }
        if absence.waitsForSaving { savedForSleep() }
      }
    ]
  }

  /// Who says whether the user is there has gone, or speaks again.
  func noteSilence(isOn: Bool, source: String) {
    if isOn { silentSources.insert(source) } else { silentSources.remove(source) }
  }

  /// A program that is started while the screen is locked is not to be active for a moment.
  func awaitFirstWord(_ isAwaited: Bool) {
    guard isFirstWordAwaited != isAwaited else { return }
    isFirstWordAwaited = isAwaited
    for record in records.ordered { interrupt(record) }
  }

  /// Whether something shows that the user is there, though somebody who is gone has said that nobody is: keys and buttons
  /// reach no window while the screen is locked or another session is in front.
  func disprovesAbsence(_ input: InputEvent) -> Bool {
    guard !silentSources.isEmpty else { return false }
    switch input.kind {
    case .key(let key): return key.isDown
    case .button(let button): return button.isDown
    case .motion, .scroll, .touch: return false
    }
  }

  /// The user is there: what those have said who are gone counts no longer.
  func userIsThere() -> [Afterwards] {
    Absence.allCases.flatMap { absence in
      silentSources.sorted().flatMap { change(absence, isOn: false, source: $0) }
    }
  }

  private func concealAgain() {
    for record in records.ordered {
      if record.bare != nil { observeBare(record, gainedFocus: false) }
      guard record.scene != nil else { continue }
      apply(.concealment(conceals(record)), to: record)
      markDirty(record)
    }
  }

  /// Everything is in the background: saved, in the time that the machine waits, and the machine is let go.
  private func savedForSleep() {
    let inhibitor = backgroundTime.inhibitor
    let end = platform.now + Double(inhibitor?.savingTime ?? Self.savingLimit) / 1000
    func left() -> Int { Int(max(0, end - platform.now) * 1000) }
    if saveDeadline != nil { saveDue() }
    saveSessions()
    application.preferencesIfUsed?.write()
    if store?.waitUntilWritten(milliseconds: left()) == false {
      report("The sessions were not saved before the machine sleeps: the disk is too slow, or hangs.")
    }
    application.preferencesIfUsed?.finishWriting(milliseconds: left())
    inhibitor?.saved()
  }

  /// Gives one input to the law of protected data and performs its effects.
  func protectData(_ input: ProtectedDataMachine.Input) {
    let (next, effects) = ProtectedDataMachine.reduce(protectedData, input)
    protectedData = next
    application.protectedData.withLock { $0 = next != .unavailable }
    for effect in effects {
      switch effect {
      case .announceUnavailable:
        traceApplication("applicationProtectedDataWillBecomeUnavailable")
        watched("applicationProtectedDataWillBecomeUnavailable(_:)") {
          application.delegate?.applicationProtectedDataWillBecomeUnavailable(application)
          NotificationCenter.default.post(
            Application.ProtectedDataWillBecomeUnavailableMessage(application: application), subject: application)
        }
      case .announceAvailable:
        traceApplication("applicationProtectedDataDidBecomeAvailable")
        watched("applicationProtectedDataDidBecomeAvailable(_:)") {
          application.delegate?.applicationProtectedDataDidBecomeAvailable(application)
          NotificationCenter.default.post(
            Application.ProtectedDataDidBecomeAvailableMessage(application: application), subject: application)
        }
      case .hold:
        protectedDataDeadline = makeDeadline(.protectedData, holdTimes.protectedData)
      case .release:
        if let id = protectedDataDeadline { cancel(id) }
        protectedDataDeadline = nil
      }
    }
  }
}
