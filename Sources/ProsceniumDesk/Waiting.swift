import Dispatch
import Glibc

/// An error on a desk, with the evidence.
public struct DeskFailure: Error, CustomStringConvertible {
  /// The failure and its object: for a timeout, the awaited condition and the time limit.
  public let summary: String
  /// The evidence: the tail of each program's trace, its output, and the server's view of the windows.
  public let evidence: String
  /// The file and the line of a timeout, as `Module/File.swift:12`; nil for a failure without a wait.
  public let location: String?

  /// Makes a failure, for helpers of your tests.
  /// - Parameters:
  ///   - summary: The failure and its object.
  ///   - evidence: The evidence.
  ///   - location: The file and the line of the call that failed, as `"\(#fileID):\(#line)"`.
  public init(_ summary: String, evidence: String = "", location: String? = nil) {
    self.summary = summary
    self.evidence = evidence
    self.location = location
  }

  /// The summary, the place of the wait, and the evidence: the output of a failed test.
  public var description: String {
    let first = location.map { "\(summary), at \($0)" } ?? summary
    return evidence.isEmpty ? first : first + "\n" + evidence
  }
}

/// A thread that has libdispatch's own look at its timers twice a second.
///
/// On a busy machine (Linux 6.18, Swift 6.3) that thread was seen to sleep in epoll_wait(2) for five minutes, and with
/// it all tests, which wait for timers alone; they went on when the call was interrupted.
private let timerWatch: pthread_t = {
  var thread = pthread_t()
  let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
    while true {
      usleep(500_000)
      // Not at once: that would be no timer.
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) {}
    }
  }
  pthread_create(&thread, nil, body, nil)
  return thread
}()

/// The time between two looks: what has not come at once takes its time, and wants the processors.
private func pause(after start: ContinuousClock.Instant) -> Duration {
  .milliseconds(ContinuousClock.now - start < .milliseconds(200) ? 5 : 20)
}

/// Waits for a condition and fails at a limit: tests never sleep for a guessed time.
///
/// The condition is checked repeatedly; a value other than nil ends the wait. `evidence` is called for a failure, which
/// also names the file and the line.
package func waitFor<Value>(
  _ what: String, limit: Duration = .seconds(60), evidence: () -> String = { "" },
  fileID: StaticString = #fileID, line: UInt = #line, _ condition: () throws -> Value?
) async throws -> Value {
  _ = timerWatch
  let start = ContinuousClock.now
  while true {
    if let value = try condition() { return value }
    if ContinuousClock.now - start > limit {
      throw DeskFailure("waited \(limit) for \(what)", evidence: evidence(), location: "\(fileID):\(line)")
    }
    try await Task.sleep(for: pause(after: start))
  }
}

/// The same for a condition that takes its time: it suspends rather than blocks a thread, of which all tests have few.
package func waitFor<Value>(
  _ what: String, limit: Duration = .seconds(60), evidence: () -> String = { "" },
  fileID: StaticString = #fileID, line: UInt = #line, _ condition: () async throws -> Value?
) async throws -> Value {
  _ = timerWatch
  let start = ContinuousClock.now
  while true {
    if let value = try await condition() { return value }
    if ContinuousClock.now - start > limit {
      throw DeskFailure("waited \(limit) for \(what)", evidence: evidence(), location: "\(fileID):\(line)")
    }
    try await Task.sleep(for: pause(after: start))
  }
}

/// Waits until a condition is true, or fails at a limit.
package func waitUntil(
  _ what: String, limit: Duration = .seconds(60), evidence: () -> String = { "" },
  fileID: StaticString = #fileID, line: UInt = #line, _ condition: () throws -> Bool
) async throws {
  try await waitFor(what, limit: limit, evidence: evidence, fileID: fileID, line: line) { try condition() ? () : nil }
}

/// The same for a condition that takes its time.
package func waitUntil(
  _ what: String, limit: Duration = .seconds(60), evidence: () -> String = { "" },
  fileID: StaticString = #fileID, line: UInt = #line, _ condition: () async throws -> Bool
) async throws {
  try await waitFor(what, limit: limit, evidence: evidence, fileID: fileID, line: line) {
    try await condition() ? () : nil
  }
}
