import ProsceniumPlatform
import SceneLifecycle

/// Where a window is, or goes back to, when it is neither maximised nor full screen.
///
/// A window manager moves a window and writes `_NET_WM_STATE` in whatever order, and no event says that the two belong
/// together (EWMH, "Application Window Properties"): only a rectangle in which the window rests for a while, in its
/// normal state, is the user's. What happens while the window manager comes, goes or changes is nobody's wish: frames
/// are put around windows and taken off, which moves them.
struct NormalFrameTracker: Hashable, Sendable {
  /// What has to stay the same meanwhile.
  struct Situation: Hashable, Sendable {
    var frame: Rect
    var states: WindowSignal.NetState
    /// Mapped with its frames, neither iconic nor withdrawn, and no question about the place is under way.
    var isPlain: Bool

    /// One direction is enough: a window that fills the screen's height has somewhere to go back to, too.
    fileprivate var isNormal: Bool {
      isPlain
        && states.isDisjoint(with: [.hidden, .fullScreen, .maximizedHorizontally, .maximizedVertically, .shaded])
    }
  }

  /// Milliseconds; longer than a busy window manager takes from the one request to the other.
  static let rest = 500

  private(set) var frame = Rect(x: 0, y: 0, width: 1, height: 1)
  /// Where a window manager has put the window: one that came, went or changed, or that mapped a window which comes back.
  private var disregarded: Rect?
  /// The window comes back, and has not rested yet.
  private var comesBack = false

  init() {}

  /// What the window was created with.
  mutating func begin(_ frame: Rect) { self.frame = frame }

  /// The window is there again: where a window manager puts it, it puts it the next time, too.
  ///
  /// Some keep windows off the screen's edges, or move them by their frame; if that counted, a window would wander a
  /// little each time that it comes back.
  mutating func comeBack() { comesBack = true }

  /// Whether the window has to rest now, so that its place counts.
  mutating func follow(from old: Situation, to new: Situation, _ manager: WindowManagerState) -> Bool {
    guard manager == .settled else {
      disregarded = new.frame
      return false
    }
    if new.frame != disregarded { disregarded = nil }
    return old != new && isCandidate(new)
  }

  /// It has rested.
  mutating func rest(_ now: Situation, _ manager: WindowManagerState) {
    guard manager == .settled, isCandidate(now) else { return }
    if comesBack {
      comesBack = false
      disregarded = now.frame
    } else {
      frame = now.frame
    }
  }

  private func isCandidate(_ now: Situation) -> Bool {
    now.isNormal && (comesBack || now.frame != frame && now.frame != disregarded)
  }
}
