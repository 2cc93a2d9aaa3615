/// A point, in the unit of the property or parameter that has it: points for windows, screens and views, those of
/// windows and screens relative to the desktop unless documented otherwise; pixels for drawing by hand and for input.
public struct Point: Hashable, Sendable, Codable {
  /// The place to the right.
  public var x: Int
  /// The place downwards.
  public var y: Int

  /// A point.
  /// - Parameters:
  ///   - x: The place to the right.
  ///   - y: The place downwards.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// A size, in the unit of the property or parameter that has it: points for windows, screens and views; pixels for
/// pictures.
public struct Size: Hashable, Sendable, Codable {
  /// The width.
  public var width: Int
  /// The height.
  public var height: Int

  /// A size.
  /// - Parameters:
  ///   - width: The width.
  ///   - height: The height.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A rectangle, in the unit of the property or parameter that has it: points for windows, screens and views, those of
/// windows and screens relative to the desktop unless documented otherwise; pixels for drawing by hand.
public struct Rect: Hashable, Sendable, Codable {
  /// The upper left corner.
  public var origin: Point
  /// How wide and how high.
  public var size: Size

  /// A rectangle.
  /// - Parameters:
  ///   - x: The left edge.
  ///   - y: The upper edge.
  ///   - width: The width.
  ///   - height: The height.
  public init(x: Int, y: Int, width: Int, height: Int) {
    origin = Point(x: x, y: y)
    size = Size(width: width, height: height)
  }

  /// Whether the two rectangles share an area.
  /// - Parameter other: The other rectangle.
  /// - Returns: Whether they do.
  public func intersects(_ other: Rect) -> Bool {
    size.width > 0 && size.height > 0 && other.size.width > 0 && other.size.height > 0
      && origin.x < other.right && other.origin.x < right && origin.y < other.bottom && other.origin.y < bottom
  }

  /// The part that both rectangles share; nil if they share nothing.
  /// - Parameter other: The other rectangle.
  /// - Returns: The shared part.
  public func intersection(_ other: Rect) -> Rect? {
    guard intersects(other) else { return nil }
    let x = max(origin.x, other.origin.x)
    let y = max(origin.y, other.origin.y)
    return Rect(
      x: x, y: y, width: min(right, other.right).saturating(minus: x),
      height: min(bottom, other.bottom).saturating(minus: y))
  }

  /// The number of pixels that both have.
  package func sharedArea(with other: Rect) -> Int { intersection(other).map { $0.size.width * $0.size.height } ?? 0 }

  /// The smallest rectangle that has both.
  /// - Parameter other: The other rectangle.
  /// - Returns: The union.
  public func union(_ other: Rect) -> Rect {
    let x = min(origin.x, other.origin.x)
    let y = min(origin.y, other.origin.y)
    return Rect(
      x: x, y: y, width: max(right, other.right).saturating(minus: x),
      height: max(bottom, other.bottom).saturating(minus: y))
  }

  /// The rectangle moved to the right and downwards.
  /// - Parameters:
  ///   - x: The distance to the right.
  ///   - y: The distance downwards.
  /// - Returns: The moved rectangle.
  public func offset(x: Int, y: Int) -> Rect {
    var moved = self
    moved.origin = Point(x: origin.x.saturating(plus: x), y: origin.y.saturating(plus: y))
    return moved
  }

  /// The rectangle with its edges moved inwards; outwards where negative.
  ///
  /// Where nothing is left between two edges both lie in the middle.
  /// - Parameters:
  ///   - x: How far the left and the right edge move.
  ///   - y: How far the upper and the lower edge move.
  /// - Returns: The rectangle between the moved edges.
  public func inset(x: Int, y: Int) -> Rect {
    func inset(_ start: Int, _ length: Int, _ by: Int) -> (Int, Int) {
      // Twice the number may be none any more.
      let left = length.saturating(minus: by).saturating(minus: by)
      return left >= 0 ? (start.saturating(plus: by), left) : (start.saturating(plus: length / 2), 0)
    }
    let (left, width) = inset(origin.x, size.width, x)
    let (top, height) = inset(origin.y, size.height, y)
    return Rect(x: left, y: top, width: width, height: height)
  }

  /// Whether the other rectangle lies within this one.
  /// - Parameter other: The other rectangle.
  /// - Returns: Whether it does.
  public func contains(_ other: Rect) -> Bool {
    other.origin.x >= origin.x && other.origin.y >= origin.y
      && other.right <= right && other.bottom <= bottom
  }

  /// Whether a point lies within the rectangle.
  /// - Parameter point: The point.
  /// - Returns: Whether it does.
  public func contains(_ point: Point) -> Bool {
    point.x >= origin.x && point.y >= origin.y && point.x < right && point.y < bottom
  }

  // Programs request "everything" with the largest number: edges saturate.
  private var right: Int { origin.x.saturating(plus: size.width) }
  private var bottom: Int { origin.y.saturating(plus: size.height) }
}

extension Int {
  fileprivate func saturating(plus other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }

  fileprivate func saturating(minus other: Int) -> Int {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}

/// A picture for taskbars and switchers: 32-bit ARGB pixels, not premultiplied, row by row from the top.
public struct WindowIcon: Hashable, Sendable {
  /// How wide and how high; at most 1024 each.
  public let size: Size
  /// `size.width * size.height` pixels as `0xAARRGGBB`.
  public let pixels: [UInt32]

  /// A picture; nil where the number of pixels does not fit the size, or a side is not in 1...1024.
  /// - Parameters:
  ///   - size: The size in pixels.
  ///   - pixels: The pixels as `0xAARRGGBB`, row by row.
  public init?(size: Size, pixels: [UInt32]) {
    guard (1...1024).contains(size.width), (1...1024).contains(size.height),
      pixels.count == size.width * size.height
    else { return nil }
    self.size = size
    self.pixels = pixels
  }
}
