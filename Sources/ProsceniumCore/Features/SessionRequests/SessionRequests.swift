import ProsceniumJSON
import ProsceniumTrace

/// Performs the program's requests about its scene sessions: activate, destroy, disconnect, refresh.
final class SessionRequests: FeatureBase, Feature {
  /// A request, and the program's handler of its failure.
  struct Message: Equatable {
    var request: Request
    var errorHandler: ErrorHandler?
  }

  enum Request: Equatable {
    case activate(SceneSessionActivationRequest, SceneContent)
    case destroy(SceneSession, SceneDestructionRequestOptions)
    case disconnect(SceneSession)
    case refresh(SceneSession)
  }

  private var connector: Connector { conductor.connector }

  func receive(_ message: Message) -> [FeatureAction] {
    do throws(SceneError) {
      guard !conductor.machine.phase.isEnding else { throw SceneError(.requestDenied, "The application is ending.") }
      switch message.request {
      case .activate(let request, let content): return try activate(request, content)
      case .destroy(let session, let options): return try destroy(session, options)
      case .disconnect(let session): return try disconnect(session)
      case .refresh(let session): return try refresh(session)
      }
    } catch {
      return fail(message, error)
    }
  }

  // MARK: Activation

  /// Brings a scene forward, connects it again, or makes a new one.
  private func activate(
    _ request: SceneSessionActivationRequest, _ content: SceneContent
  ) throws(SceneError) -> [FeatureAction] {
    var options = content.options
    if let activity = request.userActivity { options.userActivities = [activity] }
    let target = request.userActivity?.targetContentIdentifier ?? content.target
    let actions = try activate(request, for: target, at: content.place, options: options)
    conductor.traceRequest("requestSceneSessionActivation", request.session, "done")
    return actions
  }

  private func activate(
    _ request: SceneSessionActivationRequest, for target: String?, at place: Point?, options: Scene.ConnectionOptions
  ) throws(SceneError) -> [FeatureAction] {
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
    // The only session is the target; the one before it where that cannot be read.
    if !application.resolvedManifest.supportsMultipleScenes {
      let sessions = roster.ordered.filter { $0.session.role == request.role && $0.session.holdReason == nil }
      let latest = conductor.readable(sessions.sorted { $0.lastActive > $1.lastActive })
      for last in latest where connector.load(last) {
        return try bringForward(last.session, request, options)
      }
    }
    try connector.openScene(role: request.role, options: options).connection.place = place
    return []
  }

  private func bringForward(
    _ session: SceneSession, _ request: SceneSessionActivationRequest, _ options: Scene.ConnectionOptions
  ) throws(SceneError) -> [FeatureAction] {
    let record = try find(session)
    let makeVisible = FeatureAction.post(AnyMessage(WindowVisibility.self, .makeVisible(record)))
    guard record.scene != nil else {
      try connect(record, options, inBackground: false)
      return [makeVisible]
    }
    guard record.ending == nil else { throw SceneError(.requestDenied, "The scene is being disconnected.") }
    return [makeVisible] + (request.userActivity.map { [.announce(.continuing($0, record))] } ?? [])
  }

  private func connect(
    _ record: SceneRecord, _ options: Scene.ConnectionOptions, inBackground: Bool
  ) throws(SceneError) {
    try connector.checkRoom(for: record.session.role)
    guard connector.connect(record, options: options, inBackground: inBackground) else {
      throw SceneError(.requestDenied, "The session cannot connect; the message before says why.")
    }
  }

  // MARK: Destruction, disconnection, refresh

  private func destroy(
    _ session: SceneSession, _ options: SceneDestructionRequestOptions
  ) throws(SceneError) -> [FeatureAction] {
    let record = try find(session)
    let details: TraceDetails = ["dismissal": .string("\(options.dismissalReason)")]
    conductor.traceRequest("requestSceneSessionDestruction", session, "done", details)
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
  }

  private func disconnect(_ session: SceneSession) throws(SceneError) -> [FeatureAction] {
    guard conductor.machine.model == .sceneBased else {
      throw SceneError(.requestDenied, "The implicit scene of the app-based life cycle stays connected.")
    }
    let record = try find(session)
    guard record.isAttached else { return [] }
    guard record.activation == .background, record.machine.target == .background else {
      throw SceneError(.requestDenied, "Only a scene in the background can be disconnected.")
    }
    conductor.traceRequest("requestSceneDisconnection", session, "done")
    return [.disconnect(record, SceneEnding(reason: .requested, discards: false))]
  }

  /// Refreshes the state and the picture of a session whose content has changed.
  private func refresh(_ session: SceneSession) throws(SceneError) -> [FeatureAction] {
    let record = try find(session)
    guard record.ending == nil else { throw SceneError(.requestDenied, "The scene is being disconnected.") }
    if record.scene == nil { try connect(record, Scene.ConnectionOptions(), inBackground: true) }
    conductor.traceRequest("requestSceneSessionRefresh", session, "done")
    return [.afterSettling([.announce(.refreshed(record)), .announce(.refreshEnded(record))])]
  }

  /// Resources of the refresh are freed while the scene is in the background.
  override func moment(_ moment: Moment) -> [FeatureAction] {
    guard case .refreshEnded(let record) = moment, record.scene != nil, record.activation == .background else {
      return []
    }
    return [.announce(.unseen(record))]
  }

  // MARK: Errors

  private func find(_ session: SceneSession) throws(SceneError) -> SceneRecord {
    guard let record = roster.find(session) else {
      throw SceneError(
        .requestDenied, "The session \(session.persistentIdentifier) has been discarded; ask for a new scene.")
    }
    return record
  }

  private func fail(_ message: Message, _ error: SceneError) -> [FeatureAction] {
    let (name, session, failure): (String, SceneSession?, String) =
      switch message.request {
      case .activate(let request, _):
        ("requestSceneSessionActivation", request.session, "A scene could not be activated")
      case .destroy(let session, _): ("requestSceneSessionDestruction", session, "A session could not be destroyed")
      case .disconnect(let session): ("requestSceneDisconnection", session, "A scene could not be disconnected")
      case .refresh(let session): ("requestSceneSessionRefresh", session, "A session could not be refreshed")
      }
    conductor.traceRequest(name, session, "denied")
    // Nothing is called after `applicationWillTerminate(_:)`.
    guard let handler = message.errorHandler, conductor.machine.phase != .terminated else {
      return [.report("\(failure): \(error.description)")]
    }
    return [.callAfterSettling(FunctionCall { handler.body(error) })]
  }
}

/// The program's handler of a failed request.
@MainActor final class ErrorHandler: Equatable {
  let body: @MainActor (any Error) -> Void

  init(_ body: @escaping @MainActor (any Error) -> Void) { self.body = body }

  nonisolated static func == (left: ErrorHandler, right: ErrorHandler) -> Bool { left === right }
}

/// The choice of a session for some content.
extension Conductor {
  /// The open sessions that something can be activated in, the most recently active first.
  func candidates(role: SceneSession.Role) -> [SceneRecord] {
    let open = roster.ordered
      .filter { $0.session.role == role && $0.ending == nil && $0.session.holdReason == nil }
      .sorted { ($0.lastActive, $0.number) > ($1.lastActive, $1.number) }
    return readable(open).filter { $0.session.loadStored() }
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
