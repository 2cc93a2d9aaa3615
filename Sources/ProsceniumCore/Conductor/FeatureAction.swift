import ProsceniumTrace

/// A request of a feature: a value that can be compared and printed.
@MainActor indirect enum FeatureAction: @MainActor Equatable {
  /// Sends a command to the window system.
  case command(PlatformCommand)
  /// Updates whether a scene is concealed, by all features; it walks with the next settling.
  case updateConcealment(SceneRecord)
  /// Updates whether a scene is interrupted, by all features; it walks with the next settling.
  case updateInterruption(SceneRecord)
  /// Gives an input to the application machine.
  case reduce(ApplicationMachine.Input)
  /// The facts of a scene's windows have changed: they are observed with the next settling.
  case observe(SceneRecord)
  /// Calls the program.
  case call(AnyCall)
  /// Sends a message to its feature now.
  case send(AnyMessage)
  /// Posts a message to the inbox.
  case post(AnyMessage)
  /// Posts messages before all items that wait in the inbox.
  case postFirst([AnyMessage])
  /// Settles with the next item of the inbox, which may be otherwise empty.
  case settleLater
  /// Performs these actions when the present item has been settled, or now without one.
  case afterSettling([FeatureAction])
  /// Calls the program when the present item has been settled, or now without one.
  case callAfterSettling(AnyCall)
  /// Walks every scene to its target, before the next action.
  case settle
  /// Starts a deadline, at whose end the message is sent; one of the same name is replaced.
  case set(Deadline, after: Duration, AnyMessage? = nil)
  /// Stops a deadline; harmless where it does not run.
  case cancel(Deadline)
  /// Makes a scene for a session.
  case connect(SceneRecord, Scene.ConnectionOptions, inBackground: Bool)
  /// Disconnects a scene.
  case disconnect(SceneRecord, SceneEnding)
  /// Discards a session that has no scene.
  case discard(SceneRecord)
  /// Announces a moment to every feature.
  case announce(Moment)
  /// Handles an event of the window system as part of the item that is being handled.
  case handle(PlatformEvent)
  /// Handles an event of the kernel or the desktop environment as part of the item that is being handled.
  case handleSystem(SystemEvent)
  /// Writes a line of the trace.
  case trace(TraceRecord)
  /// Writes an error to the trace and to standard error.
  case report(String)
}

extension FeatureAction {
  /// Calls the program.
  static func call(_ call: some ProgramCall) -> FeatureAction { .call(AnyCall(call)) }

  /// Calls the program when the present item has been settled, or now without one.
  static func callAfterSettling(_ call: some ProgramCall) -> FeatureAction { .callAfterSettling(AnyCall(call)) }

  /// Writes a `request` line of the trace.
  static func traceRequest(
    _ name: String, _ session: SceneSession?, _ outcome: String, _ details: TraceDetails = [:]
  ) -> FeatureAction { .trace(.request(name, scene: session?.persistentIdentifier, outcome: outcome, details)) }

  /// Writes a `system` line of the trace.
  static func traceSystem(_ name: String, _ details: TraceDetails = [:]) -> FeatureAction {
    .trace(.system(name, details))
  }
}

/// How and why a connection ends.
struct SceneEnding: Equatable {
  var reason: DisconnectionReason
  /// Whether the session is discarded with it.
  var discards: Bool
}
