/// The law of suspension: when a program that nobody looks at stops running, and when it goes on.
///
/// A pure total function of (state, input) to (state, effects). The shell observes whenever something that decides may
/// have changed, at the latest after each item of the inbox; what wakes the program is what comes into its inbox.
package enum SuspensionMachine {
  /// Where the program stands.
  package enum State: Hashable, Sendable, CaseIterable {
    /// Code runs, and something is a reason for that.
    case running
    /// Code runs while the grace lasts.
    case held
    /// The grace is over; what waits in the inbox is done first.
    case due
    /// No code runs.
    case suspended
    /// Told to end while suspended: no code runs any more.
    case ended
  }

  /// All that decides.
  package struct Facts: Hashable, Sendable {
    /// The program has chosen to be suspended.
    package var isAllowed: Bool
    /// What the launch asked for has been done.
    package var isLaunched: Bool
    /// Every connected scene is in the background, and none is being restored or asked whether it may close.
    package var isInBackground: Bool
    /// A background task is open.
    package var holdsTask: Bool
    /// The program ends, or is asked whether it may.
    package var isEnding: Bool
    /// Nothing waits in the inbox, and nothing is being handled.
    package var isIdle: Bool

    /// The facts of a program of which nothing is known, or any others.
    package init(
      isAllowed: Bool = false, isLaunched: Bool = false, isInBackground: Bool = false, holdsTask: Bool = false,
      isEnding: Bool = false, isIdle: Bool = false
    ) {
      self.isAllowed = isAllowed
      self.isLaunched = isLaunched
      self.isInBackground = isInBackground
      self.holdsTask = holdsTask
      self.isEnding = isEnding
      self.isIdle = isIdle
    }

    /// Whether there is no reason for code to run, but for what waits in the inbox.
    package var permitSuspension: Bool { isAllowed && isLaunched && isInBackground && !holdsTask && !isEnding }
  }

  /// What can happen.
  package enum Input: Hashable, Sendable {
    /// What is true now.
    case observe(Facts)
    /// The grace is over, and everything has been saved.
    case expired
    /// Something that cannot be refused ends the program: a signal, the session, the display.
    case told
  }

  /// What the shell has to do, in this order.
  package enum Effect: Hashable, Sendable, CaseIterable {
    /// Say `.expired` after `HoldTimes.suspension`.
    case hold
    /// Forget the hold.
    case release
    /// Run no more code of the program, and say nothing to it.
    case suspend
    /// Run code again: first what happened meanwhile.
    case wake
    /// End at once, without calling anything: all was saved.
    case end
  }

  /// The law itself.
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
