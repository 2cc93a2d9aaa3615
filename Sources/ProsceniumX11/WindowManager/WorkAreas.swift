import ProsceniumPlatform

/// The parts of monitors that panels leave, as far as they are known.
struct WorkAreas: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    /// No window manager reports them.
    case none
    /// Rectangles that the window manager wrote while these were the monitors.
    case areas([Rect], monitors: [Rect])
    /// The strips that windows reserve.
    case struts([Strut])
  }

  var source = Source.none

  /// The part of a monitor that no panel takes.
  /// - Parameters:
  ///   - monitor: The monitor.
  ///   - root: The size of the root window.
  ///   - before: The same monitor and its visible part before; nil where it is new.
  /// - Returns: The rectangle, in pixels of the root window.
  func visible(of monitor: Rect, root: Size, before: (frame: Rect, visible: Rect)?) -> Rect {
    switch source {
    case .none: return monitor
    case .struts(let struts):
      return struts.reduce(monitor) { $1.reduce($0, of: monitor, root: root) }
    case .areas(let areas, let monitors):
      if monitors.contains(monitor) {
        return areas.compactMap { $0.intersection(monitor) }
          .max { $0.size.width * $0.size.height < $1.size.width * $1.size.height } ?? monitor
      }
      // The window manager has not written its properties for the monitor as it is now: its panels will be as large.
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

  /// The rectangle of one workspace in `_NET_WORKAREA`: four numbers each; of the first where there are too few.
  static func area(_ words: [UInt32], workspace: UInt32?) -> Rect? {
    let rects = areas(words)
    guard let workspace, Int(workspace) < rects.count else { return rects.first }
    return rects[Int(workspace)]
  }

  /// The rectangles of `_GTK_WORKAREAS_D<n>`, one for each monitor; an incomplete one is left out.
  static func areas(_ words: [UInt32]) -> [Rect] {
    stride(from: 0, to: words.count - words.count % 4, by: 4).map { start in
      let numbers = words[start..<start + 4].map { Int(Int32(bitPattern: $0)) }
      return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
  }
}
