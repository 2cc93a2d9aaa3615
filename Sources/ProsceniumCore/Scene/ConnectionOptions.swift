extension Scene {
  /// Why and with what a scene connects.
  @preconcurrency @MainActor public struct ConnectionOptions: nonisolated Equatable {
    /// URLs to open; not delivered again.
    ///
    /// Empty where ``ApplicationDelegate/replaysConnectionPayloads`` is true, but for whoever is asked for the
    /// configuration.
    public var urlContexts: Set<OpenURLContext> = []
    /// Activities to go on with; not delivered again.
    ///
    /// Empty where ``ApplicationDelegate/replaysConnectionPayloads`` is true, but for whoever is asked for the
    /// configuration.
    public var userActivities: Set<UserActivity> = []
    /// The kind of an activity that was announced and is not there yet: the delegate's
    /// ``SceneDelegate/scene(_:willContinueUserActivityWithType:)`` follows.
    public var handoffUserActivityType: String?
    /// The item of the program's that a launcher asks for; not performed again.
    ///
    /// Nil where ``ApplicationDelegate/replaysConnectionPayloads`` is true, but for whoever is asked for the configuration.
    public var shortcutItem: ApplicationShortcutItem?
    /// The id of the application that asks for all this, as the bus says; nil where nobody does, or nobody knows.
    public var sourceApplication: String?
    /// Whether the session has been connected before, in this run or an earlier one, so that there is something to
    /// bring back.
    public var isReconnect = false
    /// Whether the session connects because the program was launched, and how the last run ended.
    ///
    /// `.launch` also for every session that connects later.
    public var restorationReason = RestorationReason.launch

    /// No reason at all, or what a test wants.
    public init(
      urlContexts: Set<OpenURLContext> = [], userActivities: Set<UserActivity> = [],
      shortcutItem: ApplicationShortcutItem? = nil
    ) {
      self.urlContexts = urlContexts
      self.shortcutItem = shortcutItem
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
