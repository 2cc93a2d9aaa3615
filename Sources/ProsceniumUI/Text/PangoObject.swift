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
  static let context = makeContext(PANGO_DIRECTION_LTR)
  /// For texts that are from right to left whatever they begin with.
  static let rightToLeftContext = makeContext(PANGO_DIRECTION_RTL)

  /// What all of a text has: where a word is broken, no hyphen is shown that is not in the text.
  nonisolated(unsafe) static let attributes: OpaquePointer? = {
    guard let attributes = pango_attr_list_new() else { return nil }
    // From the first byte to the last, whatever the text.
    pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
    return attributes
  }()

  /// Says once that there is no font at all: a program without text is hard to understand.
  /// - Parameter layout: A layout that somebody is about to draw.
  static func complainWithoutFonts(_ layout: OpaquePointer) {
    guard !areFontsChecked, let context else { return }
    areFontsChecked = true
    guard let font = pango_context_load_font(context.pointer, pango_layout_get_font_description(layout)) else {
      return ViewTree.report(
        "Proscenium: no font is installed, so no text can be read. Install one, such as fonts-dejavu-core or fonts-noto-core."
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
