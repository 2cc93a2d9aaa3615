/// Which content a scene can be activated for, and which it prefers; kept with its session.
///
/// Asked when an activation or a URL names content (``UserActivity/targetContentIdentifier``, the URL's text), also
/// for sessions that are disconnected.
public struct SceneActivationConditions: Hashable, Sendable, Codable {
  /// A question about a content identifier.
  public enum Condition: Hashable, Sendable, Codable {
    /// Every identifier.
    case any
    /// No identifier.
    case none
    /// This identifier alone.
    case equals(String)
    /// Every identifier that begins with this.
    case prefix(String)
    /// Each of these.
    case oneOf(Set<String>)

    /// Whether an identifier fulfils the condition.
    /// - Parameter identifier: The content's identifier.
    /// - Returns: Whether it does.
    public func accepts(_ identifier: String) -> Bool {
      switch self {
      case .any: true
      case .none: false
      case .equals(let wanted): identifier == wanted
      case .prefix(let prefix): identifier.hasPrefix(prefix)
      case .oneOf(let wanted): wanted.contains(identifier)
      }
    }
  }

  /// What the scene can be activated for; `.any` by default.
  public var canActivateForTargetContentIdentifier = Condition.any
  /// What the scene is the best choice for; `.none` by default.
  public var prefersToActivateForTargetContentIdentifier = Condition.none

  /// The defaults: any content, none preferred.
  public init() {}

  /// Reads conditions; one that only a newer version knows is as its default.
  /// - Parameter decoder: Where they are read from.
  /// - Throws: `DecodingError` if there is no object of conditions.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let can = try? container.decode(Condition.self, forKey: .canActivateForTargetContentIdentifier) {
      canActivateForTargetContentIdentifier = can
    }
    if let prefers = try? container.decode(Condition.self, forKey: .prefersToActivateForTargetContentIdentifier) {
      prefersToActivateForTargetContentIdentifier = prefers
    }
  }
}
