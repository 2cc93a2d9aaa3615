/// Inhibits the desktop environment's screen saver, as the window system does the X server's.
@MainActor package protocol IdleInhibitor: AnyObject {
  /// Inhibits the screen saver or permits it again; called when that changes.
  func setInhibited(_ isWanted: Bool)
}
