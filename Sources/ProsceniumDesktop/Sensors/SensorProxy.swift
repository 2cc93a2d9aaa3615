import ProsceniumPlatform

/// What iio-sensor-proxy tells of the machine's sensors, each of which is claimed for as long as it is followed (its
/// interface `net.hadess.SensorProxy`).
///
/// A sensor works while a program has claimed it; the service forgets the claims of a program that has gone. One that
/// starts again knows of no claims.
@MainActor final class SensorProxy {
  static let name = "net.hadess.SensorProxy"
  static let path = "/net/hadess/SensorProxy"

  private static let sensors: [SensorTopic: String] = [
    .orientation: "Accelerometer", .proximity: "Proximity", .light: "Light",
  ]
  private static let turns: [String: DeviceTurn] = [
    "normal": .upright, "left-up": .right, "bottom-up": .half, "right-up": .left,
  ]
  private static let tilts = ["undefined", "vertical", "tilted-up", "tilted-down", "face-up", "face-down"]
  private static let object = BusProperties.Object(
    path: path, interface: name,
    properties: [
      "HasAccelerometer": { $0.bool != nil }, "HasProximity": { $0.bool != nil }, "HasAmbientLight": { $0.bool != nil },
      "AccelerometerOrientation": { $0.text.map { turns[$0] != nil || $0 == "undefined" } == true },
      "AccelerometerTilt": { $0.text.map(tilts.contains) == true }, "ProximityNear": { $0.bool != nil },
      "LightLevel": { light($0, .lux) != nil }, "LightLevelUnit": { unit($0) != nil },
    ])

  /// What the service has been asked about a sensor.
  private struct Claim {
    /// Whether it is claimed, and has not been released since.
    var isHeld = false
    /// How many claims have not been answered yet.
    var open = 0
    /// Whether the last answer was no refusal.
    var isGranted = false
  }

  private let bus: Bus
  private let onChange: @MainActor () -> Void
  private var service: BusProperties?
  private var topics: Set<SensorTopic> = []
  /// Who has been asked for the sensors, and for which.
  private var claims: (owner: String?, topics: [SensorTopic: Claim]) = (nil, [:])

  /// Begins to follow the service, which the bus starts where it can.
  /// - Parameters:
  ///   - bus: The system bus.
  ///   - onChange: Called when ``reading`` may have changed.
  init(_ bus: Bus, onChange: @escaping @MainActor () -> Void) {
    self.bus = bus
    self.onChange = onChange
    service = BusProperties(bus, Self.name, [Self.object]) { [weak self] in self?.changed() }
  }

  /// Releases every sensor; nothing is heard of the service any more.
  func stop() {
    follow([])
    service?.stop()
    service = nil
  }

  /// Claims the sensors of these topics, and releases all other ones.
  func follow(_ topics: Set<SensorTopic>) {
    self.topics = topics
    adjust()
  }

  /// What is known of the topics whose claims are answered; nil as long as the service may still tell it.
  var reading: SensorReading? {
    guard let service, service.isOwnerKnown, !service.isBeingRead else { return nil }
    // Without a service all of them are unknown.
    let answered = service.owner == nil ? topics : topics.filter { claims.topics[$0]?.open == 0 }
    guard !answered.isEmpty else { return nil }
    var reading = SensorReading(topics)
    func value(_ property: String, of sensor: String) -> BusValue? {
      service.value("Has" + sensor, of: 0)?.bool == true ? service.value(property, of: 0) : nil
    }
    let turn = value("AccelerometerOrientation", of: "Accelerometer")?.text
    reading.turn = turn.flatMap { Self.turns[$0] }
    switch value("AccelerometerTilt", of: "Accelerometer")?.text {
    case "face-up": reading.facesUp = true
    case "face-down": reading.facesUp = false
    case _: break
    }
    reading.isNear = value("ProximityNear", of: "Proximity")?.bool == true
    let unit = value("LightLevelUnit", of: "AmbientLight").flatMap(Self.unit) ?? .lux
    reading.light = value("LightLevel", of: "AmbientLight").flatMap { Self.light($0, unit) }
    var known = SensorReading(answered)
    // A sensor that is refused may have a value, for another program.
    known.take(answered.filter { claims.topics[$0]?.isGranted == true }, from: reading)
    return known
  }

  private nonisolated static func unit(_ value: BusValue) -> AmbientLight.Unit? {
    value.text.flatMap(AmbientLight.Unit.init(rawValue:))
  }

  private nonisolated static func light(_ value: BusValue, _ unit: AmbientLight.Unit) -> AmbientLight? {
    guard case .double(let level) = value else { return nil }
    return AmbientLight(level: level, unit: unit)
  }

  private func changed() {
    adjust()
    onChange()
  }

  private func adjust() {
    guard let service else { return }
    let owner = service.owner
    if claims.owner != owner { claims = (owner, [:]) }
    guard let owner else { return }
    for (topic, sensor) in Self.sensors.sorted(by: { $0.value < $1.value }) {
      let isHeld = claims.topics[topic]?.isHeld == true
      if isHeld, !topics.contains(topic) {
        claims.topics[topic]?.isHeld = false
        bus.call(owner, Self.member("Release" + sensor)) { _ in }
      } else if !isHeld, topics.contains(topic) {
        claims.topics[topic, default: Claim()].isHeld = true
        claims.topics[topic]?.open += 1
        // One that is refused is claimed again when the program asks, or looks, again.
        bus.call(owner, Self.member("Claim" + sensor)) { [weak self] result in
          self?.answered(topic, owner, isGranted: (try? result.get()) != nil)
        }
      }
    }
  }

  private static func member(_ method: String) -> BusMember { BusMember(path: path, interface: name, name: method) }

  /// A sensor that has been claimed may have values that the first reading did not have.
  private func answered(_ topic: SensorTopic, _ owner: String, isGranted: Bool) {
    guard claims.owner == owner, service?.owner == owner, var claim = claims.topics[topic] else { return }
    (claim.open, claim.isGranted) = (claim.open - 1, isGranted)
    claims.topics[topic] = claim
    if claim.open == 0 { service?.refresh() }
  }
}
