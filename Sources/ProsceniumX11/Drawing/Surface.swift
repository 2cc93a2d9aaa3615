import ProsceniumPlatform

/// The pixels of a window: one buffer, or two or three where the server still reads the one that was drawn last.
@MainActor final class Surface {
  /// One is read to repair the window, one is on its way, one is drawn into.
  static let mostBuffers = 3

  let size: Size
  let method: SurfaceMethod
  private(set) var buffers: [SurfaceBuffer] = []
  /// The buffer that was drawn last: the window shows it, or is going to.
  private(set) var front: SurfaceBuffer?
  /// XFixes' region for the parts that have changed, and these parts; 0 while none was needed.
  var region: UInt32 = 0
  var regionParts = Damage()
  /// The parts that the server has lost, and gets again from the front buffer.
  var toRepair = Damage()

  init(size: Size, method: SurfaceMethod) {
    self.size = size
    self.method = method
  }

  var whole: Rect { Rect(x: 0, y: 0, width: size.width, height: size.height) }

  /// A buffer that may be drawn into now; preferably the one that lacks nothing.
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

  /// Removes the buffers that are not shown nor going to be; they are made anew when something is drawn.
  func removeSpareBuffers() -> [SurfaceBuffer] {
    func isSpare(_ buffer: SurfaceBuffer) -> Bool { buffer !== front && buffer.uses == 0 }
    defer { buffers.removeAll(where: isSpare) }
    return buffers.filter(isSpare)
  }

  /// A buffer has been drawn into, and is shown from now on.
  func drew(_ parts: Damage, into buffer: SurfaceBuffer) {
    buffer.lacks = Damage()
    for other in buffers where other !== buffer { other.lacks.add(parts) }
    front = buffer
    // The parts that are shown anew need no repair; the others still do.
    if !toRepair.isEmpty { toRepair = Damage(toRepair.rects.filter { !parts.covers($0) }) }
  }
}
