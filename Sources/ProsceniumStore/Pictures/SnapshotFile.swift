internal import Glibc
import ProsceniumLoop
import ProsceniumPlatform

/// A snapshot as a file: a PNG that every program can read, of which we read only what we wrote ourselves.
///
/// Eight bits a channel, with alpha where the window has it; every row is the difference from the one above it (PNG,
/// 9.2, Up), so that what is flat becomes runs of zeros. The chunk `prSc` has the size of the window, where the picture is
/// smaller than that.
enum SnapshotFile {
  /// What is larger is made smaller, so that showing it again costs little.
  static let mostPixels = 4_000_000
  /// Larger files are not read.
  static let mostBytes = 24 << 20
  /// Small, because the heap of the thread that writes keeps what it has needed once.
  private static let pieceSize = 1 << 12
  private static let magic: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// How many pixels of the window one pixel of the file stands for, across and down.
  static func reduction(_ size: Size, limit: Int = mostPixels) -> Int {
    var factor = 1
    while reduced(size, factor).width * reduced(size, factor).height > limit { factor += 1 }
    return factor
  }

  private static func reduced(_ size: Size, _ factor: Int) -> Size {
    Size(width: (size.width + factor - 1) / factor, height: (size.height + factor - 1) / factor)
  }

  // MARK: Writing

  /// Writes the file piece by piece, so that no more memory is needed than for a piece: a chunk each, but for the first and
  /// the last.
  static func write(
    _ picture: Picture, limit: Int = mostPixels, _ put: ([UInt8]) throws(FileError) -> Void
  ) throws(FileError) {
    let factor = reduction(picture.size, limit: limit)
    let size = reduced(picture.size, factor)
    let channels = picture.isOpaque ? 3 : 4
    let header = word(size.width) + word(size.height) + [8, picture.isOpaque ? 2 : 6, 0, 0, 0]
    try put(magic + chunk("IHDR", header) + chunk("prSc", word(picture.size.width) + word(picture.size.height)))
    let length = size.width * channels
    // Two rows of pixels, and one of differences.
    guard let memory = PixelMemory(3 * length + 1) else { throw .system(ENOMEM) }
    let bytes = memory.base.assumingMemoryBound(to: UInt8.self)
    let rows = UnsafeMutableBufferPointer(start: bytes, count: 2 * length)
    let filtered = UnsafeMutableBufferPointer(start: bytes + 2 * length, count: length + 1)
    var piece = openChunk("IDAT")
    // A byte takes nine bits at most, and the end a few bytes.
    piece.reserveCapacity(pieceSize + (length + 1) * 9 / 8 + 64)
    // zlib's header (RFC 1950, 2.2): deflate, fastest.
    piece += [0x78, 0x01]
    var deflate = RunDeflate.Encoder(after: piece)
    piece = []
    var sum = Adler32()
    for y in 0..<size.height {
      let row = UnsafeMutableBufferPointer(rebasing: rows[(y & 1) * length..<(y & 1) * length + length])
      let above = UnsafeMutableBufferPointer(rebasing: rows[(1 - y & 1) * length..<(1 - y & 1) * length + length])
      take(row: y, of: picture, factor, channels, row)
      // The filter's number (PNG, 9.2): Up.
      filtered[0] = 2
      for index in 0..<length { filtered[index + 1] = row[index] &- above[index] }
      deflate.add(UnsafeBufferPointer(filtered))
      sum.add(UnsafeBufferPointer(filtered))
      guard deflate.bytes.count >= pieceSize else { continue }
      closeChunk(&deflate.bytes)
      try put(deflate.bytes)
      deflate.bytes.removeAll(keepingCapacity: true)
      deflate.bytes += openChunk("IDAT")
    }
    deflate.finish()
    deflate.bytes += word(Int(sum.value))
    closeChunk(&deflate.bytes)
    deflate.bytes += chunk("IEND", [])
    try put(deflate.bytes)
    withExtendedLifetime(memory) {}
  }

  /// One row of the file's pixels: each the mean of the window's.
  private static func take(
    row y: Int, of picture: Picture, _ factor: Int, _ channels: Int, _ row: UnsafeMutableBufferPointer<UInt8>
  ) {
    let width = row.count / channels
    let source = picture.row(y * factor)
    for x in 0..<width {
      let pixel = factor == 1 ? source[x] : mean(of: picture, x * factor, y * factor, factor)
      let place = x * channels
      var (red, green, blue) = (pixel >> 16 & 0xFF, pixel >> 8 & 0xFF, pixel & 0xFF)
      if channels == 4 {
        // PNG's colours are not multiplied by alpha.
        let alpha = pixel >> 24
        func plain(_ value: UInt32) -> UInt32 { alpha == 0 ? 0 : min(255, (value * 255 + alpha / 2) / alpha) }
        (red, green, blue) = (plain(red), plain(green), plain(blue))
        row[place + 3] = UInt8(alpha)
      }
      row[place] = UInt8(red)
      row[place + 1] = UInt8(green)
      row[place + 2] = UInt8(blue)
    }
  }

  private static func mean(of picture: Picture, _ x: Int, _ y: Int, _ factor: Int) -> UInt32 {
    let (right, bottom) = (min(x + factor, picture.size.width), min(y + factor, picture.size.height))
    var sums: SIMD4<UInt32> = .zero
    for line in y..<bottom {
      let row = picture.row(line)
      for place in x..<right {
        sums &+= SIMD4(row[place] >> 24, row[place] >> 16 & 0xFF, row[place] >> 8 & 0xFF, row[place] & 0xFF)
      }
    }
    let means = sums / UInt32((right - x) * (bottom - y))
    return means[0] << 24 | means[1] << 16 | means[2] << 8 | means[3]
  }

  private static func word(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// Length, type, data, and the sum of the last two (PNG, 5.3).
  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    var bytes = openChunk(type) + data
    closeChunk(&bytes)
    return bytes
  }

  /// A chunk whose length is not known yet.
  private static func openChunk(_ type: String) -> [UInt8] { [0, 0, 0, 0] + Array(type.utf8) }

  private static func closeChunk(_ bytes: inout [UInt8]) {
    bytes.replaceSubrange(0..<4, with: word(bytes.count - 8))
    bytes += word(Int(CRC32.of(bytes[4...])))
  }

  // MARK: Reading

  /// The snapshot in a file; nil where it is none of ours, or not whole.
  static func read(_ bytes: [UInt8], limit: Int = mostPixels) -> Snapshot? {
    guard bytes.count <= mostBytes, bytes.starts(with: magic) else { return nil }
    var place = magic.count
    var header: ArraySlice<UInt8>?
    var window: ArraySlice<UInt8>?
    var data: [UInt8] = []
    var isWhole = false
    while !isWhole {
      guard let (type, content, end) = nextChunk(bytes, at: place) else { return nil }
      place = end
      switch type {
      case "IHDR": header = content
      case "prSc": window = content
      case "IDAT": data += content
      case "IEND": isWhole = true
      default: return nil
      }
    }
    guard place == bytes.count, let header, let window, header.count == 13, window.count == 8 else { return nil }
    let size = Size(width: number(header, 0), height: number(header, 4))
    let windowSize = Size(width: number(window, 0), height: number(window, 4))
    let kind = Array(header.dropFirst(8))
    guard Picture.fits(size), size.width * size.height <= limit, (1...32_767).contains(windowSize.width),
      (1...32_767).contains(windowSize.height), kind == [8, 2, 0, 0, 0] || kind == [8, 6, 0, 0, 0]
    else { return nil }
    return picture(of: size, isOpaque: kind[1] == 2, data).map { Snapshot($0, size: windowSize) }
  }

  private static func picture(of size: Size, isOpaque: Bool, _ data: [UInt8]) -> Picture? {
    guard data.starts(with: [0x78, 0x01]), var deflate = RunDeflate.Decoder(data, from: 2) else { return nil }
    let channels = isOpaque ? 3 : 4
    let length = size.width * channels
    let row = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: length)
    let filtered = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: length + 1)
    defer {
      row.deallocate()
      filtered.deallocate()
    }
    row.initialize(repeating: 0)
    filtered.initialize(repeating: 0)
    var sum = Adler32()
    var isGood = true
    let picture = Picture(size: size, isOpaque: isOpaque) { buffer in
      for y in 0..<size.height {
        isGood = deflate.read(filtered) && filtered[0] == 2
        guard isGood else { return }
        sum.add(UnsafeBufferPointer(filtered))
        for index in 0..<length { row[index] = row[index] &+ filtered[index + 1] }
        put(row, channels, (buffer.pixels + y * buffer.bytesPerRow).assumingMemoryBound(to: UInt32.self), size.width)
      }
    }
    guard isGood, deflate.ends() else { return nil }
    let rest = data[deflate.position...]
    return rest.count == 4 && number(rest, 0) == Int(sum.value) ? picture : nil
  }

  private static func put(
    _ row: UnsafeMutableBufferPointer<UInt8>, _ channels: Int, _ pixels: UnsafeMutablePointer<UInt32>, _ width: Int
  ) {
    for x in 0..<width {
      let place = x * channels
      var (red, green, blue) = (UInt32(row[place]), UInt32(row[place + 1]), UInt32(row[place + 2]))
      var alpha: UInt32 = 255
      if channels == 4 {
        alpha = UInt32(row[place + 3])
        (red, green, blue) = ((red * alpha + 127) / 255, (green * alpha + 127) / 255, (blue * alpha + 127) / 255)
      }
      pixels[x] = alpha << 24 | red << 16 | green << 8 | blue
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> Int {
    bytes.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }

  private static func nextChunk(
    _ bytes: [UInt8], at place: Int
  ) -> (type: String, content: ArraySlice<UInt8>, end: Int)? {
    guard bytes.count - place >= 12 else { return nil }
    let length = number(bytes[place...], 0)
    guard length <= bytes.count - place - 12 else { return nil }
    let end = place + 12 + length
    let body = bytes[place + 4..<end - 4]
    guard number(bytes[(end - 4)...], 0) == Int(CRC32.of(body)) else { return nil }
    return (String(decoding: body.prefix(4), as: UTF8.self), body.dropFirst(4), end)
  }
}
