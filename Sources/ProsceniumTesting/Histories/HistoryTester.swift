public import ProsceniumCore
import ProsceniumLoop
package import ProsceniumTrace

/// Runs a program through histories without a display, and finds the shortest one that goes wrong.
///
/// After every step the ``TraceRule``s and what must be true of the program between steps are checked; see
/// *Checking a trace*.
///
/// ```swift
/// let tester = HistoryTester { AppDelegate() }
/// if let failure = tester.search(steps: 20_000, seed: 1) { Issue.record("\(failure)") }
/// ```
@MainActor public final class HistoryTester {
  /// A history that goes wrong.
  public struct Failure: Sendable, CustomStringConvertible {
    /// What happened, up to the step at which it was noticed.
    public var history: History
    /// What went wrong, the kind first.
    public var message: String
    /// The last lines of the trace.
    public var trace: [String]

    /// What went wrong, the line to paste into a test, and the end of the trace.
    public var description: String {
      "\(message)\nreplay: History(\"\(history)\")\n\(trace.map { "  " + $0 }.joined(separator: "\n"))"
    }

    /// The part of the message that stays the same in a shorter history.
    var kind: Substring { message.prefix { $0 != ":" } }
  }

  let makeDelegate: @MainActor () -> any ApplicationDelegate
  /// A further invariant, checked after each step: nil where it holds, else the failure, beginning with its kind and a
  /// colon.
  public var invariant: @MainActor (any ApplicationDelegate) -> String? = { _ in nil }
  /// Called with every line of the trace, of every program.
  package var onEntry: ((TraceRecord) -> Void)?
  /// How many steps have been made so far, those of shrinking too.
  public private(set) var stepCount = 0

  /// A tester of one program.
  /// - Parameter makeDelegate: Makes the application's delegate, anew for every launch.
  public init(_ makeDelegate: @escaping @MainActor () -> any ApplicationDelegate) { self.makeDelegate = makeDelegate }

  /// Runs the program through one history.
  /// - Parameter history: The history.
  /// - Returns: The first failure; nil where there is none.
  public func failure(of history: History) -> Failure? {
    // The program reports errors, which are expected here.
    StandardError.$isSilent.withValue(true) { play(history) }
  }

  private func play(_ history: History) -> Failure? {
    let run = HistoryRun(self)
    for (index, step) in history.steps.enumerated() {
      stepCount += 1
      guard let message = run.perform(step) else { continue }
      return Failure(history: History(Array(history.steps[...index])), message: message, trace: run.tail)
    }
    return nil
  }

  /// Searches random histories for a failure.
  /// - Parameters:
  ///   - steps: The least number of steps.
  ///   - seed: The seed of the first history; the same search for the same seed.
  ///   - length: The number of steps of a history, which may have up to two more.
  /// - Returns: The failure with its shortest history; nil where there is none.
  public func search(steps: Int, seed: UInt64, length: Int = 50) -> Failure? {
    var seeds = SeededGenerator(seed: seed)
    let end = stepCount + steps
    while stepCount < end {
      if let failure = failure(of: History.random(seed: seeds.next(), length: length)) { return shrink(failure) }
    }
    return nil
  }

  /// Leaves out, in ever smaller pieces, what a failure of the same kind does not need.
  /// - Parameter failure: A failure.
  /// - Returns: One in whose history no step can be left out.
  public func shrink(_ failure: Failure) -> Failure {
    var shortest = failure
    var piece = max(1, shortest.history.steps.count / 2)
    while true {
      var start = 0
      var isShorter = false
      while start < shortest.history.steps.count {
        var steps = shortest.history.steps
        steps.removeSubrange(start..<min(start + piece, steps.count))
        if let shorter = self.failure(of: History(steps)), shorter.kind == failure.kind {
          shortest = shorter
          isShorter = true
        } else {
          start += piece
        }
      }
      if piece > 1 { piece /= 2 } else if !isShorter { return shortest }
    }
  }
}
