import FoundationEssentials
import Glibc
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

@Suite("Pictures of windows as files") struct SnapshotFileTests {
  /// Noise, flat parts and slopes, from a seed.
  static func picture(_ size: Size, isOpaque: Bool = true, seed: UInt64 = 1) throws -> Picture {
    var state = seed
    var pixels: [UInt32] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let alpha: UInt32 = isOpaque ? 255 : [0, 255, 255, 128][(x / 7 + y) % 4]
        var pixel: UInt32 =
          switch (x / 32 + y / 16) % 3 {
          case 0: 0x20_4060
          case 1: UInt32(truncatingIfNeeded: state >> 33) & 0xFF_FFFF
          default: UInt32(x & 0xFF) << 16 | UInt32(y & 0xFF) << 8 | UInt32((x + y) & 0xFF)
          }
        if alpha < 255 { pixel = alpha == 0 ? 0 : (pixel >> 1) & 0x7F_7F7F }
        pixels.append(alpha << 24 | pixel)
      }
    }
    return try #require(Picture(size: size, isOpaque: isOpaque, pixels: pixels))
  }

  static func bytes(_ picture: Picture, limit: Int = SnapshotFile.mostPixels) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try SnapshotFile.write(picture, limit: limit) { piece throws(FileError) in bytes += piece }
    return bytes
  }

  @Test(
    "A picture comes back as it was, pixel for pixel",
    arguments: [(1, 1), (1, 300), (300, 1), (3, 2), (257, 64), (640, 480)], [true, false])
  func roundTrip(_ sides: (Int, Int), _ isOpaque: Bool) throws {
    let picture = try Self.picture(Size(width: sides.0, height: sides.1), isOpaque: isOpaque)
    let read = try #require(SnapshotFile.read(try Self.bytes(picture)))
    #expect(read.size == picture.size && read.picture.size == picture.size && read.picture.isOpaque == isOpaque)
    for y in 0..<sides.1 {
      for x in 0..<sides.0 {
        let (was, now) = (picture[x, y], read.picture[x, y])
        try #require(was == now, "\(x) \(y): \(String(was, radix: 16)) \(String(now, radix: 16))")
      }
    }
  }

  @Test("A flat window takes next to no room, and noise no more than an eighth above its pixels")
  func room() throws {
    let flat = try #require(
      Picture(size: Size(width: 1920, height: 1080)) {
        $0.fill(Rect(x: 0, y: 0, width: 1920, height: 1080), with: .white)
      })
    #expect(try Self.bytes(flat).count < 60_000)
    let noise = try Self.picture(Size(width: 64, height: 64), seed: 7)
    #expect(try Self.bytes(noise).count < 64 * 64 * 3 * 9 / 8 + 200)
  }

  @Test("What is larger than the limit is made smaller, and remembers how large it was")
  func reduction() throws {
    let picture = try #require(
      Picture(size: Size(width: 101, height: 60)) { buffer in
        buffer.fill(Rect(x: 0, y: 0, width: 101, height: 60), with: .white)
        buffer.fill(Rect(x: 0, y: 0, width: 50, height: 60), with: Color(rgb: 0xFF0000))
      })
    let read = try #require(SnapshotFile.read(try Self.bytes(picture, limit: 2000)))
    #expect(read.size == picture.size)
    #expect(read.picture.size == Size(width: 51, height: 30))
    #expect(read.picture[24, 3] == 0xFFFF_0000 && read.picture[25, 3] == 0xFFFF_FFFF)
    // Shown again at the size that the window had, with its background beside it.
    let shown = try #require(Picture(size: Size(width: 110, height: 62)) { read.fill(&$0, background: .black) })
    #expect(shown[0, 0] == 0xFFFF_0000 && shown[100, 59] == 0xFFFF_FFFF)
    #expect(shown[101, 0] == 0xFF00_0000 && shown[0, 60] == 0xFF00_0000)
    #expect(SnapshotFile.reduction(Size(width: 3840, height: 2160)) == 2)
    #expect(SnapshotFile.reduction(Size(width: 2560, height: 1440)) == 1)
  }

  @Test("Cut off anywhere it is no picture")
  func truncation() throws {
    let bytes = try Self.bytes(try Self.picture(Size(width: 20, height: 9)))
    for length in 0..<bytes.count { #expect(SnapshotFile.read(Array(bytes[..<length])) == nil) }
    #expect(SnapshotFile.read(bytes) != nil && SnapshotFile.read(bytes + [0]) == nil)
  }

  @Test("With any byte changed it is no picture, and with a checksum that fits again it is at worst another one")
  func rubbish() throws {
    let bytes = try Self.bytes(try Self.picture(Size(width: 12, height: 5)))
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 0x24
      #expect(SnapshotFile.read(other) == nil, "byte \(index)")
      _ = SnapshotFile.read(resealed(other))
    }
    var state: UInt64 = 5
    for _ in 0..<2000 {
      var other = bytes
      for _ in 0..<4 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        other[4 + Int(state >> 33) % (other.count - 4)] = UInt8(truncatingIfNeeded: state >> 20)
      }
      _ = SnapshotFile.read(resealed(other))
    }
  }

  @Test("Impossible sizes are refused before memory is allocated for them")
  func sizes() throws {
    let bytes = try Self.bytes(try Self.picture(Size(width: 4, height: 4)))
    for side: [UInt8] in [[0, 0, 0, 0], [0, 0, 0x7F, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0]] {
      // The sides of the picture, and those of the window.
      for place in [4, 8, bytes.count - 16, bytes.count - 12] {
        var other = bytes
        other.replaceSubrange(place..<place + 4, with: side)
        if side != [0, 0, 0x7F, 0xFF] || place < 12 { #expect(SnapshotFile.read(resealed(other)) == nil) }
      }
    }
    #expect(Picture(size: Size(width: 0, height: 5), pixels: []) == nil)
    #expect(Picture(size: Size(width: 2, height: 2), pixels: [1]) == nil)
    #expect(Picture(size: Size(width: 32_768, height: 1)) { _ in } == nil)
    #expect(Picture(size: Size(width: 32_767, height: 32_767)) { _ in } == nil)
  }

  /// The same with the right checksum.
  private func resealed(_ bytes: [UInt8]) -> [UInt8] {
    var checksum = Checksum()
    checksum.add(bytes.dropLast(8))
    return bytes.dropLast(8) + checksum.bytes
  }
}
