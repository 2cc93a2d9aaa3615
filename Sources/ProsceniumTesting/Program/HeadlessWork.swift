import ProsceniumPlatform

/// The clock, the network and the service manager of the machine in memory, which last over processes, for scheduled
/// work or for notices.
@MainActor final class HeadlessWork: WorkMonitor {
  /// The time of day when the machine was made, by its clock as it is set now, in seconds since 1970.
  private var epoch = 1_700_000_000.0
  private static let answer = "conditions of scheduled work"

  private unowned let machine: HeadlessMachine
  private let timer: String
  private let due: SystemEvent
  /// The starts of the program, which outlast its processes.
  private(set) var starts: Set<WorkStart> = []
  /// Those that this process has set last.
  private var ownStarts: Set<WorkStart> = []
  var isOnline = true { didSet { report() } }
  private var followed: Set<WorkCondition> = []
  private var reported: WorkConditions?

  init(_ machine: HeadlessMachine, timer: String = "scheduled work", due: SystemEvent = .scheduledWork(.due)) {
    (self.machine, self.timer, self.due) = (machine, timer, due)
  }

  /// Another process begins, which follows nothing.
  func forgetProcess() { (followed, reported, ownStarts) = ([], nil, []) }

  /// The service manager starts the program for what is due.
  func removeDueStarts() -> [WorkStart] {
    let due = starts.filter { Double($0.time) <= now }
    starts.subtract(due)
    return due.sorted { ($0.time, $0.identifier) < ($1.time, $1.identifier) }
  }

  var now: Double { epoch + (machine.program?.clock.seconds ?? 0) }

  /// Sets the machine's clock, which a process that runs hears of.
  func setClock(by seconds: Double) {
    moveClock(by: seconds)
    tellClock()
  }

  /// Sets the machine's clock, and tells nobody.
  func moveClock(by seconds: Double) { epoch += seconds }

  /// Tells a process that runs that the clock was set.
  func tellClock() { if machine.hasSource { machine.post(due) } }

  /// The first of the program's times at which it is a time of day, which is counted in larger steps.
  func moment(of time: Double) -> Double { time - epoch - 0.499 * time.ulp }

  func wake(at time: Double?) {
    machine.program?.platform.schedule.alarms[timer] = time.map { time in
      HeadlessAlarm(due: moment(of: time)) { [weak self] in self.map { $0.machine.post($0.due) } }
    }
  }

  func follow(_ conditions: Set<WorkCondition>) {
    guard conditions != followed else { return }
    (followed, reported) = (conditions, nil)
    // After the present callback, of a suspended program too.
    machine.program?.platform.schedule.alarms[Self.answer] = HeadlessAlarm(due: 0) { [weak self] in self?.report() }
  }

  /// As the service manager: a start that has gone off is not set again by those that stay the same.
  func setStarts(_ starts: Set<WorkStart>, of identifier: String) {
    let old = exchange(&ownStarts, with: starts)
    self.starts.subtract(old.subtracting(starts))
    self.starts.formUnion(starts.subtracting(old))
  }

  /// Reports what is followed, where it has changed.
  func report() {
    var conditions = WorkConditions()
    for condition in followed {
      conditions[condition] =
        switch condition {
        case .externalPower: !machine.power.reading.isOnBattery
        case .network: isOnline
        case .fullPower: !machine.power.reading.isLowPowerMode
        }
    }
    guard !followed.isEmpty, conditions != reported, machine.hasSource else { return }
    reported = conditions
    machine.post(.scheduledWork(.conditions(conditions)))
  }
}

/// Something that happens at a time on the program's clock, whether the program is suspended or not.
struct HeadlessAlarm {
  /// In seconds.
  var due: Double
  var fire: @MainActor () -> Void
}
