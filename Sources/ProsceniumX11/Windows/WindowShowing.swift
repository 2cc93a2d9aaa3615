import ProsceniumPlatform

/// How a window is shown, as the program asked for it, and what of that is under way.
struct WindowShowing {
  /// Whether the window has been shown once, withdrawn since or not.
  var wasShown = false
  /// Whether the program has shown the window and not withdrawn it since.
  var isRequested = false
  /// The states that the window gets as soon as it is shown.
  var startsMinimized = false
  var startsMaximized = false
  var startsFullScreen = false
  /// `_NET_WM_DESKTOP` for the first time that it is shown.
  var firstWorkspace: UInt32?
  /// Whether it is shown as an icon while no window manager keeps icons: not mapped at all.
  var isHeldBack = false
  /// Whether it is mapped to become an icon, and is none yet.
  var isIconifying = false
  var isAskedForIcon = false
  /// Whether it waits for the focus, which only a viewable window can have.
  var wantsFocus = false
  /// Whether it is withdrawn and the window manager still manages it (ICCCM 4.1.4): it must not be mapped again before.
  var isLeaving = false
  /// The appearance that was requested while it was leaving.
  var next: Appearance?
}
