/// Whether there is a window manager whose word about windows can be believed.
package enum WindowManagerState: Hashable, Sendable, CaseIterable {
  /// One ran and is gone.
  case absent
  /// One has just come, gone or been replaced: properties are stale and everything may be mapped.
  case changing
  /// One runs since a while, or none has run since the program started.
  case settled
}

/// The law of the bare window that a disconnected session keeps: when the user brings it back.
///
/// Brought back means visible for a moment under a settled window manager, or newly focused; never while the
/// manager is absent or changing, because everything is mapped when one dies.
package enum BareWindowMachine {
  /// What is known of the window.
  package enum State: Hashable, Sendable, CaseIterable {
    /// Out of sight.
    case resting
    /// Visible, but not to be believed or not for long enough.
    case appearing
    /// The session is being connected again; nothing more is asked of the window.
    case recalled
  }

  /// What can happen to it.
  package enum Input: Hashable, Sendable {
    /// A batch has ended with these facts; `gainedFocus` only if it was not focused before.
    case observe(visible: Bool, gainedFocus: Bool, windowManager: WindowManagerState)
    /// The deadline has passed.
    case expired
  }

  /// What the shell has to do.
  package enum Effect: Hashable, Sendable {
    /// Say `.expired` after `HoldTimes.bareWindow`.
    case hold
    /// Forget the deadline.
    case release
    /// Connect the session again.
    case reconnect
  }

  /// The law itself.
  package static func reduce(_ state: State, _ input: Input) -> (State, [Effect]) {
    switch (state, input) {
    case (.recalled, _): return (.recalled, [])
    case (.resting, .expired): return (.resting, [])
    case (.appearing, .expired): return (.recalled, [.reconnect])
    case (.resting, .observe(_, true, .settled)): return (.recalled, [.reconnect])
    case (.resting, .observe(true, false, .settled)): return (.appearing, [.hold])
    case (.resting, .observe(false, false, .settled)): return (.resting, [])
    case (.resting, .observe(_, _, .absent)), (.resting, .observe(_, _, .changing)): return (.resting, [])
    case (.appearing, .observe(_, true, .settled)): return (.recalled, [.release, .reconnect])
    case (.appearing, .observe(true, false, .settled)): return (.appearing, [])
    case (.appearing, .observe(false, false, .settled)): return (.resting, [.release])
    case (.appearing, .observe(_, _, .absent)), (.appearing, .observe(_, _, .changing)):
      return (.resting, [.release])
    }
  }
}
