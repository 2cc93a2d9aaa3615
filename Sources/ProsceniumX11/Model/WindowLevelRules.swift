package import ProsceniumPlatform

extension WindowModel {
  /// What is true of the window now, each with the rule that decided.
  package func levels(desktop: DesktopModel) -> WindowLevels {
    let rule = visibilityRule(desktop: desktop)
    let isFocused = isFocused(desktop: desktop)
    return WindowLevels(
      visible: rule == .viewable, visibleCause: rule.rawValue, isWithdrawn: isWithdrawn,
      focused: isFocused, focusedCause: focusCause(isFocused: isFocused),
      grabbed: isFocused && focus.hasFocus && focus.isGrabbed, grabbedCause: focus.grabCause,
      occluded: isMapped && isFullyObscured)
  }

  /// With a window manager the focus is what it gave; without one keys go where the pointer is, too.
  private func isFocused(desktop: DesktopModel) -> Bool {
    guard phase == .shown && isMapped else { return false }
    return focus.hasFocus || !desktop.isManaged && focus.pointerFocus
  }

  private func focusCause(isFocused: Bool) -> String {
    if isFocused && !focus.hasFocus { return "pointer-focus" }
    if !isFocused && focus.hasFocus { return FocusTracker.Cause.unmapped.rawValue }
    return focus.cause.rawValue
  }

  /// Where the window is and what the window manager made of it.
  package func geometry(desktop: DesktopModel) -> WindowGeometry {
    var geometry = WindowGeometry(frame: position.frame)
    geometry.normalFrame = normalFrame.frame
    guard desktop.isManaged else { return geometry }
    // 0xFFFFFFFF is all of them (EWMH, `_NET_WM_DESKTOP`).
    geometry.desktop = workspace.map { $0 == .max ? -1 : Int($0) }
    geometry.isMaximized = netState.isSuperset(of: [.maximizedHorizontally, .maximizedVertically])
    geometry.isFullScreen = netState.contains(.fullScreen)
    geometry.isMinimized = isMinimized(desktop: desktop)
    return geometry
  }

  /// HIDDEN where the window manager knows it; else IconicState, which also stands for shaded windows and for
  /// those on other desktops (ICCCM 4.1.4 knows neither).
  private func isMinimized(desktop: DesktopModel) -> Bool {
    if isLatched { return true }
    return wmState == WindowModel.iconicState && !netState.contains(.shaded) && !isLeft(desktop: desktop)
  }
}
