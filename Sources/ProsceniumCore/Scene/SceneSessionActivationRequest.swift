/// Asks for a scene: a new one, or one that exists to be brought forward.
@preconcurrency @MainActor public struct SceneSessionActivationRequest: nonisolated Equatable {
  /// The role of the scene.
  public let role: SceneSession.Role
  /// The session to bring forward; nil for a new one.
  public let session: SceneSession?
  /// What the scene is to go on with.
  public let userActivity: UserActivity?

  /// Asks for a new scene.
  /// - Parameters:
  ///   - role: The role of the scene.
  ///   - userActivity: What the scene is to go on with.
  public init(role: SceneSession.Role = .windowApplication, userActivity: UserActivity? = nil) {
    self.role = role
    session = nil
    self.userActivity = userActivity
  }

  /// Asks for a session to be brought forward, and connected first if need be.
  /// - Parameters:
  ///   - session: The session.
  ///   - userActivity: What the scene is to go on with.
  public init(session: SceneSession, userActivity: UserActivity? = nil) {
    role = session.role
    self.session = session
    self.userActivity = userActivity
  }
}
