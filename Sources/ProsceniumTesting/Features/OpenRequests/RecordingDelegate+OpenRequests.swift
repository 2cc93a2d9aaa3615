public import FoundationEssentials
public import ProsceniumCore
public import ProsceniumPlatform

extension RecordingDelegate {
  public func application(_ application: Application, didReceiveSecondLaunch launch: SecondLaunch) {
    record("didReceiveSecondLaunch", nil, launch.arguments.joined(separator: " "), value: launch)
  }

  public func application(_ application: Application, open url: URL, options: Scene.OpenURLOptions) -> Bool {
    record("openURL", nil, url.absoluteString, value: OpenURLContext(url: url, options: options))
    return performs
  }

  public func application(
    _ application: Application, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @MainActor (Bool) -> Void
  ) {
    record("performActionFor", nil, shortcutItem.type, value: shortcutItem)
    completionHandler(performs)
  }

  public func application(
    _ application: Application, willContinueUserActivityWithType userActivityType: String
  ) -> Bool {
    record("willContinueUserActivityWithType", nil, userActivityType)
    return false
  }

  public func application(
    _ application: Application, continue userActivity: UserActivity,
    restorationHandler: @escaping @MainActor ([Responder]?) -> Void
  ) -> Bool {
    record("continueUserActivity", nil, userActivity.activityType, value: userActivity)
    if performs { restorationHandler([self]) }
    return performs
  }

  public func application(
    _ application: Application, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
  ) {
    record("didFailToContinueUserActivityWithType", nil, userActivityType, value: error)
  }
}

extension RecordingSceneDelegate {
  public func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) {
    record(
      "openURLContexts", scene, urlContexts.map(\.url.absoluteString).sorted().joined(separator: " "),
      value: urlContexts)
  }

  public func windowScene(
    _ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @MainActor (Bool) -> Void
  ) {
    record("performActionFor", windowScene, shortcutItem.type, value: shortcutItem)
    completionHandler(owner.performs)
  }

  public func scene(_ scene: Scene, willContinueUserActivityWithType userActivityType: String) {
    record("willContinueUserActivityWithType", scene, userActivityType)
  }

  public func scene(_ scene: Scene, continue userActivity: UserActivity) {
    record("continueUserActivity", scene, userActivity.activityType, value: userActivity)
  }

  public func scene(
    _ scene: Scene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
  ) {
    record("didFailToContinueUserActivityWithType", scene, userActivityType, value: error)
  }
}
