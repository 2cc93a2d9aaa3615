import CXCB
import Glibc

/// The properties of one window now, as the server reports them to another client.
public struct WindowTruth: Hashable, Sendable, CustomStringConvertible {
  /// A scene's activation state, as the trace names it; the lowest first.
  public enum State: String, Hashable, Sendable, Comparable, CaseIterable {
    /// There is no such scene, or no such window.
    case unattached
    /// Nothing of it can be seen.
    case background
    /// It can be seen, and something else has the focus.
    case foregroundInactive
    /// It can be seen and has the focus.
    case foregroundActive

    /// Whether a state comes before another on the way to the foreground.
    public static func < (left: State, right: State) -> Bool {
      (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
  }

  /// The window's number on the server.
  public var window: UInt32
  /// Whether there is such a window.
  public internal(set) var exists = false
  /// Viewable: the window and all its ancestors are mapped (X protocol, GetWindowAttributes).
  public internal(set) var isViewable = false
  /// The window itself and its ancestors below the root, nearest first: whether each is mapped.
  public internal(set) var mapped: [Bool] = []
  /// `WM_STATE` (ICCCM 4.1.3.1): 0 withdrawn, 1 normal, 3 iconic; nil where it is not set.
  public internal(set) var wmState: UInt32?
  /// The names in `_NET_WM_STATE`.
  public internal(set) var netWMState: Set<String> = []
  /// A part of it at least lies on the screen.
  public internal(set) var isOnScreen = false
  /// The input focus is the window or an inferior of it.
  public internal(set) var hasFocus = false
  /// The focus follows the pointer, and the pointer is in the window.
  public internal(set) var hasPointerFocus = false
  /// A client has selected SubstructureRedirect on the root: a window manager runs.
  public internal(set) var windowManagerRuns = false
  /// `_NET_WM_DESKTOP` is neither the current desktop nor all of them, under a window manager that runs.
  public internal(set) var isOnOtherDesktop = false
  /// A desktop's window covers it; or another window, where the window manager reports this one as hidden: a window
  /// in front is visible, even with `_NET_WM_STATE_HIDDEN`.
  ///
  /// FVWM and JWM leave that on windows that are shown again: under them it counts nothing.
  public internal(set) var isHiddenByOthers = false

  init(window: UInt32) { self.window = window }

  /// The state that a scene with this one window has once everything has settled: the rules in a second, simple form,
  /// which ignores the order of the window manager's steps.
  ///
  /// The scene's activation policy is `.whenFocused`: with `.whenVisible`, and while another window of the scene has
  /// the focus, it may be active where this is inactive.
  public var expectedState: State {
    guard exists else { return .unattached }
    // Properties of a window manager that has died are ignored.
    let isNormal = !windowManagerRuns || wmState == nil || wmState == 1
    guard isViewable, isNormal, isOnScreen, !isOnOtherDesktop, !isHiddenByOthers else { return .background }
    return hasFocus || (hasPointerFocus && !windowManagerRuns) ? .foregroundActive : .foregroundInactive
  }

  /// As ``expectedState``, while another client holds the keyboard: nothing is more than inactive then.
  public var expectedWhileInterrupted: State { min(expectedState, .foregroundInactive) }

  /// All of it, in a line.
  public var description: String {
    let number = "0x" + String(window, radix: 16)
    guard exists else { return "\(number) does not exist" }
    let state = wmState.map(String.init) ?? "absent"
    return "\(number) \(expectedState.rawValue): viewable \(isViewable), mapped \(mapped), WM_STATE \(state), "
      + "_NET_WM_STATE \(netWMState.sorted()), on screen \(isOnScreen), focus \(hasFocus), "
      + "pointer focus \(hasPointerFocus), window manager \(windowManagerRuns), "
      + "on another desktop \(isOnOtherDesktop), hidden by others \(isHiddenByOthers)"
  }
}

extension XClient {
  /// Whether a window manager runs: the one test that holds for all of them.
  package var windowManagerRuns: Bool {
    attributes(root) { $0.all_event_masks & XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT.rawValue != 0 } ?? false
  }

  /// Whether a compositing manager runs (EWMH, `_NET_WM_CM_Sn`).
  var compositingManagerRuns: Bool {
    let cookie = xcb_get_selection_owner(connection, atom("_NET_WM_CM_S0"))
    return read(xcb_get_selection_owner_reply(connection, cookie, nil)) { $0.pointee.owner != 0 } ?? false
  }

  /// Reads all properties of one window.
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
    if truth.windowManagerRuns, let checkWindow {
      let own = longs(window, "_NET_WM_DESKTOP", type: "CARDINAL")?.first
      let current = longs(root, "_NET_CURRENT_DESKTOP", type: "CARDINAL")?.first
      // Matchbox counts from 1 here, and has one desktop; all of them are 0xFFFFFFFF.
      let count = longs(root, "_NET_NUMBER_OF_DESKTOPS", type: "CARDINAL")?.first ?? 0
      if let own, let current, own < count { truth.isOnOtherDesktop = own != current }
      let manager = text(checkWindow, "_NET_WM_NAME", type: "UTF8_STRING") ?? ""
      let isSaidToBeHidden =
        truth.netWMState.contains("_NET_WM_STATE_HIDDEN") && !["FVWM", "JWM"].contains(manager)
      truth.isHiddenByOthers = windowsOver(window).contains { isSaidToBeHidden || isDesktop($0) }
    }
    let focus = inputFocus
    truth.hasFocus = focus == window || ancestors(of: focus).contains(window)
    truth.hasPointerFocus = focus == XCB_INPUT_FOCUS_POINTER_ROOT.rawValue && windowsUnderPointer.contains(window)
    return truth
  }

  private func mapState(_ window: UInt32) -> UInt32? { attributes(window) { UInt32($0.map_state) } }

  private func attributes<Value>(_ window: UInt32, _ body: (xcb_get_window_attributes_reply_t) -> Value) -> Value? {
    let cookie = xcb_get_window_attributes(connection, window)
    return read(xcb_get_window_attributes_reply(connection, cookie, nil)) { body($0.pointee) }
  }

  /// The windows between a window and the root, nearest first.
  package func ancestors(of window: UInt32) -> [UInt32] {
    var result: [UInt32] = []
    var current = window
    // 0 and 1 are None and PointerRoot, not windows.
    while current > 1, let parent = tree(of: current, { $0.pointee.parent }), parent != root, parent != 0 {
      result.append(parent)
      current = parent
    }
    return result
  }

  package var inputFocus: UInt32 {
    read(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil)) { $0.pointee.focus } ?? 0
  }

  private var windowsUnderPointer: [UInt32] {
    let chain = sequence(first: root) { [self] window in
      let reply = xcb_query_pointer_reply(connection, xcb_query_pointer(connection, window), nil)
      return read(reply) { $0.pointee.child == 0 ? nil : $0.pointee.child }
    }
    return Array(chain.dropFirst())
  }

  /// The windows on the root that lie over all of a window and are mapped.
  private func windowsOver(_ window: UInt32) -> [UInt32] {
    let top = ancestors(of: window).last ?? window
    guard let own = place(of: window), let position = children(of: root).firstIndex(of: top) else { return [] }
    return children(of: root).dropFirst(position + 1).filter { other in
      guard mapState(other) == XCB_MAP_STATE_VIEWABLE.rawValue, let place = place(of: other) else { return false }
      return place.x <= own.x && place.y <= own.y && place.x + place.width >= own.x + own.width
        && place.y + place.height >= own.y + own.height
    }
  }

  /// Whether a window, or one in it, is of the type of a desktop's (EWMH, `_NET_WM_WINDOW_TYPE`).
  private func isDesktop(_ window: UInt32) -> Bool {
    let types = longs(window, "_NET_WM_WINDOW_TYPE", type: "ATOM") ?? []
    return types.contains(atom("_NET_WM_WINDOW_TYPE_DESKTOP")) || children(of: window).contains { isDesktop($0) }
  }

  /// The windows of programs, the lowest first: those with a `WM_STATE` from the window manager (ICCCM 4.1.3.1), also
  /// in its frames; without one, the root's children with a client's properties (4.1.2.5).
  var programWindows: [UInt32] {
    windowManagerRuns
      ? children(of: root).flatMap { managedWindows(in: $0) }
      : children(of: root).filter { text($0, "WM_CLASS") != nil }
  }

  private func managedWindows(in window: UInt32) -> [UInt32] {
    longs(window, "WM_STATE", type: "WM_STATE") != nil
      ? [window] : children(of: window).flatMap { managedWindows(in: $0) }
  }

  func title(of window: UInt32) -> String? {
    for (name, type) in [("_NET_WM_NAME", "UTF8_STRING"), ("WM_NAME", "UTF8_STRING"), ("WM_NAME", "STRING")] {
      if let title = text(window, name, type: type), !title.isEmpty { return title }
    }
    return nil
  }

  /// The windows in a window, the lowest first.
  private func children(of window: UInt32) -> [UInt32] {
    let children = tree(of: window) {
      Array(UnsafeBufferPointer(start: xcb_query_tree_children($0), count: Int(xcb_query_tree_children_length($0))))
    }
    return children ?? []
  }

  private func tree<Value>(
    of window: UInt32, _ body: (UnsafeMutablePointer<xcb_query_tree_reply_t>) -> Value
  ) -> Value? {
    read(xcb_query_tree_reply(connection, xcb_query_tree(connection, window), nil), body)
  }

  private func isOnScreen(_ window: UInt32) -> Bool {
    guard let place = place(of: window) else { return false }
    return place.x < Int(width) && place.y < Int(height) && place.x + place.width > 0 && place.y + place.height > 0
  }
}
