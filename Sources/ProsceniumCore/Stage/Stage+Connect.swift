import FoundationEssentials
import SceneLifecycle

extension Stage {
  /// A new session of a role, with the configuration that the delegate or the manifest gives it.
  private func makeSession(
    role: SceneSession.Role, options: Scene.ConnectionOptions
  ) throws(SceneError) -> SceneRecord {
    guard let registry, let delegate = application.delegate else {
      throw SceneError(.requestDenied, "The application has not been launched.")
    }
    let session = SceneSession(
      persistentIdentifier: UUID().uuidString, role: role,
      configuration: SceneConfiguration(name: nil, sessionRole: role))
    if delegate.configuresScenes {
      traceApplication("configurationForConnecting", sessions: [session])
      let configuration = delegate.askConfiguration(application, for: session, options: options)
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
    return SceneRecord(number: makeNumber(), session: session, stage: self)
  }

  /// Makes the scene and its delegate.
  ///
  /// The edge itself is walked when the batch is settled.
  @discardableResult
  func connect(_ record: SceneRecord, options: Scene.ConnectionOptions, inBackground: Bool) -> Bool {
    guard record.scene == nil, !isConcealing else { return false }
    var options = options
    options.isReconnect = record.hasConnected
    do throws(SceneError) {
      let delegate = try makeDelegate(record)
      let sceneClass = record.session.configuration.sceneClass ?? WindowScene.self
      let scene = ClassInstantiation.makeScene(sceneClass, session: record.session, options: options)
      scene.delegate = delegate
      record.mayRefuseClose = delegate?.mayRefuseClose ?? false
      prepare(record, scene, options: options, inBackground: inBackground)
      return true
    } catch {
      report("The session \(record.session.persistentIdentifier) cannot connect: \(error.description)")
      return false
    }
  }

  /// The user has brought a bare window back.
  func reconnect(_ record: SceneRecord) {
    // A close in the same batch may have discarded the session.
    guard records.find(record.session) === record, record.scene == nil else { return }
    // The user decides which window has the focus: one that merely came into sight takes it from nobody.
    record.keepsFocus = true
    connect(record, options: Scene.ConnectionOptions(), inBackground: false)
  }

  /// Joins a scene object to its record, so that windows can be made for it.
  func prepare(_ record: SceneRecord, _ scene: Scene, options: Scene.ConnectionOptions, inBackground: Bool) {
    record.options = options
    record.scene = scene
    record.isListed = true
    record.ending = nil
    record.connectsInBackground = inBackground
    record.machine.policy = record.session.configuration.activationPolicy
    record.interruptions = 0
    record.session.scene = scene
    scene.record = record
    apply(.interruption(isScreenSaverOn), to: record)
    apply(.concealment(isConcealing), to: record)
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
    if !record.connectsInBackground, law.model == .sceneBased { post(.checkShown(record)) }
  }

  func checkShown(_ record: SceneRecord) {
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
    let keepsWindow = !discards && !isConcealing
    for window in record.windowScene?.windows ?? [] {
      guard let id = window.id else { continue }
      if keepsWindow, id == record.primary, let state = record.windows[id] {
        record.bare = SceneRecord.BareWindow(
          id: id, levels: state.levels, isShown: state.isShown, frame: window.knownFrame)
        platform.perform(.bare(id))
      } else {
        owners[id] = nil
        platform.perform(.destroy(id))
      }
      window.forget()
    }
    record.windows = [:]
    record.closedWindows = []
    record.primary = nil
    record.windowScene?.windows = []
    record.scene = nil
    record.isAskingToClose = false
    record.bare?.machine = .resting
    if implicitScene === scene { implicitScene = nil }
    scene.record = nil
    scene.finishStates()
    if discards { forget(record) }
    record.ending = nil
    post(.checkLastScene)
  }

  /// The session is gone for good.
  func forget(_ record: SceneRecord) {
    if let bare = record.bare {
      cancelBareHold(record)
      owners[bare.id] = nil
      platform.perform(.destroy(bare.id))
      record.bare = nil
    }
    records.remove(record)
    discarded.append(record.session)
  }

  func reportDiscards() {
    guard !discarded.isEmpty else { return }
    let sessions = discarded
    discarded = []
    traceApplication("didDiscardSceneSessions", sessions: sessions)
    application.delegate?.application(application, didDiscardSceneSessions: Set(sessions))
  }

  /// Asks for a scene: brings one forward, connects it again, or makes a new one.
  func activate(
    _ request: SceneSessionActivationRequest, urls: [URL], _ errorHandler: (@MainActor (any Error) -> Void)?
  ) -> [Afterwards] {
    var options = Scene.ConnectionOptions(urlContexts: Set(urls.map { OpenURLContext(url: $0) }))
    if let activity = request.userActivity { options.userActivities = [activity] }
    do throws(SceneError) {
      let afterwards = try activate(request, options: options)
      traceRequest("requestSceneSessionActivation", request.session, "done")
      return afterwards
    } catch {
      traceRequest("requestSceneSessionActivation", request.session, "denied")
      return fail(error, errorHandler, otherwise: "A scene could not be activated")
    }
  }

  private func activate(
    _ request: SceneSessionActivationRequest, options: Scene.ConnectionOptions
  ) throws(SceneError) -> [Afterwards] {
    guard !isConcealing else { throw SceneError(.requestDenied, "The application is ending.") }
    if let session = request.session {
      let record = try find(session)
      guard let scene = record.scene else {
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
      guard let activity = request.userActivity else { return [] }
      return [{ scene.delegate?.scene(scene, continue: activity) }]
    }
    guard law.model == .sceneBased else {
      throw SceneError(
        .multipleScenesNotSupported,
        "The app-based life cycle has one scene. Give the delegate sceneConfigurations to have more.")
    }
    let supportsMultiple = application.delegate?.supportsMultipleScenes ?? false
    if !supportsMultiple, let open = records.ordered.first(where: { $0.session.role == request.role }) {
      // The one session that there may be is the one that is meant, if it is not on screen already.
      if open.scene == nil {
        return try activate(
          SceneSessionActivationRequest(session: open.session, userActivity: request.userActivity), options: options)
      }
      throw SceneError(
        .multipleScenesNotSupported,
        "A scene is open already, and the delegate's supportsMultipleScenes is false.")
    }
    let record = try makeSession(role: request.role, options: options)
    records.insert(record)
    guard connect(record, options: options, inBackground: false) else {
      records.remove(record)
      throw SceneError(.requestDenied, "The new session cannot connect; the message before says why.")
    }
    return []
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

  func traceRequest(_ name: String, _ session: SceneSession?, _ outcome: String) {
    guard trace.isOn else { return }
    var fields: [(key: String, value: TraceEntry.Value)] = [("name", .text(name))]
    if let session { fields.append(("scene", .text(session.persistentIdentifier))) }
    fields.append(("outcome", .text(outcome)))
    trace.record("request", fields)
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
