import ProsceniumJSON
import ProsceniumTrace

/// What is said of screen savers, and of lockers that tell nobody but the window system.
extension MachineTrace {
  static let saver = "screenSaver"
  /// The cause of what such a locker does; its name may follow.
  private static let locker = "locker"
  private static let longestName = 64

  mutating func checkScreenSaver(_ details: TraceDetails) {
    guard case .bool(let isOn)? = details["to"] else {
      return fail(.lockers, "it does not say whether there is a screen saver")
    }
    if facts[Self.saver] ?? .flag(false) == .flag(isOn) {
      fail(.lockers, "a screen saver \(isOn ? "comes" : "goes") twice")
    }
    facts[Self.saver] = .flag(isOn)
    if let problem = Self.problem(with: details["cause"]?.text ?? "", of: nil) { fail(.lockers, problem) }
  }

  /// What is wrong with a cause, where it is such a locker: of a fact of the program, or of a screen saver without one.
  static func problem(with cause: String, of fact: String?) -> String? {
    guard cause == locker || cause.hasPrefix(locker + " ") else { return nil }
    if let fact, fact != "locked" { return "a locker is the cause of \(fact)" }
    let name = cause.dropFirst(locker.count + 1)
    let isName = (1...longestName).contains(name.utf8.count) && name.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    return cause == locker || isName ? nil : "the name of a locker is none: \(name.prefix(longestName))"
  }
}
