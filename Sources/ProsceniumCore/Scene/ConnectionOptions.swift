extension Scene {
  /// The reason and the content of a scene's connection.
  @preconcurrency @MainActor public struct ConnectionOptions: nonisolated Equatable {
    /// The activities to continue; not delivered again.
    ///
    /// Empty where the manifest's `replaysConnectionPayloads` is true, except when the delegate is asked for a
    /// configuration.
    public var userActivities: Set<UserActivity> = []
    /// Whether the session has been connected before, in this run or an earlier one, so that it has state to
    /// restore.
    public var isReconnect = false
    /// Whether the session connects because the program was launched, and how the last run ended.
    ///
    /// `.launch` also for every session that connects later and is not brought back.
    public var restorationReason = RestorationReason.launch

    /// The values of features.
    var values = FeatureValues()

    /// Options without content.
    public init() {}
  }
}

/// The reason for the launch of the program, for its sessions.
public enum RestorationReason: String, Hashable, Sendable, CaseIterable {
  /// No session is restored.
  case launch
  /// The last run ended in order with scenes open: quit, terminated, logged out, or its display was lost.
  case restore
  /// The last run died.
  case recover
}
