import CXCB
import Glibc

/// A client that asks others and hears their answers: a window manager's ping, and a paste.
package final class XEars {
  package let client: XClient
  private let window: UInt32
  private var messages: [[UInt32]] = []
  /// What launchers have been told, a piece after the other (Startup Notification protocol).
  private var startupBytes: [UInt8] = []

  package init(display: String) throws {
    client = try XClient(display: display)
    window = xcb_generate_id(client.connection)
    xcb_create_window(
      client.connection, 0, window, client.root, 0, 0, 1, 1, 0, UInt16(XCB_WINDOW_CLASS_INPUT_ONLY.rawValue), 0, 0, nil)
    // SubstructureNotify on the root: what clients say to the window manager. PropertyChange: and to launchers.
    xcb_change_window_attributes(
      client.connection, client.root, XCB_CW_EVENT_MASK.rawValue,
      [XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY.rawValue | XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue])
    xcb_change_window_attributes(
      client.connection, window, XCB_CW_EVENT_MASK.rawValue, [XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue])
    client.sync()
  }

  /// Asks a window's program whether it is there (EWMH, _NET_WM_PING).
  package func ping(_ window: UInt32, time: UInt32) {
    let words = [client.atom("_NET_WM_PING"), time, window]
    let event = client.clientMessage(window, type: client.atom("WM_PROTOCOLS"), words)
    event.withUnsafeBytes { raw in
      _ = xcb_send_event(client.connection, 0, window, 0, raw.bindMemory(to: CChar.self).baseAddress)
    }
    // Not synced, which would throw the answer away.
    xcb_flush(client.connection)
  }

  /// Whether a ping has come back to the root.
  package func heardPing(_ time: UInt32, _ about: UInt32) -> Bool {
    look { _ in }
    return messages.contains([client.root, client.atom("WM_PROTOCOLS"), client.atom("_NET_WM_PING"), time, about])
  }

  /// The time at which a program has asked for the activation of its window (EWMH, _NET_ACTIVE_WINDOW), the last one.
  package func activationTime(of window: UInt32) -> UInt32? {
    look { _ in }
    // By the program itself, not by a pager.
    return messages.last { $0.starts(with: [window, client.atom("_NET_ACTIVE_WINDOW"), 1]) }?[3]
  }

  /// What programs have asked the window manager about a window with messages of a type: the first three words of each.
  package func messages(about window: UInt32, _ type: String) -> [[UInt32]] {
    look { _ in }
    let head = [window, client.atom(type)]
    return messages.filter { $0.starts(with: head) }.map { Array($0.dropFirst(2)) }
  }

  /// The server's time now (ICCCM 2.1: a zero-length append tells it).
  package func serverTime() async throws -> UInt32 {
    xcb_change_property(
      client.connection, UInt8(XCB_PROP_MODE_APPEND.rawValue), window, client.atom("WM_NAME"), client.atom("STRING"), 8,
      0, nil)
    return try await waitFor("the server's time") {
      var time: UInt32?
      look { event in
        guard event.pointee.response_type & 0x7F == UInt8(XCB_PROPERTY_NOTIFY) else { return }
        let notify = UnsafeRawPointer(event).load(as: xcb_property_notify_event_t.self)
        if notify.window == window { time = notify.time }
      }
      return time
    }
  }

  /// All that launchers have been told, in the order in which it came.
  package func startupMessages() -> [String] {
    look { _ in }
    return startupBytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// What is pasted from `CLIPBOARD` as text; nil where its owner refuses.
  package func paste() async throws -> String? {
    xcb_convert_selection(
      client.connection, window, client.atom("CLIPBOARD"), client.atom("UTF8_STRING"), client.atom("PASTE"), 0)
    xcb_flush(client.connection)
    let property = try await waitFor("the answer to a paste") {
      var answer: UInt32?
      look { event in
        guard event.pointee.response_type & 0x7F == UInt8(XCB_SELECTION_NOTIFY) else { return }
        answer = UnsafeRawPointer(event).load(as: xcb_selection_notify_event_t.self).property
      }
      return answer
    }
    guard property != 0 else { return nil }
    let cookie = xcb_get_property(client.connection, 0, window, property, 0, 0, 10_000)
    guard let reply = xcb_get_property_reply(client.connection, cookie, nil) else { return nil }
    defer { free(reply) }
    guard let start = xcb_get_property_value(reply) else { return nil }
    let count = Int(xcb_get_property_value_length(reply))
    return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }

  private func look(_ body: (UnsafeMutablePointer<xcb_generic_event_t>) -> Void) {
    xcb_flush(client.connection)
    while let event = xcb_poll_for_event(client.connection) {
      defer { free(event) }
      body(event)
      guard event.pointee.response_type & 0x7F == UInt8(XCB_CLIENT_MESSAGE) else { continue }
      let message = UnsafeRawPointer(event).load(as: xcb_client_message_event_t.self)
      if message.format == 8, client.name(ofAtom: message.type).hasPrefix("_NET_STARTUP_INFO") {
        startupBytes += withUnsafeBytes(of: message.data.data8) { Array($0) }
      }
      guard message.format == 32 else { continue }
      let words = message.data.data32
      messages.append([message.window, message.type, words.0, words.1, words.2])
    }
  }
}
