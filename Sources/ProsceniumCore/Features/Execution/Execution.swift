import ProsceniumJSON
import ProsceniumTrace

/// Keeps the program running while an execution mode is held, and names, in debug builds, one that is held for nothing.
final class Execution: FeatureBase, Feature, LoopObserver {
  enum Message: Equatable {
    /// Modes have begun or ended on some thread.
    case changed
    /// The use of the modes is looked at.
    case look
  }

  /// How long a mode is held before its use is looked at, and from one look to the next.
  static let span = Duration.seconds(5)
  /// How many looks in a row find nothing before a hold is named: work may pause for a moment.
  static let looks = 2

  /// Whether the use of the modes is looked at.
  #if DEBUG
    lazy var isOn = application.host.isProcess
  #else
    var isOn = false
  #endif
  private let table: ExecutionTable
  /// A message about changes waits in the inbox.
  private var isPosted = false
  /// The holds that have not been named, with the number of looks that found nothing.
  private var idle: [Int: Int] = [:]
  /// The holds for the work of other features.
  private var work: [(mode: ExecutionMode, token: ExecutionToken)] = []
  /// The last look.
  private var last: (use: ProcessUse, time: Double)?

  required init(_ conductor: Conductor) {
    table = conductor.application.value(ExecutionTableKey.self)
    super.init(conductor)
    table.attach(conductor.platform)
  }

  override var holdsExecution: Bool { table.isHeld }

  override func moment(_ moment: Moment) -> [FeatureAction] {
    switch moment {
    case .workBegan(let mode, let reason): work.append((mode, application.beginExecution(mode, reason: reason)))
    case .workEnded(let mode): work.firstIndex { $0.mode == mode }.map { work.remove(at: $0).token.end() }
    default: break
    }
    return []
  }

  override func join(_ lists: inout FeatureLists) {
    lists.answer(.holdsExecution, by: self)
    lists.observe(.turnBegan, .betweenItems, by: self)
  }

  // A message in the inbox wakes a suspended program, which is traced before the mode's begin.
  func moment(_ moment: LoopMoment) -> [FeatureAction] {
    guard table.isChanged, !exchange(&isPosted, with: true) else { return [] }
    return [post(.changed)]
  }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .changed: changed()
    case .look: look()
    }
  }

  private func changed() -> [FeatureAction] {
    isPosted = false
    let lines: [FeatureAction] = table.takeChanges().map { change in
      switch change {
      case .begun(let hold):
        if isOn { idle[hold.number] = 0 }
        return .traceSystem("executionBegan", Self.details(hold))
      case .ended(let hold):
        idle[hold.number] = nil
        return .traceSystem("executionEnded", Self.details(hold))
      }
    }
    return lines + [.announce(.executionChanged)] + watch()
  }

  private static func details(_ hold: ExecutionTable.Hold) -> TraceDetails {
    ["mode": .string(hold.mode.rawValue), "reason": .string(hold.reason), "hold": .int(hold.number)]
  }

  // MARK: Use

  /// Begins to look where a hold may have to be named, or stops.
  private func watch() -> [FeatureAction] {
    guard !idle.isEmpty, let process = application.host.process else {
      last = nil
      return conductor.isSet(.executionUse) ? [.cancel(.executionUse)] : []
    }
    guard !conductor.isSet(.executionUse) else { return [] }
    last = (process.use(), conductor.platform.now)
    return [set(.executionUse, after: Self.span, .look)]
  }

  private func look() -> [FeatureAction] {
    guard let process = application.host.process, let last else { return [] }
    let (use, now) = (process.use(), conductor.platform.now)
    self.last = nil
    let share = (use.seconds - last.use.seconds) / max(0.001, now - last.time)
    var reports: [FeatureAction] = []
    for hold in table.holds {
      guard let before = idle[hold.number] else { continue }
      let isUsed = conductor.uses(hold.mode) || hold.mode.isUsed(files: use.files, processorShare: share)
      let found = isUsed ? 0 : before + 1
      idle[hold.number] = found
      guard found >= Self.looks else { continue }
      idle[hold.number] = nil
      reports.append(.report(Self.report(hold)))
    }
    return reports + watch()
  }

  private static func report(_ hold: ExecutionTable.Hold) -> String {
    "The execution mode \(hold.mode.rawValue) (\"\(hold.reason)\") has been held for \(looks * Int(span / .seconds(1))) s "
      + "or more, and neither the program nor a child of it \(hold.mode.missingUse). End it when it is not needed, so that "
      + "the program can be suspended. (Debug builds say so.)"
  }
}

/// The use of the execution modes is looked at.
extension Deadline { fileprivate static let executionUse = Deadline("executionUse") }
