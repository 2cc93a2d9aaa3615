import ProsceniumPlatform

/// What a window keeps free along the edges of the desktop (EWMH, `_NET_WM_STRUT_PARTIAL`), in pixels from the edges of the
/// root window.
struct Strut: Hashable, Sendable {
  /// How wide, or high, and from where to where along the edge.
  struct Side: Hashable, Sendable {
    var depth: Int
    var along: ClosedRange<Int>
  }

  var left, right, top, bottom: Side

  /// Twelve numbers of `_NET_WM_STRUT_PARTIAL`, or the four of `_NET_WM_STRUT`, which go along whole edges; nil where they
  /// are fewer, or keep nothing free.
  init?(_ words: [UInt32]) {
    guard words.count >= 4, words[..<4].contains(where: { $0 > 0 }) else { return nil }
    let numbers = words.map { Int(min($0, 1 << 20)) }
    func side(_ index: Int) -> Side {
      guard numbers.count >= 12 else { return Side(depth: numbers[index], along: 0...(1 << 20)) }
      let (start, end) = (numbers[4 + 2 * index], numbers[5 + 2 * index])
      return Side(depth: numbers[index], along: min(start, end)...max(start, end))
    }
    (left, right, top, bottom) = (side(0), side(1), side(2), side(3))
  }

  /// What is left of a monitor.
  ///
  /// A panel along an edge that two monitors share keeps free all of the one between it and the edge of the desktop, by its
  /// own account: that is not meant, and only the monitor in which the strip ends is made smaller.
  func reduce(_ area: Rect, of monitor: Rect, desktop: Size) -> Rect {
    let (right, bottom) = (monitor.origin.x + monitor.size.width, monitor.origin.y + monitor.size.height)
    var (x1, y1) = (area.origin.x, area.origin.y)
    var (x2, y2) = (x1 + area.size.width, y1 + area.size.height)
    func meets(_ side: Side, _ start: Int, _ end: Int) -> Bool {
      side.depth > 0 && side.along.overlaps(start...max(start, end - 1))
    }
    if meets(left, monitor.origin.y, bottom), left.depth < right { x1 = max(x1, left.depth) }
    if meets(self.right, monitor.origin.y, bottom), desktop.width - self.right.depth > monitor.origin.x {
      x2 = min(x2, desktop.width - self.right.depth)
    }
    if meets(top, monitor.origin.x, right), top.depth < bottom { y1 = max(y1, top.depth) }
    if meets(self.bottom, monitor.origin.x, right), desktop.height - self.bottom.depth > monitor.origin.y {
      y2 = min(y2, desktop.height - self.bottom.depth)
    }
    guard x2 > x1, y2 > y1 else { return area }
    return Rect(x: x1, y: y1, width: x2 - x1, height: y2 - y1)
  }
}

/// What panels leave of monitors, as far as somebody says so.
struct WorkAreas: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    /// Nobody says anything.
    case none
    /// Rectangles that the window manager has said while these were the monitors.
    case areas([Rect], monitors: [Rect])
    /// What windows keep free.
    case struts([Strut])
  }

  var source = Source.none

  /// What is left of a monitor.
  /// - Parameters:
  ///   - monitor: The monitor.
  ///   - desktop: The size of the root window.
  ///   - before: The same monitor and what was left of it before; nil where it is new.
  /// - Returns: The part of the monitor that no panel takes.
  func visible(of monitor: Rect, desktop: Size, before: (frame: Rect, visible: Rect)?) -> Rect {
    switch source {
    case .none: return monitor
    case .struts(let struts):
      return struts.reduce(monitor) { $1.reduce($0, of: monitor, desktop: desktop) }
    case .areas(let areas, let monitors):
      if monitors.contains(monitor) {
        return areas.compactMap { $0.intersection(monitor) }
          .max { $0.size.width * $0.size.height < $1.size.width * $1.size.height } ?? monitor
      }
      // The window manager has not said anything yet about the monitor as it is now: its panels will be as large.
      guard let before else { return monitor }
      let left = before.visible.origin.x - before.frame.origin.x
      let top = before.visible.origin.y - before.frame.origin.y
      let rest = Size(
        width: monitor.size.width - (before.frame.size.width - before.visible.size.width),
        height: monitor.size.height - (before.frame.size.height - before.visible.size.height))
      guard rest.width > 0, rest.height > 0 else { return monitor }
      return Rect(x: monitor.origin.x + left, y: monitor.origin.y + top, width: rest.width, height: rest.height)
    }
  }

  /// The rectangle of one desktop in `_NET_WORKAREA`: four numbers each; of the first where there are too few.
  static func area(_ words: [UInt32], desktop: UInt32?) -> Rect? {
    let rects = areas(words)
    guard let desktop, Int(desktop) < rects.count else { return rects.first }
    return rects[Int(desktop)]
  }

  /// The rectangles of `_GTK_WORKAREAS_D<n>`, one for each monitor; what is none is left out.
  static func areas(_ words: [UInt32]) -> [Rect] {
    stride(from: 0, to: words.count - words.count % 4, by: 4).map { start in
      let numbers = words[start..<start + 4].map { Int(Int32(bitPattern: $0)) }
      return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
  }
}
