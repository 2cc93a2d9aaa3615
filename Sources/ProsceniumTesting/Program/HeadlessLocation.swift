import ProsceniumPlatform

/// Where the machine in memory is, which lasts over processes.
@MainActor final class HeadlessLocation: LocationMonitor {
  private unowned let machine: HeadlessMachine
  private var reading = LocationReading()
  private(set) var request: LocationRequest?
  private var reported = LocationReading()
  /// How often the process has asked; the last time alone is answered.
  private var asked = 0

  init(_ machine: HeadlessMachine) { self.machine = machine }

  /// Another process begins, which follows nothing.
  func forgetProcess() { (request, reported) = (nil, LocationReading()) }

  func follow(_ request: LocationRequest?) {
    self.request = request
    if request == nil { (reported.location, reported.isUnavailable) = (nil, false) } else { reportLater() }
  }

  /// Reports what is followed already when the process begins to receive events, or later.
  func reportLater() {
    asked += 1
    guard request != nil else { return }
    // Programs ask again when they are told of the failure: time has to pass, as on a real machine.
    machine.later(in: reading.isUnavailable ? 1000 : 0) { [weak self, asked] in
      if self?.asked == asked { self?.report() }
    }
  }

  /// Changes what is true of the machine; the process receives it if it follows the location.
  func change(_ change: (inout LocationReading) -> Void) {
    change(&reading)
    report()
  }

  private func report() {
    var visible = reading
    if reading.authorization != .authorized || reading.isUnavailable { visible.location = reported.location }
    guard request != nil, visible != reported, machine.hasSource else { return }
    reported = visible
    machine.post(.location(visible))
  }
}
