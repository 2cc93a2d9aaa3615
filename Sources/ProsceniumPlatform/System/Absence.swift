/// Why nobody can look at the program, whatever its windows say.
package enum Absence: String, Hashable, Sendable, CaseIterable {
  /// The screen is locked.
  case locked
  /// Another user's session, or a text console, is in front.
  case switchedAway
  /// The machine is about to sleep, or has not woken up yet.
  case sleeping
  /// The machine is about to be shut down.
  case shuttingDown

  /// Whether somebody else may be at the machine.
  package var protectsData: Bool {
    switch self {
    case .locked, .switchedAway: true
    case .sleeping, .shuttingDown: false
    }
  }

  /// Whether the machine waits for everything to be saved.
  package var waitsForSaving: Bool {
    switch self {
    case .sleeping, .shuttingDown: true
    case .locked, .switchedAway: false
    }
  }
}
