import Testing

@testable import Triangle

@Suite("How the triangle turns")
struct RotationTests {
  @Test("It turns by the time between frames, and goes on where it stopped")
  func turns() {
    var rotation = Rotation()
    rotation.turn(to: 1000)
    #expect(rotation.angle == 0)
    rotation.turn(to: 1000.5)
    #expect(abs(rotation.angle - 0.6) < 1e-9)
    // An hour in the background.
    rotation.stop()
    rotation.turn(to: 4600)
    #expect(abs(rotation.angle - 0.6) < 1e-9)
    // A clock that goes back.
    rotation.turn(to: 4000)
    #expect(abs(rotation.angle - 0.6) < 1e-9)
  }

  @Test("An angle stays within the circle", arguments: [0, 7, -1, 1e18, -1e300, .nan, .infinity] as [Double])
  func circle(angle: Double) { #expect((0..<2 * Double.pi + 1e-9).contains(Rotation(angle: angle).angle)) }
}
