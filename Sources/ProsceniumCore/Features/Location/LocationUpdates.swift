import FoundationEssentials
import ProsceniumJSON
import ProsceniumTrace

/// Reports the location to the program, as far as it asks for it: see ``LocationManager``.
final class LocationUpdates: FeatureBase, Feature {
  enum Message: Equatable {
    /// A manager has begun to ask.
    case begun
    /// The program has been told of the change that woke it.
    case delivered
  }

  /// What is known.
  private(set) var reading = LocationReading()
  /// The significant change that is waking the program; smaller ones may be told before it.
  private var waking: Location?
  /// Whether the program is told of it now.
  private var isDelivering = false

  override func join(_ lists: inout FeatureLists) { lists.answer(.handle, .whileSuspended, .uses, by: self) }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    // The application may have been used before it had a host.
    case .configured, .resumed: managers?.follow(isSuspended: false)
    // No sensor works for a program that is suspended, but for significant changes.
    case .suspended: managers?.follow(isSuspended: true)
    default: break
    }
    return []
  }

  private var managers: LocationManagers? { application.value(LocationManagersKey.self) }

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    guard case .location(let next) = event else { return [] }
    let before = exchange(&reading, with: next)
    var change = LocationCall(location: nil, isAuthorization: false, isFailure: false)
    var details: TraceDetails = [:]
    if next.authorization != before.authorization {
      change.isAuthorization = true
      details.append("authorization", .string(next.authorization.rawValue))
    }
    if next.isUnavailable != before.isUnavailable {
      change.isFailure = next.isUnavailable
      details.append("unavailable", .bool(next.isUnavailable))
    }
    if let location = next.visibleLocation, location != before.visibleLocation, managers?.want(location) == true {
      change.location = location
      // Where the user is does not belong into a trace.
      details.append("accuracy", .int(Int(min(location.horizontalAccuracy, 1e9).rounded(.up))))
    }
    guard !details.fields.isEmpty else { return [] }
    let actions: [FeatureAction] = [.traceSystem("location", details), .callAfterSettling(change)]
    guard let location = change.location, location == waking else { return actions }
    waking = nil
    guard !exchange(&isDelivering, with: true) else { return actions }
    return [.announce(.workBegan(.location, reason: "a significant change of the location"))] + actions
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .begun: return begun()
    case .delivered: return exchange(&isDelivering, with: false) ? [.announce(.workEnded(.location))] : []
    }
  }

  /// A manager that begins is told what is known already.
  private func begun() -> [FeatureAction] {
    let location = reading.visibleLocation.flatMap { managers?.want($0) == true ? $0 : nil }
    guard location != nil || reading.authorization != .notDetermined else { return [] }
    return [.callAfterSettling(LocationCall(location: location, isAuthorization: false, isFailure: false))]
  }

  override func uses(_ mode: ExecutionMode) -> Bool { mode == .location && managers?.areFollowing == true }

  /// Nobody asks any more, or the service is asked anew: what was known is soon wrong.
  func forget() { (reading.location, reading.isUnavailable) = (nil, false) }

  /// A significant change wakes the program; of other ones the last reading has everything.
  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    guard case .location(let next) = event else { return nil }
    if let location = next.visibleLocation, managers?.isSignificant(location) == true {
      waking = location
      return .wakes
    }
    return .kept(kind: "location", rank: 1)
  }
}

/// The location managers of the program, which together ask for one thing.
@MainActor final class LocationManagers {
  private struct WeakManager {
    weak var manager: LocationManager?
  }

  /// The distance in metres that is a significant change.
  private static let significantDistance = 500.0

  private unowned let application: Application
  private var all: [WeakManager] = []

  init(_ application: Application) { self.application = application }

  /// Those of a program.
  static func of(_ application: Application) -> LocationManagers {
    if let managers = application.value(LocationManagersKey.self) { return managers }
    let managers = LocationManagers(application)
    application.setValue(managers, LocationManagersKey.self)
    return managers
  }

  /// Whether one of them follows the location.
  var areFollowing: Bool { present.contains { $0.isUpdating } }

  var present: [LocationManager] { all.compactMap(\.manager) }

  func add(_ manager: LocationManager) { all.append(WeakManager(manager: manager)) }

  /// Asks for what the managers want to know; again once the application has a host.
  func follow(isSuspended: Bool? = nil) { follow(request(isSuspended: isSuspended)) }

  /// Asks for a manager that begins, too: a service that is away is asked again, which starts it, or fails again.
  func begin() {
    if application.conductor?.feature(LocationUpdates.self)?.reading.isUnavailable == true { follow(nil) }
    follow()
  }

  private func follow(_ request: LocationRequest?) {
    if request == nil { application.conductor?.feature(LocationUpdates.self)?.forget() }
    application.host.machine.location?.follow(request)
  }

  private func request(isSuspended: Bool?) -> LocationRequest? {
    all.removeAll { $0.manager == nil }
    let requests = present.flatMap { manager -> [LocationRequest] in
      var requests: [LocationRequest] = []
      if manager.isUpdating, !(isSuspended ?? application.conductor?.isSuspended ?? false) {
        requests.append(
          LocationRequest(accuracy: manager.desiredAccuracy, distance: UInt32(min(manager.distanceThreshold, 1e9))))
      }
      if manager.isMonitoringSignificantChanges {
        requests.append(LocationRequest(accuracy: .neighborhood, distance: UInt32(Self.significantDistance)))
      }
      return requests
    }
    return requests.dropFirst().reduce(requests.first) { all, one in
      all.map {
        LocationRequest(accuracy: max($0.accuracy, one.accuracy), distance: min($0.distance, one.distance))
      }
    }
  }

  /// Whether a manager is told of a location.
  func want(_ location: Location) -> Bool { present.contains { wants($0, location) } }

  /// Whether a location is told to a manager that asks for significant changes alone, and so to a suspended program.
  func isSignificant(_ location: Location) -> Bool {
    present.contains { $0.isMonitoringSignificantChanges && isFar(location, from: $0, Self.significantDistance) }
  }

  /// Whether a manager is told of a location: it is far enough from the last one that it was told of.
  func wants(_ manager: LocationManager, _ location: Location) -> Bool {
    (manager.isUpdating && isFar(location, from: manager, manager.distanceThreshold))
      || (manager.isMonitoringSignificantChanges && isFar(location, from: manager, Self.significantDistance))
  }

  private func isFar(_ location: Location, from manager: LocationManager, _ distance: Double) -> Bool {
    guard let last = manager.location else { return true }
    return last != location && location.distance(from: last) >= distance
  }
}

/// The program's location managers, once there is one.
enum LocationManagersKey: ValueKey { static var initial: LocationManagers? { nil } }

/// The calls of the delegates for a change.
private struct LocationCall: Notice {
  var location: Location?
  var isAuthorization: Bool
  var isFailure: Bool
  var call: CallDescription { CallDescription("locationManager(_:didUpdateLocation:)", phase: .event) }

  func send(to application: Application) {
    let managers = LocationManagers.of(application)
    for manager in managers.present {
      manager.receiveAuthorization(isChange: isAuthorization)
      // Each call may end what the manager asks for.
      if isFailure, manager.isFollowing { manager.delegate?.locationManager(manager, didFailWith: .unavailable) }
      if let location, managers.wants(manager, location) { manager.receive(location) }
    }
    if location != nil { application.conductor?.post(AnyMessage(LocationUpdates.self, .delivered)) }
  }
}
