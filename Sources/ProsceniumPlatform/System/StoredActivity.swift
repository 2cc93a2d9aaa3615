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
}
