/// How bright the light around the machine is.
public struct AmbientLight: Hashable, Sendable {
  /// What the level counts.
  public enum Unit: String, Hashable, Sendable, CaseIterable {
    /// Lux.
    case lux
    /// Percent of what the maker of the sensor calls bright.
    case vendor
  }

  /// The level, not negative, in two significant digits: a sensor is never the same twice.
  public let level: Double
  /// What it counts.
  public let unit: Unit

  /// A light; nil for a level that cannot be: one that is negative, not finite, or above 1,000,000.
  public init?(level: Double, unit: Unit) {
    // A NaN is in no range.
    guard (0...1_000_000).contains(level) else { return nil }
    self.level = Self.rounded(level)
    self.unit = unit
  }

  private static func rounded(_ level: Double) -> Double {
    var step = 1.0
    while level >= step * 100 { step *= 10 }
    return (level / step).rounded() * step
  }
}

/// What the user does to the machine itself (UIKit's `UIEvent.EventSubtype`).
public enum DeviceMotion: String, Hashable, Sendable, CaseIterable {
  /// The machine is shaken.
  case shake
}

/// A step of a shake.
package enum ShakePhase: String, Hashable, Sendable, CaseIterable {
  case began
  case ended
  /// It has taken too long for a shake, or the sensor has gone.
  case cancelled
}

/// How far the machine is turned from the way that it usually stands, clockwise.
package enum DeviceTurn: Int, Hashable, Sendable, CaseIterable {
  case upright, right, half, left
}

/// A part of what sensors tell; followed on request alone.
package enum SensorTopic: Hashable, Sendable, CaseIterable {
  case orientation
  case proximity
  case light
  case shake
}

/// What sensors tell.
///
/// Values that no sensor tells are those of ``init(_:)``.
package struct SensorReading: Hashable, Sendable {
  /// What the reading is about; the other values mean nothing.
  package var topics: Set<SensorTopic>
  /// Nil where it is unknown.
  package var turn: DeviceTurn?
  /// Whether the machine lies on its back, true, or on its face, false; nil where it does neither.
  package var facesUp: Bool?
  /// Whether something is close to the machine.
  package var isNear = false
  /// Nil where it is unknown.
  package var light: AmbientLight?

  package init(_ topics: Set<SensorTopic> = []) { self.topics = topics }

  /// Takes the values of some topics from another reading.
  package mutating func take(_ topics: Set<SensorTopic>, from other: SensorReading) {
    if topics.contains(.orientation) { (turn, facesUp) = (other.turn, other.facesUp) }
    if topics.contains(.proximity) { isNear = other.isNear }
    if topics.contains(.light) { light = other.light }
  }
}

/// Observes the machine's sensors, as far as the program wants to know them, and somebody looks at it.
@MainActor package protocol SensorMonitor: AnyObject {
  /// Follows these topics from now on, and no other ones.
  ///
  /// What is known of a topic is posted as ``SystemEvent/sensors(_:)``, once the service has told it, and with each
  /// change; shakes are posted as ``SystemEvent/shake(_:)``; never before this function returns.
  func follow(_ topics: Set<SensorTopic>)
}
