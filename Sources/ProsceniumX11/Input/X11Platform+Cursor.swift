import CXCB
import ProsceniumLoop
import ProsceniumPlatform

/// The cursors that have been made, each once.
struct CursorState {
  var ready: [Cursor: UInt32] = [:]
  /// Being looked for in the theme, and the windows that wait.
  var waiting: [Cursor: Set<UInt32>] = [:]
  /// What each window was to have last.
  var wanted: [UInt32: Cursor] = [:]
}

/// The shape of the pointer.
///
/// The theme's shapes take some milliseconds to load; until then the pointer keeps the shape that it has, rather than to
/// show the server's own one for a moment. That one is taken where there is no theme, or the theme lacks the shape.
extension X11Platform {
  func setCursor(_ window: TopLevel, _ cursor: Cursor) {
    guard let connection, cursors.wanted[window.id] != cursor else { return }
    cursors.wanted[window.id] = cursor
    if let id = cursors.ready[cursor] { return connection.setCursor(window.id, id) }
    if cursor == .hidden { return use(connection.makeEmptyCursor(), for: cursor, in: [window.id]) }
    if cursors.waiting[cursor] != nil {
      cursors.waiting[cursor]?.insert(window.id)
      return
    }
    cursors.waiting[cursor] = [window.id]
    let mailbox = cursorMailbox
    let number = connection.screen.number
    let isRunning = DetachedThread.run { [connection] in
      // Wakes the loop also because the thread may have read events off the socket, which nobody would hear of else.
      mailbox.post((cursor, ThemeCursor.load(CursorNames.themeNames(cursor), connection.raw, screen: number)))
    }
    if !isRunning { found(cursor, 0) }
  }

  func found(_ cursor: Cursor, _ id: UInt32) {
    guard let windows = cursors.waiting.removeValue(forKey: cursor), !isLost, let connection else { return }
    use(id == 0 ? connection.makeGlyphCursor(CursorNames.glyph(cursor)) : id, for: cursor, in: windows.sorted())
  }

  private func use(_ id: UInt32, for cursor: Cursor, in windows: [UInt32]) {
    cursors.ready[cursor] = id
    for window in windows where cursors.wanted[window] == cursor && self.windows[window] != nil {
      connection?.setCursor(window, id)
    }
  }
}

/// The core protocol's requests about cursors (X protocol, section 9).
extension Connection {
  fileprivate func setCursor(_ window: UInt32, _ cursor: UInt32) {
    sent(
      xcb_change_window_attributes(raw, window, XCB_CW_CURSOR.rawValue, [cursor]), "ChangeWindowAttributes", window,
      .ignore)
  }

  /// A glyph of the font that every server has, black with a white edge: its mask is the next glyph.
  fileprivate func makeGlyphCursor(_ glyph: UInt16) -> UInt32 {
    let (font, cursor) = (makeID(), makeID())
    sent(xcb_open_font(raw, font, 6, "cursor"), "OpenFont", 0, .ignore)
    sent(
      xcb_create_glyph_cursor(
        raw, cursor, font, font, glyph, glyph + 1, 0, 0, 0, .max, .max, .max), "CreateGlyphCursor", 0, .ignore)
    sent(xcb_close_font(raw, font), "CloseFont", 0, .ignore)
    return cursor
  }

  /// One pixel that is not there.
  fileprivate func makeEmptyCursor() -> UInt32 {
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
}
