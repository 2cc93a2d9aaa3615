package import ProsceniumPlatform

/// What the store keeps of one session.
package struct StoredSession: Equatable, Sendable {
  /// How the session was to be seen when it was saved.
  package enum Presence: String, Hashable, Sendable, CaseIterable {
    /// Its scene could be seen: it connects at launch.
    case shown
    /// Its window was out of sight, iconic or on another desktop: it comes back as a bare window there.
    case background
    /// It had no window: it waits until it is asked for.
    case hidden
  }

  /// `SceneSession.persistentIdentifier`; the record's file is named after it.
  package var identifier: String
  package var role: String
  /// The name of its configuration.
  package var configuration: String?
  /// When its scene was last active, in seconds since 1970; 0 if never.
  package var lastActive = 0.0
  package var presence = Presence.shown
  package var title: String?
  package var activity: StoredActivity?
  package var userInfo: [String: StoredValue]?
  package var conditions = SceneActivationConditions()
  package var placement: WindowPlacement?
  /// Fields that this version does not know; written back as they were read.
  package var unknown: [String: StoredValue] = [:]

  package init(identifier: String, role: String, configuration: String?) {
    self.identifier = identifier
    self.role = role
    self.configuration = configuration
  }
}
