import FoundationEssentials
import ProsceniumJSON
import ProsceniumTrace

/// Reports jumps of the local time to the program.
final class TimeChanges: FeatureBase, Feature {
  override func join(_ lists: inout FeatureLists) { lists.answer(.handle, .whileSuspended, by: self) }

  override func handle(_ event: SystemEvent) -> [FeatureAction] {
    guard case .time(let from, let to) = event else { return [] }
    let changes = to.changes(since: from)
    guard !changes.isEmpty, conductor.machine.phase.isLaunched else { return [] }
    return [
      .traceSystem("timeChange", ["changes": .array(changes.map(\.rawValue).sorted().map { .string($0) })]),
      .call(TimeChangeCall(changes: changes)),
    ]
  }

  override func whileSuspended(_ event: SystemEvent) -> EventWhileSuspended? {
    if case .time = event { .kept(kind: "time", rank: 1) } else { nil }
  }

  /// A clock that is back at its earlier time has not been set.
  override func merged(_ earlier: SystemEvent, _ later: SystemEvent) -> SystemEvent? {
    guard case .time(let from, _) = earlier, case .time(_, let to) = later else { return later }
    return to.changes(since: from).isEmpty ? nil : .time(from: from, to: to)
  }
}

/// `applicationSignificantTimeChange(_:)` and its notification.
private struct TimeChangeCall: Notice {
  var changes: Set<SignificantTimeChange>
  var call: CallDescription { CallDescription("applicationSignificantTimeChange(_:)") }

  func send(to application: Application) {
    application.delegate?.applicationSignificantTimeChange(application)
    Application.SignificantTimeChangeMessage(application: application, changes: changes).post()
  }
}
