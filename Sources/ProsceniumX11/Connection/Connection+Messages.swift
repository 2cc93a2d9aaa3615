import CXCB

/// Events that the program sends: to the window manager, to launchers and to other clients (X protocol, SendEvent).
extension Connection {
  /// The data of a client message.
  enum MessageData {
    case words([UInt32])
    case bytes([UInt8])
  }

  /// Sends a client message (ICCCM 4.2.8) to a window.
  /// - Parameters:
  ///   - type: The message's type; nothing is sent where it is 0.
  ///   - window: The window that the message is about.
  ///   - data: At most five words, or twenty bytes.
  ///   - destination: The window that the message is sent to.
  ///   - mask: The clients that selected one of these events on the destination get it; with 0 its owner does.
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

  /// Sends a client message to the window manager (EWMH, "Root Window Properties").
  func sendToManager(_ type: UInt32, about window: UInt32, _ words: [UInt32]) {
    sendMessage(type, about: window, .words(words), to: screen.root, mask: Self.managerMask)
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
}
