/// Who can ask the machine to wait a moment before it sleeps or shuts down: logind's delay inhibitors.
///
/// Held while a background task is open, and until everything has been saved. A delay, not a refusal: the machine waits for a few seconds at most, and goes on
/// as soon as it is released.
@MainActor package protocol SleepInhibitor: AnyObject {
  /// Asks for the delay; `reason` is for the user's eyes. Called once until ``release()`` is.
  func inhibit(reason: String)

  /// Lets the machine go on.
  func release()

  /// Everything has been saved for the sleep, or the end, that was announced: nothing but ``inhibit(reason:)`` holds it up.
  func saved()
}
