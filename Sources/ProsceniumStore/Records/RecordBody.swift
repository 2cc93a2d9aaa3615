import ProsceniumJSON
import ProsceniumPlatform

/// The JSON object of a record.
struct RecordBody: Codable {
  typealias Condition = SceneActivationConditions.Condition

  /// The activation conditions; nil for those of a kind that this version does not know.
  struct Conditions: Codable {
    var canActivateForTargetContentIdentifier: Condition?
    var prefersToActivateForTargetContentIdentifier: Condition?

    /// A default is left out beside an unknown condition: it is not the program's own choice, which could not know
    /// better.
    init?(_ session: StoredSession) {
      let (own, standard) = (session.conditions, SceneActivationConditions())
      let unknown = session.unknown["conditions"]?.members ?? [:]
      guard own != standard || !unknown.isEmpty else { return nil }
      func choice(_ name: CodingKeys, _ path: KeyPath<SceneActivationConditions, Condition>) -> Condition? {
        unknown[name.stringValue] != nil && own[keyPath: path] == standard[keyPath: path] ? nil : own[keyPath: path]
      }
      canActivateForTargetContentIdentifier = choice(
        .canActivateForTargetContentIdentifier, \.canActivateForTargetContentIdentifier)
      prefersToActivateForTargetContentIdentifier = choice(
        .prefersToActivateForTargetContentIdentifier, \.prefersToActivateForTargetContentIdentifier)
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      func condition(_ key: CodingKeys) -> Condition? { try? container.decode(Condition.self, forKey: key) }
      canActivateForTargetContentIdentifier = condition(.canActivateForTargetContentIdentifier)
      prefersToActivateForTargetContentIdentifier = condition(.prefersToActivateForTargetContentIdentifier)
    }
  }

  var title: String?
  var activity: StoredActivity?
  var userInfo: [String: JSONValue]?
  var conditions: Conditions?
  var placement: WindowPlacement?

  init(_ session: StoredSession) {
    title = session.title
    activity = session.activity
    userInfo = session.userInfo
    conditions = Conditions(session)
    placement = session.placement
  }

  func fill(_ session: inout StoredSession) {
    session.title = title
    session.activity = activity
    session.userInfo = userInfo
    if let condition = conditions?.canActivateForTargetContentIdentifier {
      session.conditions.canActivateForTargetContentIdentifier = condition
    }
    if let condition = conditions?.prefersToActivateForTargetContentIdentifier {
      session.conditions.prefersToActivateForTargetContentIdentifier = condition
    }
    session.placement = placement
  }
}
