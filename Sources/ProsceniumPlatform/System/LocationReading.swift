import Glibc

/// Where the machine is.
public struct Location: Hashable, Sendable {
  /// Degrees north of the equator, from -90 to 90.
  public var latitude: Double
  /// Degrees east of Greenwich, from -180 to 180.
  public var longitude: Double
  /// The radius in metres within which the machine is.
  public var horizontalAccuracy: Double
  /// Metres above the sea; nil where that is unknown.
  public var altitude: Double?
  /// Metres a second; nil where that is unknown.
  public var speed: Double?
  /// The direction of movement in degrees from north, clockwise, from 0 to 360; nil where that is unknown.
  public var course: Double?
  /// When the machine was there, in seconds since 1970; nil where that is unknown.
  public var secondsSince1970: Double?

  /// Makes a location of a place alone.
  /// - Parameters:
  ///   - latitude: Degrees north of the equator.
  ///   - longitude: Degrees east of Greenwich.
  ///   - horizontalAccuracy: The radius in metres.
  public init(latitude: Double, longitude: Double, horizontalAccuracy: Double) {
    (self.latitude, self.longitude, self.horizontalAccuracy) = (latitude, longitude, horizontalAccuracy)
  }

  /// Whether the numbers can be those of a place.
  package var isPossible: Bool {
    // A NaN is in no range.
    (-90...90).contains(latitude) && (-180...180).contains(longitude) && horizontalAccuracy >= 0
      && horizontalAccuracy.isFinite
  }

  /// The distance to another place over the ground, on a sphere, which is right within half a percent.
  /// - Parameter other: The other place.
  /// - Returns: Metres.
  public func distance(from other: Location) -> Double {
    let radius = 6_371_009.0
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let north = radians(other.latitude - latitude)
    let east = radians(other.longitude - longitude)
    let half =
      sin(north / 2) * sin(north / 2) + cos(radians(latitude)) * cos(radians(other.latitude)) * sin(east / 2)
      * sin(east / 2)
    return 2 * radius * asin(min(1, half.squareRoot()))
  }
}

/// How exactly a program wants to know where the machine is (GeoClue's accuracy levels).
public enum LocationAccuracy: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// The country.
  case country = 1
  /// The town.
  case city = 4
  /// The part of the town.
  case neighborhood = 5
  /// The street.
  case street = 6
  /// As exactly as the machine knows it.
  case exact = 8

  /// Whether the first is the less exact one.
  public static func < (left: LocationAccuracy, right: LocationAccuracy) -> Bool { left.rawValue < right.rawValue }
}

/// Whether the program may know where the machine is.
public enum LocationAuthorization: String, Hashable, Sendable, CaseIterable {
  /// Nobody has been asked, or the user has not answered.
  case notDetermined
  /// The user, or the machine's settings, do not allow it.
  case denied
  /// The user allows it.
  case authorized
}

/// What a program wants to know of the location.
package struct LocationRequest: Hashable, Sendable {
  package var accuracy: LocationAccuracy
  /// The distance in metres from which on a change is told.
  package var distance: UInt32

  package init(accuracy: LocationAccuracy, distance: UInt32) { (self.accuracy, self.distance) = (accuracy, distance) }
}

/// What is known of the location.
package struct LocationReading: Hashable, Sendable {
  package var authorization = LocationAuthorization.notDetermined
  /// Whether the service that knows the location is away, or refuses to serve.
  package var isUnavailable = false
  package var location: Location?

  package init() {}

  /// The location, as far as the program may know it.
  package var visibleLocation: Location? { authorization == .authorized ? location : nil }
}

/// Observes where the machine is, as far as the program wants to know it.
@MainActor package protocol LocationMonitor: AnyObject {
  /// Follows the location from now on, otherwise than before, or no longer (nil).
  ///
  /// Each change is posted as ``SystemEvent/location(_:)``, never before this function returns.
  func follow(_ request: LocationRequest?)
}
