import CXCB
import Glibc

/// A cursor of the user's theme, by libxcb-cursor, which is loaded at run time.
///
/// The library reads the theme's files and asks the server a few questions, waiting for each answer: on a thread of its
/// own, over the platform's connection, so that the cursor lives as long as that.
enum ThemeCursor {
  private typealias MakeContext =
    @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
  private typealias Load = @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> UInt32
  private typealias Release = @convention(c) (OpaquePointer?) -> Void

  /// The cursor with the first of these names that the theme has; 0 where there is none, or no library.
  ///
  /// May be called on any thread; waits.
  static func load(_ names: [String], _ connection: OpaquePointer, screen number: Int) -> UInt32 {
    guard let library = dlopen("libxcb-cursor.so.0", RTLD_NOW | RTLD_LOCAL) else { return 0 }
    defer { dlclose(library) }
    func function<Function>(_ name: String, as type: Function.Type) -> Function? {
      dlsym(library, name).map { unsafeBitCast($0, to: type) }
    }
    guard let makeContext = function("xcb_cursor_context_new", as: MakeContext.self),
      let load = function("xcb_cursor_load_cursor", as: Load.self),
      let release = function("xcb_cursor_context_free", as: Release.self),
      xcb_connection_has_error(connection) == 0, let setup = xcb_get_setup(connection)
    else { return 0 }
    var screens = xcb_setup_roots_iterator(setup)
    for _ in 0..<number where screens.rem > 0 { xcb_screen_next(&screens) }
    var context: OpaquePointer?
    guard screens.rem > 0, makeContext(connection, screens.data, &context) == 0, let context else { return 0 }
    defer { release(context) }
    return names.lazy.map { load(context, $0) }.first { $0 != 0 } ?? 0
  }
}
