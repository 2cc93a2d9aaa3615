import CXCB
import ProsceniumPlatform

/// The names of cursors: X has had its own long before CSS and freedesktop named them.
enum CursorNames {
  /// The names that a theme may have for a cursor.
  static func themeNames(_ cursor: Cursor) -> [String] {
    [cursor.rawValue] + (glyphs[cursor.rawValue].map { [$0.name] } ?? [])
  }

  /// The glyph of the core cursor font (X protocol, appendix B "Cursor font"); an arrow for names that it lacks.
  static func glyph(_ cursor: Cursor) -> UInt16 {
    glyphs[cursor.rawValue]?.glyph ?? glyphs.values.first { $0.name == cursor.rawValue }?.glyph
      ?? number(CURSOR_LEFT_PTR)
  }

  private static func number(_ glyph: cursor_glyph) -> UInt16 { UInt16(glyph.rawValue) }

  private static let glyphs: [String: (name: String, glyph: UInt16)] = [
    "default": ("left_ptr", number(CURSOR_LEFT_PTR)),
    "text": ("xterm", number(CURSOR_XTERM)),
    "pointer": ("hand2", number(CURSOR_HAND2)),
    "wait": ("watch", number(CURSOR_WATCH)),
    "progress": ("left_ptr_watch", number(CURSOR_WATCH)),
    "crosshair": ("crosshair", number(CURSOR_CROSSHAIR)),
    "cell": ("plus", number(CURSOR_PLUS)),
    "not-allowed": ("crossed_circle", number(CURSOR_X_CURSOR)),
    "no-drop": ("crossed_circle", number(CURSOR_X_CURSOR)),
    "help": ("question_arrow", number(CURSOR_QUESTION_ARROW)),
    "move": ("fleur", number(CURSOR_FLEUR)),
    "all-scroll": ("fleur", number(CURSOR_FLEUR)),
    "grab": ("hand1", number(CURSOR_HAND1)),
    "grabbing": ("fleur", number(CURSOR_FLEUR)),
    "ns-resize": ("sb_v_double_arrow", number(CURSOR_SB_V_DOUBLE_ARROW)),
    "row-resize": ("sb_v_double_arrow", number(CURSOR_SB_V_DOUBLE_ARROW)),
    "ew-resize": ("sb_h_double_arrow", number(CURSOR_SB_H_DOUBLE_ARROW)),
    "col-resize": ("sb_h_double_arrow", number(CURSOR_SB_H_DOUBLE_ARROW)),
    "n-resize": ("top_side", number(CURSOR_TOP_SIDE)),
    "s-resize": ("bottom_side", number(CURSOR_BOTTOM_SIDE)),
    "w-resize": ("left_side", number(CURSOR_LEFT_SIDE)),
    "e-resize": ("right_side", number(CURSOR_RIGHT_SIDE)),
    "nw-resize": ("top_left_corner", number(CURSOR_TOP_LEFT_CORNER)),
    "ne-resize": ("top_right_corner", number(CURSOR_TOP_RIGHT_CORNER)),
    "sw-resize": ("bottom_left_corner", number(CURSOR_BOTTOM_LEFT_CORNER)),
    "se-resize": ("bottom_right_corner", number(CURSOR_BOTTOM_RIGHT_CORNER)),
    "nwse-resize": ("bottom_right_corner", number(CURSOR_BOTTOM_RIGHT_CORNER)),
    "nesw-resize": ("bottom_left_corner", number(CURSOR_BOTTOM_LEFT_CORNER)),
  ]
}
