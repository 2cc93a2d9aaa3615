import CXCB
import ProsceniumPlatform

/// One of our top-level windows: the program's requests, and the state that the server and the window manager report.
@MainActor final class TopLevel {
  let id: UInt32
  let visual: Visual
  /// Whether pixels that are not opaque show the contents behind them; otherwise alpha is ignored, whatever the visual.
  let isTransparent: Bool
  /// The program's requests.
  var description: WindowDescription
  /// The state that the server and the window manager report.
  var model = WindowModel()
  /// Whether only the window's place remains: no input and no exposures are wanted.
  var isBare = false
  var showing = WindowShowing()
  var properties: WindowProperties
  var frames: WindowFrames
  var sync = WindowSync()
  var drawing = WindowDrawing()
  /// Where it was before it was made full screen without a window manager.
  var frameBeforeFullScreen: Rect?
  /// The scale, the levels and the geometry that were delivered last.
  var scale = 1.0
  var lastLevels: WindowLevels?
  var lastGeometry: WindowGeometry?

  init(_ id: UInt32, _ description: WindowDescription, _ visual: Visual, isTransparent: Bool, root: UInt32) {
    self.id = id
    self.visual = visual
    self.isTransparent = isTransparent
    self.description = description
    properties = WindowProperties(createdBackground: description.background)
    frames = WindowFrames(parent: root)
  }

  var windowID: WindowID { WindowID(rawValue: id) }
  var levels: WindowLevels { lastLevels ?? WindowLevels() }

  /// The levels of the window now, as the client gets them: a window that is about to become an icon has not been
  /// shown.
  func levels(_ root: RootModel) -> WindowLevels {
    var levels = model.levels(root: root)
    if showing.isIconifying, levels.visible, !levels.focused {
      levels.visible = false
      levels.visibleCause = VisibilityRule.wmState.rawValue
    }
    return levels
  }

  func geometry(_ root: RootModel) -> WindowGeometry {
    var geometry = model.geometry(root: root)
    if showing.isHeldBack || showing.isIconifying { geometry.isMinimized = true }
    // Not managed yet, or not any more: it will be so as soon as it is shown.
    if !model.isMapped, model.wmState ?? ICCCM_WITHDRAWN_STATE.rawValue == ICCCM_WITHDRAWN_STATE.rawValue {
      geometry.isMaximized = showing.startsMaximized
      geometry.isFullScreen = showing.startsFullScreen
    }
    if !root.isManaged, let before = frameBeforeFullScreen {
      geometry.isFullScreen = true
      geometry.normalFrame = before
    }
    return geometry
  }
}
