import ProsceniumPlatform

/// The rules that decide whether a window is visible, in the order in which they are asked; the first that applies
/// decides.
///
/// The raw values are the causes that the trace tells.
package enum VisibilityRule: String, Hashable, Sendable, CaseIterable {
  case destroyed
  case withdrawn
  /// We have not asked for it, or no MapNotify has come since, or its first frames are not known yet.
  case notMapped = "not-mapped"
  case unmapped
  case frameUnmapped = "frame-unmapped"
  /// `WM_STATE` is there and not NormalState: 3 everywhere, 0 under i3, 2 under ctwm.
  case wmState = "wm-state"
  case hiddenLatch = "hidden-latch"
  case showingDesktop = "showing-desktop"
  case otherDesktop = "other-desktop"
  case offScreen = "off-screen"
  /// None of the others: the one rule that means visible.
  case viewable
}

extension WindowModel {
  /// The rule that decides.
  package func visibilityRule(desktop: DesktopModel) -> VisibilityRule {
    if let rule = ownRule(desktop: desktop) { return rule }
    if desktop.isManaged {
      if desktop.isShowingDesktop && !isUnusualType && !focus.hasFocus { return .showingDesktop }
      if desktop.isDesktopRuleOn && isLeft(desktop: desktop) { return .otherDesktop }
    }
    if isOffScreen(desktop: desktop) { return .offScreen }
    return .viewable
  }

  /// The rules of the window itself and of what the window manager wrote onto it, without those of the desktop.
  private func ownRule(desktop: DesktopModel) -> VisibilityRule? {
    switch phase {
    case .destroyed: return .destroyed
    case .withdrawn: return .withdrawn
    case .absent, .created, .requested: return .notMapped
    case .shown: break
    }
    if !isMapped { return .unmapped }
    if !frames.areMapped { return frames.areKnown ? .frameUnmapped : .notMapped }
    // What a window manager wrote is stale once it is gone.
    guard desktop.isManaged else { return nil }
    if let wmState, wmState != WindowModel.normalState { return .wmState }
    // An atom that may have been left behind is believed where the server, too, says that nothing of the window is seen.
    return isLatched || netState.contains(.hidden) && isFullyObscured ? .hiddenLatch : nil
  }

  /// What the window tells about a desktop that is not the current one any more: does the window manager hide
  /// by itself what it leaves? Nil where the window is not on such a desktop, or may have been hidden before.
  func hidesByItself(desktop: DesktopModel) -> Bool? {
    guard isLeft(desktop: desktop) else { return nil }
    switch ownRule(desktop: desktop) {
    case .destroyed, .withdrawn, .notMapped, .hiddenLatch: return nil
    case .unmapped, .frameUnmapped, .wmState:
      // A window that had been iconified before says nothing about desktops.
      return netState.contains(.hidden) ? nil : true
    case .showingDesktop, .otherDesktop, .offScreen, .viewable, nil: return isOffScreen(desktop: desktop)
    }
  }

  /// Whether the window is on a desktop other than the current one (EWMH, `_NET_WM_DESKTOP`: 0xFFFFFFFF is all).
  func isLeft(desktop: DesktopModel) -> Bool {
    guard let workspace, let current = desktop.current else { return false }
    return workspace != current && workspace != 0xFFFF_FFFF
  }

  private func isOffScreen(desktop: DesktopModel) -> Bool {
    !desktop.monitors.isEmpty && !desktop.monitors.contains { $0.intersects(position.frame) }
  }
}
