import ProsceniumTrace
import SceneLifecycle

/// The lines of the trace that belong to no feature.
extension TraceEntry {
  /// An edge of a scene; written just before the delegate's call.
  @MainActor static func edge(_ edge: SceneEdge, of record: SceneRecord) -> TraceEntry {
    var fields: [(key: String, value: Value)] = [("scene", .text(record.session.persistentIdentifier))]
    if let primary = record.windows.primary { fields.append(("window", .text(primary.description))) }
    fields.append(("name", .text(edge.rawValue)))
    fields.append(("from", .text(edge.from.traceName)))
    fields.append(("to", .text(edge.to.traceName)))
    if edge == .sceneWillConnect {
      if record.machine.policy == .whenVisible { fields.append(("policy", .text("whenVisible"))) }
    }
    if edge == .sceneDidDisconnect, let reason = record.scene?.disconnectionReason {
      fields.append(("reason", .text(reason.rawValue)))
    }
    return TraceEntry("edge", fields + (record.conductor?.details(of: edge, record) ?? []))
  }

  /// A call or notification of the application.
  @MainActor static func application(
    _ name: String, state: ApplicationState, sessions: [SceneSession]? = nil, urls: Int? = nil
  ) -> TraceEntry {
    var fields: [(key: String, value: Value)] = [("name", .text(name)), ("state", .text(state.traceName))]
    if let sessions { fields.append(("sessions", .list(sessions.map(\.persistentIdentifier)))) }
    if let urls { fields.append(("urls", .number(urls))) }
    return TraceEntry("app", fields)
  }

  /// What became of a request.
  @MainActor static func request(
    _ name: String, _ session: SceneSession?, _ outcome: String, _ more: [(key: String, value: Value)] = []
  ) -> TraceEntry {
    var fields: [(key: String, value: Value)] = [("name", .text(name))]
    if let session { fields.append(("scene", .text(session.persistentIdentifier))) }
    fields.append(("outcome", .text(outcome)))
    return TraceEntry("request", fields + more)
  }
}

extension Conductor {
  /// Writes a line for a call or notification of the application.
  func traceApplication(_ name: String, sessions: [SceneSession]? = nil, urls: Int? = nil) {
    trace.record(.application(name, state: application.applicationState, sessions: sessions, urls: urls))
  }

  /// Writes a line for what became of a request.
  func traceRequest(
    _ name: String, _ session: SceneSession?, _ outcome: String, _ more: [(key: String, value: TraceEntry.Value)] = []
  ) { trace.record(.request(name, session, outcome, more)) }
}

extension ActivationState {
  var traceName: String {
    switch self {
    case .unattached: "unattached"
    case .background: "background"
    case .foregroundInactive: "foregroundInactive"
    case .foregroundActive: "foregroundActive"
    }
  }
}

extension ApplicationState {
  var traceName: String {
    switch self {
    case .active: "active"
    case .inactive: "inactive"
    case .background: "background"
    }
  }
}

extension TraceEntry {
  /// Something went wrong.
  static func error(_ message: String) -> TraceEntry { TraceEntry("error", [("message", .text(message))]) }
}
