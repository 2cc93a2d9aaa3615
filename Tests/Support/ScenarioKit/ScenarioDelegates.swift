package import FoundationEssentials
package import ProsceniumCore

/// The application delegate of the scene-based scenarios.
@MainActor package final class SceneBasedDelegate: Responder, ApplicationDelegate {
  private var probe: Probe { Probe.current }
  #if !WITHOUT_Locale
    private var localeObservation: NotificationCenter.ObservationToken?
  #endif

  package var manifest: ApplicationManifest {
    let main = SceneConfiguration(name: "Main", delegate: ScenarioScene.init)
    main.closePolicy = probe.options.closePolicy
    main.activationPolicy = probe.options.activationPolicy
    main.launchSize = Size(width: 300, height: 200)
    var manifest = probe.manifest
    manifest.sceneConfigurations = [main]
    #if !WITHOUT_OpenRequests
      manifest.openedURLSchemes.insert("scenario")
      manifest.openedFileExtensions = ["txt"]
      manifest.replaysConnectionPayloads = probe.options.replays
    #endif
    manifest.instancePolicy = probe.options.separateStores ? .separateStores : .single
    return manifest
  }
  package func application(_ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?)
    -> Bool
  {
    probe.callback("willFinishLaunching")
    return true
  }
  package func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?)
    -> Bool
  {
    probe.callback("didFinishLaunching")
    #if !WITHOUT_Locale
      localeObservation = NotificationCenter.default.addObserver(of: application, for: .localeDidChange) { message in
        Probe.current.noteLocale(message.application.localeIdentifier)
      }
    #endif
    return true
  }
  package func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: Scene.ConnectionOptions
  ) -> SceneConfiguration {
    probe.note(session)
    probe.callback("configurationForConnecting")
    return SceneConfiguration(name: "Main", sessionRole: session.role)
  }
  package func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {
    probe.callback("didDiscardSceneSessions")
  }
  package func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool {
    !probe.options.staysAlive
  }
  package func applicationWillTerminate(_ application: Application) { probe.callback("applicationWillTerminate") }
  #if !WITHOUT_OpenRequests
    package func application(_ application: Application, didReceiveSecondLaunch launch: SecondLaunch) {
      probe.callback("didReceiveSecondLaunch")
    }
  #endif
  package override func handle(_ event: Event) -> Bool { false }
}

/// The application delegate of the app-based scenarios.
@MainActor package final class AppBasedDelegate: Responder, ApplicationDelegate {
  private var probe: Probe { Probe.current }
  private var window: Window?

  package var manifest: ApplicationManifest { probe.manifest }
  package func application(_ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?)
    -> Bool
  {
    probe.callback("willFinishLaunching")
    return true
  }
  package func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?)
    -> Bool
  {
    if probe.options.showsWindow {
      let window = Window()
      self.window = window
      if let session = window.windowScene?.session { probe.note(session) }
      window.makeKeyAndVisible()
    }
    probe.callback("didFinishLaunching")
    return true
  }
  package func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {
    probe.callback("didDiscardSceneSessions")
  }
  package func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool {
    !probe.options.staysAlive
  }
  package func applicationWillEnterForeground(_ application: Application) {
    probe.callback("applicationWillEnterForeground")
  }
  package func applicationDidBecomeActive(_ application: Application) { probe.callback("applicationDidBecomeActive") }
  package func applicationWillResignActive(_ application: Application) {
    probe.callback("applicationWillResignActive")
  }
  package func applicationDidEnterBackground(_ application: Application) {
    probe.callback("applicationDidEnterBackground")
  }
  package func applicationWillTerminate(_ application: Application) { probe.callback("applicationWillTerminate") }
  #if !WITHOUT_OpenRequests
    package func application(_ application: Application, open url: URL, options: Scene.OpenURLOptions) -> Bool {
      probe.callback("openURL")
      return true
    }
  #endif
  package func application(
    _ application: Application, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @MainActor (Bool) -> Void
  ) {
    probe.callback("performActionFor")
    completionHandler(true)
  }
  package func application(_ application: Application, willContinueUserActivityWithType type: String) -> Bool {
    probe.callback("willContinue")
    return false
  }
  package func application(
    _ application: Application, continue userActivity: UserActivity,
    restorationHandler: @escaping @MainActor ([Responder]?) -> Void
  ) -> Bool {
    probe.callback("continue")
    return true
  }
  package func application(
    _ application: Application, didFailToContinueUserActivityWithType type: String, error: any Error
  ) {
    probe.callback("didFail")
  }
  #if !WITHOUT_OpenRequests
    package func application(_ application: Application, didReceiveSecondLaunch launch: SecondLaunch) {
      probe.callback("didReceiveSecondLaunch")
    }
  #endif
}

/// The delegate of each scene of a scenario.
@MainActor package final class ScenarioScene: Responder, WindowSceneDelegate {
  private var probe: Probe { Probe.current }
  package var window: Window?

  package func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    if probe.options.showsWindow, let scene = scene as? WindowScene {
      let window = probe.options.paints ? SecretWindow(windowScene: scene) : Window(windowScene: scene)
      if probe.options.paints, !(probe.options.paintsLate && options.isReconnect) { window.setNeedsDisplay() }
      window.makeKeyAndVisible()
      self.window = window
    }
    #if !WITHOUT_OpenRequests
      probe.noteURLs(options.urlContexts)
      probe.noteAction(options.shortcutItem)
    #endif
    probe.callback("willConnect", scene)
  }
  #if !WITHOUT_OpenRequests
    package func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) {
      probe.noteURLs(urlContexts)
      probe.callback("openURLContexts", scene)
    }
  #endif
  package func windowScene(
    _ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @MainActor (Bool) -> Void
  ) {
    probe.noteAction(shortcutItem)
    probe.callback("performActionFor", windowScene)
    completionHandler(true)
  }
  package func scene(_ scene: Scene, willContinueUserActivityWithType type: String) {
    probe.callback("willContinue", scene)
  }
  package func sceneWillEnterForeground(_ scene: Scene) {
    (window as? SecretWindow)?.showsSecret = true
    probe.callback("sceneWillEnterForeground", scene)
  }
  package func sceneDidBecomeActive(_ scene: Scene) { probe.callback("sceneDidBecomeActive", scene) }
  package func sceneWillResignActive(_ scene: Scene) { probe.callback("sceneWillResignActive", scene) }
  package func sceneDidEnterBackground(_ scene: Scene) {
    (window as? SecretWindow)?.showsSecret = false
    probe.callback("sceneDidEnterBackground", scene)
  }
  package func sceneDidDisconnect(_ scene: Scene) { probe.callback("sceneDidDisconnect", scene) }
  package func scene(_ scene: Scene, continue userActivity: UserActivity) { probe.callback("continue", scene) }
  package func scene(_ scene: Scene, didFailToContinueUserActivityWithType type: String, error: any Error) {
    probe.callback("didFail", scene)
  }
  package func sceneShouldClose(_ scene: Scene) -> SceneCloseReply {
    probe.callback("sceneShouldClose", scene)
    return probe.options.closeReply
  }
  package func windowScene(_ windowScene: WindowScene, didUpdateEffectiveGeometry previous: WindowScene.Geometry) {
    probe.hear("geometry")
  }
  package override func handle(_ event: Event) -> Bool {
    probe.beSlow("handle")
    if case .key(let key) = event.kind, key.isDown { probe.hear("key") }
    return false
  }
}
