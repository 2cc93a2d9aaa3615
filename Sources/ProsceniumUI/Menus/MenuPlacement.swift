import ProsceniumCore

/// Where a menu appears: in the work area of the monitor, beside what it belongs to.
enum MenuPlacement: Hashable, Sendable, CaseIterable {
  /// Below a button, a title of a menu bar, or a point; above where there is no room.
  case below
  /// To the right of an item; to the left where there is no room.
  case beside

  /// The frame of a menu.
  /// - Parameters:
  ///   - size: The size that it wishes; where the area is smaller, that counts.
  ///   - anchor: What it belongs to.
  ///   - area: The part of the desktop that it may cover.
  ///   - isRightToLeft: Whether right and left are the other way round.
  /// - Returns: The frame, in the area.
  func frame(of size: Size, at anchor: Rect, in area: Rect, isRightToLeft: Bool = false) -> Rect {
    let (anchor, area) = (anchor.sensible, area.sensible)
    let horizontal = Span(area.origin.x, area.size.width)
    let vertical = Span(area.origin.y, area.size.height)
    let (width, height) = (min(max(size.width, 1), area.size.width), min(max(size.height, 1), area.size.height))
    let (left, right) = (anchor.origin.x, anchor.origin.x + anchor.size.width)
    let (top, bottom) = (anchor.origin.y, anchor.origin.y + anchor.size.height)
    let (x, y) =
      switch self {
      case .below:
        (
          horizontal.place(width, at: [isRightToLeft ? right - width : left]),
          vertical.place(height, at: [bottom, top - height])
        )
      case .beside:
        (
          horizontal.place(width, at: isRightToLeft ? [left - width, right] : [right, left - width]),
          vertical.place(height, at: [top])
        )
      }
    return Rect(x: x, y: y, width: width, height: height)
  }

  /// One side of the area.
  private struct Span {
    let start, end: Int
    init(_ start: Int, _ length: Int) { (self.start, end) = (start, start + length) }

    /// The first of the starts at which a length has room, else the first one shifted in.
    func place(_ length: Int, at starts: [Int]) -> Int {
      starts.first { $0 >= start && $0 + length <= end } ?? max(start, min(starts[0], end - length))
    }
  }
}
