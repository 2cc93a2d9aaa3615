import CXCB
import ProsceniumPlatform

/// The core protocol's requests about windows, each recorded for the case that it fails (X protocol, section 9).
///
/// Another client may destroy one of our windows at any time; what is asked about it after that may fail in silence,
/// because its DestroyNotify is on the way.
extension Connection {
  func createWindow(_ window: UInt32, _ frame: Rect, _ attributes: WindowAttributes, visual: Visual) {
    let list = attributes.list
    sent(
      xcb_create_window(
        raw, visual.depth, window, screen.root, Int16(clamping: frame.origin.x), Int16(clamping: frame.origin.y),
        UInt16(clamping: frame.size.width), UInt16(clamping: frame.size.height), 0,
        UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), visual.id, list.mask, list.values),
      "CreateWindow", window, .window)
  }

  /// Creates a window that is never shown, for properties: its changes are events.
  func createPropertyWindow(_ window: UInt32) {
    let list = WindowAttributes(eventMask: XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue).list
    sent(
      xcb_create_window(
        raw, 0, window, screen.root, -1, -1, 1, 1, 0, UInt16(XCB_WINDOW_CLASS_INPUT_ONLY.rawValue), 0, list.mask,
        list.values),
      "CreateWindow", window, .window)
  }

  func changeAttributes(_ window: UInt32, _ attributes: WindowAttributes, _ onError: SentRequest.OnError = .report) {
    let list = attributes.list
    sent(
      xcb_change_window_attributes(raw, window, list.mask, list.values), "ChangeWindowAttributes", window, onError)
  }

  func destroyWindow(_ window: UInt32) {
    sent(xcb_destroy_window(raw, window), "DestroyWindow", window, .ignore)
  }

  func mapWindow(_ window: UInt32) { sent(xcb_map_window(raw, window), "MapWindow", window) }

  func unmapWindow(_ window: UInt32) { sent(xcb_unmap_window(raw, window), "UnmapWindow", window, .ignore) }

  func clearArea(_ window: UInt32) { sent(xcb_clear_area(raw, 0, window, 0, 0, 0, 0), "ClearArea", window) }

  func configure(_ window: UInt32, _ frame: Rect) {
    let mask =
      XCB_CONFIG_WINDOW_X.rawValue | XCB_CONFIG_WINDOW_Y.rawValue | XCB_CONFIG_WINDOW_WIDTH.rawValue
      | XCB_CONFIG_WINDOW_HEIGHT.rawValue
    let values = [
      UInt32(bitPattern: Int32(Int16(clamping: frame.origin.x))),
      UInt32(bitPattern: Int32(Int16(clamping: frame.origin.y))),
      UInt32(Hints.bounded(frame.size.width)), UInt32(Hints.bounded(frame.size.height)),
    ]
    sent(xcb_configure_window(raw, window, UInt16(mask), values), "ConfigureWindow", window)
  }

  func raise(_ window: UInt32) {
    sent(
      xcb_configure_window(
        raw, window, UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue), [XCB_STACK_MODE_ABOVE.rawValue]),
      "ConfigureWindow", window, .ignore)
  }

  /// BadMatch where the window is not viewable any more: a normal race (X protocol, SetInputFocus).
  func setInputFocus(_ window: UInt32, time: UInt32) {
    sent(
      xcb_set_input_focus(raw, UInt8(XCB_INPUT_FOCUS_PARENT.rawValue), window, time), "SetInputFocus", window,
      .ignore)
  }

  /// Releases the pointer and the keyboard, at the current time; nothing happens where this client holds neither.
  func releaseGrabs() {
    sent(xcb_ungrab_pointer(raw, XCB_TIME_CURRENT_TIME.rawValue), "UngrabPointer", 0)
    sent(xcb_ungrab_keyboard(raw, XCB_TIME_CURRENT_TIME.rawValue), "UngrabKeyboard", 0)
  }

  // MARK: Questions

  /// The attributes that matter: whether a window is mapped by itself, and the events that all clients together
  /// selected.
  struct Attributes {
    var isMapped: Bool
    var allEventMasks: UInt32

    /// Whether a client redirects the window's children: of the root, the one universal mark of a window manager
    /// (ICCCM 4.3).
    var isManaged: Bool { allEventMasks & XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT.rawValue != 0 }
  }

  func windowAttributes(_ window: UInt32, _ handler: @escaping @MainActor (Attributes?) -> Void) {
    whenReplied(xcb_get_window_attributes(raw, window).sequence) { reply in
      let found = reply?.read(xcb_get_window_attributes_reply_t.self)
      handler(
        found.map {
          Attributes(
            isMapped: UInt32($0.map_state) != XCB_MAP_STATE_UNMAPPED.rawValue, allEventMasks: $0.all_event_masks)
        })
    }
  }

  func parent(of window: UInt32, _ handler: @escaping @MainActor (_ parent: UInt32?) -> Void) {
    whenReplied(xcb_query_tree(raw, window).sequence) { handler($0?.read(xcb_query_tree_reply_t.self)?.parent) }
  }

  func originInRoot(of window: UInt32, _ handler: @escaping @MainActor (Point) -> Void) {
    whenReplied(xcb_translate_coordinates(raw, window, screen.root, 0, 0).sequence) { reply in
      guard let found = reply?.read(xcb_translate_coordinates_reply_t.self) else { return }
      handler(Point(x: Int(found.dst_x), y: Int(found.dst_y)))
    }
  }
}
