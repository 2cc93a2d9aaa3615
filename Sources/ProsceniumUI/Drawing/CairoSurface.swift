import CCairo
import ProsceniumCore

/// The owner of a surface of Cairo.
final class CairoSurface {
  /// In pixels.
  let size: Size
  /// The position of the upper left corner, in the pixels of the window.
  private let origin: Point
  private var cairo: OpaquePointer?
  /// Memory without a surface of Cairo's yet: many frames are only rectangles, which need no Cairo.
  private var memory: Memory?

  private struct Memory {
    let start: UnsafeMutableRawPointer
    let bytesPerRow: Int
  }

  /// Takes the ownership of the caller's reference; nil if the surface has an error.
  init?(_ pointer: OpaquePointer?, origin: Point = Point(x: 0, y: 0)) {
    guard let pointer else { return nil }
    guard cairo_surface_status(pointer) == CAIRO_STATUS_SUCCESS else {
      cairo_surface_destroy(pointer)
      return nil
    }
    cairo = pointer
    self.origin = origin
    size = Size(
      width: Int(cairo_image_surface_get_width(pointer)), height: Int(cairo_image_surface_get_height(pointer)))
    cairo_surface_set_device_offset(pointer, Double(-origin.x), Double(-origin.y))
  }

  /// Creates a transparent surface with memory of its own; nil if Cairo cannot allocate that size.
  convenience init?(size: Size, origin: Point = Point(x: 0, y: 0)) {
    guard size.isPossible else { return nil }
    self.init(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height)), origin: origin)
  }

  /// Draws into memory that has another owner, until ``finish()``; the memory must outlive that call.
  init?(_ bytes: UnsafeMutableRawBufferPointer, bytesPerRow: Int, size: Size) {
    guard size.isPossible, let start = bytes.baseAddress else { return nil }
    self.size = size
    origin = Point(x: 0, y: 0)
    memory = Memory(start: start, bytesPerRow: bytesPerRow)
  }

  deinit { if let cairo { cairo_surface_destroy(cairo) } }

  /// The surface of Cairo, created when it is first used; nil after ``finish()``.
  var pointer: OpaquePointer? {
    if let memory {
      self.memory = nil
      cairo = cairo_image_surface_create_for_data(
        memory.start.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height),
        Int32(clamping: memory.bytesPerRow))
    }
    return cairo
  }

  /// Fills rectangles with an opaque colour without a context, because most of a window is backgrounds.
  func fill(_ rects: [Rect], with color: Color) {
    if let memory { return fill(rects, of: memory, with: color) }
    guard let cairo else { return }
    // Pixels may be changed directly only between flush and mark_dirty.
    cairo_surface_flush(cairo)
    guard let data = cairo_image_surface_get_data(cairo) else { return }
    fill(rects, of: Memory(start: data, bytesPerRow: Int(cairo_image_surface_get_stride(cairo))), with: color)
    cairo_surface_mark_dirty(cairo)
  }

  private func fill(_ rects: [Rect], of memory: Memory, with color: Color) {
    var buffer = PixelBuffer(unsafeStart: memory.start, bytesPerRow: memory.bytesPerRow, size: size)
    for rect in rects { buffer.fill(rect.offset(x: -origin.x, y: -origin.y), with: color) }
  }

  /// Ends all drawing: contexts for the surface draw nothing from now on.
  func finish() {
    memory = nil
    if let cairo { cairo_surface_finish(cairo) }
  }
}

extension Size {
  /// Whether a picture of Cairo's can have that size.
  var isPossible: Bool { (1...32_767).contains(width) && (1...32_767).contains(height) }
}

/// The owner of a context of Cairo.
final class CairoContext {
  let pointer: OpaquePointer
  init?(_ surface: CairoSurface) {
    guard let surface = surface.pointer, let pointer = cairo_create(surface) else { return nil }
    self.pointer = pointer
  }
  deinit { cairo_destroy(pointer) }

  /// Limits drawing to rectangles.
  func clip(to rects: [Rect]) {
    for rect in rects {
      cairo_rectangle(
        pointer, Double(rect.origin.x), Double(rect.origin.y), Double(rect.size.width), Double(rect.size.height))
    }
    cairo_clip(pointer)
  }
}
