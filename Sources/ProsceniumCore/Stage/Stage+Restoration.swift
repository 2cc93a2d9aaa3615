import SceneLifecycle

/// State restoration: what a scene's delegate saves, and gets back.
extension Stage {
  /// How long a restoration may be extended.
  static let restorationLimit = Duration.seconds(5)

  /// Asks the scene's delegate for the state to keep, if it opted in.
  ///
  /// Not while its state is being brought back: what was saved is more than what is there yet.
  func collectState(of record: SceneRecord) {
    guard let scene = record.scene else { return }
    guard record.restorations == 0 else {
      // Asked when it is complete.
      record.isStateChanged = true
      return
    }
    // Also what the delegate says while it is being asked is in its answer.
    defer { record.isStateChanged = false }
    if law.model == .appBased { return collectApplicationState(record) }
    guard let delegate = scene.delegate, delegate.savesState else { return }
    record.stateAskedIn = item
    let activity = watched("stateRestorationActivity(for:)", record) {
      let activity = delegate.askState(of: scene)
      activity?.collect {
        if let activity { delegate.scene(scene, didUpdate: activity) }
      }
      return activity
    }
    traceRequest("stateRestorationActivity", record.session, activity?.activityType ?? "none")
    record.session.stateRestorationActivity = activity
  }

  /// Asked once more before the end of the connection, unless it was asked within the same walk.
  func collectStateBeforeDisconnect(of record: SceneRecord) {
    guard record.ending?.discards != true, record.stateAskedIn != item else { return }
    collectState(of: record)
  }

  /// Gives back what was saved: after `willConnect`, before the first foreground.
  func restoreState(of record: SceneRecord) {
    guard law.model == .sceneBased, let scene = record.scene, let delegate = scene.delegate,
      let activity = record.session.stateRestorationActivity
    else { return }
    traceRequest("restoreInteractionState", record.session, activity.activityType)
    watched("scene(_:restoreInteractionStateWith:)", record) {
      delegate.scene(scene, restoreInteractionStateWith: activity)
    }
  }

  /// The activity that a responder has needs to be saved: its scene is asked for its state.
  func stateChanged(of responder: Responder) {
    // A scene's delegate comes after it in the chain.
    if let record = records.ordered.first(where: { $0.scene?.delegate === responder }) { return record.stateChanged() }
    var next: Responder? = responder
    while let current = next {
      if let scene = current as? Scene { return scene.invalidateRestorableState() }
      next = current.next
    }
  }

  // MARK: The app-based model

  private func collectApplicationState(_ record: SceneRecord) {
    guard let delegate = application.delegate else { return }
    record.stateAskedIn = item
    let state = UserActivity(activityType: identity.id)
    let saves = watched("application(_:willEncodeRestorableStateWith:)", record) {
      let saves = delegate.application(application, shouldSaveSecureApplicationState: state)
      if saves { delegate.application(application, willEncodeRestorableStateWith: state) }
      return saves
    }
    traceRequest("stateRestorationActivity", record.session, saves ? state.activityType : "none")
    record.session.stateRestorationActivity = saves ? state : nil
  }

  /// Between the two launch callbacks.
  func restoreApplicationState() {
    guard law.model == .appBased, let delegate = application.delegate, let session = implicitScene?.session,
      let state = session.stateRestorationActivity
    else { return }
    watched("application(_:didDecodeRestorableStateWith:)", nil, nil) {
      guard delegate.application(application, shouldRestoreSecureApplicationState: state) else { return }
      traceRequest("restoreInteractionState", session, state.activityType)
      delegate.application(application, didDecodeRestorableStateWith: state)
    }
  }

  // MARK: Restoration that takes longer than a callback

  /// Whether the scene is to stay out of sight.
  func conceals(_ record: SceneRecord) -> Bool { isOutOfSight || record.restorations > 0 }

  /// The last extension has been completed, or its time is over: the scene may be seen.
  func restorationCompleted(_ record: SceneRecord) {
    guard record.scene != nil, record.restorations == 0, record.ending == nil else { return }
    apply(.concealment(conceals(record)), to: record)
    if record.isStateChanged { sessionChanged(record) }
    if record.awaitsSnapshot {
      refreshSnapshot(of: record)
      // What was made for it is not needed while nobody sees the scene, which may be disconnected again.
      if record.connectsInBackground { purge(record) }
    }
    awaitForeground(record)
    if !record.connectsInBackground {
      activateShown(record)
      showWaiting(record)
      post(.checkShown(record))
    }
    markDirty(record)
  }

  /// What was to have the focus meanwhile asks for it now, where its window is the bare one that was shown all along.
  private func activateShown(_ record: SceneRecord) {
    guard let window = record.primaryWindow, let id = window.id, window.wantsKey, record.windows[id]?.isShown == true
    else { return }
    window.wantsKey = false
    if !record.keepsFocus { makeVisible(record) }
  }

  func restorationExpired(_ record: SceneRecord) {
    guard record.restorations > 0 else { return }
    for task in record.restorationTasks { task.cancel() }
    record.restorationTasks = []
    record.restorations = 0
    report(
      "The scene \(record.session.persistentIdentifier) has not completed its restoration in time, so it is shown as it "
        + "is. Call completeStateRestoration() once for each extendStateRestoration(), and keep such work short.")
    restorationCompleted(record)
  }
}

extension SceneRecord {
  /// Keeps the scene out of sight; whether it can still be kept there.
  @discardableResult
  func extendRestoration(limit: Duration) -> Bool {
    // Also too late: it is on its way to the foreground, behind another scene whose callback this is.
    guard let stage, scene != nil, ending == nil, max(activation, machine.target) <= .background,
      !hasBeenInForeground
    else { return false }
    restorations += 1
    if restorations == 1 {
      // An hour is for ever to somebody who waits for a window.
      let limit = min(max(limit, .zero), .seconds(3600))
      let milliseconds =
        Int(limit.components.seconds) * 1000 + Int(limit.components.attoseconds / 1_000_000_000_000_000)
      restorationDeadline = stage.makeDeadline(.restoration(self), milliseconds: milliseconds)
      stage.apply(.concealment(true), to: self)
    }
    return true
  }

  func completeRestoration() {
    guard restorations > 0, let stage else { return }
    restorations -= 1
    guard restorations == 0 else { return }
    restorationTasks = []
    if let deadline = restorationDeadline { stage.cancel(deadline) }
    restorationDeadline = nil
    stage.post(.restorationCompleted(self))
  }
}

extension SceneRecord {
  /// The connection ends before the restoration has.
  func endRestoration() {
    for task in restorationTasks { task.cancel() }
    restorationTasks = []
    restorations = 0
    if let deadline = restorationDeadline { stage?.cancel(deadline) }
    restorationDeadline = nil
  }
}
