import ProsceniumPlatform

/// The power of the machine in memory, which lasts over processes.
@MainActor final class HeadlessPower: PowerMonitor {
  /// All values, whether the process follows them or not.
  private(set) var reading = PowerReading()
  private unowned let machine: HeadlessMachine
  private var topics: Set<PowerTopic> = []
  private var reported = PowerReading()

  init(_ machine: HeadlessMachine) { self.machine = machine }

  /// Another process begins, which follows nothing.
  func forgetProcess() { (topics, reported) = ([], PowerReading()) }

  func follow(_ topics: Set<PowerTopic>) {
    self.topics = topics
    reportLater()
  }

  /// Reports what is followed already when the process begins to receive events, or later.
  func reportLater() {
    if !topics.isEmpty || reported != PowerReading() { machine.later { [weak self] in self?.report() } }
  }

  /// Changes values; the process receives what it follows.
  func change(_ change: (inout PowerReading) -> Void) {
    change(&reading)
    report()
    machine.work.report()
  }

  private func report() {
    let visible = reading.limited(to: topics)
    guard visible != reported, machine.hasSource else { return }
    reported = visible
    machine.post(.power(visible))
  }
}
