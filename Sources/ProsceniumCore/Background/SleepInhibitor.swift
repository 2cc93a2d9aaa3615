/// Who can ask the machine to wait a moment before it sleeps or shuts down: logind's delay inhibitors.
///
/// Held while a background task is open. A delay, not a refusal: the machine waits for a few seconds at most, and goes on
/// as soon as it is released.
@MainActor package protocol SleepInhibitor: AnyObject {
  /// Asks for the delay; `reason` is for the user's eyes. Called once until ``release()`` is.
  func inhibit(reason: String)

  /// Lets the machine go on.
  func release()
}
