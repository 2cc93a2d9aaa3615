public import ProsceniumCore

/// Lines and curves.
///
/// All lengths are points.
public struct Path: Hashable, Sendable {
  enum Element: Hashable, Sendable {
    case move(Double, Double)
    case line(Double, Double)
    case curve(Double, Double, Double, Double, Double, Double)
    case arc(Double, Double, radius: Double, from: Double, to: Double)
    case close
  }
  var elements: [Element] = []

  /// Creates an empty path.
  public init() {}

  /// Creates a rectangle, with round corners if there is a radius.
  /// - Parameters:
  ///   - rect: The rectangle in points.
  ///   - cornerRadius: The radius of the corners in points.
  public init(_ rect: Rect, cornerRadius: Double = 0) {
    let (x, y) = (Double(rect.origin.x), Double(rect.origin.y))
    self.init(x: x, y: y, width: Double(rect.size.width), height: Double(rect.size.height), cornerRadius: cornerRadius)
  }

  /// Creates a rectangle from fractions of points, with round corners if there is a radius.
  /// - Parameters:
  ///   - x: The left edge in points.
  ///   - y: The upper edge in points.
  ///   - width: The width in points.
  ///   - height: The height in points.
  ///   - cornerRadius: The radius of the corners in points.
  public init(x: Double, y: Double, width: Double, height: Double, cornerRadius: Double = 0) {
    let radius = max(0, min(cornerRadius, width / 2, height / 2))
    if radius > 0 {
      let (right, bottom) = (x + width - radius, y + height - radius)
      arc(centerX: right, y: y + radius, radius: radius, from: -.pi / 2, to: 0)
      arc(centerX: right, y: bottom, radius: radius, from: 0, to: .pi / 2)
      arc(centerX: x + radius, y: bottom, radius: radius, from: .pi / 2, to: .pi)
      arc(centerX: x + radius, y: y + radius, radius: radius, from: .pi, to: .pi * 1.5)
    } else {
      move(toX: x, y: y)
      line(toX: x + width, y: y)
      line(toX: x + width, y: y + height)
      line(toX: x, y: y + height)
    }
    close()
  }

  /// Starts a new line at a point.
  /// - Parameters:
  ///   - x: The place to the right, in points.
  ///   - y: The place downwards, in points.
  public mutating func move(toX x: Double, y: Double) { elements.append(.move(x, y)) }

  /// Adds a straight line to a point.
  /// - Parameters:
  ///   - x: The place to the right, in points.
  ///   - y: The place downwards, in points.
  public mutating func line(toX x: Double, y: Double) { elements.append(.line(x, y)) }

  /// Adds a cubic Bézier curve to a point, with two control points.
  /// - Parameters:
  ///   - x: The place of the end to the right, in points.
  ///   - y: The place of the end downwards, in points.
  ///   - control1X: The place of the first control point to the right, in points.
  ///   - control1Y: The place of the first control point downwards, in points.
  ///   - control2X: The place of the second control point to the right, in points.
  ///   - control2Y: The place of the second control point downwards, in points.
  public mutating func curve(
    toX x: Double, y: Double, control1X: Double, y control1Y: Double, control2X: Double, y control2Y: Double
  ) {
    elements.append(.curve(control1X, control1Y, control2X, control2Y, x, y))
  }

  /// Adds a clockwise arc.
  /// - Parameters:
  ///   - centerX: The centre of the circle, to the right, in points.
  ///   - y: The centre of the circle, downwards, in points.
  ///   - radius: The radius in points.
  ///   - from: The first angle, in radians from the x axis.
  ///   - to: The last angle.
  public mutating func arc(centerX: Double, y: Double, radius: Double, from: Double, to: Double) {
    elements.append(.arc(centerX, y, radius: radius, from: from, to: to))
  }

  /// Adds a straight line to the start of the line.
  public mutating func close() { elements.append(.close) }
}

/// A gradient of colours along a line.
public struct LinearGradient: Hashable, Sendable {
  /// A colour at a position of the line.
  public struct Stop: Hashable, Sendable {
    /// The position: 0 at the start, 1 at the end.
    public var position: Double
    /// The colour.
    public var color: Color
    /// The opacity, 0...1, by which that of the colour is multiplied.
    public var alpha: Double
    /// A colour at a position of the line.
    /// - Parameters:
    ///   - position: The position: 0 at the start, 1 at the end.
    ///   - color: The colour.
    ///   - alpha: The opacity, 0...1, by which that of the colour is multiplied.
    public init(position: Double, color: Color, alpha: Double = 1) {
      self.position = position
      self.color = color
      self.alpha = alpha
    }
  }
  /// The start of the line, in points.
  public var start: Point
  /// The end of the line, in points.
  public var end: Point
  /// The colours with their positions.
  public var stops: [Stop]

  /// Creates a gradient.
  /// - Parameters:
  ///   - start: The start of the line, in points.
  ///   - end: The end of the line, in points.
  ///   - stops: The colours with their positions.
  public init(from start: Point, to end: Point, stops: [Stop]) {
    self.start = start
    self.end = end
    self.stops = stops
  }
}
