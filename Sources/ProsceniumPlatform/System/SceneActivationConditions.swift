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
    /// Every identifier that ends with this.
    case suffix(String)
    /// Every identifier that contains this; an empty text is contained in each.
    case contains(String)
    /// Each of these.
    case oneOf(Set<String>)
    /// Every identifier that does not meet the condition.
    indirect case not(Condition)
    /// Every identifier that meets all conditions.
    case all([Condition])
    /// Every identifier that meets at least one of the conditions.
    case anyOf([Condition])

    /// Whether an identifier meets the condition.
    /// - Parameter identifier: The content's identifier.
    /// - Returns: True if it meets the condition.
    public func accepts(_ identifier: String) -> Bool {
      switch self {
      case .any: true
      case .none: false
      case .equals(let wanted): identifier == wanted
      case .prefix(let prefix): identifier.hasPrefix(prefix)
      case .suffix(let suffix): identifier.hasSuffix(suffix)
      case .contains(let part): part.isEmpty || identifier.contains(part)
      case .oneOf(let wanted): wanted.contains(identifier)
      case .not(let condition): !condition.accepts(identifier)
      case .all(let conditions): conditions.allSatisfy { $0.accepts(identifier) }
      case .anyOf(let conditions): conditions.contains { $0.accepts(identifier) }
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
