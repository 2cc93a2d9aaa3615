/// The law of protected data: what only the user may see is closed a moment after the screen has been locked.
///
/// A pure total function of (state, input) to (state, effects).
package enum ProtectedDataMachine {
  /// Where the data stands.
  package enum State: Hashable, Sendable, CaseIterable {
    /// It may be read and written.
    case available
    /// The program has been told that it will not be available soon.
    case closing
    /// It is not to be read until the user is back.
    case unavailable
  }

  /// What can happen.
  package enum Input: Hashable, Sendable, CaseIterable {
    /// The user has gone, and every scene is in the background.
    case left
    /// The user is back, and no scene has been told yet.
    case returned
    /// The grace is over.
    case expired
  }

  /// What the shell has to do, in this order.
  package enum Effect: Hashable, Sendable, CaseIterable {
    /// Call `applicationProtectedDataWillBecomeUnavailable`.
    case announceUnavailable
    /// Say `.expired` after ``HoldTimes/protectedData``.
    case hold
    /// Forget the hold.
    case release
    /// Call `applicationProtectedDataDidBecomeAvailable`.
    case announceAvailable
  }

  /// The law itself.
  package static func reduce(_ state: State, _ input: Input) -> (State, [Effect]) {
    switch (state, input) {
    case (.available, .left): (.closing, [.announceUnavailable, .hold])
    case (.closing, .returned): (.available, [.release, .announceAvailable])
    case (.closing, .expired): (.unavailable, [])
    case (.unavailable, .returned): (.available, [.announceAvailable])
    case (.available, .returned), (.available, .expired): (state, [])
    case (.closing, .left), (.unavailable, .left), (.unavailable, .expired): (state, [])
    }
  }
}
