package import FoundationEssentials

/// A value that can be kept on disk: what a `userInfo` may hold.
///
/// The types are those of `NSUserActivity.userInfo`. Whole numbers come back as `Int`, others as `Double`.
package enum StoredValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case data(Data)
  case date(Date)
  case url(URL)
  case uuid(UUID)
  case array([StoredValue])
  case set(Set<StoredValue>)
  case dictionary([String: StoredValue])

  /// A value that cannot be kept: where it was found, and what it is.
  package struct Unstorable: Error, Equatable, CustomStringConvertible {
    package var key: String
    package var type: String
    package init(key: String, type: String) {
      self.key = key
      self.type = type
    }
    package var description: String {
      "the value of \"\(key)\" is of the type \(type), which cannot be stored. Use numbers, strings, Bool, Data, Date, "
        + "URL, UUID, arrays, sets or dictionaries of these."
    }
  }

  /// Deeper than any real state, and safely within what the coders can nest.
  private static let deepest = 100

  /// Takes a value of a program.
  /// - Parameters:
  ///   - value: What is to be kept.
  ///   - key: The key that it is kept under, for the error.
  /// - Throws: ``Unstorable`` if it is of another type, or nested too deeply.
  package init(_ value: Any, key: String) throws(Unstorable) { try self.init(value, key: key, depth: 0) }

  private init(_ value: Any, key: String, depth: Int) throws(Unstorable) {
    guard depth < Self.deepest else {
      throw Unstorable(key: key, type: "\(type(of: value)), nested more than \(Self.deepest) times")
    }
    switch value {
    case let value as StoredValue: self = value
    case let value as Bool: self = .bool(value)
    case let value as any BinaryInteger:
      guard let number = Int(exactly: value) else { throw Unstorable(key: key, type: "\(type(of: value)) (too large)") }
      self = .int(number)
    case let value as Double: self = .double(value)
    case let value as Float: self = .double(Double(value))
    case let value as String: self = .string(value)
    case let value as Substring: self = .string(String(value))
    case let value as Data: self = .data(value)
    case let value as Date: self = .date(value)
    case let value as URL: self = .url(value)
    case let value as UUID: self = .uuid(value)
    case let value as any OptionalValue:
      guard let wrapped = value.wrapped else {
        self = .null
        return
      }
      try self.init(wrapped, key: key, depth: depth)
    case let value as [Any]:
      var elements: [StoredValue] = []
      for (index, element) in value.enumerated() {
        elements.append(try StoredValue(element, key: "\(key)[\(index)]", depth: depth + 1))
      }
      self = .array(elements)
    case let value as [String: Any]:
      var entries: [String: StoredValue] = [:]
      for (name, element) in value {
        entries[name] = try StoredValue(element, key: "\(key).\(name)", depth: depth + 1)
      }
      self = .dictionary(entries)
    case let value as Set<AnyHashable>:
      var elements: Set<StoredValue> = []
      for element in value { elements.insert(try StoredValue(element.base, key: key, depth: depth + 1)) }
      self = .set(elements)
    default: throw Unstorable(key: key, type: "\(type(of: value))")
    }
  }

  /// What a program gets back; a set of mixed values comes back as an array.
  package var value: any Sendable {
    switch self {
    case .null: nil as String?
    case .bool(let value): value
    case .int(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .url(let value): value
    case .uuid(let value): value
    case .array(let values): values.map(\.value)
    case .set(let values): Self.set(values.map(\.value))
    case .dictionary(let values): values.mapValues(\.value)
    }
  }

  private static func set(_ values: [any Sendable]) -> any Sendable {
    func all<T: Hashable & Sendable>(_ type: T.Type) -> Set<T>? {
      let members = values.compactMap { $0 as? T }
      return members.count == values.count ? Set(members) : nil
    }
    if let set = all(String.self) { return set }
    if let set = all(Int.self) { return set }
    if let set = all(Double.self) { return set }
    if let set = all(URL.self) { return set }
    if let set = all(UUID.self) { return set }
    if let set = all(Date.self) { return set }
    if let set = all(Data.self) { return set }
    return values
  }
}

/// An optional, whatever it wraps.
private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  package var wrapped: Any? { self }
}

extension StoredValue: Codable {
  /// What JSON has no form of is an object with one key, which begins with a dollar sign.
  ///
  /// A program's own key that begins with one is written with two.
  private enum Tag: String {
    case double = "$double"
    case data = "$data"
    case date = "$date"
    case url = "$url"
    case uuid = "$uuid"
    case set = "$set"
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let values = try? container.decode([StoredValue].self) {
      self = .array(values)
    } else {
      let values = try container.decode([String: StoredValue].self)
      if values.count == 1, let (key, value) = values.first, let tag = Tag(rawValue: key) {
        guard let tagged = Self.tagged(tag, value) else {
          throw DecodingError.dataCorruptedError(in: container, debugDescription: "no value for \(key)")
        }
        self = tagged
      } else {
        let entries = values.map { ($0.key.hasPrefix("$$") ? String($0.key.dropFirst()) : $0.key, $0.value) }
        self = .dictionary(Dictionary(entries, uniquingKeysWith: { first, _ in first }))
      }
    }
  }

  private static func tagged(_ tag: Tag, _ value: StoredValue) -> StoredValue? {
    switch (tag, value) {
    case (.double, .int(let number)): .double(Double(number))
    case (.double, .string(let text)): Double(text).map { .double($0) }
    case (.data, .string(let text)): Data(base64Encoded: text).map { .data($0) }
    case (.date, .double(let seconds)): .date(Date(timeIntervalSinceReferenceDate: seconds))
    case (.url, .string(let text)): URL(string: text).map { .url($0) }
    case (.date, .int(let seconds)): .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
    case (.uuid, .string(let text)): UUID(uuidString: text).map { .uuid($0) }
    case (.set, .array(let values)): .set(Set(values))
    case (.double, _), (.data, _), (.date, _), (.url, _), (.uuid, _), (.set, _): nil
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    func tag(_ tag: Tag, _ value: StoredValue) throws { try container.encode([tag.rawValue: value]) }
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .double(let value):
      // A whole number would be read as an Int; JSON knows neither infinity nor what is not a number.
      if let whole = Int(exactly: value), value.sign == .plus || whole != 0 {
        try tag(.double, .int(whole))
      } else if value.isFinite, value != value.rounded() {
        try container.encode(value)
      } else {
        try tag(.double, .string("\(value)"))
      }
    case .string(let value): try container.encode(value)
    case .data(let value): try tag(.data, .string(value.base64EncodedString()))
    case .date(let value): try tag(.date, .double(value.timeIntervalSinceReferenceDate))
    case .url(let value): try tag(.url, .string(value.absoluteString))
    case .uuid(let value): try tag(.uuid, .string(value.uuidString))
    case .array(let values): try container.encode(values)
    case .set(let values): try tag(.set, .array(Array(values)))
    case .dictionary(let values):
      let entries = values.map { ($0.key.hasPrefix("$") ? "$" + $0.key : $0.key, $0.value) }
      try container.encode(Dictionary(entries, uniquingKeysWith: { first, _ in first }))
    }
  }
}
