import CXCB
import Glibc
import ProsceniumDesk
import Testing

@testable import ProsceniumX11

/// A server of input methods that opens its method as it should, and says whatever a test wants.
@MainActor final class ScriptedXIMServer {
  static let name = "script"
  private static let context: UInt16 = 7

  private let client: XClient
  private let window: UInt32
  /// The program's window.
  private var peer: UInt32 = 0
  private var count = 0
  /// The event that it overlooks until the next one comes; it overlooks none otherwise.
  private var overlooked: UnsafeMutablePointer<xcb_generic_event_t>?
  private let overlooks: Bool
  /// The opcodes of the messages that have come.
  private(set) var received: [UInt8] = []
  /// Whether keys are given back; they are taken otherwise.
  var givesKeysBack = true
  /// What follows the answer to a request to forget the text.
  var afterReset: [[UInt8]] = []

  init(display: String, overlooks: Bool = false) throws {
    self.overlooks = overlooks
    client = try XClient(display: display)
    window = client.makeWindow(overrideRedirect: true)
    xcb_set_selection_owner(client.connection, window, client.atom("@server=" + Self.name), 0)
    client.sync()
  }

  isolated deinit { free(overlooked) }

  /// The last message of the beginning has no answer: one who overlooks it is not reminded of it.
  var isReady: Bool { received.contains((overlooks ? XIMOpcode.setICValues : .setICFocus).rawValue) }

  /// Handles what has come.
  func step() {
    while let new = xcb_poll_for_event(client.connection) {
      var event = new
      if overlooks {
        guard let before = overlooked else {
          overlooked = new
          continue
        }
        (event, overlooked) = (before, new)
      }
      defer { free(event) }
      switch Int32(event.pointee.response_type & 0x7F) {
      case XCB_SELECTION_REQUEST: answer(UnsafeRawPointer(event).load(as: xcb_selection_request_event_t.self))
      case XCB_CLIENT_MESSAGE: receive(UnsafeRawPointer(event).load(as: xcb_client_message_event_t.self))
      default: break
      }
    }
  }

  private func answer(_ request: xcb_selection_request_event_t) {
    let text = Array("@transport=X/".utf8)
    let transport = client.atom("TRANSPORT")
    xcb_change_property(
      client.connection, UInt8(XCB_PROP_MODE_REPLACE.rawValue), request.requestor, transport, transport, 8,
      UInt32(text.count), text)
    var event = xcb_selection_notify_event_t()
    event.response_type = UInt8(XCB_SELECTION_NOTIFY)
    (event.requestor, event.selection) = (request.requestor, request.selection)
    (event.target, event.property) = (request.target, transport)
    send(withUnsafeBytes(of: event) { Array($0) }, to: request.requestor)
  }

  private func receive(_ event: xcb_client_message_event_t) {
    let words = event.data.data32
    if event.type == client.atom("_XIM_XCONNECT") {
      peer = words.0
      return sendEvent("_XIM_XCONNECT", format: 32, bytes(of: window))
    }
    let message =
      event.format == 8
      ? withUnsafeBytes(of: event.data) { Array($0) } : read(words.1, size: words.0)
    guard let first = message.first else { return }
    received.append(first)
    respond(XIMOpcode(rawValue: first), message)
  }

  private func read(_ property: UInt32, size: UInt32) -> [UInt8] {
    let cookie = xcb_get_property(client.connection, 1, window, property, 0, 0, (size + 3) / 4)
    return client.read(xcb_get_property_reply(client.connection, cookie, nil)) { reply in
      let start = xcb_get_property_value(reply)
      return Array(UnsafeRawBufferPointer(start: start, count: Int(xcb_get_property_value_length(reply))))
    } ?? []
  }

  private func respond(_ opcode: XIMOpcode?, _ message: [UInt8]) {
    switch opcode {
    case .connect: say(.connectReply) { $0.add(UInt32(1)) }
    case .open:
      say(.openReply) { writer in
        func list(_ names: [String]) -> [UInt8] {
          names.enumerated().flatMap { number, name in
            var writer = XIMWriter()
            for value in [number, 0] { writer.add(UInt16(value)) }
            writer.addSized(Array(name.utf8))
            writer.pad()
            return writer.bytes
          }
        }
        writer.add(UInt16(1))
        writer.addSized(list(["queryInputStyle"]))
        writer.pad()
        let ofContext = list(["inputStyle", "clientWindow", "focusWindow", "preeditAttributes", "spotLocation"])
        writer.add(UInt16(ofContext.count))
        writer.add(UInt16(0))
        writer.add(ofContext)
      }
    case .encodingNegotiation: say(.encodingNegotiationReply) { for value: UInt16 in [1, 0, 0, 0] { $0.add(value) } }
    case .getIMValues:
      say(.getIMValuesReply) { writer in
        for value: UInt16 in [1, 12, 0, 8, 1, 0] { writer.add(value) }
        writer.add(UInt32(0x402))
      }
    case .createIC: say(.createICReply) { Self.ids(&$0) }
    case .setICValues: say(.setICValuesReply) { Self.ids(&$0) }
    case .forwardEvent: if givesKeysBack { send(message) }
    case .resetIC:
      say(.resetICReply) { writer in
        Self.ids(&writer)
        writer.add(UInt32(0))
      }
      for message in afterReset { send(message) }
    default: break
    }
  }

  // MARK: What it says

  static func ids(_ writer: inout XIMWriter) { for value: UInt16 in [1, context] { writer.add(value) } }

  static func commit(_ text: String) -> [UInt8] {
    XIMRequest.message(.commit) { writer in
      ids(&writer)
      writer.add(XIMRequest.hasText)
      writer.addSized(Array(text.utf8))
    }
  }

  static func preedit(_ text: String, caret: Int32, first: Int32, length: Int32) -> [UInt8] {
    XIMRequest.message(.preeditDraw) { writer in
      ids(&writer)
      for value in [caret, first, length, 0] { writer.add(value) }
      writer.addSized(Array(text.utf8))
      writer.pad()
      writer.add(UInt32(0))
    }
  }

  private func say(_ opcode: XIMOpcode, _ add: (inout XIMWriter) -> Void) { send(XIMRequest.message(opcode, add)) }

  /// Sends a message as the protocol says: short ones in an event.
  func send(_ message: [UInt8]) {
    guard message.count > 20 else { return sendEvent("_XIM_PROTOCOL", format: 8, message) }
    sendProperty(message, size: UInt32(message.count))
  }

  /// Sends a message in a property, with a size that may be another.
  func sendProperty(_ message: [UInt8], size: UInt32) {
    count += 1
    let property = client.atom("_server\(count % 20)")
    xcb_change_property(
      client.connection, UInt8(XCB_PROP_MODE_APPEND.rawValue), peer, property, XCB_ATOM_STRING.rawValue, 8,
      UInt32(message.count), message)
    sendEvent("_XIM_PROTOCOL", format: 32, bytes(of: size) + bytes(of: property))
  }

  func sendEvent(_ type: String, format: UInt8, _ data: [UInt8]) {
    let padded = data + Array(repeating: 0, count: 20 - data.count)
    send([UInt8(XCB_CLIENT_MESSAGE), format, 0, 0] + bytes(of: peer) + bytes(of: client.atom(type)) + padded, to: peer)
  }

  private func send(_ event: [UInt8], to destination: UInt32) {
    let event = event + Array(repeating: 0, count: 32 - event.count)
    event.withUnsafeBytes { raw in
      _ = xcb_send_event(client.connection, 0, destination, 0, raw.bindMemory(to: CChar.self).baseAddress)
    }
    xcb_flush(client.connection)
  }
}
