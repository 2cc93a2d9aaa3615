import FoundationEssentials
import ProsceniumJSON
import ProsceniumPlatform

/// Encodes and decodes records: a ``RecordHeader``, and one JSON object with the rest of the session.
enum RecordCoder {
  /// Larger records are neither written nor read, in bytes.
  static let limit = 16 << 20

  /// A value that is not of the type that its name has in a record.
  private struct WrongType: Error {}

  /// Encodes a session.
  /// - Returns: The whole record.
  /// - Throws: What the coder throws for a value that JSON has no form of.
  static func encode(_ session: StoredSession) throws -> [UInt8] {
    var body: [UInt8]
    if session.unknown.isEmpty {
      body = try Array(JSONValue.bytes(of: session))
    } else {
      let members = try JSONValue(encoding: session, isStrict: true).members ?? [:]
      body = try Array(JSONValue.bytes(of: session.unknown.merging(members, uniquingKeysWith: merged)))
    }
    // No line end stands inside the object: a record that ends with one is whole.
    body.append(UInt8(ascii: "\n"))
    return Array(RecordHeader.line(session, body: body).utf8) + body
  }

  /// An object of this version, with the members of the same object that this version does not know.
  private static func merged(_ unknown: JSONValue, _ known: JSONValue) -> JSONValue {
    guard let members = unknown.members else { return known }
    return .object(members.merging(known.members ?? [:]) { $1 })
  }

  /// Whether a record has been written to its end, without decoding it.
  ///
  /// A record that was cut off has an opening bracket without a closing one; it may lack its line end alone.
  /// - Parameter body: The bytes behind the first line.
  /// - Returns: Whether every bracket is closed; what stands between them is not looked at.
  static func isWhole(_ body: ArraySlice<UInt8>) -> Bool {
    if body.suffix(2).elementsEqual("}\n".utf8) { return true }
    guard body.last(where: { !"\n\r\t ".utf8.contains($0) }) == UInt8(ascii: "}") else { return false }
    var (depth, isText, isEscaped) = (0, false, false)
    for byte in body {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isText: isEscaped = true
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "[") where !isText, UInt8(ascii: "{") where !isText: depth += 1
      case UInt8(ascii: "]") where !isText, UInt8(ascii: "}") where !isText: depth -= 1
      default: break
      }
    }
    return depth == 0 && !isText
  }

  /// Decodes the body of a record.
  /// - Parameters:
  ///   - header: The session as far as the record's first line has it.
  ///   - body: The bytes behind the line.
  /// - Returns: The session.
  /// - Throws: What the coder throws for a damaged body.
  static func decode(_ header: StoredSession, body: ArraySlice<UInt8>) throws -> StoredSession {
    var session = header
    session.unknown = try JSONValue.object(in: body)
    for (name, value) in session.unknown where value == .null { session.unknown[name] = nil }
    session.title = try session.unknown.removeValue(forKey: "title").map { title in
      guard let text = title.text else { throw WrongType() }
      return text
    }
    session.userInfo = try session.unknown.removeValue(forKey: "userInfo").map(members)
    if let activity = try takeKnown("activity", &session) { session.activity = try StoredActivity(activity) }
    if let conditions = try takeKnown("conditions", &session) { session.conditions = try decoded(conditions) }
    if let placement = try takeKnown("placement", &session) { session.placement = try decoded(placement) }
    return session
  }

  /// Takes the members of an object that this version knows out of those of a record that it does not know.
  /// - Returns: The members; nil where the record has no such object.
  private static func takeKnown(_ name: String, _ session: inout StoredSession) throws -> [String: JSONValue]? {
    guard var rest = try session.unknown.removeValue(forKey: name).map(members) else { return nil }
    func isKnown(_ value: JSONValue) -> Bool {
      guard name == "conditions" else { return true }
      // A condition may be of a kind that this version does not know.
      let condition: SceneActivationConditions.Condition? = try? decoded(value)
      return condition != nil
    }
    // Members that it does not know may be many: they stay where they are, and are not looked up.
    var known: [String: JSONValue] = [:]
    for member in StoredSession.objects[name] ?? [] {
      guard let value = rest[member], isKnown(value) else { continue }
      known[member] = value
      rest[member] = nil
    }
    if !rest.isEmpty { session.unknown[name] = .object(rest) }
    return known
  }

  private static func members(_ value: JSONValue) throws -> [String: JSONValue] {
    guard let members = value.members else { throw WrongType() }
    return members
  }

  private static func decoded<Value: Decodable>(_ value: some Encodable) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(JSONValue.bytes(of: value)))
  }
}

// The JSON object of a record: what the first line of the record does not have.
extension StoredSession: Encodable {
  private struct Key: CodingKey, ExpressibleByStringLiteral {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral name: String) { stringValue = name }
    init?(intValue: Int) { nil }
  }

  /// The known objects, each with the names of its known members.
  fileprivate static let objects = [
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
}
