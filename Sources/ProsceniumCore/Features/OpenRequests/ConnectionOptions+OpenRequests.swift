extension Scene.ConnectionOptions {
  /// Options with content, as a test makes them.
  /// - Parameters:
  ///   - urlContexts: The URLs to open.
  ///   - userActivities: The activities to continue.
  ///   - shortcutItem: The shortcut item to perform.
  public init(
    urlContexts: Set<OpenURLContext> = [], userActivities: Set<UserActivity> = [],
    shortcutItem: ApplicationShortcutItem? = nil
  ) {
    self.init()
    self.urlContexts = urlContexts
    self.shortcutItem = shortcutItem
    self.userActivities = userActivities
  }

  /// The URLs to open; not delivered again.
  ///
  /// Empty where ``ApplicationManifest/replaysConnectionPayloads`` is true, but when the delegate is asked for a
  /// configuration.
  public var urlContexts: Set<OpenURLContext> {
    get { values[URLContextsKey.self] }
    set { values[URLContextsKey.self] = newValue }
  }

  /// The type of an activity that was announced and has not arrived: the delegate's
  /// `scene(_:willContinueUserActivityWithType:)` follows.
  public var handoffUserActivityType: String? {
    get { values[HandoffTypeKey.self] }
    set { values[HandoffTypeKey.self] = newValue }
  }

  /// The program's shortcut item that a launcher requests; not performed again.
  ///
  /// Nil where ``ApplicationManifest/replaysConnectionPayloads`` is true, but when the delegate is asked for a
  /// configuration.
  public var shortcutItem: ApplicationShortcutItem? {
    get { values[ShortcutItemKey.self] }
    set { values[ShortcutItemKey.self] = newValue }
  }

  /// The id of the application that sent the request, by its process: see ``LaunchOptions/sourceApplication``; nil
  /// where there is none, or it is unknown.
  public var sourceApplication: String? {
    get { values[SourceApplicationKey.self] }
    set { values[SourceApplicationKey.self] = newValue }
  }
}

private enum URLContextsKey: FeatureValueKey { static var initial: Set<OpenURLContext> { [] } }
private enum HandoffTypeKey: FeatureValueKey { static var initial: String? { nil } }
private enum ShortcutItemKey: FeatureValueKey { static var initial: ApplicationShortcutItem? { nil } }
private enum SourceApplicationKey: FeatureValueKey { static var initial: String? { nil } }
