import CXCB
package import ProsceniumPlatform

/// The rules that decide whether a window is visible, in the order in which they are checked; the first that applies
/// decides.
///
/// The raw values are the causes in the trace.
package enum VisibilityRule: LevelCause, Hashable, Sendable, CaseIterable {
  case destroyed
  case withdrawn
  /// The program has not asked for it, or no MapNotify has come since, or its first frames are not known yet.
  case notMapped = "not-mapped"
  case unmapped
  case frameUnmapped = "frame-unmapped"
  /// `WM_STATE` is there and not NormalState: 3 everywhere, 0 under i3, 2 under ctwm.
  case wmState = "wm-state"
  case hiddenLatch = "hidden-latch"
  /// The desktop is shown, and windows of its own cover this one: KWin raises them, and hides nothing else.
  ///
  /// `_NET_SHOWING_DESKTOP` alone hides nothing. It says what was asked for: icewm, JWM and compiz leave it set when
  /// windows have come back, xfwm4 when new ones have come, and KWin sets it where there is no desktop's window, too.
  /// All but KWin and matchbox also unmap or mark what they hide, which the rules above see.
  case showingDesktop = "showing-desktop"
  case otherWorkspace = "other-desktop"
  case offScreen = "off-screen"
  /// None of the others: the one rule that means visible.
  case viewable
}

extension WindowModel {
  /// The rule that decides.
  package func visibilityRule(root: RootModel) -> VisibilityRule {
    if let rule = ownRule(root: root) { return rule }
    if root.isManaged {
      if root.isShowingDesktop && !focus.hasFocus && isUnderDesktop(root: root) { return .showingDesktop }
      if root.isWorkspaceRuleOn && isLeft(root: root) { return .otherWorkspace }
    }
    if isOffScreen(root: root) { return .offScreen }
    return .viewable
  }

  /// The rules of the window itself and of the window manager's properties on it, without those of the root.
  private func ownRule(root: RootModel) -> VisibilityRule? {
    switch phase {
    case .destroyed: return .destroyed
    case .withdrawn: return .withdrawn
    case .absent, .created, .requested: return .notMapped
    case .shown: break
    }
    if !isMapped { return .unmapped }
    if !frames.areMapped { return frames.areKnown ? .frameUnmapped : .notMapped }
    // A window manager's properties are stale once it is gone.
    guard root.isManaged else { return nil }
    if let wmState, wmState != WindowModel.normalState { return .wmState }
    return isLatched(root: root) ? .hiddenLatch : nil
  }

  /// Whether the window manager hides by itself the windows of a workspace that is left, as this window shows it; nil
  /// where the window is not on such a workspace, or may have been hidden before.
  func hidesByItself(root: RootModel) -> Bool? {
    guard isLeft(root: root) else { return nil }
    switch ownRule(root: root) {
    case .destroyed, .withdrawn, .notMapped, .hiddenLatch: return nil
    case .unmapped, .frameUnmapped, .wmState:
      // A window that had been iconified before says nothing about workspaces.
      return netState.contains(.hidden) ? nil : true
    case .showingDesktop, .otherWorkspace, .offScreen, .viewable, nil: return isOffScreen(root: root)
    }
  }

  /// Whether the window is on a workspace other than the current one (EWMH, `_NET_WM_DESKTOP`).
  func isLeft(root: RootModel) -> Bool {
    guard let workspace, let current = root.currentWorkspace else { return false }
    return workspace != current && workspace != EWMH_ALL_WORKSPACES.rawValue
  }

  /// Whether another workspace may be shown than the one that is known, after a signal of a window that is hidden for
  /// that alone: an untrusted client is not told of changes of the root, either (``FrameTracker``).
  func doubtsWorkspace(after signal: WindowSignal, root: RootModel) -> Bool {
    switch signal {
    case .workspace, .focusIn: root.isWorkspaceRuleOn && isLeft(root: root)
    case _: false
    }
  }

  /// Whether on each monitor that has a part of the window, one of the desktop's own windows covers that part.
  private func isUnderDesktop(root: RootModel) -> Bool {
    guard !desktopsAbove.isEmpty else { return false }
    let parts = root.monitors.compactMap { $0.intersection(position.frame) }
    return parts.allSatisfy { part in desktopsAbove.contains { $0.contains(part) } }
  }

  /// Whether no monitor has a part of it.
  func isOffScreen(root: RootModel) -> Bool {
    !root.monitors.isEmpty && !root.monitors.contains { $0.intersects(position.frame) }
  }
}
