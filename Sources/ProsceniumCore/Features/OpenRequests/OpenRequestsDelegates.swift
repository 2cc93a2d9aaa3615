public import FoundationEssentials

/// The callbacks of an ``ApplicationDelegate`` about requests of other programs.
@preconcurrency @MainActor public protocol OpenRequestsApplicationDelegate: AnyObject {
  /// A second start of the program has sent its command line to this one (our addition).
  ///
  /// In both models, on the main thread, after the launch callbacks, and before any scene is brought forward for it or
  /// called. Not called for a request without a command line, as a launcher's over D-Bus.
  /// What of it is neither an option of the framework nor opened by it is lost without this method, which is reported.
  /// - Parameters:
  ///   - application: The application.
  ///   - launch: The command line, and its working directory.
  func application(_ application: Application, didReceiveSecondLaunch launch: SecondLaunch)

  /// App-based model only: a URL is to be opened; called once for each.
  ///
  /// Those of the launch come after `application(_:didFinishLaunchingWithOptions:)`, before the scene becomes active,
  /// and not at all if one of the two launch callbacks returned false, which means that they have been handled. Later
  /// ones bring the program forward first: between `applicationWillEnterForeground` and `applicationDidBecomeActive`,
  /// or five seconds later where the window manager does not show it.
  /// - Parameters:
  ///   - application: The application.
  ///   - url: The URL.
  ///   - options: The properties of the request.
  /// - Returns: Whether it was opened; not used.
  func application(_ application: Application, open url: URL, options: Scene.OpenURLOptions) -> Bool

  /// App-based model only: a launcher requests one of the ``ApplicationManifest/shortcutItems``.
  ///
  /// Called when ``application(_:open:options:)`` would be: at a launch after
  /// `application(_:didFinishLaunchingWithOptions:)`, unless one of the launch callbacks returned false; later
  /// between `applicationWillEnterForeground` and `applicationDidBecomeActive`.
  /// - Parameters:
  ///   - application: The application.
  ///   - shortcutItem: The item.
  ///   - completionHandler: To be called on the main thread, now or later, with whether it was performed, which is
  ///     traced.
  func application(
    _ application: Application, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @MainActor (Bool) -> Void)

  /// The asynchronous form of ``application(_:performActionFor:completionHandler:)``: called where that one is not
  /// implemented.
  /// - Parameters:
  ///   - application: The application.
  ///   - shortcutItem: The item.
  /// - Returns: Whether it was performed.
  func application(_ application: Application, performActionFor shortcutItem: ApplicationShortcutItem) async -> Bool

  /// App-based model only: an activity is about to be delivered; see
  /// ``OpenRequestsSceneDelegate/scene(_:willContinueUserActivityWithType:)``.
  /// - Parameters:
  ///   - application: The application.
  ///   - userActivityType: The type of the activity.
  /// - Returns: Whether the program informs the user; the framework does not.
  func application(_ application: Application, willContinueUserActivityWithType userActivityType: String) -> Bool

  /// App-based model only: an activity is delivered.
  /// - Parameters:
  ///   - application: The application.
  ///   - userActivity: The activity to continue.
  ///   - restorationHandler: May be called, now or later, on the main thread, with the responders that continue
  ///     it: each one's ``Responder/restoreUserActivityState(_:)`` is called.
  /// - Returns: Whether it is continued: only then its delegate receives
  ///   ``UserActivityDelegate/userActivityWasContinued(_:)``. If not, its ``UserActivity/webpageURL`` is opened in the
  ///   user's web browser.
  func application(
    _ application: Application, continue userActivity: UserActivity,
    restorationHandler: @escaping @MainActor ([Responder]?) -> Void
  ) -> Bool

  /// App-based model only: an announced activity cannot be delivered.
  /// - Parameters:
  ///   - application: The application.
  ///   - userActivityType: The type of the activity.
  ///   - error: The reason, as a ``UserActivityError``.
  func application(
    _ application: Application, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)
}

extension OpenRequestsApplicationDelegate {
  /// Does nothing; arguments that are neither the framework's own nor opened by it are reported as lost, an error.
  public func application(_ application: Application, didReceiveSecondLaunch launch: SecondLaunch) {
    SecondLaunchCall.reportLoss(of: launch, by: self, application)
  }
  /// Opens nothing; the loss is reported as an error.
  public func application(_ application: Application, open url: URL, options: Scene.OpenURLOptions) -> Bool {
    let part = RequestPart.urls([OpenURLContext(url: url, options: options)])
    ApplicationRequestCall(part: part).reportLoss(by: self, application)
    return false
  }
  /// Calls the asynchronous form, and answers what that returns.
  public func application(
    _ application: Application, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @MainActor (Bool) -> Void
  ) {
    Task.immediate { @MainActor in
      completionHandler(await self.application(application, performActionFor: shortcutItem))
    }
  }
  /// Performs nothing; the loss is reported as an error.
  public func application(
    _ application: Application, performActionFor shortcutItem: ApplicationShortcutItem
  ) async -> Bool {
    ApplicationRequestCall(part: .shortcut(shortcutItem)).reportLoss(by: self, application)
    return false
  }
  /// Does not inform the user.
  public func application(_ application: Application, willContinueUserActivityWithType userActivityType: String) -> Bool
  { false }
  /// Continues nothing; the loss is reported as an error, unless the user's web browser gets the page.
  public func application(
    _ application: Application, continue userActivity: UserActivity,
    restorationHandler: @escaping @MainActor ([Responder]?) -> Void
  ) -> Bool {
    if userActivity.webPage == nil {
      ApplicationRequestCall(part: .continuation(userActivity)).reportLoss(by: self, application)
    }
    return false
  }
  /// Does nothing.
  public func application(
    _ application: Application, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
  ) {}
}

/// The callbacks of a ``SceneDelegate`` about requests of other programs.
@preconcurrency @MainActor public protocol OpenRequestsSceneDelegate: AnyObject {
  /// URLs to open in a scene that has been connected before: all those of one request that are for this scene.
  ///
  /// The scene is for each URL the one that can show it best (``Scene/activationConditions``), else the one that was
  /// active last. One in the background comes to the foreground first: called between `sceneWillEnterForeground` and
  /// `sceneDidBecomeActive`, or five seconds later where the window manager does not show it. URLs that a new session
  /// is connected for, or that the program was launched with, are in the connection options instead, unless
  /// ``ApplicationManifest/replaysConnectionPayloads`` is true. Driven by second starts of the program, and by
  /// `org.freedesktop.Application` over D-Bus.
  /// - Parameters:
  ///   - scene: The scene.
  ///   - urlContexts: The URLs, with the properties of their requests.
  func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>)

  /// An activity is about to be delivered to the scene; called when
  /// ``scene(_:openURLContexts:)`` would be.
  ///
  /// Exactly one of ``scene(_:continue:)`` and ``scene(_:didFailToContinueUserActivityWithType:error:)`` follows.
  /// Driven by another instance's ``Application/handOff(_:)``; not called for an activity of an own request
  /// (``SceneSessionActivationRequest``), which is available at once.
  /// - Parameters:
  ///   - scene: The scene.
  ///   - userActivityType: The kind of the activity.
  func scene(_ scene: Scene, willContinueUserActivityWithType userActivityType: String)

  /// An activity is delivered to a scene that has been connected before.
  ///
  /// Chosen and brought forward as for ``scene(_:openURLContexts:)``, by ``UserActivity/targetContentIdentifier``.
  /// Driven by another instance's ``Application/handOff(_:)``, and by an own request
  /// (``SceneSessionActivationRequest``) that is for a session, or that a connected scene's
  /// ``Scene/activationConditions`` accept. An activity that a session is connected with is in
  /// ``Scene/ConnectionOptions/userActivities`` instead, unless ``ApplicationManifest/replaysConnectionPayloads`` is
  /// true.
  /// - Parameters:
  ///   - scene: The scene.
  ///   - userActivity: The activity.
  func scene(_ scene: Scene, continue userActivity: UserActivity)

  /// An announced activity cannot be delivered.
  /// - Parameters:
  ///   - scene: The scene.
  ///   - userActivityType: The kind of the activity.
  ///   - error: The reason, as a ``UserActivityError``.
  func scene(_ scene: Scene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)
}

extension OpenRequestsSceneDelegate {
  /// Opens nothing; the loss is reported as an error.
  public func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) {
    SceneRequestCall(part: .urls(Array(urlContexts)), scene: scene).reportLoss(by: self)
  }
  /// Does nothing.
  public func scene(_ scene: Scene, willContinueUserActivityWithType userActivityType: String) {}
  /// Continues nothing; the loss is reported as an error.
  public func scene(_ scene: Scene, continue userActivity: UserActivity) {
    SceneRequestCall(part: .continuation(userActivity), scene: scene).reportLoss(by: self)
  }
  /// Does nothing.
  public func scene(_ scene: Scene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error) {}
}

/// The callback of a ``WindowSceneDelegate`` about the program's shortcut items.
@preconcurrency @MainActor public protocol OpenRequestsWindowSceneDelegate: AnyObject {
  /// A launcher requests one of the program's ``ApplicationManifest/shortcutItems``, in a scene that has been connected
  /// before.
  ///
  /// The scene is chosen by the item's ``ApplicationShortcutItem/targetContentIdentifier``, else it is the one that was
  /// active last, and it is called when ``OpenRequestsSceneDelegate/scene(_:openURLContexts:)`` would be: brought to
  /// the foreground first, between `sceneWillEnterForeground` and `sceneDidBecomeActive`. An item for which a session
  /// is connected, or the program was launched, is in ``Scene/ConnectionOptions/shortcutItem`` instead, unless
  /// ``ApplicationManifest/replaysConnectionPayloads`` is true. Driven by `ActivateAction` of
  /// `org.freedesktop.Application` over D-Bus, and by a second start with `--action`.
  /// - Parameters:
  ///   - windowScene: The scene.
  ///   - shortcutItem: The item.
  ///   - completionHandler: To be called on the main thread, now or later, with whether it was done; that is in the
  ///     trace.
  func windowScene(
    _ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @MainActor (Bool) -> Void)

  /// The asynchronous form of ``windowScene(_:performActionFor:completionHandler:)``: called where that one is not
  /// implemented.
  /// - Parameters:
  ///   - windowScene: The scene.
  ///   - shortcutItem: The item.
  /// - Returns: Whether it was done.
  func windowScene(_ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem) async -> Bool
}

extension OpenRequestsWindowSceneDelegate {
  /// Calls the asynchronous form, and answers what that returns.
  public func windowScene(
    _ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @MainActor (Bool) -> Void
  ) {
    Task.immediate { @MainActor in
      completionHandler(await self.windowScene(windowScene, performActionFor: shortcutItem))
    }
  }
  /// Performs nothing; the loss is reported as an error.
  public func windowScene(
    _ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem
  ) async -> Bool {
    SceneRequestCall(part: .shortcut(shortcutItem), scene: windowScene).reportLoss(by: self)
    return false
  }
}
