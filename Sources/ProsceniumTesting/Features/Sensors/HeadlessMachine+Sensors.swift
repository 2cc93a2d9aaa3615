public import ProsceniumCore
import ProsceniumPlatform

/// The machine's sensors.
///
/// A program receives what they tell while it asks for it and one of its scenes is in the foreground: see `Device`. It
/// lasts over a relaunch. A change is delivered at once, and not, as by the sources of a real machine, at most four
/// times a second.
extension HeadlessMachine {
  /// The ways in which the machine can be turned.
  public enum Turn: Int, Hashable, Sendable, CaseIterable {
    /// As it usually stands.
    case upright
    /// By a quarter turn clockwise.
    case right
    /// Upside down.
    case half
    /// By a quarter turn counterclockwise.
    case left
  }

  /// Turns the machine from the way that it usually stands; its screen is not turned.
  /// - Parameter turn: How far; nil where no sensor tells it.
  public func turn(_ turn: Turn?) {
    sensors.change { ($0.turn, $0.facesUp) = (turn.flatMap { DeviceTurn(rawValue: $0.rawValue) }, nil) }
  }

  /// Lays the machine on its back, or on its screen.
  /// - Parameter facesUp: Whether its screen can be seen.
  public func lay(facesUp: Bool) { sensors.change { $0.facesUp = facesUp } }

  /// Something comes close to the machine, or goes.
  /// - Parameter isNear: Whether it is close.
  public func setProximity(_ isNear: Bool) { sensors.change { $0.isNear = isNear } }

  /// The light around the machine changes.
  /// - Parameter light: The light; nil where no sensor tells it.
  public func setAmbientLight(_ light: AmbientLight?) { sensors.change { $0.light = light } }

  /// Begins to shake the machine, for a program that watches for that: see `Device.isShakeMonitoringEnabled`.
  public func beginShake() { sensors.shake(.began) }

  /// Ends a shake.
  /// - Parameter isCancelled: Whether it has taken too long for one.
  public func endShake(isCancelled: Bool = false) { sensors.shake(isCancelled ? .cancelled : .ended) }
}
