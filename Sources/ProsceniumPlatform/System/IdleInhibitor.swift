/// Who can keep the screen saver away besides the window system: the desktop's own, over the bus.
@MainActor package protocol IdleInhibitor: AnyObject {
  /// Keeps it away, or lets it come again; said only when it changes.
  func keepAwake(_ isWanted: Bool)
}
