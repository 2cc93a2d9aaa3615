import CCairo
import ProsceniumCore

/// The one owner of a surface of Cairo's.
final class CairoSurface {
  let pointer: OpaquePointer
  /// In pixels.
  let size: Size
  /// Which point, in the pixels that are drawn with, its upper left corner is.
  private var origin = Point(x: 0, y: 0)

  /// Takes over the caller's reference, unless the surface is in an error state.
  init?(_ pointer: OpaquePointer?) {
    guard let pointer else { return nil }
    guard cairo_surface_status(pointer) == CAIRO_STATUS_SUCCESS else {
      cairo_surface_destroy(pointer)
      return nil
    }
    self.pointer = pointer
    size = Size(
      width: Int(cairo_image_surface_get_width(pointer)), height: Int(cairo_image_surface_get_height(pointer)))
  }

  /// Memory of its own, transparent; nil where Cairo has no room for that size.
  convenience init?(size: Size, origin: Point = Point(x: 0, y: 0)) {
    guard (1...32_767).contains(size.width), (1...32_767).contains(size.height) else { return nil }
    self.init(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height)))
    self.origin = origin
    cairo_surface_set_device_offset(pointer, Double(-origin.x), Double(-origin.y))
  }

  /// Memory that somebody else owns: ``finish()`` before it goes.
  convenience init?(_ buffer: PixelBuffer) {
    guard (1...32_767).contains(buffer.size.width), (1...32_767).contains(buffer.size.height) else { return nil }
    self.init(
      cairo_image_surface_create_for_data(
        buffer.pixels.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(buffer.size.width),
        Int32(buffer.size.height), Int32(clamping: buffer.bytesPerRow)))
  }

  deinit { cairo_surface_destroy(pointer) }

  var isUsable: Bool { cairo_surface_status(pointer) == CAIRO_STATUS_SUCCESS }

  /// Fills rectangles with an opaque colour, without a context: most of what a window shows is backgrounds.
  func fill(_ rects: [Rect], with color: Color) {
    // The memory may be changed between the two only.
    cairo_surface_flush(pointer)
    guard let data = cairo_image_surface_get_data(pointer) else { return }
    let buffer = PixelBuffer(pixels: data, bytesPerRow: Int(cairo_image_surface_get_stride(pointer)), size: size)
    for rect in rects {
      buffer.fill(
        Rect(
          x: rect.origin.x - origin.x, y: rect.origin.y - origin.y, width: rect.size.width, height: rect.size.height),
        with: color)
    }
    cairo_surface_mark_dirty(pointer)
  }

  /// Ends all drawing: whoever still has a context for it draws nowhere.
  func finish() { cairo_surface_finish(pointer) }
}

/// The one owner of a context of Cairo's.
final class CairoContext {
  let pointer: OpaquePointer
  init?(_ surface: CairoSurface) {
    guard let pointer = cairo_create(surface.pointer) else { return nil }
    self.pointer = pointer
  }
  deinit { cairo_destroy(pointer) }

  /// Leaves out what is outside all of the rectangles.
  func clip(to rects: [Rect]) {
    for rect in rects {
      cairo_rectangle(
        pointer, Double(rect.origin.x), Double(rect.origin.y), Double(rect.size.width), Double(rect.size.height))
    }
    cairo_clip(pointer)
  }
}
