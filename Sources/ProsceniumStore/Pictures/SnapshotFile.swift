import ProsceniumLoop
import ProsceniumPlatform

/// A snapshot as a file: a QOI picture (qoiformat.org), the size of the window, and a checksum.
///
/// Colours stay multiplied by alpha. A large window is stored at a fraction of its size.
enum SnapshotFile {
  /// Larger windows are stored smaller, so that showing them again costs little.
  static let mostPixels = 4_000_000
  /// Larger files are not read.
  static let mostBytes = 24 << 20
  /// Small, because the heap of the writing thread keeps what it has needed once.
  private static let pieceSize = 1 << 12
  private static let magic = Array("qoif".utf8)
  private static let headerSize = 14
  private static let trailerSize = 16

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

  /// Writes the file in pieces, so that little memory is needed.
  /// - Parameters:
  ///   - picture: The picture of the window.
  ///   - limit: The most pixels that the file may have.
  ///   - write: Writes the next piece.
  /// - Throws: What `write` throws.
  static func write(
    _ picture: Picture, limit: Int = mostPixels, _ write: ([UInt8]) throws(FileError) -> Void
  ) throws(FileError) {
    let factor = reduction(picture.size, limit: limit)
    let size = reduced(picture.size, factor)
    let opaque: UInt32 = picture.isOpaque ? 0xFF00_0000 : 0
    var encoder = QOI.Encoder()
    var checksum = Checksum()
    encoder.bytes = magic + word(size.width) + word(size.height) + [picture.isOpaque ? 3 : 4, 0]
    for y in 0..<size.height {
      picture.withRow(y * factor) { row in
        for x in 0..<size.width {
          encoder.add(opaque | (factor == 1 ? row[x] : mean(of: picture, x * factor, y * factor, factor)))
        }
      }
      guard encoder.bytes.count >= pieceSize else { continue }
      checksum.add(encoder.bytes)
      try write(encoder.bytes)
      encoder.bytes.removeAll(keepingCapacity: true)
    }
    encoder.finish()
    encoder.bytes += word(picture.size.width) + word(picture.size.height)
    checksum.add(encoder.bytes)
    try write(encoder.bytes + checksum.bytes)
  }

  private static func mean(of picture: Picture, _ x: Int, _ y: Int, _ factor: Int) -> UInt32 {
    let (right, bottom) = (min(x + factor, picture.size.width), min(y + factor, picture.size.height))
    var sums: SIMD4<UInt32> = .zero
    for line in y..<bottom {
      picture.withRow(line) { row in
        for place in x..<right {
          sums &+= SIMD4(row[place] >> 24, row[place] >> 16 & 0xFF, row[place] >> 8 & 0xFF, row[place] & 0xFF)
        }
      }
    }
    let means = sums / UInt32((right - x) * (bottom - y))
    return means[0] << 24 | means[1] << 16 | means[2] << 8 | means[3]
  }

  private static func word(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }

  // MARK: Reading

  /// Reads a file.
  /// - Returns: The snapshot; nil where the bytes are not a whole file of this kind.
  static func read(_ bytes: [UInt8], limit: Int = mostPixels) -> Snapshot? {
    guard bytes.count <= mostBytes, bytes.count >= headerSize + trailerSize, bytes.starts(with: magic) else {
      return nil
    }
    var checksum = Checksum()
    let trailer = bytes.count - trailerSize
    checksum.add(bytes[..<(trailer + 8)])
    guard bytes[(trailer + 8)...].elementsEqual(checksum.bytes) else { return nil }
    func number(at place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    let size = Size(width: number(at: 4), height: number(at: 8))
    let windowSize = Size(width: number(at: trailer), height: number(at: trailer + 4))
    guard Picture.fits(size), size.width * size.height <= limit, (1...32_767).contains(windowSize.width),
      (1...32_767).contains(windowSize.height), [3, 4].contains(bytes[12]), bytes[13] == 0
    else { return nil }
    var decoder = QOI.Decoder(bytes[headerSize..<trailer])
    var isWhole = true
    let picture = Picture(size: size, isOpaque: bytes[12] == 3) { buffer in
      for y in 0..<size.height {
        buffer.withRow(y) { row in
          for x in row.indices {
            guard let pixel = decoder.pixel() else { return isWhole = false }
            row[x] = pixel
          }
        }
      }
    }
    guard isWhole, decoder.isAtEnd else { return nil }
    return picture.map { Snapshot($0, size: windowSize) }
  }
}

extension Checksum {
  /// The hash, its highest byte first: torn and damaged files do not have it.
  var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) } }
}
