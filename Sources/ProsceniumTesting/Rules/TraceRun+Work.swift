import ProsceniumJSON
import ProsceniumTrace

/// Whether the program runs, and what it does although nobody looks.
struct TraceWork: Sendable {
  var isSuspended = false
  /// The execution modes that are held, by the numbers of the holds.
  var modes: [Int: String] = [:]
  /// The scheduled tasks that run.
  var tasks: Set<String> = []
}

extension TraceRun {
  var isSuspended: Bool {
    get { work.isSuspended }
    set { work.isSuspended = newValue }
  }

  /// Checks that nothing holds a program that is suspended.
  mutating func checkWork() {
    if let task = work.tasks.min() { fail(.task, "the task \(task) runs") }
    guard let (hold, mode) = work.modes.min(by: { $0.key < $1.key }) else { return }
    fail(.execution, "it holds the mode \(mode) (\(hold))")
  }

  mutating func checkTask(_ system: TraceRecord.System) {
    guard let task = system.details["task"]?.text else { return fail(.task, "\(system.name) has no task") }
    if isSuspended { fail(.task, "\(system.name) comes while the program is suspended") }
    switch system.name {
    case "taskBegan": if !work.tasks.insert(task).inserted { fail(.task, "the task \(task) runs already") }
    case "taskEnded":
      if work.tasks.remove(task) == nil { fail(.task, "the task \(task) does not run") }
      let outcome = system.details["outcome"]?.text ?? "missing"
      if !["completed", "failed", "expired"].contains(outcome) { fail(.task, "the outcome is \(outcome)") }
    default: if !work.tasks.contains(task) { fail(.task, "the task \(task) does not run") }
    }
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
