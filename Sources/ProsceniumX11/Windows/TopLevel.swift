import ProsceniumPlatform

/// One of our top-level windows: what we asked for, and what we were told about it.
@MainActor final class TopLevel {
  let id: UInt32
  let visual: Visual
  var description: WindowDescription
  var model = WindowModel()
  /// The parent, as ReparentNotify says; the root at first.
  var parent: UInt32
  /// Only its place is kept: no input and no exposures are wanted.
  var isBare = false
  var icon: WindowIcon?
  var level = 0

  /// Shown once, withdrawn since or not.
  var wasShown = false
  /// Shown and not withdrawn since: what we asked for.
  var isShowRequested = false
  /// What the window is to be as soon as it is shown.
  var startsMinimized = false
  var startsMaximized = false
  var startsFullScreen = false
  /// `_NET_WM_DESKTOP` for the first time that it is shown.
  var startsOnDesktop: UInt32?
  /// Shown as an icon while nobody keeps icons: not mapped at all.
  var isHeldBack = false
  /// Mapped to become an icon, and not one yet.
  var isIconifying = false
  var isAskedForIcon = false
  /// Waits for the focus, which only a viewable window can have.
  var wantsFocus = false
  /// Withdrawn, and the window manager has not let go yet (ICCCM 4.1.4): it must not be mapped again before.
  var isLeaving = false
  /// What was asked for while it was leaving.
  var showNext: Appearance?

  /// Frames between the window and the root that we listen to.
  var ancestors: Set<UInt32> = []
  /// The frames found so far by the search under way, and its number: only the newest search counts.
  var found: [WindowSignal.Ancestor] = []
  var search = 0

  /// The background that the window was created with.
  let createdBackground: Color
  /// Properties that everybody may read have been written.
  var isDescribed = false
  /// Properties that only a window manager reads have been written.
  var isDescribedToManager = false
  var allowedActions: Set<UInt32>?
  /// The counter of `_NET_WM_SYNC_REQUEST`; 0 while there is none.
  var syncCounter: UInt32 = 0
  var requestedSync: UInt64?
  /// The resize that a sync request announced has been handed out.
  var isSyncDue = false
  /// Where it was before we made it full screen without a window manager.
  var frameBeforeFullScreen: Rect?
  var hasUserTime = false

  /// Pixels that are not opaque let through what is behind; else alpha means nothing, whatever the visual.
  let isTransparent: Bool
  /// What has been drawn; nil while nothing has, or after it was given back.
  var surface: Surface?
  /// The size of the picture that is the window's background; nil where that is a colour.
  var picture: Size?
  var clock = FrameClock()
  /// Names our selection of Present's events; 0 while there was none.
  var presentEvents: UInt32 = 0
  var hearsPresent = false
  /// Why nothing can be drawn has been said.
  var hasComplained = false

  /// How many pixels one point is, as was handed out last.
  var scale = 1.0
  /// What was handed out last.
  var lastLevels: WindowLevels?
  var lastGeometry: WindowGeometry?

  init(_ id: UInt32, _ description: WindowDescription, _ visual: Visual, isTransparent: Bool, root: UInt32) {
    self.id = id
    self.visual = visual
    self.isTransparent = isTransparent
    self.description = description
    createdBackground = description.background
    parent = root
  }

  var windowID: WindowID { WindowID(rawValue: id) }
  var levels: WindowLevels { lastLevels ?? WindowLevels() }
}
