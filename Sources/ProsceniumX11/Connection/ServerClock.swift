import CXCB
import Glibc

/// The X server's present time, for a process without windows: before it has any, or that is never going to have any.
///
/// Window managers give the focus to what the user did last, and compare times to know (EWMH, `_NET_WM_USER_TIME`). A
/// launcher says when it was asked to start a program; a terminal does not, and there "now" is the moment.
@MainActor package enum ServerClock {
  /// Connects, asks and closes again: two round trips.
  ///
  /// - Parameter display: Which one; the one that `DISPLAY` names where nil.
  /// - Returns: The time; nil where there is no server.
  package static func now(display: String? = nil) -> UInt32? {
    guard let connection = try? Connection(display: display) else { return nil }
    let window = connection.makeID()
    connection.createWindow(
      window, x: -1, y: -1, width: 1, height: 1,
      attributes: .init(eventMask: XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue), isInputOnly: true)
    // Appending nothing to a property tells the time (ICCCM 2.1).
    connection.changeProperty(window, PredefinedAtom.wmClass, type: PredefinedAtom.string, bytes: [], mode: .append)
    connection.windowAttributes(window) { _ in }
    connection.awaitAll()
    while let event = connection.nextEvent() {
      defer { free(event) }
      guard event.pointee.response_type & 0x7f == UInt8(XCB_PROPERTY_NOTIFY) else { continue }
      return UnsafeRawPointer(event).loadUnaligned(as: xcb_property_notify_event_t.self).time
    }
    return nil
  }

  /// An id for a start that no launcher has given one to, as the Startup Notification protocol spells it.
  package static func startupID(program: String, process: Int32, time: UInt32) -> String {
    "\(program.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })-\(process)_TIME\(time)"
  }
}
