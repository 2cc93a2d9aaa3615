import ProsceniumPlatform

/// The other names of cursors: X has had its own long before CSS and freedesktop named them.
enum CursorNames {
  /// The names to look for in a theme.
  static func themeNames(_ cursor: Cursor) -> [String] {
    [cursor.rawValue] + (glyphs[cursor.rawValue].map { [$0.name] } ?? [])
  }

  /// The glyph of the core cursor font (X protocol, appendix B "Cursor font"); an arrow for names that it lacks.
  static func glyph(_ cursor: Cursor) -> UInt16 {
    glyphs[cursor.rawValue]?.glyph ?? glyphs.values.first { $0.name == cursor.rawValue }?.glyph ?? 68
  }

  private static let glyphs: [String: (name: String, glyph: UInt16)] = [
    "default": ("left_ptr", 68), "text": ("xterm", 152), "pointer": ("hand2", 60), "wait": ("watch", 150),
    "progress": ("left_ptr_watch", 150), "crosshair": ("crosshair", 34), "cell": ("plus", 90),
    "not-allowed": ("crossed_circle", 0), "no-drop": ("crossed_circle", 0), "help": ("question_arrow", 92),
    "move": ("fleur", 52), "all-scroll": ("fleur", 52), "grab": ("hand1", 58), "grabbing": ("fleur", 52),
    "ns-resize": ("sb_v_double_arrow", 116), "row-resize": ("sb_v_double_arrow", 116),
    "ew-resize": ("sb_h_double_arrow", 108), "col-resize": ("sb_h_double_arrow", 108),
    "n-resize": ("top_side", 138), "s-resize": ("bottom_side", 16), "w-resize": ("left_side", 70),
    "e-resize": ("right_side", 96), "nw-resize": ("top_left_corner", 134), "ne-resize": ("top_right_corner", 136),
    "sw-resize": ("bottom_left_corner", 12), "se-resize": ("bottom_right_corner", 14),
    "nwse-resize": ("bottom_right_corner", 14), "nesw-resize": ("bottom_left_corner", 12),
  ]
}
