/// An action of the user, a pager or another program on windows.
package enum DeskAction: String, CaseIterable, Sendable {
  case focusFirst = "focus the first"
  case focusSecond = "focus the second"
  case iconify = "iconify, restore"
  case switchDesktop = "switch desktop and back"
  case sendToDesktop = "send to desktop and back"
  case showDesktop = "show desktop"
  /// Over the desktop that is shown, one window after the other is focused.
  case focusOverDesktop = "show desktop, focus both"
  case cover
  case grabShortly = "short grab"
  case grabForLong = "long grab"
  /// The window manager is killed, and started again.
  case restartManager = "kill and start the manager"
  /// The first window's close button.
  case close = "close one"
}
