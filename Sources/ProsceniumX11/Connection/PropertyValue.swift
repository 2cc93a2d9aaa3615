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
