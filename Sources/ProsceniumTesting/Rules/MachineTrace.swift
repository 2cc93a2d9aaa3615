import ProsceniumJSON
import ProsceniumTrace

/// What a trace says of the machine and its files: the rules need to know of the program only where it is.
struct MachineTrace {
  /// The values of facts, by kind and name.
  var facts: [String: TraceRecord.Fact.Value]
  /// The program is suspended, or has ended.
  let isAway: Bool
  let isInBackground: Bool
  /// Protected data is unavailable.
  let isProtected: Bool
  /// What is broken.
  private(set) var violations: [(rule: TraceRule, detail: String)] = []

  init(facts: [String: TraceRecord.Fact.Value], isAway: Bool, isInBackground: Bool, isProtected: Bool) {
    self.facts = facts
    self.isAway = isAway
    self.isInBackground = isInBackground
    self.isProtected = isProtected
  }

  mutating func fail(_ rule: TraceRule, _ detail: String) { violations.append((rule, detail)) }

  /// Checks a line, where it is about the machine.
  mutating func check(_ system: TraceRecord.System) {
    switch system.name {
    case "screenSaver": checkScreenSaver(system.details)
    case "power": checkPower(system.details)
    case "accessories": checkAccessories(system.details)
    case "accessorySession": checkAccessorySession(system.details)
    case "location": checkLocation(system.details)
    case "sensors": checkSensors(system.details)
    case "locale": checkLocale(system.details)
    case "accounts": checkAccounts(system.details)
    case "document": checkDocument(system.details)
    case "protectedFile", "protectionKey": checkProtection(system.name, system.details)
    case "suspended": checkClosedSessions()
    default: break
    }
  }
}
