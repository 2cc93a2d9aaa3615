public import FoundationEssentials
public import ProsceniumCore
public import ProsceniumPlatform

extension RecordingDelegate {
  /// Records `didReceiveSecondLaunch` with the arguments.
  public func application(_ application: Application, didReceiveSecondLaunch launch: SecondLaunch) {
    record("didReceiveSecondLaunch", nil, launch.arguments.joined(separator: " "), value: launch)
  }

  /// Records `openURL` with the URL; answers ``performs``.
  public func application(_ application: Application, open url: URL, options: Scene.OpenURLOptions) -> Bool {
    record("openURL", nil, url.absoluteString, value: OpenURLContext(url: url, options: options))
    return performs
  }

  /// Records `performActionFor` with the item's type; answers ``performs``.
  public func application(
    _ application: Application, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @MainActor (Bool) -> Void
  ) {
    record("performActionFor", nil, shortcutItem.type, value: shortcutItem)
    completionHandler(performs)
  }

  /// Records `willContinueUserActivityWithType` with the type; answers false.
  public func application(
    _ application: Application, willContinueUserActivityWithType userActivityType: String
  ) -> Bool {
    record("willContinueUserActivityWithType", nil, userActivityType)
    return false
  }

  /// Records `continueUserActivity` with the type; answers ``performs``.
  ///
  /// Where that is true, this responder's `restoreUserActivityState(_:)` is called.
  public func application(
    _ application: Application, continue userActivity: UserActivity,
    restorationHandler: @escaping @MainActor ([Responder]?) -> Void
  ) -> Bool {
    record("continueUserActivity", nil, userActivity.activityType, value: userActivity)
    if performs { restorationHandler([self]) }
    return performs
  }

  /// Records `didFailToContinueUserActivityWithType` with the type.
  public func application(
    _ application: Application, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
  ) {
    record("didFailToContinueUserActivityWithType", nil, userActivityType, value: error)
  }
}

extension RecordingSceneDelegate {
  /// Records `openURLContexts` with the URLs in alphabetical order.
  public func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) {
    record(
      "openURLContexts", scene, urlContexts.map(\.url.absoluteString).sorted().joined(separator: " "),
      value: urlContexts)
  }

  /// Records `performActionFor` with the item's type; answers ``RecordingDelegate/performs``.
  public func windowScene(
    _ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @MainActor (Bool) -> Void
  ) {
    record("performActionFor", windowScene, shortcutItem.type, value: shortcutItem)
    completionHandler(owner.performs)
  }

  /// Records `willContinueUserActivityWithType` with the type.
  public func scene(_ scene: Scene, willContinueUserActivityWithType userActivityType: String) {
    record("willContinueUserActivityWithType", scene, userActivityType)
  }

  /// Records `continueUserActivity` with the type.
  public func scene(_ scene: Scene, continue userActivity: UserActivity) {
    record("continueUserActivity", scene, userActivity.activityType, value: userActivity)
  }

  /// Records `didFailToContinueUserActivityWithType` with the type.
  public func scene(_ scene: Scene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error) {
    record("didFailToContinueUserActivityWithType", scene, userActivityType, value: error)
  }
}
