/// The machine of background time: a pure total function of (state, input) to (state, effects).
///
/// ```
///           background, task open             warning due              end due, or no task open
///   whole -----------------------> running --------------> expiring --------------------------> spent
///                 paused <--------------->
///                         no task / task open
/// ```
///
/// In the foreground the time is whole, in any earlier state. It runs while the program is in the background and a
/// task is open. From the warning on no task begins, because it would expire at once.
package enum BackgroundTimeMachine {
  /// The remaining background time.
  package enum Time: Hashable, Sendable, CaseIterable {
    /// All of it.
    case whole
    /// It runs out.
    case running
    /// Some has been used, and no task is open.
    case paused
    /// The expiration handlers have been called; tasks that are still open end when the warning is over.
    case expiring
    /// Nothing.
    case spent
    /// The program ends: there is none any more.
    case over
  }

  /// All that the machine knows.
  package struct State: Hashable, Sendable {
    /// The remaining background time.
    package var time: Time
    /// Whether a task holds the program.
    package var holds: Bool

    /// A program without tasks, or any other state for a test.
    package init(time: Time = .whole, holds: Bool = false) {
      self.time = time
      self.holds = holds
    }

    /// Whether a task that wants to begin is refused.
    package var refuses: Bool {
      switch time {
      case .whole, .running, .paused: false
      case .expiring, .spent, .over: true
      }
    }
  }

  /// An event that changes the background time.
  package enum Input: Hashable, Sendable {
    /// The facts that the time depends on.
    case observe(isInBackground: Bool, hasTasks: Bool)
    /// The moment of the warning has come.
    case warned
    /// The end of the time has come.
    case expired
    /// Work begins that was scheduled for now: it has all of the time.
    case grant
    /// The program has to end soon, with or without open tasks.
    case hurry
    /// Nothing but the last callback is left to be called.
    case terminate
  }

  /// An action that the shell performs, in this order.
  package enum Effect: Hashable, Sendable {
    /// The first task holds the program: it is not suspended, does not end, and delays sleep and shutdown.
    case hold
    /// No task holds the program any more.
    case release
    /// Let the time run from where it was, and send `.warned` shortly before its end.
    case run
    /// Let the time stand still.
    case stop
    /// All of the time is there again.
    case refill
    /// Call the expiration handlers, and send `.expired` when the warning is over.
    case warn
    /// Report the tasks that are still open, and remove them.
    case giveUp
  }

  /// Applies an input to a state.
  /// - Parameters:
  ///   - state: The state before.
  ///   - input: The input.
  /// - Returns: The state after, and the effects in the order in which they are performed.
  package static func reduce(_ state: State, _ input: Input) -> (State, [Effect]) {
    switch input {
    case .observe(let isInBackground, let hasTasks):
      let (time, effects) = observe(state.time, isInBackground: isInBackground, hasTasks: hasTasks)
      let hold: [Effect] = hasTasks && !state.holds ? [.hold] : []
      let release: [Effect] = state.holds && !hasTasks ? [.release] : []
      return (State(time: time, holds: hasTasks), hold + effects + release)
    case .warned:
      guard state.time == .running else { return (state, []) }
      return (State(time: .expiring, holds: state.holds), [.warn])
    case .expired:
      guard state.time == .expiring else { return (state, []) }
      return (State(time: .spent, holds: false), giveUp(state))
    case .grant:
      let (time, effects) = grant(state.time)
      return (State(time: time, holds: state.holds), effects)
    case .hurry: return state.holds && !state.refuses ? (State(time: .expiring, holds: true), [.warn]) : (state, [])
    case .terminate:
      let stop: [Effect] = isRunning(state.time) ? [.stop] : []
      return (State(time: .over, holds: false), stop + giveUp(state))
    }
  }

  private static func observe(_ time: Time, isInBackground: Bool, hasTasks: Bool) -> (Time, [Effect]) {
    switch (time, isInBackground, hasTasks) {
    case (.over, _, _): (.over, [])
    case (.whole, false, _): (.whole, [])
    case (.paused, false, _), (.spent, false, _): (.whole, [.refill])
    case (.running, false, _), (.expiring, false, _): (.whole, [.stop, .refill])
    case (.whole, true, true), (.paused, true, true): (.running, [.run])
    case (.running, true, false): (.paused, [.stop])
    case (.expiring, true, false): (.spent, [.stop])
    case (.whole, true, false), (.paused, true, false), (.spent, true, false): (time, [])
    case (.running, true, true), (.expiring, true, true), (.spent, true, true): (time, [])
    }
  }

  /// Not within a warning, which tasks have been told of, and not at the end.
  private static func grant(_ time: Time) -> (Time, [Effect]) {
    switch time {
    case .running: (.running, [.stop, .refill, .run])
    case .paused, .spent: (.whole, [.refill])
    case .whole, .expiring, .over: (time, [])
    }
  }

  private static func isRunning(_ time: Time) -> Bool {
    switch time {
    case .running, .expiring: true
    case .whole, .paused, .spent, .over: false
    }
  }

  private static func giveUp(_ state: State) -> [Effect] { state.holds ? [.giveUp, .release] : [] }
}
