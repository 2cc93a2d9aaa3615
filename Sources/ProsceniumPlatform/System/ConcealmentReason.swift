/// A reason that conceals all scenes of the program, regardless of the levels of its windows.
package enum ConcealmentReason: String, Hashable, Sendable, CaseIterable {
  /// The screen is locked.
  case locked
  /// Another user's session, or a text console, is in front.
  case switchedAway
  /// The machine is about to sleep, or sleeps.
  case sleeping
  /// The machine is about to be shut down.
  case shuttingDown

  /// Whether another person may be at the machine.
  package var protectsData: Bool { self == .locked || self == .switchedAway }

  /// Whether the machine waits until the program has saved.
  package var waitsForSaving: Bool { self == .sleeping || self == .shuttingDown }
}
