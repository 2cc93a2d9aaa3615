import Glibc
import ProsceniumCore

/// A value of a view that can be animated: as numbers between which there are others.
enum AnimatedValue: Hashable {
  enum Property: Hashable { case frame, boundsOrigin, alpha, backgroundColor, transform }

  case frame(Rect)
  case boundsOrigin(Point)
  case alpha(Double)
  case backgroundColor(Color?)
  case transform(Transform)

  var property: Property {
    switch self {
    case .frame: .frame
    case .boundsOrigin: .boundsOrigin
    case .alpha: .alpha
    case .backgroundColor: .backgroundColor
    case .transform: .transform
    }
  }

  /// The value as numbers that can be added and multiplied.
  ///
  /// A transform is taken apart, so that what turns keeps its size meanwhile; a colour is multiplied by its opacity, so
  /// that none is the transparent one of any colour.
  var numbers: SIMD8<Double> {
    switch self {
    case .frame(let rect):
      return SIMD8(
        Double(rect.origin.x), Double(rect.origin.y), Double(rect.size.width), Double(rect.size.height), 0, 0, 0, 0)
    case .boundsOrigin(let point): return SIMD8(Double(point.x), Double(point.y), 0, 0, 0, 0, 0, 0)
    case .alpha(let alpha): return SIMD8(alpha.isFinite ? alpha : 0, 0, 0, 0, 0, 0, 0, 0)
    case .backgroundColor(let color):
      guard let color else { return .zero }
      return SIMD8(
        color.red * color.alpha, color.green * color.alpha, color.blue * color.alpha, color.alpha, 0, 0, 0, 0)
    case .transform(let transform): return Self.parts(of: transform)
    }
  }

  /// The value of the same property with these numbers.
  func with(_ numbers: SIMD8<Double>) -> AnimatedValue {
    switch self {
    case .frame:
      let whole = (0..<4).map { ExactPoint.whole(numbers[$0].rounded()) }
      return .frame(Rect(x: whole[0], y: whole[1], width: whole[2], height: whole[3]).sensible)
    case .boundsOrigin:
      return .boundsOrigin(
        Point(x: ExactPoint.whole(numbers[0].rounded()), y: ExactPoint.whole(numbers[1].rounded())))
    case .alpha: return .alpha(min(max(numbers[0], 0), 1))
    case .backgroundColor:
      let alpha = min(max(numbers[3], 0), 1)
      guard alpha > 0.001 else { return .backgroundColor(nil) }
      return .backgroundColor(
        Color(red: numbers[0] / alpha, green: numbers[1] / alpha, blue: numbers[2] / alpha, alpha: alpha))
    case .transform: return .transform(Self.transform(of: numbers))
    }
  }

  /// Gives a view the value.
  @MainActor func apply(to view: View) {
    switch self {
    case .frame(let rect): view.frame = rect
    case .boundsOrigin(let point): view.bounds.origin = point
    case .alpha(let number): view.alpha = number
    case .backgroundColor(let color): view.backgroundColor = color
    case .transform(let transform): view.transform = transform
    }
  }

  /// The numbers to add to this value so that the old one is drawn; nil where nothing is to be animated.
  func difference(from old: AnimatedValue) -> SIMD8<Double>? {
    var difference = old.numbers - numbers
    // The shorter way round.
    if property == .transform { difference[2] = remainder(difference[2], 2 * .pi) }
    return difference == .zero ? nil : difference
  }

  /// Movement, rotation, factors and slant of a transform.
  private static func parts(of transform: Transform) -> SIMD8<Double> {
    guard transform.isFinite else { return parts(of: .identity) }
    let (a, b, c, d) = (transform.a, transform.b, transform.c, transform.d)
    let scaleX = sqrt(a * a + b * b)
    let angle = scaleX > 1e-9 ? atan2(b, a) : 0
    let (sine, cosine) = (sin(angle), cos(angle))
    // What the rest is once the rotation is undone: x by (scaleX, 0), y by (slant, scaleY).
    return SIMD8(transform.tx, transform.ty, angle, scaleX, c * cosine + d * sine, d * cosine - c * sine, 0, 0)
  }

  private static func transform(of parts: SIMD8<Double>) -> Transform {
    let (sine, cosine) = (sin(parts[2]), cos(parts[2]))
    let (scaleX, slant, scaleY) = (parts[3], parts[4], parts[5])
    return Transform(
      a: scaleX * cosine, b: scaleX * sine, c: slant * cosine - scaleY * sine, d: slant * sine + scaleY * cosine,
      tx: parts[0], ty: parts[1])
  }
}
