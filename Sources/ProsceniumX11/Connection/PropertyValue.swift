import CXCB

/// A property's value as the server has it, read with checks (X protocol, GetProperty).
///
/// Properties can be written by any client: a wrong type, format or length makes the value absent.
struct PropertyValue: Hashable, Sendable {
  var type: UInt32
  /// How many bits a unit has: 8 or 32.
  var format: UInt8
  /// All bytes, whatever the format is.
  var data: [UInt8]
  /// Whether the property has no more than was asked for.
  var isWhole = true

  /// Reads a reply; nil where the property does not exist, or has the format 16, which nothing here uses.
  init?(_ reply: ReplyBytes) {
    guard let header = reply.read(xcb_get_property_reply_t.self), header.type != 0, [8, 32].contains(header.format)
    else { return nil }
    type = header.type
    format = header.format
    data = reply.u8s(ReplyBytes.header, count: Int(header.value_len) * Int(header.format / 8))
    isWhole = header.bytes_after == 0
  }

  init(type: UInt32, format: UInt8 = 8, bytes: [UInt8]) {
    self.type = type
    self.format = format
    data = bytes
  }

  /// The units of 8 bits; none where the format is another.
  var bytes: [UInt8] { format == 8 ? data : [] }

  /// The units of 32 bits; none where the format is another.
  var words: [UInt32] {
    guard format == 32 else { return [] }
    return data.withUnsafeBytes { raw in
      (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
    }
  }

  /// The first unit, if the value is of this type.
  func first(ofType type: UInt32) -> UInt32? { self.type == type ? words.first : nil }

  /// All units, if the value is of this type.
  func words(ofType type: UInt32) -> [UInt32]? { self.type == type ? words : nil }

  /// The text of a `STRING` or `UTF8_STRING`, up to the first zero.
  var text: String? {
    let characters = bytes.prefix { $0 != 0 }
    return characters.isEmpty ? nil : String(decoding: characters, as: UTF8.self)
  }
}

/// Predefined atoms (X protocol, appendix A).
enum PredefinedAtom {
  static let any = XCB_ATOM_ANY.rawValue
  static let primary = XCB_ATOM_PRIMARY.rawValue
  static let atom = XCB_ATOM_ATOM.rawValue
  static let cardinal = XCB_ATOM_CARDINAL.rawValue
  static let integer = XCB_ATOM_INTEGER.rawValue
  static let resourceManager = XCB_ATOM_RESOURCE_MANAGER.rawValue
  static let string = XCB_ATOM_STRING.rawValue
  static let window = XCB_ATOM_WINDOW.rawValue
  static let wmClientMachine = XCB_ATOM_WM_CLIENT_MACHINE.rawValue
  static let wmHints = XCB_ATOM_WM_HINTS.rawValue
  static let wmName = XCB_ATOM_WM_NAME.rawValue
  static let wmNormalHints = XCB_ATOM_WM_NORMAL_HINTS.rawValue
  static let wmSizeHints = XCB_ATOM_WM_SIZE_HINTS.rawValue
  static let wmClass = XCB_ATOM_WM_CLASS.rawValue
  static let wmTransientFor = XCB_ATOM_WM_TRANSIENT_FOR.rawValue
}

/// The bytes of one reply or event, read with checks: a short or wrong one gives nil, never memory that is not its own.
///
/// Valid only while the handler runs that it is passed to. Offsets are those of the protocol's encoding
/// (X protocol, appendix B), in the byte order of this machine, which libxcb asks the server for.
struct ReplyBytes {
  /// The size of what every reply begins with, and most end with.
  static let header = 32

  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// A C structure, or a number, at an offset; nil where it is not there whole.
  func read<Value: BitwiseCopyable>(_ type: Value.Type = Value.self, at offset: Int = 0) -> Value? {
    guard offset >= 0, offset + MemoryLayout<Value>.size <= bytes.count else { return nil }
    return bytes.loadUnaligned(fromByteOffset: offset, as: Value.self)
  }

  func u32(_ offset: Int) -> UInt32? { read(UInt32.self, at: offset) }

  /// At most `count` 32-bit values from `offset` on: those that are really there.
  func u32s(_ offset: Int, count: Int) -> [UInt32] {
    let available = max(0, (bytes.count - offset) / 4)
    return (0..<max(0, min(count, available))).compactMap { u32(offset + 4 * $0) }
  }

  /// At most `count` bytes from `offset` on: those that are really there.
  func u8s(_ offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, offset < bytes.count, count > 0 else { return [] }
    return Array(bytes[offset..<min(bytes.count, offset + count)])
  }
}
