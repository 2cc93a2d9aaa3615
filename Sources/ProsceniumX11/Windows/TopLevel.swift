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
  /// Whether only the window's place is ours: no input and no exposures are wanted.
  var isBare = false
  /// Whether another library of the process has made the window, and owns it; it is bare.
  var isGuest = false
  var showing = WindowShowing()
  var properties: WindowProperties
  var frames: WindowFrames
  var sync = WindowSync()
  var drawing = WindowDrawing()
  /// Where it was before it was made full screen without a window manager.
  var frameBeforeFullScreen: Rect?
  /// The scale that was delivered last.
  var scale: Double
  var delivered = DeliveredState()

  init(_ id: UInt32, _ description: WindowDescription, _ visual: Visual, isTransparent: Bool, root: UInt32) {
    self.id = id
    self.visual = visual
    self.isTransparent = isTransparent
    self.description = description
    scale = description.scale
    properties = WindowProperties(createdBackground: description.background)
    frames = WindowFrames(parent: root)
  }

  var windowID: WindowID { WindowID(rawValue: id) }
  /// Whether it is a menu or a tooltip, which the window manager does not see.
  var isPopUp: Bool { description.popUp != nil }
  var levels: WindowLevels { delivered.levels ?? WindowLevels() }
}

/// What the client knows of a window.
struct DeliveredState {
  /// The levels and the geometry that were delivered last.
  var levels: WindowLevels?
  var geometry: WindowGeometry?
  /// Whether they may differ from the present ones.
  var isMarked = false
}

/// How a window is shown, as the program asked for it, and what of that is under way.
struct WindowShowing {
  /// Whether the window has been shown once, withdrawn since or not.
  var wasShown = false
  /// Whether it is to be activated once its owner, another toolkit, has shown it again.
  var awaitsOwner = false
  /// Whether the program has shown the window and not withdrawn it since.
  var isRequested = false
  /// The states that the window gets as soon as it is shown.
  var startsMinimized = false
  var startsMaximized = false
  var startsFullScreen = false
  /// `_NET_WM_DESKTOP` for the first time that it is shown.
  var firstWorkspace: UInt32?
  /// Whether it has been shown while no window manager ran, so that what it is to be is still to be asked for.
  var awaitsManager = false
  /// The states that the program has changed since no window manager runs.
  var changedStates: Set<AtomName> = []
  /// Whether it is shown as an icon while no window manager keeps icons: not mapped at all.
  var isHeldBack = false
  /// How far it has come that is mapped to become an icon.
  var icon = IconWish()
  /// Whether it waits for the focus, which only a viewable window can have.
  var wantsFocus = false
  /// Whether it is withdrawn and the window manager still manages it (ICCCM 4.1.4): it must not be mapped again before.
  var isLeaving = false
  /// The appearance that was requested while it was leaving.
  var next: Appearance?
}

/// A window is mapped to become an icon: until the window manager has had its time to make it one, it counts as one.
struct IconWish: Hashable, Sendable {
  enum Step: Hashable, Sendable, CaseIterable {
    /// Nothing is wished for.
    case none
    /// It is mapped, and no window manager has given a sign.
    case shown
    /// A window manager has taken it, and cannot be asked yet: it is out of sight in another way than as an icon.
    case managed
    /// The window manager has been asked for an icon.
    case asked
  }

  private(set) var step = Step.none
  /// The number of the wish: what is due for an older one is dropped.
  private(set) var number = 0

  /// Whether it is to be an icon, and may not be one yet.
  var isWanted: Bool { step != .none }

  mutating func begin() { (step, number) = (.shown, number + 1) }
  mutating func end() { step = .none }

  /// Follows the window.
  /// - Parameters:
  ///   - canAsk: Whether it is mapped, or an icon, so that the window manager has answered the map request.
  ///   - isUnanswered: Whether there is no sign of a window manager.
  /// - Returns: Whether the wish has come to another step.
  mutating func follow(canAsk: Bool, isUnanswered: Bool) -> Bool {
    let next: Step =
      switch step {
      case .none, .asked: step
      case .shown, .managed: canAsk ? .asked : isUnanswered ? step : .managed
      }
    defer { step = next }
    return next != step
  }
}

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
  /// `_NET_WM_USER_TIME`, as it was written last; nil where there is none.
  var userTime: UInt32?
  /// `_NET_WM_ALLOWED_ACTIONS`, as the window manager wrote it.
  var allowedActions: Set<UInt32>?
}

/// The frames between a window and the root.
struct WindowFrames {
  /// The parent of the last ReparentNotify; the root at first.
  var parent: UInt32
  /// The frames whose events are selected.
  var followed: Set<UInt32> = []
  /// The frames found so far by the search under way, and its number: only the newest search counts.
  var found: [WindowSignal.Ancestor] = []
  var search = 0

  /// The outermost frame found so far, a child of the root once the search is over; nil without a frame.
  var outermost: UInt32? { found.last?.window }
}

/// The counter that reports to a window manager which resize has been drawn (EWMH, `_NET_WM_SYNC_REQUEST`).
struct WindowSync {
  /// The counter; 0 while there is none.
  var counter: UInt32 = 0
  /// The value that the window manager waits for.
  var requested: UInt64?
  /// Whether the resize that the request announced has been delivered.
  var isDue = false
}

/// The state of the drawing into a window: its surface, its picture and its frames.
struct WindowDrawing {
  /// The pixels that have been drawn; nil while there are none, or after they were given back.
  var surface: Surface?
  /// The size of the picture that is the window's background; nil where that is a colour.
  var picture: Size?
  var clock = FrameClock()
  /// Names the selection of Present's events; 0 while there is none: the server may give the number away then.
  var presentEvents: UInt32 = 0
  /// Whether it has been reported why the window cannot be drawn into.
  var isFailureReported = false
}
