import ProsceniumTrace

/// The facts of a run.
struct TraceFacts: Sendable {
  /// The values of facts, by window and name.
  private var values: [String: TraceRecord.Fact.Value] = [:]
  /// The facts of the program that are true: `locked`, `sleeping` and the like.
  private(set) var concealments: Set<String> = []

  /// Changes a fact.
  /// - Returns: Whether it had another value before.
  mutating func change(_ fact: TraceRecord.Fact) -> Bool {
    let key = (fact.window ?? "") + " " + fact.name
    let first: TraceRecord.Fact.Value = fact.name == "windowManager" ? .text("settled") : .flag(false)
    let isNew = (values[key] ?? first) != fact.to
    values[key] = fact.to
    if case .flag(let isOn) = fact.to, fact.window == nil || fact.scene == nil {
      if isOn { concealments.insert(fact.name) } else { concealments.remove(fact.name) }
    }
    return isNew
  }
}
