/// The machine of the question that precedes termination: whether the program may be terminated.
///
/// A pure total function of (state, input) to (state, effects). The termination itself is the application machine's.
package enum TerminationMachine {
  /// The requests and answers so far.
  package enum State: Hashable, Sendable {
    /// Nothing ends.
    case running
    /// The delegate is being asked.
    case asking(TerminationCause)
    /// The delegate answers later.
    case waiting(TerminationCause)
    /// The delegate agreed to the end of the session, which has not come yet.
    case approved
    /// The termination has begun, and is final.
    case ending
  }

  /// An event of the question.
  package enum Input: Hashable, Sendable {
    /// Something wants the program to end.
    case asked(TerminationCause)
    /// The delegate has answered the question.
    case answered(TerminateReply)
    /// The answer that was to come later: whether the program ends.
    case replied(Bool)
    /// The time for a later answer is over.
    case expired
    /// The session continues.
    case sessionContinues
  }

  /// An action that the shell performs, in this order.
  package enum Effect: Hashable, Sendable {
    /// Ask the delegate, then send `.answered`.
    case ask(TerminationCause)
    /// Send `.expired` after the time limit of a later answer.
    case hold
    /// Cancel the hold.
    case release
    /// Begin the end.
    case end(TerminationCause)
    /// Save, then report to the session manager that the session may end.
    case approve
    /// Report to the requester that the program continues.
    case refuse(TerminationCause)
  }

  /// Applies an input to a state.
  package static func reduce(_ state: State, _ input: Input) -> (State, [Effect]) {
    switch (state, input) {
    case (.running, .asked(let cause)): (.asking(cause), [.ask(cause)])
    case (.approved, .asked(.sessionQuery)): (.approved, [.approve])
    case (.approved, .asked(let cause)): (.ending, [.end(cause)])
    case (.asking(let old), .asked(let cause)): (.asking(stronger(old, cause)), [])
    case (.waiting(let old), .asked(let cause)): wait(old, cause)

    case (.asking(.sessionQuery), .answered(.now)): (.approved, [.approve])
    case (.asking(let cause), .answered(.now)): (.ending, [.end(cause)])
    case (.asking(let cause), .answered(.later)): (.waiting(cause), cause.isCancellable ? [] : [.hold])
    case (.asking(let cause), .answered(.cancel)): refuse(cause)

    case (.waiting(.sessionQuery), .replied(true)): (.approved, [.approve])
    case (.waiting(let cause), .replied(true)): (.ending, releasing(cause) + [.end(cause)])
    case (.waiting(let cause), .replied(false)): refuse(cause, releasing(cause))
    case (.waiting(let cause), .expired): (.ending, [.end(cause)])

    case (.asking(.sessionQuery), .sessionContinues), (.waiting(.sessionQuery), .sessionContinues),
      (.approved, .sessionContinues):
      (.running, [])

    case (.running, .answered), (.running, .replied), (.running, .expired), (.running, .sessionContinues),
      (.asking, .replied), (.asking, .expired), (.asking, .sessionContinues),
      (.waiting, .answered), (.waiting, .sessionContinues),
      (.approved, .answered), (.approved, .replied), (.approved, .expired),
      (.ending, .asked), (.ending, .answered), (.ending, .replied), (.ending, .expired), (.ending, .sessionContinues):
      (state, [])
    }
  }

  /// While an answer is awaited, a cause that cannot be refused replaces the question's, and has a limit.
  private static func wait(_ old: TerminationCause, _ cause: TerminationCause) -> (State, [Effect]) {
    let next = stronger(old, cause)
    return (.waiting(next), old.isCancellable && !next.isCancellable ? [.hold] : [])
  }

  /// A cause that cannot be refused precedes one that can; the session's end precedes its announcement.
  private static func stronger(_ old: TerminationCause, _ cause: TerminationCause) -> TerminationCause {
    if old.isCancellable && !cause.isCancellable { return cause }
    if old == .sessionQuery && cause.isCancellable { return cause }
    return old
  }

  private static func releasing(_ cause: TerminationCause) -> [Effect] { cause.isCancellable ? [] : [.release] }

  /// A cause that cannot be refused ends the program with any answer.
  private static func refuse(_ cause: TerminationCause, _ release: [Effect] = []) -> (State, [Effect]) {
    cause.isCancellable ? (.running, release + [.refuse(cause)]) : (.ending, release + [.end(cause)])
  }
}
