extension Scene {
  /// Why and with what a scene connects.
  @preconcurrency @MainActor public struct ConnectionOptions: nonisolated Equatable {
    /// The activities to continue; not delivered again.
    ///
    /// Empty where the manifest's `replaysConnectionPayloads` is true, but when the delegate is asked for a configuration.
    public var userActivities: Set<UserActivity> = []
    /// Whether the session has been connected before, in this run or an earlier one, so that there is something to
    /// bring back.
    public var isReconnect = false
    /// Whether the session connects because the program was launched, and how the last run ended.
    ///
    /// `.launch` also for every session that connects later.
    public var restorationReason = RestorationReason.launch

    /// What features add.
    var values = FeatureValues()

    /// Options without content.
    public init() {}
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
