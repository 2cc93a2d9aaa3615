extension Scene {
  /// Why and with what a scene connects.
  @preconcurrency @MainActor public struct ConnectionOptions {
    /// URLs to open; not delivered again.
    public var urlContexts: Set<OpenURLContext> = []
    /// Activities to go on with; not delivered again.
    public var userActivities: Set<UserActivity> = []
    /// Whether the session has been connected before, so that there is something to bring back.
    public var isReconnect = false

    /// No reason at all, or what a test wants.
    public init(urlContexts: Set<OpenURLContext> = [], userActivities: Set<UserActivity> = []) {
      self.urlContexts = urlContexts
      self.userActivities = userActivities
    }
  }
}
