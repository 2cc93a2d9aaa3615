/// Where a program stores its sessions.
package enum StoreSource {
  /// Nowhere: they end with the process.
  case none
  /// In a store that a test made.
  case given(SessionStore)
  /// In the user's state directory, as `XDG_STATE_HOME` and `HOME` of these variables name it.
  case directory(environment: [String: String])
}
