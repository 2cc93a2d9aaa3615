/// Pictures as PNGs that are not compressed: nothing is needed for them, and little can go wrong.
package enum PNG {
  /// Writes pixels, `0xRRGGBB` row by row.
  package static func encode(_ pixels: [UInt32], width: Int) -> [UInt8] {
    let height = width > 0 ? pixels.count / width : 0
    var rows: [UInt8] = []
    rows.reserveCapacity(height * (1 + 3 * width))
    for y in 0..<height {
      // The row's filter: none (PNG, 9.2).
      rows.append(0)
      for pixel in pixels[y * width..<(y + 1) * width] {
        rows.append(UInt8(truncatingIfNeeded: pixel >> 16))
        rows.append(UInt8(truncatingIfNeeded: pixel >> 8))
        rows.append(UInt8(truncatingIfNeeded: pixel))
      }
    }
    // Eight bits a channel, red, green and blue (PNG, 11.2.2).
    let header = word(UInt32(width)) + word(UInt32(height)) + [8, 2, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", header) + chunk("IDAT", stored(rows)) + chunk("IEND", [])
  }

  /// zlib's data in blocks that are stored as they are (RFC 1950; RFC 1951, 3.2.4).
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    result.reserveCapacity(bytes.count + bytes.count / 13_000 + 16)
    var start = 0
    repeat {
      let end = min(start + 65_535, bytes.count)
      let length = UInt16(end - start)
      result.append(end == bytes.count ? 1 : 0)
      for number in [length, ~length] { result += [UInt8(number & 0xFF), UInt8(number >> 8)] }
      result += bytes[start..<end]
      start = end
    } while start < bytes.count
    return result + word(adler32(bytes))
  }

  /// The sum at the end of zlib's data (RFC 1950, 9).
  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low &+ UInt32(byte)) % 65_521
      high = (high &+ low) % 65_521
    }
    return high << 16 | low
  }

  /// Length, type, data, and the CRC of the last two (PNG, 5.3 and annex D).
  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    var register = UInt32.max
    for byte in body { register = table[Int(UInt8(truncatingIfNeeded: register) ^ byte)] ^ register >> 8 }
    return word(UInt32(data.count)) + body + word(~register)
  }

  private static let table: [UInt32] = (0..<256).map { number in
    (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }

  private static func word(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
