public import FoundationEssentials
import ProsceniumCore
import ProsceniumPlatform

/// Scheduled work: the network, and the service manager that starts the program.
///
/// The time of day is the program's clock, which ``HeadlessProgram/advance(by:)`` advances, from a day in 2023 on: a
/// request's `earliestBeginDate` is ``now`` and the time until then. Power is that of ``setBattery(level:state:)`` and
/// ``setLowPowerMode(_:)``.
extension HeadlessMachine {
  /// The time of day; set to `Date()` before the launch, dates of the program's own are times of it.
  ///
  /// A process that runs hears of a clock that is set, and of what is due by then.
  public var now: Date {
    get { Date(timeIntervalSince1970: work.now) }
    set { calendar.setClock(by: newValue.timeIntervalSince1970 - work.now) }
  }

  /// Whether the network is reachable; true at first.
  public var isOnline: Bool {
    get { work.isOnline }
    set { work.isOnline = newValue }
  }

  /// The tasks for which the program is going to be started if it does not run, in the order of the times.
  public var scheduledStarts: [String] {
    work.starts.sorted { ($0.time, $0.identifier) < ($1.time, $1.identifier) }.map(\.identifier)
  }

  /// Starts the program, which does not run, for tasks whose time has come: as the service manager does, in the
  /// background.
  ///
  /// While it runs, such a start ends at once, and does not come again: its tasks begin by themselves.
  /// - Returns: Whether the program was started.
  @discardableResult
  public func startForDueTasks() -> Bool {
    guard let start = work.removeDueStarts().first, running == nil, let program else { return false }
    program.relaunch(arguments: ["--background", WorkStart.option, start.identifier])
    return true
  }

  /// Runs a pending task now, whatever its time and its needs are (`_simulateLaunchForTaskWithIdentifier:` of UIKit).
  ///
  /// A program that does not run is started in the background before, and goes on running. Does nothing where no
  /// request is pending.
  /// - Parameter identifier: The task.
  public func runTask(_ identifier: String) {
    if running == nil { program?.relaunch(arguments: ["--background"]) }
    post(.scheduledWork(.run(identifier: identifier)))
  }
}
