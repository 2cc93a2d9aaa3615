import ProsceniumPlatform

/// How pixels get from our memory onto a window.
enum SurfaceMethod: Hashable, Sendable {
  /// Shared pixmaps, shown by the Present extension.
  case present
  /// One shared segment, copied by ShmPutImage.
  case sharedMemory
  /// The pixels themselves, in PutImage requests: a remote display.
  case request
}

/// Memory that a frame is drawn into, and what the server knows of it.
@MainActor final class SurfaceBuffer {
  let memory: SurfaceMemory
  let size: Size
  /// 0 where the memory is not shared.
  let segment: UInt32
  /// 0 where the segment is copied from.
  let pixmap: UInt32
  /// What has been drawn into other buffers since this one was shown.
  var lacks: Damage
  /// How many requests the server has yet to be done with before the memory may be changed.
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

  /// Takes over what it lacks from the buffer that is shown, but for what is going to be drawn anyway.
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

/// What a window shows: one buffer, or two or three where the server still reads what was drawn last.
@MainActor final class Surface {
  /// One is read for what the server has lost, one is on its way, one is drawn into.
  static let mostBuffers = 3

  let size: Size
  let method: SurfaceMethod
  private(set) var buffers: [SurfaceBuffer] = []
  /// The one that was drawn last: what the window shows, or is going to.
  private(set) var front: SurfaceBuffer?
  /// XFixes' region for what has changed, and what it holds; 0 while none was needed.
  var region: UInt32 = 0
  var regionParts = Damage()
  /// What the server has lost of what was drawn, and gets again from the front buffer.
  var toRepair = Damage()

  init(size: Size, method: SurfaceMethod) {
    self.size = size
    self.method = method
  }

  var whole: Rect { Rect(x: 0, y: 0, width: size.width, height: size.height) }

  /// A buffer that may be drawn into now; rather the one that lacks nothing.
  var idleBuffer: SurfaceBuffer? {
    if let front, front.uses == 0 { return front }
    for buffer in buffers where buffer.uses == 0 { return buffer }
    return nil
  }

  var mayGrow: Bool { buffers.count < (method == .present ? Self.mostBuffers : 1) }

  var canDraw: Bool { mayGrow || idleBuffer != nil }

  func add(_ buffer: SurfaceBuffer) { buffers.append(buffer) }

  /// The buffer of a pixmap or a segment that the server names.
  func buffer(pixmap: UInt32 = 0, segment: UInt32 = 0) -> SurfaceBuffer? {
    for buffer in buffers where pixmap != 0 ? buffer.pixmap == pixmap : buffer.segment == segment { return buffer }
    return nil
  }

  /// Takes out the buffers that nobody shows or is going to; they are made anew when something is drawn.
  func takeSpareBuffers() -> [SurfaceBuffer] {
    func isSpare(_ buffer: SurfaceBuffer) -> Bool { buffer !== front && buffer.uses == 0 }
    defer { buffers.removeAll(where: isSpare) }
    return buffers.filter(isSpare)
  }

  /// A buffer has been drawn into: it is what is shown from now on.
  func drew(_ parts: Damage, into buffer: SurfaceBuffer) {
    buffer.lacks = Damage()
    for other in buffers where other !== buffer { other.lacks.add(parts) }
    front = buffer
    // What is shown anew needs no repair; what is not still does.
    if !toRepair.isEmpty { toRepair = Damage(toRepair.rects.filter { !parts.covers($0) }) }
  }
}
