/// The memory that a window's content is drawn into: 32-bit pixels, `0xAARRGGBB` in the machine's byte order, row by
/// row from the top, colours multiplied by alpha (Cairo's `ARGB32`).
///
/// Valid only during the call that it is passed to.
public struct PixelBuffer {
  /// The first pixel.
  public let pixels: UnsafeMutableRawPointer
  /// From one row to the next.
  public let bytesPerRow: Int
  /// How many pixels there are.
  public let size: Size

  /// Makes a buffer over memory that the caller owns.
  /// - Parameters:
  ///   - pixels: The first pixel; valid while the buffer is used.
  ///   - bytesPerRow: The bytes from one row to the next; at least four times the width.
  ///   - size: The size in pixels.
  public init(pixels: UnsafeMutableRawPointer, bytesPerRow: Int, size: Size) {
    self.pixels = pixels
    self.bytesPerRow = bytesPerRow
    self.size = size
  }

  /// Fills the parts of a rectangle that lie within a region, for content that draws its damage alone.
  /// - Parameters:
  ///   - rect: The rectangle, in pixels of the buffer.
  ///   - color: The colour.
  ///   - parts: The region; as a rule the damage that ``Window/draw(_:damage:)`` is called with.
  public func fill(_ rect: Rect, with color: Color, clippedTo parts: [Rect]) {
    for part in parts { if let shared = rect.intersection(part) { fill(shared, with: color) } }
  }

  /// Sets bits of every pixel of a rectangle, within the buffer.
  package func setBits(_ bits: UInt32, in rect: Rect) {
    guard let part = rect.intersection(Rect(x: 0, y: 0, width: size.width, height: size.height)) else { return }
    for y in part.origin.y..<part.origin.y + part.size.height {
      let row = (pixels + y * bytesPerRow).assumingMemoryBound(to: UInt32.self)
      for x in part.origin.x..<part.origin.x + part.size.width { row[x] |= bits }
    }
  }

  /// Fills a rectangle with an opaque colour, within the buffer.
  /// - Parameters:
  ///   - rect: The rectangle, in pixels of the buffer.
  ///   - color: The colour.
  public func fill(_ rect: Rect, with color: Color) {
    let whole = Rect(x: 0, y: 0, width: size.width, height: size.height)
    guard let part = rect.intersection(whole) else { return }
    let pixel = 0xFF00_0000 | color.rgb
    for y in part.origin.y..<part.origin.y + part.size.height {
      let row = (pixels + y * bytesPerRow).assumingMemoryBound(to: UInt32.self)
      UnsafeMutableBufferPointer(start: row + part.origin.x, count: part.size.width).update(repeating: pixel)
    }
  }
}
