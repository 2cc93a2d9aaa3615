/// The content that a scene can be activated for, and the content that it prefers; stored with its session.
///
/// Evaluated when an activation or a URL names content (``UserActivity/targetContentIdentifier``, the URL's text), also
/// for sessions that are disconnected.
public struct SceneActivationConditions: Hashable, Sendable, Codable {
  /// A condition on a content identifier.
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

    /// Whether an identifier meets the condition.
    /// - Parameter identifier: The content's identifier.
    /// - Returns: True if it meets the condition.
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

  /// The content that the scene can be activated for; `.any` by default.
  public var canActivateForTargetContentIdentifier = Condition.any
  /// The content that the scene is the best choice for; `.none` by default.
  public var prefersToActivateForTargetContentIdentifier = Condition.none

  /// Makes the default conditions: any content, none preferred.
  public init() {}

  /// Decodes conditions; one that only a newer version knows gets its default.
  /// - Parameter decoder: The decoder.
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
