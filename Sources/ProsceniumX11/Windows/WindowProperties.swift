import ProsceniumPlatform

/// The properties of a window: those that have been written, and those that are still to be written.
struct WindowProperties {
  /// The background that the window was created with.
  let createdBackground: Color
  /// Whether the properties have been written that every client may read.
  var areWritten = false
  /// Whether the properties have been written that only a window manager reads.
  var areWrittenForManager = false
  var icon: WindowIcon?
  var level = 0
  var hasUserTime = false
  /// `_NET_WM_ALLOWED_ACTIONS`, as the window manager wrote it.
  var allowedActions: Set<UInt32>?
}
