/// Limits reports of memory pressure to one in ten seconds, and the first critical one.
struct PressureLimit: Hashable, Sendable {
  /// In seconds.
  static let interval = 10.0

  private var last: [MemoryPressure: Double] = [:]

  /// Whether a report at this time counts.
  mutating func admits(_ pressure: MemoryPressure, now: Double) -> Bool {
    // A critical report covers the warnings after it; a warning covers no critical report.
    let covering = pressure == .critical ? [last[.critical]] : [last[.warning], last[.critical]]
    if covering.contains(where: { $0.map { now - $0 < Self.interval } ?? false }) { return false }
    last[pressure] = now
    return true
  }
}
