import CCairo
import ProsceniumCore

/// The one owner of a surface of Cairo's.
final class CairoSurface {
  /// In pixels.
  let size: Size
  /// Which point, in the pixels that are drawn with, its upper left corner is.
  private let origin: Point
  private var cairo: OpaquePointer?
  /// Memory that Cairo has not been told of: many a frame is nothing but rectangles, which need no Cairo.
  private var untold: PixelBuffer?

  /// Takes over the caller's reference, unless the surface is in an error state.
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

  /// Memory of its own, transparent; nil where Cairo has no room for that size.
  convenience init?(size: Size, origin: Point = Point(x: 0, y: 0)) {
    guard (1...32_767).contains(size.width), (1...32_767).contains(size.height) else { return nil }
    self.init(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height)), origin: origin)
  }

  /// Memory that somebody else owns: ``finish()`` before it goes.
  init?(_ buffer: PixelBuffer) {
    guard (1...32_767).contains(buffer.size.width), (1...32_767).contains(buffer.size.height) else { return nil }
    size = buffer.size
    origin = Point(x: 0, y: 0)
    untold = buffer
  }

  deinit { if let cairo { cairo_surface_destroy(cairo) } }

  /// Cairo's own, made when it is asked for; nil where drawing is over.
  var pointer: OpaquePointer? {
    if let untold {
      self.untold = nil
      cairo = cairo_image_surface_create_for_data(
        untold.pixels.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height),
        Int32(clamping: untold.bytesPerRow))
    }
    return cairo
  }

  /// Fills rectangles with an opaque colour, without a context: most of what a window shows is backgrounds.
  func fill(_ rects: [Rect], with color: Color) {
    if let untold { return fill(rects, of: untold, with: color) }
    guard let cairo else { return }
    // The memory may be changed between the two only.
    cairo_surface_flush(cairo)
    guard let data = cairo_image_surface_get_data(cairo) else { return }
    fill(
      rects, of: PixelBuffer(pixels: data, bytesPerRow: Int(cairo_image_surface_get_stride(cairo)), size: size),
      with: color)
    cairo_surface_mark_dirty(cairo)
  }

  private func fill(_ rects: [Rect], of buffer: PixelBuffer, with color: Color) {
    for rect in rects {
      buffer.fill(
        Rect(
          x: rect.origin.x - origin.x, y: rect.origin.y - origin.y, width: rect.size.width, height: rect.size.height),
        with: color)
    }
  }

  /// Ends all drawing: whoever still has a context for it draws nowhere.
  func finish() {
    untold = nil
    if let cairo { cairo_surface_finish(cairo) }
  }
}

/// The one owner of a context of Cairo's.
final class CairoContext {
  let pointer: OpaquePointer
  init?(_ surface: CairoSurface) {
    guard let surface = surface.pointer, let pointer = cairo_create(surface) else { return nil }
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
