/// The machine of suspension: when a program in the background stops running, and when it resumes.
///
/// A pure total function of (state, input) to (state, effects). The shell observes whenever something that decides may
/// have changed, at the latest after each item of the inbox; a new item in the inbox wakes the program.
package enum SuspensionMachine {
  /// Where the program stands.
  package enum State: Hashable, Sendable, CaseIterable {
    /// Code runs, and something is a reason for that.
    case running
    /// Code runs while the grace lasts.
    case held
    /// The grace period is over; items that wait in the inbox are handled first.
    case due
    /// No code runs.
    case suspended
    /// Terminated while suspended: no code runs any more.
    case ended
  }

  /// All that decides.
  package struct Facts: Hashable, Sendable {
    /// The program has chosen to be suspended.
    package var isAllowed = false
    /// The requests of the launch have been performed.
    package var isLaunched = false
    /// Every connected scene is in the background, and none is being restored or asked whether it may close.
    package var isInBackground = false
    /// A background task is open.
    package var holdsTask = false
    /// An execution mode is held: the program works although nobody looks.
    package var holdsMode = false
    /// The program ends, or is asked whether it may.
    package var isEnding = false
    /// Nothing waits in the inbox, and nothing is being handled.
    package var isIdle = false

    /// The facts of a program of which nothing is known.
    package init() {}

    /// Whether no reason is left for code to run, except items that wait in the inbox.
    package var permitSuspension: Bool {
      isAllowed && isLaunched && isInBackground && !holdsTask && !holdsMode && !isEnding
    }
  }

  /// An event of suspension.
  package enum Input: Hashable, Sendable {
    /// The facts that suspension depends on.
    case observe(Facts)
    /// The grace period is over, and all state has been saved.
    case expired
    /// Something that cannot be refused ends the program: a signal, the session, the display.
    case told
  }

  /// An action that the shell performs, in this order.
  package enum Effect: Hashable, Sendable, CaseIterable {
    /// Send `.expired` after `HoldTimes.suspension`.
    case hold
    /// Cancel the hold.
    case release
    /// Run no more code of the program, and send it nothing.
    case suspend
    /// Run code again: first the events of the suspension.
    case wake
    /// Terminate at once, without a callback: all state is saved.
    case end
  }

  /// Applies an input to a state.
  package static func reduce(_ state: State, _ input: Input) -> (State, [Effect]) {
    switch (state, input) {
    case (.running, .observe(let facts)): facts.permitSuspension ? (.held, [.hold]) : (.running, [])
    case (.held, .observe(let facts)): facts.permitSuspension ? (.held, []) : (.running, [.release])
    case (.due, .observe(let facts)):
      !facts.permitSuspension ? (.running, []) : facts.isIdle ? (.suspended, [.suspend]) : (.due, [])
    case (.suspended, .observe(let facts)):
      facts.permitSuspension && facts.isIdle ? (.suspended, []) : (.running, [.wake])
    case (.held, .expired): (.due, [])
    case (.suspended, .told): (.ended, [.end])
    case (.running, .expired), (.running, .told), (.held, .told), (.due, .expired), (.due, .told),
      (.suspended, .expired), (.ended, .observe), (.ended, .expired), (.ended, .told):
      (state, [])
    }
  }
}
