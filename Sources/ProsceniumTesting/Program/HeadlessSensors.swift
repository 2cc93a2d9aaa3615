import ProsceniumPlatform

/// The sensors of the machine in memory, whose values last over processes.
@MainActor final class HeadlessSensors: SensorMonitor {
  private unowned let machine: HeadlessMachine
  private var reading = SensorReading()
  /// What the process follows now: the sensors that work.
  private(set) var topics: Set<SensorTopic> = []
  /// Each set of topics that a process has followed, the present one last.
  private(set) var history: [Set<SensorTopic>] = []
  private var reported: SensorReading?

  init(_ machine: HeadlessMachine) { self.machine = machine }

  /// Another process begins, which follows nothing.
  func forgetProcess() { (topics, history, reported) = ([], [], nil) }

  func follow(_ topics: Set<SensorTopic>) {
    (self.topics, reported) = (topics, nil)
    history.append(topics)
    reportLater()
  }

  /// Reports what is followed already when the process begins to receive events, or later.
  func reportLater() {
    if !topics.isEmpty { machine.later { [weak self] in self?.report() } }
  }

  /// Changes what is true of the machine; the process receives it if it follows that.
  func change(_ change: (inout SensorReading) -> Void) {
    change(&reading)
    report()
  }

  /// A step of a shake, which the process receives if it follows shakes.
  func shake(_ phase: ShakePhase) {
    if topics.contains(.shake), machine.hasSource { machine.post(.shake(phase)) }
  }

  private func report() {
    var visible = SensorReading(topics.subtracting([.shake]))
    visible.take(visible.topics, from: reading)
    guard !visible.topics.isEmpty, visible != reported, machine.hasSource else { return }
    reported = visible
    machine.post(.sensors(visible))
  }
}
