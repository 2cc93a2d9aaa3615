import ProsceniumPlatform

/// A request about a window whose outcome is not known yet.
struct PendingRequest: Hashable {
  var window: UInt32
  var what: WindowRequest

  /// Whether the window is now as the request wants it.
  func isDone(_ levels: WindowLevels, _ geometry: WindowGeometry) -> Bool {
    switch what {
    case .activate: levels.focused && levels.visible
    case .minimize: geometry.isMinimized
    case .maximize(let on): geometry.isMaximized == on
    case .fullScreen(let on): geometry.isFullScreen == on
    case .geometry(let rect): geometry.frame == rect
    }
  }
}
