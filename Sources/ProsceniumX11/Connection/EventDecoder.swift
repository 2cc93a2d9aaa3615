import CXCB
import Glibc
import ProsceniumPlatform

/// Decodes the events that libxcb reads.
///
/// Total: an event that is not known, or not as the protocol says, is `unknown`.
///
/// Encodings are those of the X protocol's appendix B. libxcb gives every event at least 36 bytes.
struct EventDecoder: Sendable {
  /// The first events of the extensions, where the server has them.
  var firstRandREvent: UInt8?
  var firstFixesEvent: UInt8?
  var firstScreenSaverEvent: UInt8?
  var firstShmEvent: UInt8?
  /// Present's major opcode, which its generic events carry.
  var presentOpcode: UInt8?
  /// XInput's major opcode, which its generic events carry.
  var inputOpcode: UInt8?

  /// Decodes the event of 36 bytes or more at a pointer of libxcb's.
  func decode(_ raw: UnsafeRawPointer) -> XEvent {
    let header = raw.load(as: xcb_generic_event_t.self)
    let isSynthetic = header.response_type & 0x80 != 0
    let code = header.response_type & 0x7F
    guard !isSynthetic || Self.mayBeSent(code) else { return .unknown(code) }
    switch Int32(code) {
    case 0: return decodeError(raw.load(as: xcb_generic_error_t.self))
    case XCB_KEY_PRESS, XCB_KEY_RELEASE:
      return .key(input(raw.load(as: xcb_key_press_event_t.self)), isDown: Int32(code) == XCB_KEY_PRESS)
    case XCB_BUTTON_PRESS, XCB_BUTTON_RELEASE:
      // Button, motion and key events have one layout.
      return .button(input(raw.load(as: xcb_key_press_event_t.self)), isDown: Int32(code) == XCB_BUTTON_PRESS)
    case XCB_MOTION_NOTIFY: return .motion(input(raw.load(as: xcb_key_press_event_t.self)))
    case XCB_ENTER_NOTIFY, XCB_LEAVE_NOTIFY:
      return decodeCrossing(raw.load(as: xcb_enter_notify_event_t.self), isEnter: Int32(code) == XCB_ENTER_NOTIFY)
    case XCB_FOCUS_IN, XCB_FOCUS_OUT:
      let focus = raw.load(as: xcb_focus_in_event_t.self)
      guard let mode = WindowSignal.Mode(rawValue: focus.mode), let detail = WindowSignal.Detail(rawValue: focus.detail)
      else { return .unknown(code) }
      return .focus(window: focus.event, isIn: Int32(code) == XCB_FOCUS_IN, mode: mode, detail: detail)
    case XCB_EXPOSE:
      let expose = raw.load(as: xcb_expose_event_t.self)
      return .exposed(
        window: expose.window,
        Rect(x: Int(expose.x), y: Int(expose.y), width: Int(expose.width), height: Int(expose.height)))
    case XCB_VISIBILITY_NOTIFY:
      let notify = raw.load(as: xcb_visibility_notify_event_t.self)
      guard let visibility = WindowSignal.Visibility(rawValue: notify.state) else { return .unknown(code) }
      return .visibility(window: notify.window, visibility)
    case XCB_DESTROY_NOTIFY:
      let notify = raw.load(as: xcb_destroy_notify_event_t.self)
      return .destroyed(window: notify.window, event: notify.event)
    case XCB_UNMAP_NOTIFY:
      let notify = raw.load(as: xcb_unmap_notify_event_t.self)
      return .unmapped(window: notify.window, event: notify.event, isSynthetic: isSynthetic)
    case XCB_MAP_NOTIFY:
      let notify = raw.load(as: xcb_map_notify_event_t.self)
      return .mapped(window: notify.window, event: notify.event)
    case XCB_REPARENT_NOTIFY:
      let notify = raw.load(as: xcb_reparent_notify_event_t.self)
      return .reparented(window: notify.window, event: notify.event, parent: notify.parent)
    case XCB_CONFIGURE_NOTIFY:
      let notify = raw.load(as: xcb_configure_notify_event_t.self)
      // The position is that of the border's corner; a window manager may have given the window a border.
      let border = Int(notify.border_width)
      let frame = Rect(
        x: Int(notify.x) + border, y: Int(notify.y) + border, width: Int(notify.width), height: Int(notify.height))
      return .configured(window: notify.window, event: notify.event, frame, isSynthetic: isSynthetic)
    case XCB_PROPERTY_NOTIFY:
      let notify = raw.load(as: xcb_property_notify_event_t.self)
      return .property(
        window: notify.window, property: notify.atom, time: notify.time,
        isDeleted: UInt32(notify.state) == XCB_PROPERTY_DELETE.rawValue)
    case XCB_CLIENT_MESSAGE:
      let message = raw.load(as: xcb_client_message_event_t.self)
      guard message.format == 32 else { return .unknown(code) }
      let words = message.data.data32
      return .message(window: message.window, type: message.type, [words.0, words.1, words.2, words.3, words.4])
    case XCB_SELECTION_REQUEST:
      let request = raw.load(as: xcb_selection_request_event_t.self)
      return .selectionRequested(
        SelectionRequest(
          time: request.time, owner: request.owner, requestor: request.requestor, selection: request.selection,
          target: request.target, property: request.property))
    case XCB_SELECTION_NOTIFY:
      let notify = raw.load(as: xcb_selection_notify_event_t.self)
      return .selectionNotified(requestor: notify.requestor, property: notify.property)
    case XCB_SELECTION_CLEAR:
      let clear = raw.load(as: xcb_selection_clear_event_t.self)
      return .selectionCleared(selection: clear.selection, time: clear.time)
    case XCB_MAPPING_NOTIFY:
      let request = UInt32(raw.load(as: xcb_mapping_notify_event_t.self).request)
      return request == XCB_MAPPING_POINTER.rawValue ? .unknown(code) : .keyboardMapping
    case XCB_GE_GENERIC:
      let generic = raw.load(as: xcb_ge_generic_event_t.self)
      if generic.extension == inputOpcode { return DeviceEventDecoder(raw).decode() }
      if generic.extension == presentOpcode { return decodePresent(raw) }
      return .unknown(code)
    case _: return decodeExtension(code, raw)
    }
  }

  /// Whether an event means anything where a client sent it (X protocol, SendEvent), and not the server.
  ///
  /// Messages between clients do (ICCCM 2.2, 4.1.4, 4.1.5 and 4.2.8), and input, which tools send to one window. All
  /// other events are about the state of things, which only the server knows.
  private static func mayBeSent(_ code: UInt8) -> Bool {
    switch Int32(code) {
    case XCB_KEY_PRESS, XCB_KEY_RELEASE, XCB_BUTTON_PRESS, XCB_BUTTON_RELEASE, XCB_MOTION_NOTIFY,
      XCB_UNMAP_NOTIFY, XCB_CONFIGURE_NOTIFY, XCB_CLIENT_MESSAGE, XCB_SELECTION_NOTIFY:
      true
    case _: false
    }
  }

  private func input(_ event: xcb_key_press_event_t) -> XInput {
    XInput(
      window: event.event, detail: event.detail, time: event.time, state: event.state,
      location: Point(x: Int(event.event_x), y: Int(event.event_y)), isSynthetic: event.response_type & 0x80 != 0)
  }

  /// The bit of a crossing event that says: the window, or one above or below it, has the focus (EnterNotify).
  private static let focusBit: UInt8 = 1

  private func decodeCrossing(_ event: xcb_enter_notify_event_t, isEnter: Bool) -> XEvent {
    guard let mode = WindowSignal.Mode(rawValue: event.mode), let detail = WindowSignal.Detail(rawValue: event.detail)
    else { return .unknown(event.response_type & 0x7F) }
    let input = XInput(
      window: event.event, detail: 0, time: event.time, state: event.state,
      location: Point(x: Int(event.event_x), y: Int(event.event_y)))
    return .crossing(
      input, isEnter: isEnter, mode: mode, detail: detail, focus: event.same_screen_focus & Self.focusBit != 0)
  }

  private func decodeError(_ error: xcb_generic_error_t) -> XEvent {
    .failed(
      XError(
        code: error.error_code, sequence: error.full_sequence, majorOpcode: error.major_code,
        minorOpcode: error.minor_code, resource: error.resource_id))
  }

  private func decodeExtension(_ code: UInt8, _ raw: UnsafeRawPointer) -> XEvent {
    // RRScreenChangeNotify and RRNotify (randrproto.txt, section 8): what changed is asked for anew.
    if let first = firstRandREvent, code == first || code == first &+ 1 { return .screensChanged }
    if code == firstScreenSaverEvent {
      return .screenSaver(isOn: Self.isScreenSaverOn(raw.load(as: screen_saver_event.self).state))
    }
    if code == firstFixesEvent {
      let event = raw.load(as: fixes_selection_event.self)
      return .selectionOwner(selection: event.selection, owner: event.owner)
    }
    if code == firstShmEvent {
      let event = raw.load(as: shm_completion_event.self)
      return .shmCompleted(drawable: event.drawable, segment: event.segment)
    }
    return .unknown(code)
  }

  /// Whether a state means that the screen saver is on; Cycle is another picture (saverproto.h).
  static func isScreenSaverOn(_ state: UInt8) -> Bool {
    UInt32(state) == SCREEN_SAVER_ON.rawValue || UInt32(state) == SCREEN_SAVER_CYCLE.rawValue
  }

  private func decodePresent(_ raw: UnsafeRawPointer) -> XEvent {
    let generic = raw.load(as: xcb_ge_generic_event_t.self)
    switch UInt32(generic.event_type) {
    // Two units of four beyond the first 32 bytes.
    case PRESENT_COMPLETE.rawValue where generic.length >= 2:
      let event = raw.load(as: present_complete_event.self)
      return .presentCompleted(
        PresentCompletion(
          window: event.window, serial: event.serial, ust: unsafeBitCast(event.ust, to: UInt64.self),
          msc: unsafeBitCast(event.msc, to: UInt64.self)))
    case PRESENT_IDLE.rawValue:
      let event = raw.load(as: present_idle_event.self)
      return .presentIdle(window: event.window, pixmap: event.pixmap)
    case _: return .unknown(UInt8(XCB_GE_GENERIC))
    }
  }
}

extension Connection {
  /// The next event, once every reply has been handled that the server sent before it; nil when nothing is left to
  /// read.
  ///
  /// An event carries the number of the last request that the server had processed (X protocol, section 1), so a
  /// reply with that number or a lower one came first.
  /// - Parameter onlyQueued: Whether only events that libxcb has already read are returned, without a read of the
  ///   socket.
  /// - Returns: The event; nil where none is waiting.
  func nextEvent(onlyQueued: Bool = false) -> XEvent? {
    let event = peeked ?? (onlyQueued ? xcb_poll_for_queued_event(raw) : xcb_poll_for_event(raw))
    peeked = nil
    guard let event else { return nil }
    defer { free(event) }
    handleReplies(through: event.pointee.full_sequence)
    // After the replies: one of them may bring the number of an extension's events.
    return decoder.decode(UnsafeRawPointer(event))
  }

  /// The event after the one being handled, if it has been read already.
  func peekEvent() -> XEvent? {
    if peeked == nil { peeked = xcb_poll_for_queued_event(raw) }
    return peeked.map { decoder.decode(UnsafeRawPointer($0)) }
  }
}
