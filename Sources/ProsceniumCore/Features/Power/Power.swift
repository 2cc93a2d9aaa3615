import FoundationEssentials
import ProsceniumJSON
import ProsceniumTrace

/// Reports the machine's power to the program, as far as the program asks for it: see ``Device``.
final class Power: FeatureBase, Feature {
  /// The last values.
  private(set) var reading = PowerReading()

  override func join(_ lists: inout FeatureLists) { lists.answer(.handle, .whileSuspended, by: self) }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    // The application may have been used before it had a host.
    if case .configured = moment, !application.value(PowerTopicsKey.self).isEmpty {
      Device.of(application).followPower()
    }
    return []
  }

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    guard case .power(let next) = event else { return [] }
    let before = exchange(&reading, with: next)
    let changes = PowerFact.allCases.filter { $0.value(in: before) != $0.value(in: next) }
    guard !changes.isEmpty else { return [] }
    let details = TraceDetails(changes.map { ($0.rawValue, $0.value(in: next)) })
    return [.traceSystem("power", details), .callAfterSettling(PowerCall(changes: changes))]
  }

  /// The last reading has everything, and is compared with that before the suspension.
  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    if case .power = event { .kept(kind: "power", rank: 1) } else { nil }
  }
}

/// A value of the machine's power, by its key in the trace and in the order of the notifications.
enum PowerFact: String, CaseIterable {
  case batteryState, batteryLevel, onBattery, lidClosed, lowPowerMode, thermalState

  func value(in reading: PowerReading) -> JSONValue {
    switch self {
    case .batteryState: .string(reading.batteryState.rawValue)
    case .batteryLevel: .int(reading.batteryPercent ?? -1)
    case .onBattery: .bool(reading.isOnBattery)
    case .lidClosed: .bool(reading.isLidClosed)
    case .lowPowerMode: .bool(reading.isLowPowerMode)
    case .thermalState: .string("\(reading.thermalState)")
    }
  }
}

/// The notifications of a change.
private struct PowerCall: Notice {
  var changes: [PowerFact]
  var call: CallDescription { CallDescription("Device notifications", phase: .event) }

  func send(to application: Application) {
    let device = Device.of(application)
    for change in changes {
      // An observer may have turned the monitoring off meanwhile.
      let isMonitored = device.isBatteryMonitoringEnabled
      switch change {
      case .batteryState: if isMonitored { Device.BatteryStateDidChangeMessage(device: device).post() }
      case .batteryLevel: if isMonitored { Device.BatteryLevelDidChangeMessage(device: device).post() }
      case .onBattery: if isMonitored { Device.PowerSourceDidChangeMessage(device: device).post() }
      case .lidClosed: if isMonitored { Device.LidDidChangeMessage(device: device).post() }
      case .lowPowerMode: Device.PowerStateDidChangeMessage(device: device).post()
      case .thermalState: Device.ThermalStateDidChangeMessage(device: device).post()
      }
    }
  }
}
