import CXCB
import FoundationEssentials

/// The core protocol's requests about atoms and properties (X protocol, section 9).
extension Connection {
  /// How many bytes of a property fit into one request, without the BIG-REQUESTS extension, whose enabling would be
  /// waited for.
  var largestPiece: Int {
    // ChangeProperty's own 24 bytes, and some.
    max(1024, min(screen.longestRequest - 64, 1 << 18))
  }

  /// Writes a property, in units as large as the values.
  func changeProperty<Unit: FixedWidthInteger>(
    _ window: UInt32, _ property: UInt32, type: UInt32, _ values: [Unit],
    mode: xcb_prop_mode_t = XCB_PROP_MODE_REPLACE, _ onError: SentRequest.OnError = .report
  ) {
    guard property != 0, type != 0 else { return }
    sent(
      xcb_change_property(
        raw, UInt8(mode.rawValue), window, property, type, UInt8(Unit.bitWidth), UInt32(values.count), values),
      "ChangeProperty", window, onError)
  }

  /// Appends nothing to a property, whose PropertyNotify reports the server's time (ICCCM 2.1).
  func touchProperty(_ window: UInt32, _ property: UInt32, type: UInt32) {
    changeProperty(window, property, type: type, [UInt32](), mode: XCB_PROP_MODE_APPEND)
  }

  func deleteProperty(_ window: UInt32, _ property: UInt32) {
    guard property != 0 else { return }
    sent(xcb_delete_property(raw, window, property), "DeleteProperty", window)
  }

  /// Writes bytes onto another client's window, which may have been destroyed.
  func write(_ data: Data, type: UInt32, to window: UInt32, _ property: UInt32) {
    data.withUnsafeBytes { bytes in
      sent(
        xcb_change_property(
          raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, property, type, 8, UInt32(bytes.count), bytes.baseAddress),
        "ChangeProperty", window, .ignore)
    }
  }

  // MARK: Questions

  func internAtom(_ name: String, _ handler: @escaping (UInt32) -> Void) {
    whenReplied(xcb_intern_atom(raw, 0, UInt16(name.utf8.count), name).sequence) {
      handler($0?.read(xcb_intern_atom_reply_t.self)?.atom ?? 0)
    }
  }

  /// Asks for an atom's name.
  /// - Returns: The number of the request.
  @discardableResult
  func atomName(_ atom: UInt32, _ handler: @escaping (String?) -> Void) -> UInt32 {
    let cookie = xcb_get_atom_name(raw, atom)
    whenReplied(cookie.sequence) { reply in
      let length = reply?.read(xcb_get_atom_name_reply_t.self)?.name_len ?? 0
      handler(reply.map { String(decoding: $0.u8s(ReplyBytes.header, count: Int(length)), as: UTF8.self) })
    }
    return cookie.sequence
  }

  /// Reads at most `limit` 32-bit units of a property, of whatever type it has.
  /// - Parameters:
  ///   - window: The window that has the property.
  ///   - property: The property's atom; with 0 the handler is called at once with nil.
  ///   - limit: The greatest length that is read, in units of four bytes.
  ///   - deletes: Whether a property that is read whole is deleted, which lets its writer send the next part (ICCCM
  ///     2.7.2).
  ///   - handler: Called with the value, or with nil where the window or the property does not exist.
  func property(
    _ window: UInt32, _ property: UInt32, limit: UInt32, deletes: Bool = false,
    _ handler: @escaping (PropertyValue?) -> Void
  ) {
    guard property != 0 else { return handler(nil) }
    let cookie = xcb_get_property(raw, deletes ? 1 : 0, window, property, PredefinedAtom.any, 0, limit)
    whenReplied(cookie.sequence) { handler($0.flatMap(PropertyValue.init)) }
  }

  // MARK: Events that the program sends: to window managers, launchers and other clients (X protocol, SendEvent)

  /// Sends a client message (ICCCM 4.2.8) to a window.
  /// - Parameters:
  ///   - type: The message's type; nothing is sent where it is 0.
  ///   - window: The window that the message is about.
  ///   - data: At most five words, or twenty bytes.
  ///   - destination: The window that the message is sent to.
  ///   - mask: The clients that selected one of these events on the destination get it; with 0 its owner does.
  func sendMessage<Unit: FixedWidthInteger>(
    _ type: UInt32, about window: UInt32, _ data: [Unit], to destination: UInt32, mask: UInt32
  ) {
    guard type != 0 else { return }
    var event = xcb_client_message_event_t()
    event.response_type = UInt8(XCB_CLIENT_MESSAGE)
    event.format = UInt8(Unit.bitWidth)
    event.window = window
    event.type = type
    withUnsafeMutableBytes(of: &event.data) { target in
      data.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(target.count))) }
    }
    send(event, to: destination, mask: mask)
  }

  /// Sends a client message to the window manager (EWMH, "Root Window Properties").
  func sendToManager(_ type: UInt32, about window: UInt32, _ words: [UInt32]) {
    sendMessage(type, about: window, words, to: screen.root, mask: Self.managerMask)
  }

  /// The second half of withdrawing a window (ICCCM 4.1.4): informs a window manager that misses the real one.
  func sendUnmapNotify(_ window: UInt32) {
    var event = xcb_unmap_notify_event_t()
    event.response_type = UInt8(XCB_UNMAP_NOTIFY)
    event.event = screen.root
    event.window = window
    send(event, to: screen.root, mask: Self.managerMask)
  }

  private static var managerMask: UInt32 {
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

  // MARK: The core protocol's requests about selections (X protocol, section 9)

  func setSelectionOwner(_ owner: UInt32, _ selection: UInt32, time: UInt32) {
    sent(xcb_set_selection_owner(raw, owner, selection, time), "SetSelectionOwner", owner)
  }

  func selectionOwner(_ selection: UInt32, _ handler: @escaping (UInt32?) -> Void) {
    whenReplied(xcb_get_selection_owner(raw, selection).sequence) {
      handler($0?.read(xcb_get_selection_owner_reply_t.self)?.owner)
    }
  }

  /// Mostly at the current time, 0: a program may paste without an event behind it, and an older time would be refused.
  func convertSelection(
    _ selection: UInt32, to target: UInt32, _ property: UInt32, of window: UInt32, time: UInt32 = 0
  ) {
    sent(
      xcb_convert_selection(raw, window, selection, target, property, time),
      "ConvertSelection", window, .ignore)
  }

  /// Answers a request (X protocol, SelectionNotify); property 0 refuses it.
  func answer(_ request: SelectionRequest, property: UInt32) {
    var event = xcb_selection_notify_event_t()
    event.response_type = UInt8(XCB_SELECTION_NOTIFY)
    event.time = request.time
    event.requestor = request.requestor
    event.selection = request.selection
    event.target = request.target
    event.property = property
    send(event, to: request.requestor, mask: 0)
  }
}
