/// Whether a window manager runs and the properties that it sets on windows are current.
package enum WindowManagerState: Hashable, Sendable, CaseIterable {
  /// One ran and is gone.
  case absent
  /// One has just started, ended or been replaced: properties are stale and all windows may be mapped.
  case changing
  /// One runs since a while, or none has run since the program started.
  case settled
}

/// The machine of the bare window that a disconnected session keeps: when the user brings it back.
///
/// The user brings it back by making it visible for a moment under a settled window manager, or focusing it; never
/// while the manager is absent or changing, because all windows are mapped when one dies.
package enum BareWindowMachine {
  /// The state of the bare window.
  package enum State: Hashable, Sendable, CaseIterable {
    /// The window is hidden.
    case resting
    /// Visible, but under an unsettled window manager or not for long enough.
    case appearing
    /// The session is being connected again; nothing more is asked of the window.
    case recalled
  }

  /// An event of the bare window.
  package enum Input: Hashable, Sendable {
    /// A batch has ended with these facts; `gainedFocus` only if it was not focused before.
    case observe(visible: Bool, gainedFocus: Bool, windowManager: WindowManagerState)
    /// The deadline has passed.
    case expired
  }

  /// An action that the shell performs.
  package enum Effect: Hashable, Sendable {
    /// Send `.expired` after `HoldTimes.bareWindow`.
    case hold
    /// Cancel the deadline.
    case release
    /// Connect the session again.
    case reconnect
  }

  /// Applies an input to a state.
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
