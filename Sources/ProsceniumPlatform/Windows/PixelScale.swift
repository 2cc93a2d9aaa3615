/// The pixels of one point on a screen, which turns lengths of programs into those of the window system and back.
///
/// Places and sizes are scaled by themselves, so that a window that is moved keeps its size.
package struct PixelScale: Hashable, Sendable {
  private let scale: Double

  /// A scale that makes no sense counts as 1.
  package init(_ scale: Double) { self.scale = scale.isFinite && scale >= 0.1 ? scale : 1 }

  // MARK: To pixels

  package func pixels(_ point: Point) -> Point {
    func place(_ points: Int) -> Int { scale == 1 ? points : Int(clamping: (Double(points) * scale).rounded()) }
    return Point(x: place(point.x), y: place(point.y))
  }

  /// Whole pixels only, so that the points of them are those again; at least one pixel of what has a size.
  package func pixels(_ size: Size) -> Size {
    func length(_ points: Int) -> Int {
      points > 0 && scale != 1 ? max(Int(clamping: (Double(points) * scale).rounded(.down)), 1) : points
    }
    return Size(width: length(size.width), height: length(size.height))
  }

  package func pixels(_ rect: Rect) -> Rect { Rect(pixels(rect.origin), pixels(rect.size)) }

  // MARK: To points

  package func points(_ point: Point) -> Point {
    func place(_ pixels: Int) -> Int { scale == 1 ? pixels : Int(clamping: (Double(pixels) / scale).rounded()) }
    return Point(x: place(point.x), y: place(point.y))
  }

  /// A point of which a part is there counts, so that views cover the last pixel.
  package func points(_ size: Size) -> Size {
    func length(_ pixels: Int) -> Int { scale == 1 ? pixels : Int(clamping: (Double(pixels) / scale).rounded(.up)) }
    return Size(width: length(size.width), height: length(size.height))
  }

  package func points(_ rect: Rect) -> Rect { Rect(points(rect.origin), points(rect.size)) }

  // MARK: Changes

  /// What is left of a screen for the title bar of a window, in points.
  package static let titleBar = 32

  /// The frame of a window that keeps its size in points, and its middle, when its scale becomes another one.
  ///
  /// It becomes no larger than the visible part of its screen has room for, and no edge of it leaves that part or goes
  /// farther from it, where it has room there; the edges at the left and the top, with the window's title, count more.
  /// - Parameters:
  ///   - frame: The frame that the window has, in pixels.
  ///   - new: The scale that it gets.
  ///   - screens: The visible parts of the screens, in pixels.
  /// - Returns: The frame, in pixels.
  package func frame(_ frame: Rect, keepingPointsAt new: PixelScale, on screens: [Rect]) -> Rect {
    guard new != self else { return frame }
    let size = new.pixels(points(frame.size))
    let area = screens.max { $0.sharedArea(with: frame) < $1.sharedArea(with: frame) }
    let titleBar = new.pixels(Size(width: Self.titleBar, height: Self.titleBar)).height
    func place(_ old: Int, _ oldLength: Int, _ wish: Int, _ area: (start: Int, length: Int)?) -> (Int, length: Int) {
      guard let area else { return (old + (oldLength - wish) / 2, wish) }
      let length = min(wish, max(area.length, oldLength))
      guard length != area.length else { return (area.start, length) }
      let last = area.start + area.length - length
      let start = min(old + (oldLength - length) / 2, max(last, old + oldLength - length))
      return (start < area.start ? max(start, min(old, max(area.start, last))) : start, length)
    }
    let (x, width) = place(
      frame.origin.x, frame.size.width, size.width, area.map { ($0.origin.x, $0.size.width) })
    let (y, height) = place(
      frame.origin.y, frame.size.height, size.height,
      area.map { ($0.origin.y + titleBar, $0.size.height - titleBar) })
    return Rect(x: x, y: y, width: width, height: height)
  }
}

extension Rect {
  fileprivate init(_ origin: Point, _ size: Size) {
    self.init(x: origin.x, y: origin.y, width: size.width, height: size.height)
  }
}

extension Int {
  /// The nearest number of a number without a fraction.
  fileprivate init(clamping number: Double) { self = Int(exactly: number) ?? (number < 0 ? .min : .max) }
}
