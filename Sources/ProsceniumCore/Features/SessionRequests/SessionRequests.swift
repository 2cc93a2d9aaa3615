import ProsceniumJSON
import ProsceniumTrace

/// Performs the program's requests about its scene sessions: activate, destroy, disconnect, refresh.
final class SessionRequests: FeatureBase, Feature {
  enum Message: Equatable {
    case activate(SceneSessionActivationRequest, SceneContent, ErrorHandler?)
    case destroy(SceneSession, SceneDestructionRequestOptions, ErrorHandler?)
    case disconnect(SceneSession, ErrorHandler?)
    case refresh(SceneSession, ErrorHandler?)
  }

  private var connector: Connector { Connector(conductor) }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .activate(let request, let content, let handler): activate(request, content, handler)
    case .destroy(let session, let options, let handler): destroy(session, options, handler)
    case .disconnect(let session, let handler): disconnect(session, handler)
    case .refresh(let session, let handler): refresh(session, handler)
    }
  }

  // MARK: Activation

  /// Brings a scene forward, connects it again, or makes a new one.
  private func activate(
    _ request: SceneSessionActivationRequest, _ content: SceneContent, _ handler: ErrorHandler?
  ) -> [FeatureAction] {
    let name = "requestSceneSessionActivation"
    var options = content.options
    if let activity = request.userActivity { options.userActivities = [activity] }
    do throws(SceneError) {
      let target = request.userActivity?.targetContentIdentifier ?? content.target
      let actions = try activate(request, for: target, options: options)
      conductor.traceRequest(name, request.session, "done")
      return actions
    } catch {
      conductor.traceRequest(name, request.session, "denied")
      return fail(error, handler, otherwise: "A scene could not be activated")
    }
  }

  private func activate(
    _ request: SceneSessionActivationRequest, for target: String?, options: Scene.ConnectionOptions
  ) throws(SceneError) -> [FeatureAction] {
    try checkRunning()
    if let session = request.session { return try bringForward(session, request, options) }
    guard conductor.machine.model == .sceneBased else {
      throw SceneError(
        .multipleScenesNotSupported,
        "The app-based life cycle has one scene. Give the delegate sceneConfigurations to have more.")
    }
    if let target, let record = conductor.best(for: target, among: conductor.candidates(role: request.role)) {
      return try bringForward(record.session, request, options)
    }
    try connector.checkRoom(for: request.role)
    // The only session is the target.
    if !conductor.application.resolvedManifest.supportsMultipleScenes,
      let last = roster.ordered.filter({ $0.session.role == request.role && $0.session.holdReason == nil })
        .max(by: { $0.lastActive < $1.lastActive })
    {
      return try bringForward(last.session, request, options)
    }
    _ = try connector.openScene(role: request.role, options: options)
    return []
  }

  private func bringForward(
    _ session: SceneSession, _ request: SceneSessionActivationRequest, _ options: Scene.ConnectionOptions
  ) throws(SceneError) -> [FeatureAction] {
    let record = try find(session)
    let makeVisible = FeatureAction.post(AnyMessage(WindowVisibility.self, .makeVisible(record)))
    guard record.scene != nil else {
      try connector.checkRoom(for: record.session.role)
      guard connector.connect(record, options: options, inBackground: false) else {
        throw SceneError(.requestDenied, "The session cannot connect; the message before says why.")
      }
      return [makeVisible]
    }
    guard record.ending == nil else { throw SceneError(.requestDenied, "The scene is being disconnected.") }
    return [makeVisible] + (request.userActivity.map { [.announce(.continuing($0, record))] } ?? [])
  }

  // MARK: Destruction, disconnection, refresh

  private func destroy(
    _ session: SceneSession, _ options: SceneDestructionRequestOptions, _ handler: ErrorHandler?
  ) -> [FeatureAction] {
    let name = "requestSceneSessionDestruction"
    do throws(SceneError) {
      try checkRunning()
      let record = try find(session)
      conductor.traceRequest(name, session, "done", ["dismissal": .string("\(options.dismissalReason)")])
      if record.scene == nil {
        // The user has not seen a session without a window close.
        let hadWindow = record.windows.bare != nil
        return (hadWindow ? [.post(AnyMessage(Closing.self, .checkLastScene))] : []) + [.discard(record)]
      }
      guard record.ending == nil else {
        record.connection.ending?.discards = true
        return []
      }
      return [.disconnect(record, SceneEnding(reason: .requested, discards: true))]
    } catch {
      conductor.traceRequest(name, session, "denied")
      return fail(error, handler, otherwise: "A session could not be destroyed")
    }
  }

  private func disconnect(_ session: SceneSession, _ handler: ErrorHandler?) -> [FeatureAction] {
    let name = "requestSceneDisconnection"
    do throws(SceneError) {
      try checkRunning()
      guard conductor.machine.model == .sceneBased else {
        throw SceneError(.requestDenied, "The implicit scene of the app-based life cycle stays connected.")
      }
      let record = try find(session)
      guard record.scene != nil, record.ending == nil else { return [] }
      guard record.activation == .background, record.machine.target == .background else {
        throw SceneError(.requestDenied, "Only a scene in the background can be disconnected.")
      }
      conductor.traceRequest(name, session, "done")
      return [.disconnect(record, SceneEnding(reason: .requested, discards: false))]
    } catch {
      conductor.traceRequest(name, session, "denied")
      return fail(error, handler, otherwise: "A scene could not be disconnected")
    }
  }

  /// Refreshes the state and the picture of a session whose content has changed.
  private func refresh(_ session: SceneSession, _ handler: ErrorHandler?) -> [FeatureAction] {
    let name = "requestSceneSessionRefresh"
    do throws(SceneError) {
      try checkRunning()
      let record = try find(session)
      guard record.ending == nil else { throw SceneError(.requestDenied, "The scene is being disconnected.") }
      if record.scene == nil {
        try connector.checkRoom(for: session.role)
        guard connector.connect(record, options: Scene.ConnectionOptions(), inBackground: true) else {
          throw SceneError(.requestDenied, "The session cannot connect; the message before says why.")
        }
      }
      conductor.traceRequest(name, session, "done")
      return [.afterSettling([.announce(.refreshed(record)), .announce(.refreshEnded(record))])]
    } catch {
      conductor.traceRequest(name, session, "denied")
      return fail(error, handler, otherwise: "A session could not be refreshed")
    }
  }

  /// Resources of the refresh are freed while the scene is in the background.
  func moment(_ moment: Moment) -> [FeatureAction] {
    guard case .refreshEnded(let record) = moment, record.scene != nil, record.activation == .background else {
      return []
    }
    return [.announce(.unseen(record))]
  }

  // MARK: Errors

  private func checkRunning() throws(SceneError) {
    guard !conductor.machine.isEnding else { throw SceneError(.requestDenied, "The application is ending.") }
  }

  private func find(_ session: SceneSession) throws(SceneError) -> SceneRecord {
    guard let record = roster.find(session) else {
      throw SceneError(
        .requestDenied, "The session \(session.persistentIdentifier) has been discarded; ask for a new scene.")
    }
    return record
  }

  private func fail(_ error: SceneError, _ handler: ErrorHandler?, otherwise: String) -> [FeatureAction] {
    guard let handler else { return [.report("\(otherwise): \(error.description)")] }
    return [.afterSettling([.call(ErrorHandlerCall(handler: handler, error: error))])]
  }
}

/// The program's handler of a failed request.
@MainActor final class ErrorHandler: Equatable {
  let body: @MainActor (any Error) -> Void

  init(_ body: @escaping @MainActor (any Error) -> Void) { self.body = body }

  nonisolated static func == (left: ErrorHandler, right: ErrorHandler) -> Bool { left === right }
}

/// The error handler of a request.
private struct ErrorHandlerCall: Notice {
  var handler: ErrorHandler
  var error: SceneError
  var call: CallDescription { CallDescription("errorHandler", phase: .event) }

  func send(to application: Application) { handler.body(error) }
}

/// The choice of a session for some content.
extension Conductor {
  /// The open sessions that something can be activated in, the most recently active first.
  func candidates(role: SceneSession.Role) -> [SceneRecord] {
    roster.ordered
      .filter {
        $0.session.role == role && $0.ending == nil && $0.session.holdReason == nil && $0.session.loadStored()
      }
      .sorted { ($0.lastActive, $0.number) > ($1.lastActive, $1.number) }
  }

  /// The session that is best for some content: one that prefers it before one that can show it, the most recently
  /// active first; nil where none accepts it.
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
}
