/// Something that the user does and may want to go on with elsewhere or later; stands for `NSUserActivity`.
@preconcurrency @MainActor public final class UserActivity {
  /// What kind of activity it is, in reverse domain notation.
  public let activityType: String
  /// What the user would call it.
  public var title: String?
  /// What it is about, as far as choosing a scene is concerned.
  public var targetContentIdentifier: String?
  /// What is needed to go on with it.
  public var userInfo: [String: any Sendable] = [:]

  /// An activity of a kind.
  /// - Parameter activityType: What kind of activity it is, in reverse domain notation.
  public init(activityType: String) { self.activityType = activityType }
}

extension UserActivity: @MainActor Hashable {
  /// Whether both are the same object.
  public static func == (lhs: UserActivity, rhs: UserActivity) -> Bool { lhs === rhs }
  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
