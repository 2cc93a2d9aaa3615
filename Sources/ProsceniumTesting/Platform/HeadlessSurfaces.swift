import ProsceniumLoop
package import ProsceniumPlatform

/// The contents of the windows of a desk in memory.
package struct HeadlessSurfaces {
  /// The surface of each window that has been drawn into.
  private(set) var surfaces: [WindowID: HeadlessSurface] = [:]
  /// The picture that each window shows while nothing has been drawn into it.
  private(set) var pictures: [WindowID: Snapshot] = [:]
  /// How often something was drawn.
  private(set) var drawCount = 0
  /// Whether windows that stay mapped in the background are seen, as in a compositing manager's switcher.
  package var isComposing = false

  /// The surface for a drawing.
  /// - Returns: The surface, and whether it is a new one; nil where the size is none, or there is no memory.
  mutating func begin(_ id: WindowID, size: Size) -> (surface: HeadlessSurface, isNew: Bool)? {
    let known = surfaces[id].flatMap { $0.size == size ? $0 : nil }
    guard let surface = known ?? HeadlessSurface(size: size) else { return nil }
    surfaces[id] = surface
    pictures[id] = nil
    drawCount += 1
    return (surface, known == nil)
  }

  /// Shows a picture in place of what was drawn.
  mutating func cover(_ id: WindowID, with snapshot: Snapshot?) {
    surfaces[id] = nil
    pictures[id] = snapshot
  }

  /// Shows a picture where nothing has been drawn.
  mutating func show(_ snapshot: Snapshot?, in id: WindowID) { if surfaces[id] == nil { pictures[id] = snapshot } }

  mutating func purge(_ id: WindowID) { surfaces[id] = nil }
}

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
