/// Reads the text of a trace, in pieces of any length.
///
/// A trace may have been cut at any byte: a program that is killed does not finish its last line. So what follows the last
/// end of a line is read if it is whole and left out else; any other line that is no line of a trace is ``Item/rubbish``.
/// Lines without anything in them are none.
public struct TraceParser: Sendable {
  /// What one line of the text is.
  public enum Item: Hashable, Sendable {
    /// A line of a trace.
    case line(TraceChecker.Line)
    /// Something else: its number in the text, from 1, and its beginning.
    case rubbish(number: Int, text: String)
  }

  private var pending: [UInt8] = []
  private var number = 0

  /// A parser at the beginning of a text.
  public init() {}

  /// Takes the next piece of the text.
  /// - Parameter bytes: The piece, in UTF-8.
  /// - Returns: The lines that it completes.
  public mutating func take(_ bytes: some Collection<UInt8>) -> [Item] {
    var items: [Item] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      pending += rest[..<end]
      rest = rest[rest.index(after: end)...]
      if let item = takeLine() { items.append(item) }
    }
    pending += rest
    return items
  }

  /// The text is at its end.
  /// - Returns: The last line, if it is a whole one without its end.
  public mutating func finish() -> Item? {
    guard case .line(let line)? = takeLine() else { return nil }
    return .line(line)
  }

  /// A whole text at once.
  /// - Parameter text: The text.
  /// - Returns: Its lines.
  public static func parse(_ text: String) -> [Item] {
    var parser = TraceParser()
    let items = parser.take(Array(text.utf8))
    return items + (parser.finish().map { [$0] } ?? [])
  }

  private mutating func takeLine() -> Item? {
    number += 1
    defer { pending.removeAll(keepingCapacity: true) }
    guard pending.contains(where: { !JSONReader.isSpace($0) }) else { return nil }
    if let fields = JSONReader.object(pending), let line = TraceChecker.Line(number: number, fields) {
      return .line(line)
    }
    return .rubbish(number: number, text: String(decoding: pending.prefix(80), as: UTF8.self))
  }
}

extension TraceChecker.Line {
  /// A line from the fields of its object; nil if those that every line has are missing.
  fileprivate init?(number: Int, _ fields: [Field]) {
    func value(_ key: String) -> TraceChecker.Value? { fields.first { $0.key == key }?.value }
    guard case .number(let time)? = value("t"), case .number(let process)? = value("pid"),
      case .text(let kind)? = value("kind"), let process = Int(exactly: process)
    else { return nil }
    self.init(number: number, time: time, process: process, kind: kind, fields: fields)
  }
}

/// Reads one JSON object (RFC 8259) whose values are what a trace has: texts, truth values, numbers and lists of texts.
///
/// Values of other forms are read and left out, so that later versions of the format can have them.
private struct JSONReader {
  /// How deep values of other forms may lie in each other.
  private static let deepest = 32
  private let bytes: [UInt8]
  private var place = 0

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }

  /// The fields of an object that is all that there is.
  static func object(_ bytes: [UInt8]) -> [TraceChecker.Line.Field]? {
    var reader = JSONReader(bytes: bytes)
    guard let fields = reader.fields(depth: 0) else { return nil }
    reader.skipSpace()
    return reader.place == bytes.count ? fields : nil
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private enum Form {
    case known(TraceChecker.Value)
    case other
  }

  private mutating func skipSpace() {
    while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
  }

  private mutating func takes(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard place < bytes.count, bytes[place] == UInt8(truncatingIfNeeded: character.value) else { return false }
    place += 1
    return true
  }

  private mutating func takes(word: StaticString) -> Bool {
    let end = place + word.utf8CodeUnitCount
    guard end <= bytes.count else { return false }
    let isThere = word.withUTF8Buffer { $0.elementsEqual(bytes[place..<end]) }
    if isThere { place = end }
    return isThere
  }

  private mutating func fields(depth: Int) -> [TraceChecker.Line.Field]? {
    guard depth < Self.deepest, takes("{") else { return nil }
    var fields: [TraceChecker.Line.Field] = []
    if takes("}") { return fields }
    repeat {
      skipSpace()
      guard let key = text(), takes(":"), let form = value(depth: depth) else { return nil }
      if case .known(let value) = form { fields.append(TraceChecker.Line.Field(key: key, value: value)) }
    } while takes(",")
    return takes("}") ? fields : nil
  }

  private mutating func value(depth: Int) -> Form? {
    skipSpace()
    guard place < bytes.count else { return nil }
    switch bytes[place] {
    case UInt8(ascii: "\""): return text().map { .known(.text($0)) }
    case UInt8(ascii: "["): return list(depth: depth + 1)
    case UInt8(ascii: "{"): return fields(depth: depth + 1).map { _ in .other }
    case UInt8(ascii: "t"): return takes(word: "true") ? .known(.flag(true)) : nil
    case UInt8(ascii: "f"): return takes(word: "false") ? .known(.flag(false)) : nil
    case UInt8(ascii: "n"): return takes(word: "null") ? .other : nil
    default: return number().map { .known(.number($0)) }
    }
  }

  private mutating func list(depth: Int) -> Form? {
    guard depth < Self.deepest, takes("[") else { return nil }
    if takes("]") { return .known(.list([])) }
    var texts: [String]? = []
    repeat {
      guard let form = value(depth: depth) else { return nil }
      if case .known(.text(let text)) = form { texts?.append(text) } else { texts = nil }
    } while takes(",")
    guard takes("]") else { return nil }
    return texts.map { .known(.list($0)) } ?? .other
  }

  private mutating func number() -> Double? {
    let start = place
    while place < bytes.count, "+-.0123456789eE".utf8.contains(bytes[place]) { place += 1 }
    return Double(String(decoding: bytes[start..<place], as: UTF8.self))
  }

  private mutating func text() -> String? {
    guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return nil }
    place += 1
    var text: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escaped() else { return nil }
        text += Array(String(scalar).utf8)
      default: text.append(byte)
      }
    }
    return nil
  }

  private mutating func escaped() -> Unicode.Scalar? {
    guard place < bytes.count else { return nil }
    let byte = bytes[place]
    place += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "u"):
      guard let high = unit() else { return nil }
      guard (0xD800..<0xDC00).contains(high) else { return Unicode.Scalar(high) ?? "\u{FFFD}" }
      guard takes(word: "\\u"), let low = unit(), (0xDC00..<0xE000).contains(low) else { return "\u{FFFD}" }
      return Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    default: return nil
    }
  }

  private mutating func unit() -> UInt32? {
    guard place + 4 <= bytes.count else { return nil }
    defer { place += 4 }
    return UInt32(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
  }
}
