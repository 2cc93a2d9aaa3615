/// Immutable pixels in memory of their own.
///
/// Pixels are `0xAARRGGBB`, row by row from the top, colours multiplied by alpha, as in a ``PixelBuffer``. The memory
/// goes back to the system with the object.
public final class Picture: Sendable {
  /// How many pixels there are.
  public let size: Size
  /// Whether alpha means nothing: all pixels are opaque.
  public let isOpaque: Bool
  private let memory: PixelMemory

  /// The most pixels of a picture: 40 million, 160 MB.
  public static let mostPixels = 40_000_000

  /// A picture that is drawn at once, on memory that holds zeros.
  ///
  /// Nil where a side is not in 1...32767, there are more than ``mostPixels``, or there is no memory for them.
  /// - Parameters:
  ///   - size: How many pixels there are.
  ///   - isOpaque: Whether alpha means nothing.
  ///   - draw: Draws it; the buffer is valid during the call.
  public init?(size: Size, isOpaque: Bool = true, draw: (inout PixelBuffer) -> Void) {
    guard Self.fits(size), let memory = PixelMemory(size.width * size.height * 4) else { return nil }
    self.size = size
    self.isOpaque = isOpaque
    self.memory = memory
    var buffer = PixelBuffer(unsafeStart: memory.base, bytesPerRow: size.width * 4, size: size)
    draw(&buffer)
  }

  /// A picture of the program's own pixels.
  ///
  /// Nil where their number does not fit the size, or a side is not in 1...32767.
  /// - Parameters:
  ///   - size: How many pixels there are.
  ///   - isOpaque: Whether alpha means nothing.
  ///   - pixels: `0xAARRGGBB` row by row from the top, colours multiplied by alpha.
  public convenience init?(size: Size, isOpaque: Bool = true, pixels: [UInt32]) {
    guard Self.fits(size), pixels.count == size.width * size.height else { return nil }
    self.init(size: size, isOpaque: isOpaque) { buffer in
      buffer.withUnsafeMutableBytes { memory in
        pixels.withUnsafeBytes { memory.copyMemory(from: $0) }
      }
    }
  }

  /// A pixel as `0xAARRGGBB`; 0 outside.
  /// - Parameters:
  ///   - x: The column, in pixels.
  ///   - y: The row, in pixels.
  /// - Returns: The pixel.
  public subscript(x: Int, y: Int) -> UInt32 {
    guard x >= 0, y >= 0, x < size.width, y < size.height else { return 0 }
    return withRow(y) { $0[x] } | (isOpaque ? 0xFF00_0000 : 0)
  }

  /// Calls a function with the pixels of one row, as they were drawn.
  /// - Parameters:
  ///   - y: The row, counted from the top.
  ///   - body: Reads the pixels, from left to right. The span is empty where there is no such row.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function.
  public func withRow<Result, Failure>(
    _ y: Int, _ body: (Span<UInt32>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let isInside = y >= 0 && y < size.height
    let start = (memory.base + (isInside ? y * size.width * 4 : 0)).assumingMemoryBound(to: UInt32.self)
    return try body(UnsafeBufferPointer(start: start, count: isInside ? size.width : 0).span)
  }

  /// The size of the pixels, in bytes.
  package var byteCount: Int { size.width * size.height * 4 }

  package static func fits(_ size: Size) -> Bool {
    (1...32_767).contains(size.width) && (1...32_767).contains(size.height)
      && size.width * size.height <= mostPixels
  }
}
