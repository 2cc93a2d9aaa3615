/// The machine of protected data: it becomes unavailable a moment after the screen has been locked.
///
/// A pure total function of (state, input) to (state, effects).
package enum ProtectedDataMachine {
  /// Where the data stands.
  package enum State: Hashable, Sendable, CaseIterable {
    /// It may be read and written.
    case available
    /// The program has been notified that protected data is about to become unavailable.
    case closing
    /// It is not to be read until the user is back.
    case unavailable
  }

  /// An event of protected data.
  package enum Input: Hashable, Sendable, CaseIterable {
    /// The user has gone, and every scene is in the background.
    case left
    /// The user was gone before the program was started: there is nothing that it would have to close.
    case absent
    /// The user is back; no scene has left the background yet.
    case returned
    /// The grace is over.
    case expired
  }

  /// An action that the shell performs, in this order.
  package enum Effect: Hashable, Sendable, CaseIterable {
    /// Call `applicationProtectedDataWillBecomeUnavailable`.
    case announceUnavailable
    /// Send `.expired` after ``HoldTimes/protectedData``.
    case hold
    /// Cancel the hold.
    case release
    /// Call `applicationProtectedDataDidBecomeAvailable`.
    case announceAvailable
  }

  /// Applies an input to a state.
  package static func reduce(_ state: State, _ input: Input) -> (State, [Effect]) {
    switch (state, input) {
    case (.available, .left): (.closing, [.announceUnavailable, .hold])
    case (.available, .absent): (.unavailable, [])
    case (.closing, .returned): (.available, [.release, .announceAvailable])
    case (.closing, .expired): (.unavailable, [])
    case (.unavailable, .returned): (.available, [.announceAvailable])
    case (.available, .returned), (.available, .expired): (state, [])
    case (.closing, .left), (.unavailable, .left), (.closing, .absent), (.unavailable, .absent),
      (.unavailable, .expired):
      (state, [])
    }
  }
}
