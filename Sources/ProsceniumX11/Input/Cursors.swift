import ProsceniumLoop
import ProsceniumPlatform

/// The shapes of the pointer, each loaded once.
///
/// The theme's shapes take some milliseconds to load; until then the pointer keeps the shape that it has, rather than
/// to show the server's own one for a moment. That one is used where there is no theme, or the theme lacks the shape.
@MainActor final class Cursors: X11Component {
  let context: X11Context
  private(set) var ready: [Cursor: UInt32] = [:]
  /// The shapes that are being loaded, and the windows that wait for them.
  private var waiting: [Cursor: Set<UInt32>] = [:]
  /// The shape that each window was given last.
  private var wanted: [UInt32: Cursor] = [:]
  private lazy var mailbox = loop.makeMailbox { [weak self] (cursor: Cursor, id: UInt32) in self?.loaded(cursor, id) }

  init(_ context: X11Context) { self.context = context }

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
