package import ProsceniumJSON
package import ProsceniumPlatform

/// The stored form of one session.
package struct StoredSession: Equatable, Sendable {
  /// What the user saw of the session when it was saved.
  package enum Presence: String, Hashable, Sendable, CaseIterable {
    /// Its scene was visible: it connects at launch.
    case shown
    /// Its window was iconic or on another workspace: it comes back as a bare window there.
    case background
    /// It had no window: it waits for an activation.
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
  package var userInfo: [String: JSONValue]?
  package var conditions = SceneActivationConditions()
  package var placement: WindowPlacement?
  /// Members of the record that this version does not know; written back as they were read.
  package var unknown: [String: JSONValue] = [:]

  package init(identifier: String, role: String, configuration: String?) {
    self.identifier = identifier
    self.role = role
    self.configuration = configuration
  }
}
