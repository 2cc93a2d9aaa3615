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

  private let makeDelegate: @MainActor () -> any ApplicationDelegate
  /// What else must be true after each step; nil where it is, else what is wrong, beginning with its kind and a colon.
  public var invariant: @MainActor (any ApplicationDelegate) -> String? = { _ in nil }
  /// Told of every line of the trace, of every program.
  package var onEntry: ((TraceRecord) -> Void)?
  /// How many steps have been made so far, those of shrinking too.
  public private(set) var stepCount = 0

  /// A tester of one program.
  /// - Parameter makeDelegate: Makes the application's delegate, anew for every launch.
  public init(_ makeDelegate: @escaping @MainActor () -> any ApplicationDelegate) { self.makeDelegate = makeDelegate }

  /// Lets one history happen.
  /// - Parameter history: The history.
  /// - Returns: What went wrong first; nil if nothing did.
  public func failure(of history: History) -> Failure? {
    // The program says what goes wrong for it, as it should; here it is meant to.
    StandardError.$isSilent.withValue(true) { play(history) }
  }

  private func play(_ history: History) -> Failure? {
    let run = HistoryRun(makeDelegate, invariant)
    run.onEntry = onEntry
    for (index, step) in history.steps.enumerated() {
      stepCount += 1
      guard let message = run.perform(step) else { continue }
      return Failure(history: History(Array(history.steps[...index])), message: message, trace: run.tail)
    }
    return nil
  }

  /// Looks for something that goes wrong in random histories.
  /// - Parameters:
  ///   - steps: How many steps to try at least.
  ///   - seed: Of the first history; the same search for the same seed.
  ///   - length: How many steps a history has, or up to two more.
  /// - Returns: What was found, shrunk; nil if nothing goes wrong.
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
