import ProsceniumPlatform
import Testing

@Suite("Colours and pixels") struct ColorTests {
  @Test("Channels are 0...1, clamped, and have eight bits")
  func channels() {
    #expect(Color(red: 1, green: 0.5, blue: 0) == Color(rgb: 0xFF8000))
    #expect(Color(red: 7, green: -1, blue: .nan, alpha: .infinity) == Color(rgb: 0xFF0000))
    let color = Color(red: 0.2, green: 0.4, blue: 0.6, alpha: 0)
    #expect(color.rgb == 0x336699 && color.alpha == 0 && color != Color(rgb: 0x336699))
    #expect(color.withAlphaComponent(1) == Color(rgb: 0x336699) && Color.clear.alpha == 0)
    #expect(Color(rgb: 0xAB12_3456).alpha == 1)
  }

  @Test("A colour that is not opaque is blended with the pixels that are there")
  func blending() throws {
    let whole = Rect(x: 0, y: 0, width: 2, height: 1)
    let picture = try #require(
      Picture(size: whole.size, isOpaque: false) { buffer in
        buffer.fill(Rect(x: 0, y: 0, width: 1, height: 1), with: .white)
        buffer.fill(whole, with: Color(red: 1, green: 0, blue: 0, alpha: 0.5))
        buffer.fill(whole, with: .clear)
      })
    #expect(picture[0, 0] == 0xFFFF_7F7F && picture[1, 0] == 0x8080_0000)
  }

  @Test("A row outside the buffer is empty, and the memory has all rows")
  func rows() throws {
    let picture = try #require(
      Picture(size: Size(width: 3, height: 2), isOpaque: false) { buffer in
        #expect([-1, 0, 1, 2].map { y in buffer.withRow(y) { $0.count } } == [0, 3, 3, 0])
        buffer.withRow(1) { $0[2] = 7 }
        buffer.withUnsafeMutableBytes { $0.storeBytes(of: 9, as: UInt32.self) }
        #expect(buffer.withRow(0) { $0[0] } == 9)
      })
    #expect(picture[2, 1] == 7 && picture[0, 0] == 9)
  }
}
