import CXCB
import Glibc

/// What no well-behaved client does, and any client may.
extension Desk {
  /// An UnmapNotify as ICCCM 4.1.4 has clients send, for a window that is still mapped.
  package func sendUnmapNotify(_ window: UInt32) {
    let event = [UInt8(18), 0, 0, 0] + bytes(of: window) + bytes(of: window) + [UInt8](repeating: 0, count: 20)
    client.send(event, to: window, mask: 0)
    client.send(event, to: client.root, mask: 0x180000)
  }

  /// ClientMessages of every format, of known and unknown types, about this window and others.
  package func sendRubbishMessages(_ window: UInt32) {
    let types = [
      "WM_PROTOCOLS", "_NET_WM_PING", "_NET_WM_STATE", "_NET_ACTIVE_WINDOW", "_NET_STARTUP_INFO", "XdndEnter",
      "_NET_WM_SYNC_REQUEST", "MANAGER", "WM_CHANGE_STATE", "_PROSCENIUM_NO_SUCH_TYPE",
    ]
    let subjects = [window, client.root, 0, 1, 0xffff_ffff, window &+ 1]
    for (index, type) in types.enumerated() {
      for format in [UInt8(8), 16, 32, 0, 77] {
        for subject in subjects {
          let head = [UInt8(33), format, 0, 0] + bytes(of: subject) + bytes(of: client.atom(type))
          let body = (0..<20).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ index) }
          client.send(head + body, to: window, mask: 0)
        }
      }
    }
    // WM_PROTOCOLS that names no protocol, and an unknown one. (Not WM_DELETE_WINDOW: that would be obeyed.)
    client.sendMessage(window, "WM_PROTOCOLS", [])
    client.sendMessage(window, "WM_PROTOCOLS", [client.atom("_PROSCENIUM_NO_SUCH_PROTOCOL"), 1, 2, 3, 4])
    client.sendMessage(window, "WM_PROTOCOLS", [client.atom("WM_TAKE_FOCUS"), 0])
    client.sendMessage(window, "WM_PROTOCOLS", [0xffff_ffff, 0xffff_ffff])
  }

  /// Core events that a client makes up: every code, with nonsense inside.
  package func sendMadeUpEvents(_ window: UInt32) {
    // KeyPress..ConfigureNotify and PropertyNotify..MappingNotify, without those that are a person's or the
    // manager's own words (input, focus, UnmapNotify, ConfigureNotify, ClientMessage).
    for code in [UInt8(11), 13, 14, 19, 20, 21, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 34, 90, 120, 127] {
      let event = [code, 255, 0, 0] + (4..<32).map { UInt8(truncatingIfNeeded: $0 &* 91) }
      client.send(event, to: window, mask: 0)
    }
  }

  /// Events that only the server can know of: the focus went from one window to the other, the pointer with it, a key
  /// was pressed there, and all that far in the future.
  package func sendMadeUpFocus(from old: UInt32, to new: UInt32) {
    let time = bytes(of: 0x7000_0000)
    let zeros = [UInt8](repeating: 0, count: 32)
    func focus(_ code: UInt8, _ window: UInt32, mode: UInt8) -> [UInt8] {
      Array(([code, 3, 0, 0] + bytes(of: window) + [mode] + zeros).prefix(32))
    }
    func input(_ code: UInt8, _ window: UInt32, last: [UInt8]) -> [UInt8] {
      Array(([code, 38, 0, 0] + time + bytes(of: client.root) + bytes(of: window) + zeros).prefix(30)) + last
    }
    client.send(focus(9, new, mode: 0), to: new, mask: 0)
    client.send(focus(10, old, mode: 1), to: old, mask: 0)
    client.send(focus(10, old, mode: 0), to: old, mask: 0)
    // EnterNotify with the focus bit; KeyPress on the same screen; PropertyNotify.
    client.send(input(7, new, last: [0, 3]), to: new, mask: 0)
    client.send(input(2, new, last: [1, 0]), to: new, mask: 0)
    let property = [28, 0, 0, 0] + bytes(of: old) + bytes(of: client.atom("WM_STATE")) + time + zeros
    client.send(Array(property.prefix(32)), to: old, mask: 0)
  }

  /// Says that a window is somewhere else, as only its window manager should.
  package func sendMadeUpPosition(of window: UInt32, x: UInt16, y: UInt16) {
    let size: [UInt16] = [360, 240, 0]
    let numbers = ([x, y] + size).flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    let event = [22, 0, 0, 0] + bytes(of: window) + bytes(of: window) + bytes(of: UInt32(0)) + numbers
    client.send(Array((event + Array(repeating: 0, count: 32)).prefix(32)), to: window, mask: 0)
  }

  /// Puts a window into another one, as no program expects of its own top-level windows, and maps it there.
  package func reparent(_ window: UInt32, into parent: UInt32) {
    xcb_reparent_window(client.connection, window, parent, 10, 10)
    xcb_map_window(client.connection, window)
    client.sync()
  }

  /// Takes the place of a window manager, and answers nothing.
  package func interceptMapRequests(_ isOn: Bool) {
    let mask = isOn ? XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT.rawValue : 0
    xcb_change_window_attributes(client.connection, client.root, XCB_CW_EVENT_MASK.rawValue, [mask])
    client.sync()
  }

  /// Maps or unmaps a window.
  package func setMapped(_ window: UInt32, _ isMapped: Bool) {
    if isMapped { xcb_map_window(client.connection, window) } else { xcb_unmap_window(client.connection, window) }
    client.sync()
  }

  /// Properties with wrong types, formats and lengths, where a window manager writes and the platform reads.
  package func writeRubbishProperties(_ window: UInt32) {
    let names = ["WM_STATE", "_NET_WM_STATE", "_NET_WM_DESKTOP", "_NET_FRAME_EXTENTS", "_NET_WM_ALLOWED_ACTIONS"]
    for name in names {
      client.setProperty(window, name, type: "STRING", format: 8, bytes: Array("rubbish".utf8))
      client.setProperty(window, name, type: "CARDINAL", format: 16, bytes: [1, 2, 3, 4, 5, 6])
      client.setProperty(window, name, type: "INTEGER", longs: [0xffff_ffff])
      client.setProperty(window, name, type: name, format: 8, bytes: [1])
      client.setProperty(window, name, type: "ATOM", longs: [0xffff_ffff, 0])
    }
  }
}
