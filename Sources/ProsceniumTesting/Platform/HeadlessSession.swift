import ProsceniumPlatform

/// The session manager's side of its conversation with one program.
struct HeadlessSession {
  /// Whether the program has been asked to save because the session ends, and has not answered; it may be asking its
  /// user.
  private(set) var isEnding = false
  /// Whether the program cancels the end of the session.
  var isCancelled = false
  private var isCancelledElsewhere = false

  /// Asks the program to save because the session ends.
  mutating func ask(mayInteract: Bool, isCancelledElsewhere: Bool) -> PlatformEvent {
    self = HeadlessSession(isEnding: true, isCancelledElsewhere: isCancelledElsewhere)
    return .sessionSave(endsSession: true, mayInteract: mayInteract)
  }

  /// The session goes on, whatever the program is going to answer.
  mutating func cancel() -> PlatformEvent? {
    isCancelled = true
    return end()
  }

  /// The program has saved.
  /// - Returns: The session manager's answer; nil where it has not asked.
  mutating func end() -> PlatformEvent? {
    guard isEnding else { return nil }
    isEnding = false
    return isCancelled || isCancelledElsewhere ? .sessionSaveCancelled : .sessionEnded
  }
}
