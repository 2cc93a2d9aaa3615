import FoundationEssentials
import ProsceniumLoop
import ProsceniumStore

/// Saves scene sessions to the store: decides when, and which parts.
final class Saving: FeatureBase, Feature, FactsObserver, LoopObserver {
  enum Message: Equatable {
    /// All changes are passed to the store.
    case save
    /// The debounce is over: the state of changed scenes is read, then all changes are saved.
    case due
    /// Saves the present state of every scene.
    case saveEverything
    /// The store reports a failed save.
    case failed(StoreFailure)
    /// Something else could not be saved, because the disk is full.
    case noteFullDisk
    /// The delegate has received the discard of these sessions: their records are removed.
    case forget([String])
    /// The program ends: the store is written and closed.
    case end
  }

  final class SceneState: SceneFeatureState {
    /// Fields of the record on disk that this version does not know.
    var unknown: [String: StoredValue] = [:]
    var placement: WindowPlacement?
    var presence = StoredSession.Presence.hidden
    /// The title that was stored, or that the last scene had, until the scene has one.
    var title: String?
    /// The time when the scene was last active, in seconds since 1970.
    var lastActiveTime = 0.0
    /// A stored value of the session has changed since the last save, possibly only the time of the activity.
    var isChanged = false
    /// A value other than the time of the activity has changed.
    var isContentChanged = false
    /// The delegate's state has changed since it was last read.
    var isStateChanged = false
    /// The item of the inbox in which the delegate's state was last read.
    var stateAskedIn = -1
    /// It has been reported that the delegate lacks the method which returns its state.
    var isMissingReported = false
  }

  /// The longest time that changes wait, so that many of them are saved at once.
  private static let delay = Duration.seconds(1)

  /// The store of the program's scene sessions; nil where there is none.
  private(set) var store: SessionStore?
  private(set) var changed: [SceneRecord] = []
  /// Discarded sessions that the delegate has not received.
  private var discarded: [SceneSession] = []
  /// Changes are saved before the loop sleeps, without waiting for the debounce.
  private var savesAtRest = false
  /// The latest time of activity, which never decreases when the clock does.
  private var latestActivity = 0.0
  private var activations = 0

  override var hasIdleWork: Bool { savesAtRest }

  /// Saves sessions to this store from now on.
  func use(_ store: SessionStore?) {
    self.store = store
    // The conductor has weak references anyhow.
    store?.onFailure = { [weak conductor] failure in conductor?.feature(Self.self)?.failed(failure) }
    store?.onRecovery = { [weak conductor] in
      conductor?.reportSavingResumed("Sessions are saved again, with all that could not be saved before.")
    }
    if let process = application.host.process { store?.afterPictures { process.trimMemory() } }
  }

  /// Reports the failure to the program when its launch callbacks have been called, or at once.
  func failed(_ failure: StoreFailure) {
    conductor.report("Sessions cannot be saved: \(failure.description)")
    conductor.post(Self.self, .failed(failure))
  }

  /// Adopts a session of an earlier run: in its earlier state, ordered by the time of its activity.
  func adopt(_ record: SceneRecord, presence: StoredSession.Presence, lastActive: Double) {
    let state = state(of: record)
    state.presence = presence
    state.lastActiveTime = lastActive
    latestActivity = max(latestActivity, lastActive)
    activations += 1
    record.lastActive = activations
  }

  /// Parts that the last run left unsynced are synced when the loop rests.
  func savesWhatLastRunLeft() { savesAtRest = true }

  /// Adds a discarded session of an earlier run that the delegate has not received.
  func adoptDiscarded(_ session: SceneSession) { discarded.append(session) }

  // MARK: Times

  override func join(_ lists: inout FeatureLists) {
    lists.facts.append(self)
    lists.observe(.handled, .idle, by: self)
    lists.observe(
      before: [.sceneDidBecomeActive, .sceneDidDisconnect],
      after: [.sceneWillConnect, .sceneWillResignActive, .sceneDidEnterBackground, .sceneDidDisconnect], by: self)
    lists.observe(moments: .sceneMade, .placed, .leftForeground, .tearingDown, .discarded, by: self)
  }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    // Sessions that there are already, of a program whose store could not be opened at its launch.
    case .storeOpened:
      return roster.ordered.filter { $0.state(of: Restoration.self).stored == nil }
        .flatMap { collect($0) + sessionChanged($0) }
    case .sceneMade(let record):
      // Opened with something, it would come back empty after a crash until its state is read for another reason.
      state(of: record).isStateChanged = !record.connection.options.userActivities.isEmpty
      if !record.connection.isInBackground { state(of: record).presence = .shown }
    case .before(.sceneDidBecomeActive, let record): return updateLastActive(of: record)
    // Read once more before the end of the connection, unless it was read within the same walk.
    case .before(.sceneDidDisconnect, let record):
      let isAsked = state(of: record).stateAskedIn == conductor.item
      return record.ending?.discards == true || isAsked ? [] : collect(record)
    case .after(.sceneWillConnect, let record):
      let state = state(of: record)
      // Windows that are never used keep the order in which they were made, before all that were used.
      if state.lastActiveTime == 0 { state.lastActiveTime = Double(record.number) / 1e6 }
      return sessionChanged(record)
    case .after(.sceneWillResignActive, let record): return saveSoon(record)
    case .after(.sceneDidEnterBackground, let record) where conductor.machine.model == .appBased:
      return saveSoon(record)
    case .after(.sceneDidDisconnect, let record): return updatePresence(record)
    case .leftForeground(let record): return collect(record) + sessionChanged(record) + [send(.save)]
    case .refreshed(let record): return collect(record) + sessionChanged(record) + saveSoon(record)
    case .restored(let record): return state(of: record).isStateChanged ? sessionChanged(record) : []
    case .bareWindowObserved(let record): return updatePresence(record)
    case .placed(let record, let geometry): return updatePlacement(geometry, of: record)
    // The titles are saved once more when the windows are gone.
    case .tearingDown(let record): state(of: record).title = title(of: record)
    case .discarded(let record):
      store?.discard(record.identifier)
      discarded.append(record.session)
    case .sessionsJudged, .terminating: return reportDiscards()
    case .saving(.sleep): return (conductor.isSet(.save) ? saveDue() : []) + [send(.save)]
    case .saving(.suspension): return conductor.isSet(.save) ? saveDue() : []
    // Later changes: a program that is terminated while it is suspended saves nothing more.
    case .suspended: return conductor.isSet(.save) ? [send(.save)] : []
    case .awaitingDisk(.sleep, let end): return `await`(until: end)
    default: break
    }
    return []
  }

  func observed(_ records: [SceneRecord]) -> [FeatureAction] {
    var actions: [FeatureAction] = []
    for record in records {
      let more = updatePresence(record)
      if !more.isEmpty { actions += more }
    }
    return actions
  }

  func moment(_ moment: LoopMoment) -> [FeatureAction] {
    switch moment {
    case .handled: store?.hasUnnoted == true ? reportDiscards() + startDelay() : reportDiscards()
    case .idle: savesAtRest ? [send(.save)] : []
    default: []
    }
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .save: return save()
    case .due: return saveDue()
    case .saveEverything:
      return roster.ordered.filter { $0.scene != nil }.flatMap { collect($0) + sessionChanged($0) }
        + [send(.save)]
    case .failed(let failure):
      return [
        .call(StoreFailureCall(failure: failure)), .announce(.savingFailed(isDiskFull: failure.isDiskFull)),
      ]
    case .noteFullDisk: return [.announce(.savingFailed(isDiskFull: true))]
    case .forget(let identifiers):
      for identifier in identifiers { store?.forget(identifier) }
      savesAtRest = true
      return []
    case .end:
      let isQuit = conductor.feature(Termination.self)?.isQuit == true
      let cause: SessionStore.LastRun = conductor.takesRunBack ? .none : isQuit ? .quit : .sessionEnded
      conductor.feature(Termination.self)?.wait(atMost: SessionStore.endTimeout, isLast: true) {
        store?.end(cause, within: $0)
      }
      return []
    }
  }

  /// A stored value of a session has changed: it is saved within a second.
  func sessionChanged(_ record: SceneRecord) -> [FeatureAction] {
    state(of: record).isContentChanged = true
    return saveLater(record)
  }

  /// The delegate's state has changed: it is read when the debounce is over.
  func stateChanged(_ record: SceneRecord) -> [FeatureAction] {
    guard record.scene != nil else { return [] }
    state(of: record).isStateChanged = true
    return saveLater(record)
  }

  /// Saves the session when the debounce is over, or before.
  private func saveLater(_ record: SceneRecord) -> [FeatureAction] {
    guard store != nil, roster.contains(record) else { return [] }
    let state = state(of: record)
    if !state.isChanged {
      state.isChanged = true
      changed.append(record)
    }
    return startDelay()
  }

  /// Saves changes before the loop sleeps, without waiting for the debounce.
  ///
  /// Where only the time of the last activity has changed, the debounce suffices: that time changes
  /// with every change of the focus, and only determines the order of restored windows.
  private func saveSoon(_ record: SceneRecord) -> [FeatureAction] {
    if state(of: record).isContentChanged { savesAtRest = true }
    return []
  }

  private func saveDue() -> [FeatureAction] {
    changed.filter { state(of: $0).isStateChanged }.flatMap(collect) + [send(.save)]
  }

  private func save() -> [FeatureAction] {
    savesAtRest = false
    guard let store else { return [] }
    // The record on disk of a session that has been discarded since is a tombstone.
    let changed = changed.filter(roster.contains)
    // An early save goes without a state that may be read once a second only: that stays due, except for a scene
    // that is being restored, whose state is read when it is complete.
    self.changed = changed.filter { state(of: $0).isStateChanged && $0.scene != nil && !conductor.isRestoring($0) }
    for record in changed {
      state(of: record).isChanged = false
      state(of: record).isContentChanged = false
    }
    for record in self.changed { state(of: record).isChanged = true }
    for record in changed { store.save(stored(record)) }
    store.flush()
    return self.changed.isEmpty && !store.hasUnnoted ? [.cancel(.save)] : startDelay()
  }

  private func startDelay() -> [FeatureAction] { conductor.isSet(.save) ? [] : [set(.save, after: Self.delay, .due)] }

  private func await(until end: Double) -> [FeatureAction] {
    let left = Int(max(0, end - conductor.platform.now) * 1000)
    guard store?.waitUntilWritten(for: .milliseconds(left)) == false else { return [] }
    return [.report("The sessions were not saved before the machine sleeps: the disk is too slow, or hangs.")]
  }

  // MARK: State

  /// Reads the scene's state from its delegate, if it opted in.
  ///
  /// Not while its state is being restored: the saved state is more complete.
  private func collect(_ record: SceneRecord) -> [FeatureAction] {
    guard record.scene != nil else { return [] }
    if conductor.isRestoring(record) {
      // Read when it is complete.
      state(of: record).isStateChanged = true
      return []
    }
    return [.call(StateCall(scene: record, item: conductor.item))]
  }

  /// The stored form of a session's present state.
  private func stored(_ record: SceneRecord) -> StoredSession {
    let (session, state) = (record.session, state(of: record))
    // First, because loading the rest of a record sets the title and the placement, too.
    session.loadStored()
    var stored = StoredSession(
      identifier: session.persistentIdentifier, role: session.role.rawValue,
      configuration: session.configuration.name)
    stored.lastActive = state.lastActiveTime
    stored.presence = state.presence
    stored.title = title(of: record)
    stored.activity = session.storedActivity
    stored.userInfo = session.storedUserInfo
    stored.conditions = session.activationConditions
    stored.placement = state.placement
    stored.unknown = state.unknown
    return stored
  }

  /// The title of a session's primary window, or of its last one; nil if it never had a title.
  func title(of record: SceneRecord) -> String? { record.title ?? state(of: record).title }

  /// Updates the presence of a session at the next launch.
  ///
  /// Unchanged while the program terminates or the window manager is absent: changes of windows are not the
  /// user's doing then.
  private func updatePresence(_ record: SceneRecord) -> [FeatureAction] {
    let conductor = conductor
    guard !conductor.machine.phase.isEnding, conductor.isManagerBelieved else { return [] }
    // The user has not closed a window that another client destroyed: it is restored as it was.
    if record.ending?.reason == .windowLost { return [] }
    // A scene that has not been visible yet has its intended presence.
    if record.scene != nil, !record.connection.hasBeenInForeground { return [] }
    let isBare = record.windows.bare?.isShown == true
    // A session that was connected in the background only keeps its presence.
    if record.scene == nil, !isBare, !record.connection.hasBeenInForeground { return [] }
    let presence: StoredSession.Presence =
      if record.scene == nil {
        isBare ? .background : .hidden
      } else if conductor.machine.scenes[record.number].countsAsVisible {
        .shown
      } else {
        record.windows.isAnyShown ? .background : .hidden
      }
    let state = state(of: record)
    guard presence != state.presence else { return [] }
    state.presence = presence
    return sessionChanged(record)
  }

  /// Updates the stored placement of the window, where it is the user's doing.
  private func updatePlacement(_ geometry: WindowGeometry, of record: SceneRecord) -> [FeatureAction] {
    guard !conductor.machine.phase.isEnding, conductor.isManagerBelieved else { return [] }
    var placement = WindowPlacement(frame: geometry.normalFrame)
    placement.desktop = geometry.desktop ?? state(of: record).placement?.desktop
    placement.isMaximized = geometry.isMaximized
    placement.isFullScreen = geometry.isFullScreen
    placement.isMinimized = geometry.isMinimized
    let known = state(of: record).placement
    let scale = record.primaryWindow?.scale ?? record.windows.bare?.scale ?? known?.scale ?? 1
    // Maximised, or resized as an icon by a change of the scale, it has a frame to go back to that is one of before.
    let isOld = geometry.frame != geometry.normalFrame && known?.frame == placement.frame
    placement.scale = isOld ? known?.scale : scale == 1 ? nil : scale
    guard placement != known else { return [] }
    state(of: record).placement = placement
    // The window has rested there: no debounce is needed.
    return sessionChanged(record) + saveSoon(record)
  }

  /// Where a session's first window comes back; nil for a session that has not been anywhere yet.
  func placement(of record: SceneRecord) -> WindowPlacement? {
    guard let screen = conductor.assignedScreen(of: record) else {
      guard let placement = state(of: record).placement else { return nil }
      let screens = application.screens.map(\.pixelFrame)
      return placement.scaled(to: record.launchScale(placement)).onScreen(screens).notLarger(thanAll: screens)
    }
    var placement = WindowPlacement(frame: screen.pixelFrame)
    placement.isFullScreen = true
    return placement
  }

  /// Makes the scene the latest active one, independent of the clock.
  private func updateLastActive(of record: SceneRecord) -> [FeatureAction] {
    activations += 1
    record.lastActive = activations
    latestActivity = max(Date().timeIntervalSince1970, latestActivity + 0.001)
    state(of: record).lastActiveTime = latestActivity
    return saveLater(record)
  }

  // MARK: Discarded sessions

  private func reportDiscards() -> [FeatureAction] {
    let sessions = exchange(&discarded, with: [])
    if sessions.isEmpty { return [] }
    return [.call(DiscardCall(sessions: sessions)), send(.forget(sessions.map(\.persistentIdentifier)))]
  }
}

/// Changes are saved.
extension Deadline { fileprivate static let save = Deadline("save") }

extension Conductor {
  /// The store of the program's scene sessions; nil where there is none.
  var store: SessionStore? { feature(Saving.self)?.store }

  /// The title of a session's primary window, or of its last one.
  func title(of record: SceneRecord) -> String? { feature(Saving.self)?.title(of: record) }
}

extension SceneRecord {
  /// Something that is stored of the session has changed.
  func sessionChanged() {
    if let conductor { conductor.perform(conductor.feature(Saving.self)?.sessionChanged(self) ?? []) }
  }

  /// Marks the delegate's state as changed.
  func stateChanged() {
    if let conductor { conductor.perform(conductor.feature(Saving.self)?.stateChanged(self) ?? []) }
  }
}

/// `stateRestorationActivity(for:)`, or in the app-based model the application's encoding of its state.
struct StateCall: ProgramCall {
  var scene: SceneRecord
  /// The number of the item of the inbox in which the state is asked for.
  var item: Int
  private var isAppBased: Bool { scene.conductor?.machine.model == .appBased }
  var call: CallDescription {
    let name = isAppBased ? "application(_:willEncodeRestorableStateWith:)" : "stateRestorationActivity(for:)"
    return CallDescription(name, scene: scene.identifier)
  }

  func perform(for application: Application) -> [FeatureAction] {
    let state = scene.state(of: Saving.self)
    // Changes that the delegate reports during the call are part of its result.
    defer { state.isStateChanged = false }
    let activity: UserActivity?
    if isAppBased {
      guard let delegate = application.delegate else { return [] }
      state.stateAskedIn = item
      activity = encode(application, delegate)
    } else {
      guard let object = scene.scene, let delegate = object.delegate, delegate.implements(.stateRestorationActivity)
      else { return [] }
      state.stateAskedIn = item
      let answer: any OptionalRestorationActivity = delegate.stateRestorationActivity(for: object)
      if answer is NotImplemented { return missing(delegate, state) }
      activity = answer as? UserActivity
      activity?.collect {
        if let activity { delegate.scene(object, didUpdate: activity) }
      }
    }
    scene.session.stateRestorationActivity = activity
    return [.traceRequest("stateRestorationActivity", scene.session, activity?.activityType ?? "none")]
  }

  /// The method that the delegate claims to have is not there, and the stored state stays; told once of each session.
  private func missing(_ delegate: any SceneDelegate, _ state: Saving.SceneState) -> [FeatureAction] {
    if exchange(&state.isMissingReported, with: true) { return [] }
    return [
      .report(
        NotImplemented.report("stateRestorationActivity(for:)", of: delegate, "the state that is stored stays"))
    ]
  }

  private func encode(_ application: Application, _ delegate: any ApplicationDelegate) -> UserActivity? {
    let activity = UserActivity(activityType: application.identifier)
    guard delegate.application(application, shouldSaveSecureApplicationState: activity) else { return nil }
    delegate.application(application, willEncodeRestorableStateWith: activity)
    delegate.application(application, didUpdate: activity)
    return activity
  }
}

/// `application(_:didFailToSaveSceneSessions:)`.
struct StoreFailureCall: Notice {
  var failure: StoreFailure
  var call: CallDescription { CallDescription("application(_:didFailToSaveSceneSessions:)") }

  func send(to application: Application) {
    application.delegate?.application(application, didFailToSaveSceneSessions: failure)
  }
}

/// `application(_:didDiscardSceneSessions:)`.
struct DiscardCall: Notice {
  var sessions: [SceneSession]
  var call: CallDescription { CallDescription("application(_:didDiscardSceneSessions:)") }

  func send(to application: Application) {
    application.conductor?.traceApplication("didDiscardSceneSessions", sessions: sessions)
    application.conductor?.store?.flush()
    application.delegate?.application(application, didDiscardSceneSessions: Set(sessions))
  }
}

extension Conductor {
  /// Something that is not in the store could not be saved, because the disk is full: caches should shrink.
  func noteFullDisk() { post(Saving.self, .noteFullDisk) }
}
