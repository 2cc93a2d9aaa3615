import CXCB
import Glibc
import ProsceniumPlatform

/// The one owner of the connection to the X server: requests out, replies and events in.
///
/// Nothing here waits for a reply, but ``awaitAll()`` and ``await(through:)``, for start-up. Replies and events are
/// handled in the order in which the server sent them: when an event is handled, every reply before it has been.
final class Connection {
  typealias ReplyHandler = (ReplyBytes?) -> Void

  /// The pointer is passed to libxcb alone, which is thread safe.
  nonisolated(unsafe) let raw: OpaquePointer
  let display: String
  let screen: ScreenSetup
  let keycodes: ClosedRange<UInt8>
  var decoder = EventDecoder()
  /// Whether the connection is closed at the end; one that another part of the program has made is not.
  private let isOwn: Bool
  private var replies = ReplyQueue()
  private var requests = SentRequests()
  /// An event that has been read before its turn.
  var peeked: UnsafeMutablePointer<xcb_generic_event_t>?

  /// Connects to a display; the one that `DISPLAY` names where `display` is nil.
  init(display: String?) throws(PlatformError) {
    guard let name = display ?? getenv("DISPLAY").map({ String(cString: $0) }), !name.isEmpty else {
      let wayland = getenv("WAYLAND_DISPLAY") == nil ? "" : " Under Wayland the desktop starts Xwayland: install it."
      throw PlatformError(
        "no X display: the environment variable DISPLAY is not set. Start the program from a graphical session, "
          + "or set DISPLAY (\":0\" is usual).\(wayland)")
    }
    var number: Int32 = 0
    // Never nil: on failure it is a static connection that only knows its error (xcb.h, xcb_connect).
    guard let raw = xcb_connect(name, &number) else {
      throw PlatformError("cannot connect to the X display \"\(name)\": out of memory.")
    }
    let failure = xcb_connection_has_error(raw)
    guard failure == 0, let setup = xcb_get_setup(raw) else {
      xcb_disconnect(raw)
      throw PlatformError(ConnectionFailure.text(failure, display: name, wasConnected: false))
    }
    guard let screen = ScreenSetup(setup, number: Int(number)) else {
      xcb_disconnect(raw)
      throw PlatformError("the X display \"\(name)\" has no screen number \(number).")
    }
    self.raw = raw
    self.display = name
    self.screen = screen
    isOwn = true
    keycodes = setup.pointee.min_keycode...max(setup.pointee.min_keycode, setup.pointee.max_keycode)
    let descriptor = xcb_get_file_descriptor(raw)
    _ = fcntl(descriptor, F_SETFD, fcntl(descriptor, F_GETFD) | FD_CLOEXEC)
  }

  /// Uses a connection that another part of the program has made, reads its events and closes it.
  init(sharing raw: OpaquePointer, screen number: Int) throws(PlatformError) {
    guard xcb_connection_has_error(raw) == 0, let setup = xcb_get_setup(raw) else {
      throw PlatformError("the connection to the X server that was passed is closed.")
    }
    guard let screen = ScreenSetup(setup, number: number) else {
      throw PlatformError("the X server has no screen number \(number).")
    }
    self.raw = raw
    self.screen = screen
    display = getenv("DISPLAY").map { String(cString: $0) } ?? ""
    isOwn = false
    keycodes = setup.pointee.min_keycode...max(setup.pointee.min_keycode, setup.pointee.max_keycode)
  }

  deinit {
    free(peeked)
    if isOwn { xcb_disconnect(raw) }
  }

  var fileDescriptor: Int32 { xcb_get_file_descriptor(raw) }

  /// Whether the connection is gone for good; all requests are no-ops from then on.
  var isLost: Bool { xcb_connection_has_error(raw) != 0 }

  /// Whether the server is still there, asked of the socket now: a loss since the last request does not show in
  /// ``isLost`` yet.
  nonisolated static func isThere(_ raw: OpaquePointer) -> Bool {
    guard xcb_connection_has_error(raw) == 0 else { return false }
    // No events are asked for: errors and a closed other end are reported all the same (poll(2)).
    var socket = pollfd(fd: xcb_get_file_descriptor(raw), events: 0, revents: 0)
    return poll(&socket, 1, 0) <= 0
  }

  /// Why the connection has been lost.
  var lossReason: String { ConnectionFailure.text(xcb_connection_has_error(raw), display: display, wasConnected: true) }

  func makeID() -> UInt32 { xcb_generate_id(raw) }

  func flush() { _ = xcb_flush(raw) }

  // MARK: Requests

  /// Records a request that has no reply, in case the server answers it with an error.
  func sent(
    _ cookie: xcb_void_cookie_t, _ name: StaticString, _ window: UInt32, _ onError: SentRequest.OnError = .report
  ) {
    requests.add(SentRequest(sequence: cookie.sequence, name: name, window: window, onError: onError))
  }

  /// The number of the last request without a reply: how many requests there have been.
  var lastRequest: Int { requests.latest.map { Int($0.sequence) } ?? 0 }

  /// Calls a handler with the reply of a request; with nil where it was an error or the connection is lost.
  func whenReplied(_ sequence: UInt32, _ handler: @escaping ReplyHandler) {
    replies.append(ReplyQueue.Entry(sequence: sequence, handler: handler))
  }

  /// Calls back when the server has done everything that was asked of it until now.
  func whenDone(_ handler: @escaping () -> Void) {
    whenReplied(xcb_get_input_focus(raw).sequence) { _ in handler() }
  }

  /// The request that an error is about, as far as it is recorded.
  func request(of error: XError) -> SentRequest? { requests.request(numbered: error.sequence) }

  /// The message that reports an error; nil where the race behind it is a normal one.
  func message(for error: XError) -> String? {
    let request = request(of: error)
    return request?.onError == .ignore ? nil : error.message(request)
  }

  // MARK: Replies and events

  /// Waits for every reply that is outstanding.
  ///
  /// Start-up's one round trip after the setup.
  func awaitAll() { while replies.first != nil { waitForReply() } }

  /// Waits for the reply of one request, and so for those of all before it: one round trip.
  func await(through sequence: UInt32) {
    while let next = replies.first, !next.sequence.isLater(than: sequence) { waitForReply() }
  }

  private func waitForReply() {
    guard let next = replies.first else { return }
    replies.removeFirst()
    var error: UnsafeMutablePointer<xcb_generic_error_t>?
    let reply = xcb_wait_for_reply(raw, next.sequence, &error)
    handle(reply, error, next.handler)
  }

  /// Whether a reply has not been handled yet.
  var awaitsReplies: Bool { replies.first != nil }

  /// Whether an event has been taken from libxcb and not been handled yet.
  var hasPeeked: Bool { peeked != nil }

  /// Whether events or replies wait inside libxcb, which the socket will not announce again: read during a write.
  func hasQueued() -> Bool {
    if peeked == nil { peeked = xcb_poll_for_queued_event(raw) }
    return peeked != nil || handleReplies()
  }

  /// Handles the replies that have been read.
  /// - Parameter limit: The last request whose reply is handled; nil for all.
  /// - Returns: Whether there were any.
  @discardableResult func handleReplies(through limit: UInt32? = nil) -> Bool {
    var hasHandled = false
    while let next = replies.first {
      if let limit, next.sequence.isLater(than: limit) { break }
      var reply: UnsafeMutableRawPointer?
      var error: UnsafeMutablePointer<xcb_generic_error_t>?
      guard xcb_poll_for_reply(raw, next.sequence, &reply, &error) == 1 else { break }
      replies.removeFirst()
      hasHandled = true
      handle(reply, error, next.handler)
    }
    return hasHandled
  }

  private func handle(
    _ reply: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<xcb_generic_error_t>?, _ handler: ReplyHandler
  ) {
    defer {
      free(reply)
      free(error)
    }
    guard let reply else { return handler(nil) }
    // Every reply has 32 bytes and the units of four that its header counts (X protocol, section 1 "Reply Format").
    let header = reply.assumingMemoryBound(to: xcb_generic_reply_t.self).pointee
    handler(ReplyBytes(UnsafeRawBufferPointer(start: reply, count: 32 + 4 * Int(header.length))))
  }
}

/// The messages for libxcb's errors of a whole connection (xcb.h, `XCB_CONN_*`).
enum ConnectionFailure {
  /// The message for an error.
  /// - Parameters:
  ///   - code: libxcb's number of it.
  ///   - display: The name of the display.
  ///   - wasConnected: Whether the connection had been established.
  /// - Returns: What happened, and what to do.
  static func text(_ code: Int32, display: String, wasConnected: Bool) -> String {
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

/// A request that has no reply, recorded so that an error can be matched to it.
struct SentRequest {
  /// The consequence of an error of the request.
  enum OnError: Hashable {
    /// A mistake of the framework's or the program's, which is reported.
    case report
    /// A normal race: another client's window was destroyed meanwhile, or ours is not viewable yet.
    case ignore
    /// Pixels did not get onto the screen: another way is used from then on, or the window is gone.
    case surface
    /// The server does not share memory: another way is used from then on.
    case sharing
    /// The window does not exist: as if another client had destroyed it.
    case window
  }
  var sequence: UInt32
  var name: StaticString
  var window: UInt32
  var onError: OnError
}

/// The last requests without replies: a ring, because errors come back soon or never.
struct SentRequests {
  /// Errors are read at least once a turn; a turn that sends more than this forgets the oldest names only.
  static let capacity = 1024
  private var ring: [SentRequest] = []
  private var next = 0

  mutating func add(_ request: SentRequest) {
    if ring.count < Self.capacity {
      ring.append(request)
    } else {
      ring[next] = request
      next = (next + 1) % Self.capacity
    }
  }

  var latest: SentRequest? { ring.isEmpty ? nil : ring[(next + ring.count - 1) % ring.count] }

  func request(numbered sequence: UInt32) -> SentRequest? { ring.last { $0.sequence == sequence } }
}

/// The requests whose replies are outstanding, in the order in which they were sent.
///
/// Taking the first moves the others only now and then: a launch of a thousand windows has thousands of requests.
struct ReplyQueue {
  // Not a tuple, whose function would be converted at each access.
  struct Entry {
    var sequence: UInt32
    var handler: Connection.ReplyHandler
  }

  private var entries: [Entry] = []
  private var head = 0

  var first: Entry? { head < entries.count ? entries[head] : nil }

  mutating func append(_ entry: Entry) { entries.append(entry) }

  mutating func removeFirst() {
    head += 1
    guard head == entries.count || head >= 256 else { return }
    entries.removeFirst(head)
    head = 0
  }
}

/// A question of which at most one is under way: one that is asked meanwhile is asked again after the answer.
struct SingleQuestion {
  private(set) var isUnderWay = false
  private var isStale = false

  /// The question is to be asked.
  /// - Returns: Whether it may be asked now.
  mutating func begin() -> Bool {
    isStale = isUnderWay
    isUnderWay = true
    return !isStale
  }

  /// The answer has come.
  /// - Returns: Whether the question has to be asked again.
  mutating func end() -> Bool {
    isUnderWay = false
    return isStale
  }
}

extension UInt32 {
  /// Whether this sequence number, or time of the server, comes after another one.
  ///
  /// Both kinds of number wrap: later means ahead by less than half of all (X protocol, TIMESTAMP).
  func isLater(than other: UInt32) -> Bool { Int32(bitPattern: self &- other) > 0 }
}
