import ProsceniumLoop
import ProsceniumPlatform

/// The deadlines and frames of a program in memory, in seconds on its clock.
struct HeadlessSchedule {
  var deadlines: [DeadlineID: Double] = [:]
  private var frames: [WindowID: Double] = [:]
  /// What passes while the program is suspended, by name.
  var alarms: [String: HeadlessAlarm] = [:]
  /// The next midnight.
  var midnight: HeadlessAlarm?
  /// Between `suspend` and `resume`: neither deadlines nor frames.
  var isSuspended = false

  /// Sets a window's frame to the next sixtieth of a second.
  mutating func requestFrame(_ id: WindowID, now: Double) { frames[id] = ((now * 60 + 1e-6).rounded(.down) + 1) / 60 }

  mutating func cancelFrame(_ id: WindowID) { frames[id] = nil }

  /// When the next alarm is due; infinity where there is none.
  var nextAlarm: Double { min(midnight?.due ?? .infinity, alarms.values.map(\.due).min() ?? .infinity) }

  /// Removes the first alarm that is due; nil where none is.
  mutating func removeAlarm(until limit: Double) -> HeadlessAlarm? {
    if let alarm = midnight, alarm.due <= limit, alarm.due == nextAlarm {
      midnight = nil
      return alarm
    }
    let due = alarms.filter { $0.value.due <= limit }.min { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
    return due.flatMap { alarms.removeValue(forKey: $0.key) }
  }

  /// Removes what happens first.
  /// - Parameters:
  ///   - limit: The latest time.
  ///   - agenda: The events of the desk, which happen before deadlines and frames of the same moment.
  ///   - now: The present time.
  /// - Returns: When it happens, and the event; nil where nothing happens before the limit.
  mutating func removeNext(
    until limit: Double, _ agenda: inout HeadlessAgenda, now: Double
  ) -> (time: Double, event: PlatformEvent)? {
    let deadline = isSuspended ? nil : deadlines.min { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
    let frame = isSuspended ? nil : frames.min { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
    let due = min(deadline?.value ?? .infinity, frame?.value ?? .infinity, agenda.due)
    guard due <= limit + 1e-9 else { return nil }
    let time = max(now, due)
    if agenda.due == due { return agenda.removeNext().map { (time, $0) } }
    if let frame, frame.value <= (deadline?.value ?? .infinity) + 1e-9 {
      frames[frame.key] = nil
      let time = max(time, frame.value)
      let timing = FrameTiming(timestamp: .seconds(time), targetTimestamp: .seconds(time + 1.0 / 60))
      return (time, .frame(frame.key, timing))
    }
    guard let deadline else { return nil }
    deadlines[deadline.key] = nil
    return (time, .deadline(deadline.key))
  }
}

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

  mutating func removeAll(where isOver: (PlatformEvent) -> Bool) { entries.removeAll { isOver($0.event) } }
}
