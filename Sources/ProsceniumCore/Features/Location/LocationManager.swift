public import FoundationEssentials

/// Tells where the machine is (Core Location's `CLLocationManager`).
///
/// ```swift
/// let manager = LocationManager()
/// manager.delegate = self
/// manager.desiredAccuracy = .city
/// manager.startUpdatingLocation()
/// ```
///
/// For the main thread. Nothing is asked before the program asks: no service, sensor or question to the user. A program
/// may have several managers, each of which is told what it asks for.
///
/// While the program is suspended no manager is told anything, and no sensor works for
/// ``startUpdatingLocation()``. A change that is significant for ``startMonitoringSignificantLocationChanges()`` wakes
/// the program, in the background: the mode ``ExecutionMode/location`` is held until the delegates have been told, who
/// may begin it, or a background task, themselves where they need longer.
///
/// On Linux GeoClue knows the location, on the system bus, which starts it where it can. It knows the program by its
/// desktop id, which is the application's identifier, and asks the user where an agent of the desktop environment runs.
@MainActor public final class LocationManager {
  /// How exactly a program wants to know where the machine is.
  public typealias Accuracy = LocationAccuracy
  /// Whether the program may know it.
  public typealias AuthorizationStatus = LocationAuthorization

  /// Why there are no locations.
  public enum Failure: Error, Hashable, Sendable, CaseIterable {
    /// The service, or the system bus, is not there, has died, or refuses to serve; the manager hears of it again when
    /// it is back. To have a service that has died started, stop and start again.
    case unavailable
  }

  /// Told of locations.
  public weak var delegate: (any LocationManagerDelegate)? { didSet { assertMainThread() } }

  /// How exactly the location has to be known; ``LocationAccuracy/exact`` by default.
  ///
  /// The less exact, the less the machine needs, and the less the user gives away.
  public var desiredAccuracy = Accuracy.exact {
    didSet {
      assertMainThread()
      if desiredAccuracy != oldValue, isUpdating { managers.follow() }
    }
  }

  /// The distance in metres from the last location from which on another one is told; 0, each change, by default.
  ///
  /// A number below 0, and NaN, is 0.
  public var distanceThreshold: Double {
    get { threshold }
    set {
      assertMainThread()
      threshold = newValue > 0 ? newValue : 0
      if isUpdating { managers.follow() }
    }
  }

  /// The last location that the manager was told of; nil at first.
  public private(set) var location: Location?

  /// Whether the program may know the location, as far as it is known; for all managers of the program.
  public var authorizationStatus: AuthorizationStatus {
    application.conductor?.feature(LocationUpdates.self)?.reading.authorization ?? .notDetermined
  }

  private(set) var isUpdating = false
  private(set) var isMonitoringSignificantChanges = false
  /// The user's answer that the manager was told of.
  private var toldAuthorization = AuthorizationStatus.notDetermined
  private var threshold = 0.0
  private let application: Application
  private var managers: LocationManagers { LocationManagers.of(application) }

  /// Makes a manager that asks for nothing.
  public convenience init() { self.init(Application.shared) }

  init(_ application: Application) {
    self.application = application
    managers.add(self)
  }

  isolated deinit { if isFollowing { managers.follow() } }

  /// Begins to ask where the machine is, and to tell the delegate of each change; may be called before the launch.
  public func startUpdatingLocation() { set(\.isUpdating, true) }

  /// Ends what ``startUpdatingLocation()`` has begun.
  public func stopUpdatingLocation() { set(\.isUpdating, false) }

  /// Begins to tell the delegate of changes of 500 m and more, for which a suspended program is woken.
  ///
  /// The location is known as exactly as ``LocationAccuracy/neighborhood`` then.
  public func startMonitoringSignificantLocationChanges() { set(\.isMonitoringSignificantChanges, true) }

  /// Ends what ``startMonitoringSignificantLocationChanges()`` has begun.
  public func stopMonitoringSignificantLocationChanges() { set(\.isMonitoringSignificantChanges, false) }

  private func set(_ property: ReferenceWritableKeyPath<LocationManager, Bool>, _ value: Bool) {
    assertMainThread()
    guard self[keyPath: property] != value else { return }
    self[keyPath: property] = value
    guard value else { return managers.follow() }
    // Each start is refused.
    if toldAuthorization == .denied { toldAuthorization = .notDetermined }
    managers.begin()
    application.conductor?.post(AnyMessage(LocationUpdates.self, .begun))
  }

  var isFollowing: Bool { isUpdating || isMonitoringSignificantChanges }

  /// Tells a change of the user's answer; without a change the known answer, where the manager asks and was not told.
  func receiveAuthorization(isChange: Bool) {
    let status = authorizationStatus
    guard isChange || (isFollowing && status != .notDetermined && status != toldAuthorization) else { return }
    toldAuthorization = status
    delegate?.locationManagerDidChangeAuthorization(self)
  }

  func receive(_ location: Location) {
    self.location = location
    delegate?.locationManager(self, didUpdateLocation: location)
  }
}

/// What a ``LocationManager`` tells.
///
/// Every function has a default, which does nothing. All are called on the main thread, after scenes have taken their
/// steps.
@preconcurrency @MainActor public protocol LocationManagerDelegate: AnyObject {
  /// The machine is somewhere else, or is known to be somewhere for the first time; at most once a second.
  /// - Parameters:
  ///   - manager: The manager.
  ///   - location: The place, which is ``LocationManager/location`` now.
  func locationManager(_ manager: LocationManager, didUpdateLocation location: Location)

  /// There are no locations for now; not called where the user has refused them.
  ///
  /// Called again for each time that a manager begins to ask, because the service is asked again then.
  /// - Parameters:
  ///   - manager: The manager.
  ///   - error: Why.
  func locationManager(_ manager: LocationManager, didFailWith error: LocationManager.Failure)

  /// ``LocationManager/authorizationStatus`` has changed; or the manager begins to ask, and has not been told what is
  /// known, or is refused again.
  /// - Parameter manager: The manager.
  func locationManagerDidChangeAuthorization(_ manager: LocationManager)
}

extension LocationManagerDelegate {
  /// Does nothing.
  public func locationManager(_ manager: LocationManager, didUpdateLocation location: Location) {}
  /// Does nothing.
  public func locationManager(_ manager: LocationManager, didFailWith error: LocationManager.Failure) {}
  /// Does nothing.
  public func locationManagerDidChangeAuthorization(_ manager: LocationManager) {}
}

extension Location {
  /// When the machine was there; nil where that is unknown.
  public var timestamp: Date? { secondsSince1970.map { Date(timeIntervalSince1970: $0) } }
}
