public import ProsceniumCore

/// Lines and curves, in points.
public struct Path: Hashable, Sendable {
  enum Element: Hashable, Sendable {
    case move(Double, Double)
    case line(Double, Double)
    case curve(Double, Double, Double, Double, Double, Double)
    case arc(Double, Double, radius: Double, from: Double, to: Double)
    case close
  }
  var elements: [Element] = []

  /// A path without anything.
  public init() {}

  /// A rectangle, with round corners where there is a radius.
  public init(_ rect: Rect, cornerRadius: Double = 0) {
    let (x, y) = (Double(rect.origin.x), Double(rect.origin.y))
    self.init(x: x, y: y, width: Double(rect.size.width), height: Double(rect.size.height), cornerRadius: cornerRadius)
  }

  /// A rectangle between the pixels, with round corners where there is a radius.
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

  /// Begins a line elsewhere.
  public mutating func move(toX x: Double, y: Double) { elements.append(.move(x, y)) }

  /// Goes straight to a point.
  public mutating func line(toX x: Double, y: Double) { elements.append(.line(x, y)) }

  /// Goes to a point on a cubic Bézier curve with two control points.
  public mutating func curve(
    toX x: Double, y: Double, control1X: Double, y control1Y: Double, control2X: Double, y control2Y: Double
  ) {
    elements.append(.curve(control1X, control1Y, control2X, control2Y, x, y))
  }

  /// Goes clockwise along a circle, between two angles in radians from the x axis.
  public mutating func arc(centerX: Double, y: Double, radius: Double, from: Double, to: Double) {
    elements.append(.arc(centerX, y, radius: radius, from: from, to: to))
  }

  /// Goes back to where the line began.
  public mutating func close() { elements.append(.close) }
}

/// Colours that go over into one another along a line.
public struct LinearGradient: Hashable, Sendable {
  /// A colour on the way.
  public struct Stop: Hashable, Sendable {
    /// Where: 0 at the start, 1 at the end.
    public var position: Double
    /// The colour there.
    public var color: Color
    /// How opaque it is.
    public var alpha: Double
    /// A colour on the way.
    public init(position: Double, color: Color, alpha: Double = 1) {
      self.position = position
      self.color = color
      self.alpha = alpha
    }
  }
  /// Where the first colour is, in points.
  public var start: Point
  /// Where the last colour is, in points.
  public var end: Point
  /// The colours.
  public var stops: [Stop]

  /// Colours along a line.
  public init(from start: Point, to end: Point, stops: [Stop]) {
    self.start = start
    self.end = end
    self.stops = stops
  }
}
