import Glibc

/// What the program uses of GTK 3, which is loaded as it runs.
@MainActor struct GTK {
  typealias Widget = UnsafeMutableRawPointer
  typealias Handler = @convention(c) (Widget, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32

  let makeWindow: @convention(c) (Int32) -> Widget?
  let makeEntry: @convention(c) () -> Widget?
  let add: @convention(c) (Widget, Widget) -> Void
  let showAll: @convention(c) (Widget) -> Void
  let hide: @convention(c) (Widget) -> Void
  let realize: @convention(c) (Widget) -> Void
  let destroy: @convention(c) (Widget) -> Void
  let setDefaultSize: @convention(c) (Widget, Int32, Int32) -> Void
  let setTitle: @convention(c) (Widget, UnsafePointer<CChar>) -> Void
  let text: @convention(c) (Widget) -> UnsafePointer<CChar>?
  let setText: @convention(c) (Widget, UnsafePointer<CChar>) -> Void
  let main: @convention(c) () -> Void
  let mainQuit: @convention(c) () -> Void
  private let window: @convention(c) (Widget) -> UnsafeMutableRawPointer?
  private let identifier: @convention(c) (UnsafeMutableRawPointer) -> UInt
  private let connectData:
    @convention(c) (
      Widget, UnsafePointer<CChar>, Handler, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int32
    ) -> UInt

  /// Loads and initialises GTK; nil where it is missing, or has no display.
  init?() {
    guard let library = dlopen("libgtk-3.so.0", RTLD_NOW | RTLD_GLOBAL) else { return nil }
    func find<Function>(_ name: String) -> Function? {
      dlsym(library, name).map { unsafeBitCast($0, to: Function.self) }
    }
    typealias Start = @convention(c) (UnsafeMutablePointer<Int32>?, UnsafeMutableRawPointer?) -> Int32
    guard let start: Start = find("gtk_init_check"),
      let makeWindow: @convention(c) (Int32) -> Widget? = find("gtk_window_new"),
      let makeEntry: @convention(c) () -> Widget? = find("gtk_entry_new"),
      let add: @convention(c) (Widget, Widget) -> Void = find("gtk_container_add"),
      let showAll: @convention(c) (Widget) -> Void = find("gtk_widget_show_all"),
      let hide: @convention(c) (Widget) -> Void = find("gtk_widget_hide"),
      let realize: @convention(c) (Widget) -> Void = find("gtk_widget_realize"),
      let destroy: @convention(c) (Widget) -> Void = find("gtk_widget_destroy"),
      let setDefaultSize: @convention(c) (Widget, Int32, Int32) -> Void = find("gtk_window_set_default_size"),
      let setTitle: @convention(c) (Widget, UnsafePointer<CChar>) -> Void = find("gtk_window_set_title"),
      let text: @convention(c) (Widget) -> UnsafePointer<CChar>? = find("gtk_entry_get_text"),
      let setText: @convention(c) (Widget, UnsafePointer<CChar>) -> Void = find("gtk_entry_set_text"),
      let main: @convention(c) () -> Void = find("gtk_main"),
      let mainQuit: @convention(c) () -> Void = find("gtk_main_quit"),
      let window: @convention(c) (Widget) -> UnsafeMutableRawPointer? = find("gtk_widget_get_window"),
      let identifier: @convention(c) (UnsafeMutableRawPointer) -> UInt = find("gdk_x11_window_get_xid"),
      let connectData:
        @convention(c) (
          Widget, UnsafePointer<CChar>, Handler, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int32
        ) -> UInt = find("g_signal_connect_data")
    else { return nil }
    (self.makeWindow, self.makeEntry, self.add, self.showAll) = (makeWindow, makeEntry, add, showAll)
    (self.hide, self.realize, self.destroy, self.setDefaultSize) = (hide, realize, destroy, setDefaultSize)
    (self.setTitle, self.text, self.setText) = (setTitle, text, setText)
    (self.main, self.mainQuit, self.window, self.identifier) = (main, mainQuit, window, identifier)
    self.connectData = connectData
    guard start(nil, nil) != 0 else { return nil }
  }

  /// The XID of a realized widget's window; 0 where it has none.
  func xid(of widget: Widget) -> UInt32 { window(widget).map { UInt32(truncatingIfNeeded: identifier($0)) } ?? 0 }

  /// Calls a function when a signal comes.
  func connect(_ widget: Widget, _ signal: String, _ data: UnsafeMutableRawPointer, _ handler: Handler) {
    _ = connectData(widget, signal, handler, data, nil, 0)
  }
}
