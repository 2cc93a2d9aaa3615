import CXCB
import Glibc

/// A window that writes down which keys and clicks it gets.
package final class Typist {
  package let window: UInt32
  private let client: XClient
  private var keyEvents: [(code: UInt8, state: UInt16)] = []
  private var clickEvents: [[Int]] = []

  package init(display: String) throws {
    let client = try XClient(display: display)
    window = client.makeWindow { window in
      xcb_change_window_attributes(
        client.connection, window, XCB_CW_EVENT_MASK.rawValue,
        [XCB_EVENT_MASK_KEY_PRESS.rawValue | XCB_EVENT_MASK_BUTTON_PRESS.rawValue])
    }
    self.client = client
  }

  /// Each as "shift+H" or, where it gives no sign, "0xff0d".
  package var keys: [String] {
    look()
    return keyEvents.map { code, state in
      let names: [(UInt32, String)] = [
        (XCB_MOD_MASK_SHIFT.rawValue, "shift+"), (XCB_MOD_MASK_CONTROL.rawValue, "control+"),
        (XCB_MOD_MASK_1.rawValue, "alt+"),
      ]
      let held = names.filter { UInt32(state) & $0.0 != 0 }.map(\.1).joined()
      return held + sign(code, isShifted: UInt32(state) & XCB_MOD_MASK_SHIFT.rawValue != 0)
    }
  }

  /// Where the window was clicked.
  package var clicks: [[Int]] {
    look()
    return clickEvents
  }

  private func sign(_ code: UInt8, isShifted: Bool) -> String {
    let cookie = xcb_get_keyboard_mapping(client.connection, code, 1)
    guard let reply = xcb_get_keyboard_mapping_reply(client.connection, cookie, nil) else { return "" }
    defer { free(reply) }
    guard let symbols = xcb_get_keyboard_mapping_keysyms(reply), reply.pointee.keysyms_per_keycode > 1 else {
      return ""
    }
    let symbol = symbols[isShifted ? 1 : 0]
    if (0x20..<0x7F).contains(symbol) { return String(Character(UnicodeScalar(UInt8(symbol)))) }
    return "0x" + String(symbols[0], radix: 16)
  }

  private func look() {
    while let event = xcb_poll_for_event(client.connection) {
      defer { free(event) }
      switch Int32(event.pointee.response_type & 0x7F) {
      case XCB_KEY_PRESS:
        let press = UnsafeRawPointer(event).load(as: xcb_key_press_event_t.self)
        keyEvents.append((press.detail, press.state))
      case XCB_BUTTON_PRESS:
        let press = UnsafeRawPointer(event).load(as: xcb_button_press_event_t.self)
        clickEvents.append([Int(press.event_x), Int(press.event_y)])
      default: break
      }
    }
  }
}
