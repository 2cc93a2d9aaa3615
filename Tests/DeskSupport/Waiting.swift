/// What went wrong on the desk, with the evidence.
package struct DeskFailure: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}

/// Waits for a condition and fails at a limit: tests never sleep for a guessed time.
///
/// The condition is asked again and again; anything but nil ends the wait. `evidence` is asked for what a failure
/// shows besides.
package func waitFor<Value>(
  _ what: String, limit: Duration = .seconds(20), evidence: () -> String = { "" },
  _ condition: () throws -> Value?
) async throws -> Value {
  let start = ContinuousClock.now
  while true {
    if let value = try condition() { return value }
    if ContinuousClock.now - start > limit {
      throw DeskFailure("waited \(limit) for \(what)\n\(evidence())")
    }
    try await Task.sleep(for: .milliseconds(5))
  }
}

/// Waits until a condition is true, or fails at a limit.
package func waitUntil(
  _ what: String, limit: Duration = .seconds(20), evidence: () -> String = { "" }, _ condition: () throws -> Bool
) async throws {
  try await waitFor(what, limit: limit, evidence: evidence) { try condition() ? () : nil }
}
