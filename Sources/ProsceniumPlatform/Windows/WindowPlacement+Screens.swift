/// Placements that were remembered for monitors that are not there any more.
extension WindowPlacement {
  /// The greatest length of a window (X protocol, CreateWindow: 16 bits, and coordinates have a sign).
  private static let longest = 32_767
  /// The remotest place that sums are made with; the protocol's is nearer.
  private static let farthest = 1 << 20

  /// The same placement if the window is visible and can be moved with the pointer, else one moved into a screen.
  ///
  /// The placement is unchanged if a part of its upper edge as large as `grip` lies on one screen, or no screen is
  /// known. A window is moved into the screen that shows most of it, or is nearest, with room for a title bar above it
  /// where it fits; it shrinks only where it is larger than that screen. Lengths outside the protocol's range are
  /// corrected.
  package func onScreen(_ screens: [Rect], grip: Size = Size(width: 64, height: 32)) -> WindowPlacement {
    let screens = Self.usable(screens)
    guard !screens.isEmpty else { return self }
    let wish = Rect(
      x: frame.origin.x, y: frame.origin.y, width: Self.length(frame.size.width, or: grip.width),
      height: Self.length(frame.size.height, or: grip.height))
    let window = Self.bounded(wish)
    var placement = self
    placement.frame = wish
    let isPossible = window == wish && max(frame.size.width, frame.size.height) <= Self.longest
    if isPossible, screens.contains(where: { Self.canGrab(window, on: $0, grip) }) { return placement }
    guard let screen = Self.best(for: window, of: screens) else { return placement }
    placement.frame = Self.fit(window, into: screen, titleBar: grip.height)
    return placement
  }

  /// The same placement, with the whole window in the screen that shows most of it, as far as it fits.
  package func within(_ screens: [Rect]) -> WindowPlacement {
    var placement = onScreen(screens)
    if let screen = Self.best(for: placement.frame, of: Self.usable(screens)) {
      placement.frame = Self.fit(placement.frame, into: screen, titleBar: 32)
    }
    return placement
  }

  /// The same placement where all screens together are as large; else one within a screen, below a title bar.
  ///
  /// It was made on larger screens, or on more of them: what is beyond could not be reached.
  package func notLarger(thanAll screens: [Rect]) -> WindowPlacement {
    let screens = Self.usable(screens)
    func length(_ start: (Rect) -> Int, _ length: (Rect) -> Int) -> Int {
      (screens.map { start($0) + length($0) }.max() ?? 0) - (screens.map(start).min() ?? 0)
    }
    let width = length(\.origin.x, \.size.width)
    let height = length(\.origin.y, \.size.height)
    guard frame.size.width > width || frame.size.height > height, let screen = Self.best(for: frame, of: screens) else {
      return self
    }
    var placement = self
    placement.frame.size.width = min(frame.size.width, screen.size.width)
    placement.frame.size.height = min(frame.size.height, max(screen.size.height - 32, 1))
    return placement.within([screen])
  }

  private static func usable(_ screens: [Rect]) -> [Rect] {
    screens.map(bounded).filter { $0.size.width > 0 && $0.size.height > 0 }
  }

  private static func length(_ value: Int, or least: Int) -> Int { value < 1 ? max(least, 1) : min(value, longest) }

  private static func bounded(_ rect: Rect) -> Rect {
    func near(_ value: Int) -> Int { min(max(value, -farthest), farthest) }
    return Rect(
      x: near(rect.origin.x), y: near(rect.origin.y), width: min(rect.size.width, farthest),
      height: min(rect.size.height, farthest))
  }

  /// Whether enough of the strip along the upper edge is on the screen.
  private static func canGrab(_ window: Rect, on screen: Rect, _ grip: Size) -> Bool {
    let height = min(window.size.height, grip.height)
    let strip = Rect(x: window.origin.x, y: window.origin.y, width: window.size.width, height: height)
    let seen = strip.intersection(screen)?.size ?? Size(width: 0, height: 0)
    return seen.width >= min(window.size.width, grip.width) && seen.height >= height
  }

  /// The screen that shows most of the window; of those that show nothing, the nearest; of equals, the first.
  private static func best(for window: Rect, of screens: [Rect]) -> Rect? {
    func distance(_ screen: Rect) -> Int {
      let across = gap(window.origin.x, window.size.width, screen.origin.x, screen.size.width)
      let down = gap(window.origin.y, window.size.height, screen.origin.y, screen.size.height)
      return across * across + down * down
    }
    return screens.min { left, right in
      let (more, less) = (window.sharedArea(with: left), window.sharedArea(with: right))
      return more != less ? more > less : distance(left) < distance(right)
    }
  }

  private static func fit(_ window: Rect, into screen: Rect, titleBar: Int) -> Rect {
    let size = Size(
      width: min(window.size.width, screen.size.width), height: min(window.size.height, screen.size.height))
    let room = Size(width: screen.size.width - size.width, height: screen.size.height - size.height)
    let top = min(titleBar, room.height)
    return Rect(
      x: min(max(window.origin.x, screen.origin.x), screen.origin.x + room.width),
      y: min(max(window.origin.y, screen.origin.y + top), screen.origin.y + room.height),
      width: size.width, height: size.height)
  }

  private static func gap(_ a: Int, _ lengthOfA: Int, _ b: Int, _ lengthOfB: Int) -> Int {
    max(b - (a + lengthOfA), a - (b + lengthOfB), 0)
  }
}
