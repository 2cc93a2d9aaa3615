import FoundationEssentials
import ProsceniumJSON

/// Encodes and decodes records: a ``RecordHeader``, and one JSON object with the rest of the session.
enum RecordCoder {
  /// Larger records are neither written nor read, in bytes.
  static let limit = 16 << 20

  /// Encodes a session.
  /// - Returns: The whole record.
  /// - Throws: What the coder throws for a value that JSON has no form of.
  static func encode(_ session: StoredSession) throws -> [UInt8] {
    var bytes = Array(RecordHeader(session).line.utf8)
    let body = RecordBody(session)
    if session.unknown.isEmpty {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      bytes += try encoder.encode(body)
    } else {
      let members = try JSONValue(encoding: body, isStrict: true).members ?? [:]
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
  ///   - header: The record's first line.
  ///   - body: The bytes behind it.
  /// - Returns: The session.
  /// - Throws: What the coder throws for a damaged body.
  static func decode(_ header: RecordHeader, body: ArraySlice<UInt8>) throws -> StoredSession {
    var session = StoredSession(
      identifier: header.identifier, role: header.role, configuration: header.configuration)
    session.lastActive = header.lastActive
    session.presence = header.presence
    let whole = try JSONDecoder().decode(Whole.self, from: Data(body))
    whole.body.fill(&session)
    session.unknown = whole.rest.members
    return session
  }

  /// The known and the unknown members of one object.
  private struct Whole: Decodable {
    var body: RecordBody
    var rest: UnknownMembers

    init(from decoder: any Decoder) throws {
      body = try RecordBody(from: decoder)
      rest = try UnknownMembers(from: decoder)
    }
  }
}
