import ProsceniumPlatform
import SceneLifecycle

/// Where a window is, or goes back to, when it is neither maximised nor full screen.
///
/// A window manager moves a window and writes `_NET_WM_STATE` in whatever order, and no event says that the two belong
/// together (EWMH, "Application Window Properties"): only a rectangle in which the window rests for a while, in its
/// normal state, is the user's. Moves while the window manager starts, ends or changes are not: it frames windows and
/// removes their frames, which moves them.
struct NormalFrameTracker: Hashable, Sendable {
  /// The facts that have to stay the same while the window rests.
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

  /// How long a window rests; longer than a busy window manager takes from the one request to the other.
  static let rest = Duration.milliseconds(500)

  private(set) var frame = Rect(x: 0, y: 0, width: 1, height: 1)
  /// Where a window manager has moved the window: one that started, ended or changed, or mapped a window that comes
  /// back.
  private var disregarded: Rect?
  /// Whether the window comes back, and has not rested yet.
  private var comesBack = false

  init() {}

  /// The window has been created, or placed before it is shown.
  mutating func begin(_ frame: Rect) { self.frame = frame }

  /// The window comes back: where a window manager moves it now, it moves it the next time, too.
  ///
  /// Some keep windows off the screen's edges, or move them by their frame; if that counted, a window would wander a
  /// little each time that it comes back.
  mutating func comeBack() { comesBack = true }

  /// Follows the window from one situation to the next.
  /// - Returns: Whether the window has to rest now, so that its place counts.
  mutating func follow(from old: Situation, to new: Situation, _ manager: WindowManagerState) -> Bool {
    guard manager == .settled else {
      disregarded = new.frame
      return false
    }
    if new.frame != disregarded { disregarded = nil }
    return old != new && isCandidate(new)
  }

  /// The window has rested.
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
