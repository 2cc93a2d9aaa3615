/// What went wrong on a desk, with the evidence.
public struct DeskFailure: Error, CustomStringConvertible {
  /// What happened, to what: where something was waited for in vain, what that was and for how long.
  public let summary: String
  /// What was known then: the tail of each program's trace, what it printed, and what the server said of the windows.
  public let evidence: String
  /// The file and the line of a wait in vain, as `Module/File.swift:12`; nil for what failed without a wait.
  public let location: String?

  /// A failure, as the kit's own are: for helpers of your tests.
  /// - Parameters:
  ///   - summary: What happened, to what.
  ///   - evidence: What was known then.
  ///   - location: The file and the line of the call that failed, as `"\(#fileID):\(#line)"`.
  public init(_ summary: String, evidence: String = "", location: String? = nil) {
    self.summary = summary
    self.evidence = evidence
    self.location = location
  }

  /// The summary, with the place of the wait, and below it the evidence: what a failed test prints.
  public var description: String {
    let first = location.map { "\(summary), at \($0)" } ?? summary
    return evidence.isEmpty ? first : first + "\n" + evidence
  }
}

/// Waits for a condition and fails at a limit: tests never sleep for a guessed time.
///
/// The condition is asked again and again; anything but nil ends the wait. `evidence` is asked for what a failure
/// shows besides; it names the file and the line.
package func waitFor<Value>(
  _ what: String, limit: Duration = .seconds(20), evidence: () -> String = { "" },
  fileID: StaticString = #fileID, line: UInt = #line, _ condition: () throws -> Value?
) async throws -> Value {
  let start = ContinuousClock.now
  while true {
    if let value = try condition() { return value }
    if ContinuousClock.now - start > limit {
      throw DeskFailure("waited \(limit) for \(what)", evidence: evidence(), location: "\(fileID):\(line)")
    }
    try await Task.sleep(for: .milliseconds(5))
  }
}

/// Waits until a condition is true, or fails at a limit.
package func waitUntil(
  _ what: String, limit: Duration = .seconds(20), evidence: () -> String = { "" },
  fileID: StaticString = #fileID, line: UInt = #line, _ condition: () throws -> Bool
) async throws {
  try await waitFor(what, limit: limit, evidence: evidence, fileID: fileID, line: line) { try condition() ? () : nil }
}
