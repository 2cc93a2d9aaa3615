import CXCB
import ProsceniumDesk

extension XClient {
  /// Says that this client is the window manager (ICCCM 2.8, EWMH `_NET_SUPPORTING_WM_CHECK`), which does nothing by
  /// itself.
  /// - Parameters:
  ///   - name: Its name; none where nil.
  ///   - supported: The names of `_NET_SUPPORTED`.
  /// - Returns: Its window: what cuts the connection of its client ends the window manager.
  @discardableResult func beginToManage(as name: String? = nil, supporting supported: [String] = []) -> UInt32 {
    let check = makeWindow(x: 600, overrideRedirect: true)
    if let name { setProperty(check, "_NET_WM_NAME", type: "UTF8_STRING", format: 8, bytes: Array(name.utf8)) }
    setProperty(root, "_NET_SUPPORTED", type: "ATOM", longs: supported.map { atom($0) })
    for id in [check, root] { setProperty(id, "_NET_SUPPORTING_WM_CHECK", type: "WINDOW", longs: [check]) }
    xcb_set_selection_owner(connection, check, atom("WM_S0"), 0)
    sync()
    return check
  }
}
