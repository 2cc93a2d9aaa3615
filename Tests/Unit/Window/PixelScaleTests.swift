import ProsceniumPlatform
import Testing

@Suite("Points and pixels") struct PixelScaleTests {
  private static let scales = [0.5, 1, 1.25, 1.5, 2, 3, 8]

  @Test("A size in points is the same one after its pixels, and covers each pixel", arguments: scales)
  func sizes(scale: Double) {
    let rule = PixelScale(scale)
    for length in [1, 2, 3, 99, 640, 1001, 4096] {
      let points = Size(width: length, height: length + 1)
      if scale >= 1 { #expect(rule.points(rule.pixels(points)) == points) }
      let covered = rule.points(points)
      #expect(Double(covered.width) * scale >= Double(length) && Double(covered.width - 1) * scale < Double(length))
    }
  }

  @Test("Numbers without sense stay numbers")
  func rubbish() {
    for scale in [0, -1, .nan, .infinity, 1e-300] {
      #expect(PixelScale(scale) == PixelScale(1))
    }
    let farthest = Rect(x: .min, y: .max, width: .max, height: .max)
    #expect(PixelScale(8).pixels(farthest).size == Size(width: .max, height: .max))
    #expect(PixelScale(0.5).points(farthest).origin == Point(x: .min, y: .max))
    #expect(PixelScale(0.5).pixels(Size(width: 1, height: 0)) == Size(width: 1, height: 0))
  }

  @Test("A window keeps its size in points and its middle, but not over the left or the upper edge of its screen")
  func keepsPoints() {
    let screen = Rect(x: 0, y: 30, width: 1000, height: 970)
    func frame(_ old: Rect, _ from: Double, _ to: Double, _ screens: [Rect]) -> Rect {
      PixelScale(from).frame(old, keepingPointsAt: PixelScale(to), on: screens)
    }
    let window = Rect(x: 300, y: 300, width: 200, height: 100)
    #expect(frame(window, 1, 2, [screen]) == Rect(x: 200, y: 250, width: 400, height: 200))
    #expect(frame(window, 2, 1, [screen]) == Rect(x: 350, y: 325, width: 100, height: 50))
    let corner = Rect(x: 10, y: 40, width: 200, height: 100)
    #expect(frame(corner, 1, 2, [screen]) == Rect(x: 10, y: 40, width: 400, height: 200))
    #expect(frame(corner, 1, 2, []) == Rect(x: -90, y: -10, width: 400, height: 200))
    #expect(frame(window, 2, 2, [screen]) == window)
    // What lies over an edge already does not go farther from it, and may come nearer.
    let over = Rect(x: -20, y: 10, width: 200, height: 100)
    #expect(frame(over, 1, 2, [screen]) == Rect(x: -20, y: 10, width: 400, height: 200))
    #expect(frame(over, 2, 1, [screen]) == Rect(x: 30, y: 35, width: 100, height: 50))
    let right = Rect(x: 1920, y: 0, width: 1920, height: 1080)
    let dropped = Rect(x: 1300, y: 100, width: 1280, height: 960)
    #expect(frame(dropped, 2, 1, [right]) == Rect(x: 1620, y: 340, width: 640, height: 480))
  }

  @Test("A window becomes no larger than what panels and its title leave of its screen, unless it was")
  func limited() {
    let screen = Rect(x: 0, y: 30, width: 1280, height: 930)
    func frame(_ old: Rect, _ from: Double, _ to: Double) -> Rect {
      PixelScale(from).frame(old, keepingPointsAt: PixelScale(to), on: [screen])
    }
    let (large, high) = (
      Rect(x: 100, y: 60, width: 1000, height: 880), Rect(x: 900, y: 300, width: 300, height: 600)
    )
    #expect(frame(large, 1, 1.25) == Rect(x: 30, y: 70, width: 1250, height: 890))
    #expect(frame(high, 1, 2) == Rect(x: 680, y: 94, width: 600, height: 866))
    let spanning = Rect(x: 100, y: 100, width: 2000, height: 400)
    #expect(frame(spanning, 1, 2).size == Size(width: 2000, height: 800))
    #expect(frame(spanning, 2, 1).size == Size(width: 1000, height: 200))
  }

  @Test("There and back it is the size that it was", arguments: scales, scales)
  func thereAndBack(from: Double, to: Double) {
    let old = Rect(x: 100, y: 100, width: 640, height: 480)
    let (first, second) = (PixelScale(from), PixelScale(to))
    let back = second.frame(first.frame(old, keepingPointsAt: second, on: []), keepingPointsAt: first, on: [])
    let limit = max(2, Int(2 * from / to))
    #expect(abs(back.size.width - old.size.width) <= limit && abs(back.size.height - old.size.height) <= limit)
  }

  @Test("A placement of another scale has the same points")
  func placements() {
    var placement = WindowPlacement(frame: Rect(x: 7, y: 8, width: 300, height: 200))
    #expect(placement.scaled(to: 1) == placement)
    placement = placement.scaled(to: 2)
    #expect(placement.frame == Rect(x: 7, y: 8, width: 600, height: 400) && placement.scale == 2)
    placement = placement.scaled(to: 1)
    #expect(placement.frame == Rect(x: 7, y: 8, width: 300, height: 200) && placement.scale == nil)
  }
}
