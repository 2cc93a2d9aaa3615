import ProsceniumPlatform

/// Events that happen at their time, in seconds on the program's clock.
struct HeadlessAgenda {
  private var entries: [(due: Double, event: PlatformEvent)] = []

  /// When the next one happens; infinity where there is none.
  var due: Double { entries.map(\.due).min() ?? .infinity }

  mutating func add(_ event: PlatformEvent, due: Double) { entries.append((due, event)) }

  /// Removes and returns the next one.
  mutating func removeNext() -> PlatformEvent? {
    entries.indices.min { entries[$0].due < entries[$1].due }.map { entries.remove(at: $0).event }
  }

  /// Removes an event.
  /// - Returns: Whether it was there.
  mutating func remove(_ event: PlatformEvent) -> Bool {
    guard let index = entries.firstIndex(where: { $0.event == event }) else { return false }
    entries.remove(at: index)
    return true
  }

  func filtered(_ isIncluded: (PlatformEvent) -> Bool) -> HeadlessAgenda {
    var agenda = self
    agenda.entries.removeAll { !isIncluded($0.event) }
    return agenda
  }
}
