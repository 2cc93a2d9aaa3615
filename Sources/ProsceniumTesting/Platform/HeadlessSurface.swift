import ProsceniumLoop
package import ProsceniumPlatform

/// The pixels of a window in memory.
package final class HeadlessSurface {
  package let size: Size
  private let memory: MemoryMapping

  /// Zeros; nil where a side is not in 1...32767, or there is no memory.
  init?(size: Size) {
    guard (1...32_767).contains(size.width), (1...32_767).contains(size.height),
      let memory = MemoryMapping(count: size.width * size.height * 4)
    else { return nil }
    self.size = size
    self.memory = memory
  }

  /// The memory for drawing.
  var buffer: PixelBuffer { PixelBuffer(unsafeStart: memory.base, bytesPerRow: size.width * 4, size: size) }

  /// A pixel as `0xAARRGGBB`; 0 outside.
  package subscript(x: Int, y: Int) -> UInt32 {
    guard x >= 0, y >= 0, x < size.width, y < size.height else { return 0 }
    return memory.base.load(fromByteOffset: (y * size.width + x) * 4, as: UInt32.self)
  }

  /// All pixels, row by row.
  package var pixels: [UInt32] {
    let count = size.width * size.height
    return Array(UnsafeBufferPointer(start: memory.base.bindMemory(to: UInt32.self, capacity: count), count: count))
  }
}
