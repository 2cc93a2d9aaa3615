/// The platform's name for a window; on X11 the window's XID.
package struct WindowID: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
  package var rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
  package var description: String { "0x" + String(rawValue, radix: 16) }
}

/// The properties that a window is created with.
package struct WindowDescription: Equatable, Sendable {
  /// Unique and stable per session and window: `WM_WINDOW_ROLE` (ICCCM 5.1).
  package var role = ""
  package var title = ""
  /// Where and how large; the platform places it where `position` is nil.
  package var position: Point?
  package var size = Size(width: 640, height: 480)
  /// The pixels per point that these lengths are made for.
  package var scale = 1.0
  /// Where and how the window comes back, for one that was there before; wins over `position` and `size`.
  package var placement: WindowPlacement?
  package var minimumSize: Size?
  package var maximumSize: Size?
  package var background = Color.white
  /// The primary window of its scene, for a window that belongs above it.
  package var transientFor: WindowID?
  /// Pixels have an alpha, under a compositing manager.
  package var isTransparent = false
  /// The window wants the keyboard.
  package var isInteractive = true
  /// What a pop-up is for, which no window manager sees; nil for an ordinary window.
  package var popUp: PopUpKind?
  package init() {}
}

/// What a pop-up window is for.
public enum PopUpKind: Hashable, Sendable, CaseIterable {
  /// A menu at the place of a press: `_NET_WM_WINDOW_TYPE_POPUP_MENU`.
  case menu
  /// A menu that hangs from a button or a menu bar: `_NET_WM_WINDOW_TYPE_DROPDOWN_MENU`.
  case dropDownMenu
  /// A short explanation, which gets no input: `_NET_WM_WINDOW_TYPE_TOOLTIP`.
  case toolTip
  /// What is dragged, beside the pointer; gets no input: `_NET_WM_WINDOW_TYPE_DND`.
  case drag

  /// Whether it gets input.
  package var isMenu: Bool { self != .toolTip && self != .drag }
}

/// How a window asks to appear.
package enum Appearance: Equatable, Sendable {
  /// With the focus, because the user asked for it.
  case activated
  /// Without taking the focus from another window.
  case quiet
}

/// A request of the program about a window.
package enum WindowRequest: Hashable, Sendable {
  case activate
  case minimize
  case maximize(Bool)
  case fullScreen(Bool)
  case geometry(Rect)

  /// The request in the trace.
  package var traceName: String {
    switch self {
    case .activate: "requestActivation"
    case .minimize: "requestMinimize"
    case .maximize: "requestMaximized"
    case .fullScreen: "requestFullScreen"
    case .geometry: "requestFrame"
    }
  }
}

/// Names one request, so that its outcome finds its way back.
package struct RequestID: Hashable, Sendable, RawRepresentable {
  package var rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
}

/// The outcome of a window request.
public enum RequestOutcome: Hashable, Sendable {
  /// It happened.
  case done
  /// The window manager announces, or the server reported, that it cannot be done; the text names the reason.
  case refused(String)
  /// Nothing happened within half a second after the window manager had read the request, which it does not perform, or
  /// not now.
  ///
  /// A busy window manager, and one at the other end of a slow line, has the time that it needs to read it, and as long
  /// again, up to three seconds, to perform it. One that does not say whether it has read something (on X11: that does
  /// not answer `_NET_REQUEST_FRAME_EXTENTS`) has half a second from when the server has the request, and one that has
  /// stopped saying anything at all ten seconds more.
  case ignored

  /// The outcome in the trace.
  package var traceName: String {
    switch self {
    case .done: "done"
    case .refused: "refused"
    case .ignored: "ignored"
    }
  }
}
