import CPango

/// The owner of a reference to a GLib object.
///
/// Pango's objects share a font map that only one thread may use: they are released on the main thread, too.
@MainActor final class PangoObject {
  let pointer: OpaquePointer
  /// Takes the ownership of the caller's reference.
  init?(_ pointer: OpaquePointer?) {
    guard let pointer else { return nil }
    self.pointer = pointer
  }
  isolated deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }
}

/// The context that all layouts share: the font map and the options for drawing glyphs.
@MainActor enum PangoShared {
  static let context = makeContext(PANGO_DIRECTION_LTR)
  /// The context for texts whose direction is from right to left by definition.
  static let rightToLeftContext = makeContext(PANGO_DIRECTION_RTL)

  /// Attributes of every text: no hyphens are inserted where words are broken.
  ///
  /// Nothing changes them once they are made.
  nonisolated(unsafe) static let attributes: OpaquePointer? = {
    guard let attributes = pango_attr_list_new() else { return nil }
    // From the first byte to the last.
    pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
    return attributes
  }()

  /// Reports once that no font is installed, because all text is then empty boxes.
  /// - Parameter layout: A layout that is about to be drawn.
  static func reportMissingFonts(_ layout: OpaquePointer) {
    guard !areFontsChecked, let context else { return }
    areFontsChecked = true
    guard let font = pango_context_load_font(context.pointer, pango_layout_get_font_description(layout)) else {
      return ViewTree.report(
        "no font is installed, so no text can be read. Install one, such as fonts-dejavu-core or fonts-noto-core."
      )
    }
    g_object_unref(UnsafeMutableRawPointer(font))
  }
  private static var areFontsChecked = false

  private static func makeContext(_ direction: PangoDirection) -> PangoObject? {
    guard let context = PangoObject(pango_font_map_create_context(pango_cairo_font_map_get_default())) else {
      return nil
    }
    pango_context_set_base_dir(context.pointer, direction)
    let options = cairo_font_options_create()
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT)
    pango_cairo_context_set_font_options(context.pointer, options)
    cairo_font_options_destroy(options)
    return context
  }
}
