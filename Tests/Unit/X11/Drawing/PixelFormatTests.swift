import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// Which visual windows get, and how pixels are converted for it.
@Suite("Pixel formats") struct PixelFormatTests {
  private static let isLittle = 1.littleEndian == 1
  private let plain = PixelFormat(red: 0xFF0000, green: 0xFF00, blue: 0xFF, bytes: 4, isLittleEndian: isLittle)
  private let high = PixelFormat(red: 0xF800, green: 0x7E0, blue: 0x1F, bytes: 2)
  private let deep = PixelFormat(red: 0x3FF0_0000, green: 0xFFC00, blue: 0x3FF, bytes: 4, isLittleEndian: isLittle)
  private let low = PixelFormat(red: 0x7, green: 0x38, blue: 0xC0, bytes: 1)

  /// A row of so many pixels, and what lies beyond it.
  private func row(_ pixels: [UInt32], _ format: PixelFormat) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xEE, count: format.bytesPerRow(pixels.count))
    bytes.withUnsafeMutableBytes { row in
      if let base = row.baseAddress { format.write(pixels, count: pixels.count, to: base) }
    }
    return bytes
  }

  @Test("Black is nothing, white is every bit, and what is no colour is left out")
  func values() {
    for format in [plain, high, deep, low] {
      #expect(format.value(0xFF00_0000) == 0)
      #expect(format.value(0xFFFFFF) == format.red | format.green | format.blue)
      #expect(format.value(0xFF0000) == format.red)
      #expect(format.value(0xFF00) == format.green)
      #expect(format.value(0xFF) == format.blue)
    }
    #expect(high.value(0x808080) == 15 << 11 | 31 << 5 | 15)
    #expect(deep.value(0x800000) == 513 << 20)
  }

  @Test("Bytes come in the server's order, and rows are as long as it says")
  func rows() {
    #expect(row([0xFF0000, 0xFF, 0xFFFFFF], high) == [0x00, 0xF8, 0x1F, 0x00, 0xFF, 0xFF, 0xEE, 0xEE])
    var other = high
    other.isLittleEndian = false
    #expect(row([0xFF0000, 0xFF], other) == [0xF8, 0x00, 0x00, 0x1F])
    #expect(row([0xFF0000, 0xFF00FF], low) == [0x07, 0xC7, 0xEE, 0xEE])
    var packed = plain
    (packed.bytes, packed.isLittleEndian) = (3, true)
    #expect(row([0x123456], packed) == [0x56, 0x34, 0x12, 0xEE])
    packed.isLittleEndian = false
    #expect(row([0x123456], packed) == [0x12, 0x34, 0x56, 0xEE])
    // A server on a machine with the other byte order.
    var foreign = plain
    foreign.isLittleEndian.toggle()
    #expect(!foreign.isPlain)
    #expect(row([0x123456], foreign) == row([0x563412 << 8], plain))
  }

  @Test("The root's visual if it can show what is drawn, else one that can, else one for which it is converted")
  func choice() {
    let root = Visual(id: 1, depth: 24, format: plain)
    let alpha = Visual(id: 2, depth: 32, format: plain)
    let high = Visual(id: 3, depth: 16, format: high)
    let indexed = Visual(id: 4, depth: 8)
    let low = Visual(id: 5, depth: 8, format: low)
    let deep = Visual(id: 6, depth: 30, format: deep)
    #expect(Visual.usual(root: root, others: [alpha, deep, root]) == root)
    #expect(Visual.usual(root: alpha, others: [root, alpha]) == alpha)
    #expect(Visual.usual(root: high, others: [high, alpha, root]) == root)
    #expect(Visual.usual(root: high, others: [high, alpha, deep]) == alpha)
    #expect(Visual.usual(root: high, others: [high, deep]) == high)
    #expect(Visual.usual(root: indexed, others: [indexed, low, high]) == high)
    #expect(Visual.usual(root: indexed, others: [indexed, low]) == low)
    #expect(Visual.usual(root: indexed, others: [indexed]) == indexed)
    #expect(alpha.alphaMask == 0xFF00_0000)
    #expect([root, high, deep, low, indexed].allSatisfy { $0.alphaMask == 0 })
  }
}
