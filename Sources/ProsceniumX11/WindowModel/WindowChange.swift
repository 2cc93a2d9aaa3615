import ProsceniumPlatform

/// The levels and the geometry of a window at the end of a batch.
@MainActor struct WindowChange {
  let window: TopLevel
  let levels: WindowLevels
  let geometry: WindowGeometry
  let areLevelsNew: Bool
  let isGeometryNew: Bool
  /// Whether the window had the focus and is not visible any more.
  let hasLostFocus: Bool

  var events: [PlatformEvent] {
    (areLevelsNew ? [.levels(window.windowID, levels)] : [])
      + (isGeometryNew ? [.geometry(window.windowID, geometry)] : [])
  }
}
