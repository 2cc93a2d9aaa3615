/// The failures of a writer, each reported once.
struct StoreFailures: Sendable {
  enum Report: Sendable {
    case failure(StoreFailure)
    /// Everything that could not be saved is saved.
    case ended
  }

  /// Whether something that met trouble is not saved yet.
  private var isFailing = false
  /// Sessions that cannot be saved as they are.
  private var refused: Set<String> = []
  private var reports: [Report] = []

  mutating func add(_ failure: StoreFailure) { reports.append(.failure(failure)) }

  /// Adds the outcome of a batch.
  /// - Returns: Whether there is something to report.
  mutating func add(_ outcome: BatchWriting.Outcome) -> Bool {
    if let trouble = outcome.trouble {
      if !isFailing { reports.append(.failure(trouble)) }
      isFailing = true
    } else if isFailing {
      isFailing = false
      reports.append(.ended)
    }
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
