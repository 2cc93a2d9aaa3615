import ProsceniumJSON
import ProsceniumLoop
import ProsceniumPlatform
import ProsceniumTrace
import SceneLifecycle

/// Gives memory back: the caches of scenes that are not seen, and of all when memory is short; disconnects scenes as
/// ``ReclaimPolicy`` says.
final class Memory: Feature {
  enum Message: Equatable {
    /// Asks the policy which scenes go now.
    case reclaim
    /// The program has been warned of pressure; what scenes held before, by number.
    case warned(MemoryPressure, footprints: [SceneNumber: Int])
    /// Gives the memory that is free within the process back to the system, if there is any.
    case trim
  }

  final class SceneState: SceneFeatureState {
    /// When the scene last entered the background, on the platform's clock; nil while it is in the foreground.
    var backgroundSince: Double?
    var caches = PurgeableList()
  }

  private unowned let conductor: Conductor
  private var pressureLimit = PressureLimit()
  /// The policy is asked once everything has been done, for all scenes that were purged meanwhile.
  private var isReclaimDue = false
  /// There is memory to give back to the system once everything has been done.
  private var isTrimDue = false

  static let manifestProperties: [ManifestProperty] = [
    .object("reclaimPolicy", \.reclaimPolicy, ReclaimPolicy.properties)
  ]

  init(_ conductor: Conductor) { self.conductor = conductor }

  private var policy: ReclaimPolicy { conductor.application.reclaimPolicy }
  private var isInBackground: Bool { conductor.roster.isInBackground }
  private var now: Double { conductor.platform.now }

  func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .sceneMade(let record): state(of: record).backgroundSince = now
    case .after(.sceneWillConnect, let record): if record.connection.isInBackground { return [post(.reclaim)] }
    case .after(.sceneWillEnterForeground, let record): state(of: record).backgroundSince = nil
    case .unseen(let record): return purge(record)
    // What the program still holds of them does not count for the session's next scene.
    case .after(.sceneDidDisconnect, let record): state(of: record).caches = PurgeableList()
    case .workDone(nil): return reclaimSoon()
    default: break
    }
    return []
  }

  /// Gives back what the scene's caches hold.
  private func purge(_ record: SceneRecord) -> [FeatureAction] {
    let state = state(of: record)
    state.backgroundSince = state.backgroundSince ?? now
    state.caches.purge()
    if isInBackground { conductor.application.value(CachesKey.self).purge() }
    return reclaimSoon()
  }

  // MARK: Pressure

  func handle(_ event: SystemEvent) -> [FeatureAction] {
    guard case .memoryPressure(let pressure) = event, conductor.law.isLaunched,
      pressureLimit.admits(pressure, now: now)
    else { return [] }
    let line = FeatureAction.traceSystem("memoryWarning", ["level": .string(pressure.traceName)])
    if pressure == .critical, policy.endsUnderCriticalPressure, isInBackground {
      return [line, .send(AnyMessage(Termination.self, .ask(.memoryPressure, status: 0)))]
    }
    // What each scene has before its caches are emptied decides which gives back most.
    let footprints = Dictionary(uniqueKeysWithValues: candidates().map { ($0.scene, $0.footprint) })
    let records = connectedByNeed
    return [line, .call(MemoryWarningCall(scenes: records))]
      + records.flatMap { record in record.windows.states.map { .command(.purgeSpareBuffers($0.id)) } }
      + [send(.warned(pressure, footprints: footprints))]
  }

  /// Scenes in the background before those in front.
  private var connectedByNeed: [SceneRecord] {
    let connected = conductor.roster.ordered.filter { $0.scene != nil && $0.ending == nil }
    return connected.filter { $0.activation <= .background } + connected.filter { $0.activation > .background }
  }

  /// A suspended program that is to end under critical pressure ends in silence before the kernel takes it; pressure that
  /// would not be told does not wake it, or pressure that lasts would keep it running.
  func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    guard case .memoryPressure(let pressure) = event else { return nil }
    if pressure == .critical, policy.endsUnderCriticalPressure { return .ends(.memoryPressure) }
    var limit = pressureLimit
    return limit.admits(pressure, now: now) ? .wakes : .dropped
  }

  func tracesEnd(by event: SystemEvent) -> [FeatureAction] {
    guard case .memoryPressure(let pressure) = event else { return [] }
    return [.traceSystem("memoryWarning", ["level": .string(pressure.traceName)])]
  }

  // MARK: Reclaim

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .reclaim: return reclaim()
    case .warned(let pressure, let footprints):
      for record in connectedByNeed { state(of: record).caches.purge() }
      conductor.application.value(CachesKey.self).purge()
      isTrimDue = true
      // Which scenes are on their way into sight, and whether a task is open, may be otherwise since the callbacks. What
      // the disconnections give back goes with the next look.
      return disconnect(choice(pressure, footprints: footprints).scenes) + [post(.reclaim)]
    case .trim:
      if isTrimDue || isInBackground { conductor.application.ownProcess?.trimMemory() }
      isTrimDue = false
      return []
    }
  }

  func reached(_ deadline: Deadline) -> [FeatureAction] { deadline == .reclaim ? [post(.reclaim)] : [] }

  /// Asks the policy after everything that the same batch does.
  private func reclaimSoon() -> [FeatureAction] {
    defer { isReclaimDue = true }
    return isReclaimDue ? [] : [post(.reclaim)]
  }

  /// Does what the policy says now, and sets the one deadline for what it says later.
  private func reclaim() -> [FeatureAction] {
    isReclaimDue = false
    guard !conductor.law.isEnding else { return [.cancel(.reclaim)] }
    let choice = choice(nil)
    let deadline: FeatureAction =
      choice.next.map { .set(.reclaim, after: .seconds(min(max(0, $0 - now), 1e6)) + .milliseconds(1)) }
      ?? .cancel(.reclaim)
    return disconnect(choice.scenes) + [deadline, send(.trim)]
  }

  /// What the policy says now.
  /// - Parameters:
  ///   - pressure: How short memory is; nil where it is not.
  ///   - footprints: What the scenes held a moment ago, where that is to decide.
  private func choice(_ pressure: MemoryPressure?, footprints: [SceneNumber: Int] = [:]) -> ReclaimPolicy.Choice {
    var candidates = candidates()
    for index in candidates.indices {
      candidates[index].footprint = footprints[candidates[index].scene] ?? candidates[index].footprint
    }
    return policy.choose(
      candidates, pressure: pressure, now: now, isHeld: conductor.application.hasBackgroundTasks)
  }

  /// All connected scenes in the background.
  private func candidates() -> [ReclaimPolicy.Candidate] {
    guard conductor.law.model == .sceneBased else { return [] }
    return conductor.roster.ordered.compactMap { record in
      guard let scene = record.scene, record.ending == nil, record.activation == .background else { return nil }
      return ReclaimPolicy.Candidate(
        scene: record.number, footprint: scene.footprint, lastActive: record.lastActive,
        since: state(of: record).backgroundSince ?? now, isExempt: isExempt(record))
    }
  }

  /// Whether a scene is on its way into sight, or could not come back.
  private func isExempt(_ record: SceneRecord) -> Bool {
    guard record.windows.primary != nil, record.machine.target == .background, !conductor.keepsConnected(record) else {
      return true
    }
    // Shown by the program, in the very callback perhaps, and not handled yet.
    let isAskedFor = record.windows.states.contains { $0.window?.isHidden == false && !$0.isShown }
    if isAskedFor, !record.connection.isInBackground { return true }
    // Asked for, and not shown by the window manager yet.
    return !record.connection.hasBeenInForeground && !record.connection.isInBackground && record.windows.isAnyShown
  }

  /// Disconnects scenes one after the other, in the order of the choice.
  private func disconnect(_ scenes: [SceneNumber]) -> [FeatureAction] {
    if !scenes.isEmpty { isTrimDue = true }
    return scenes.compactMap { conductor.roster[$0] }.flatMap { record -> [FeatureAction] in
      [.disconnect(record, SceneEnding(reason: .reclaimed, discards: false)), .settle]
    }
  }
}

extension Deadline {
  /// A scene has been in the background for as long as the policy lets it stay connected.
  fileprivate static let reclaim = Deadline("reclaim")
}

extension MemoryPressure {
  fileprivate var traceName: String {
    switch self {
    case .warning: "warning"
    case .critical: "critical"
    }
  }
}
