import FoundationEssentials
import ProsceniumStore
import SceneLifecycle

/// What is kept of the sessions: when it is saved, and what it is.
extension Stage {
  /// How long changes wait at most, so that many of them are saved at once.
  private static let saveDelay = 1000
  /// How long a session that does not come to the foreground counts as one whose connection may kill the program: at
  /// most, and at least half of it.
  private static let connectingLimit = 5000

  /// Something that is stored of a session has changed: it is saved within a second.
  func sessionChanged(_ record: SceneRecord) {
    record.isContentChanged = true
    saveLater(record)
  }

  /// Saves the session when the debounce is over, if not before.
  private func saveLater(_ record: SceneRecord) {
    guard store != nil, records.find(record.session) === record else { return }
    if !record.isChanged {
      record.isChanged = true
      changedSessions.append(record)
    }
    if saveDeadline == nil { saveDeadline = makeDeadline(.save, milliseconds: Self.saveDelay) }
  }

  /// What the delegate would answer has changed: it is asked when the debounce is over.
  func stateChanged(of record: SceneRecord) { saveLater(record) }

  /// Saves what has changed before the loop sleeps, without waiting for the debounce.
  ///
  /// Where nothing has changed but the time at which a scene was active, the debounce is soon enough: that time changes
  /// with every step of the focus, and is only there for the order in which windows come back.
  func saveSoon(_ record: SceneRecord) {
    if record.isContentChanged { savesAtRest = true }
  }

  /// Hands everything that has changed to the store.
  func saveSessions() {
    savesAtRest = false
    guard let store else { return }
    // Discarded meanwhile: its record on disk is a tombstone.
    let changed = changedSessions.filter { records.find($0.session) === $0 }
    // What is saved early does without an answer that may be asked for once a second only: that stays due, but for a scene
    // that is being restored, which is asked when it is complete.
    changedSessions = changed.filter { $0.isStateChanged && $0.scene != nil && $0.restorations == 0 }
    for record in changed {
      record.isChanged = false
      record.isContentChanged = false
    }
    for record in changedSessions { record.isChanged = true }
    for record in changed { store.save(storedSession(record)) }
    store.flush()
    if changedSessions.isEmpty {
      if let deadline = saveDeadline { cancel(deadline) }
      saveDeadline = nil
    } else if saveDeadline == nil {
      saveDeadline = makeDeadline(.save, milliseconds: Self.saveDelay)
    }
  }

  /// The debounce is over: whoever said that its state changed is asked for it, then everything is saved.
  func saveDue() {
    saveDeadline = nil
    for record in changedSessions where record.isStateChanged { collectState(of: record) }
    saveSessions()
  }

  /// All that is kept of a session, as it is now.
  private func storedSession(_ record: SceneRecord) -> StoredSession {
    let session = record.session
    // First, because reading the rest of a record gives the title and the place, too.
    session.loadStored()
    var stored = StoredSession(
      identifier: session.persistentIdentifier, role: session.role.rawValue,
      configuration: session.configuration.name)
    stored.lastActive = record.lastActiveTime
    stored.presence = record.presence
    stored.title = record.title
    stored.activity = session.storedActivity
    stored.userInfo = session.storedUserInfo
    stored.conditions = session.activationConditions
    stored.placement = record.placement
    stored.unknown = record.unknown
    return stored
  }

  /// How the session is to be seen at the next launch.
  ///
  /// Kept as it was while the program ends or the window manager is away: what happens to windows then is not the
  /// user's doing.
  func notePresence(of record: SceneRecord) {
    guard !isConcealing, windowManager == .settled || !hasSeenManager else { return }
    // A window that somebody else destroyed is not one that the user closed: it comes back as it was.
    if record.ending?.reason == .windowLost { return }
    // Until it has been seen, a scene is what it is meant to become.
    if record.scene != nil, !record.hasBeenInForeground { return }
    let isBare = record.bare?.isShown == true
    // Connected in the background and disconnected again, it is what it was before.
    if record.scene == nil, !isBare, !record.hasBeenInForeground { return }
    let presence: StoredSession.Presence =
      if record.scene != nil {
        record.machine.countsAsVisible ? .shown : record.showsWindow ? .background : .hidden
      } else {
        isBare ? .background : .hidden
      }
    guard presence != record.presence else { return }
    record.presence = presence
    sessionChanged(record)
  }

  /// Where the window is, as far as that is the user's doing.
  func notePlacement(_ geometry: WindowGeometry, of record: SceneRecord) {
    guard !isConcealing, windowManager == .settled || !hasSeenManager else { return }
    var placement = WindowPlacement(frame: geometry.normalFrame)
    placement.desktop = geometry.desktop ?? record.placement?.desktop
    placement.isMaximized = geometry.isMaximized
    placement.isFullScreen = geometry.isFullScreen
    placement.isMinimized = geometry.isMinimized
    guard placement != record.placement else { return }
    record.placement = placement
    sessionChanged(record)
  }

  /// Where a session's first window comes back; nil for a session that has not been anywhere yet.
  func placement(of record: SceneRecord) -> WindowPlacement? {
    if let display = record.display {
      var placement = WindowPlacement(frame: display.frame)
      placement.isFullScreen = true
      return placement
    }
    return remembered(record)
  }

  private func remembered(_ record: SceneRecord) -> WindowPlacement? {
    record.placement?.onScreen(application.screens.map(\.frame))
  }

  /// The scene became active: the latest one so far, whatever the clock says.
  func noteActivity(of record: SceneRecord) {
    activations += 1
    record.lastActive = activations
    latestActivity = max(Date().timeIntervalSince1970, latestActivity + 0.001)
    record.lastActiveTime = latestActivity
    saveLater(record)
  }

  // MARK: The guard against sessions that kill the program

  /// Says on disk that a session is connecting, before any code of the program runs for it.
  func markConnecting(_ record: SceneRecord) {
    guard let store, !record.isMarkedConnecting else { return }
    record.isMarkedConnecting = true
    store.beginConnecting(record.session.persistentIdentifier)
    connecting.append(record)
    connectingCount += 1
    if connectingDeadline == nil {
      connectingDeadline = makeDeadline(.connecting, milliseconds: Self.connectingLimit / 2)
    }
  }

  /// The session has survived its connection.
  func unmarkConnecting(_ record: SceneRecord) {
    guard let store, record.isMarkedConnecting else { return }
    record.isMarkedConnecting = false
    store.endConnecting(record.session.persistentIdentifier)
    connectNextSuspect(after: record)
    connectingCount -= 1
    guard connectingCount == 0 else { return }
    (connecting, connectingLong) = ([], [])
    if let deadline = connectingDeadline { cancel(deadline) }
    connectingDeadline = nil
  }

  /// Half of the limit is over: for some the second half.
  ///
  /// One deadline for all of them, however many there are.
  func connectingDue() {
    connectingDeadline = nil
    let late = connectingLong
    connectingLong = connecting
    connecting = []
    for record in late { unmarkConnecting(record) }
    guard connectingCount > 0, connectingDeadline == nil else { return }
    connectingDeadline = makeDeadline(.connecting, milliseconds: Self.connectingLimit / 2)
  }
}

extension SceneRecord {
  /// Something that is stored of the session has changed.
  func sessionChanged() { stage?.sessionChanged(self) }

  /// What the scene's windows show may be seen from now on, or not any more.
  func visibilityMayHaveChanged() {
    stage?.watched("viewWillAppear() or viewDidDisappear()", self) {
      for window in windowScene?.windows ?? [] { window.display.visibilityMayHaveChanged() }
    }
  }

  /// What the delegate would answer has changed.
  func stateChanged() {
    guard scene != nil else { return }
    isStateChanged = true
    stage?.stateChanged(of: self)
  }
}
