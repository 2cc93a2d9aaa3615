import FoundationEssentials
import ProsceniumStore
import ProsceniumTrace
import SceneLifecycle

extension Stage {
  /// A new session of a role, with the configuration that the delegate or the manifest gives it.
  func makeSession(
    role: SceneSession.Role, options: Scene.ConnectionOptions
  ) throws(SceneError) -> SceneSession {
    guard let registry, let delegate = application.delegate else {
      throw SceneError(.requestDenied, "The application has not been launched.")
    }
    let session = SceneSession(
      persistentIdentifier: UUID().uuidString, role: role,
      configuration: SceneConfiguration(name: nil, sessionRole: role))
    if delegate.configuresScenes {
      traceApplication("configurationForConnecting", sessions: [session])
      let configuration = watched("application(_:configurationForConnecting:options:)") {
        delegate.askConfiguration(application, for: session, options: options)
      }
      guard let configuration else {
        throw SceneError(
          .requestDenied, "application(_:configurationForConnecting:options:) did not return a SceneConfiguration.")
      }
      guard configuration.role == role else {
        throw SceneError(
          .requestDenied,
          "application(_:configurationForConnecting:options:) returned a configuration for the role "
            + "\(configuration.role.rawValue); the session's role is \(role.rawValue).")
      }
      session.configuration = try registry.resolve(configuration)
    } else {
      session.configuration = try registry.first(for: role)
    }
    return session
  }

  /// Makes the scene and its delegate.
  ///
  /// The edge itself is walked when the batch is settled.
  @discardableResult
  func connect(_ record: SceneRecord, options: Scene.ConnectionOptions, inBackground: Bool) -> Bool {
    // Its place is needed before its first window is made.
    guard record.scene == nil, !isConcealing, fill(record) else { return false }
    var options = options
    options.isReconnect = record.hasConnected
    record.launchParcel.add(to: &options)
    let replayed = application.delegate?.replaysConnectionPayloads == true ? takePayloads(&options, inBackground) : []
    if let reason = record.holdReason, reason == .unknownConfiguration {
      report(
        "The session \(record.session.persistentIdentifier) cannot connect: there is no configuration named "
          + "\"\(record.session.configuration.name ?? "")\" for its role any more.")
      return false
    }
    record.holdReason = nil
    markConnecting(record)
    if let bare = record.bare, bare.isShown, !inBackground {
      showSnapshot(of: record, in: bare.id)
      // It should be seen before code of the program runs, which may take its time.
      platform.flush()
    }
    do throws(SceneError) {
      let delegate = try watched("the initialiser of the scene's delegate", record) { () throws(SceneError) in
        try makeDelegate(record)
      }
      let sceneClass = record.session.configuration.sceneClass ?? WindowScene.self
      let scene = watched("Scene.init(session:connectionOptions:)", record) {
        ClassInstantiation.makeScene(sceneClass, session: record.session, options: options)
      }
      scene.delegate = delegate
      record.mayRefuseClose = delegate?.mayRefuseClose ?? false
      record.launchParcel = Parcel()
      prepare(record, scene, options: options, inBackground: inBackground)
      for parcel in replayed { expect(parcel, by: record) }
      return true
    } catch {
      unmarkConnecting(record)
      report("The session \(record.session.persistentIdentifier) cannot connect: \(error.description)")
      return false
    }
  }

  /// Takes out of the options what is told later, by the callbacks of a running program.
  private func takePayloads(_ options: inout Scene.ConnectionOptions, _ isQuiet: Bool) -> [Parcel] {
    var parcels: [Parcel] = []
    let asked = Parcel(urls: Array(options.urlContexts), shortcut: options.shortcutItem, isQuiet: isQuiet)
    if !asked.isEmpty { parcels.append(asked) }
    parcels += options.userActivities.map {
      Parcel(continuation: .whole($0, isAnnounced: true), isQuiet: isQuiet)
    }
    (options.urlContexts, options.userActivities) = ([], [])
    (options.handoffUserActivityType, options.shortcutItem) = (nil, nil)
    return parcels
  }

  /// A new session with its scene.
  func openScene(
    role: SceneSession.Role, options: Scene.ConnectionOptions, inBackground: Bool = false
  ) throws(SceneError) -> SceneRecord {
    try checkRoom(for: role)
    let record = insert(try makeSession(role: role, options: options))
    guard connect(record, options: options, inBackground: inBackground) else {
      remove(record)
      throw SceneError(.requestDenied, "The new session cannot connect; the message before says why.")
    }
    return record
  }

  /// The user has brought a bare window back.
  func reconnect(_ record: SceneRecord) {
    // A close in the same batch may have discarded the session.
    guard records.find(record.session) === record, record.scene == nil else { return }
    // The user decides which window has the focus: one that merely came into sight takes it from nobody.
    record.keepsFocus = true
    guard !connect(record, options: Scene.ConnectionOptions(), inBackground: false) else { return }
    // Shown once more it may be tried once more.
    record.bare?.machine = .resting
  }

  /// Joins a scene object to its record, so that windows can be made for it.
  func prepare(_ record: SceneRecord, _ scene: Scene, options: Scene.ConnectionOptions, inBackground: Bool) {
    record.options = options
    record.scene = scene
    record.isListed = true
    record.ending = nil
    record.connectsInBackground = inBackground
    record.hasBeenInForeground = false
    record.backgroundSince = platform.now
    record.isStateChanged = false
    if !inBackground { record.presence = .shown }
    // A scene that nobody can use is never active.
    law.scenes[record.number].policy =
      record.isInteractive ? record.session.configuration.activationPolicy : .whenFocused
    record.interruptions = 0
    record.session.scene = scene
    scene.record = record
    apply(.interruption(interruptsAll), to: record)
    apply(.concealment(isOutOfSight), to: record)
    apply(.connect, to: record)
    markDirty(record)
  }

  private func makeDelegate(_ record: SceneRecord) throws(SceneError) -> (any SceneDelegate)? {
    if law.model == .appBased { return nil }
    let configuration = record.session.configuration
    if let make = configuration.makeDelegate { return make() }
    let name = configuration.name ?? "(no name)"
    guard let type = configuration.delegateClass else {
      throw SceneError(
        .requestDenied,
        "The configuration \"\(name)\" has no delegate. Give it a factory (delegate:) or a delegateClass.")
    }
    let object: AnyObject
    do throws(ClassInstantiation.Failure) {
      object = try ClassInstantiation.make(type, role: "delegateClass of the configuration \"\(name)\"")
    } catch {
      throw SceneError(.requestDenied, error.description)
    }
    guard let delegate = object as? any SceneDelegate else {
      throw SceneError(
        .requestDenied, "delegateClass of the configuration \"\(name)\": \(type) does not conform to SceneDelegate.")
    }
    return delegate
  }

  /// After `willConnect`: a scene that shows nothing is an error that somebody should hear of.
  func connected(_ record: SceneRecord) {
    record.hasConnected = true
    // Windows that are never used keep the order in which they came, before all that were.
    if record.lastActiveTime == 0 { record.lastActiveTime = Double(record.number) / 1e6 }
    for activity in record.options.userActivities {
      watched("userActivityWasContinued(_:)", record) { activity.delegate?.userActivityWasContinued(activity) }
    }
    // Not delivered again, and not kept for as long as the scene.
    record.options = Scene.ConnectionOptions()
    restoreState(of: record)
    if !record.connectsInBackground, law.model == .sceneBased { post(.checkShown(record)) }
    // Nothing more of the connection is to come before somebody asks for it.
    if record.connectsInBackground {
      unmarkConnecting(record)
      post(.reclaim)
    }
    sessionChanged(record)
  }

  func checkShown(_ record: SceneRecord) {
    guard record.restorations == 0 else { return }
    record.keepsFocus = false
    guard record.scene != nil, record.ending == nil, !record.showsWindow, !isConcealing else { return }
    report(
      "The scene \(record.session.persistentIdentifier) has no shown window after "
        + "scene(_:willConnectTo:options:), so it stays in the background. Make a Window(windowScene:) there and call "
        + "makeKeyAndVisible().")
  }

  /// Gives back what the scene held.
  ///
  /// The session, and a bare window where it stays, live on.
  func disconnected(_ record: SceneRecord, _ scene: Scene) {
    let discards = record.ending?.discards ?? false
    let keepsWindow = !discards && !isConcealing && record.ending?.reason != .displayDisconnected
    // What the windows are called is saved once more when they are gone.
    record.storedTitle = record.title
    for window in record.windowScene?.windows ?? [] {
      guard let id = window.id else { continue }
      if keepsWindow, id == record.primary, let state = record.windows[id] {
        record.bare = SceneRecord.BareWindow(
          id: id, levels: state.levels, isShown: state.isShown, frame: window.knownFrame)
        platform.perform(.bare(id))
      } else {
        record.drop(id)
        platform.perform(.destroy(id))
      }
      window.forget()
    }
    record.windows = [:]
    record.closedWindows = []
    record.primary = nil
    record.windowScene?.windows = []
    record.scene = nil
    record.surroundings = nil
    displaySceneEnded(record, record.ending)
    record.isAskingToClose = false
    record.bare?.machine = .resting
    record.endRestoration()
    // What the program still holds must not start in the session's next scene.
    for work in record.activeWork { work.cancel() }
    unmarkConnecting(record)
    notePresence(of: record)
    if implicitScene === scene { implicitScene = nil }
    scene.record = nil
    scene.finishStates()
    if discards { forget(record) }
    record.ending = nil
    post(.checkLastScene)
  }

  func dropBareWindow(of record: SceneRecord) {
    guard let bare = record.bare else { return }
    cancelBareHold(record)
    owners[bare.id] = nil
    traceDestroyed(bare.id, bare.levels, record)
    platform.perform(.destroy(bare.id))
    record.bare = nil
  }

  /// The session is gone for good.
  func forget(_ record: SceneRecord) {
    dropBareWindow(of: record)
    // Its record becomes a tombstone, so that the delegate hears of it even if the program dies now. What it holds is
    // read before, because the delegate may ask for it.
    record.session.loadStored()
    remove(record)
    store?.discard(record.session.persistentIdentifier)
    discarded.append(record.session)
  }

  func reportDiscards() {
    guard !discarded.isEmpty else { return }
    let sessions = discarded
    discarded = []
    traceApplication("didDiscardSceneSessions", sessions: sessions)
    store?.flush()
    watched("application(_:didDiscardSceneSessions:)") {
      application.delegate?.application(application, didDiscardSceneSessions: Set(sessions))
    }
    for session in sessions { store?.forget(session.persistentIdentifier) }
    savesAtRest = true
  }

  /// Asks for a scene: brings one forward, connects it again, or makes a new one.
  func activate(
    _ request: SceneSessionActivationRequest, with parcel: Parcel = Parcel(),
    _ errorHandler: (@MainActor (any Error) -> Void)?
  ) -> [Afterwards] {
    var options = parcel.options
    if let activity = request.userActivity { options.userActivities = [activity] }
    do throws(SceneError) {
      let target = request.userActivity?.targetContentIdentifier ?? parcel.target
      let afterwards = try activate(request, for: target, options: options)
      traceRequest("requestSceneSessionActivation", request.session, "done")
      return afterwards
    } catch {
      traceRequest("requestSceneSessionActivation", request.session, "denied")
      return fail(error, errorHandler, otherwise: "A scene could not be activated")
    }
  }

  private func activate(
    _ request: SceneSessionActivationRequest, for target: String?, options: Scene.ConnectionOptions
  ) throws(SceneError) -> [Afterwards] {
    guard !isConcealing else { throw SceneError(.requestDenied, "The application is ending.") }
    if let session = request.session {
      let record = try find(session)
      guard record.scene != nil else {
        try checkRoom(for: record.session.role)
        guard connect(record, options: options, inBackground: false) else {
          throw SceneError(.requestDenied, "The session cannot connect; the message before says why.")
        }
        post(.makeVisible(record))
        return []
      }
      guard record.ending == nil else {
        throw SceneError(.requestDenied, "The scene is being disconnected.")
      }
      post(.makeVisible(record))
      if let activity = request.userActivity {
        expect(Parcel(continuation: .whole(activity, isAnnounced: false)), by: record)
      }
      return []
    }
    guard law.model == .sceneBased else {
      throw SceneError(
        .multipleScenesNotSupported,
        "The app-based life cycle has one scene. Give the delegate sceneConfigurations to have more.")
    }
    if let target, let session = session(for: target, role: request.role) {
      return try activate(
        SceneSessionActivationRequest(session: session, userActivity: request.userActivity), for: nil,
        options: options)
    }
    let supportsMultiple = application.delegate?.supportsMultipleScenes ?? false
    try checkRoom(for: request.role)
    // The one session that there may be is the one that is meant.
    if !supportsMultiple,
      let last = records.ordered.filter({ $0.session.role == request.role && $0.holdReason == nil })
        .max(by: { $0.lastActive < $1.lastActive })
    {
      return try activate(
        SceneSessionActivationRequest(session: last.session, userActivity: request.userActivity), for: nil,
        options: options)
    }
    _ = try openScene(role: request.role, options: options)
    return []
  }

  /// Whether one more scene may connect.
  func hasRoom(for role: SceneSession.Role) -> Bool {
    law.model != .sceneBased || application.delegate?.supportsMultipleScenes != false
      || !records.contains { $0.session.role == role && $0.scene != nil }
  }

  func checkRoom(for role: SceneSession.Role) throws(SceneError) {
    guard !hasRoom(for: role) else { return }
    throw SceneError(
      .multipleScenesNotSupported, "A scene is open already, and the delegate's supportsMultipleScenes is false.")
  }

  /// The open session that is best for some content: one that prefers it before one that can show it, the most
  /// recently active first; nil where none accepts it.
  func session(for target: String, role: SceneSession.Role) -> SceneSession? {
    best(for: target, among: candidates(role: role))?.session
  }

  /// The open sessions that something can be activated in, the most recently active first.
  func candidates(role: SceneSession.Role) -> [SceneRecord] {
    records.ordered
      .filter { $0.session.role == role && $0.ending == nil && $0.holdReason == nil && $0.session.loadStored() }
      .sorted { ($0.lastActive, $0.number) > ($1.lastActive, $1.number) }
  }

  func best(for target: String, among candidates: [SceneRecord]) -> SceneRecord? {
    var able: SceneRecord?
    for record in candidates {
      let conditions = record.session.activationConditions
      guard conditions.canActivateForTargetContentIdentifier.accepts(target) else { continue }
      if conditions.prefersToActivateForTargetContentIdentifier.accepts(target) { return record }
      able = able ?? record
    }
    return able
  }

  func find(_ session: SceneSession) throws(SceneError) -> SceneRecord {
    guard let record = records.find(session) else {
      throw SceneError(
        .requestDenied, "The session \(session.persistentIdentifier) has been discarded; ask for a new scene.")
    }
    return record
  }

  func fail(
    _ error: SceneError, _ errorHandler: (@MainActor (any Error) -> Void)?, otherwise: String
  ) -> [Afterwards] {
    guard let errorHandler else {
      report("\(otherwise): \(error.description)")
      return []
    }
    return [{ errorHandler(error) }]
  }

  func traceRequest(
    _ name: String, _ session: SceneSession?, _ outcome: String, _ more: [(key: String, value: TraceEntry.Value)] = []
  ) {
    guard trace.isOn else { return }
    var fields: [(key: String, value: TraceEntry.Value)] = [("name", .text(name))]
    if let session { fields.append(("scene", .text(session.persistentIdentifier))) }
    fields.append(("outcome", .text(outcome)))
    trace.record("request", fields + more)
  }
}

extension ApplicationDelegate {
  /// Asks for a configuration; nil where the delegate returns something else.
  func askConfiguration(
    _ application: Application, for session: SceneSession, options: Scene.ConnectionOptions
  ) -> SceneConfiguration? {
    self.application(application, configurationForConnecting: session, options: options) as? SceneConfiguration
  }
}
