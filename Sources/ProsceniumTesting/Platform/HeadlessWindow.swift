package import ProsceniumPlatform

/// A window of a desk in memory.
package struct HeadlessWindow {
  package var description: WindowDescription
  package var levels = WindowLevels()
  package var geometry: WindowGeometry
  package var isMapped = false
  /// Whether the window is that of a disconnected session.
  package var isBare = false
  /// How often the program has mapped the window.
  package var mapCount = 0

  package var isMinimized: Bool { geometry.isMinimized }
  package var frame: Rect { geometry.frame }
}
