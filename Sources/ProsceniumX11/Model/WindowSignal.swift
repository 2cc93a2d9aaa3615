package import ProsceniumPlatform

/// Everything about one of our top-level windows that the rules of visibility and focus listen to, as plain values.
///
/// The shell decodes X events and property replies into these; the model reduces them and never sees xcb. One
/// signal is one line of a log (`WindowLog`), so that a recorded session can be replayed.
package enum WindowSignal: Hashable, Sendable {
  /// The mode of a focus or crossing event (X protocol, FocusIn; EnterNotify has no `whileGrabbed`).
  package enum Mode: UInt8, Hashable, Sendable, CaseIterable { case normal, grab, ungrab, whileGrabbed }
  /// The detail of a focus or crossing event.
  package enum Detail: UInt8, Hashable, Sendable, CaseIterable {
    case ancestor, virtual, inferior, nonlinear, nonlinearVirtual, pointer, pointerRoot, none
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
  }
  package enum Visibility: UInt8, Hashable, Sendable, CaseIterable { case unobscured, partiallyObscured, fullyObscured }

  /// The shell created the window, not mapped yet.
  case created(Rect)
  /// The window comes back: its place is the user's already, wherever the window manager puts it.
  case placed
  /// The shell asks for the window to be mapped / withdrew it (UnmapWindow and the synthetic UnmapNotify).
  case showRequested
  case withdrawn
  /// MapNotify / a real UnmapNotify (`send_event` 0) of the window itself / DestroyNotify.
  case mapped
  case unmapped
  case destroyed
  /// ReparentNotify; `ancestors` become unknown until `.ancestors` follows.
  case reparented(parent: UInt32, parentIsRoot: Bool)
  /// The frames between the window and the root, nearest first, with whether each is mapped.
  case ancestors([Ancestor])
  case ancestorMapped(UInt32)
  case ancestorUnmapped(UInt32)
  /// ReparentNotify or DestroyNotify of a frame itself: what is above it has to be asked for again.
  case ancestorReparented(UInt32)
  case ancestorDestroyed(UInt32)
  /// Property values; nil where absent or malformed.
  case wmState(UInt32?)
  case netState(NetState?)
  case desktop(UInt32?)
  /// The window type is neither NORMAL nor DIALOG (rule 5 does not apply).
  case unusualType(Bool)
  /// ConfigureNotify. `isAbsolute` where it is synthetic or the parent is the root (ICCCM 4.1.5).
  case configured(Rect, isAbsolute: Bool)
  /// The reply of TranslateCoordinates to the root.
  case translated(Point)
  case focusIn(Mode, Detail)
  case focusOut(Mode, Detail)
  case enter(Mode, Detail, focus: Bool)
  case leave(Mode, Detail, focus: Bool)
  case visibility(Visibility)
  /// A key that the server delivered to the window (`send_event` 0).
  case keyPress
  case exposed
  /// The window manager is gone: what it wrote onto the window means nothing any more.
  case windowManagerLost
  /// For a while nothing has changed that `.startResting` was said for.
  case rested

  package struct Ancestor: Hashable, Sendable {
    package var window: UInt32
    package var isMapped: Bool
    package init(window: UInt32, isMapped: Bool) {
      self.window = window
      self.isMapped = isMapped
    }
  }
}

/// Everything about the whole desktop that the rules listen to.
package enum DesktopSignal: Hashable, Sendable {
  /// The answer to "is there a window manager" (b.5), and what it calls itself (nil where it has no name).
  case windowManager(present: Bool, name: String?)
  /// A sign that the window manager is coming, going or being replaced (b.5).
  case windowManagerChanged(cause: String)
  /// Nothing of the kind for `HoldTimes.windowManagerChange`.
  case windowManagerSettled
  case supportsActiveWindow(Bool)
  case currentDesktop(UInt32?)
  case showingDesktop(Bool)
  case monitors([Rect])
  /// 300 ms after `_NET_CURRENT_DESKTOP` changed: has the window manager hidden by itself what it left?
  case desktopRuleDue
}
