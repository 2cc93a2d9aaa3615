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
    let event = raw.load(as: x_event.self)
    let isSynthetic = event.any.response_type & 0x80 != 0
    let code = event.any.response_type & 0x7F
    guard !isSynthetic || Self.mayBeSent(code) else { return .unknown(code) }
    switch Int32(code) {
    case 0:
      return .failed(
        XError(
          code: event.error.error_code, sequence: event.error.full_sequence, majorOpcode: event.error.major_code,
          minorOpcode: event.error.minor_code, resource: event.error.resource_id))
    case XCB_KEY_PRESS, XCB_KEY_RELEASE: return .key(input(event), isDown: Int32(code) == XCB_KEY_PRESS)
    case XCB_BUTTON_PRESS, XCB_BUTTON_RELEASE: return .button(input(event), isDown: Int32(code) == XCB_BUTTON_PRESS)
    case XCB_MOTION_NOTIFY: return .motion(input(event))
    case XCB_ENTER_NOTIFY, XCB_LEAVE_NOTIFY:
      guard let mode = WindowSignal.Mode(rawValue: event.crossing.mode),
        let detail = WindowSignal.Detail(rawValue: event.crossing.detail)
      else { return .unknown(code) }
      return .crossing(
        input(event), isEnter: Int32(code) == XCB_ENTER_NOTIFY, mode: mode, detail: detail,
        focus: event.crossing.same_screen_focus & Self.focusBit != 0)
    case XCB_FOCUS_IN, XCB_FOCUS_OUT:
      guard let mode = WindowSignal.Mode(rawValue: event.focus.mode),
        let detail = WindowSignal.Detail(rawValue: event.focus.detail)
      else { return .unknown(code) }
      return .focus(window: event.focus.event, isIn: Int32(code) == XCB_FOCUS_IN, mode: mode, detail: detail)
    case XCB_EXPOSE:
      let (x, y) = (Int(event.expose.x), Int(event.expose.y))
      let rect = Rect(x: x, y: y, width: Int(event.expose.width), height: Int(event.expose.height))
      return .exposed(window: event.expose.window, rect)
    case XCB_VISIBILITY_NOTIFY:
      guard let visibility = WindowSignal.Visibility(rawValue: event.visibility.state) else { return .unknown(code) }
      return .visibility(window: event.visibility.window, visibility)
    case XCB_DESTROY_NOTIFY: return .destroyed(window: event.destroy.window, event: event.destroy.event)
    case XCB_UNMAP_NOTIFY:
      return .unmapped(window: event.unmap.window, event: event.unmap.event, isSynthetic: isSynthetic)
    case XCB_MAP_NOTIFY: return .mapped(window: event.map.window, event: event.map.event)
    case XCB_REPARENT_NOTIFY:
      return .reparented(window: event.reparent.window, event: event.reparent.event, parent: event.reparent.parent)
    case XCB_CONFIGURE_NOTIFY:
      let notify = event.configure
      // The position is that of the border's corner; a window manager may have given the window a border.
      let border = Int(notify.border_width)
      let frame = Rect(
        x: Int(notify.x) + border, y: Int(notify.y) + border, width: Int(notify.width), height: Int(notify.height))
      return .configured(window: notify.window, event: notify.event, frame, isSynthetic: isSynthetic)
    case XCB_PROPERTY_NOTIFY:
      return .property(
        window: event.property.window, property: event.property.atom, time: event.property.time,
        isDeleted: UInt32(event.property.state) == XCB_PROPERTY_DELETE.rawValue)
    case XCB_CLIENT_MESSAGE:
      guard event.message.format == 32 else {
        guard event.message.format == 8 else { return .unknown(code) }
        return .bytes(
          window: event.message.window, type: event.message.type, withUnsafeBytes(of: event.message.data) { Array($0) })
      }
      let words = event.message.data.data32
      return .message(
        window: event.message.window, type: event.message.type, [words.0, words.1, words.2, words.3, words.4])
    case XCB_SELECTION_REQUEST:
      let request = event.selection_request
      return .selectionRequested(
        SelectionRequest(
          time: request.time, owner: request.owner, requestor: request.requestor, selection: request.selection,
          target: request.target, property: request.property))
    case XCB_SELECTION_NOTIFY:
      return .selectionNotified(requestor: event.selection_notify.requestor, property: event.selection_notify.property)
    case XCB_SELECTION_CLEAR:
      return .selectionCleared(selection: event.selection_clear.selection, time: event.selection_clear.time)
    case XCB_MAPPING_NOTIFY:
      return UInt32(event.mapping.request) == XCB_MAPPING_POINTER.rawValue ? .unknown(code) : .keyboardMapping
    case XCB_GE_GENERIC where event.generic.extension == inputOpcode: return DeviceEventDecoder(raw).decode()
    case XCB_GE_GENERIC where event.generic.extension == presentOpcode: return decodePresent(event, raw)
    case _: return decodeExtension(code, event)
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

  private func input(_ event: x_event) -> XInput {
    let input = event.input
    return XInput(
      window: input.event, detail: input.detail, time: input.time, state: input.state,
      location: Point(x: Int(input.event_x), y: Int(input.event_y)),
      rootLocation: Point(x: Int(input.root_x), y: Int(input.root_y)), isSynthetic: input.response_type & 0x80 != 0)
  }

  /// The bit of a crossing event that says: the window, or one above or below it, has the focus (EnterNotify).
  private static let focusBit: UInt8 = 1

  private func decodeExtension(_ code: UInt8, _ event: x_event) -> XEvent {
    // RRScreenChangeNotify and RRNotify (randrproto.txt, section 8): what changed is asked for anew.
    if let first = firstRandREvent, code == first || code == first &+ 1 { return .screensChanged }
    if code == firstScreenSaverEvent { return .screenSaver(isOn: Self.isScreenSaverOn(event.screen_saver.state)) }
    if code == firstFixesEvent {
      return .selectionOwner(selection: event.fixes_selection.selection, owner: event.fixes_selection.owner)
    }
    if code == firstShmEvent {
      return .shmCompleted(drawable: event.shm_completion.drawable, segment: event.shm_completion.segment)
    }
    return .unknown(code)
  }

  /// Whether a state means that the screen saver is on; Cycle is another picture (saverproto.h).
  static func isScreenSaverOn(_ state: UInt8) -> Bool {
    UInt32(state) == SCREEN_SAVER_ON.rawValue || UInt32(state) == SCREEN_SAVER_CYCLE.rawValue
  }

  private func decodePresent(_ event: x_event, _ raw: UnsafeRawPointer) -> XEvent {
    switch UInt32(event.generic.event_type) {
    // Two units of four beyond the first 32 bytes.
    case PRESENT_COMPLETE.rawValue where event.generic.length >= 2:
      let event = raw.load(as: present_complete_event.self)
      return .presentCompleted(
        PresentCompletion(
          window: event.window, serial: event.serial, isFrame: UInt32(event.kind) == PRESENT_KIND_PIXMAP.rawValue,
          ust: unsafeBitCast(event.ust, to: UInt64.self), msc: unsafeBitCast(event.msc, to: UInt64.self)))
    case PRESENT_IDLE.rawValue:
      return .presentIdle(window: event.present_idle.window, pixmap: event.present_idle.pixmap)
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
    let event = peeked.take() ?? (onlyQueued ? xcb_poll_for_queued_event(raw) : xcb_poll_for_event(raw))
    guard let event else { return nil }
    defer { free(event) }
    handleReplies(through: event.pointee.full_sequence)
    // After the replies: one of them may bring the number of an extension's events.
    return decoder.decode(UnsafeRawPointer(event))
  }

  /// Decodes an event that another part of the program has read from the connection, once every reply has been handled
  /// that the server sent before it.
  func decode(_ event: UnsafePointer<xcb_generic_event_t>) -> XEvent {
    handleReplies(through: event.pointee.full_sequence)
    return decoder.decode(UnsafeRawPointer(event))
  }

  /// The event after the one being handled, if it has been read already.
  func peekEvent() -> XEvent? {
    if peeked == nil { peeked = xcb_poll_for_queued_event(raw) }
    return peeked.map { decoder.decode(UnsafeRawPointer($0)) }
  }
}

/// An event of the X server, decoded: every event that the platform selects, and `unknown` for all others.
enum XEvent: Hashable, Sendable {
  case key(XInput, isDown: Bool)
  case button(XInput, isDown: Bool)
  case motion(XInput)
  case crossing(XInput, isEnter: Bool, mode: WindowSignal.Mode, detail: WindowSignal.Detail, focus: Bool)
  case focus(window: UInt32, isIn: Bool, mode: WindowSignal.Mode, detail: WindowSignal.Detail)
  case exposed(window: UInt32, Rect)
  case visibility(window: UInt32, WindowSignal.Visibility)
  case destroyed(window: UInt32, event: UInt32)
  case unmapped(window: UInt32, event: UInt32, isSynthetic: Bool)
  case mapped(window: UInt32, event: UInt32)
  case reparented(window: UInt32, event: UInt32, parent: UInt32)
  case configured(window: UInt32, event: UInt32, Rect, isSynthetic: Bool)
  case property(window: UInt32, property: UInt32, time: UInt32, isDeleted: Bool)
  /// A client message of format 32; that of format 16 is unknown.
  case message(window: UInt32, type: UInt32, [UInt32])
  /// A client message of format 8.
  case bytes(window: UInt32, type: UInt32, [UInt8])
  case device(DeviceEvent)
  /// Devices have come or gone, or have other axes.
  case devicesChanged
  /// Another device moves the master from now on.
  case deviceSwitched
  case keyboardMapping
  case selectionOwner(selection: UInt32, owner: UInt32)
  case selectionRequested(SelectionRequest)
  case selectionNotified(requestor: UInt32, property: UInt32)
  case selectionCleared(selection: UInt32, time: UInt32)
  case screensChanged
  case screenSaver(isOn: Bool)
  /// A pixmap was shown, or the moment that was asked for has come.
  case presentCompleted(PresentCompletion)
  /// The server does not need a pixmap any more.
  case presentIdle(window: UInt32, pixmap: UInt32)
  case shmCompleted(drawable: UInt32, segment: UInt32)
  case failed(XError)
  case unknown(UInt8)
}

/// The part that pointer and key events have in common.
struct XInput: Hashable, Sendable {
  var window: UInt32
  /// The keycode or the button; means nothing in crossings, which have their detail beside it.
  var detail: UInt8
  var time: UInt32
  /// Modifiers and buttons before the event, and the keyboard group (XKB protocol, section 2.2.2).
  var state: UInt16
  var location: Point
  /// The same place on the root.
  var rootLocation = Point(x: 0, y: 0)
  /// Whether another client sent it (SendEvent): nothing about the focus or the time follows from it.
  var isSynthetic = false

  /// The flags have the bits of the protocol's KEYBUTMASK; Mod3 and Mod5 have no name there.
  var modifiers: ModifierFlags { ModifierFlags(rawValue: state & 0b101_1111) }

  /// The keyboard group in a state: bits 13 and 14.
  static func group(_ state: UInt16) -> UInt16 { state >> 13 & 3 }
  static let groupMask: UInt16 = 3 << 13
}

/// An error that the server sent for a request (X protocol, section 4 "Errors").
struct XError: Hashable, Sendable {
  var code: UInt8
  var sequence: UInt32
  var majorOpcode: UInt8
  var minorOpcode: UInt16
  var resource: UInt32

  /// The error's name in the protocol; extensions' errors have numbers of their own.
  var name: String {
    let names = [
      "Request", "Value", "Window", "Pixmap", "Atom", "Cursor", "Font", "Match", "Drawable", "Access", "Alloc",
      "Colormap", "GContext", "IDChoice", "Name", "Length", "Implementation",
    ]
    let index = Int(code) - 1
    return names.indices.contains(index) ? "Bad" + names[index] : "error \(code)"
  }

  /// A line for the trace, naming the request as far as it is recorded.
  func message(_ request: SentRequest?) -> String {
    let name = request.map { "\($0.name)" } ?? "request \(majorOpcode).\(minorOpcode)"
    let window = request.map { $0.window == 0 ? "" : " on window 0x" + String($0.window, radix: 16) } ?? ""
    return "the X server refused \(name)\(window): \(self.name) (0x\(String(resource, radix: 16)))"
  }
}

/// Present's CompleteNotify (presentproto.txt, section 8).
struct PresentCompletion: Hashable, Sendable {
  var window: UInt32
  var serial: UInt32
  /// Whether a pixmap was shown; else a moment has come.
  var isFrame: Bool
  /// The clock of the server, in microseconds, and its count of frames.
  var ust: UInt64
  var msc: UInt64
}
