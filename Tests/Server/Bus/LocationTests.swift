import DeskSupport
import Glibc
import ProsceniumCore
import SourceSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// Where the machine is, over a real bus, with a GeoClue in Python.
@MainActor @Suite("Location over the bus", .serialized, .enabled(if: BusRequirement.isMet)) struct LocationTests {
  private let host = TestHost()
  private let daemon: PrivateBus

  init() async throws { daemon = try await PrivateBus() }

  private func start() -> BusSource {
    let source = BusSource(environment: daemon.environment, thermalFolder: "/missing") { _ in }
    source.start(host)
    host.passTime()
    return source
  }

  private func follow(_ source: BusSource, _ accuracy: LocationAccuracy?, distance: UInt32 = 0) {
    source.requested.location.follow(accuracy.map { LocationRequest(accuracy: $0, distance: distance) })
    passTurns()
  }

  /// Lets happen what was put off until the next turn, and what is put off there.
  private func passTurns() {
    var turns = 0
    _ = host.turn {
      turns += 1
      return turns > 3
    }
  }

  /// The locations that have been reported.
  private var places: [Location] {
    host.events.compactMap { if case .location(let reading) = $0 { reading.location } else { nil } }
  }

  private var last: LocationReading? {
    if case .location(let reading)? = host.events.last { reading } else { nil }
  }

  private func waits(for condition: (LocationReading) -> Bool) -> Bool {
    host.turn { last.map(condition) ?? false }
  }

  /// What the service is asked next, as soon as it is that much.
  private func asked(_ service: GeoClueService, _ count: Int) async throws -> [String] {
    var words: [String] = []
    for _ in 0..<4000 where words.count < count {
      host.turnOnce()
      words += try await service.log()
    }
    return words
  }

  /// The match rules that name the service.
  private func matched() async throws -> Int {
    let answer = try await daemon.call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Debug.Stats.GetAllMatchRules")
    return answer.split(separator: "'").count { $0 == GeoClueService.name }
  }

  @Test("The service is asked once the program asks, by its desktop id, as it asks, until it does not any more")
  func asked() async throws {
    let service = try await GeoClueService(daemon)
    try await service.tell("Move", "47.5", "19.25", "30.0")
    let source = start()
    passTurns()
    #expect(host.settle() && host.events.isEmpty)
    #expect(try await service.log() == [])
    #expect(try await matched() == 0)
    let watched = host.watched.count
    follow(source, .city, distance: 100)
    #expect(waits { $0.location?.latitude == 47.5 })
    #expect(
      try await asked(service, 5) == [
        "CreateClient", "DesktopId=org.example.test", "DistanceThreshold=100", "RequestedAccuracyLevel=4", "Start",
      ])
    var place = Location(latitude: 47.5, longitude: 19.25, horizontalAccuracy: 30)
    place.secondsSince1970 = 1_000_000_000.5
    #expect(last?.location == place && last?.authorization == .authorized && last?.isUnavailable == false)
    #expect(host.watched.count == watched)
    try await service.tell(
      "Raw",
      "{'Latitude': <-1.0>, 'Longitude': <2.0>, 'Accuracy': <3.0>, 'Altitude': <4.0>, "
        + "'Speed': <5.0>, 'Heading': <6.0>}")
    #expect(waits { $0.location?.latitude == -1 })
    #expect([last?.location?.altitude, last?.location?.speed, last?.location?.course] == [4, 5, 6])
    // Another wish is another client.
    follow(source, .exact)
    try await service.tell("Move", "48.5", "19.25", "30.0")
    #expect(waits { $0.location?.latitude == 48.5 })
    #expect(
      try await asked(service, 7) == [
        "Stop", "DeleteClient", "CreateClient", "DesktopId=org.example.test", "DistanceThreshold=0",
        "RequestedAccuracyLevel=8", "Start",
      ])
    // While the program is suspended nothing is put off.
    host.isSuspended = true
    source.requested.location.follow(nil)
    let count = host.events.count
    #expect(try await asked(service, 2) == ["Stop", "DeleteClient"])
    try await service.tell("Move", "49.5", "19.25", "30.0")
    #expect(host.settle() && host.events.count == count)
    var rules = try await matched()
    for _ in 0..<4000 where rules > 0 {
      host.turnOnce()
      rules = try await matched()
    }
    #expect(rules == 0)
    source.stop()
    #expect(host.watched.isEmpty && host.reports.isEmpty && host.messages.isEmpty)
  }

  @Test("The user's answers: asked, refused, allowed, withdrawn; and a service that does not serve")
  func answers() async throws {
    let service = try await GeoClueService(daemon)
    try await service.tell("Rule", "answer", "ask")
    try await service.tell("Move", "1.0", "2.0", "3.0")
    let source = start()
    follow(source, .exact)
    #expect(try await asked(service, 5).last == "Start")
    #expect(host.settle() && host.events.isEmpty)
    try await service.tell("Decide", "no")
    #expect(waits { $0.authorization == .denied && $0.location == nil && !$0.isUnavailable })
    // A service that tells nevertheless is heard, and the program is not told: see `visibleLocation`.
    #expect(last?.visibleLocation == nil)
    try await service.tell("Activate", "true")
    #expect(waits { $0.authorization == .authorized })
    try await service.tell("Move", "2.0", "2.0", "3.0")
    #expect(waits { $0.visibleLocation?.latitude == 2 })
    try await service.tell("Activate", "false")
    #expect(waits { $0.authorization == .denied && $0.visibleLocation == nil })
    follow(source, nil)
    try await service.tell("Rule", "answer", "broken")
    follow(source, .exact)
    #expect(waits { $0.isUnavailable })
    follow(source, nil)
    // An object that is none of its clients.
    try await service.tell("Rule", "path", "/org/freedesktop/DBus")
    let count = host.events.count
    follow(source, .city)
    #expect(host.turn { host.events.count > count } && last?.isUnavailable == true)
    source.stop()
  }

  @Test("A machine without the service, and one that dies and comes back")
  func dies() async throws {
    let source = start()
    follow(source, .exact)
    var unavailable = LocationReading()
    unavailable.isUnavailable = true
    #expect(host.turn { host.events == [.location(unavailable)] })
    let service = try await GeoClueService(daemon)
    try await service.tell("Move", "1.0", "2.0", "3.0")
    #expect(waits { $0.visibleLocation?.latitude == 1 && !$0.isUnavailable })
    try await daemon.endServices()
    #expect(waits { $0.isUnavailable })
    let next = try await GeoClueService(daemon)
    try await next.tell("Move", "5.0", "2.0", "3.0")
    #expect(waits { $0.visibleLocation?.latitude == 5 && !$0.isUnavailable })
    #expect(host.reports.isEmpty)
    // So does the bus.
    try await daemon.kill()
    #expect(waits { $0.isUnavailable })
    try await daemon.restart()
    let last = try await GeoClueService(daemon)
    try await last.tell("Move", "6.0", "2.0", "3.0")
    #expect(waits { $0.visibleLocation?.latitude == 6 && !$0.isUnavailable })
    source.stop()
  }

  @Test("A service that the bus can start is started once it is asked for, once for each time that the program asks")
  func started() async throws {
    let data = try TemporaryFolder()
    let starts = data.file("starts")
    let daemon = try await PrivateBus(
      starting: GeoClueService.name, by: "exit 1", data: data)
    let source = BusSource(environment: daemon.environment, thermalFolder: "/missing") { _ in }
    source.start(host)
    host.passTime()
    #expect(host.settle() && text(of: starts).isEmpty)
    follow(source, .exact)
    #expect(waits { $0.isUnavailable } && text(of: starts) == "start\n")
    follow(source, nil)
    let count = host.events.count
    follow(source, .exact)
    #expect(host.turn { host.events.count > count } && text(of: starts) == "start\nstart\n")
    source.stop()
  }

  @Test("To stop and to start again in one turn has a service that has died started")
  func startedAgain() async throws {
    let data = try TemporaryFolder()
    let program = try data.write("geoclue.py", GeoClueService.script)
    let daemon = try await PrivateBus(
      starting: GeoClueService.name,
      by: "DBUS_SYSTEM_BUS_ADDRESS=$DBUS_STARTER_ADDRESS exec /usr/bin/python3 \(program)", data: data)
    let source = BusSource(environment: daemon.environment, thermalFolder: "/missing") { _ in }
    source.start(host)
    host.passTime()
    follow(source, .exact)
    #expect(waits { $0.authorization == .authorized })
    try await daemon.killOwner(of: GeoClueService.name)
    #expect(waits { $0.isUnavailable })
    source.requested.location.follow(nil)
    source.requested.location.follow(LocationRequest(accuracy: .exact, distance: 0))
    #expect(host.turn { text(of: data.file("starts")) == "start\nstart\n" })
    // The call would have it started, too.
    try await daemon.call(GeoClueService.name, "/test", "a.b.Move", "1.0", "2.0", "3.0")
    #expect(waits { $0.visibleLocation?.latitude == 1 && !$0.isUnavailable })
    source.stop()
  }

  @Test("What is known is told again to a program that stops and starts in one turn")
  func toldAgain() async throws {
    let service = try await GeoClueService(daemon)
    try await service.tell("Move", "10.0", "20.0", "30.0")
    let source = start()
    follow(source, .exact)
    #expect(waits { $0.location?.latitude == 10 })
    _ = try await asked(service, 5)
    let count = host.events.count
    source.requested.location.follow(nil)
    source.requested.location.follow(LocationRequest(accuracy: .exact, distance: 0))
    #expect(host.turn { host.events.count > count } && last?.visibleLocation?.latitude == 10)
    #expect(try await asked(service, 7).prefix(3) == ["Stop", "DeleteClient", "CreateClient"])
    // One client alone is made where the service was not found yet; while suspended nothing is put off.
    host.isSuspended = true
    let next = host.events.count
    for accuracy in [nil, LocationAccuracy.city, nil, .exact] {
      source.requested.location.follow(accuracy.map { LocationRequest(accuracy: $0, distance: 0) })
    }
    #expect(host.turn { host.events.count > next } && last?.visibleLocation?.latitude == 10)
    #expect(try await asked(service, 7).count { $0 == "CreateClient" } == 1)
    source.stop()
  }

  @Test("Without a system bus there are no locations, until it comes")
  func noBus() async throws {
    let source = BusSource(environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"]) { _ in }
    source.start(host)
    host.passTime()
    #expect(host.settle() && host.events.isEmpty)
    follow(source, .exact)
    #expect(host.turn { last?.isUnavailable == true } && host.events.count == 1)
    source.stop()
    try await daemon.kill()
    let next = start()
    let count = host.events.count
    follow(next, .exact)
    #expect(host.turn { host.events.count > count } && last?.isUnavailable == true)
    try await daemon.restart()
    let service = try await GeoClueService(daemon)
    try await service.tell("Move", "1.0", "2.0", "3.0")
    #expect(waits { $0.visibleLocation?.latitude == 1 && !$0.isUnavailable })
    next.stop()
  }

  @Test("A client that the service makes when nobody asks any more is deleted, and no other one")
  func madeTooLate() async throws {
    let service = try await GeoClueService(daemon)
    try await service.tell("Rule", "client", "later")
    let source = start()
    follow(source, .exact)
    #expect(try await asked(service, 1) == ["CreateClient"])
    follow(source, nil)
    follow(source, .city)
    #expect(try await asked(service, 1) == ["CreateClient"])
    try await service.tell("Make")
    #expect(try await asked(service, 1) == ["DeleteClient"])
    try await service.tell("Make")
    #expect(waits { $0.authorization == .authorized })
    #expect(try await asked(service, 4).last == "Start")
    source.stop()
  }

  @Test("Impossible places, wrong types and the words of others change nothing")
  func lies() async throws {
    let service = try await GeoClueService(daemon)
    try await service.tell("Move", "10.0", "20.0", "30.0")
    let source = start()
    follow(source, .exact)
    #expect(waits { $0.location?.latitude == 10 })
    for number in ["nan", "inf", "minus inf", "90.1", "minus 90.1", "1e308"] { try await service.tell("Odd", number) }
    for values in [
      "{}", "{'Latitude': <1.0>}", "{'Latitude': <'1'>, 'Longitude': <1.0>, 'Accuracy': <1.0>}",
      "{'Latitude': <1.0>, 'Longitude': <1>, 'Accuracy': <1.0>}",
      "{'Latitude': <1.0>, 'Longitude': <181.0>, 'Accuracy': <1.0>}",
      "{'Latitude': <1.0>, 'Longitude': <1.0>, 'Accuracy': <-1.0>}",
      "{'Latitude': <true>, 'Longitude': <(1.0, 2.0)>, 'Accuracy': <[1.0]>}",
    ] {
      try await service.tell("Raw", "@a{sv} " + values)
    }
    for path in ["/", "/missing", "/org/freedesktop/GeoClue2/Manager", "/test"] { try await service.tell("Tell", path) }
    try await service.tell("TellElsewhere")
    // The same signals of another connection, to all and to this one alone.
    let names = try await daemon.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.ListNames")
    let connections = names.split(separator: "'").map(String.init).filter { $0.hasPrefix(":") }
    for connection in [nil] + connections.map(Optional.some) {
      try await daemon.emit(
        "/org/freedesktop/GeoClue2/Client/1", GeoClueService.name + ".Client.LocationUpdated", "objpath:/",
        "objpath:/org/freedesktop/GeoClue2/Location/0", to: connection)
      try await daemon.emit(
        "/org/freedesktop/GeoClue2/Client/1", "org.freedesktop.DBus.Properties.PropertiesChanged",
        "string:\(GeoClueService.name).Client", "dict:string:boolean:Active,false", "array:string:", to: connection)
    }
    try await service.tell("Move", "11.0", "20.0", "30.0")
    #expect(waits { $0.location?.latitude == 11 })
    // Whatever was believed would have been reported.
    #expect(places.map(\.latitude) == [10, 11] && last?.authorization == .authorized && last?.isUnavailable == false)
    // Extras that cannot be are unknown.
    try await service.tell(
      "Raw",
      "{'Latitude': <1.0>, 'Longitude': <1.0>, 'Accuracy': <0.0>, 'Altitude': <1e300>, "
        + "'Speed': <-3.0>, 'Heading': <361.0>, 'Timestamp': <(uint64 1, uint64 1000000)>}")
    #expect(waits { $0.location == Location(latitude: 1, longitude: 1, horizontalAccuracy: 0) })
    #expect(host.messages.isEmpty && host.reports.isEmpty)
    source.stop()
  }

  @Test("A flood of locations is one report a second, with the last one")
  func flood() async throws {
    let service = try await GeoClueService(daemon)
    let source = start()
    follow(source, .exact)
    #expect(waits { $0.authorization == .authorized })
    let start = ContinuousClock.now
    try await service.tell("Flood", "2000.0")
    try await service.tell("Move", "0.5", "1.0", "1.0")
    #expect(waits { $0.location?.latitude == 0.5 })
    #expect(host.events.count <= 3 + Int((ContinuousClock.now - start) / .seconds(1)))
    source.stop()
  }
}
