/// Reads JSON text (RFC 8259) in a time that its length bounds.
///
/// Foundation's decoder does not say what a value is: one type is tried after the other, and each failure describes the
/// path to the value. A record of two hundred kilobytes can take it minutes.
struct JSONReader {
  struct Failure: Error {}

  /// Deeper text is not read; Foundation's decoder has the same limit.
  private static let deepest = 512

  private let bytes: [UInt8]
  private var place: Int
  private var depth = 0

  /// Reads one value, and spaces around it.
  /// - Parameter bytes: The text, in UTF-8, with a byte order mark or without.
  /// - Returns: The value.
  /// - Throws: ``Failure`` for any other text.
  static func value(in bytes: [UInt8]) throws -> JSONValue {
    var reader = JSONReader(bytes)
    let value = try reader.value()
    guard reader.next() == nil else { throw Failure() }
    return value
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next byte that is no space, which is not taken; nil at the end.
  private mutating func next() -> UInt8? {
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): place += 1
      case let byte: return byte
      }
    }
    return nil
  }

  /// Takes the next byte that is no space where it is this sign.
  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard next() == UInt8(ascii: sign) else { return false }
    place += 1
    return true
  }

  private mutating func take(word: StaticString, _ value: JSONValue) throws -> JSONValue {
    let count = word.utf8CodeUnitCount
    let isThere = word.withUTF8Buffer { bytes[place...].prefix(count).elementsEqual($0) }
    guard isThere else { throw Failure() }
    place += count
    return value
  }

  private mutating func value() throws -> JSONValue {
    switch next() {
    case UInt8(ascii: "{"): return try nested { try $0.object() }
    case UInt8(ascii: "["): return try nested { try $0.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try take(word: "true", .bool(true))
    case UInt8(ascii: "f"): return try take(word: "false", .bool(false))
    case UInt8(ascii: "n"): return try take(word: "null", .null)
    default: return try number()
    }
  }

  /// Reads what is within the bracket that comes next.
  private mutating func nested(_ read: (inout JSONReader) throws -> JSONValue) throws -> JSONValue {
    place += 1
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw Failure() }
    return try read(&self)
  }

  private mutating func array() throws -> JSONValue {
    var values: [JSONValue] = []
    while !take("]") {
      values.append(try value())
      guard take(",") || next() == UInt8(ascii: "]") else { throw Failure() }
    }
    return .array(values)
  }

  /// Of several members with one name the first counts.
  private mutating func object() throws -> JSONValue {
    var members: [(String, JSONValue)] = []
    while !take("}") {
      guard next() == UInt8(ascii: "\"") else { throw Failure() }
      let name = Self.comparable(try string())
      guard take(":") else { throw Failure() }
      members.append((name, try value()))
      guard take(",") || next() == UInt8(ascii: "}") else { throw Failure() }
    }
    // Once, in a table of their number: to look a name up is to normalize it, which takes longer than to read it.
    return .object(Dictionary(members) { first, _ in first })
  }

  // MARK: Texts and numbers

  private mutating func string() throws -> String {
    place += 1
    var text: [UInt8] = []
    var plain = place
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        let rest = bytes[plain..<place]
        place += 1
        if !text.isEmpty { text += rest }
        let string = text.isEmpty ? String(validating: rest, as: UTF8.self) : String(validating: text, as: UTF8.self)
        guard let string else { throw Failure() }
        return string
      case UInt8(ascii: "\\"):
        text += bytes[plain..<place]
        place += 1
        text += UTF8.encode(try escaped()) ?? UTF8.encodedReplacementCharacter
        plain = place
      case 0..<0x20: throw Failure()
      default: place += 1
      }
    }
    throw Failure()
  }

  private static let mostMarks = 30

  /// A name that is compared in a time that its length bounds: the stream-safe one of Unicode (UAX 15).
  ///
  /// For a comparison Swift sorts the marks of a letter, which takes a time that grows with the square of their number.
  /// An invisible joiner behind each thirty of them divides them. Texts stay as they are.
  private static func comparable(_ text: String) -> String {
    guard text.utf8.count > mostMarks else { return text }
    // Marks begin at U+0300, whose first byte is this.
    guard text.utf8.contains(where: { $0 >= 0xCC }) else { return text }
    var safe = String.UnicodeScalarView()
    var marks = 0
    for scalar in text.unicodeScalars {
      marks = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
      if marks > mostMarks {
        safe.append("\u{34F}")
        marks = 1
      }
      safe.append(scalar)
    }
    return String(safe)
  }

  /// Reads what follows a backslash.
  private mutating func escaped() throws -> Unicode.Scalar {
    guard place < bytes.count else { throw Failure() }
    place += 1
    switch bytes[place - 1] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw Failure()
    }
    var code = UInt32(try unit())
    if UTF16.isLeadSurrogate(UInt16(code)) {
      guard skip("\\"), skip("u"), case let trail = try unit(), UTF16.isTrailSurrogate(trail) else { throw Failure() }
      code = 0x10000 + (code - 0xD800) << 10 + (UInt32(trail) - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw Failure() }
    return scalar
  }

  /// Reads the four digits of a `\u`.
  private mutating func unit() throws -> UInt16 {
    var unit: UInt16 = 0
    for digit in bytes[place...].prefix(4) {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt16(digit - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt16(digit - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt16(digit - UInt8(ascii: "A") + 10)
      default: throw Failure()
      }
    }
    guard bytes.count - place >= 4 else { throw Failure() }
    place += 4
    return unit
  }

  /// A number without a fraction is whole, however it is written: so it is for Foundation's coders.
  private mutating func number() throws -> JSONValue {
    let start = place
    skip("-")
    let first = place
    let digits = skipDigits()
    guard digits == 1 || digits > 1 && bytes[first] != UInt8(ascii: "0") else { throw Failure() }
    if skip("."), skipDigits() == 0 { throw Failure() }
    if skip("e") || skip("E") {
      _ = skip("+") || skip("-")
      guard skipDigits() > 0 else { throw Failure() }
    }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    if let whole = Int(text) { return .int(whole) }
    if let whole = UInt64(text) { return .unsigned(whole) }
    guard let number = Double(text), number.isFinite else { throw Failure() }
    if number > Double(Int.min), let whole = Int(exactly: number) { return .int(whole) }
    return UInt64(exactly: number).map { .unsigned($0) } ?? .double(number)
  }

  @discardableResult
  private mutating func skip(_ sign: Unicode.Scalar) -> Bool {
    guard place < bytes.count, bytes[place] == UInt8(ascii: sign) else { return false }
    place += 1
    return true
  }

  /// Skips digits.
  /// - Returns: How many there were.
  private mutating func skipDigits() -> Int {
    let start = place
    while place < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[place] { place += 1 }
    return place - start
  }
}
