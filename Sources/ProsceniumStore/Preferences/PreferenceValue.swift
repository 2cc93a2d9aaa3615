import FoundationEssentials

/// What the file can hold: any JSON, so that what this version of a program does not know is written back as it was.
package enum PreferenceValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  /// What an Int cannot hold.
  case unsigned(UInt64)
  case double(Double)
  case string(String)
  case array([PreferenceValue])
  case object([String: PreferenceValue])

  private struct NothingCoded: Error {}

  /// A value of a program, as the file has it.
  package init(encoding value: some Encodable) throws {
    // Within an array: not every coder takes a number alone.
    let data = try Self.encoder.encode([value])
    let values = try Self.decoder.decode([PreferenceValue].self, from: data)
    guard let first = values.first else { throw NothingCoded() }
    self = first
  }

  /// What a program gets back.
  package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    let values = try Self.decoder.decode([Value].self, from: try Self.encoder.encode([self]))
    guard let first = values.first else { throw NothingCoded() }
    return first
  }

  /// What is in a whole file.
  package static func values(in bytes: [UInt8]) throws -> [String: PreferenceValue] {
    try decoder.decode([String: PreferenceValue].self, from: Data(bytes))
  }

  /// A whole file, for people to read too.
  package static func file(_ values: [String: PreferenceValue]) throws -> [UInt8] {
    let encoder = encoder
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(values)) + [UInt8(ascii: "\n")]
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}

extension PreferenceValue: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(String.self) {
      // Before numbers: "inf" is a text here.
      self = .string(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .unsigned(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let values = try? container.decode([PreferenceValue].self) {
      self = .array(values)
    } else {
      self = .object(try container.decode([String: PreferenceValue].self))
    }
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
    case .object(let values): try container.encode(values)
    }
  }
}
