/// The counter that reports to a window manager which resize has been drawn (EWMH, `_NET_WM_SYNC_REQUEST`).
struct WindowSync {
  /// The counter; 0 while there is none.
  var counter: UInt32 = 0
  /// The value that the window manager waits for.
  var requested: UInt64?
  /// Whether the resize that the request announced has been delivered.
  var isDue = false
}
