import ProsceniumCore
import ProsceniumPlatform

/// The date, the zone and the clock of the machine in memory, as far as programs hear of their changes.
@MainActor final class HeadlessCalendar {
  private unowned let machine: HeadlessMachine
  /// The time of day as the program has it.
  private var time = CivilTime(day: 0, offset: 0, zone: "UTC", skew: 0)
  /// Days that tests have passed over, by which the date is ahead of the clock.
  private var skippedDays = 0

  init(_ machine: HeadlessMachine) { self.machine = machine }

  /// A process begins, which finds the date as it is.
  func begin() { readDay() }

  /// Makes changes, all at once.
  func change(_ changes: Set<SignificantTimeChange>) {
    var new = time
    for change in changes {
      switch change {
      case .newDay: skippedDays += 1
      case .clockSet: new.skew += 3600
      case .timeZone: new.zone += "*"
      case .daylightSaving: new.offset += 3600
      }
    }
    change(to: new)
  }

  /// Sets the clock.
  func setClock(by seconds: Double) {
    guard seconds.isFinite else { return }
    var new = time
    new.skew += seconds
    change(to: new)
  }

  /// Tells a process that runs of what has changed, at once and before what is due by the clock.
  private func change(to new: CivilTime) {
    let (before, seconds) = (time, new.skew - time.skew)
    let clocks = seconds == 0 ? [] : [machine.work, machine.parts.noticeTimes]
    for clock in clocks { clock.moveClock(by: seconds) }
    time = new
    readDay()
    if !time.changes(since: before).isEmpty { machine.post(.time(from: before, to: time)) }
    for clock in clocks { clock.tellClock() }
  }

  /// Reads the date by the clock, and awaits the next midnight.
  private func readDay() {
    let days = (machine.work.now / 86_400).rounded(.down)
    time.day = Int(min(max(days, -1e9), 1e9)) + skippedDays
    guard let platform = machine.program?.platform else { return }
    let due = max(machine.work.moment(of: (days + 1) * 86_400), platform.now.nextUp)
    platform.schedule.midnight = HeadlessAlarm(due: due) { [weak self] in self.map { $0.change(to: $0.time) } }
  }
}
