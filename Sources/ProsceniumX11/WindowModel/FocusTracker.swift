package import ProsceniumPlatform

/// Whether one window has the keyboard focus, and whether another client holds the keyboard meanwhile.
///
/// Core focus events are the only truthful source: `_NET_ACTIVE_WINDOW` and `_NET_WM_STATE_FOCUSED` are stale under
/// several window managers. The rules for the pointer focus are those of X protocol, chapter 11 (FocusIn), as they
/// apply to a top-level window: the focus can be on the root or on a frame, and keys go where the pointer is.
package struct FocusTracker: Hashable, Sendable {
  /// The last event that decided about the focus.
  package enum Cause: LevelCause, Hashable, Sendable, CaseIterable {
    case created, unmapped
    case focusIn = "focus-in"
    case focusOut = "focus-out"
    case keyPress = "key-press"
  }

  /// Whether the focus is on the window or on a window within it.
  package private(set) var hasFocus = false
  /// Whether the pointer is within the window, as far as crossing events show.
  package private(set) var hasPointer = false
  /// Whether the focus is on an ancestor, and the pointer makes keys come to the window.
  package private(set) var pointerFocus = false
  /// Whether another client holds the keyboard.
  ///
  /// Means nothing while the window is not focused.
  package private(set) var isGrabbed = false
  package private(set) var cause = Cause.created
  package private(set) var grabCause: LevelCause = "created"
  /// Whether the program holds the keyboard itself, with this window as the grab window.
  private var ownsGrab = false
  /// Whether `hasFocus` was concluded from a key, and not reported by the server.
  private var isGuess = false

  /// Whether keys that arrive are meant for the window.
  package var acceptsKeys: Bool { hasFocus || pointerFocus }

  /// Whether a key would change anything.
  var learnsFromKeys: Bool { isGrabbed || !acceptsKeys }

  /// FocusIn or FocusOut.
  mutating func focus(isIn: Bool, _ mode: WindowSignal.Mode, _ detail: WindowSignal.Detail) {
    switch mode {
    case .normal:
      // The server sends Normal only while no client holds the keyboard (X protocol, FocusIn).
      release()
      move(isIn: isIn, detail)
    case .whileGrabbed:
      move(isIn: isIn, detail)
      if detail.isAboutWindow {
        // The focus came or went during a grab. Where it came to, keys still go to the holder until the grab ends
        // with FocusIn(Ungrab) on this very window; where it left, no further event will come.
        setGrabbed(isIn && hasFocus && !ownsGrab)
      }
    case .grab: grab(isIn: isIn, detail)
    case .ungrab:
      if detail.isAboutWindow { release() }
    }
  }

  /// EnterNotify or LeaveNotify; `focus` as in the event: the focus is on the window or an ancestor.
  mutating func cross(isEnter: Bool, _ detail: WindowSignal.Detail, focus: Bool) {
    guard detail != .inferior else { return }
    hasPointer = isEnter
    if isGuess && !focus { setFocus(false, .focusOut) }
    if focus && !hasFocus { pointerFocus = isEnter }
    if !isEnter { pointerFocus = false }
  }

  /// A key has arrived: the server sends keys only where the focus is, and focus events can get lost.
  mutating func keyPress() {
    setGrabbed(false)
    guard !acceptsKeys else { return }
    setFocus(true, .keyPress)
    isGuess = true
  }

  /// UnmapNotify: a window that is not viewable has neither focus nor pointer nor grab (X protocol, UnmapWindow).
  ///
  /// The FocusOut may come before it or after it.
  mutating func unmap() {
    hasPointer = false
    pointerFocus = false
    ownsGrab = false
    setGrabbed(false)
    setFocus(false, .unmapped)
    cause = .unmapped  // Also where the FocusOut came first: it was part of the hiding.
  }

  private mutating func move(isIn: Bool, _ detail: WindowSignal.Detail) {
    switch detail {
    case .inferior: return
    case .ancestor, .virtual:
      setFocus(isIn, isIn ? .focusIn : .focusOut)
      if hasPointer { pointerFocus = !isIn }
    case .nonlinear, .nonlinearVirtual:
      setFocus(isIn, isIn ? .focusIn : .focusOut)
      if hasPointer { pointerFocus = false }
    case .pointer:
      if hasPointer { pointerFocus = isIn }
    case .pointerRoot, .none: return
    }
  }

  /// A grab by others takes the keyboard away from the focus window; an own grab gives it back in the next event
  /// (`FocusOut(Grab/Nonlinear) FocusIn(Grab/Nonlinear)`).
  private mutating func grab(isIn: Bool, _ detail: WindowSignal.Detail) {
    guard detail.isAboutWindow else { return }
    if isIn {
      release()
      ownsGrab = true
    } else if hasFocus {
      setGrabbed(!ownsGrab)
    }
  }

  private mutating func release() {
    ownsGrab = false
    setGrabbed(false)
  }

  private mutating func setGrabbed(_ on: Bool) {
    guard on != isGrabbed else { return }
    isGrabbed = on
    grabCause = on ? "grab" : "ungrab"
  }

  private mutating func setFocus(_ on: Bool, _ why: Cause) {
    isGuess = false
    if on != hasFocus { cause = why }
    hasFocus = on
  }
}
