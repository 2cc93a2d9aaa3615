import CSystem
import Glibc
import ProsceniumLoop

/// Reads the values of a message, within limits, because the sender may be hostile.
struct BusReader {
  /// The most bytes of text, and the most values, of one message.
  static let budget = 1 << 20
  private static let deepest = 16

  private let library: sd_bus_library
  private let message: OpaquePointer
  private var left = BusReader.budget

  /// All values of a message; nil where they are too many, too large or damaged.
  static func values(of message: OpaquePointer, _ library: sd_bus_library) -> [BusValue]? {
    var reader = BusReader(library: library, message: message)
    return try? reader.values(depth: 0)
  }

  private struct Refusal: Error {}

  /// The values that are left in the message or the container.
  private mutating func values(depth: Int) throws(Refusal) -> [BusValue] {
    guard depth <= Self.deepest else { throw Refusal() }
    var values: [BusValue] = []
    while let (type, contents) = try peek() {
      try spend(1)
      values.append(try value(type, contents, depth: depth))
    }
    return values
  }

  /// The next value's type; nil at the end.
  private func peek() throws(Refusal) -> (type: UInt8, contents: String)? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    let result = library.sd_bus_message_peek_type(message, &type, &contents)
    guard result >= 0 else { throw Refusal() }
    return result == 0 ? nil : (UInt8(bitPattern: type), contents.map { String(cString: $0) } ?? "")
  }

  private mutating func spend(_ amount: Int) throws(Refusal) {
    left -= amount
    if left < 0 { throw Refusal() }
  }

  private mutating func value(_ type: UInt8, _ contents: String, depth: Int) throws(Refusal) -> BusValue {
    switch type {
    case UInt8(ascii: "y"): .byte(try number(type, 0))
    case UInt8(ascii: "b"): .bool(try number(type, Int32(0)) != 0)
    case UInt8(ascii: "n"): .int16(try number(type, 0))
    case UInt8(ascii: "q"): .uint16(try number(type, 0))
    case UInt8(ascii: "i"): .int32(try number(type, 0))
    case UInt8(ascii: "u"): .uint32(try number(type, 0))
    case UInt8(ascii: "x"): .int64(try number(type, 0))
    case UInt8(ascii: "t"): .uint64(try number(type, 0))
    case UInt8(ascii: "d"): .double(try number(type, 0))
    case UInt8(ascii: "s"): .string(try text(type))
    case UInt8(ascii: "o"): .objectPath(try text(type))
    case UInt8(ascii: "g"): .signature(try text(type))
    case UInt8(ascii: "h"): .descriptor(try descriptor(type))
    case UInt8(ascii: "v"): try variant(contents, depth)
    case UInt8(ascii: "("), UInt8(ascii: "r"): .structure(try container("r", contents, depth))
    case UInt8(ascii: "a"): try array(contents, depth)
    case _: throw Refusal()
    }
  }

  private func number<Value: BitwiseCopyable>(_ type: UInt8, _ zero: Value) throws(Refusal) -> Value {
    var value = zero
    guard library.sd_bus_message_read_basic(message, CChar(type), &value) > 0 else { throw Refusal() }
    return value
  }

  private mutating func text(_ type: UInt8) throws(Refusal) -> String {
    var pointer: UnsafePointer<CChar>?
    guard library.sd_bus_message_read_basic(message, CChar(type), &pointer) > 0, let pointer else { throw Refusal() }
    try spend(strlen(pointer))
    return String(cString: pointer)
  }

  /// A duplicate, because the message closes its own descriptors.
  private func descriptor(_ type: UInt8) throws(Refusal) -> BusDescriptor {
    // Above the standard files.
    let own = fcntl(try number(type, Int32(-1)), F_DUPFD_CLOEXEC, 3)
    guard own >= 0 else { throw Refusal() }
    return BusDescriptor(Descriptor(owning: own))
  }

  private mutating func container(
    _ type: Character, _ contents: String, _ depth: Int
  ) throws(Refusal) -> [BusValue] {
    guard let code = type.asciiValue, library.sd_bus_message_enter_container(message, CChar(code), contents) > 0 else {
      throw Refusal()
    }
    let values = try values(depth: depth + 1)
    guard library.sd_bus_message_exit_container(message) >= 0 else { throw Refusal() }
    return values
  }

  private mutating func variant(_ contents: String, _ depth: Int) throws(Refusal) -> BusValue {
    let values = try container("v", contents, depth)
    guard let value = values.first, values.count == 1 else { throw Refusal() }
    return .variant(value)
  }

  private mutating func array(_ contents: String, _ depth: Int) throws(Refusal) -> BusValue {
    guard contents.hasPrefix("{") else { return .array(of: contents, try container("a", contents, depth)) }
    guard library.sd_bus_message_enter_container(message, CChar(UInt8(ascii: "a")), contents) > 0 else {
      throw Refusal()
    }
    let inner = String(contents.dropFirst().dropLast())
    var pairs: [BusValue: BusValue] = [:]
    while try peek() != nil {
      try spend(1)
      let pair = try container("e", inner, depth + 1)
      guard pair.count == 2 else { throw Refusal() }
      pairs[pair[0]] = pair[1]
    }
    guard library.sd_bus_message_exit_container(message) >= 0 else { throw Refusal() }
    // A key has a basic type: one character.
    return .dictionary(key: String(inner.prefix(1)), value: String(inner.dropFirst()), pairs)
  }
}

/// Writes values into a message.
struct BusWriter {
  let library: sd_bus_library
  let message: OpaquePointer

  /// Appends values; false where one cannot be sent: a text with a zero in it, an invalid path or signature.
  func append(_ values: [BusValue]) -> Bool { values.allSatisfy { append($0) } }

  private func append(_ value: BusValue) -> Bool {
    switch value {
    case .byte(let number): basic("y", number)
    case .bool(let flag): basic("b", Int32(flag ? 1 : 0))
    case .int16(let number): basic("n", number)
    case .uint16(let number): basic("q", number)
    case .int32(let number): basic("i", number)
    case .uint32(let number): basic("u", number)
    case .int64(let number): basic("x", number)
    case .uint64(let number): basic("t", number)
    case .double(let number): basic("d", number)
    case .string(let text): self.text("s", text)
    case .objectPath(let text): self.text("o", text)
    case .signature(let text): self.text("g", text)
    // The library duplicates it.
    case .descriptor(let descriptor): basic("h", descriptor.descriptor.number)
    case .array(let element, let values): container("a", element) { append(values) }
    case .dictionary(let key, let value, let pairs):
      container("a", "{\(key)\(value)}") {
        pairs.allSatisfy { pair in container("e", key + value) { append(pair.key) && append(pair.value) } }
      }
    case .structure(let fields): container("r", fields.map(\.signature).joined()) { append(fields) }
    case .variant(let value): container("v", value.signature) { append(value) }
    }
  }

  private func basic<Number>(_ type: Character, _ number: Number) -> Bool {
    withUnsafePointer(to: number) { library.sd_bus_message_append_basic(message, code(type), $0) >= 0 }
  }

  private func text(_ type: Character, _ text: String) -> Bool {
    guard !text.utf8.contains(0) else { return false }
    return text.withCString { library.sd_bus_message_append_basic(message, code(type), $0) >= 0 }
  }

  private func container(_ type: Character, _ contents: String, _ body: () -> Bool) -> Bool {
    library.sd_bus_message_open_container(message, code(type), contents) >= 0 && body()
      && library.sd_bus_message_close_container(message) >= 0
  }

  private func code(_ type: Character) -> CChar { CChar(type.asciiValue ?? 0) }
}
