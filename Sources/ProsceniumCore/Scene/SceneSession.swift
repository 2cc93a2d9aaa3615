/// The durable identity of a scene: it outlives scene objects.
///
/// Made by the framework only. One object per ``persistentIdentifier``, so identity is equality.
@preconcurrency @MainActor public final class SceneSession {
  /// What a scene is for.
  public struct Role: RawRepresentable, Hashable, Sendable {
    /// The role's name.
    public let rawValue: String
    /// A role by name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// An ordinary window of the program.
    public static let windowApplication = Role(rawValue: "windowApplication")
    /// A scene on a display of its own that the user cannot touch.
    public static let windowExternalDisplayNonInteractive = Role(rawValue: "windowExternalDisplayNonInteractive")
  }

  /// Names the session for good: in the trace, and as part of `WM_WINDOW_ROLE`.
  public let persistentIdentifier: String
  /// What its scenes are for.
  public let role: Role
  /// What its scenes are made with.
  public internal(set) var configuration: SceneConfiguration
  /// The scene; nil while the session is disconnected.
  public internal(set) weak var scene: Scene?
  /// Small settings of the window; kept as long as the session.
  public var userInfo: [String: any Sendable]?

  /// What the framework keeps about the session; nil once it has been discarded.
  weak var record: SceneRecord?

  init(persistentIdentifier: String, role: Role, configuration: SceneConfiguration) {
    self.persistentIdentifier = persistentIdentifier
    self.role = role
    self.configuration = configuration
  }
}

extension SceneSession: @MainActor Hashable {
  /// Whether both are the same session.
  public static func == (lhs: SceneSession, rhs: SceneSession) -> Bool { lhs === rhs }
  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
