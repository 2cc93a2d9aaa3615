import ProsceniumPlatform

/// The strips that a window reserves along the edges of the root window, in pixels (EWMH, `_NET_WM_STRUT_PARTIAL`).
struct Strut: Hashable, Sendable {
  /// The strip along one edge: its depth, and where along the edge it begins and ends.
  struct Side: Hashable, Sendable {
    var depth: Int
    var along: ClosedRange<Int>
  }

  var left, right, top, bottom: Side

  /// Reads twelve numbers of `_NET_WM_STRUT_PARTIAL`, or the four of `_NET_WM_STRUT`, which go along whole edges; nil
  /// where they are fewer, or reserve nothing.
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

  /// The part of a monitor that the strips leave.
  ///
  /// A panel along an edge that two monitors share reserves all of the one between it and the edge of the root, as it
  /// is written: that is not meant, and only the monitor in which the strip ends is made smaller.
  func reduce(_ area: Rect, of monitor: Rect, root: Size) -> Rect {
    let (right, bottom) = (monitor.origin.x + monitor.size.width, monitor.origin.y + monitor.size.height)
    var (x1, y1) = (area.origin.x, area.origin.y)
    var (x2, y2) = (x1 + area.size.width, y1 + area.size.height)
    func meets(_ side: Side, _ start: Int, _ end: Int) -> Bool {
      side.depth > 0 && side.along.overlaps(start...max(start, end - 1))
    }
    if meets(left, monitor.origin.y, bottom), left.depth < right { x1 = max(x1, left.depth) }
    if meets(self.right, monitor.origin.y, bottom), root.width - self.right.depth > monitor.origin.x {
      x2 = min(x2, root.width - self.right.depth)
    }
    if meets(top, monitor.origin.x, right), top.depth < bottom { y1 = max(y1, top.depth) }
    if meets(self.bottom, monitor.origin.x, right), root.height - self.bottom.depth > monitor.origin.y {
      y2 = min(y2, root.height - self.bottom.depth)
    }
    guard x2 > x1, y2 > y1 else { return area }
    return Rect(x: x1, y: y1, width: x2 - x1, height: y2 - y1)
  }
}
