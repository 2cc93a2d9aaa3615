import ProsceniumLoop
import ProsceniumPlatform

/// Asks GeoClue where the machine is, for as long as the object is not stopped (GeoClue D-Bus Reference, "Manager",
/// "Client", "Location").
///
/// The service is asked by its unique name: only the owner of the well-known name is believed, for each location too.
@MainActor final class GeoClue {
  static let name = "org.freedesktop.GeoClue2"
  private static let properties = "org.freedesktop.DBus.Properties"
  private static let client = name + ".Client"
  private static let clients = "/org/freedesktop/GeoClue2/Client/"
  /// How long the user may take to say whether the program may know it.
  private static let patience = Duration.seconds(600)

  private let bus: Bus
  private let identifier: String
  private let request: LocationRequest
  private let onChange: @MainActor () -> Void
  private var owner: String?
  /// The object that stands for this program, once the service has made it.
  private var path: String?
  private var hasAskedForStart = false
  /// Whether a location is being read, and the one to read next.
  private var (isReading, next) = (false, String?.none)

  /// What is known; at first that there is no bus, or nothing.
  private(set) var reading = LocationReading()

  /// Begins to ask; the bus starts the service where it can.
  /// - Parameters:
  ///   - bus: The system bus.
  ///   - identifier: The program's desktop id, by which the user knows it.
  ///   - request: What is asked for.
  ///   - onChange: Called when ``reading`` may have changed.
  init(_ bus: Bus, identifier: String, _ request: LocationRequest, onChange: @escaping @MainActor () -> Void) {
    self.bus = bus
    self.identifier = identifier
    self.request = request
    self.onChange = onChange
    // Nothing is heard of the service before the bus comes.
    reading.isUnavailable = !bus.isConnected
    bus.onOwner(of: Self.name) { [weak self] in self?.ownerChanged(to: $0) }
    bus.subscribe(BusRule(sender: Self.name, interface: Self.client, name: "LocationUpdated")) { [weak self] signal in
      guard let self, signal.member.path == path, signal.values.count == 2 else { return }
      if case .objectPath(let location) = signal.values[1], location != "/" { read(location) }
    }
    let rule = BusRule(
      sender: Self.name, interface: Self.properties, name: "PropertiesChanged", firstText: Self.client)
    bus.subscribe(rule) { [weak self] signal in
      guard let self, signal.member.path == path, signal.values.count == 3 else { return }
      // The user has changed the mind.
      if let isActive = signal.values[1].properties?["Active"]?.bool, reading.authorization != .notDetermined {
        set(isActive ? .authorized : .denied)
      }
    }
  }

  /// Stops asking: the service needs no sensor for this program any more, and nothing is heard of it.
  func stop() {
    bus.unsubscribe(from: Self.name)
    defer { (owner, path) = (nil, nil) }
    guard let owner, let path else { return }
    bus.call(owner, BusMember(path: path, interface: Self.client, name: "Stop")) { _ in }
    Self.delete(path, of: owner, bus)
  }

  private static func delete(_ path: String, of owner: String, _ bus: Bus) {
    bus.call(owner, manager("DeleteClient"), [.objectPath(path)]) { _ in }
  }

  private static func manager(_ method: String) -> BusMember {
    BusMember(path: "/org/freedesktop/GeoClue2/Manager", interface: name + ".Manager", name: method)
  }

  private func ownerChanged(to owner: String?) {
    // The bus answers the question of a client that was stopped meanwhile, too.
    if let owner, owner == self.owner { return }
    let hadOwner = self.owner != nil
    (self.owner, path, isReading, next) = (owner, nil, false, nil)
    if let owner { return makeClient(owner) }
    // It has died; where nobody starts it there is nothing to hear.
    if hadOwner { return fail() }
    guard bus.isConnected else { return fail() }
    guard !hasAskedForStart else { return }
    hasAskedForStart = true
    bus.call(BusDaemon.name, BusDaemon.member("StartServiceByName"), [.string(Self.name), .uint32(0)]) {
      [weak self] result in
      if case .failure = result, let self, self.owner == nil { fail() }
    }
  }

  private func makeClient(_ owner: String) {
    // `GetClient` answers one that is there already, which may be about to be deleted.
    bus.call(owner, Self.manager("CreateClient")) { [weak self, weak bus] result in
      var path: String?
      if case .objectPath(let made)? = (try? result.get())?.first, made.hasPrefix(Self.clients) { path = made }
      guard let self, self.owner == owner else {
        // Nobody asks any more.
        if let bus, let path { Self.delete(path, of: owner, bus) }
        return
      }
      guard let path else { return fail() }
      self.path = path
      start(owner, path)
    }
  }

  private func start(_ owner: String, _ path: String) {
    let values: [(String, BusValue)] = [
      ("DesktopId", .string(identifier)), ("DistanceThreshold", .uint32(request.distance)),
      ("RequestedAccuracyLevel", .uint32(UInt32(request.accuracy.rawValue))),
    ]
    for (property, value) in values {
      bus.call(
        owner, BusMember(path: path, interface: Self.properties, name: "Set"),
        [.string(Self.client), .string(property), .variant(value)]
      ) { _ in }
    }
    let member = BusMember(path: path, interface: Self.client, name: "Start")
    bus.call(owner, member, timeout: Self.patience) { [weak self] result in
      guard let self, self.path == path, self.owner == owner else { return }
      switch result {
      case .success: set(.authorized)
      case .failure(let failure) where failure.name == BusDaemon.name + ".Error.AccessDenied": set(.denied)
      case .failure: fail()
      }
    }
  }

  private func set(_ authorization: LocationAuthorization) {
    (reading.authorization, reading.isUnavailable) = (authorization, false)
    onChange()
  }

  private func fail() {
    reading.isUnavailable = true
    onChange()
  }

  // MARK: Locations

  private func read(_ location: String) {
    guard let owner else { return }
    guard !isReading else { return next = location }
    isReading = true
    let member = BusMember(path: location, interface: Self.properties, name: "GetAll")
    bus.call(owner, member, [.string(Self.name + ".Location")]) { [weak self] result in
      guard let self, self.owner == owner else { return }
      isReading = false
      // One that has been replaced meanwhile may be gone.
      if let values = (try? result.get())?.first?.properties, let location = Location(geoClue: values) {
        reading.location = location
        onChange()
      }
      if let later = next.take() { read(later) }
    }
  }
}

extension Location {
  /// A location of GeoClue; nil for one that cannot be.
  init?(geoClue values: [String: BusValue]) {
    func number(_ name: String) -> Double? {
      guard case .double(let number)? = values[name], number.isFinite else { return nil }
      return number
    }
    guard let latitude = number("Latitude"), let longitude = number("Longitude"), let accuracy = number("Accuracy")
    else {
      return nil
    }
    self.init(latitude: latitude, longitude: longitude, horizontalAccuracy: accuracy)
    guard isPossible else { return nil }
    // What is unknown is the least number there is, and -1.
    altitude = number("Altitude").flatMap { abs($0) < 1e7 ? $0 : nil }
    speed = number("Speed").flatMap { $0 >= 0 ? $0 : nil }
    course = number("Heading").flatMap { (0...360).contains($0) ? $0 : nil }
    if let time = values["Timestamp"]?.fields, time.count == 2, let seconds = time[0].integer,
      let microseconds = time[1].integer, seconds > 0, (0..<1_000_000).contains(microseconds)
    {
      secondsSince1970 = Double(seconds) + Double(microseconds) / 1e6
    }
  }
}
