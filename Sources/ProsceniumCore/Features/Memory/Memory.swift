import ProsceniumJSON
import ProsceniumTrace

/// Frees memory: the caches of scenes in the background, and all caches under pressure; disconnects scenes by the
/// ``ReclaimPolicy``.
final class Memory: FeatureBase, Feature {
  enum Message: Equatable {
    /// Disconnects the scenes that the policy chooses.
    case reclaim
    /// Disconnects a chosen scene, unless a callback of one before it has made that wrong; by the pressure, if any.
    case reclaimOne(SceneRecord, MemoryPressure?)
    /// A scene has been in the background for the policy's time limit.
    case due
    /// The program has been warned of pressure; the scenes' footprints before, by number.
    case warned(MemoryPressure, footprints: [SceneNumber: Int])
    /// Returns free memory of the process to the system, if there is any.
    case trim
  }

  final class SceneState: SceneFeatureState {
    /// When the scene last entered the background, on the platform's clock; nil while it is in the foreground.
    var backgroundSince: Double?
    var caches = PurgeableList()
  }

  private var pressureLimit = PressureLimit()
  /// A choice of the policy is due for all scenes that were purged in this item.
  private var isReclaimDue = false
  /// Freed memory is returned to the system once all items have been handled.
  private var isTrimDue = false

  static let manifestProperties: [ManifestProperty] = [
    .object("reclaimPolicy", \.reclaimPolicy, ReclaimPolicy.properties)
  ]

  private var policy: ReclaimPolicy { application.reclaimPolicy }
  private var isInBackground: Bool { roster.isInBackground }
  private var now: Double { conductor.platform.now }

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.handle, .whileSuspended, by: self)
    lists.observe(after: [.sceneWillConnect, .sceneWillEnterForeground, .sceneDidDisconnect], by: self)
    lists.observe(moments: .sceneMade, .unseen, .workDone, by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .sceneMade(let record): state(of: record).backgroundSince = now
    case .after(.sceneWillConnect, let record): if record.connection.isInBackground { return [post(.reclaim)] }
    case .after(.sceneWillEnterForeground, let record): state(of: record).backgroundSince = nil
    case .unseen(let record): return purge(record)
    // Caches that the program still holds do not count for the session's next scene.
    case .after(.sceneDidDisconnect, let record): state(of: record).caches = PurgeableList()
    case .workDone(nil): return reclaimSoon()
    default: break
    }
    return []
  }

  /// Empties the scene's caches.
  private func purge(_ record: SceneRecord) -> [FeatureAction] {
    let state = state(of: record)
    state.backgroundSince = state.backgroundSince ?? now
    state.caches.purge()
    if isInBackground { application.value(CachesKey.self).purge() }
    return reclaimSoon()
  }

  // MARK: Pressure

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    guard case .memoryPressure(let pressure) = event, conductor.machine.phase.isLaunched,
      pressureLimit.admits(pressure, now: now)
    else { return [] }
    let line = FeatureAction.trace(warningLine(pressure))
    if pressure == .critical, policy.endsUnderCriticalPressure, isInBackground {
      return [line, .send(AnyMessage(Termination.self, .ask(.memoryPressure, status: 0)))]
    }
    // The footprint before the caches are emptied decides which scene frees most.
    let footprints = Dictionary(uniqueKeysWithValues: candidates().map { ($0.scene, $0.footprint) })
    let records = connectedByNeed
    return [line, .call(MemoryWarningCall(scenes: records))]
      + records.flatMap { record in record.windows.states.map { .command(.purgeSpareBuffers($0.id)) } }
      + [send(.warned(pressure, footprints: footprints))]
  }

  /// Scenes in the background before those in front.
  private var connectedByNeed: [SceneRecord] {
    let connected = roster.ordered.filter(\.isAttached)
    return connected.filter { $0.activation <= .background } + connected.filter { $0.activation > .background }
  }

  /// A suspended program that has to end under critical pressure ends without callbacks before the kernel kills it;
  /// pressure that would not be reported does not wake the program, because lasting pressure would keep it running.
  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    guard case .memoryPressure(let pressure) = event else { return nil }
    if pressure == .critical, policy.endsUnderCriticalPressure { return .ends(.memoryPressure, warningLine(pressure)) }
    var limit = pressureLimit
    return limit.admits(pressure, now: now) ? .wakes : .dropped
  }

  private func warningLine(_ pressure: MemoryPressure) -> TraceRecord {
    .system("memoryWarning", ["level": .string("\(pressure)")])
  }

  // MARK: Reclaim

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .reclaim: return reclaim()
    case .reclaimOne(let record, let pressure): return reclaim(record, pressure)
    case .due: return [post(.reclaim)]
    case .warned(let pressure, let footprints):
      for record in connectedByNeed { state(of: record).caches.purge() }
      application.value(CachesKey.self).purge()
      isTrimDue = true
      // The callbacks may have activated scenes or begun tasks. Memory that the disconnections free is
      // returned with the next reclaim.
      return disconnect(choice(pressure, footprints: footprints).scenes, pressure) + [post(.reclaim)]
    case .trim:
      if isTrimDue || isInBackground { application.host.process?.trimMemory() }
      isTrimDue = false
      return []
    }
  }

  /// Requests a choice of the policy after the present batch.
  private func reclaimSoon() -> [FeatureAction] { exchange(&isReclaimDue, with: true) ? [] : [post(.reclaim)] }

  /// Disconnects the scenes that the policy chooses now, and sets the deadline for the next choice.
  private func reclaim() -> [FeatureAction] {
    isReclaimDue = false
    guard !conductor.machine.phase.isEnding else { return [.cancel(.reclaim)] }
    let choice = choice(nil)
    let deadline: FeatureAction =
      choice.next.map { set(.reclaim, after: .seconds(min(max(0, $0 - now), 1e6)) + .milliseconds(1), .due) }
      ?? .cancel(.reclaim)
    return disconnect(choice.scenes, nil) + [deadline, send(.trim)]
  }

  /// The policy's present choice.
  /// - Parameters:
  ///   - pressure: The memory pressure; nil for none.
  ///   - footprints: The scenes' earlier footprints, where they decide.
  /// - Returns: The choice.
  private func choice(_ pressure: MemoryPressure?, footprints: [SceneNumber: Int] = [:]) -> ReclaimPolicy.Choice {
    var candidates = candidates()
    for index in candidates.indices {
      candidates[index].footprint = footprints[candidates[index].scene] ?? candidates[index].footprint
    }
    return policy.choose(candidates, pressure: pressure, now: now, isHeld: isHeld())
  }

  /// Whether a task is open, and ``Moment/workDone(_:)`` follows.
  ///
  /// What was observed decides, not the table: of a task that begins and ends unobserved nothing comes.
  private func isHeld() -> Bool {
    conductor.perform(.send(AnyMessage(BackgroundTasks.self, .observe)))
    return conductor.feature(BackgroundTasks.self)?.holds == true
  }

  /// All connected scenes in the background.
  private func candidates() -> [ReclaimPolicy.Candidate] {
    guard conductor.machine.model == .sceneBased else { return [] }
    return roster.ordered.compactMap { record in
      guard let scene = record.scene, record.ending == nil, record.activation == .background else { return nil }
      return ReclaimPolicy.Candidate(
        scene: record.number, footprint: scene.footprint, lastActive: record.lastActive,
        since: state(of: record).backgroundSince ?? now, isExempt: isExempt(record))
    }
  }

  /// Whether a scene is about to become visible, could not be restored, or would take its window along.
  private func isExempt(_ record: SceneRecord) -> Bool {
    // An adopted window does not stay bare: nobody could bring it back.
    if record.primaryWindow?.isAdopted == true { return true }
    guard record.windows.primary != nil, record.machine.target == .background, !conductor.keepsConnected(record) else {
      return true
    }
    // Shown by the program, perhaps in this callback, and not handled yet.
    let isAskedFor = record.windows.states.contains { $0.window?.isHidden == false && !$0.isShown }
    if isAskedFor, !record.connection.isInBackground { return true }
    // Requested, and not shown by the window manager yet.
    return !record.connection.hasBeenInForeground && !record.connection.isInBackground && record.windows.isAnyShown
  }

  /// Disconnects scenes one after the other, in the order of the choice.
  private func disconnect(_ scenes: [SceneNumber], _ pressure: MemoryPressure?) -> [FeatureAction] {
    if !scenes.isEmpty { isTrimDue = true }
    return scenes.compactMap { roster[$0] }.map { send(.reclaimOne($0, pressure)) }
  }

  /// Callbacks of the scenes before may have shown this one, or begun a task; then it is chosen again later.
  private func reclaim(_ record: SceneRecord, _ pressure: MemoryPressure?) -> [FeatureAction] {
    guard record.isAttached, record.activation == .background, !isExempt(record), pressure == .critical || !isHeld()
    else { return [] }
    return [.disconnect(record, SceneEnding(reason: .reclaimed, discards: false)), .settle]
  }
}

/// A scene has been in the background for the policy's time limit.
extension Deadline { fileprivate static let reclaim = Deadline("reclaim", isUrgent: true) }

/// `applicationDidReceiveMemoryWarning(_:)`, the windows' contents, and the notification.
private struct MemoryWarningCall: Notice {
  /// The connected scenes, those in the background first.
  var scenes: [SceneRecord]
  var call: CallDescription { CallDescription("applicationDidReceiveMemoryWarning(_:)") }

  func send(to application: Application) {
    application.delegate?.applicationDidReceiveMemoryWarning(application)
    for record in scenes {
      for window in record.windowScene?.windows ?? [] { window.content?.didReceiveMemoryWarning() }
    }
    Application.DidReceiveMemoryWarningMessage(application: application).post()
  }
}

/// Limits reports of memory pressure to one in ten seconds, and the first critical one.
struct PressureLimit: Hashable, Sendable {
  /// In seconds.
  static let interval = 10.0

  private var last: [MemoryPressure: Double] = [:]

  /// Whether a report at this time counts.
  mutating func admits(_ pressure: MemoryPressure, now: Double) -> Bool {
    // A critical report covers the warnings after it; a warning covers no critical report.
    let covering = pressure == .critical ? [last[.critical]] : [last[.warning], last[.critical]]
    if covering.contains(where: { $0.map { now - $0 < Self.interval } ?? false }) { return false }
    last[pressure] = now
    return true
  }
}
