/// Delays sleep and shutdown of the machine, as logind's delay inhibitors do.
///
/// The delay lasts until the program has saved and no background task is open. The machine waits for a few seconds at
/// most.
@MainActor package protocol SleepInhibitor: AnyObject {
  /// Requests the delay for background tasks; called once until ``release()`` is.
  /// - Parameter reason: A text for the user.
  func inhibit(reason: String)

  /// Ends the delay for background tasks.
  func release()

  /// Ends the delay for saving: the program has saved for the announced sleep or shutdown.
  func saved()

  /// The time left for saving before the machine sleeps, in milliseconds.
  var savingTime: Int { get }
}

/// The division of the delay before the machine sleeps or shuts down.
package enum SleepDelay {
  /// The time left for saving, in milliseconds: less than the machine waits, by a quarter, or a second.
  /// - Parameters:
  ///   - delay: How long the machine waits, in milliseconds.
  ///   - elapsed: How much of that is over, in milliseconds.
  /// - Returns: The time that is left; 0 where it is over.
  package static func savingTime(delay: Int, elapsed: Int) -> Int {
    max(0, delay - min(1000, delay / 4) - max(0, elapsed))
  }
}
