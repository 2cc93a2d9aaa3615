/// The failures of a writer, each reported once.
struct StoreFailures: Sendable {
  /// Whether the last batch met trouble.
  private var isFailing = false
  /// Sessions that cannot be saved as they are.
  private var refused: Set<String> = []
  private var failures: [StoreFailure] = []

  mutating func add(_ failure: StoreFailure) { failures.append(failure) }

  /// Adds the outcome of a batch.
  /// - Returns: Whether there is a new failure.
  mutating func add(_ outcome: BatchWriting.Outcome) -> Bool {
    let before = failures.count
    if let trouble = outcome.trouble, !isFailing { failures.append(trouble) }
    isFailing = outcome.trouble != nil
    refused.subtract(outcome.saved)
    for failure in outcome.refused where failure.identifier.map({ refused.insert($0).inserted }) ?? true {
      failures.append(failure)
    }
    return failures.count > before
  }

  /// Removes and returns all failures.
  mutating func take() -> [StoreFailure] {
    defer { failures = [] }
    return failures
  }
}
