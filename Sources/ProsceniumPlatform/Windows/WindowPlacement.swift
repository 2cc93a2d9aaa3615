/// The stored placement of a window, with the states that the window manager gave it.
///
/// Set before the window is first mapped, and not again.
package struct WindowPlacement: Hashable, Sendable, Codable {
  /// The content's rectangle on the desktop while the window is neither maximised nor full screen.
  package var frame: Rect
  /// The workspace, counted from 0 (`_NET_WM_DESKTOP`); -1 for all of them, nil where it is unknown.
  package var desktop: Int?
  package var isMaximized = false
  package var isFullScreen = false
  package var isMinimized = false
  package init(frame: Rect) { self.frame = frame }

  /// No icon, and on the desktop that the user looks at, whichever that is.
  package mutating func bringIntoSight() {
    isMinimized = false
    if let number = desktop, number >= 0 { desktop = nil }
  }
}
