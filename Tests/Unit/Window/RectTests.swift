import ProsceniumCore
import Testing

@Suite("Rectangles") struct RectTests {
  private let rect = Rect(x: 10, y: 20, width: 30, height: 40)

  @Test("Moved and with their edges moved, they are what the numbers say")
  func moved() {
    #expect(rect.offset(x: 5, y: -30) == Rect(x: 15, y: -10, width: 30, height: 40))
    #expect(rect.inset(x: 5, y: 1) == Rect(x: 15, y: 21, width: 20, height: 38))
    #expect(rect.inset(x: -5, y: 0) == Rect(x: 5, y: 20, width: 40, height: 40))
    // Nothing is left across.
    #expect(rect.inset(x: 16, y: 20) == Rect(x: 25, y: 40, width: 0, height: 0))
  }

  @Test("No number is too large for them", arguments: [Int.min, Int.min + 1, -1, 0, 1, .max - 1, .max])
  func extremes(number: Int) {
    for other in [rect, Rect(x: .max, y: .min, width: .max, height: .max)] {
      _ = other.offset(x: number, y: number)
      let inset = other.inset(x: number, y: number)
      #expect(inset.size.width >= 0 && inset.size.height >= 0)
    }
  }

  @Test("A fill that is clipped changes what the parts and the buffer have of it, and nothing else")
  func clippedFill() {
    var pixels = [UInt32](repeating: 0, count: 8 * 4)
    pixels.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      var buffer = PixelBuffer(unsafeStart: base, bytesPerRow: 32, size: Size(width: 8, height: 4))
      let parts = [Rect(x: 0, y: 0, width: 3, height: 2), Rect(x: 6, y: 3, width: 9, height: 9)]
      buffer.fill(Rect(x: 1, y: 1, width: 20, height: 20), with: Color(rgb: 7), clippedTo: parts)
    }
    let filled = pixels.indices.filter { pixels[$0] == 0xFF00_0007 }
    #expect(filled == [8 + 1, 8 + 2, 24 + 6, 24 + 7])
  }
}
