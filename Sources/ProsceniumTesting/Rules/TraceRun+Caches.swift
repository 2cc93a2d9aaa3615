import ProsceniumJSON
import ProsceniumTrace

/// What is said of the program's caches.
extension TraceRun {
  /// Seconds; the trace rounds times to a millisecond.
  private static let shortageInterval = 9.9

  mutating func checkCaches(_ details: TraceDetails) {
    guard let cause = details["cause"]?.text, ["memory", "disk"].contains(cause) else {
      return fail(.caches, "the line does not say what is short")
    }
    if isSuspended || phase != .running { fail(.caches, "the program does not run") }
    let name = "caches, " + cause
    if case .text(let last)? = facts[name], let last = Double(last), time - last < Self.shortageInterval {
      fail(.caches, "it was said for the \(cause) at \(last)")
    }
    facts[name] = .text("\(time)")
  }
}
