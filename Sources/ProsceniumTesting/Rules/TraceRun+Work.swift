import ProsceniumJSON
import ProsceniumTrace

/// Whether the program runs, and what it does although nobody looks.
struct TraceWork: Sendable {
  var isSuspended = false
  /// The execution modes that are held, by the numbers of the holds.
  var modes: [Int: String] = [:]
}

extension TraceRun {
  var isSuspended: Bool {
    get { work.isSuspended }
    set { work.isSuspended = newValue }
  }

  /// Checks that nothing holds a program that is suspended.
  mutating func checkWork() {
    guard let (hold, mode) = work.modes.min(by: { $0.key < $1.key }) else { return }
    fail(.execution, "it holds the mode \(mode) (\(hold))")
  }

  mutating func checkExecution(_ system: TraceRecord.System) {
    guard let hold = system.details["hold"]?.count, let mode = system.details["mode"]?.text else {
      return fail(.execution, "\(system.name) has no mode or no hold")
    }
    if isSuspended { fail(.execution, "\(system.name) comes while it is suspended") }
    if system.name == "executionBegan" {
      if work.modes.updateValue(mode, forKey: hold) != nil { fail(.execution, "the hold \(hold) began before") }
    } else if work.modes.removeValue(forKey: hold) != mode {
      fail(.execution, "the hold \(hold) of the mode \(mode) did not begin, or has ended")
    }
  }
}
