import CXCB
import ProsceniumPlatform

/// The core protocol's requests about cursors and the keyboard (X protocol, section 9).
extension Connection {
  /// Makes a cursor of a glyph of the font that every server has, black with a white edge: its mask is the next glyph.
  func makeGlyphCursor(_ glyph: UInt16) -> UInt32 {
    let name = "cursor"
    let (font, cursor) = (makeID(), makeID())
    sent(xcb_open_font(raw, font, UInt16(name.utf8.count), name), "OpenFont", 0, .ignore)
    sent(
      xcb_create_glyph_cursor(
        raw, cursor, font, font, glyph, glyph + 1, 0, 0, 0, .max, .max, .max), "CreateGlyphCursor", 0, .ignore)
    sent(xcb_close_font(raw, font), "CloseFont", 0, .ignore)
    return cursor
  }

  /// Makes a cursor of one transparent pixel.
  func makeEmptyCursor() -> UInt32 {
    let (pixmap, context, cursor) = (makeID(), makeID(), makeID())
    sent(xcb_create_pixmap(raw, 1, pixmap, screen.root, 1, 1), "CreatePixmap", 0)
    sent(xcb_create_gc(raw, context, pixmap, XCB_GC_FOREGROUND.rawValue, [UInt32(0)]), "CreateGC", 0)
    var point = xcb_rectangle_t(x: 0, y: 0, width: 1, height: 1)
    sent(xcb_poly_fill_rectangle(raw, pixmap, context, 1, &point), "PolyFillRectangle", 0)
    sent(xcb_create_cursor(raw, cursor, pixmap, pixmap, 0, 0, 0, 0, 0, 0, 0, 0), "CreateCursor", 0)
    sent(xcb_free_gc(raw, context), "FreeGC", 0)
    sent(xcb_free_pixmap(raw, pixmap), "FreePixmap", 0)
    return cursor
  }

  /// Asks for the core keyboard map, in two requests.
  func keyboardMap(_ handler: @escaping @MainActor (CoreKeyboardMap) -> Void) {
    let codes = keycodes
    var symbols: [UInt32] = []
    var perKey = 0
    let mapping = xcb_get_keyboard_mapping(raw, codes.lowerBound, UInt8(clamping: codes.count))
    whenReplied(mapping.sequence) { reply in
      perKey = Int(reply?.read(xcb_get_keyboard_mapping_reply_t.self)?.keysyms_per_keycode ?? 0)
      symbols = reply?.u32s(ReplyBytes.header, count: perKey * codes.count) ?? []
    }
    whenReplied(xcb_get_modifier_mapping(raw).sequence) { reply in
      let perModifier = Int(reply?.read(xcb_get_modifier_mapping_reply_t.self)?.keycodes_per_modifier ?? 0)
      let modifiers = reply?.u8s(ReplyBytes.header, count: CoreKeyboardMap.modifierCount * perModifier) ?? []
      handler(CoreKeyboardMap(firstCode: codes.lowerBound, perKey: perKey, symbols: symbols, modifiers: modifiers))
    }
  }
}
