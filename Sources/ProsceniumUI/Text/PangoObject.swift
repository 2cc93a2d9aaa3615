import CPango

/// The one owner of an object of GLib's.
final class PangoObject {
  let pointer: OpaquePointer
  /// Takes over the caller's reference.
  init?(_ pointer: OpaquePointer?) {
    guard let pointer else { return nil }
    self.pointer = pointer
  }
  deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }
}

/// What all layouts have in common: the font map, and how glyphs are drawn.
@MainActor enum PangoShared {
  static let context: PangoObject? = {
    guard let context = PangoObject(pango_font_map_create_context(pango_cairo_font_map_get_default())) else {
      return nil
    }
    let options = cairo_font_options_create()
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT)
    pango_cairo_context_set_font_options(context.pointer, options)
    cairo_font_options_destroy(options)
    return context
  }()
}
