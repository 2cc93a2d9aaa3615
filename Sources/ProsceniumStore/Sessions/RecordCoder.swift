import FoundationEssentials
import ProsceniumPlatform

/// Records as bytes, and back.
enum RecordCoder {
  /// Larger records are neither written nor read.
  static let limit = 16 << 20

  /// The whole record of a session.
  static func encode(_ session: StoredSession) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var bytes = Array(RecordHeader(session).line.utf8)
    bytes += try encoder.encode(RecordBody(session))
    // No line end stands inside the object: a record that ends with one is whole.
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// The session of a record.
  static func decode(_ header: RecordHeader, body: ArraySlice<UInt8>) throws -> StoredSession {
    var session = StoredSession(
      identifier: header.identifier, role: header.role, configuration: header.configuration)
    session.lastActive = header.lastActive
    session.presence = header.presence
    let decoded = try JSONDecoder().decode(RecordBody.self, from: Data(body))
    return decoded.session(from: session)
  }

  /// The session of a record of format 1, in which the first line's facts are fields of the object.
  static func decodeWholeObject(_ bytes: [UInt8]) throws -> StoredSession {
    struct Facts: Decodable {
      var identifier: String
      var role: String
      var configuration: String?
      var lastActive: Double?
      var presence: String?
    }
    let data = Data(bytes)
    let decoder = JSONDecoder()
    let facts = try decoder.decode(Facts.self, from: data)
    var session = StoredSession(
      identifier: facts.identifier, role: facts.role, configuration: facts.configuration)
    session.lastActive = facts.lastActive ?? 0
    session.presence = facts.presence.flatMap(StoredSession.Presence.init) ?? .shown
    session = try decoder.decode(RecordBody.self, from: data).session(from: session)
    for fact in ["identifier", "role", "configuration", "lastActive", "presence"] { session.unknown[fact] = nil }
    return session
  }
}

/// The JSON object of a record: what the first line does not say.
///
/// Members that this version does not know are kept, in the object itself as in those inside it: `unknown` then holds
/// an object under the name of a known one. So is a condition of a kind that this version does not know.
private struct RecordBody: Codable {
  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init("\(intValue)") }
  }

  /// The names of a value's members, which are those of its JSON.
  private static func members(of value: Any) -> Set<String> {
    Set(Mirror(reflecting: value).children.compactMap { $0.label })
  }
  private static let activityMembers = members(of: StoredActivity(activityType: ""))
  private static let placementMembers = members(of: WindowPlacement(frame: Rect(x: 0, y: 0, width: 0, height: 0)))
  private static let can = Key("canActivateForTargetContentIdentifier")
  private static let prefers = Key("prefersToActivateForTargetContentIdentifier")

  var title: String?
  var activity: StoredActivity?
  var userInfo: [String: StoredValue]?
  var conditions = SceneActivationConditions()
  var placement: WindowPlacement?
  var unknown: [String: StoredValue] = [:]

  init(_ session: StoredSession) {
    title = session.title
    activity = session.activity
    userInfo = session.userInfo
    conditions = session.conditions
    placement = session.placement
    unknown = session.unknown
  }

  func session(from facts: StoredSession) -> StoredSession {
    var session = facts
    session.title = title
    session.activity = activity
    session.userInfo = userInfo
    session.conditions = conditions
    session.placement = placement
    session.unknown = unknown
    return session
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    func extras(_ name: String, besides known: Set<String>) throws -> StoredValue? {
      let inner = try container.nestedContainer(keyedBy: Key.self, forKey: Key(name))
      var extras: [String: StoredValue] = [:]
      for key in inner.allKeys where !known.contains(key.stringValue) {
        extras[key.stringValue] = try inner.decode(StoredValue.self, forKey: key)
      }
      return extras.isEmpty ? nil : .dictionary(extras)
    }
    for key in container.allKeys where try !container.decodeNil(forKey: key) {
      switch key.stringValue {
      case "title": title = try container.decode(String.self, forKey: key)
      case "userInfo": userInfo = try container.decode([String: StoredValue].self, forKey: key)
      case "activity":
        activity = try container.decode(StoredActivity.self, forKey: key)
        unknown["activity"] = try extras("activity", besides: Self.activityMembers)
      case "placement":
        placement = try container.decode(WindowPlacement.self, forKey: key)
        unknown["placement"] = try extras("placement", besides: Self.placementMembers)
      case "conditions":
        let inner = try container.nestedContainer(keyedBy: Key.self, forKey: key)
        var read: Set<String> = []
        typealias Condition = SceneActivationConditions.Condition
        if let condition = try? inner.decode(Condition.self, forKey: Self.can) {
          conditions.canActivateForTargetContentIdentifier = condition
          read.insert(Self.can.stringValue)
        }
        if let condition = try? inner.decode(Condition.self, forKey: Self.prefers) {
          conditions.prefersToActivateForTargetContentIdentifier = condition
          read.insert(Self.prefers.stringValue)
        }
        unknown["conditions"] = try extras("conditions", besides: read)
      case let name: unknown[name] = try container.decode(StoredValue.self, forKey: key)
      }
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    // What is known comes last, so that it wins.
    func encode(_ name: String, _ value: (any Encodable)?) throws {
      guard let value else { return }
      let encoder = container.superEncoder(forKey: Key(name))
      if case .dictionary(let extras) = unknown[name] {
        var inner = encoder.container(keyedBy: Key.self)
        for (key, extra) in extras { try inner.encode(extra, forKey: Key(key)) }
      }
      try value.encode(to: encoder)
    }
    for (name, value) in unknown where !["activity", "placement", "conditions"].contains(name) {
      try container.encode(value, forKey: Key(name))
    }
    try container.encodeIfPresent(title, forKey: Key("title"))
    try container.encodeIfPresent(userInfo, forKey: Key("userInfo"))
    try encode("activity", activity)
    try encode("placement", placement)
    var kept: [String: StoredValue] = [:]
    if case .dictionary(let extras) = unknown["conditions"] { kept = extras }
    let defaults = SceneActivationConditions()
    if conditions != defaults || !kept.isEmpty {
      var inner = container.nestedContainer(keyedBy: Key.self, forKey: Key("conditions"))
      for (key, extra) in kept { try inner.encode(extra, forKey: Key(key)) }
      // A default beside a kept condition is not the program's word: it could not know better.
      let can = conditions.canActivateForTargetContentIdentifier
      if kept[Self.can.stringValue] == nil || can != defaults.canActivateForTargetContentIdentifier {
        try inner.encode(can, forKey: Self.can)
      }
      let prefers = conditions.prefersToActivateForTargetContentIdentifier
      if kept[Self.prefers.stringValue] == nil || prefers != defaults.prefersToActivateForTargetContentIdentifier {
        try inner.encode(prefers, forKey: Self.prefers)
      }
    }
  }
}
