import CSystem
import CXCB
import ProsceniumLoop
import ProsceniumPlatform

/// The shapes of the pointer, each loaded once.
///
/// The theme's shapes take some milliseconds to load; until then the pointer keeps the shape that it has, rather than
/// to show the server's own one for a moment. That one is used where there is no theme, or the theme lacks the shape.
@MainActor final class Cursors: X11Component {
  private(set) var ready: [Cursor: UInt32] = [:]
  /// The shapes that are being loaded, and the windows that wait for them.
  private var waiting: [Cursor: Set<UInt32>] = [:]
  /// The shape that each window was given last.
  private var wanted: [UInt32: Cursor] = [:]
  private lazy var mailbox = loop.makeMailbox { [weak self] (cursor: Cursor, id: UInt32) in self?.loaded(cursor, id) }

  func set(_ cursor: Cursor, for window: TopLevel) {
    guard wanted[window.id] != cursor else { return }
    wanted[window.id] = cursor
    if let id = ready[cursor] { return setCursor(id, of: window.id) }
    if cursor == .hidden { return use(connection.makeEmptyCursor(), for: cursor, in: [window.id]) }
    let isLoading = waiting[cursor] != nil
    waiting[cursor, default: []].insert(window.id)
    if !isLoading { load(cursor) }
  }

  /// A window is gone.
  func remove(_ window: TopLevel) { wanted[window.id] = nil }

  private func load(_ cursor: Cursor) {
    let (mailbox, connection) = (mailbox, connection)
    let screen = connection.screen.number
    let isRunning = DetachedThread.run {
      // Wakes the loop also because the thread may have read events off the socket, which nothing else announces.
      mailbox.post((cursor, ThemeCursor.load(CursorNames.themeNames(cursor), connection.raw, screen: screen)))
    }
    if !isRunning { loaded(cursor, 0) }
  }

  private func loaded(_ cursor: Cursor, _ id: UInt32) {
    guard let windows = waiting.removeValue(forKey: cursor), !server.isLost else { return }
    use(id == 0 ? connection.makeGlyphCursor(CursorNames.glyph(cursor)) : id, for: cursor, in: windows.sorted())
  }

  private func use(_ id: UInt32, for cursor: Cursor, in waiting: [UInt32]) {
    ready[cursor] = id
    for window in waiting where wanted[window] == cursor && windows[window] != nil { setCursor(id, of: window) }
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
