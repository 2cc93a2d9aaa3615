/// A property's value as the server has it, read with checks (X protocol, GetProperty).
///
/// Properties can be written by any client: a wrong type, format or length makes the value absent.
struct PropertyValue: Hashable, Sendable {
  var type: UInt32
  /// 32-bit units, or bytes: empty for the format that the value does not have.
  var words: [UInt32] = []
  var bytes: [UInt8] = []

  /// nil where the property does not exist, or has the format 16, which nothing here uses.
  init?(_ reply: ReplyBytes) {
    // Reply: format at 1, type at 8, bytes-after at 12, length in units of the format at 16, value from 32.
    guard let format = reply.u8(1), let type = reply.u32(8), let length = reply.u32(16), type != 0 else { return nil }
    self.type = type
    let count = Int(min(length, 1 << 20))
    switch format {
    case 8: bytes = reply.u8s(32, count: count)
    case 32: words = reply.u32s(32, count: count)
    case _: return nil
    }
  }

  init(type: UInt32, words: [UInt32] = [], bytes: [UInt8] = []) {
    self.type = type
    self.words = words
    self.bytes = bytes
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
