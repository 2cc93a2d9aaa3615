import CXCB
package import ProsceniumPlatform
package import SceneLifecycle

/// A window that another program, or another part of this one, has made.
final class ObservedWindow {
  let id: UInt32
  var model = WindowModel()
  var frames: WindowFrames
  /// The levels that were reported last; nil where none were.
  var reported: WindowLevels?
  /// Whether it has the title of EWMH.
  var hasTitle = false
  /// Whether its events are selected: it waits for that while many windows are asked about.
  var isSelected = false
  /// The initial questions whose answers have not come.
  var isAsking = true
  /// Whether the levels may differ from those reported.
  var isMarked = false

  init(_ id: UInt32, root: UInt32) {
    self.id = id
    frames = WindowFrames(parent: root)
  }

  /// Whether enough is known to say what the window's levels are.
  var isKnown: Bool { !isAsking && (model.frames.areKnown || model.isDestroyed) }
}

/// What an observer of windows has found.
package enum ObservedFact: Hashable, Sendable {
  /// The levels of a window, which are not those reported before.
  case levels(UInt32, WindowLevels)
  /// The title of a window, whenever it is written.
  case title(UInt32, String)
  /// A window does not exist, or not any more.
  case gone(UInt32)
  /// The windows that the window manager manages, as far as it says so (EWMH, `_NET_CLIENT_LIST`).
  case clients([UInt32])
  /// The window manager starts, ends or is replaced, or has been the same for a while.
  case windowManager(WindowManagerState)
  /// The connection is lost, and why.
  case lost(String)
}
