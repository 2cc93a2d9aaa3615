import CSystem
import CXCB
import ProsceniumLoop
import ProsceniumPlatform

/// The shapes of the pointer, each loaded once, and again when the user has chosen another theme or size.
///
/// The theme's shapes take some milliseconds to load; until then the pointer keeps the shape that it has, rather than
/// to show the server's own one for a moment. That one is used where there is no theme, or the theme lacks the shape.
@MainActor final class Cursors: X11Component {
  private(set) var ready: [Cursor: UInt32] = [:]
  /// The shapes that are being loaded.
  private var loading: Set<Cursor> = []
  /// The shape that each window was given last.
  private var wanted: [UInt32: Cursor] = [:]
  /// How often the user has chosen another theme or size.
  private var choice = 0
  private lazy var mailbox = loop.makeMailbox { [weak self] (cursor: Cursor, id: UInt32, choice: Int) in
    self?.loaded(cursor, id, choice)
  }

  func set(_ cursor: Cursor, for window: UInt32) {
    guard wanted[window] != cursor else { return }
    wanted[window] = cursor
    if let id = ready[cursor] { return setCursor(id, of: window) }
    if cursor == .hidden { return use(makeEmptyCursor(), for: cursor) }
    load(cursor)
  }

  /// The user has chosen another theme or size: until a shape is loaded again, windows keep the one that they have.
  func reload() {
    choice += 1
    for cursor in ready.keys where cursor != .hidden { load(cursor) }
  }

  /// A window is gone.
  func remove(_ window: UInt32) { wanted[window] = nil }

  private func load(_ cursor: Cursor) {
    guard loading.insert(cursor).inserted else { return }
    let (mailbox, screen, choice) = (mailbox, connection.screen.number, choice)
    // libxcb is thread safe.
    nonisolated(unsafe) let raw = connection.raw
    let isRunning = DetachedThread.run {
      // Wakes the loop also because the thread may have read events off the socket, of which nothing else may tell.
      mailbox.post((cursor, ThemeCursor.load(CursorNames.themeNames(cursor), raw, screen: screen), choice))
    }
    if !isRunning { loaded(cursor, 0, choice) }
  }

  /// Makes a cursor of a glyph of the font that every server has, black with a white edge: its mask is the next glyph.
  private func makeGlyphCursor(_ glyph: UInt16) -> UInt32 {
    let name = "cursor"
    let (font, cursor) = (connection.makeID(), connection.makeID())
    connection.sent(xcb_open_font(connection.raw, font, UInt16(name.utf8.count), name), "OpenFont", 0, .ignore)
    connection.sent(
      xcb_create_glyph_cursor(
        connection.raw, cursor, font, font, glyph, glyph + 1, 0, 0, 0, .max, .max, .max), "CreateGlyphCursor", 0,
      .ignore)
    connection.sent(xcb_close_font(connection.raw, font), "CloseFont", 0, .ignore)
    return cursor
  }

  /// Makes a cursor of one transparent pixel.
  private func makeEmptyCursor() -> UInt32 {
    let (pixmap, context, cursor) = (connection.makeID(), connection.makeID(), connection.makeID())
    connection.sent(xcb_create_pixmap(connection.raw, 1, pixmap, connection.screen.root, 1, 1), "CreatePixmap", 0)
    connection.sent(
      xcb_create_gc(connection.raw, context, pixmap, XCB_GC_FOREGROUND.rawValue, [UInt32(0)]), "CreateGC", 0)
    var point = xcb_rectangle_t(x: 0, y: 0, width: 1, height: 1)
    connection.sent(xcb_poly_fill_rectangle(connection.raw, pixmap, context, 1, &point), "PolyFillRectangle", 0)
    connection.sent(
      xcb_create_cursor(connection.raw, cursor, pixmap, pixmap, 0, 0, 0, 0, 0, 0, 0, 0), "CreateCursor", 0)
    connection.sent(xcb_free_gc(connection.raw, context), "FreeGC", 0)
    connection.sent(xcb_free_pixmap(connection.raw, pixmap), "FreePixmap", 0)
    return cursor
  }

  private func loaded(_ cursor: Cursor, _ id: UInt32, _ choice: Int) {
    guard loading.remove(cursor) != nil, !server.isLost else { return }
    if choice != self.choice {
      if id != 0 { freeCursor(id) }
      return load(cursor)
    }
    use(id == 0 ? makeGlyphCursor(CursorNames.glyph(cursor)) : id, for: cursor)
  }

  private func use(_ id: UInt32, for cursor: Cursor) {
    let old = ready.updateValue(id, forKey: cursor)
    for window in wanted.keys.sorted() where wanted[window] == cursor { setCursor(id, of: window) }
    if let old { freeCursor(old) }
  }

  private func freeCursor(_ id: UInt32) {
    connection.sent(xcb_free_cursor(connection.raw, id), "FreeCursor", 0, .ignore)
  }

  private func setCursor(_ id: UInt32, of window: UInt32) {
    connection.changeAttributes(window, .init(cursor: id), .ignore)
  }
}

/// A cursor of the user's theme, by libxcb-cursor.
///
/// The library reads the theme's files and waits for a few answers of the server. It does so on a thread of its own,
/// and over the platform's connection, so that the cursor lives as long as that.
enum ThemeCursor {
  /// The lines of RESOURCE_MANAGER by which the library chooses the theme and the size.
  static func resources(in text: String) -> [Substring] {
    text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("Xcursor.") || $0.hasPrefix("Xft.dpi") }
  }

  /// Loads the first cursor of a list that the theme has; on any thread, and waits for the server.
  /// - Parameters:
  ///   - names: The cursor's names, the best one first.
  ///   - connection: The platform's connection.
  ///   - number: The number of the screen.
  /// - Returns: The cursor; 0 where the theme has none of them, or the library is not installed.
  static func load(_ names: [String], _ connection: OpaquePointer, screen number: Int) -> UInt32 {
    guard let library = Library(xcb_cursor_open), xcb_connection_has_error(connection) == 0,
      let setup = xcb_get_setup(connection)
    else { return 0 }
    let functions = library.functions
    var screens = xcb_setup_roots_iterator(setup)
    for _ in 0..<number where screens.rem > 0 { xcb_screen_next(&screens) }
    var context: OpaquePointer?
    guard screens.rem > 0, functions.xcb_cursor_context_new(connection, screens.data, &context) == 0, let context else {
      return 0
    }
    defer { functions.xcb_cursor_context_free(context) }
    return names.lazy.map { functions.xcb_cursor_load_cursor(context, $0) }.first { $0 != 0 } ?? 0
  }
}

/// The names of cursors: X has had its own long before CSS and freedesktop named them.
enum CursorNames {
  /// The names that a theme may have for a cursor.
  static func themeNames(_ cursor: Cursor) -> [String] {
    [cursor.rawValue] + shapes.filter { $0.names.contains(cursor.rawValue) }.map(\.own)
  }

  /// The glyph of the core cursor font (X protocol, appendix B "Cursor font"); an arrow for names that it lacks.
  static func glyph(_ cursor: Cursor) -> UInt16 {
    let shape = shapes.first { $0.names.contains(cursor.rawValue) } ?? shapes.first { $0.own == cursor.rawValue }
    return UInt16((shape?.glyph ?? CURSOR_LEFT_PTR).rawValue)
  }

  /// X's own name of each shape, its glyph, and the names of CSS and freedesktop.
  private static let shapes: [(own: String, glyph: cursor_glyph, names: [String])] = [
    ("left_ptr", CURSOR_LEFT_PTR, ["default"]),
    ("xterm", CURSOR_XTERM, ["text"]),
    ("hand2", CURSOR_HAND2, ["pointer"]),
    ("watch", CURSOR_WATCH, ["wait"]),
    ("left_ptr_watch", CURSOR_WATCH, ["progress"]),
    ("crosshair", CURSOR_CROSSHAIR, ["crosshair"]),
    ("plus", CURSOR_PLUS, ["cell", "copy", "dnd-copy"]),
    ("crossed_circle", CURSOR_X_CURSOR, ["not-allowed", "no-drop"]),
    ("question_arrow", CURSOR_QUESTION_ARROW, ["help"]),
    ("fleur", CURSOR_FLEUR, ["move", "all-scroll", "grabbing", "dnd-move"]),
    ("hand1", CURSOR_HAND1, ["grab"]),
    ("sb_v_double_arrow", CURSOR_SB_V_DOUBLE_ARROW, ["ns-resize", "row-resize"]),
    ("sb_h_double_arrow", CURSOR_SB_H_DOUBLE_ARROW, ["ew-resize", "col-resize"]),
    ("top_side", CURSOR_TOP_SIDE, ["n-resize"]),
    ("bottom_side", CURSOR_BOTTOM_SIDE, ["s-resize"]),
    ("left_side", CURSOR_LEFT_SIDE, ["w-resize"]),
    ("right_side", CURSOR_RIGHT_SIDE, ["e-resize"]),
    ("top_left_corner", CURSOR_TOP_LEFT_CORNER, ["nw-resize"]),
    ("top_right_corner", CURSOR_TOP_RIGHT_CORNER, ["ne-resize"]),
    ("bottom_left_corner", CURSOR_BOTTOM_LEFT_CORNER, ["sw-resize", "nesw-resize"]),
    ("bottom_right_corner", CURSOR_BOTTOM_RIGHT_CORNER, ["se-resize", "nwse-resize"]),
  ]
}
