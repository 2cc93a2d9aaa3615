public import ProsceniumCore
import ProsceniumPlatform

/// Where the machine is.
///
/// A program receives it once it asks for it: see `LocationManager`. It lasts over a relaunch. A change is delivered at
/// once, and not, as by the sources of a real machine, at most once a second.
extension HeadlessMachine {
  /// Moves the machine; the user allows programs to know it.
  /// - Parameter location: The place; one that cannot be changes nothing.
  public func move(to location: Location) {
    guard location.isPossible else { return }
    parts.location.change { ($0.location, $0.authorization, $0.isUnavailable) = (location, .authorized, false) }
  }

  /// The user answers whether the program may know where the machine is, or changes the mind.
  /// - Parameter authorization: The answer.
  public func setLocationAuthorization(_ authorization: LocationManager.AuthorizationStatus) {
    parts.location.change { ($0.authorization, $0.isUnavailable) = (authorization, false) }
  }

  /// The service that knows the location goes, until the machine is moved or the user answers again; asked, it fails.
  public func endLocationService() { parts.location.change { $0.isUnavailable = true } }
}
