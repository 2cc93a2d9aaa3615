import ProsceniumJSON
import ProsceniumLoop
import ProsceniumTrace
import Synchronization

/// Conceals every scene while the screen is locked, another session is in front, or the machine is about to sleep or
/// shut down; interrupts every scene while a screen saver is on; protects data from a moment after a lock on.
final class Presence: FeatureBase, Feature, WindowEventHandler {
  enum Message: Equatable {
    /// The scenes have walked to the background, concealed for this reason.
    case left(ConcealmentReason)
    /// The grace period of protected data is over.
    case graceEnded
  }

  /// How long a disk may delay the machine's sleep, where the machine's own limit is unknown.
  private static let savingTime = Duration.seconds(4)

  /// The source of what a locker shows that says nothing on a bus.
  private static let locker = "locker"

  /// The reasons that conceal the scenes now, each with the sources that report it.
  private var concealments: [ConcealmentReason: Set<String>] = [:]
  /// Sources that have disappeared without withdrawing their reports.
  private var silentSources: Set<String> = []
  /// The sources are being asked, at the launch, whether the user is present.
  private var isFirstWordAwaited = false
  /// The X server is being asked whether a locker holds the keyboard that a window would get.
  private var isLockerSuspected = false
  /// The sources that report an active screen saver, without a lock.
  private var screenSavers: Set<String> = []
  private var protectedData = ProtectedDataMachine.State.available
  /// When the user left, by each report that a suspended program has not been told of yet, on the platform's clock.
  private var missedSince: [String: Double] = [:]
  /// When the grace of protected data is over that began last.
  private var graceEnd = 0.0

  /// Whether any reason conceals the scenes.
  var isConcealing: Bool { !concealments.isEmpty }
  private var isAway: Bool { concealments.keys.contains(where: \.protectsData) }
  /// Whether the machine is about to sleep, or sleeps.
  var isSleepAnnounced: Bool { concealments[.sleeping] != nil }
  var isScreenSaverOn: Bool { !screenSavers.isEmpty }
  /// What says that another person may be at the machine.
  fileprivate var absenceSources: Set<String> {
    concealments.filter(\.key.protectsData).values.reduce(into: []) { $0.formUnion($1) }
  }
  /// Whether a locker has locked the screen that says nothing on a bus.
  var isLockedByLocker: Bool { concealments[.locked]?.contains(Self.locker) == true }

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.handle, .whileSuspended, .conceals, .interrupts, by: self)
    lists.handle(.input, .screenSaver, by: self)
  }

  override func conceals(_ record: SceneRecord) -> Bool { isConcealing }
  override func interrupts(_ record: SceneRecord) -> Bool {
    isScreenSaverOn || isFirstWordAwaited || isLockerSuspected
  }

  // MARK: Events

  func handle(_ event: PlatformEvent) -> [FeatureAction] {
    switch event {
    case .screenSaver(let isOn): changeScreenSaver(isOn: isOn, source: "X")
    case .locker(let state, let name):
      suspectLocker(state == .suspected)
        + changeScreenSaver(isOn: state == .blanked, source: Self.locker, named: name)
        + change(.locked, isOn: state == .locked, source: Self.locker, named: name)
    case .input(let id, let input): disproves(input) && roster[id] != nil ? userIsThere() : []
    default: []
    }
  }

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    switch event {
    case .concealment(let reason, let isOn, let source): change(reason, isOn: isOn, source: source)
    case .silence(let isOn, let source): setSilence(isOn: isOn, source: source)
    case .firstWord(let isAwaited): awaitFirstWord(isAwaited)
    case .screenSaver(let isOn, let source): changeScreenSaver(isOn: isOn, source: source)
    default: []
    }
  }

  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    switch event {
    case .concealment(let reason, let isOn, let source):
      // A known report is no change, and a stored one would be cancelled by the next event.
      if isOn, !reason.waitsForSaving, concealments[reason]?.contains(source) == true { return .dropped }
      if reason.waitsForSaving { return .wakes }
      // A suspended program is in the background: it need not run to be concealed.
      let kind = "concealment \(reason.rawValue) \(source)"
      if reason.protectsData { noteMissed(kind, isAway: isOn) }
      return isOn ? .kept(kind: kind, rank: 0) : .takesBack(kind: kind)
    case .silence: return .handledAsleep
    case .screenSaver(_, let source): return .kept(kind: "saver \(source)", rank: 6)
    case .firstWord: return .wakes
    default: return nil
    }
  }

  /// The suspended program is told later that the user is away, if at all: the grace of protected data begins now.
  func noteMissed(_ kind: String, isAway isOn: Bool) {
    if !isAway { missedSince[kind] = isOn ? missedSince[kind] ?? conductor.platform.now : nil }
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .left(let reason):
      // What came with its own end in one batch protects nothing, but a machine that waits is let go.
      (reason.protectsData && concealments[reason] != nil ? leave() : [])
        + (reason.waitsForSaving ? saveForSleep() : [])
    case .graceEnded: reduce(.expired)
    }
  }

  // MARK: Concealment

  /// What the trace calls a source: a locker by its own name, too.
  private func cause(_ source: String, _ name: String?) -> String { name.map { "\(source) \($0)" } ?? source }

  /// A source reports or withdraws a reason.
  private func change(
    _ reason: ConcealmentReason, isOn: Bool, source: String, named name: String? = nil
  ) -> [FeatureAction] {
    // All scenes are in the background already, or on their way; a machine that waits for that is not delayed further.
    // The user may be away before background tasks let the program end: keys are let go as at any other time.
    let phase = conductor.machine.phase
    guard !phase.isEnding || reason.protectsData && phase != .terminated else {
      return isOn && reason.waitsForSaving ? [.afterSettling([send(.left(reason))])] : []
    }
    let wasOn = concealments[reason] != nil
    if isOn { concealments[reason, default: []].insert(source) } else { concealments[reason]?.remove(source) }
    if concealments[reason]?.isEmpty == true { concealments[reason] = nil }
    guard wasOn != (concealments[reason] != nil) else { return [] }
    var actions: [FeatureAction] = [.trace(.fact(reason.rawValue, isOn, cause: cause(source, name)))]
    if !isOn, !isAway {
      missedSince = [:]
      actions += reduce(.returned)
    }
    if isOn, reason.protectsData, wasAbsentAtLaunch {
      actions += [.traceSystem("protectedData", ["available": .bool(false), "cause": .string("launch")])]
      actions += reduce(.absent)
    }
    actions += roster.ordered.filter { $0.scene != nil }.map { .updateConcealment($0) }
    actions.append(.announce(.presenceChanged))
    if isOn { actions.append(.afterSettling([send(.left(reason))])) }
    return actions
  }

  /// Whether a user who is said to be away now was so at the launch, as the first word says.
  ///
  /// Not where the program has had a key, and has a content that it would have to let go.
  private var wasAbsentAtLaunch: Bool {
    isFirstWordAwaited && protectedData == .available && application.applicationState != .active
      && !application.value(ProtectedDataUseKey.self)
  }

  /// A source has disappeared, or is back.
  private func setSilence(isOn: Bool, source: String) -> [FeatureAction] {
    if isOn { silentSources.insert(source) } else { silentSources.remove(source) }
    return []
  }

  /// A program that is started while the screen is locked is never active.
  private func awaitFirstWord(_ isAwaited: Bool) -> [FeatureAction] {
    exchange(&isFirstWordAwaited, with: isAwaited) == isAwaited ? [] : updateInterruptions()
  }

  /// A program that is started below a locker is never active; one that is active goes on until it is known.
  private func suspectLocker(_ isOn: Bool) -> [FeatureAction] {
    let isOn = isOn && application.applicationState != .active
    return exchange(&isLockerSuspected, with: isOn) == isOn ? [] : updateInterruptions()
  }

  /// Whether input shows that the user is present, against a report of a source that has disappeared: keys and buttons
  /// reach no window while the screen is locked or another session is in front.
  func disproves(_ input: InputEvent) -> Bool {
    guard !silentSources.isEmpty else { return false }
    switch input.kind {
    case .key(let key): return key.isDown
    case .button(let button): return button.isDown
    case .motion, .scroll, .touch: return false
    }
  }

  /// The user is present: reports of sources that have disappeared are withdrawn.
  private func userIsThere() -> [FeatureAction] {
    ConcealmentReason.allCases.flatMap { reason in
      silentSources.sorted().flatMap { change(reason, isOn: false, source: $0) }
    }
  }

  /// Saves the state of the scenes, all in the background, in the time that the machine waits, and permits the sleep.
  private func saveForSleep() -> [FeatureAction] {
    let inhibitor = conductor.sleepInhibitor
    let time = inhibitor.map { Duration.milliseconds($0.savingTime) } ?? Self.savingTime
    let end = conductor.platform.now + time.seconds
    return [.announce(.saving(.sleep)), .announce(.awaitingDisk(.sleep, until: end)), .announce(.savedForSleep)]
  }

  /// Reduces one input of the protected data machine, and returns the actions of its effects.
  private func reduce(_ input: ProtectedDataMachine.Input, grace: Duration = .zero) -> [FeatureAction] {
    let (next, effects) = ProtectedDataMachine.reduce(protectedData, input)
    let before = exchange(&protectedData, with: next)
    application.protectedData.withLock { $0 = next != .unavailable }
    let actions = effects.map { effect -> FeatureAction in
      switch effect {
      case .announceUnavailable: .call(ProtectedDataCall(isAvailable: false))
      case .announceAvailable: .call(ProtectedDataCall(isAvailable: true))
      case .hold: set(.protectedData, after: max(.zero, grace), .graceEnded)
      case .release: .cancel(.protectedData)
      }
    }
    return actions + (next == before ? [] : [.announce(.protectedDataChanged(next))])
  }

  /// The scenes are in the background: the grace begins, or is over where the program was suspended for as long.
  private func leave() -> [FeatureAction] {
    guard protectedData == .available else { return [] }
    let now = conductor.platform.now
    let missed = exchange(&missedSince, with: [:]).values.min() ?? now
    let grace = application.holdTimes.protectedData - .seconds(now - missed)
    graceEnd = now + grace.seconds
    return reduce(.left, grace: grace) + (grace < .zero ? endGrace() : [])
  }

  /// Ends a grace that is over.
  ///
  /// Deadlines stand still while the program is suspended, and are handled behind what has woken it.
  func resumed() -> [FeatureAction] {
    protectedData == .closing && graceEnd <= conductor.platform.now ? endGrace() : []
  }

  private func endGrace() -> [FeatureAction] { [.cancel(.protectedData)] + reduce(.expired) }

  // MARK: Screen savers

  /// While a screen saver is on all scenes are interrupted: no input, and no frames.
  private func changeScreenSaver(isOn: Bool, source: String, named name: String? = nil) -> [FeatureAction] {
    let wasOn = isScreenSaverOn
    if isOn { screenSavers.insert(source) } else { screenSavers.remove(source) }
    guard wasOn != isScreenSaverOn else { return [] }
    return [.traceSystem("screenSaver", ["to": .bool(isOn), "cause": .string(cause(source, name))])]
      + updateInterruptions() + [.announce(.screenSaverChanged(isOn: isOn))]
  }

  private func updateInterruptions() -> [FeatureAction] {
    roster.ordered.filter { $0.scene != nil }.map { .updateInterruption($0) }
  }
}

/// The grace period of protected data is over.
extension Deadline { fileprivate static let protectedData = Deadline("protectedData") }

/// The application's callbacks about protected data.
private struct ProtectedDataCall: Notice {
  var isAvailable: Bool
  private var name: String {
    isAvailable ? "applicationProtectedDataDidBecomeAvailable" : "applicationProtectedDataWillBecomeUnavailable"
  }
  var call: CallDescription { CallDescription(name + "(_:)") }

  func send(to application: Application) {
    application.conductor?.traceApplication(name)
    if isAvailable {
      application.delegate?.applicationProtectedDataDidBecomeAvailable(application)
      Application.ProtectedDataDidBecomeAvailableMessage(application: application).post()
    } else {
      application.delegate?.applicationProtectedDataWillBecomeUnavailable(application)
      let sources = application.conductor?.feature(Presence.self)?.absenceSources ?? []
      Application.ProtectedDataWillBecomeUnavailableMessage(application: application, sources: sources).post()
    }
  }
}
