/// What was asked and answered about the window manager.
struct ManagerKnowledge {
  /// Atoms that have been asked for.
  var asked: Set<AtomName> = []
  /// The number of the newest check; older ones' answers are dropped.
  var check = 0
  /// The check under way: the answers so far.
  var redirects = false
  var isValidated = false
  var name: String?
  /// `_NET_SUPPORTED` (EWMH, "Root Window Properties"); nil until the first check has ended.
  var supported: Set<UInt32>?
  /// `_NET_SHOWING_DESKTOP` as it is found may be believed: the window manager was there before us.
  var mayShowDesktop = false
  /// SyncInitialize has been sent, which has to come before other requests of that extension.
  var isSyncInitialized = false
}
