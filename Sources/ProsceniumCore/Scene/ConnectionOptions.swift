extension Scene {
  /// Why and with what a scene connects.
  @preconcurrency @MainActor public struct ConnectionOptions {
    /// URLs to open; not delivered again.
    public var urlContexts: Set<OpenURLContext> = []
    /// Activities to go on with; not delivered again.
    public var userActivities: Set<UserActivity> = []
    /// Whether the session has been connected before, in this run or an earlier one, so that there is something to
    /// bring back.
    public var isReconnect = false
    /// Whether the session connects because the program was launched, and how the last run ended.
    ///
    /// `.launch` also for every session that connects later.
    public var restorationReason = RestorationReason.launch

    /// No reason at all, or what a test wants.
    public init(urlContexts: Set<OpenURLContext> = [], userActivities: Set<UserActivity> = []) {
      self.urlContexts = urlContexts
      self.userActivities = userActivities
    }
  }
}

/// Why the program was launched, as far as its sessions are concerned.
public enum RestorationReason: String, Hashable, Sendable, CaseIterable {
  /// There is nothing to bring back.
  case launch
  /// The last run ended in order with scenes open: quit, told to end, logged out, or its display gone.
  case restore
  /// The last run died.
  case recover
}
