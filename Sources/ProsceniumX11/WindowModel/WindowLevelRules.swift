import CXCB
package import ProsceniumPlatform

extension WindowModel {
  /// The levels of the window now, each with the rule that decided.
  package func levels(root: RootModel) -> WindowLevels {
    let rule = visibilityRule(root: root)
    let isFocused = isFocused(root: root)
    return WindowLevels(
      visible: rule == .viewable, visibleCause: rule.rawValue, isWithdrawn: isWithdrawn,
      focused: isFocused, focusedCause: focusCause(isFocused: isFocused),
      grabbed: isFocused && focus.hasFocus && focus.isGrabbed, grabbedCause: focus.grabCause,
      occluded: isMapped && isFullyObscured)
  }

  /// With a window manager the focus is where that set it; without one keys go where the pointer is, too.
  private func isFocused(root: RootModel) -> Bool {
    guard phase == .shown && isMapped else { return false }
    return focus.hasFocus || !root.isManaged && focus.pointerFocus
  }

  private func focusCause(isFocused: Bool) -> String {
    if isFocused && !focus.hasFocus { return "pointer-focus" }
    if !isFocused && focus.hasFocus { return FocusTracker.Cause.unmapped.rawValue }
    return focus.cause.rawValue
  }

  /// Where the window is, and its states under the window manager.
  package func geometry(root: RootModel) -> WindowGeometry {
    var geometry = WindowGeometry(frame: position.frame)
    geometry.normalFrame = normalFrame.frame
    guard root.isManaged else { return geometry }
    geometry.desktop = workspace.map { $0 == EWMH_ALL_WORKSPACES.rawValue ? -1 : Int($0) }
    geometry.isMaximized = netState.isSuperset(of: [.maximizedHorizontally, .maximizedVertically])
    geometry.isFullScreen = netState.contains(.fullScreen)
    geometry.isMinimized = isMinimized(root: root)
    return geometry
  }

  /// HIDDEN where the window manager knows it; else IconicState, which also stands for shaded windows and for
  /// those on other workspaces (ICCCM 4.1.4 knows neither).
  private func isMinimized(root: RootModel) -> Bool {
    if isLatched { return true }
    return wmState == WindowModel.iconicState && !netState.contains(.shaded) && !isLeft(root: root)
  }
}
