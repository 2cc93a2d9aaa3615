import CXCB
import Glibc
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

  /// Creates a window that nobody sees, for properties: its changes are events.
  func createPropertyWindow(
    _ window: UInt32,
    _ attributes: WindowAttributes = WindowAttributes(eventMask: XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue)
  ) {
    let list = attributes.list
    sent(
      xcb_create_window(
        raw, 0, window, screen.root, -1, -1, 1, 1, 0, UInt16(XCB_WINDOW_CLASS_INPUT_ONLY.rawValue), 0, list.mask,
        list.values),
      "CreateWindow", window, .window)
  }

  func changeAttributes(_ window: UInt32, _ attributes: WindowAttributes, _ onError: SentRequest.OnError = .report) {
    let list = attributes.list
    sent(xcb_change_window_attributes(raw, window, list.mask, list.values), "ChangeWindowAttributes", window, onError)
  }

  func destroyWindow(_ window: UInt32) { sent(xcb_destroy_window(raw, window), "DestroyWindow", window, .ignore) }

  func mapWindow(_ window: UInt32) { sent(xcb_map_window(raw, window), "MapWindow", window) }

  func unmapWindow(_ window: UInt32) { sent(xcb_unmap_window(raw, window), "UnmapWindow", window, .ignore) }

  func clearArea(_ window: UInt32, exposes: Bool = false) {
    sent(xcb_clear_area(raw, exposes ? 1 : 0, window, 0, 0, 0, 0), "ClearArea", window)
  }

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
      xcb_configure_window(raw, window, UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue), [XCB_STACK_MODE_ABOVE.rawValue]),
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

  /// Grabs the pointer: its events in other programs come as this window's, those in windows of this program as theirs,
  /// unless this window takes them all.
  ///
  /// The answer is false where another program has it, or the window is not viewable or gone.
  func grabPointer(_ window: UInt32, takesAll: Bool = false, _ handler: @escaping (_ isGrabbed: Bool) -> Void) {
    let events =
      XCB_EVENT_MASK_BUTTON_PRESS.rawValue | XCB_EVENT_MASK_BUTTON_RELEASE.rawValue
      | XCB_EVENT_MASK_POINTER_MOTION.rawValue | XCB_EVENT_MASK_ENTER_WINDOW.rawValue
      | XCB_EVENT_MASK_LEAVE_WINDOW.rawValue
    let mode = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
    let grab = xcb_grab_pointer(
      raw, takesAll ? 0 : 1, window, UInt16(events), mode, mode, 0, 0, XCB_TIME_CURRENT_TIME.rawValue)
    whenReplied(grab.sequence) { reply in
      handler(reply?.read(xcb_grab_pointer_reply_t.self).map { UInt32($0.status) } == XCB_GRAB_STATUS_SUCCESS.rawValue)
    }
  }

  /// Releases the pointer, at the current time.
  func releasePointer() { sent(xcb_ungrab_pointer(raw, XCB_TIME_CURRENT_TIME.rawValue), "UngrabPointer", 0) }

  // MARK: Questions

  func windowAttributes(
    _ window: UInt32, _ handler: @escaping (xcb_get_window_attributes_reply_t?) -> Void
  ) {
    whenReplied(xcb_get_window_attributes(raw, window).sequence) { handler($0?.read()) }
  }

  func parent(of window: UInt32, _ handler: @escaping (_ parent: UInt32?) -> Void) {
    whenReplied(xcb_query_tree(raw, window).sequence) { handler($0?.read(xcb_query_tree_reply_t.self)?.parent) }
  }

  /// The windows in a window, the lowest first; none where it is gone.
  func children(of window: UInt32, _ handler: @escaping ([UInt32]) -> Void) {
    whenReplied(xcb_query_tree(raw, window).sequence) { reply in
      let count = reply?.read(xcb_query_tree_reply_t.self)?.children_len ?? 0
      handler(reply?.u32s(ReplyBytes.header, count: Int(count)) ?? [])
    }
  }

  /// A window's place in its parent, without the border; nil where it is gone.
  func geometry(of window: UInt32, _ handler: @escaping (Rect?) -> Void) {
    form(of: window) { handler($0?.frame) }
  }

  /// A window's place in its parent, without the border, and the bits of a pixel; nil where it is gone.
  func form(of window: UInt32, _ handler: @escaping ((frame: Rect, depth: UInt8)?) -> Void) {
    whenReplied(xcb_get_geometry(raw, window).sequence) { reply in
      let found = reply?.read(xcb_get_geometry_reply_t.self)
      handler(found.map { (Rect(x: Int($0.x), y: Int($0.y), width: Int($0.width), height: Int($0.height)), $0.depth) })
    }
  }

  /// The child of a window at a point of it; 0 where there is none.
  func child(at point: Point, of window: UInt32, _ handler: @escaping (UInt32) -> Void) {
    let (x, y) = (Int16(clamping: point.x), Int16(clamping: point.y))
    whenReplied(xcb_translate_coordinates(raw, window, window, x, y).sequence) {
      handler($0?.read(xcb_translate_coordinates_reply_t.self)?.child ?? 0)
    }
  }

  /// The child of a window that the pointer is in; 0 where there is none.
  func childBelowPointer(of window: UInt32, _ handler: @escaping (UInt32) -> Void) {
    whenReplied(xcb_query_pointer(raw, window).sequence) {
      handler($0?.read(xcb_query_pointer_reply_t.self)?.child ?? 0)
    }
  }

  func originInRoot(of window: UInt32, _ handler: @escaping (Point) -> Void) {
    whenReplied(xcb_translate_coordinates(raw, window, screen.root, 0, 0).sequence) { reply in
      guard let found = reply?.read(xcb_translate_coordinates_reply_t.self) else { return }
      handler(Point(x: Int(found.dst_x), y: Int(found.dst_y)))
    }
  }

  /// The window that has the focus; 0 or 1 where none has it, or the one under the pointer.
  func inputFocus(_ handler: @escaping (UInt32) -> Void) {
    whenReplied(xcb_get_input_focus(raw).sequence) { handler($0?.read(xcb_get_input_focus_reply_t.self)?.focus ?? 0) }
  }

  // MARK: The core protocol's requests that put pixels on the screen (X protocol, section 9)

  /// Whether file descriptors can be passed to the server: only through a socket of this machine (unix(7), SCM_RIGHTS).
  ///
  /// libxcb closes the connection for good when it cannot pass one.
  var passesDescriptors: Bool {
    var domain: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(fileDescriptor, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0 && domain == AF_UNIX
  }

  /// The socket of a connection to another machine, or through `ssh`, which may stand still; nil where the server is
  /// one of this machine, which ends with the login session.
  var remoteSocket: Int32? { passesDescriptors ? nil : fileDescriptor }

  /// A colormap for a visual that is not the root's (X protocol, CreateColormap).
  func createColormap(_ colormap: UInt32, visual: UInt32) {
    sent(
      xcb_create_colormap(raw, UInt8(XCB_COLORMAP_ALLOC_NONE.rawValue), colormap, screen.root, visual),
      "CreateColormap", 0)
  }

  /// A graphics context for all drawables of the depth of one, without GraphicsExpose events.
  func createContext(_ context: UInt32, for drawable: UInt32) {
    sent(
      xcb_create_gc(raw, context, drawable, XCB_GC_GRAPHICS_EXPOSURES.rawValue, [UInt32(0)]), "CreateGC", drawable,
      .surface)
  }

  func createPixmap(_ pixmap: UInt32, _ size: Size, depth: UInt8) {
    sent(
      xcb_create_pixmap(
        raw, depth, pixmap, screen.root, UInt16(clamping: size.width), UInt16(clamping: size.height)), "CreatePixmap",
      0, .surface)
  }

  func freePixmap(_ pixmap: UInt32) { sent(xcb_free_pixmap(raw, pixmap), "FreePixmap", 0, .surface) }

  func copyArea(from source: UInt32, to window: UInt32, context: UInt32, _ rect: Rect) {
    let (x, y) = (Int16(clamping: rect.origin.x), Int16(clamping: rect.origin.y))
    sent(
      xcb_copy_area(
        raw, source, window, context, x, y, x, y, UInt16(clamping: rect.size.width),
        UInt16(clamping: rect.size.height)), "CopyArea", window, .surface)
  }

  /// Sends one slice of an image (X protocol, PutImage with ZPixmap), its rows as long as the
  /// server's format for the depth says.
  func putImage(_ window: UInt32, context: UInt32, depth: UInt8, _ rect: Rect, _ bytes: UnsafeRawBufferPointer) {
    sent(
      xcb_put_image(
        raw, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), window, context, UInt16(clamping: rect.size.width),
        UInt16(clamping: rect.size.height), Int16(clamping: rect.origin.x), Int16(clamping: rect.origin.y), 0, depth,
        UInt32(bytes.count), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)), "PutImage", window, .surface)
  }

  // MARK: The core protocol's requests about the keyboard (X protocol, section 9)

  /// Asks for the core keyboard map, in two requests.
  func keyboardMap(_ handler: @escaping (CoreKeyboardMap) -> Void) {
    let codes = keycodes
    var symbols: [UInt32] = []
    var perKey = 0
    let mapping = xcb_get_keyboard_mapping(raw, codes.lowerBound, UInt8(clamping: codes.count))
    whenReplied(mapping.sequence) { reply in
      perKey = Int(reply?.read(xcb_get_keyboard_mapping_reply_t.self)?.keysyms_per_keycode ?? 0)
      symbols = reply?.u32s(ReplyBytes.header, count: perKey * codes.count) ?? []
    }
    whenReplied(xcb_get_modifier_mapping(raw).sequence) { reply in
      let perModifier = Int(reply?.read(xcb_get_modifier_mapping_reply_t.self)?.keycodes_per_modifier ?? 0)
      let modifiers = reply?.u8s(ReplyBytes.header, count: CoreKeyboardMap.modifierCount * perModifier) ?? []
      handler(CoreKeyboardMap(firstCode: codes.lowerBound, perKey: perKey, symbols: symbols, modifiers: modifiers))
    }
  }
}

extension xcb_get_window_attributes_reply_t {
  /// Whether the window is mapped by itself.
  var isMapped: Bool { UInt32(map_state) != XCB_MAP_STATE_UNMAPPED.rawValue }

  /// Whether a client redirects the window's children: of the root, the one universal mark of a window manager
  /// (ICCCM 4.3).
  var isManaged: Bool { all_event_masks & XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT.rawValue != 0 }
}

/// Attributes of a window that a request sets (X protocol, CreateWindow); attributes that are nil stay as they are.
struct WindowAttributes {
  /// The pixels that the server paints where nothing has been drawn.
  enum Background {
    case none
    case pixel(UInt32)
    /// Tiled over the window.
    case pixmap(UInt32)
  }
  var background: Background?
  var borderPixel: UInt32?
  /// Where the contents stay when the window is resized.
  var bitGravity: xcb_gravity_t?
  var isOverrideRedirect: Bool?
  var eventMask: UInt32?
  var colormap: UInt32?
  var cursor: UInt32?

  /// Sets them of a window that may be gone: libxcb drops the error, which the owner of a shared connection would find
  /// among the events.
  func set(of window: UInt32, _ connection: Connection) {
    let cookie = xcb_change_window_attributes_checked(connection.raw, window, list.mask, list.values)
    xcb_discard_reply(connection.raw, cookie.sequence)
  }

  /// The value list in the order of the mask's bits.
  var list: (mask: UInt32, values: [UInt32]) {
    var list: (mask: UInt32, values: [UInt32]) = (0, [])
    func add(_ bit: xcb_cw_t, _ value: UInt32?) {
      guard let value else { return }
      list.mask |= bit.rawValue
      list.values.append(value)
    }
    switch background {
    case .none?: add(XCB_CW_BACK_PIXMAP, XCB_BACK_PIXMAP_NONE.rawValue)
    case .pixmap(let pixmap): add(XCB_CW_BACK_PIXMAP, pixmap)
    case .pixel(let pixel): add(XCB_CW_BACK_PIXEL, pixel)
    case nil: break
    }
    add(XCB_CW_BORDER_PIXEL, borderPixel)
    add(XCB_CW_BIT_GRAVITY, bitGravity?.rawValue)
    add(XCB_CW_OVERRIDE_REDIRECT, isOverrideRedirect.map { $0 ? 1 : 0 })
    add(XCB_CW_EVENT_MASK, eventMask)
    add(XCB_CW_COLORMAP, colormap)
    add(XCB_CW_CURSOR, cursor)
    return list
  }
}
