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

  /// How much longer saving may take, in milliseconds, so that the machine does not go before it is done.
  var savingTime: Int { get }
}

/// How the machine's patience is spent before it sleeps or goes down.
package enum SleepDelay {
  /// How much longer saving may take, in milliseconds: less than the machine waits, by a quarter, or a second.
  /// - Parameters:
  ///   - delay: How long the machine waits.
  ///   - elapsed: How much of that is over.
  /// - Returns: The time, which may be over.
  package static func savingTime(delay: Int, elapsed: Int) -> Int {
    max(0, delay - min(1000, delay / 4) - max(0, elapsed))
  }
}
