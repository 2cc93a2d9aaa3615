import CXCB
import DeskSupport
import Glibc
import ProsceniumDesk

/// Another program with drag and drop: a window that is a target or a source of XDND, spoken by hand.
///
/// It hears nothing between calls of ``look()``.
final class XdndPeer {
  /// What it says to a position: nil for nothing.
  var action: String? = "XdndActionCopy"
  var isSilent = false
  /// What it reads when something is dropped on it.
  var wanted: String? = "UTF8_STRING"
  var finishes = true
  /// What it offers as a source, by targets.
  var data: [String: [UInt8]] = [:]

  let window: UInt32
  /// The messages that have come: name and words.
  private(set) var heard: [(name: String, words: [UInt32])] = []
  /// What its source has been asked for, and the end of each drop, in order.
  private(set) var asked: [String] = []
  /// What it has read, in one piece or several.
  private(set) var read: [UInt8]?
  private(set) var readType = ""
  private var pieces: [UInt8]?
  private let client: XClient
  private var source: UInt32 = 0
  /// The window that what is dragged is over: its own, or the one that it stands for.
  private(set) var target: UInt32 = 0
  private var dropTime: UInt32 = 0

  init(display: String, x: Int16 = 700, y: Int16 = 500) throws {
    client = try XClient(display: display)
    window = client.makeWindow(x: x, y: y, overrideRedirect: true)
    client.setProperty(window, "XdndAware", type: "ATOM", longs: [5])
    xcb_change_window_attributes(
      client.connection, window, XCB_CW_EVENT_MASK.rawValue, [XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue])
    // Known before, as a question throws no event away, and each one once.
    for name in ["XdndSelection", "XdndStatus", "XdndFinished", "GOT", "INCR", "CLIPBOARD", "image/png"] {
      _ = client.atom(name)
    }
    xcb_flush(client.connection)
  }

  /// Takes drops for the root window, as a file manager that draws on it.
  func standForRoot() {
    for window in [window, client.root] {
      client.setProperty(window, "XdndProxy", type: "WINDOW", longs: [self.window])
    }
  }

  func names(_ name: String) -> [[UInt32]] { heard.filter { $0.name == name }.map(\.words) }
  func atom(_ name: String) -> UInt32 { client.atom(name) }

  /// Ends the connection, as the death of a program does; nothing can be asked any more.
  func die(by other: XClient) { other.killClient(of: window) }

  // MARK: As a source

  func ownSelection() {
    xcb_set_selection_owner(client.connection, window, atom("XdndSelection"), 0)
    xcb_flush(client.connection)
  }

  func setTypeList(_ types: [String]) {
    let atoms = types.map(atom)
    xcb_change_property(
      client.connection, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, atom("XdndTypeList"), atom("ATOM"), 32,
      UInt32(atoms.count), atoms)
    xcb_flush(client.connection)
  }

  func say(_ name: String, to target: UInt32, _ words: [UInt32]) {
    send(client.clientMessage(target, type: atom(name), words), to: target)
  }

  func send(_ event: [UInt8], to target: UInt32) {
    event.withUnsafeBytes { raw in
      _ = xcb_send_event(client.connection, 0, target, 0, raw.bindMemory(to: CChar.self).baseAddress)
    }
    xcb_flush(client.connection)
  }

  func enter(_ target: UInt32, types: [String], version: UInt32 = 5) {
    let first = (types.map(atom) + [0, 0, 0]).prefix(3)
    if types.count > 3 { setTypeList(types) }
    say("XdndEnter", to: target, [window, version << 24 | (types.count > 3 ? 1 : 0)] + first)
  }

  func position(_ target: UInt32, x: Int, y: Int, action: String = "XdndActionCopy") {
    say("XdndPosition", to: target, [window, 0, UInt32(x) << 16 | UInt32(y), 0, atom(action)])
  }

  func drop(_ target: UInt32) { say("XdndDrop", to: target, [window, 0, 0, 0, 0]) }

  // MARK: Listening

  func look() {
    while let event = xcb_poll_for_event(client.connection) {
      defer { free(event) }
      let raw = UnsafeRawPointer(event)
      switch Int32(event.pointee.response_type & 0x7F) {
      case XCB_CLIENT_MESSAGE: message(raw.load(as: xcb_client_message_event_t.self))
      case XCB_SELECTION_NOTIFY: notified(raw.load(as: xcb_selection_notify_event_t.self))
      case XCB_SELECTION_REQUEST: requested(raw.load(as: xcb_selection_request_event_t.self))
      case XCB_PROPERTY_NOTIFY:
        let notify = raw.load(as: xcb_property_notify_event_t.self)
        if notify.atom == atom("GOT"), notify.state == 0, pieces != nil { nextPiece() }
      default: break
      }
    }
  }

  private func message(_ event: xcb_client_message_event_t) {
    let data = event.data.data32
    let words = [data.0, data.1, data.2, data.3, data.4]
    let name = client.name(ofAtom: event.type)
    heard.append((name, words))
    switch name {
    case "XdndEnter": (source, target) = (words[0], event.window)
    case "XdndPosition":
      if isSilent { return }
      say("XdndStatus", to: words[0], about: [target, action == nil ? 0 : 1, 0, 0, action.map(atom) ?? 0])
    case "XdndDrop":
      dropTime = words[2]
      if let wanted { convert(wanted) } else { finish() }
    case "XdndFinished": asked.append(name)
    default: break
    }
  }

  private func say(_ name: String, to source: UInt32, about words: [UInt32]) {
    send(client.clientMessage(source, type: atom(name), words), to: source)
  }

  /// Asks for a form of what is dragged, or of what another selection has.
  func convert(_ target: String, of selection: String = "XdndSelection") {
    let time = selection == "XdndSelection" ? dropTime : 0
    xcb_convert_selection(client.connection, window, atom(selection), atom(target), atom("GOT"), time)
    xcb_flush(client.connection)
  }

  private func finish() {
    guard finishes else { return }
    say("XdndFinished", to: source, about: [target, 1, action.map(atom) ?? 0])
  }

  private func notified(_ event: xcb_selection_notify_event_t) {
    guard event.property != 0 else {
      read = []
      readType = "refused"
      return finish()
    }
    let (type, bytes) = take()
    if type == "INCR" {
      pieces = []
    } else {
      (read, readType) = (bytes, type)
      finish()
    }
  }

  private func nextPiece() {
    let (type, bytes) = take()
    guard bytes.isEmpty else {
      pieces? += bytes
      return
    }
    (read, readType) = (pieces, type)
    pieces = nil
    finish()
  }

  private func take() -> (String, [UInt8]) {
    let cookie = xcb_get_property(client.connection, 1, window, atom("GOT"), 0, 0, 1 << 22)
    let found: (UInt32, [UInt8])? = client.read(xcb_get_property_reply(client.connection, cookie, nil)) { reply in
      let bytes = UnsafeRawBufferPointer(
        start: xcb_get_property_value(reply), count: Int(xcb_get_property_value_length(reply)))
      return (reply.pointee.type, Array(bytes))
    }
    xcb_flush(client.connection)
    return (found.map { $0.0 == 0 ? "" : client.name(ofAtom: $0.0) } ?? "", found?.1 ?? [])
  }

  private func requested(_ event: xcb_selection_request_event_t) {
    let name = client.name(ofAtom: event.target)
    asked.append(name)
    var property = event.property
    if name == "TARGETS" {
      let atoms = data.keys.sorted().map(atom)
      xcb_change_property(
        client.connection, UInt8(XCB_PROP_MODE_REPLACE.rawValue), event.requestor, property, atom("ATOM"), 32,
        UInt32(atoms.count), atoms)
    } else if let bytes = data[name] {
      xcb_change_property(
        client.connection, UInt8(XCB_PROP_MODE_REPLACE.rawValue), event.requestor, property, event.target, 8,
        UInt32(bytes.count), bytes)
    } else {
      property = 0
    }
    var notify = xcb_selection_notify_event_t()
    notify.response_type = UInt8(XCB_SELECTION_NOTIFY)
    (notify.time, notify.requestor, notify.selection) = (event.time, event.requestor, event.selection)
    (notify.target, notify.property) = (event.target, property)
    var bytes = withUnsafeBytes(of: notify) { Array($0) }
    bytes += Array(repeating: 0, count: 32 - bytes.count)
    send(bytes, to: event.requestor)
  }
}
