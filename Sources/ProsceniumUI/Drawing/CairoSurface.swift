import CCairo
import ProsceniumCore

/// The one owner of a surface of Cairo's.
final class CairoSurface {
  let pointer: OpaquePointer
  /// In pixels.
  let size: Size

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
  convenience init?(size: Size) {
    guard (1...32_767).contains(size.width), (1...32_767).contains(size.height) else { return nil }
    self.init(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height)))
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
}
