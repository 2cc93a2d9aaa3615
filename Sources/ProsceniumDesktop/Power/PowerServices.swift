import ProsceniumPlatform

/// What UPower says of the battery that stands for all of them, the supply and the lid (UPower Reference, "UPower" and
/// "UPower.Device").
@MainActor struct UPower {
  static let name = "org.freedesktop.UPower"
  private static let device = 1
  private static let objects = [
    BusProperties.Object(
      path: "/org/freedesktop/UPower", interface: name,
      properties: ["OnBattery": isBool, "LidIsPresent": isBool, "LidIsClosed": isBool]),
    BusProperties.Object(
      path: "/org/freedesktop/UPower/devices/DisplayDevice", interface: name + ".Device",
      properties: ["IsPresent": isBool, "Percentage": { percent($0) != nil }, "State": { state($0) != nil }]),
  ]

  private let service: BusProperties

  init(_ bus: Bus, onChange: @escaping @MainActor () -> Void) {
    service = BusProperties(bus, Self.name, Self.objects, onChange: onChange)
  }

  func stop() { service.stop() }

  /// Whether its values, which come in two answers, are being read.
  var isBeingRead: Bool { service.isBeingRead }

  /// Whether the machine runs on its battery; nil where that is not known.
  var isOnBattery: Bool? { service.value("OnBattery", of: 0)?.bool }

  /// Adds what is known to a reading.
  func complete(_ reading: inout PowerReading) {
    func flag(_ property: String, of object: Int = 0) -> Bool { service.value(property, of: object)?.bool == true }
    reading.isOnBattery = flag("OnBattery")
    reading.isLidClosed = flag("LidIsPresent") && flag("LidIsClosed")
    // A machine without a battery has this object too.
    guard flag("IsPresent", of: Self.device) else { return }
    reading.batteryPercent = service.value("Percentage", of: Self.device).flatMap(Self.percent)
    reading.batteryState = service.value("State", of: Self.device).flatMap(Self.state) ?? .unknown
  }

  private nonisolated static func isBool(_ value: BusValue) -> Bool { value.bool != nil }

  /// The percentage in whole numbers: a notification for each hundredth of one would wake the program all the time.
  private nonisolated static func percent(_ value: BusValue) -> Int? {
    // A NaN is in no range.
    guard case .double(let number) = value, (0...100).contains(number) else { return nil }
    return Int(number.rounded())
  }

  private nonisolated static func state(_ value: BusValue) -> BatteryState? {
    guard case .whole(let number, code: "u") = value else { return nil }
    switch number {
    case 0: return .unknown
    // Charging; plugged in, and not charged because of a limit (`pending-charge`).
    case 1, 5: return .charging
    // Discharging, empty, and about to be discharged.
    case 2, 3, 6: return .unplugged
    case 4: return .full
    case _: return nil
    }
  }
}

/// The user's choice to save power (power-profiles-daemon, tuned-ppd).
///
/// The daemon has two names; where two daemons have them, the newer name's counts.
@MainActor struct PowerProfiles {
  static let names = ["org.freedesktop.UPower.PowerProfiles", "net.hadess.PowerProfiles"]

  private let services: [BusProperties]

  init(_ bus: Bus, onChange: @escaping @MainActor () -> Void) {
    services = Self.names.map { name in
      let object = BusProperties.Object(
        path: "/" + String(name.map { $0 == "." ? "/" : $0 }), interface: name,
        properties: ["ActiveProfile": { if case .string(let text) = $0 { !text.isEmpty } else { false } }])
      return BusProperties(bus, name, [object], onChange: onChange)
    }
  }

  func stop() { for service in services { service.stop() } }

  /// Whether the user saves power; nil where that is not known.
  var isLowPowerMode: Bool? {
    services.lazy.compactMap { $0.value("ActiveProfile", of: 0)?.text }.first.map { $0 == "power-saver" }
  }

  /// Adds what is known to a reading.
  func complete(_ reading: inout PowerReading) { reading.isLowPowerMode = isLowPowerMode ?? false }
}
