import CSystem
import Glibc
import ProsceniumLoop

/// Reads the values of a message, within limits, because the sender may be hostile.
struct BusReader {
  /// The most bytes of text, and the most values, of one message.
  static let budget = 1 << 20
  private static let deepest = 16
  /// The most secrets of a message: each takes pages of its own.
  private static let mostSecrets = 64

  private let library: sd_bus_library
  private let message: OpaquePointer
  /// Whether arrays of bytes are secrets, which are wiped in the message.
  private let hasSecrets: Bool
  private var left = BusReader.budget
  private var secretsLeft = BusReader.mostSecrets

  /// All values of a message; nil where they are too many, too large or damaged.
  static func values(of message: OpaquePointer, _ library: sd_bus_library, hasSecrets: Bool = false) -> [BusValue]? {
    var reader = BusReader(library: library, message: message, hasSecrets: hasSecrets)
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
  private func peek() throws(Refusal) -> (type: Character, contents: String)? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    let result = library.sd_bus_message_peek_type(message, &type, &contents)
    guard result >= 0 else { throw Refusal() }
    let character = Character(Unicode.Scalar(UInt8(bitPattern: type)))
    return result == 0 ? nil : (character, contents.map { String(cString: $0) } ?? "")
  }

  private mutating func spend(_ amount: Int) throws(Refusal) {
    left -= amount
    if left < 0 { throw Refusal() }
  }

  private mutating func value(_ type: Character, _ contents: String, depth: Int) throws(Refusal) -> BusValue {
    switch type {
    case "b": return .bool(try basic(type, Int32(0)) != 0)
    case "d": return .double(try basic(type, 0))
    case "s": return .string(try text(type))
    case "o": return .objectPath(try text(type))
    case "g": return .signature(try text(type))
    case "h": return .descriptor(try descriptor(type))
    case "v":
      let values = try container("v", contents, depth)
      guard let value = values.first, values.count == 1 else { throw Refusal() }
      return .variant(value)
    // The entry of a dictionary has the form of a structure.
    case "(", "r": return .structure(try container("r", contents, depth))
    case "e": return .structure(try container("e", contents, depth))
    case "a" where contents == "y" && hasSecrets: return .secret(try secret())
    case "a": return try Self.array(contents, container("a", contents, depth))
    case _:
      guard let number = BusValue.wholeTypes[type] else { throw Refusal() }
      return .whole(try whole(type, number), code: type)
    }
  }

  private func basic<Value>(_ type: Character, _ initial: Value) throws(Refusal) -> Value {
    var value = initial
    let result = withUnsafeMutablePointer(to: &value) { library.sd_bus_message_read_basic(message, type.code, $0) }
    guard result > 0 else { throw Refusal() }
    return value
  }

  private func whole<Number: FixedWidthInteger>(_ type: Character, _: Number.Type) throws(Refusal) -> Int128 {
    Int128(try basic(type, Number.zero))
  }

  private mutating func text(_ type: Character) throws(Refusal) -> String {
    guard let pointer = try basic(type, UnsafePointer<CChar>?.none) else { throw Refusal() }
    try spend(strlen(pointer))
    let text = String(cString: pointer)
    guard !text.hasEndlessMarks else { throw Refusal() }
    return text
  }

  /// A duplicate, because the message closes its own descriptors.
  private func descriptor(_ type: Character) throws(Refusal) -> BusDescriptor {
    // Above the standard files.
    let own = fcntl(try basic(type, Int32(-1)), F_DUPFD_CLOEXEC, 3)
    guard own >= 0 else { throw Refusal() }
    return BusDescriptor(Descriptor(owning: own))
  }

  /// Moves an array of bytes out of the message, whose memory is not wiped when it is freed.
  private mutating func secret() throws(Refusal) -> SecretBytes {
    var (bytes, size): (UnsafeRawPointer?, UInt) = (nil, 0)
    guard library.sd_bus_message_read_array(message, Character("y").code, &bytes, &size) > 0 else { throw Refusal() }
    try spend(Int(clamping: size))
    secretsLeft -= 1
    guard secretsLeft >= 0 else { throw Refusal() }
    guard let bytes, size > 0 else { return try made(SecretBytes(count: 0) { _ in true }) }
    return try made(SecretBytes.move(bytes, count: Int(clamping: size)))
  }

  private func made(_ secret: SecretBytes?) throws(Refusal) -> SecretBytes {
    guard let secret else { throw Refusal() }
    return secret
  }

  private mutating func container(
    _ type: Character, _ contents: String, _ depth: Int
  ) throws(Refusal) -> [BusValue] {
    guard library.sd_bus_message_enter_container(message, type.code, contents) > 0 else { throw Refusal() }
    let values = try values(depth: depth + 1)
    guard library.sd_bus_message_exit_container(message) >= 0 else { throw Refusal() }
    return values
  }

  /// An array, or a dictionary where its elements are entries of one.
  private static func array(_ contents: String, _ values: [BusValue]) throws(Refusal) -> BusValue {
    guard contents.hasPrefix("{") else { return .array(of: contents, values) }
    var pairs: [BusValue: BusValue] = [:]
    for value in values {
      guard let pair = value.fields, pair.count == 2 else { throw Refusal() }
      pairs[pair[0]] = pair[1]
    }
    // A key has a basic type: one character.
    let inner = contents.dropFirst().dropLast()
    return .dictionary(key: String(inner.prefix(1)), value: String(inner.dropFirst()), pairs)
  }
}

extension Character {
  /// The code of a type, as the library has it.
  fileprivate var code: CChar { CChar(asciiValue ?? 0) }
}

extension String {
  /// Whether more marks follow each other than any language writes.
  ///
  /// For a comparison Swift sorts the marks of a letter, which takes a time that grows with the square of their number.
  fileprivate var hasEndlessMarks: Bool {
    let most = 100
    // The first mark is U+0300, which has two bytes.
    guard utf8.count > 2 * most else { return false }
    var marks = 0
    for scalar in unicodeScalars {
      let isMark = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
      marks = isMark ? marks + 1 : 0
      if marks > most { return true }
    }
    return false
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
    case .bool(let flag): basic("b", Int32(flag ? 1 : 0))
    case .whole(let number, let code): BusValue.wholeTypes[code].map { whole(code, number, $0) } ?? false
    case .double(let number): basic("d", number)
    case .string(let text): self.text("s", text)
    case .objectPath(let text): self.text("o", text)
    case .signature(let text): self.text("g", text)
    // The library duplicates it.
    case .descriptor(let descriptor): basic("h", descriptor.descriptor.number)
    case .secret(let bytes): secret(bytes)
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
    withUnsafePointer(to: number) { library.sd_bus_message_append_basic(message, type.code, $0) >= 0 }
  }

  private func whole<Number: FixedWidthInteger>(_ type: Character, _ number: Int128, _: Number.Type) -> Bool {
    Number(exactly: number).map { basic(type, $0) } ?? false
  }

  /// Appends bytes as a file in memory, of which no copy stays; as a copy where the library has no such function.
  private func secret(_ bytes: SecretBytes) -> Bool {
    let type = Character("y").code
    if let files = BusLibrary.files, bytes.count > 0, let file = bytes.file() {
      return files.sd_bus_message_append_array_memfd(message, type, file.number, 0, UInt64(bytes.count)) >= 0
    }
    return bytes.withBytes { library.sd_bus_message_append_array(message, type, $0.baseAddress, UInt($0.count)) >= 0 }
  }

  private func text(_ type: Character, _ text: String) -> Bool {
    guard !text.utf8.contains(0) else { return false }
    return text.withCString { library.sd_bus_message_append_basic(message, type.code, $0) >= 0 }
  }

  private func container(_ type: Character, _ contents: String, _ body: () -> Bool) -> Bool {
    library.sd_bus_message_open_container(message, type.code, contents) >= 0 && body()
      && library.sd_bus_message_close_container(message) >= 0
  }
}
