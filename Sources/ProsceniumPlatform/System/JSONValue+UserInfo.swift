import FoundationEssentials
package import ProsceniumJSON

/// The values of a `userInfo`, as JSON.
///
/// The types are those of `NSUserActivity.userInfo`. Whole numbers come back as `Int`, others as `Double`. A value that
/// JSON has no form of is an object with one key, which begins with a dollar sign; a program's own key that begins with
/// one is written with two.
extension JSONValue {
  /// A value that cannot be stored: where it was found, and its type.
  package struct Unstorable: Error, Equatable, CustomStringConvertible {
    package var key: String
    package var type: String
    package var description: String {
      "the value of \"\(key)\" is of the type \(type), which cannot be stored. Use numbers, strings, Bool, Data, Date, "
        + "URL, UUID, arrays, sets or dictionaries of these."
    }
  }

  private enum Tag: String {
    case double = "$double"
    case data = "$data"
    case date = "$date"
    case url = "$url"
    case uuid = "$uuid"
    case set = "$set"
  }

  private static func tagged(_ tag: Tag, _ value: JSONValue) -> JSONValue { .object([tag.rawValue: value]) }

  /// Deeper than any real state, and safely within the depth that the coders allow.
  private static let deepest = 100

  /// Encodes a value of a program.
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key of the value, for the error.
  /// - Throws: ``Unstorable`` if it is of another type, or nested too deeply.
  package init(_ value: Any, key: String) throws(Unstorable) { try self.init(value, key: key, depth: 0) }

  private init(_ value: Any, key: String, depth: Int) throws(Unstorable) {
    guard depth < Self.deepest else {
      throw Unstorable(key: key, type: "\(type(of: value)), nested more than \(Self.deepest) times")
    }
    switch value {
    case let value as JSONValue: self = value
    case let value as Bool: self = .bool(value)
    case let value as any BinaryInteger:
      guard let number = Int(exactly: value) else { throw Unstorable(key: key, type: "\(type(of: value)) (too large)") }
      self = .int(number)
    case let value as Double: self = Self.number(value)
    case let value as Float: self = Self.number(Double(value))
    case let value as String: self = .string(value)
    case let value as Substring: self = .string(String(value))
    case let value as Data: self = Self.tagged(.data, .string(value.base64EncodedString()))
    case let value as Date: self = Self.tagged(.date, .string("\(value.timeIntervalSinceReferenceDate)"))
    case let value as URL: self = Self.tagged(.url, .string(value.absoluteString))
    case let value as UUID: self = Self.tagged(.uuid, .string(value.uuidString))
    case let value as any OptionalValue:
      guard let wrapped = value.wrapped else {
        self = .null
        return
      }
      try self.init(wrapped, key: key, depth: depth)
    case let value as [Any]:
      self = .array(
        try value.enumerated().map { (index, element) throws(Unstorable) in
          try JSONValue(element, key: "\(key)[\(index)]", depth: depth + 1)
        })
    case let value as [String: Any]:
      var members: [String: JSONValue] = [:]
      for (name, element) in value {
        members[name.hasPrefix("$") ? "$" + name : name] = try JSONValue(
          element, key: "\(key).\(name)", depth: depth + 1)
      }
      self = .object(members)
    case let value as Set<AnyHashable>:
      let elements = try value.map { element throws(Unstorable) in
        try JSONValue(element.base, key: key, depth: depth + 1)
      }
      // Equal sets are encoded as equal arrays.
      self = Self.tagged(.set, .array(elements.sorted { "\($0)" < "\($1)" }))
    default: throw Unstorable(key: key, type: "\(type(of: value))")
    }
  }

  /// A whole number would be decoded as an Int; JSON knows neither infinity nor NaN.
  private static func number(_ value: Double) -> JSONValue {
    value.isFinite && value != value.rounded() ? .double(value) : tagged(.double, .string("\(value)"))
  }

  /// The value of the program; a set of mixed values comes back as an array.
  package var value: any Sendable {
    switch self {
    case .null: nil as String?
    case .bool(let value): value
    case .int(let value): value
    case .unsigned(let value): Double(value)
    case .double(let value): value
    case .string(let value): value
    case .array(let values): values.map(\.value)
    case .object(let members): taggedValue(members) ?? Self.dictionary(members)
    }
  }

  private static func dictionary(_ members: [String: JSONValue]) -> [String: any Sendable] {
    let pairs = members.map { ($0.key.hasPrefix("$$") ? String($0.key.dropFirst()) : $0.key, $0.value.value) }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// The value of an object with a tag; nil for every other object.
  private func taggedValue(_ members: [String: JSONValue]) -> (any Sendable)? {
    guard members.count == 1, let (key, value) = members.first, let tag = Tag(rawValue: key) else { return nil }
    return switch (tag, value) {
    case (.double, .string(let text)): Double(text)
    case (.data, .string(let text)): Data(base64Encoded: text)
    case (.date, .string(let text)): Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
    case (.url, .string(let text)): URL(string: text)
    case (.uuid, .string(let text)): UUID(uuidString: text)
    case (.set, .array(let values)): Self.set(values.map(\.value))
    case (.double, _), (.data, _), (.date, _), (.url, _), (.uuid, _), (.set, _): nil
    }
  }

  private static func set(_ values: [any Sendable]) -> any Sendable {
    func all<T: Hashable & Sendable>(_ type: T.Type) -> (any Sendable)? {
      let members = values.compactMap { $0 as? T }
      return members.count == values.count ? Set(members) : nil
    }
    return all(String.self) ?? all(Int.self) ?? all(Double.self) ?? all(URL.self) ?? all(UUID.self) ?? all(Date.self)
      ?? all(Data.self) ?? values
  }
}

/// The name that ProsceniumCore has for these values.
package typealias StoredValue = JSONValue

/// An optional, of any type.
private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  package var wrapped: Any? { self }
}
