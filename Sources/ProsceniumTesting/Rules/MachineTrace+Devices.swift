import ProsceniumJSON
import ProsceniumTrace

/// What is said of accessories, the location and sensors.
extension MachineTrace {
  mutating func checkAccessories(_ details: TraceDetails) {
    if isAway { fail(.accessories, "the program is suspended") }
    for (key, isConnected) in [("disconnected", false), ("connected", true)] {
      guard case .array(let names)? = details[key] else { continue }
      for name in names {
        let fact = "accessory \(name)"
        if (facts[fact] ?? .flag(false)) == .flag(isConnected) {
          fail(.accessories, "\(name) is \(key) and was so before")
        }
        facts[fact] = .flag(isConnected)
      }
    }
  }

  mutating func checkAccessorySession(_ details: TraceDetails) {
    guard let name = details["accessory"], let isOpen = details["open"] else { return }
    let key = Self.openSessions + "\(name)"
    let count = openSessions(key) + (isOpen == .bool(true) ? 1 : -1)
    if isOpen == .bool(true), facts["accessory \(name)"] != .flag(true) || isAway {
      fail(.accessories, "a session is opened on \(name), which is not connected, or while the program is suspended")
    }
    if count < 0 { fail(.accessories, "a session on \(name) is closed that is not open") }
    facts[key] = .text("\(max(count, 0))")
  }

  /// The program is suspended.
  mutating func checkClosedSessions() {
    for key in facts.keys.sorted() where key.hasPrefix(Self.openSessions) && openSessions(key) > 0 {
      fail(
        .accessories, "a session on \(key.dropFirst(Self.openSessions.count)) is open while the program is suspended")
    }
  }

  private static let openSessions = "accessorySession "

  private func openSessions(_ key: String) -> Int {
    if case .text(let text)? = facts[key] { Int(text) ?? 0 } else { 0 }
  }

  mutating func checkLocation(_ details: TraceDetails) {
    if isAway { fail(.location, "the program is suspended") }
    for (key, initial) in [("authorization", JSONValue.string("notDetermined")), ("unavailable", .bool(false))] {
      guard let value = details[key] else { continue }
      let (name, now) = ("location \(key)", TraceRecord.Fact.Value.text("\(value)"))
      // A service that is away is asked again, and fails again, for each manager that begins.
      let isAgain = key == "unavailable" && value == .bool(true)
      if !isAgain, now == facts[name] ?? .text("\(initial)") { fail(.location, "\(key) is what it was") }
      facts[name] = now
    }
    if details["accuracy"] != nil, facts["location authorization"] != .text("\(JSONValue.string("authorized"))") {
      fail(.location, "the user has not allowed it")
    }
  }

  mutating func checkSensors(_ details: TraceDetails) {
    if isAway || isInBackground { fail(.sensors, "the application is in the background") }
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
}
