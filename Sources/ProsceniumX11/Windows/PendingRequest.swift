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
    case .maximize(let isOn): geometry.isMaximized == isOn
    case .fullScreen(let isOn): geometry.isFullScreen == isOn
    case .geometry(let rect): geometry.frame == rect
    }
  }
}
