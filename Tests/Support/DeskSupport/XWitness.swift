import CXCB
import Glibc

/// Sees how a window is mapped and moved, as any client may: the platform's own word is not asked.
package final class XWitness {
  private let client: XClient
  private let window: UInt32
  /// MapNotify events.
  package private(set) var maps = 0
  /// What ConfigureNotify events that a window manager wrote said after the first of those (ICCCM 4.1.5: relative to
  /// the root).
  package private(set) var places: [Place] = []
  /// Sizes of the server's own ConfigureNotify events after that.
  package private(set) var sizes: [[Int]] = []

  package init(display: String, window: UInt32) throws {
    client = try XClient(display: display)
    self.window = window
    xcb_change_window_attributes(
      client.connection, window, XCB_CW_EVENT_MASK.rawValue, [XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue])
    free(xcb_get_input_focus_reply(client.connection, xcb_get_input_focus(client.connection), nil))
  }

  /// Takes what has come.
  package func look() {
    free(xcb_get_input_focus_reply(client.connection, xcb_get_input_focus(client.connection), nil))
    while let event = xcb_poll_for_event(client.connection) {
      defer { free(event) }
      let code = event.pointee.response_type
      switch UInt32(code & 0x7F) {
      case UInt32(XCB_MAP_NOTIFY): maps += 1
      case UInt32(XCB_CONFIGURE_NOTIFY) where maps > 0:
        let configure = UnsafeRawPointer(event).load(as: xcb_configure_notify_event_t.self)
        guard configure.window == window else { continue }
        if code & 0x80 != 0 {
          places.append(
            Place(Int(configure.x), Int(configure.y), Int(configure.width), Int(configure.height)))
        } else {
          sizes.append([Int(configure.width), Int(configure.height)])
        }
      default: break
      }
    }
  }
}
