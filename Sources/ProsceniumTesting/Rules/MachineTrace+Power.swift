import ProsceniumJSON
import ProsceniumTrace

extension MachineTrace {
  /// What is true of the machine's power before anything is said of it.
  private static let initialPower: [String: JSONValue] = [
    "batteryState": .string("unknown"), "batteryLevel": .int(-1), "onBattery": .bool(false), "lidClosed": .bool(false),
    "lowPowerMode": .bool(false), "thermalState": .string("nominal"),
  ]

  mutating func checkPower(_ details: TraceDetails) {
    if isAway { fail(.power, "the program is suspended") }
    for (key, initial) in Self.initialPower.sorted(by: { $0.key < $1.key }) {
      guard let value = details[key] else { continue }
      let (name, now) = ("power \(key)", TraceRecord.Fact.Value.text("\(value)"))
      if now == facts[name] ?? .text("\(initial)") { fail(.power, "\(key) is what it was") }
      facts[name] = now
    }
    if let level = details["batteryLevel"], !(-1...100).contains(level.count ?? .min) {
      fail(.power, "the battery's level is \(level)")
    }
  }
}
