package import SceneLifecycle

/// One line of the trace.
///
/// The kinds are those of the trace format. `system` and `request` are open: each feature names its own lines and
/// chooses their details.
package enum TraceRecord: Hashable, Sendable {
  case launch(Launch)
  case fact(Fact)
  case edge(Edge)
  case app(App)
  case system(System)
  case request(Request)
  case error(message: String)

  /// The version of the format.
  package static let version = 1

  /// The beginning of a run.
  package struct Launch: Hashable, Sendable {
    /// The application's identifier.
    package var application: String
    /// Why the program was launched: `launch`, `restore`, `recover`.
    package var reason: String
    /// The version of the format.
    package var version: Int
    /// The life-cycle model: `sceneBased`, `appBased`.
    package var model: String?
    /// How many URLs the program was launched with; nil for none.
    package var urls: Int?
  }

  /// A fact of a window or of the program that has changed.
  package struct Fact: Hashable, Sendable {
    /// The value of a fact.
    package enum Value: Hashable, Sendable {
      case flag(Bool)
      case text(String)
    }

    /// The session's identifier; nil for facts of the program.
    package var scene: String?
    /// The X window as `0x...`; nil for facts of the program.
    package var window: String?
    package var name: String
    package var to: Value
    /// The rule or the source that decided.
    package var cause: String
  }

  /// A scene's step between neighbouring states, written just before its callback.
  package struct Edge: Hashable, Sendable {
    /// The session's identifier.
    package var scene: String
    /// The primary X window as `0x...`; nil while there is none.
    package var window: String?
    package var name: String
    package var from: String
    package var to: String
    /// The activation policy of a scene that connects; nil for the default.
    package var policy: String?
    /// How many URLs a scene connects with; nil for none.
    package var urls: Int?
    /// Why a scene is disconnected.
    package var reason: String?
  }

  /// A call of the application's delegate, or a notification of the application.
  package struct App: Hashable, Sendable {
    package var name: String
    /// The application's state after it.
    package var state: String
    /// The identifiers of the sessions that it is about.
    package var sessions: [String]?
    /// How many URLs it delivers.
    package var urls: Int?
  }

  /// Something that the machine, the desktop environment or a feature did.
  package struct System: Hashable, Sendable {
    package var name: String
    package var details: TraceDetails
  }

  /// A question to the program, or a request of the program, and its outcome.
  package struct Request: Hashable, Sendable {
    package var name: String
    /// The session's identifier, for a request about one.
    package var scene: String?
    package var outcome: String?
    package var details: TraceDetails
  }
}

// MARK: - Constructors

extension TraceRecord {
  /// The beginning of a run.
  package static func launch(application: String, reason: String, model: LifecycleModel, urls: Int) -> TraceRecord {
    .launch(
      Launch(
        application: application, reason: reason, version: version, model: "\(model)", urls: urls > 0 ? urls : nil))
  }

  /// A fact that is true or false; of the program where no scene and window are given.
  package static func fact(
    _ name: String, _ isOn: Bool, cause: String, scene: String? = nil, window: String? = nil
  ) -> TraceRecord {
    .fact(Fact(scene: scene, window: window, name: name, to: .flag(isOn), cause: cause))
  }

  /// A fact of the program that has a name for each of its values.
  package static func fact(_ name: String, _ value: String, cause: String) -> TraceRecord {
    .fact(Fact(scene: nil, window: nil, name: name, to: .text(value), cause: cause))
  }

  /// A scene's step.
  /// - Parameters:
  ///   - edge: The step.
  ///   - scene: The session's identifier.
  ///   - window: The primary window; nil while there is none.
  ///   - policy: The scene's activation policy, which is written when the scene connects.
  ///   - urls: How many URLs the scene connects with.
  ///   - reason: Why the scene is disconnected.
  /// - Returns: The record.
  package static func edge(
    _ edge: SceneEdge, scene: String, window: String? = nil, policy: ActivationPolicy = .whenFocused, urls: Int = 0,
    reason: String? = nil
  ) -> TraceRecord {
    let connects = edge == .sceneWillConnect
    return .edge(
      Edge(
        scene: scene, window: window, name: edge.rawValue, from: "\(edge.from)", to: "\(edge.to)",
        policy: connects && policy == .whenVisible ? "whenVisible" : nil, urls: connects && urls > 0 ? urls : nil,
        reason: edge == .sceneDidDisconnect ? reason : nil))
  }

  /// A call of the application's delegate, or a notification of the application.
  /// - Parameters:
  ///   - name: The method or the notification.
  ///   - state: The application's state after it.
  ///   - sessions: The identifiers of the sessions that it is about, if it is about sessions.
  ///   - urls: How many URLs it delivers, if it delivers any.
  /// - Returns: The record.
  package static func app(
    _ name: String, state: ApplicationState, sessions: [String]? = nil, urls: Int? = nil
  ) -> TraceRecord {
    .app(App(name: name, state: "\(state)", sessions: sessions, urls: urls))
  }

  /// A line of a feature about the machine or the desktop environment.
  package static func system(_ name: String, _ details: TraceDetails = [:]) -> TraceRecord {
    .system(System(name: name, details: details))
  }

  /// A request's outcome.
  /// - Parameters:
  ///   - name: The request.
  ///   - scene: The session's identifier, for a request about one.
  ///   - outcome: The outcome.
  ///   - details: What else the feature writes.
  /// - Returns: The record.
  package static func request(
    _ name: String, scene: String? = nil, outcome: String, _ details: TraceDetails = [:]
  ) -> TraceRecord {
    .request(Request(name: name, scene: scene, outcome: outcome, details: details))
  }
}
