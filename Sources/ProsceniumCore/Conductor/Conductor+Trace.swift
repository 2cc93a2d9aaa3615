import ProsceniumTrace

/// The lines of the trace that belong to no feature.
extension Conductor {
  /// Writes an edge of a scene, just before the delegate's call.
  func trace(_ edge: SceneEdge, of record: SceneRecord) {
    guard trace.isOn else { return }
    trace(
      .edge(
        edge, scene: record.identifier, window: record.windows.primary?.description, policy: record.machine.policy,
        urls: deliveredURLs(with: edge, of: record),
        reason: record.scene?.disconnectionReason?.rawValue))
  }

  /// Writes a line for a call or notification of the application.
  func traceApplication(_ name: String, sessions: [SceneSession]? = nil, urls: Int? = nil) {
    trace(
      .app(
        name, state: application.applicationState, sessions: sessions?.map(\.persistentIdentifier), urls: urls))
  }

  /// Writes a request's outcome.
  func traceRequest(_ name: String, _ session: SceneSession?, _ outcome: String, _ details: TraceDetails = [:]) {
    trace(.request(name, scene: session?.persistentIdentifier, outcome: outcome, details))
  }
}
