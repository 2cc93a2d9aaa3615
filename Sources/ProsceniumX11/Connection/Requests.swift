import CXCB

/// The core protocol's requests, typed, each noted for the case that it fails (X protocol, section 9).
extension Connection {
  enum PropertyMode: UInt8 {
    case replace = 0
    case append = 2
  }

  struct WindowAttributes {
    /// Nothing is painted where nothing has been drawn; wins over the pixel.
    var hasNoBackground = false
    /// Tiled over the window; wins over the pixel.
    var backgroundPixmap: UInt32?
    var backgroundPixel: UInt32?
    var borderPixel: UInt32?
    /// Where the contents stay when the window is resized: Forget 0, NorthWest 1.
    var bitGravity: UInt32?
    var eventMask: UInt32?
    var colormap: UInt32?

    /// The value list in the order of the mask's bits.
    var list: (mask: UInt32, values: [UInt32]) {
      var mask: UInt32 = 0
      var values: [UInt32] = []
      if hasNoBackground {
        mask |= XCB_CW_BACK_PIXMAP.rawValue
        values.append(0)
      } else if let backgroundPixmap {
        mask |= XCB_CW_BACK_PIXMAP.rawValue
        values.append(backgroundPixmap)
      } else if let backgroundPixel {
        mask |= XCB_CW_BACK_PIXEL.rawValue
        values.append(backgroundPixel)
      }
      if let borderPixel {
        mask |= XCB_CW_BORDER_PIXEL.rawValue
        values.append(borderPixel)
      }
      if let bitGravity {
        mask |= XCB_CW_BIT_GRAVITY.rawValue
        values.append(bitGravity)
      }
      if let eventMask {
        mask |= XCB_CW_EVENT_MASK.rawValue
        values.append(eventMask)
      }
      if let colormap {
        mask |= XCB_CW_COLORMAP.rawValue
        values.append(colormap)
      }
      return (mask, values)
    }
  }

  /// At the current time; nothing happens where this client holds neither.
  func releaseGrabs() {
    sent(xcb_ungrab_pointer(raw, 0), "UngrabPointer", 0)
    sent(xcb_ungrab_keyboard(raw, 0), "UngrabKeyboard", 0)
  }

  func createWindow(
    _ window: UInt32, x: Int16, y: Int16, width: UInt16, height: UInt16, attributes: WindowAttributes,
    isInputOnly: Bool = false, depth: UInt8 = 0, visual: UInt32 = 0
  ) {
    let list = attributes.list
    let kind = isInputOnly ? XCB_WINDOW_CLASS_INPUT_ONLY : XCB_WINDOW_CLASS_INPUT_OUTPUT
    sent(
      xcb_create_window(
        raw, depth, window, screen.root, x, y, width, height, 0, UInt16(kind.rawValue), visual, list.mask,
        list.values),
      "CreateWindow", window, .window)
  }

  func changeAttributes(_ window: UInt32, _ attributes: WindowAttributes, _ onError: RequestNote.OnError = .report) {
    let list = attributes.list
    sent(
      xcb_change_window_attributes(raw, window, list.mask, list.values), "ChangeWindowAttributes", window, onError)
  }

  // Another client may destroy one of our windows at any time; what we still ask about it then may fail in silence,
  // because its DestroyNotify is on the way.
  func destroyWindow(_ window: UInt32) {
    sent(xcb_destroy_window(raw, window), "DestroyWindow", window, .ignore)
  }

  func mapWindow(_ window: UInt32) { sent(xcb_map_window(raw, window), "MapWindow", window) }

  func unmapWindow(_ window: UInt32) { sent(xcb_unmap_window(raw, window), "UnmapWindow", window, .ignore) }

  func clearArea(_ window: UInt32) { sent(xcb_clear_area(raw, 0, window, 0, 0, 0, 0), "ClearArea", window) }

  func configure(_ window: UInt32, x: Int16, y: Int16, width: UInt16, height: UInt16) {
    let mask =
      XCB_CONFIG_WINDOW_X.rawValue | XCB_CONFIG_WINDOW_Y.rawValue | XCB_CONFIG_WINDOW_WIDTH.rawValue
      | XCB_CONFIG_WINDOW_HEIGHT.rawValue
    let values = [
      UInt32(bitPattern: Int32(x)), UInt32(bitPattern: Int32(y)), UInt32(width), UInt32(height),
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

  func changeProperty(
    _ window: UInt32, _ property: UInt32, type: UInt32, _ values: [UInt32], mode: PropertyMode = .replace
  ) {
    guard property != 0, type != 0 else { return }
    sent(
      xcb_change_property(raw, mode.rawValue, window, property, type, 32, UInt32(values.count), values),
      "ChangeProperty", window)
  }

  func changeProperty(
    _ window: UInt32, _ property: UInt32, type: UInt32, bytes: [UInt8], mode: PropertyMode = .replace
  ) {
    guard property != 0, type != 0 else { return }
    sent(
      xcb_change_property(raw, mode.rawValue, window, property, type, 8, UInt32(bytes.count), bytes),
      "ChangeProperty", window)
  }

  func deleteProperty(_ window: UInt32, _ property: UInt32) {
    guard property != 0 else { return }
    sent(xcb_delete_property(raw, window, property), "DeleteProperty", window)
  }

  /// How a client message is carried.
  enum MessageData {
    case words([UInt32])
    case bytes([UInt8])
  }

  /// Sends a client message (ICCCM 4.2.8) to a window, for whoever selected `mask` on it.
  func sendMessage(_ type: UInt32, about window: UInt32, _ data: MessageData, to destination: UInt32, mask: UInt32) {
    guard type != 0 else { return }
    var event = xcb_client_message_event_t()
    event.response_type = UInt8(XCB_CLIENT_MESSAGE)
    event.window = window
    event.type = type
    withUnsafeMutableBytes(of: &event.data) { target in
      switch data {
      case .words(let words):
        event.format = 32
        words.prefix(5).withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer($0)) }
      case .bytes(let bytes):
        event.format = 8
        target.copyBytes(from: bytes.prefix(20))
      }
    }
    send(event, to: destination, mask: mask)
  }

  /// The second half of withdrawing a window (ICCCM 4.1.4): tells a window manager that misses the real one.
  func sendUnmapNotify(_ window: UInt32) {
    var event = xcb_unmap_notify_event_t()
    event.response_type = UInt8(XCB_UNMAP_NOTIFY)
    event.event = screen.root
    event.window = window
    send(event, to: screen.root, mask: Self.managerMask)
  }

  /// Whom messages to the window manager are sent to (EWMH, "Root Window Properties").
  static var managerMask: UInt32 {
    XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY.rawValue | XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT.rawValue
  }

  /// Every event on the wire has 32 bytes (X protocol, section 1 "Event Format"); the C structs may be shorter.
  func send<Event>(_ event: Event, to destination: UInt32, mask: UInt32) {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { bytes in
      bytes.initialize(repeating: 0)
      withUnsafeBytes(of: event) { UnsafeMutableRawBufferPointer(bytes).copyMemory(from: $0) }
      sent(xcb_send_event(raw, 0, destination, mask, bytes.baseAddress), "SendEvent", destination, .ignore)
    }
  }

  // MARK: Requests with replies

  func internAtom(_ name: String, _ handler: @escaping @MainActor (UInt32) -> Void) {
    let cookie = xcb_intern_atom(raw, 0, UInt16(name.utf8.count), name)
    whenReplied(cookie.sequence) { handler($0?.u32(8) ?? 0) }
  }

  /// - Returns: The number of the request.
  @discardableResult
  func atomName(_ atom: UInt32, _ handler: @escaping @MainActor (String?) -> Void) -> UInt32 {
    let cookie = xcb_get_atom_name(raw, atom)
    whenReplied(cookie.sequence) { reply in
      handler(reply.map { String(decoding: $0.u8s(32, count: Int($0.u16(8) ?? 0)), as: UTF8.self) })
    }
    return cookie.sequence
  }

  /// What of a window's attributes matters: whether it is mapped by itself, and what all clients together selected.
  struct AttributesReply {
    var isMapped: Bool
    var allEventMasks: UInt32
  }

  func windowAttributes(_ window: UInt32, _ handler: @escaping @MainActor (AttributesReply?) -> Void) {
    let cookie = xcb_get_window_attributes(raw, window)
    whenReplied(cookie.sequence) { reply in
      // GetWindowAttributes reply: map-state at 26 (0 Unmapped), all-event-masks at 32.
      guard let state = reply?.u8(26), let masks = reply?.u32(32) else { return handler(nil) }
      handler(AttributesReply(isMapped: state != 0, allEventMasks: masks))
    }
  }

  func parent(of window: UInt32, _ handler: @escaping @MainActor (_ parent: UInt32?) -> Void) {
    let cookie = xcb_query_tree(raw, window)
    whenReplied(cookie.sequence) { handler($0?.u32(12)) }
  }

  func originInRoot(of window: UInt32, _ handler: @escaping @MainActor (_ x: Int, _ y: Int) -> Void) {
    let cookie = xcb_translate_coordinates(raw, window, screen.root, 0, 0)
    whenReplied(cookie.sequence) { reply in
      guard let reply, let x = reply.i16(12), let y = reply.i16(14) else { return }
      handler(Int(x), Int(y))
    }
  }

  /// Reads at most `limit` 32-bit units of a property, of whatever type it has.
  func property(
    _ window: UInt32, _ property: UInt32, limit: UInt32, _ handler: @escaping @MainActor (PropertyValue?) -> Void
  ) {
    guard property != 0 else { return handler(nil) }
    let cookie = xcb_get_property(raw, 0, window, property, PredefinedAtom.any, 0, limit)
    whenReplied(cookie.sequence) { handler($0.flatMap(PropertyValue.init)) }
  }
}
