import Glibc

/// The angle of the triangle, which continues where it stopped.
struct Rotation: Hashable, Sendable {
  /// Radians a second.
  static let speed = 1.2
  private static let circle = 2 * Double.pi

  /// Radians, from 0 to less than a full circle.
  private(set) var angle = 0.0
  private var lastFrame: Double?

  init() {}

  /// A stored rotation; the initial one where the number is invalid.
  init(angle: Double) { if angle.isFinite { self.angle = Self.wrapped(angle) } }

  var degrees: Int { Int(angle * 180 / Double.pi) }

  /// Turns on to a frame, at one speed however often frames are drawn.
  mutating func turn(to time: Double) {
    if let lastFrame, time > lastFrame { angle = Self.wrapped(angle + (time - lastFrame) * Self.speed) }
    lastFrame = time
  }

  /// The time until the next frame does not count.
  mutating func stop() { lastFrame = nil }

  private static func wrapped(_ angle: Double) -> Double {
    let rest = fmod(angle, circle)
    return rest < 0 ? rest + circle : rest
  }
}
