/// Keeps the desktop environment's screen saver away, as the window system does with the X server's.
@MainActor package protocol IdleInhibitor: AnyObject {
  /// Keeps the screen saver away or allows it again; called when that changes.
  func setInhibited(_ isWanted: Bool)
}
