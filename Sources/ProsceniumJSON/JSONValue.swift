import FoundationEssentials

/// A JSON value: what records, preferences, and the details of trace lines are made of.
///
/// Written, and converted to `Codable` types, by Foundation's coders; read by a reader of its own, whose time grows
/// with the length of the text alone.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  /// A whole number above `Int.max`.
  case unsigned(UInt64)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  private struct NoValue: Error {}

  /// The members of an object; nil for every other value.
  package var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

  /// The text of a string; nil for every other value.
  package var text: String? { if case .string(let text) = self { text } else { nil } }

  /// Encodes a value of any type.
  /// - Parameters:
  ///   - value: The value.
  ///   - isStrict: Whether infinity and NaN are errors; otherwise they are written as the texts that ``decoded(as:)``
  ///     reads.
  /// - Throws: What the value or the encoder throws.
  package init(encoding value: some Encodable, isStrict: Bool = false) throws {
    let encoder = JSONEncoder()
    if !isStrict {
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    }
    // Within an array: not every coder accepts a number as the whole text.
    let data = try encoder.encode([value])
    guard case .array(let values) = try JSONReader.value(in: Array(data)), let first = values.first else {
      throw NoValue()
    }
    self = first
  }

  /// Decodes a value of any type.
  /// - Parameter type: The type.
  /// - Returns: The value.
  /// - Throws: What the type or the decoder throws.
  package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard let first = try decoder.decode([Value].self, from: try JSONEncoder().encode([self])).first else {
      throw NoValue()
    }
    return first
  }

  /// Reads the text of one JSON object.
  /// - Parameter bytes: The text, in UTF-8.
  /// - Returns: The members of the object.
  /// - Throws: An error for any other text.
  package static func object(in bytes: some Sequence<UInt8>) throws -> [String: JSONValue] {
    guard let members = try JSONReader.value(in: Array(bytes)).members else { throw NoValue() }
    return members
  }

  /// Writes one JSON object, its keys in alphabetical order.
  /// - Parameters:
  ///   - object: The members of the object, or a value that encodes itself as one.
  ///   - isPretty: Whether there are line ends and indents; otherwise the text is one line.
  /// - Returns: The text in UTF-8, without a line end behind it.
  /// - Throws: What Foundation's encoder throws for a number that JSON has no form of.
  package static func bytes(of object: some Encodable, isPretty: Bool = false) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return Array(try encoder.encode(object))
  }
}

extension JSONValue: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func value<Value: Decodable>(_ make: (Value) -> JSONValue) -> JSONValue? {
      (try? container.decode(Value.self)).map(make)
    }
    let null: JSONValue? = container.decodeNil() ? .null : nil
    self =
      try null ?? value(JSONValue.bool) ?? value(JSONValue.string) ?? value(JSONValue.int)
      ?? value(JSONValue.unsigned) ?? value(JSONValue.double) ?? value(JSONValue.array)
      ?? .object(container.decode([String: JSONValue].self))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    case .object(let members): try container.encode(members)
    }
  }
}
