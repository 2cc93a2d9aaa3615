import ProsceniumJSON
import ProsceniumLoop
import ProsceniumPlatform
import ProsceniumTrace
import SceneLifecycle

/// Knows whether the user is at the machine: while the screen is locked, another session is in front, or the machine goes
/// to sleep or down, every scene is concealed; while a screen saver is on, every scene is interrupted.
final class Presence: Feature {
  enum Message: Equatable {
    /// The scenes have walked to the background, because the user has gone in this way.
    case left(Absence)
    /// The grace is over in which protected data may still be read.
    case graceEnded
  }

  /// How long a disk may take before the machine sleeps anyhow, where nothing says how long the machine waits.
  private static let savingTime = Duration.seconds(4)

  private unowned let conductor: Conductor
  /// In which ways the user has gone, and the sources that say so.
  private var absences: [Absence: Set<String>] = [:]
  /// Sources that have gone without taking back what they said.
  private var silentSources: Set<String> = []
  /// Whether the user is there is being asked, at the launch.
  private var isFirstWordAwaited = false
  /// The sources that say that a screen saver is on, without a lock.
  private var screenSavers: Set<String> = []
  private let protectedData: ProtectedData

  init(_ conductor: Conductor) {
    self.conductor = conductor
    protectedData = ProtectedData(conductor)
  }

  /// Whether the user has gone in any way.
  var isUserAway: Bool { !absences.isEmpty }
  var isScreenSaverOn: Bool { !screenSavers.isEmpty }

  func conceals(_ record: SceneRecord) -> Bool { isUserAway }
  func interrupts(_ record: SceneRecord) -> Bool { isScreenSaverOn || isFirstWordAwaited }

  // MARK: Events

  func handle(_ event: PlatformEvent) -> [FeatureAction] {
    switch event {
    case .screenSaver(let isOn): changeScreenSaver(isOn: isOn, source: "X")
    case .input(let id, let input): conductor.roster[id] != nil && disproves(input) ? userIsThere() : []
    default: []
    }
  }

  func handle(_ event: SystemEvent) -> [FeatureAction] {
    switch event {
    case .absence(let absence, let isOn, let source): change(absence, isOn: isOn, source: source)
    case .silence(let isOn, let source): noteSilence(isOn: isOn, source: source)
    case .firstWord(let isAwaited): awaitFirstWord(isAwaited)
    case .screenSaver(let isOn, let source): changeScreenSaver(isOn: isOn, source: source)
    default: []
    }
  }

  func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    switch event {
    case .absence(let absence, let isOn, let source):
      // What is known already is no change, and what is kept would be taken for one that the next event takes back.
      if isOn, !absence.waitsForSaving, absences[absence]?.contains(source) == true { return .dropped }
      if absence.waitsForSaving { return .wakes }
      // A program that is suspended is not seen: it need not run to be concealed.
      let kind = "absence \(absence.rawValue) \(source)"
      return isOn ? .kept(kind: kind, rank: 0) : .takesBack(kind: kind)
    case .silence: return .handledAsleep
    case .screenSaver(_, let source): return .kept(kind: "saver \(source)", rank: 6)
    case .firstWord: return .wakes
    default: return nil
    }
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .left(let absence):
      (absence.protectsData ? protectedData.reduce(.left) : []) + (absence.waitsForSaving ? saveForSleep() : [])
    case .graceEnded: protectedData.reduce(.expired)
    }
  }

  func reached(_ deadline: Deadline) -> [FeatureAction] {
    deadline == .protectedData ? [.afterSettling([send(.graceEnded)])] : []
  }

  // MARK: Absence

  /// The user went or came back, in one way.
  private func change(_ absence: Absence, isOn: Bool, source: String) -> [FeatureAction] {
    // Everything is in the background already, or on its way there; a machine that waits for that is not kept waiting.
    guard !conductor.law.isEnding else {
      return isOn && absence.waitsForSaving ? [.afterSettling([send(.left(absence))])] : []
    }
    let wasOn = absences[absence] != nil
    if isOn { absences[absence, default: []].insert(source) } else { absences[absence]?.remove(source) }
    if absences[absence]?.isEmpty == true { absences[absence] = nil }
    guard wasOn != (absences[absence] != nil) else { return [] }
    var actions: [FeatureAction] = [
      .trace(.fact(absence.rawValue, isOn, cause: source))
    ]
    if !isOn, !absences.keys.contains(where: \.protectsData) { actions += protectedData.reduce(.returned) }
    actions += conductor.roster.ordered.filter { $0.scene != nil }.map { .updateConcealment($0) }
    actions.append(.tell(.presenceChanged))
    if isOn { actions.append(.afterSettling([send(.left(absence))])) }
    return actions
  }

  /// A source that says whether the user is there has gone, or speaks again.
  private func noteSilence(isOn: Bool, source: String) -> [FeatureAction] {
    if isOn { silentSources.insert(source) } else { silentSources.remove(source) }
    return []
  }

  /// A program that is started while the screen is locked is not to be active for a moment.
  private func awaitFirstWord(_ isAwaited: Bool) -> [FeatureAction] {
    guard isFirstWordAwaited != isAwaited else { return [] }
    isFirstWordAwaited = isAwaited
    return updateInterruptions()
  }

  /// Whether input shows that the user is there, though a source that is gone has said otherwise: keys and buttons reach
  /// no window while the screen is locked or another session is in front.
  func disproves(_ input: InputEvent) -> Bool {
    guard !silentSources.isEmpty else { return false }
    switch input.kind {
    case .key(let key): return key.isDown
    case .button(let button): return button.isDown
    case .motion, .scroll, .touch: return false
    }
  }

  /// The user is there: what sources have said that are gone counts no longer.
  private func userIsThere() -> [FeatureAction] {
    Absence.allCases.flatMap { absence in
      silentSources.sorted().flatMap { change(absence, isOn: false, source: $0) }
    }
  }

  /// Everything is in the background: it is saved, in the time that the machine waits, and the machine goes on.
  private func saveForSleep() -> [FeatureAction] {
    let inhibitor = conductor.application.sleepInhibitor
    let time = inhibitor.map { Duration.milliseconds($0.savingTime) } ?? Self.savingTime
    let end = conductor.platform.now + time.seconds
    return [.tell(.saving(.sleep)), .tell(.awaitingDisk(.sleep, until: end)), .tell(.savedForSleep)]
  }

  // MARK: Screen savers

  /// While a saver is on no scene is looked at, though all are where they were: no input, and no frames.
  private func changeScreenSaver(isOn: Bool, source: String) -> [FeatureAction] {
    let wasOn = isScreenSaverOn
    if isOn { screenSavers.insert(source) } else { screenSavers.remove(source) }
    guard wasOn != isScreenSaverOn else { return [] }
    return [.traceSystem("screenSaver", ["to": .bool(isOn), "cause": .string(source)])]
      + updateInterruptions() + [.tell(.screenSaverChanged(isOn: isOn))]
  }

  private func updateInterruptions() -> [FeatureAction] {
    conductor.roster.ordered.filter { $0.scene != nil }.map { .updateInterruption($0) }
  }
}
