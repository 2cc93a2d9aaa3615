/// What scheduled work depends on besides its time.
package enum WorkCondition: Hashable, Sendable, CaseIterable {
  /// The machine is plugged into power.
  case externalPower
  /// The network is reachable.
  case network
  /// The user does not save power.
  case fullPower
}

/// Whether the conditions that are followed hold; nil for one that is not followed, or not known yet.
package struct WorkConditions: Hashable, Sendable {
  package var hasExternalPower: Bool?
  package var hasNetwork: Bool?
  package var hasFullPower: Bool?

  package init() {}

  /// Whether a condition holds.
  package subscript(condition: WorkCondition) -> Bool? {
    get {
      switch condition {
      case .externalPower: hasExternalPower
      case .network: hasNetwork
      case .fullPower: hasFullPower
      }
    }
    set {
      switch condition {
      case .externalPower: hasExternalPower = newValue
      case .network: hasNetwork = newValue
      case .fullPower: hasFullPower = newValue
      }
    }
  }
}

/// A start of the program for a task, where it does not run.
package struct WorkStart: Hashable, Sendable {
  /// The task.
  package var identifier: String
  /// In whole seconds since 1970.
  package var time: Int

  package init(identifier: String, time: Int) { (self.identifier, self.time) = (identifier, time) }

  /// The option of the command line that precedes the task's identifier.
  package static let option = "--proscenium-task"
  /// Stands for a task, where the program is started to show a notice: no task's identifier can be that.
  package static let notice = "proscenium notice"
}

/// The clock, the conditions and the service manager, for scheduled work.
///
/// Nothing of them is used before the first call, and no call waits for an answer.
@MainActor package protocol WorkMonitor: AnyObject {
  /// The time of day, in seconds since 1970.
  var now: Double { get }

  /// Posts ``WorkNews/due``, or ``SystemEvent/noticesDue`` for notices, at a time, also while the program is
  /// suspended, and when the clock is set; nil for never.
  ///
  /// Replaces the earlier time.
  func wake(at time: Double?)

  /// Follows these conditions from now on, and no other ones.
  ///
  /// ``WorkNews/conditions(_:)`` follows when all of them are known, and at each change.
  func follow(_ conditions: Set<WorkCondition>)

  /// Sets when the program is started where it does not run; replaces what was set before.
  ///
  /// Where that is not possible the user is told once.
  func setStarts(_ starts: Set<WorkStart>, of identifier: String)
}

/// An event for scheduled work.
package enum WorkNews: Hashable, Sendable {
  /// The time has come, or the clock was set.
  case due
  /// Conditions are known, or have changed.
  case conditions(WorkConditions)
  /// A test runs this task now, whatever its time and its needs.
  case run(identifier: String)
}
