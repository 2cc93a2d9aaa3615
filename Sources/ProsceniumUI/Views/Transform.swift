import Glibc
import ProsceniumCore

/// An affine transform, for ``View/transform``: it moves, scales, turns and slants.
///
/// A point becomes `(a * x + c * y + tx, b * x + d * y + ty)`, as for UIKit's `CGAffineTransform`.
public struct Transform: Hashable, Sendable {
  /// The part of x in the new x.
  public var a: Double
  /// The part of x in the new y.
  public var b: Double
  /// The part of y in the new x.
  public var c: Double
  /// The part of y in the new y.
  public var d: Double
  /// The distance to the right, in points.
  public var tx: Double
  /// The distance downwards, in points.
  public var ty: Double

  /// Changes nothing.
  public static let identity = Transform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// Creates a transform.
  /// - Parameters:
  ///   - a: The part of x in the new x.
  ///   - b: The part of x in the new y.
  ///   - c: The part of y in the new x.
  ///   - d: The part of y in the new y.
  ///   - tx: The distance to the right, in points.
  ///   - ty: The distance downwards, in points.
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// Moves.
  /// - Parameters:
  ///   - translationX: The distance to the right, in points.
  ///   - y: The distance downwards, in points.
  public init(translationX: Double, y: Double) { self.init(a: 1, b: 0, c: 0, d: 1, tx: translationX, ty: y) }

  /// Scales.
  /// - Parameters:
  ///   - scaleX: The horizontal factor.
  ///   - y: The vertical factor.
  public init(scaleX: Double, y: Double) { self.init(a: scaleX, b: 0, c: 0, d: y, tx: 0, ty: 0) }

  /// Turns clockwise.
  /// - Parameter rotationAngle: The angle in radians.
  public init(rotationAngle: Double) {
    let (sine, cosine) = (sin(rotationAngle), cos(rotationAngle))
    self.init(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
  }

  /// A transform that does this one, then another.
  /// - Parameter other: What is done after this one.
  /// - Returns: Both in one.
  public func concatenating(_ other: Transform) -> Transform {
    Transform(
      a: a * other.a + b * other.c, b: a * other.b + b * other.d, c: c * other.a + d * other.c,
      d: c * other.b + d * other.d, tx: tx * other.a + ty * other.c + other.tx,
      ty: tx * other.b + ty * other.d + other.ty)
  }

  /// The transform that undoes this one; nil where there is none, because all becomes a line or a point.
  public var inverted: Transform? {
    let determinant = a * d - b * c
    guard isFinite, abs(determinant) > 1e-9 else { return nil }
    let inverse = Transform(
      a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
      tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
    return inverse.isFinite ? inverse : nil
  }

  /// Whether all of its numbers are finite.
  var isFinite: Bool { [a, b, c, d, tx, ty].allSatisfy(\.isFinite) }

  /// Whether it only moves.
  var isTranslation: Bool { a == 1 && b == 0 && c == 0 && d == 1 }

  func apply(_ point: ExactPoint) -> ExactPoint {
    ExactPoint(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
  }
}

/// A point between whole ones.
struct ExactPoint: Hashable {
  var x: Double
  var y: Double

  init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
  init(_ point: Point) { (x, y) = (Double(point.x), Double(point.y)) }

  static func + (left: ExactPoint, right: ExactPoint) -> ExactPoint {
    ExactPoint(x: left.x + right.x, y: left.y + right.y)
  }
  static func - (left: ExactPoint, right: ExactPoint) -> ExactPoint {
    ExactPoint(x: left.x - right.x, y: left.y - right.y)
  }

  /// The whole point that contains it.
  var floored: Point { Point(x: Self.whole(x.rounded(.down)), y: Self.whole(y.rounded(.down))) }

  /// A whole number, within the limits of places of views.
  static func whole(_ number: Double) -> Int {
    let limit = Double(1 << 36)
    return number.isFinite ? Int(min(max(number, -limit), limit)) : 0
  }
}

/// Where a view lies in its superview, as a value.
struct ViewPlace: Hashable {
  var frame: Rect
  var boundsOrigin: Point
  /// About the centre of the frame; nil where the view has none.
  var transform: Transform?

  /// The place of a view, as the program has set it.
  @MainActor init(of view: View) {
    self.init(frame: view.knownFrame, boundsOrigin: view.boundsOrigin, transform: view.host.transform)
  }

  init(frame: Rect, boundsOrigin: Point, transform: Transform?) {
    (self.frame, self.boundsOrigin, self.transform) = (frame, boundsOrigin, transform)
  }

  /// Converts a point of one view into another one's coordinates; of the window where nil.
  @MainActor static func convert(_ point: ExactPoint, from view: View?, to other: View?) -> ExactPoint {
    let inWindow = view?.selfAndSuperviews.reduce(point) { ViewPlace(of: $1).toSuperview($0) } ?? point
    let ways = other.map { Array($0.selfAndSuperviews) } ?? []
    return ways.reversed().reduce(inWindow) { ViewPlace(of: $1).fromSuperview($0) ?? $0 }
  }

  private var center: ExactPoint {
    ExactPoint(
      x: Double(frame.origin.x) + Double(frame.size.width) / 2,
      y: Double(frame.origin.y) + Double(frame.size.height) / 2
    )
  }

  /// Converts a point of the view into the superview's coordinates.
  func toSuperview(_ point: ExactPoint) -> ExactPoint {
    let plain = point - ExactPoint(boundsOrigin) + ExactPoint(frame.origin)
    guard let transform else { return plain }
    return transform.apply(plain - center) + center
  }

  /// Converts a point of the superview into the view's coordinates; nil where the transform cannot be undone.
  func fromSuperview(_ point: ExactPoint) -> ExactPoint? {
    var point = point
    if let transform {
      guard let inverse = transform.inverted else { return nil }
      point = inverse.apply(point - center) + center
    }
    return point - ExactPoint(frame.origin) + ExactPoint(boundsOrigin)
  }

  /// The smallest rectangle of the superview that contains a rectangle of the view.
  func toSuperview(_ rect: Rect) -> Rect {
    guard let transform else {
      return rect.offset(x: frame.origin.x - boundsOrigin.x, y: frame.origin.y - boundsOrigin.y)
    }
    let around = Rect(around: rect.corners.map(toSuperview))
    guard !transform.isTranslation else { return around }
    // Edges of a picture are blended with what is beside them for half of one of its pixels, and rounded by as much.
    func spill(_ one: Double, _ other: Double) -> Int { max(1, ExactPoint.whole((abs(one) + abs(other)).rounded(.up))) }
    return around.inset(x: -spill(transform.a, transform.c), y: -spill(transform.b, transform.d)).sensible
  }
}

extension Rect {
  var corners: [ExactPoint] {
    let (left, top) = (Double(origin.x), Double(origin.y))
    let (right, bottom) = (left + Double(size.width), top + Double(size.height))
    return [(left, top), (right, top), (left, bottom), (right, bottom)].map { ExactPoint(x: $0.0, y: $0.1) }
  }

  /// The smallest rectangle of whole points that contains all of these.
  init(around points: [ExactPoint]) {
    let (x, y) = (points.map(\.x), points.map(\.y))
    // What lies within a thousandth of a whole point is there but for rounding.
    func low(_ numbers: [Double]) -> Int { ExactPoint.whole(((numbers.min() ?? 0) + 0.001).rounded(.down)) }
    func high(_ numbers: [Double]) -> Int { ExactPoint.whole(((numbers.max() ?? 0) - 0.001).rounded(.up)) }
    self = Rect(x: low(x), y: low(y), width: high(x) - low(x), height: high(y) - low(y)).sensible
  }
}
