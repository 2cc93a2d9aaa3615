import CSystem
import CXCB
import ProsceniumLoop

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
