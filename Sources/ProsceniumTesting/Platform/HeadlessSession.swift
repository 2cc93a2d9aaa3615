import ProsceniumPlatform

/// The session manager's side of its conversation with one program.
struct HeadlessSession {
  /// Where the end of the session is.
  private enum State: Equatable {
    case running
    /// The program has been asked to save, and may be asking its user.
    case ending(isCancelledElsewhere: Bool)
  }

  private var state = State.running
  private var isCancelled = false

  /// Whether the program has been asked, and has not answered.
  var isEnding: Bool { state != .running }

  /// Asks the program to save because the session ends.
  mutating func end(mayInteract: Bool, isCancelledElsewhere: Bool) -> PlatformEvent {
    state = .ending(isCancelledElsewhere: isCancelledElsewhere)
    isCancelled = false
    return .sessionSave(endsSession: true, mayInteract: mayInteract)
  }

  /// The session goes on, whatever the program is going to answer.
  mutating func cancel() -> PlatformEvent? {
    guard isEnding else { return nil }
    state = .running
    return .sessionSaveCancelled
  }

  /// Receives the program's message.
  /// - Returns: The session manager's answer; nil where it has none.
  mutating func answer(_ command: PlatformCommand) -> PlatformEvent? {
    guard case .ending(let isCancelledElsewhere) = state else { return nil }
    switch command {
    case .sessionInteraction(let cancels):
      isCancelled = cancels
      return nil
    case .sessionSaved:
      state = .running
      return isCancelled || isCancelledElsewhere ? .sessionSaveCancelled : .sessionEnded
    default: return nil
    }
  }
}
