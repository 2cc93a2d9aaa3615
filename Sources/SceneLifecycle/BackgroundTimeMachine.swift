/// The law of background time: a pure total function of (state, input) to (state, effects).
///
/// ```
///           background, task open             warning due              end due, or no task open
///   whole -----------------------> running --------------> expiring --------------------------> spent
///                 paused <--------------->
///                         no task / task open
/// ```
///
/// In the foreground it is whole again, whatever it was. The time runs while the program is in the background and a
/// task is open. From the warning on no task begins: what is given back then would be taken away at once.
package enum BackgroundTimeMachine {
  /// What is left of the time.
  package enum Time: Hashable, Sendable, CaseIterable {
    /// All of it.
    case whole
    /// It runs out.
    case running
    /// Some has been used, and no task is open.
    case paused
    /// The expiration handlers have been called; what is open now is given up when the warning is over.
    case expiring
    /// Nothing.
    case spent
    /// The program ends: there is none any more.
    case over
  }

  /// All that the machine knows.
  package struct State: Hashable, Sendable {
    /// What is left of the time.
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

  /// What can happen.
  package enum Input: Hashable, Sendable {
    /// What is true now.
    case observe(isInBackground: Bool, hasTasks: Bool)
    /// The moment of the warning has come.
    case warned
    /// The end of the time has come.
    case expired
    /// The program has to end soon, whoever is still at work.
    case hurry
    /// Nothing but the last callback is left to be called.
    case terminate
  }

  /// What the shell has to do, in this order.
  package enum Effect: Hashable, Sendable {
    /// The first task holds the program: it is not suspended, does not end, and delays sleep and shutdown.
    case hold
    /// No task holds the program any more.
    case release
    /// Let the time run from where it was, and say `.warned` shortly before its end.
    case run
    /// Let the time stand still.
    case stop
    /// All of the time is there again.
    case refill
    /// Call the expiration handlers, and say `.expired` when the warning is over.
    case warn
    /// Name the tasks that are still open, and forget them.
    case giveUp
  }

  /// The law itself.
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
    case .hurry: return hurry(state)
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

  private static func hurry(_ state: State) -> (State, [Effect]) {
    switch state.time {
    case .whole, .running, .paused: state.holds ? (State(time: .expiring, holds: true), [.warn]) : (state, [])
    case .expiring, .spent, .over: (state, [])
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
