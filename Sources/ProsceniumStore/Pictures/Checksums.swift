/// The CRC of PNG's chunks (PNG, Annex D).
struct CRC32 {
  private static let table: [UInt32] = (0..<256).map { number in
    (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }

  private var register: UInt32 = .max
  var value: UInt32 { ~register }

  mutating func add(_ bytes: some Sequence<UInt8>) {
    Self.table.withUnsafeBufferPointer { table in
      for byte in bytes { register = table[Int(UInt8(truncatingIfNeeded: register) ^ byte)] ^ register >> 8 }
    }
  }

  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var sum = CRC32()
    sum.add(bytes)
    return sum.value
  }
}

/// The sum at the end of zlib's data (RFC 1950, 9).
struct Adler32 {
  private var low: UInt32 = 1
  private var high: UInt32 = 0
  var value: UInt32 { high << 16 | low }

  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while start < bytes.count {
      // As many as cannot overflow.
      let end = min(start + 5552, bytes.count)
      for index in start..<end {
        low &+= UInt32(bytes[index])
        high &+= low
      }
      low %= 65521
      high %= 65521
      start = end
    }
  }
}
