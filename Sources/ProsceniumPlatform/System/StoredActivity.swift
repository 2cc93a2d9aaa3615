package import FoundationEssentials
package import ProsceniumJSON

/// The stored form of a `UserActivity`.
package struct StoredActivity: Hashable, Sendable, Codable {
  package var activityType: String
  package var title: String?
  package var userInfo: [String: JSONValue]?
  package var requiredUserInfoKeys: Set<String>?
  package var webpageURL: URL?
  package var referrerURL: URL?
  package var expirationDate: Date?
  package var keywords: Set<String>?
  package var targetContentIdentifier: String?
  package var persistentIdentifier: String?
  /// The JSON of the `Codable` payload.
  package var payload: Data?
  package init(activityType: String) { self.activityType = activityType }

  /// An activity of a record.
  /// - Parameter members: The members of its JSON object; unknown ones are ignored.
  /// - Throws: What the decoder throws for members of other types.
  package init(_ members: [String: JSONValue]) throws {
    // The coder would take long to find out what each of the values is.
    var members = members
    let info = members.removeValue(forKey: "userInfo")
    self = try JSONValue.object(members).decoded(as: StoredActivity.self)
    switch info {
    case nil, .null: userInfo = nil
    case .object(let values): userInfo = values
    default: throw NoUserInfo()
    }
  }

  /// An activity of another process.
  /// - Parameter text: Its JSON.
  /// - Throws: An error for any other text.
  package init(text: String) throws { try self.init(JSONValue.object(in: text.utf8)) }

  private struct NoUserInfo: Error {}
}
