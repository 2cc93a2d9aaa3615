/// Memory that the content of a window is drawn into.
///
/// The memory holds 32-bit pixels, `0xAARRGGBB` in the byte order of the machine, row by row from the top, with colours
/// multiplied by alpha (Cairo's `ARGB32`). All positions and sizes are pixels. A buffer cannot be copied, and is valid
/// only during the call that lends it, on the thread of that call.
public struct PixelBuffer: ~Copyable {
  private let base: UnsafeMutableRawPointer
  /// The number of bytes from the start of one row to the start of the next; at least four times the width.
  public let bytesPerRow: Int
  /// The size in pixels.
  public let size: Size

  /// Wraps memory that has another owner, such as that of a C library.
  /// - Parameters:
  ///   - base: The first pixel, aligned to four bytes; the memory outlives the buffer.
  ///   - bytesPerRow: The number of bytes from one row to the next: a multiple of four, at least four times the width.
  ///   - size: The size in pixels.
  public init(unsafeStart base: UnsafeMutableRawPointer, bytesPerRow: Int, size: Size) {
    self.base = base
    self.bytesPerRow = bytesPerRow
    self.size = size
  }

  /// Calls a function with the pixels of one row.
  /// - Parameters:
  ///   - y: The row, counted from the top.
  ///   - body: Reads and writes the pixels, from left to right. The span is empty where there is no such row.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function.
  public mutating func withRow<Result, Failure>(
    _ y: Int, _ body: (inout MutableSpan<UInt32>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let isInside = y >= 0 && y < size.height
    let start = (base + (isInside ? y * bytesPerRow : 0)).assumingMemoryBound(to: UInt32.self)
    let row = UnsafeMutableBufferPointer(start: start, count: isInside ? size.width : 0)
    var span = row.mutableSpan
    return try body(&span)
  }

  /// Calls a function with all of the memory, for C libraries that draw into memory given by a pointer.
  ///
  /// The rows are ``bytesPerRow`` bytes apart. Swift code uses ``withRow(_:_:)``, which checks bounds.
  /// - Parameter body: Uses the memory; the pointer is not valid after it returns.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function.
  public mutating func withUnsafeMutableBytes<Result, Failure>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeMutableRawBufferPointer(start: base, count: bytesPerRow * size.height))
  }

  /// Fills a rectangle with a colour; a colour that is not opaque is blended with the pixels that are there.
  /// - Parameters:
  ///   - rect: The rectangle in pixels of the buffer; the part outside the buffer is ignored.
  ///   - color: The colour.
  public mutating func fill(_ rect: Rect, with color: Color) {
    let pixel = color.premultiplied
    guard color.isOpaque else { return change(rect) { pixel.blended(over: $0) } }
    var first: UnsafeMutableBufferPointer<UInt32>?
    forEachRow(of: rect) { row in
      // To copy a row costs the C library less than a loop that fills one (Tests/Benchmarks/instructions).
      if let first {
        _ = row.update(fromContentsOf: first)
      } else {
        row.update(repeating: pixel)
        first = row
      }
    }
  }

  /// Fills the parts of a rectangle that lie in other rectangles, to draw the damage alone.
  /// - Parameters:
  ///   - rect: The rectangle in pixels of the buffer.
  ///   - color: The colour.
  ///   - parts: The rectangles, usually the damage that ``Window/draw(_:damage:)`` gets. Where they overlap, a colour
  ///     that is not opaque is blended more than once.
  public mutating func fill(_ rect: Rect, with color: Color, clippedTo parts: [Rect]) {
    for part in parts { if let shared = rect.intersection(part) { fill(shared, with: color) } }
  }

  /// Sets bits of every pixel of a rectangle; the part outside the buffer is ignored.
  package mutating func setBits(_ bits: UInt32, in rect: Rect) { change(rect) { $0 | bits } }

  private func change(_ rect: Rect, _ transform: (UInt32) -> UInt32) {
    forEachRow(of: rect) { row in for x in row.indices { row[x] = transform(row[x]) } }
  }

  private func forEachRow(of rect: Rect, _ body: (UnsafeMutableBufferPointer<UInt32>) -> Void) {
    guard let part = rect.intersection(Rect(x: 0, y: 0, width: size.width, height: size.height)) else { return }
    for y in part.origin.y..<part.origin.y + part.size.height {
      let row = (base + y * bytesPerRow).assumingMemoryBound(to: UInt32.self)
      body(UnsafeMutableBufferPointer(start: row + part.origin.x, count: part.size.width))
    }
  }
}

extension UInt32 {
  /// A premultiplied pixel laid over another one.
  fileprivate func blended(over below: UInt32) -> UInt32 {
    let rest = 255 - (self >> 24)
    var result: UInt32 = 0
    for shift: UInt32 in [0, 8, 16, 24] {
      let channel = (self >> shift & 0xFF) + ((below >> shift & 0xFF) * rest + 127) / 255
      result |= Swift.min(channel, 255) << shift
    }
    return result
  }
}
