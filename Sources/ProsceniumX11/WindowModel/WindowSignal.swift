package import ProsceniumPlatform

/// A fact about one of our top-level windows that the rules of visibility and focus use, as a plain value.
///
/// ``WindowTable`` makes them of X events and replies; the model reduces them and never sees xcb.
package enum WindowSignal: Hashable, Sendable {
  /// The mode of a focus or crossing event (X protocol, FocusIn; EnterNotify has no `whileGrabbed`).
  package enum Mode: UInt8, Hashable, Sendable, CaseIterable { case normal, grab, ungrab, whileGrabbed }
  /// The detail of a focus or crossing event.
  package enum Detail: UInt8, Hashable, Sendable, CaseIterable {
    case ancestor, virtual, inferior, nonlinear, nonlinearVirtual, pointer, pointerRoot, none

    /// Whether an event with this detail is about the focus of the window itself, not about the pointer or a child.
    var isAboutWindow: Bool {
      switch self {
      case .ancestor, .virtual, .nonlinear, .nonlinearVirtual: true
      case .inferior, .pointer, .pointerRoot, .none: false
      }
    }
  }
  /// The parts of `_NET_WM_STATE` that matter here (EWMH, "Application Window Properties").
  package struct NetState: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let hidden = NetState(rawValue: 1)
    package static let fullScreen = NetState(rawValue: 2)
    package static let maximizedHorizontally = NetState(rawValue: 4)
    package static let maximizedVertically = NetState(rawValue: 8)
    package static let shaded = NetState(rawValue: 16)
    /// HIDDEN is in the list a second and a third time: i3 appends it to the list that it finds, in which another
    /// window manager has left it, or an i3 that is gone.
    package static let hiddenTwice = NetState(rawValue: 32)
    package static let hiddenThrice = NetState(rawValue: 64)
    static let everyHidden: NetState = [.hidden, .hiddenTwice, .hiddenThrice]
  }
  package enum Visibility: UInt8, Hashable, Sendable, CaseIterable { case unobscured, partiallyObscured, fullyObscured }

  /// The window has been created, and is not mapped yet.
  case created(Rect)
  /// The window comes back: its place is the user's already, wherever the window manager moves it.
  case placed
  /// The window is another library's, and what it was created with says nothing of where it will be.
  case unplaced
  /// The program has asked for the window to be mapped.
  case showRequested
  /// The program has withdrawn it (UnmapWindow and the synthetic UnmapNotify).
  case withdrawn
  /// MapNotify of the window itself.
  case mapped
  /// A real UnmapNotify (`send_event` 0) of the window itself.
  case unmapped
  /// DestroyNotify.
  case destroyed
  /// ReparentNotify; `ancestors` become unknown until `.ancestors` follows.
  case reparented(parent: UInt32, parentIsRoot: Bool)
  /// The frames between the window and the root, nearest first, with whether each is mapped.
  case ancestors([Ancestor])
  case ancestorMapped(UInt32)
  case ancestorUnmapped(UInt32)
  /// ReparentNotify or DestroyNotify of a frame itself: the windows above it are queried again.
  case ancestorReparented(UInt32)
  case ancestorDestroyed(UInt32)
  /// The value of `WM_STATE`; nil where absent or malformed, as with the two that follow.
  case wmState(UInt32?)
  /// `_NET_WM_STATE` has changed; its value is asked for, and follows with all that it has changed to meanwhile.
  case netStateAnnounced
  /// The value of `_NET_WM_STATE`.
  case netState(NetState?)
  /// The value of `_NET_WM_STATE` that was there when the window began to be followed: nothing says since when.
  case netStateFound(NetState?)
  /// The value of `_NET_WM_DESKTOP`.
  case workspace(UInt32?)
  /// Where on the root the desktop's own windows are that lie above it (EWMH, `_NET_WM_WINDOW_TYPE_DESKTOP`); asked
  /// for while the desktop is shown, and none whenever that begins.
  case desktopsAbove([Rect])
  /// ConfigureNotify. `isAbsolute` where it is synthetic or the parent is the root (ICCCM 4.1.5).
  case configured(Rect, isAbsolute: Bool)
  /// The reply of TranslateCoordinates to the root.
  case translated(Point)
  case focusIn(Mode, Detail)
  case focusOut(Mode, Detail)
  case enter(Mode, Detail, focus: Bool)
  case leave(Mode, Detail, focus: Bool)
  case visibility(Visibility)
  /// The server draws the window apart from its parent, whose visual is another one, so that it is never covered as far
  /// as VisibilityNotify says (Composite protocol, section 2; the windows' contents are put together afterwards).
  case redirected
  /// Whether a compositing manager runs, which redirects all windows in the same way (EWMH, "Compositing Managers").
  case composited(Bool)
  /// A key that the server delivered to the window (`send_event` 0).
  case keyPress
  case exposed
  /// The window manager is gone: the properties that it wrote mean nothing any more.
  case windowManagerLost
  /// ``NormalFrameTracker/briefRest`` has passed since `.startResting`.
  case restedBriefly
  /// ``NormalFrameTracker/rest`` has passed since `.startResting`.
  case rested

  package struct Ancestor: Hashable, Sendable {
    package var window: UInt32
    package var isMapped: Bool
  }
}
