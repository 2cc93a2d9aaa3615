/// A request for a scene: a new one, or an existing one to be brought forward.
@preconcurrency @MainActor public struct SceneSessionActivationRequest: nonisolated Equatable {
  /// The role of the scene.
  public let role: SceneSession.Role
  /// The session to bring forward; nil for a new one.
  public let session: SceneSession?
  /// The activity that the scene continues.
  public let userActivity: UserActivity?

  /// Requests a new scene.
  /// - Parameters:
  ///   - role: The role of the scene.
  ///   - userActivity: The activity that the scene continues.
  public init(role: SceneSession.Role = .windowApplication, userActivity: UserActivity? = nil) {
    self.role = role
    session = nil
    self.userActivity = userActivity
  }

  /// Requests that a session is brought forward, and connected first where necessary.
  /// - Parameters:
  ///   - session: The session.
  ///   - userActivity: The activity that the scene continues.
  public init(session: SceneSession, userActivity: UserActivity? = nil) {
    role = session.role
    self.session = session
    self.userActivity = userActivity
  }
}
