import ProsceniumPlatform

/// Memory that a frame is drawn into, and the server's objects for it.
@MainActor final class SurfaceBuffer {
  let memory: SurfaceMemory
  let size: Size
  /// 0 where the memory is not shared.
  let segment: UInt32
  /// 0 where the segment is copied from.
  let pixmap: UInt32
  /// The parts that have been drawn into other buffers since this one was shown.
  var lacks: Damage
  /// How many requests the server has yet to finish before the memory may be changed.
  var uses = 0

  init(_ memory: SurfaceMemory, size: Size, segment: UInt32 = 0, pixmap: UInt32 = 0) {
    self.memory = memory
    self.size = size
    self.segment = segment
    self.pixmap = pixmap
    lacks = Damage([Rect(x: 0, y: 0, width: size.width, height: size.height)])
  }

  var bytesPerRow: Int { size.width * 4 }
  var pixels: PixelBuffer { PixelBuffer(unsafeStart: memory.base, bytesPerRow: bytesPerRow, size: size) }

  /// Copies the parts that it lacks from the buffer that is shown, except those that are drawn next.
  func catchUp(with front: SurfaceBuffer, except damage: Damage) {
    for rect in lacks.rects where !damage.covers(rect) {
      let length = rect.size.width * 4
      for y in rect.origin.y..<rect.origin.y + rect.size.height {
        let offset = y * bytesPerRow + rect.origin.x * 4
        (memory.base + offset).copyMemory(from: front.memory.base + offset, byteCount: length)
      }
    }
  }
}
