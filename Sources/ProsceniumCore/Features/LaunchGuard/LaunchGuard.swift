import ProsceniumStore

/// Holds back sessions whose connection has killed the program twice, and connects suspects one by one.
///
/// A journal on disk marks a session while the program's code runs for it: its connection, its way to the foreground,
/// and its first drawing. The store notes there, too, when the process ends itself meanwhile. A death between these
/// calls, or one from outside, says nothing about a session: anything may have killed the program then. A session that
/// is held back in a run that does not die of another one is connected in the next, as a suspect: one more death holds
/// it back again.
final class LaunchGuard: FeatureBase, Feature, LoopObserver, WindowEventHandler {
  enum Message: Equatable {
    /// Connects the next of the sessions that were connecting when the last run died.
    case connectSuspect
    /// Half of the guard's time limit is over.
    case due
    /// The scene's window has been drawn for the first time.
    case drawn(SceneRecord)
  }

  final class SceneState: SceneFeatureState {
    /// The session connects: its scene has not been in the foreground, and the time limit is not over.
    var isConnecting = false
    /// The journal marks the session: the program's code runs for it.
    var isMarked = false
    /// The scene has come to the foreground while it was connecting, and has not been drawn.
    var awaitsDrawing = false
  }

  /// The number of runs in a row that end themselves while a session connects before it is held back.
  private static let runsToBlame = 2
  /// The time limit of the guard: at most this, and at least half of it.
  private static let limit = Duration.seconds(5)

  /// Sessions that were connecting when the last run died, until they are connected one after the other.
  private var suspects: [SceneRecord] = []
  private var underWay: SceneRecord?
  /// The suspects that are not restored yet: of a launch into the background, or with large records.
  private var suspectsLeft: [SceneRecord] = []
  /// The number of sessions that connect.
  private var count = 0
  /// Sessions whose connection began recently, and those of half the limit ago; some may have connected in between.
  private var connecting: [SceneRecord] = []
  private var connectingLong: [SceneRecord] = []
  /// The program's code has run for a connection, and the store has not been told that it rests.
  private var hasMarked = false

  private var store: SessionStore? { conductor.store }

  override func keepsConnected(_ record: SceneRecord) -> Bool { state(of: record).isConnecting }
  override var keepsRunning: Bool { opensScenesLater || underWay != nil }
  override var opensScenesLater: Bool { !suspects.isEmpty }
  override func explainHold(of record: SceneRecord) -> String? {
    guard record.session.holdReason == .connectionCrashed else { return nil }
    return "the last two runs that connected it died within its connection. The next launch tries it again; activate "
      + "it to try now."
  }
  override func defersRestoration(of record: SceneRecord) -> Bool { suspects.contains(record) }

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.keepsConnected, .keepsRunning, .explainHold, .defersRestoration, .opensScenesLater, by: self)
    lists.handle(.drawing, by: self)
    lists.observe(.resting, by: self)
    lists.observe(
      before: [.sceneWillEnterForeground],
      after: [.sceneWillConnect, .sceneWillEnterForeground, .sceneDidDisconnect], by: self)
    lists.observe(moments: .judging, .connecting, by: self)
  }

  /// The first drawing follows when the event has been settled.
  func handle(_ event: PlatformEvent) -> [FeatureAction] {
    guard case .frame(let id, _) = event, let record = roster[id], state(of: record).awaitsDrawing else { return [] }
    mark(record)
    return [.afterSettling([send(.drawn(record))])]
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .judging(let record, let deaths): judge(record, deaths)
    // They connect on request, or when the sessions are restored after all.
    case .launchedInBackground, .sessionsLeft: (suspects, suspectsLeft) = ([], suspects)
    case .restoring(let records):
      let all = suspects + suspectsLeft
      suspects = records.filter(all.contains)
      // Some may follow that were too much to be read with the others.
      suspectsLeft = all.filter { !records.contains($0) }
    case .sessionsRestored: return connectSuspect()
    case .connecting(let record): return begin(record)
    case .connectionFailed(let record): return end(record)
    case .after(.sceneWillConnect, let record):
      unmark(record)
      // The connection has no further steps before a request for the scene.
      return record.connection.isInBackground ? end(record) : []
    case .before(.sceneWillEnterForeground, let record) where state(of: record).isConnecting: mark(record)
    case .after(.sceneWillEnterForeground, let record):
      state(of: record).awaitsDrawing = state(of: record).isConnecting
      return end(record)
    case .after(.sceneDidDisconnect, let record):
      state(of: record).awaitsDrawing = false
      return end(record)
    // A session at this point has survived its connection.
    case .suspending: return (connecting + connectingLong).flatMap(end)
    default: break
    }
    return []
  }

  /// Calls of connections follow each other within a turn.
  func moment(_ moment: LoopMoment) -> [FeatureAction] {
    if hasMarked, let store { hasMarked = !store.restConnecting() }
    return []
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .connectSuspect: connectSuspect()
    case .due: due()
    case .drawn(let record): drawn(record)
    }
  }

  private func judge(_ record: SceneRecord, _ deaths: Int) {
    guard deaths > 0 else { return }
    if deaths >= Self.runsToBlame {
      record.session.holdReason = .connectionCrashed
      store?.holdBack(record.identifier)
    } else if record.isInteractive {
      // The others connect with their display, not with the launch.
      suspects.append(record)
    }
  }

  /// Connects the next suspect, so that the next death names one of them.
  private func connectSuspect() -> [FeatureAction] {
    guard underWay == nil, !suspects.isEmpty else { return [] }
    let record = suspects.removeFirst()
    guard roster.contains(record), record.scene == nil else {
      return [.announce(.notRestored(record))] + connectSuspect()
    }
    underWay = record
    conductor.perform(.send(AnyMessage(Restoration.self, .restore(record))))
    // Its record could not be read, or it has no delegate any more: the other suspects follow.
    guard record.scene == nil, underWay == record else { return [] }
    underWay = nil
    return connectSuspect()
  }

  // MARK: Connections

  private func begin(_ record: SceneRecord) -> [FeatureAction] {
    guard store != nil, !state(of: record).isConnecting else { return [] }
    state(of: record).isConnecting = true
    mark(record)
    connecting.append(record)
    count += 1
    // It is set as long as any session connects.
    return count > 1 || conductor.isSet(.guarded) ? [] : [set(.guarded, after: Self.limit / 2, .due)]
  }

  /// The session has survived its connection; the next suspect may follow.
  private func end(_ record: SceneRecord) -> [FeatureAction] {
    unmark(record)
    guard state(of: record).isConnecting else { return [] }
    state(of: record).isConnecting = false
    var actions: [FeatureAction] = []
    if underWay == record {
      underWay = nil
      actions.append(post(.connectSuspect))
    }
    count -= 1
    guard count == 0 else { return actions }
    (connecting, connectingLong) = ([], [])
    return actions + [.cancel(.guarded)]
  }

  private func drawn(_ record: SceneRecord) -> [FeatureAction] {
    state(of: record).awaitsDrawing = false
    unmark(record)
    return []
  }

  /// Half of the limit is over: for some sessions the second half.
  ///
  /// One deadline for any number of sessions.
  private func due() -> [FeatureAction] {
    let late = connectingLong
    connectingLong = connecting
    connecting = []
    let actions = late.flatMap(end)
    return actions + (count > 0 && !conductor.isSet(.guarded) ? [set(.guarded, after: Self.limit / 2, .due)] : [])
  }

  // MARK: The journal

  private func mark(_ record: SceneRecord) {
    guard let store, !state(of: record).isMarked else { return }
    state(of: record).isMarked = true
    hasMarked = true
    store.beginConnecting(record.identifier)
  }

  private func unmark(_ record: SceneRecord) {
    guard let store, state(of: record).isMarked else { return }
    state(of: record).isMarked = false
    store.endConnecting(record.identifier)
  }
}

extension SceneSession.HoldReason {
  /// The last two runs that connected the session died within its connection, by a crash of the program's own.
  ///
  /// The next launch tries it again.
  public static let connectionCrashed = SceneSession.HoldReason(rawValue: "connectionCrashed")
}

/// Half of the guard's time limit is over.
extension Deadline { fileprivate static let guarded = Deadline("connecting") }
