import ProsceniumPlatform

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

  init() {}

  /// No answer is under way.
  var isKnown: Bool { answer == .known }

  /// CreateWindow or an absolute ConfigureNotify.
  mutating func setAbsolute(_ rect: Rect) {
    frame = Self.clamp(rect)
    switch answer {
    case .known: break
    case .awaited, .overtaken, .outdated: answer = .overtaken
    }
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
    switch answer {
    case .known:
      answer = .awaited
      return true
    case .awaited, .overtaken, .outdated:
      answer = .outdated
      return false
    }
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
