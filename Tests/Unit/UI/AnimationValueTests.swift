import Glibc
import ProsceniumCore
import Testing

@testable import ProsceniumUI

@Suite("Animation: curves, cycles, values between two, transforms") struct AnimationValueTests {
  private func isNear(_ one: Double, _ other: Double, _ tolerance: Double = 1e-6) -> Bool {
    abs(one - other) <= tolerance
  }

  private let curves: [TimingCurve] = [
    .linear, .easeIn, .easeOut, .easeInOut, .cubicBezier(x1: 1, y1: 0, x2: 0, y2: 1), .spring(dampingRatio: 1),
    .spring(dampingRatio: 0.3, initialVelocity: 5), .spring(dampingRatio: 0.0001, initialVelocity: -1e9),
    .cubicBezier(x1: .nan, y1: .infinity, x2: -5, y2: 1e9), .spring(dampingRatio: .nan, initialVelocity: .infinity),
  ]

  @Test("A curve goes from 0 to 1, and is a number everywhere")
  func ends() {
    for curve in curves {
      #expect(curve.value(at: 0) == 0 && curve.value(at: 1) == 1)
      #expect(curve.value(at: -.infinity) == 0 && curve.value(at: .infinity) == 1 && curve.value(at: .nan) == 0)
      #expect((1..<100).allSatisfy { curve.value(at: Double($0) / 100).isFinite })
    }
  }

  @Test("Eased curves are slow where they say so, and never go back")
  func shapes() {
    #expect(TimingCurve.easeIn.value(at: 0.2) < 0.2 && TimingCurve.easeOut.value(at: 0.2) > 0.2)
    #expect(isNear(TimingCurve.easeInOut.value(at: 0.5), 0.5) && isNear(TimingCurve.linear.value(at: 0.3), 0.3))
    #expect(TimingCurve.easeInOut.value(at: 0.1) < 0.1 && TimingCurve.easeInOut.value(at: 0.9) > 0.9)
    for curve in [TimingCurve.easeIn, .easeOut, .easeInOut, .spring(dampingRatio: 1)] {
      let values = (0...100).map { curve.value(at: Double($0) / 100) }
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
    }
  }

  @Test("A spring overshoots with little damping, and has come to rest at the end", arguments: [0.2, 0.5, 0.8, 1])
  func springs(_ damping: Double) {
    let spring = TimingCurve.spring(dampingRatio: damping)
    let values = (0...200).map { spring.value(at: Double($0) / 200) }
    #expect(values.contains { $0 > 1.001 } == (damping < 0.9))
    #expect(values.suffix(10).allSatisfy { isNear($0, 1, 0.01) })
    #expect(TimingCurve.spring(dampingRatio: damping, initialVelocity: 3).value(at: 0.05) > spring.value(at: 0.05))
  }

  @Test("A cycle goes once, again and again, or there and back")
  func cycles() {
    func phases(_ repeats: Bool, _ autoreverses: Bool) -> [Double] {
      let cycle = AnimationCycle(duration: .seconds(4), repeats: repeats, autoreverses: autoreverses)
      return [-1, 0, 1, 3, 5, 7, 8, 9].map { cycle.phase(at: .seconds($0)) }
    }
    #expect(phases(false, false) == [0, 0, 0.25, 0.75, 1, 1, 1, 1])
    #expect(phases(true, false) == [0, 0, 0.25, 0.75, 0.25, 0.75, 0, 0.25])
    #expect(phases(false, true) == [0, 0, 0.25, 0.75, 0.75, 0.25, 1, 1])
    #expect(phases(true, true) == [0, 0, 0.25, 0.75, 0.75, 0.25, 0, 0.25])
    let cycle = AnimationCycle(duration: .zero, repeats: true, autoreverses: true)
    #expect(cycle.isOver(at: .zero) && cycle.phase(at: .zero) == 1 && cycle.phase(at: .seconds(-1)) == 0)
    let endless = AnimationCycle(duration: .seconds(4), repeats: true, autoreverses: false)
    #expect(!endless.isOver(at: .seconds(1_000_000)))
  }

  /// The value at a part of the way between two.
  private func between(_ old: AnimatedValue, _ new: AnimatedValue, _ part: Double) -> AnimatedValue {
    new.with(new.numbers + (new.difference(from: old) ?? .zero) * (1 - part))
  }

  @Test("Frames, places, opacities and colours lie between their ends")
  func betweens() {
    let (small, large) = (Rect(x: 0, y: 10, width: 20, height: 30), Rect(x: 100, y: -10, width: 40, height: 0))
    #expect(between(.frame(small), .frame(large), 0.5) == .frame(Rect(x: 50, y: 0, width: 30, height: 15)))
    #expect(between(.frame(small), .frame(large), 0) == .frame(small))
    #expect(between(.frame(small), .frame(large), 2) == .frame(Rect(x: 200, y: -30, width: 60, height: 0)))
    #expect(
      between(.boundsOrigin(Point(x: 1 << 36, y: 0)), .boundsOrigin(Point(x: 0, y: 9)), 0)
        == .boundsOrigin(Point(x: 1 << 36, y: 0)))
    #expect(between(.alpha(0), .alpha(1), 0.25) == .alpha(0.25) && between(.alpha(0), .alpha(1), 3) == .alpha(1))
    #expect(between(.alpha(.nan), .alpha(1), 0.25) == .alpha(0.25))
    let (red, blue) = (Color(rgb: 0xFF0000), Color(rgb: 0x0000FF))
    #expect(between(.backgroundColor(red), .backgroundColor(blue), 0.5) == .backgroundColor(Color(rgb: 0x800080)))
    // None is the transparent one of the other's colour.
    #expect(between(.backgroundColor(nil), .backgroundColor(red), 0.5) == .backgroundColor(red.withAlphaComponent(0.5)))
    #expect(between(.backgroundColor(nil), .backgroundColor(red), 0) == .backgroundColor(nil))
    #expect(AnimatedValue.alpha(1).difference(from: .alpha(1)) == nil)
  }

  @Test("What turns keeps its size on the way, and goes the shorter way round")
  func turns() {
    func turn(_ degrees: Double) -> Transform { Transform(rotationAngle: degrees / 180 * .pi) }
    func middle(_ old: Transform, _ new: Transform) -> Transform {
      guard case .transform(let transform) = between(.transform(old), .transform(new), 0.5) else { return .identity }
      return transform
    }
    func isNear(_ one: Transform, _ other: Transform) -> Bool {
      zip([one.a, one.b, one.c, one.d, one.tx, one.ty], [other.a, other.b, other.c, other.d, other.tx, other.ty])
        .allSatisfy { self.isNear($0, $1) }
    }
    #expect(isNear(middle(.identity, turn(90)), turn(45)) && isNear(middle(turn(170), turn(-170)), turn(180)))
    #expect(isNear(middle(Transform(scaleX: 1, y: 1), Transform(scaleX: 3, y: 0)), Transform(scaleX: 2, y: 0.5)))
    let odd = Transform(a: 1, b: 2, c: -3, d: 0.5, tx: 7, ty: -9)
    #expect(isNear(middle(odd, odd), odd))
    #expect(
      AnimatedValue.transform(.identity).with(AnimatedValue.transform(.identity).numbers) == .transform(.identity))
    #expect(middle(Transform(a: .nan, b: 0, c: 0, d: .infinity, tx: 0, ty: 0), .identity) == .identity)
    #expect(middle(Transform(scaleX: 0, y: 0), Transform(scaleX: 1, y: 1)) == Transform(scaleX: 0.5, y: 0.5))
  }

  @Test("A transform is undone by its inverse, and one that flattens has none")
  func inverses() throws {
    let odd = Transform(rotationAngle: 1).concatenating(Transform(scaleX: 2, y: 3))
      .concatenating(Transform(translationX: 10, y: -4))
    let inverse = try #require(odd.inverted)
    for point in [(0.0, 0.0), (3, -7), (1e6, 1e6)].map({ ExactPoint(x: $0.0, y: $0.1) }) {
      let back = inverse.apply(odd.apply(point))
      #expect(
        isNear(back.x, point.x, 1e-6 * max(1, abs(point.x))) && isNear(back.y, point.y, 1e-6 * max(1, abs(point.y))))
    }
    #expect(Transform(scaleX: 0, y: 1).inverted == nil && Transform(scaleX: .nan, y: 1).inverted == nil)
    #expect(Transform(translationX: 5, y: 6).apply(ExactPoint(x: 1, y: 1)) == ExactPoint(x: 6, y: 7))
  }

  @Test("A place converts points there and back, and rectangles to what contains them")
  func places() {
    var place = ViewPlace(
      frame: Rect(x: 100, y: 50, width: 40, height: 20), boundsOrigin: Point(x: 5, y: 5), transform: nil)
    #expect(place.toSuperview(Rect(x: 5, y: 5, width: 40, height: 20)) == place.frame)
    #expect(place.fromSuperview(ExactPoint(x: 100, y: 50)) == ExactPoint(x: 5, y: 5))
    place.transform = Transform(rotationAngle: .pi / 2)
    let turned = place.toSuperview(Rect(x: 5, y: 5, width: 40, height: 20))
    #expect(turned == Rect(x: 109, y: 39, width: 22, height: 42))
    let back = place.fromSuperview(place.toSuperview(ExactPoint(x: 7, y: 9)))
    #expect(isNear(back?.x ?? 0, 7) && isNear(back?.y ?? 0, 9))
    place.transform = Transform(scaleX: 0, y: 0)
    #expect(place.fromSuperview(ExactPoint(x: 120, y: 60)) == nil)
    let wild = Transform(scaleX: 1e300, y: -1e300)
    place.transform = wild
    #expect(place.toSuperview(Rect(x: 0, y: 0, width: 1 << 24, height: 1 << 24)).size.width <= (1 << 24) + 2)
  }
}
