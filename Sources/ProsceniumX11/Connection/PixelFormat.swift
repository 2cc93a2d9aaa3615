/// The layout of a pixel in images of a TrueColor visual (X protocol, section 8, FORMAT and VISUALTYPE).
struct PixelFormat: Hashable, Sendable {
  var red: UInt32
  var green: UInt32
  var blue: UInt32
  /// The size of one pixel.
  var bytes: Int
  /// The length of a row is a multiple of this many bytes.
  var rowUnit = 4
  /// Whether the first byte of a pixel is the least significant one.
  var isLittleEndian = true

  /// Whether the layout is that of a `PixelBuffer`.
  var isPlain: Bool {
    red == 0xFF0000 && green == 0xFF00 && blue == 0xFF && bytes == 4 && rowUnit == 4
      && isLittleEndian == (1.littleEndian == 1)
  }

  func bytesPerRow(_ width: Int) -> Int { (width * bytes + rowUnit - 1) / rowUnit * rowUnit }

  /// The value of a pixel that has a colour, `0xRRGGBB`, and no other bits.
  func value(_ rgb: UInt32) -> UInt32 {
    func place(_ shade: UInt32, _ mask: UInt32) -> UInt32 {
      guard mask != 0 else { return 0 }
      let wide = UInt64(shade & 0xFF) * UInt64(mask >> UInt32(mask.trailingZeroBitCount)) / 255
      return UInt32(truncatingIfNeeded: wide) << UInt32(mask.trailingZeroBitCount) & mask
    }
    return place(rgb >> 16, red) | place(rgb >> 8, green) | place(rgb, blue)
  }

  /// Writes a row of an image.
  func write(_ pixels: UnsafePointer<UInt32>, count: Int, to row: UnsafeMutableRawPointer) {
    guard !isPlain else { return row.copyMemory(from: pixels, byteCount: count * 4) }
    for x in 0..<count {
      let value = value(pixels[x])
      for byte in 0..<bytes {
        let place = isLittleEndian ? byte : bytes - 1 - byte
        row.storeBytes(
          of: UInt8(truncatingIfNeeded: value >> UInt32(8 * byte)), toByteOffset: x * bytes + place, as: UInt8.self)
      }
    }
  }
}
