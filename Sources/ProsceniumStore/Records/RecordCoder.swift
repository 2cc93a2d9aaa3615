import FoundationEssentials
import ProsceniumJSON
import ProsceniumPlatform

/// Encodes and decodes records: a ``RecordHeader``, and one JSON object with the rest of the session.
enum RecordCoder {
  /// Larger records are neither written nor read, in bytes.
  static let limit = 16 << 20
  /// Heavier records are neither written nor read; see ``weight(of:)``.
  static let mostWeight = 1 << 20
  /// Deeper JSON is not read by the coder either.
  private static let deepest = 512

  /// A record whose values are too many, or nested too deeply.
  struct TooHeavy: Error {}

  /// What it costs to read the values of a record: each counts as deep as it is nested.
  ///
  /// A value's type is found by trying one after the other, and each failure has the path to the value. Two hundred
  /// kilobytes of brackets would take minutes.
  /// - Parameter body: A JSON object, or anything else.
  /// - Returns: The sum of the values' depths; 0 for a text so short that it cannot be too much.
  static func weight(of body: ArraySlice<UInt8>) -> Int {
    guard body.count > mostWeight / deepest else { return 0 }
    var (weight, depth, isText, isEscaped) = (0, 0, false, false)
    for byte in body {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isText: isEscaped = true
      case UInt8(ascii: "\""): isText.toggle()
      case _ where isText: break
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        weight += depth
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
      case UInt8(ascii: ","): weight += depth
      default: break
      }
    }
    return weight
  }

  /// Encodes a session.
  /// - Returns: The whole record.
  /// - Throws: What the coder throws for a value that JSON has no form of.
  static func encode(_ session: StoredSession) throws -> [UInt8] {
    var bytes = Array(RecordHeader.line(session).utf8)
    if session.unknown.isEmpty {
      bytes += try JSONValue.bytes(of: session)
    } else {
      let members = try JSONValue(encoding: session, isStrict: true).members ?? [:]
      bytes += try JSONValue.bytes(of: session.unknown.merging(members, uniquingKeysWith: merged))
    }
    // No line end stands inside the object: a record that ends with one is whole.
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// An object of this version, with the members of the same object that this version does not know.
  private static func merged(_ unknown: JSONValue, _ known: JSONValue) -> JSONValue {
    guard let members = unknown.members else { return known }
    return .object(members.merging(known.members ?? [:]) { $1 })
  }

  /// Decodes the body of a record.
  /// - Parameters:
  ///   - header: The session as far as the record's first line has it.
  ///   - body: The bytes behind the line.
  /// - Returns: The session.
  /// - Throws: What the coder throws for a damaged body; ``TooHeavy``.
  static func decode(_ header: StoredSession, body: ArraySlice<UInt8>) throws -> StoredSession {
    guard weight(of: body) <= mostWeight else { throw TooHeavy() }
    return try JSONDecoder().decode(StoredSession.self, from: Data(body), configuration: header)
  }
}

// The JSON object of a record: what the first line of the record does not have.
extension StoredSession: Encodable, DecodableWithConfiguration {
  private struct Key: CodingKey, ExpressibleByStringLiteral {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral name: String) { stringValue = name }
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

  package func encode(to encoder: any Encoder) throws {
    var body = encoder.container(keyedBy: Key.self)
    try body.encodeIfPresent(title, forKey: "title")
    try body.encodeIfPresent(activity, forKey: "activity")
    try body.encodeIfPresent(userInfo, forKey: "userInfo")
    try body.encodeIfPresent(placement, forKey: "placement")
    let (unknown, standard) = (unknown["conditions"]?.members ?? [:], SceneActivationConditions())
    guard conditions != standard || !unknown.isEmpty else { return }
    var inner = body.nestedContainer(keyedBy: Key.self, forKey: "conditions")
    // A default is left out beside an unknown condition: it is not the program's own choice, which could not know
    // better.
    func encode(_ name: Key, _ path: KeyPath<SceneActivationConditions, SceneActivationConditions.Condition>) throws {
      if unknown[name.stringValue] != nil, conditions[keyPath: path] == standard[keyPath: path] { return }
      try inner.encode(conditions[keyPath: path], forKey: name)
    }
    try encode("canActivateForTargetContentIdentifier", \.canActivateForTargetContentIdentifier)
    try encode("prefersToActivateForTargetContentIdentifier", \.prefersToActivateForTargetContentIdentifier)
  }

  /// Decodes the body of a record.
  /// - Parameters:
  ///   - decoder: The decoder.
  ///   - header: The session as far as the record's first line has it.
  /// - Throws: What the decoder throws for a damaged body.
  package init(from decoder: any Decoder, configuration header: StoredSession) throws {
    self = header
    let body = try decoder.container(keyedBy: Key.self)
    title = try body.decodeIfPresent(String.self, forKey: "title")
    activity = try body.decodeIfPresent(StoredActivity.self, forKey: "activity")
    userInfo = try body.decodeIfPresent([String: JSONValue].self, forKey: "userInfo")
    conditions = try body.decodeIfPresent(SceneActivationConditions.self, forKey: "conditions") ?? conditions
    placement = try body.decodeIfPresent(WindowPlacement.self, forKey: "placement")
    for key in body.allKeys where try !Self.leaves.contains(key.stringValue) && !body.decodeNil(forKey: key) {
      unknown[key.stringValue] = try Self.unknown(key, in: body)
    }
  }

  /// An unknown member; the unknown members of a known object, nil where it has none.
  private static func unknown(_ key: Key, in body: KeyedDecodingContainer<Key>) throws -> JSONValue? {
    guard let known = objects[key.stringValue] else { return try body.decode(JSONValue.self, forKey: key) }
    let inner = try body.nestedContainer(keyedBy: Key.self, forKey: key)
    var unknown: [String: JSONValue] = [:]
    for name in inner.allKeys where !known.contains(name.stringValue) || isUnknown(name, in: inner, of: key) {
      unknown[name.stringValue] = try inner.decode(JSONValue.self, forKey: name)
    }
    return unknown.isEmpty ? nil : .object(unknown)
  }

  /// Whether a condition is of a kind that this version does not know.
  private static func isUnknown(_ name: Key, in inner: KeyedDecodingContainer<Key>, of key: Key) -> Bool {
    key.stringValue == "conditions"
      && (try? inner.decode(SceneActivationConditions.Condition.self, forKey: name)) == nil
  }
}
