import ProsceniumCore
import Testing

/// Where a window comes back when the monitors are not those that its place was remembered for.
@Suite("A placement on the screens that are there")
struct PlacementScreenTests {
  private static let left = Rect(x: 0, y: 0, width: 1920, height: 1080)
  private static let right = Rect(x: 1920, y: 0, width: 1280, height: 1024)
  private static let west = Rect(x: -1600, y: -200, width: 1600, height: 900)

  private static func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Rect {
    Rect(x: x, y: y, width: width, height: height)
  }

  private func place(_ frame: Rect, _ screens: [Rect]) -> Rect { WindowPlacement(frame: frame).onScreen(screens).frame }

  @Test(
    "stays where its upper edge can be taken hold of",
    arguments: [
      (rect(100, 100, 640, 480), [left]), (rect(0, 0, 1920, 1080), [left]),
      // 64 pixels are left at the right, at the left, and 32 at the bottom.
      (rect(1856, 10, 640, 480), [left]), (rect(-576, 10, 640, 480), [left]), (rect(10, 1048, 640, 480), [left]),
      // Small windows need no more than they have.
      (rect(5, 5, 20, 10), [left]), (rect(1900, 1070, 20, 10), [left]),
      // Across two monitors, on the second, and at negative coordinates.
      (rect(1000, 50, 1900, 600), [left, right]), (rect(2000, 900, 500, 500), [left, right]),
      (rect(-1500, -180, 640, 480), [left, west]),
      // Larger than the screen, but with its edge in sight.
      (rect(10, 10, 4000, 3000), [left]),
    ])
  func unchanged(frame: Rect, screens: [Rect]) {
    #expect(place(frame, screens) == frame)
  }

  @Test(
    "moves into the screen that shows most of it, or is nearest, and keeps its size",
    arguments: [
      (rect(2000, 100, 640, 480), [left], rect(1280, 100, 640, 480)),
      // Only 63 pixels, and only 31.
      (rect(1857, 10, 640, 480), [left], rect(1280, 32, 640, 480)),
      (rect(10, 1049, 640, 480), [left], rect(10, 600, 640, 480)),
      // The upper edge is above the screen, however much of the rest can be seen.
      (rect(10, -1, 640, 480), [left], rect(10, 32, 640, 480)),
      (rect(-3000, -3000, 640, 480), [left], rect(0, 32, 640, 480)),
      // Shown most by the right one, nearest to the right one, and as near to both: the first.
      (rect(2000, -100, 640, 480), [left, right], rect(2000, 32, 640, 480)),
      (rect(5000, 300, 640, 480), [left, right], rect(2560, 300, 640, 480)),
      (rect(-2400, 100, 640, 480), [left, west], rect(-1600, 100, 640, 480)),
      (rect(200, 5000, 640, 480), [left, left], rect(200, 600, 640, 480)),
    ])
  func moved(frame: Rect, screens: [Rect], expected: Rect) {
    #expect(place(frame, screens) == expected)
  }

  @Test(
    "gets smaller only where it is larger than the screen it moves to",
    arguments: [
      (rect(3000, 0, 2500, 500), rect(0, 32, 1920, 500)), (rect(3000, 0, 500, 2500), rect(1420, 0, 500, 1080)),
      // No room for a whole title bar.
      (rect(3000, 0, 500, 1070), rect(1420, 10, 500, 1070)),
    ])
  func shrunk(frame: Rect, expected: Rect) {
    #expect(place(frame, [Self.left]) == expected)
  }

  @Test(
    "makes sizes and places that no window has good, without a trap",
    arguments: [
      rect(0, 0, 0, 0), rect(10, 10, -5, 10), rect(0, 0, 1_000_000_000, 1_000_000_000),
      rect(.min, .max, .max, .min), rect(.max, .min, .max, .max), rect(1_000_000_000, 5, 100, 100),
      rect(5, -1_000_000_000, 100, 100),
    ])
  func absurd(frame: Rect) {
    let placed = place(frame, [Self.left, Self.right])
    #expect([Self.left, Self.right].contains { $0.intersects(placed) })
    #expect(placed.size.width >= 1 && placed.size.width <= 1920 && placed.size.height >= 1)
    // Once placed, it stays.
    #expect(place(placed, [Self.left, Self.right]) == placed)
  }

  @Test("is left alone where no screen is known, and survives screens that are none")
  func noScreens() {
    let frame = Self.rect(-5000, 1, 640, 480)
    #expect(place(frame, []) == frame)
    #expect(place(frame, [Self.rect(0, 0, 0, 0), Self.rect(.max, .max, .min, .max)]) == frame)
    _ = place(frame, [Self.rect(.min, .min, .max, .max), Self.rect(.max, .max, .max, .max)])
  }

  @Test(
    "lies wholly in a screen where that is asked for, as far as it fits",
    arguments: [
      (rect(100, 100, 640, 480), [left], rect(100, 100, 640, 480)),
      (rect(1856, 10, 640, 480), [left], rect(1280, 32, 640, 480)),
      (rect(-576, 1048, 640, 480), [left], rect(0, 600, 640, 480)),
      (rect(2900, 900, 500, 500), [left, right], rect(2700, 524, 500, 500)),
      (rect(10, 10, 4000, 3000), [left], rect(0, 0, 1920, 1080)),
      (rect(-900, 5000, 10, 10), [], rect(-900, 5000, 10, 10)),
    ])
  func within(frame: Rect, screens: [Rect], result: Rect) {
    #expect(WindowPlacement(frame: frame).within(screens).frame == result)
  }

  @Test("keeps desktop and states")
  func keepsTheRest() {
    var placement = WindowPlacement(frame: Self.rect(5000, 5000, 640, 480))
    placement.desktop = 2
    placement.isMaximized = true
    placement.isFullScreen = true
    placement.isMinimized = true
    var moved = placement.onScreen([Self.left])
    #expect(moved.frame != placement.frame)
    moved.frame = placement.frame
    #expect(moved == placement)
  }
}
