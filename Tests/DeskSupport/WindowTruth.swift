import CXCB
import Glibc

/// What the server says about one window now, asked by another client.
package struct WindowTruth: Hashable, Sendable, CustomStringConvertible {
  /// A scene state as the trace names it.
  package enum State: String, Hashable, Sendable, Comparable, CaseIterable {
    case unattached, background, foregroundInactive, foregroundActive

    package static func < (left: State, right: State) -> Bool {
      (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
  }

  package var window: UInt32
  package var exists = false
  /// Viewable: the window and all its ancestors are mapped (X protocol, GetWindowAttributes).
  package var isViewable = false
  /// The window itself and its ancestors below the root, nearest first: whether each is mapped.
  package var mapped: [Bool] = []
  package var wmState: UInt32?
  package var netWMState: Set<String> = []
  package var isOnScreen = false
  /// The input focus is the window or an inferior of it.
  package var hasFocus = false
  /// The focus follows the pointer, and the pointer is in the window.
  package var hasPointerFocus = false
  /// Somebody has selected SubstructureRedirect on the root.
  package var windowManagerRuns = false

  /// The state that a scene with this one window has once everything has settled: the rules, said once more and
  /// simply, without a thought for the order in which a window manager gets there.
  package var expectedState: State {
    guard exists else { return .unattached }
    // What a dead window manager left behind says nothing.
    let isNormal = !windowManagerRuns || wmState == nil || wmState == 1
    guard isViewable, isNormal, isOnScreen else { return .background }
    return hasFocus || (hasPointerFocus && !windowManagerRuns) ? .foregroundActive : .foregroundInactive
  }

  package var description: String {
    let number = "0x" + String(window, radix: 16)
    guard exists else { return "\(number) does not exist" }
    let state = wmState.map(String.init) ?? "absent"
    return "\(number) \(expectedState.rawValue): viewable \(isViewable), mapped \(mapped), WM_STATE \(state), "
      + "_NET_WM_STATE \(netWMState.sorted()), on screen \(isOnScreen), focus \(hasFocus), "
      + "pointer focus \(hasPointerFocus), window manager \(windowManagerRuns)"
  }
}

extension XClient {
  /// Whether a window manager runs: the one test that holds for all of them.
  package var windowManagerRuns: Bool {
    guard let reply = xcb_get_window_attributes_reply(connection, xcb_get_window_attributes(connection, root), nil)
    else { return false }
    defer { free(reply) }
    return reply.pointee.all_event_masks & XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT.rawValue != 0
  }

  /// Asks everything about one window.
  package func truth(_ window: UInt32) -> WindowTruth {
    var truth = WindowTruth(window: window)
    truth.windowManagerRuns = windowManagerRuns
    guard let own = mapState(window) else { return truth }
    truth.exists = true
    truth.isViewable = own == XCB_MAP_STATE_VIEWABLE.rawValue
    truth.mapped = ([window] + ancestors(of: window)).map { mapState($0) != XCB_MAP_STATE_UNMAPPED.rawValue }
    truth.wmState = longs(window, "WM_STATE", type: "WM_STATE")?.first
    truth.netWMState = Set((longs(window, "_NET_WM_STATE", type: "ATOM") ?? []).prefix(64).map { name(ofAtom: $0) })
    truth.isOnScreen = isOnScreen(window)
    let focus = inputFocus
    truth.hasFocus = focus == window || ancestors(of: focus).contains(window)
    truth.hasPointerFocus = focus == XCB_INPUT_FOCUS_POINTER_ROOT.rawValue && windowsUnderPointer.contains(window)
    return truth
  }

  private func mapState(_ window: UInt32) -> UInt32? {
    guard let reply = xcb_get_window_attributes_reply(connection, xcb_get_window_attributes(connection, window), nil)
    else { return nil }
    defer { free(reply) }
    return UInt32(reply.pointee.map_state)
  }

  /// The windows between a window and the root, nearest first.
  package func ancestors(of window: UInt32) -> [UInt32] {
    var result: [UInt32] = []
    var current = window
    // 0 and 1 are None and PointerRoot, not windows.
    while current > 1, let reply = xcb_query_tree_reply(connection, xcb_query_tree(connection, current), nil) {
      current = reply.pointee.parent
      let top = reply.pointee.root
      free(reply)
      if current == top || current == 0 { break }
      result.append(current)
    }
    return result
  }

  package var inputFocus: UInt32 {
    guard let reply = xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil) else { return 0 }
    defer { free(reply) }
    return reply.pointee.focus
  }

  private var windowsUnderPointer: [UInt32] {
    var result: [UInt32] = []
    var current = root
    while let reply = xcb_query_pointer_reply(connection, xcb_query_pointer(connection, current), nil) {
      current = reply.pointee.child
      free(reply)
      if current == 0 { break }
      result.append(current)
    }
    return result
  }

  private func isOnScreen(_ window: UInt32) -> Bool {
    guard let size = xcb_get_geometry_reply(connection, xcb_get_geometry(connection, window), nil) else { return false }
    defer { free(size) }
    let cookie = xcb_translate_coordinates(connection, window, root, 0, 0)
    guard let place = xcb_translate_coordinates_reply(connection, cookie, nil) else { return false }
    defer { free(place) }
    let (x, y) = (Int(place.pointee.dst_x), Int(place.pointee.dst_y))
    return x < Int(width) && y < Int(height) && x + Int(size.pointee.width) > 0 && y + Int(size.pointee.height) > 0
  }
}
