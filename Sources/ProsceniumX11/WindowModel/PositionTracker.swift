import ProsceniumPlatform
import SceneLifecycle

/// Where one window is on the root.
///
/// Only synthetic ConfigureNotify events, and real ones while the parent is the root, report it (ICCCM 4.1.5). After
/// any other it has to be asked with TranslateCoordinates; at most one question is under way at a time.
struct PositionTracker: Hashable, Sendable {
  private enum Answer: Hashable, Sendable {
    /// The position is known, and nothing has been asked.
    case known
    /// The answer under way is the position.
    case awaited
    /// The answer under way is older than an event that has come since.
    case overtaken
    /// The window has moved since the question was asked.
    case outdated
  }

  /// The rectangle on the root, as far as known.
  private(set) var frame = Rect(x: 0, y: 0, width: 1, height: 1)
  private var answer = Answer.known

  /// No answer is under way.
  var isKnown: Bool { answer == .known }

  /// CreateWindow or an absolute ConfigureNotify.
  mutating func setAbsolute(_ rect: Rect) {
    frame = Self.clamp(rect)
    if !isKnown { answer = .overtaken }
  }

  /// A relative ConfigureNotify: only its size is of use.
  /// - Returns: Whether the position has to be asked for.
  mutating func setRelative(_ size: Size) -> Bool {
    frame.size = Self.clamp(Rect(x: 0, y: 0, width: size.width, height: size.height)).size
    return invalidate()
  }

  /// The position may have changed.
  /// - Returns: Whether it has to be asked for.
  mutating func invalidate() -> Bool {
    defer { answer = isKnown ? .awaited : .outdated }
    return isKnown
  }

  /// The answer.
  /// - Returns: Whether the position has to be asked for again.
  mutating func translate(_ point: Point) -> Bool {
    switch answer {
    case .known: return false
    case .overtaken:
      answer = .known
      return false
    case .awaited, .outdated:
      let again = answer == .outdated
      frame.origin = Self.clamp(Rect(x: point.x, y: point.y, width: 1, height: 1)).origin
      answer = again ? .awaited : .known
      return again
    }
  }

  /// Coordinates are 16 bits on the wire; whatever a signal says, sums of them must not overflow.
  static func clamp(_ rect: Rect) -> Rect {
    func bounded(_ value: Int, from low: Int) -> Int { min(max(value, low), 1 << 20) }
    return Rect(
      x: bounded(rect.origin.x, from: -(1 << 20)), y: bounded(rect.origin.y, from: -(1 << 20)),
      width: bounded(rect.size.width, from: 0), height: bounded(rect.size.height, from: 0))
  }
}

/// Where a window is, or goes back to, when it is neither maximised nor full screen.
///
/// A window manager moves a window and writes `_NET_WM_STATE` in whatever order, and no event says that the two belong
/// together (EWMH, "Application Window Properties"): only a rectangle in which the window rests for a while, in its
/// normal state, is the user's. Moves while the window manager starts, ends or changes are not: it frames windows and
/// removes their frames, which moves them.
///
/// A window that is hidden before it has rested for so long is where it had rested for a shorter while: a person who
/// moves a window and minimises it leaves that much between the two, a window manager that moves windows which it hides
/// does not.
///
/// A window manager may not know where a window goes back to which was maximised or full screen when it began to manage
/// it: icewm takes the size that it has just given it for its own. Such a window stays as it is where the state ends,
/// and has to be put back. One that it has found so it moves or makes smaller, too, for the frame that it adds.
struct NormalFrameTracker: Hashable, Sendable {
  /// The facts that have to stay the same while the window rests.
  struct Situation: Hashable, Sendable {
    var frame: Rect
    var states: WindowSignal.NetState
    /// Mapped with its frames, neither iconic nor withdrawn, nor marked as hidden by an atom that is not left behind.
    var isShown: Bool
    /// No question about the place is under way.
    var isKnown: Bool

    /// One direction is enough: a window that fills the screen's height has somewhere to go back to, too.
    private var hasOwnSize: Bool {
      states.isDisjoint(with: [.fullScreen, .maximizedHorizontally, .maximizedVertically, .shaded])
    }
    /// The states that make it large.
    fileprivate var growth: WindowSignal.NetState {
      states.intersection([.fullScreen, .maximizedHorizontally, .maximizedVertically])
    }
    /// Maximised or full screen, and where that has put it.
    fileprivate var isLarge: Bool { isKnown && isShown && !growth.isEmpty }
    fileprivate var isNormal: Bool { isKnown && isShown && hasOwnSize }
    /// Hidden as it was, not with another state.
    fileprivate var isHidden: Bool { isKnown && hasOwnSize && !isShown }
  }

  /// How long a window rests; longer than a busy window manager takes from the one request to the other.
  static let rest = Duration.milliseconds(500)
  /// How long a window rests before it is hidden; longer than window managers take from a move to its state.
  ///
  /// That is 15 ms, or 71 ms beside four busy processes on two cores (openbox, icewm, xfwm4, metacity, jwm). One that
  /// takes longer is mistaken only where the window is hidden before the state comes.
  static let briefRest = Duration.milliseconds(100)

  private(set) var frame = Rect(x: 0, y: 0, width: 1, height: 1)
  /// Where the window has rested briefly, and is still.
  private var briefly: Rect?
  /// Where a window manager has moved the window: one that started, ended or changed, or mapped a window that comes
  /// back.
  private var disregarded: Rect?
  /// Whether the window comes back, and the window manager may still be placing it.
  private var comesBack = false
  /// Whether the window has not been in its normal state, and what it was created with says nothing.
  private var awaitsFirst = false
  /// Where the window was when it was first in its normal state, while the window manager may still be placing it.
  private var arrival: Rect?
  /// Whether the place is its own: it comes back to it, or has been there in its normal state.
  private var hasPlace = false
  /// Where the window is or was while it was maximised or full screen, until it is elsewhere.
  private var large: Rect?
  /// Whether the user has moved or resized it there.
  private var isLargeByUser = false
  /// Whether a window manager has found the window there.
  private var isTakenOver = false

  /// The window has been created, or placed before it is shown.
  mutating func begin(_ frame: Rect) { self.frame = frame }

  /// The window comes back: where a window manager moves it now, it moves it the next time, too.
  ///
  /// Some keep windows off the screen's edges, or move them by their frame; if that counted, a window would wander a
  /// little each time that it comes back. A longer way is the user's: a window that comes back iconic may be moved as
  /// soon as it is shown. So is every way of a window that has rested briefly where it was asked to be.
  mutating func comeBack() { (comesBack, hasPlace) = (true, true) }

  /// The window has no place before it is in its normal state: where it is then is its place, until it rests elsewhere.
  mutating func awaitFirst() { awaitsFirst = true }

  /// A window manager has found the window as large as it is, and may know no other place of it.
  mutating func takeOver(_ now: Situation) {
    (isTakenOver, isLargeByUser) = (true, false)
    if now.isLarge { large = now.frame }
  }

  /// Follows the window from one situation to the next.
  /// - Returns: Whether the window has to rest now, so that its place counts.
  mutating func follow(from old: Situation, to new: Situation, _ manager: WindowManagerState) -> Bool {
    if awaitsFirst {
      frame = new.frame
      awaitsFirst = !new.isNormal
    }
    guard manager == .settled else {
      disregarded = new.frame
      briefly = nil
      return false
    }
    if new.isNormal, new.frame == frame { hasPlace = true }
    followLarge(from: old, to: new)
    if new.frame != disregarded { disregarded = nil }
    if let rested = briefly, new.frame != rested || !new.isNormal {
      if new.frame == rested && new.isHidden { frame = rested }
      briefly = nil
    }
    guard old != new else { return false }
    guard isCandidate(new) else { return isLeftLarge(new) }
    guard comesBack else { return true }
    guard let arrival else {
      self.arrival = new.frame
      return true
    }
    // However often it moves by a little, or gets another size, as from full screen to a tile: what the user does later
    // is not the window manager's.
    guard new.frame.size == arrival.size, !Self.isNear(new.frame, arrival) else { return false }
    disregarded = arrival
    (comesBack, self.arrival) = (false, nil)
    return true
  }

  /// Follows a window that is maximised or full screen, or was.
  ///
  /// Window managers let the user resize such a window, and then end the state (xfwm4): it is not put back from there.
  private mutating func followLarge(from old: Situation, to new: Situation) {
    if old.growth != new.growth {
      // Another state puts it elsewhere.
      if isLargeByUser || !new.growth.isEmpty { large = nil }
      isLargeByUser = false
    }
    if new.isLarge {
      // The state may come before the place.
      if let large, !Self.isNear(large, frame), !Self.isNear(new.frame, large), !isAsLarge(new.frame) {
        isLargeByUser = true
      }
      large = new.frame
    } else if new.growth.isEmpty, !isAsLarge(new.frame) {
      (large, isTakenOver) = (nil, false)
    }
  }

  /// Whether the window has stayed as large as a state made it that has ended.
  private func isLeftLarge(_ now: Situation) -> Bool {
    hasPlace && now.isNormal && isAsLarge(now.frame) && now.frame != frame
  }

  /// Whether a rectangle is that of the state; after another window manager's, of its size but for a frame's.
  private func isAsLarge(_ frame: Rect) -> Bool {
    guard let large, isTakenOver, frame.size != self.frame.size else { return frame == large }
    let (size, other) = (frame.size, large.size)
    return abs(size.width - other.width) <= 2 * Self.most && abs(size.height - other.height) <= 2 * Self.most
  }

  /// The window has rested briefly: it is put back, as one that comes back, where no window manager has done it.
  /// - Returns: Whether it is put back.
  mutating func putBack(_ now: Situation, _ manager: WindowManagerState) -> Bool {
    guard manager == .settled, isLeftLarge(now) else { return false }
    (comesBack, arrival, large, isTakenOver) = (true, now.frame, nil, false)
    return true
  }

  /// The window has rested briefly.
  mutating func restBriefly(_ now: Situation, _ manager: WindowManagerState) {
    guard manager == .settled, isCandidate(now) else { return }
    if !comesBack {
      briefly = now.frame
    } else if arrival == frame, now.frame == frame {
      (comesBack, arrival) = (false, nil)
    }
  }

  /// The window has rested.
  /// - Returns: Whether it has to rest once more.
  mutating func rest(_ now: Situation, _ manager: WindowManagerState) -> Bool {
    let arrival = exchange(&arrival, with: nil)
    guard manager == .settled, isCandidate(now) else { return false }
    guard comesBack, let arrival else {
      frame = now.frame
      return false
    }
    comesBack = false
    let isUsers = !Self.isNear(now.frame, arrival) && !Self.isNear(now.frame, frame)
    disregarded = isUsers ? arrival : now.frame
    return isUsers && isCandidate(now)
  }

  /// As far as a window manager may move a window, or an edge of it, for the width of a frame.
  private static let most = 64

  /// Whether a window manager that corrects a place may have moved a window so far.
  private static func isNear(_ first: Rect, _ second: Rect) -> Bool {
    first.size == second.size && abs(first.origin.x - second.origin.x) <= most
      && abs(first.origin.y - second.origin.y) <= most
  }

  private func isCandidate(_ now: Situation) -> Bool {
    now.isNormal && (comesBack || now.frame != frame && now.frame != disregarded)
  }
}

/// The window manager's frames around one window: whether each of them is mapped.
///
/// Several window managers hide a window by unmapping its frame alone; any client may select that event
/// (X protocol, ChangeWindowAttributes: StructureNotify). An untrusted one, such as a program behind `ssh -X`, is never
/// sent it, and not told so (Security Extension Specification, "Changes to Core Requests"): its frames are silent.
struct FrameTracker: Hashable, Sendable {
  /// The frame that ReparentNotify named; nil while the parent is the root.
  private var parent: UInt32?
  /// The frames, nearest first; nil until they have been found.
  private var known: [WindowSignal.Ancestor]? = []
  /// Whether unknown frames count as mapped.
  private var assumedMapped = true
  /// The map states that events reported while the frames were unknown: later than any reply, or the same.
  private var observed: [UInt32: Bool] = [:]
  /// Whether frames that were known have been found otherwise, which no event had reported.
  private var areSilent = false
  /// Whether an answer is under way.
  private var isAsked = false
  /// Whether that answer may be older than a sign that has come since.
  private var isDoubted = false

  /// Whether all frames are mapped, as far as known.
  var areMapped: Bool { known.map { $0.allSatisfy { $0.isMapped } } ?? assumedMapped }
  /// Whether the frames have been found.
  var areKnown: Bool { known != nil }
  /// Whether the window lies directly on the root.
  var isOnRoot: Bool { parent == nil }

  /// ReparentNotify.
  ///
  /// `wasShown` distinguishes a window that is being framed anew, whose frames count as what the old ones were, from
  /// one that is framed for the first time: there a frame may stay unmapped on another workspace.
  mutating func reparent(to window: UInt32, isRoot: Bool, wasShown: Bool) {
    assumedMapped = wasShown && areMapped
    observed = [:]
    parent = isRoot ? nil : window
    known = isRoot ? [] : nil
    (isAsked, isDoubted) = (!isRoot, false)
  }

  /// The frames have been found; an answer that does not begin with the parent is late, and about frames that are gone.
  /// - Returns: Whether they have to be found once more.
  mutating func find(_ ancestors: [WindowSignal.Ancestor]) -> Bool {
    guard let parent, ancestors.first?.window == parent else { return false }
    let found = ancestors.map {
      WindowSignal.Ancestor(window: $0.window, isMapped: observed[$0.window] ?? $0.isMapped)
    }
    // Events and answers come in the order of what happened: a frame that tells has told it.
    if let known, known != found { areSilent = true }
    known = found
    observed = [:]
    isAsked = isDoubted && (areSilent || !areMapped)
    isDoubted = false
    return isAsked
  }

  /// VisibilityNotify or Expose of the window, which the server sends of a viewable one alone (X protocol): its frames
  /// have been mapped.
  /// - Returns: Whether they have to be found again.
  mutating func see() -> Bool { isAsked || !areMapped ? ask() : false }

  /// Something has happened to the window with which its frames may have changed.
  /// - Returns: Whether they have to be found again, because they do not tell it.
  mutating func mayHaveChanged() -> Bool { areSilent ? ask() : false }

  /// At most one question is under way.
  private mutating func ask() -> Bool {
    guard parent != nil else { return false }
    if isAsked { isDoubted = true }
    defer { isAsked = true }
    return !isAsked
  }

  /// MapNotify or UnmapNotify of a frame.
  mutating func setMapped(_ window: UInt32, _ isMapped: Bool) {
    guard let frames = known else {
      observed[window] = isMapped
      return
    }
    known = frames.map { $0.window == window ? .init(window: window, isMapped: isMapped) : $0 }
  }

  /// ReparentNotify or DestroyNotify of a frame.
  /// - Returns: Whether the frames have to be found again.
  mutating func lose(_ window: UInt32) -> Bool {
    guard parent != nil else { return false }
    guard let frames = known else { return true }
    guard frames.contains(where: { $0.window == window }) else { return false }
    assumedMapped = areMapped
    observed = [:]
    known = nil
    (isAsked, isDoubted) = (true, false)
    return true
  }
}
