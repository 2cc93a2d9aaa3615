/// A request for a scene: a new one, or an existing one to be brought forward.
@preconcurrency @MainActor public struct SceneSessionActivationRequest: nonisolated Equatable {
  /// The role of the scene.
  public let role: SceneSession.Role
  /// The session to bring forward; nil for the one that fits the activity best, or a new one.
  public let session: SceneSession?
  /// The activity that the scene continues.
  public let userActivity: UserActivity?

  /// Requests a new scene, or the open one that fits an activity.
  ///
  /// An activity goes to the open session of the role whose ``Scene/activationConditions`` accept its
  /// ``UserActivity/targetContentIdentifier``, or to the only one that ``ApplicationManifest/supportsMultipleScenes``
  /// allows; conditions that the program has not set accept every identifier. To a new scene, and to one that is
  /// connected for it, the activity comes in ``Scene/ConnectionOptions/userActivities``; a scene that is connected
  /// already comes forward, and its delegate is called: `scene(_:continue:)`. Without that method the activity is lost,
  /// which is reported as an error.
  /// - Parameters:
  ///   - role: The role of the scene.
  ///   - userActivity: The activity that the scene continues.
  public init(role: SceneSession.Role = .windowApplication, userActivity: UserActivity? = nil) {
    self.role = role
    session = nil
    self.userActivity = userActivity
  }

  /// Requests that a session is brought forward, and connected first where necessary.
  ///
  /// The activity comes to its scene as that of ``init(role:userActivity:)``.
  /// - Parameters:
  ///   - session: The session.
  ///   - userActivity: The activity that the scene continues.
  public init(session: SceneSession, userActivity: UserActivity? = nil) {
    role = session.role
    self.session = session
    self.userActivity = userActivity
  }
}
