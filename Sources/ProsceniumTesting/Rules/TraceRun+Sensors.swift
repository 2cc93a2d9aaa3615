import ProsceniumJSON
import ProsceniumTrace

/// What is said of sensors and of shakes.
extension TraceRun {
  private static let shaken = "shake"

  mutating func checkSensors(_ details: TraceDetails) {
    if application ?? .background == .background || isSuspended {
      fail(.sensors, "the application is in the background")
    }
    let initial: [String: JSONValue] = [
      "orientation": .string("unknown"), "near": .bool(false), "light": .int(-1), "unit": .string(""),
    ]
    for (key, first) in initial.sorted(by: { $0.key < $1.key }) {
      guard let value = details[key] else { continue }
      let (name, now) = ("sensors \(key)", TraceRecord.Fact.Value.text("\(value)"))
      if now == facts[name] { fail(.sensors, "\(key) is what it was") }
      // What is asked for again begins anew, so only a first value is known to be none.
      if facts[name] == nil, now == .text("\(first)") { fail(.sensors, "\(key) is what it is without a sensor") }
      facts[name] = now
    }
  }

  mutating func checkShake(_ details: TraceDetails) {
    guard case .string(let phase)? = details["phase"], case .string(let scene)? = details["scene"] else {
      return fail(.sensors, "the line lacks a key of its kind")
    }
    let begins = phase == "began"
    if begins, scenes[scene].state != .foregroundActive {
      fail(.sensors, scene, "a shake begins in \(scenes[scene].state.rawValue)")
    }
    if begins, facts[Self.shaken] != nil { fail(.sensors, scene, "a shake begins within another one") }
    if !begins, facts[Self.shaken] != .text(scene) { fail(.sensors, scene, "a shake is over that has not begun") }
    facts[Self.shaken] = begins ? .text(scene) : nil
  }

  /// A scene resigns.
  mutating func checkShake(isOverIn scene: String) {
    if facts[Self.shaken] == .text(scene) { fail(.sensors, scene, "it resigns within a shake") }
  }
}
