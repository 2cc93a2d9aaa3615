/// The failures of a writer, each reported once.
struct StoreFailures: Sendable {
  enum Report: Sendable {
    case failure(StoreFailure)
    /// Everything that could not be saved is saved.
    case ended
  }

  /// What can meet trouble.
  enum Part { case records, journal }

  /// What met trouble, and is not saved yet.
  private var failing: Set<Part> = []
  /// Whether all of it is saved, or of no account any more: told when nothing is left to be written, for the next
  /// record may meet the same trouble.
  private var isOver = false
  /// Sessions that cannot be saved as they are.
  private var refused: Set<String> = []
  private var reports: [Report] = []

  mutating func add(_ failure: StoreFailure) { reports.append(.failure(failure)) }

  /// Sets that a part meets trouble, or that all of it is saved: told once for all parts.
  mutating func set(_ trouble: StoreFailure?, of part: Part) {
    let wasFailing = !failing.isEmpty
    if let trouble {
      if !wasFailing, !isOver { reports.append(.failure(trouble)) }
      isOver = false
      failing.insert(part)
    } else {
      failing.remove(part)
      if wasFailing, failing.isEmpty { isOver = true }
    }
  }

  /// Adds the end of the trouble, if it is over: nothing is left to be written.
  /// - Returns: Whether there is something to report.
  mutating func rest() -> Bool {
    if isOver { reports.append(.ended) }
    isOver = false
    return !reports.isEmpty
  }

  /// Adds the outcome of a batch.
  /// - Returns: Whether there is something to report.
  mutating func add(_ outcome: BatchWriting.Outcome) -> Bool {
    set(outcome.trouble, of: .records)
    if outcome.hasNoted { set(nil, of: .journal) }
    refused.subtract(outcome.saved)
    for failure in outcome.refused where failure.identifier.map({ refused.insert($0).inserted }) ?? true {
      reports.append(.failure(failure))
    }
    return !reports.isEmpty
  }

  /// Removes and returns all reports.
  mutating func take() -> [Report] {
    defer { reports = [] }
    return reports
  }
}
