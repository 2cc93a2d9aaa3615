/// Why a scene is in the foreground but not active.
public enum InactiveReason: Hashable, Sendable, CaseIterable {
  /// The keyboard focus is elsewhere. Pointer, scroll and touch events still arrive.
  case unfocused
  /// Something else has the user's attention: another client's lasting grab, a locker, or the program's own
  /// interruption. Key, pointer and touch events are withheld and dropped.
  case interrupted
  /// The scene only passes through on its way to another state.
  case passing
}

extension SceneMachine.State {
  /// Why the scene is inactive; nil in every other state.
  package var inactiveReason: InactiveReason? { inactiveReason(at: activation) }

  /// Why the scene is inactive while it passes a state on its way; nil in every state but `foregroundInactive`.
  package func inactiveReason(at activation: ActivationState) -> InactiveReason? {
    guard activation == .foregroundInactive else { return nil }
    if target != .foregroundInactive || !countsAsVisible { return .passing }
    return isInterrupted ? .interrupted : .unfocused
  }
}
