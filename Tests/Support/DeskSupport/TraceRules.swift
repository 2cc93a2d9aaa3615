import ProsceniumTesting

extension [TraceLine] {
  /// What every trace has to obey, whatever happened, and this one does not.
  package var violations: [String] {
    TraceChecker.violations(in: map { $0.text + "\n" }.joined()).map(\.description)
  }
}
