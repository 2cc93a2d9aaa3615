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
  /// The pixels per point that the frame was made for; nil for 1.
  package var scale: Double?
  package init(frame: Rect) { self.frame = frame }

  /// The placement with the same size in points.
  package func scaled(to new: Double) -> WindowPlacement {
    var placement = self
    placement.frame.size = PixelScale(new).pixels(PixelScale(scale ?? 1).points(frame.size))
    placement.scale = new == 1 ? nil : new
    return new == scale ?? 1 ? self : placement
  }

  /// No icon, and on the desktop that the user looks at, whichever that is.
  package mutating func bringIntoSight() {
    isMinimized = false
    if let number = desktop, number >= 0 { desktop = nil }
  }
}
