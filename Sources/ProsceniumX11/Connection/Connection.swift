import CXCB
import Glibc
import ProsceniumPlatform

/// The one owner of the connection to the X server: requests out, replies and events in.
///
/// Nothing here waits for a reply, but ``awaitAll()`` and ``await(through:)``, for start-up. Replies and events are handed out
/// in the order in which the server sent them, so that whoever hears of an event has heard of every reply before it.
@MainActor final class Connection {
  typealias ReplyHandler = @MainActor (ReplyBytes?) -> Void

  private struct Pending {
    var sequence: UInt32
    var handler: ReplyHandler
  }

  /// libxcb is thread safe; the pointer is only handed to libxcb.
  nonisolated(unsafe) let raw: OpaquePointer
  let display: String
  let screen: ScreenSetup
  let keycodes: ClosedRange<UInt8>
  private var pending: [Pending] = []
  private var pendingHead = 0
  private var notes = RequestNotes()
  private var peeked: UnsafeMutablePointer<xcb_generic_event_t>?

  /// Connects to a display; the one that `DISPLAY` names where `display` is nil.
  init(display: String?) throws(PlatformError) {
    guard let name = display ?? getenv("DISPLAY").map({ String(cString: $0) }), !name.isEmpty else {
      throw PlatformError(
        "no X display: the environment variable DISPLAY is not set. Start the program from a graphical session, "
          + "or set DISPLAY (\":0\" is usual).")
    }
    var number: Int32 = 0
    // Never nil: on failure it is a static connection that only knows its error (xcb.h, xcb_connect).
    guard let raw = xcb_connect(name, &number) else {
      throw PlatformError("cannot connect to the X display \"\(name)\": out of memory.")
    }
    let failure = xcb_connection_has_error(raw)
    guard failure == 0, let setup = xcb_get_setup(raw) else {
      xcb_disconnect(raw)
      throw PlatformError(Self.reason(failure, display: name))
    }
    guard let screen = ScreenSetup(setup, number: Int(number)) else {
      xcb_disconnect(raw)
      throw PlatformError("the X display \"\(name)\" has no screen number \(number).")
    }
    self.raw = raw
    self.display = name
    self.screen = screen
    keycodes = setup.pointee.min_keycode...max(setup.pointee.min_keycode, setup.pointee.max_keycode)
    let descriptor = xcb_get_file_descriptor(raw)
    _ = fcntl(descriptor, F_SETFD, fcntl(descriptor, F_GETFD) | FD_CLOEXEC)
  }

  isolated deinit {
    free(peeked)
    xcb_disconnect(raw)
  }

  var fileDescriptor: Int32 { xcb_get_file_descriptor(raw) }

  /// Whether the connection is gone for good; all requests are no-ops from then on.
  var isLost: Bool { xcb_connection_has_error(raw) != 0 }

  /// Whether the server still is there, asked of the socket now: what was lost since the last request is not in
  /// ``isLost`` yet.
  nonisolated static func isThere(_ raw: OpaquePointer) -> Bool {
    guard xcb_connection_has_error(raw) == 0 else { return false }
    // No events are asked for: errors and the other end's going are told all the same (poll(2)).
    var socket = pollfd(fd: xcb_get_file_descriptor(raw), events: 0, revents: 0)
    return poll(&socket, 1, 0) <= 0
  }

  var lossReason: String {
    Self.reason(xcb_connection_has_error(raw), display: display, wasConnected: true)
  }

  func makeID() -> UInt32 { xcb_generate_id(raw) }

  func flush() { _ = xcb_flush(raw) }

  // MARK: Requests

  /// Remembers a request that has no reply, in case the server answers it with an error.
  func sent(
    _ cookie: xcb_void_cookie_t, _ name: StaticString, _ window: UInt32, _ onError: RequestNote.OnError = .report
  ) {
    notes.add(RequestNote(sequence: cookie.sequence, name: name, window: window, onError: onError))
  }

  /// The number of the last request without a reply: how many requests there have been.
  var lastRequest: Int { notes.latest.map { Int($0.sequence) } ?? 0 }

  /// Hands the reply of a request to the handler when it comes; nil where it was an error or the connection is lost.
  func whenReplied(_ sequence: UInt32, _ handler: @escaping ReplyHandler) {
    pending.append(Pending(sequence: sequence, handler: handler))
  }

  /// The request that an error is about, as far as it is remembered.
  func note(for error: XError) -> RequestNote? { notes.note(for: error.sequence) }

  /// What is to be said about an error; nil where the race behind it is a normal one.
  func message(for error: XError) -> String? {
    let note = note(for: error)
    return note?.onError == .ignore ? nil : error.message(note)
  }

  // MARK: Replies and events

  /// Waits for every reply that is outstanding.
  ///
  /// Start-up's one round trip after the setup.
  func awaitAll() {
    while pendingHead < pending.count { awaitFirst() }
  }

  /// Waits for the reply of one request, and so for those of all before it: one round trip.
  func await(through sequence: UInt32) {
    while pendingHead < pending.count, Int32(bitPattern: sequence &- pending[pendingHead].sequence) >= 0 {
      awaitFirst()
    }
  }

  private func awaitFirst() {
    if let first = takeFirst() {
      var error: UnsafeMutablePointer<xcb_generic_error_t>?
      let reply = xcb_wait_for_reply(raw, first.sequence, &error)
      hand(reply, error, to: first.handler)
    }
  }

  /// The next event, after every reply that the server sent before it; nil when nothing is left to read.
  ///
  /// An event carries the number of the last request that the server had processed (X protocol, section 1), so a
  /// reply with that number or a lower one came first.
  ///
  /// With `onlyRead` the socket is not looked at: what libxcb has read already is enough.
  func nextEvent(onlyRead: Bool = false) -> UnsafeMutablePointer<xcb_generic_event_t>? {
    let event = peeked ?? (onlyRead ? xcb_poll_for_queued_event(raw) : xcb_poll_for_event(raw))
    peeked = nil
    if let event { handReplies(through: event.pointee.full_sequence) }
    return event
  }

  /// Hands out the replies that have been read.
  ///
  /// Whether there were any.
  @discardableResult func handReplies() -> Bool { handReplies(through: nil) }

  /// Whether something waits inside libxcb that the socket will not announce again: what it read while it wrote.
  func hasQueued() -> Bool {
    if peeked == nil { peeked = xcb_poll_for_queued_event(raw) }
    return peeked != nil || handReplies()
  }

  /// The event after the one being handled, if it has been read already.
  func peekEvent() -> UnsafePointer<xcb_generic_event_t>? {
    if peeked == nil { peeked = xcb_poll_for_queued_event(raw) }
    return peeked.map { UnsafePointer($0) }
  }

  @discardableResult private func handReplies(through limit: UInt32?) -> Bool {
    var any = false
    while pendingHead < pending.count {
      let first = pending[pendingHead]
      // Sequence numbers wrap: compare by distance.
      if let limit, Int32(bitPattern: limit &- first.sequence) < 0 { break }
      var reply: UnsafeMutableRawPointer?
      var error: UnsafeMutablePointer<xcb_generic_error_t>?
      guard xcb_poll_for_reply(raw, first.sequence, &reply, &error) == 1 else { break }
      _ = takeFirst()
      any = true
      hand(reply, error, to: first.handler)
    }
    return any
  }

  private func takeFirst() -> Pending? {
    guard pendingHead < pending.count else { return nil }
    let first = pending[pendingHead]
    pendingHead += 1
    if pendingHead == pending.count {
      pending.removeAll(keepingCapacity: true)
      pendingHead = 0
    } else if pendingHead >= 256 {
      pending.removeFirst(pendingHead)
      pendingHead = 0
    }
    return first
  }

  private func hand(
    _ reply: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<xcb_generic_error_t>?, to handler: ReplyHandler
  ) {
    defer {
      free(reply)
      free(error)
    }
    guard let reply else { return handler(nil) }
    let header = reply.assumingMemoryBound(to: xcb_intern_atom_reply_t.self).pointee
    let length = 32 + 4 * Int(header.length)
    handler(ReplyBytes(UnsafeRawBufferPointer(start: reply, count: length)))
  }

  private static func reason(_ code: Int32, display: String, wasConnected: Bool = false) -> String {
    switch code {
    case XCB_CONN_CLOSED_PARSE_ERR:
      "\"\(display)\" is not the name of an X display. DISPLAY should look like \":0\" or \"host:0\"."
    case XCB_CONN_CLOSED_INVALID_SCREEN: "the X display \"\(display)\" does not have the screen that its name asks for."
    case XCB_CONN_CLOSED_MEM_INSUFFICIENT: "out of memory while talking to the X display \"\(display)\"."
    case XCB_CONN_CLOSED_EXT_NOTSUPPORTED, XCB_CONN_CLOSED_REQ_LEN_EXCEED, XCB_CONN_CLOSED_FDPASSING_FAILED:
      "libxcb closed the connection to the X display \"\(display)\" (error \(code)); this is a bug of Proscenium."
    case _ where wasConnected: "the X server of the display \"\(display)\" closed the connection."
    case _:
      "cannot connect to the X display \"\(display)\": no server answers there, or it refused this program. "
        + "Check that DISPLAY names a running server and that this user may use it (XAUTHORITY, xhost)."
    }
  }
}
