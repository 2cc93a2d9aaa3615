import ProsceniumJSON
import ProsceniumPlatform

/// The members of a record that this version does not know, in the object itself and in those inside it.
struct UnknownMembers: Decodable {
  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// The known members that can hold no unknown ones.
  private static let leaves: Set = ["title", "userInfo"]
  /// The known objects, each with the names of its known members.
  private static let objects = [
    "activity": names(StoredActivity(activityType: "")),
    "placement": names(WindowPlacement(frame: Rect(x: 0, y: 0, width: 0, height: 0))),
    "conditions": names(SceneActivationConditions()),
  ]

  /// The names of a value's properties, which are those of its JSON.
  private static func names(_ value: Any) -> Set<String> {
    Set(Mirror(reflecting: value).children.compactMap { $0.label })
  }

  /// The unknown members; an object of unknown members under the name of a known object.
  private(set) var members: [String: JSONValue] = [:]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    for key in container.allKeys where try !Self.leaves.contains(key.stringValue) && !container.decodeNil(forKey: key) {
      guard let known = Self.objects[key.stringValue] else {
        members[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
        continue
      }
      let inner = try container.nestedContainer(keyedBy: Key.self, forKey: key)
      var unknown: [String: JSONValue] = [:]
      for name in inner.allKeys where !known.contains(name.stringValue) || isUnknown(name, in: inner, of: key) {
        unknown[name.stringValue] = try inner.decode(JSONValue.self, forKey: name)
      }
      if !unknown.isEmpty { members[key.stringValue] = .object(unknown) }
    }
  }

  /// Whether a condition is of a kind that this version does not know.
  private func isUnknown(_ name: Key, in inner: KeyedDecodingContainer<Key>, of key: Key) -> Bool {
    key.stringValue == "conditions"
      && (try? inner.decode(SceneActivationConditions.Condition.self, forKey: name)) == nil
  }
}
