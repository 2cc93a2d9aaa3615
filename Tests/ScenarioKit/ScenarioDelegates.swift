public import ProsceniumCore

/// The application delegate of the scene-based scenarios.
@MainActor public final class SceneBasedDelegate: Responder, ApplicationDelegate {
  private var probe: Probe { Probe.current }

  public var applicationIdentifier: String { "org.proscenium.Scenario" }
  public var sceneConfigurations: [SceneConfiguration] {
    let main = SceneConfiguration(name: "Main", delegate: ScenarioScene.init)
    main.closePolicy = probe.options.closePolicy
    main.activationPolicy = probe.options.activationPolicy
    main.launchSize = Size(width: 300, height: 200)
    return [main]
  }
  public func application(_ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?)
    -> Bool
  {
    probe.callback("willFinishLaunching")
    return true
  }
  public func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?)
    -> Bool
  {
    probe.callback("didFinishLaunching")
    return true
  }
  public func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: Scene.ConnectionOptions
  ) -> SceneConfiguration {
    probe.note(session)
    probe.callback("configurationForConnecting")
    return SceneConfiguration(name: "Main", sessionRole: session.role)
  }
  public func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {
    probe.callback("didDiscardSceneSessions")
  }
  public func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool {
    !probe.options.staysAlive
  }
  public func applicationWillTerminate(_ application: Application) { probe.callback("applicationWillTerminate") }
  public override func handle(_ event: Event) -> Bool { false }
}

/// The application delegate of the app-based scenarios.
@MainActor public final class AppBasedDelegate: Responder, ApplicationDelegate {
  private var probe: Probe { Probe.current }
  private var window: Window?

  public var applicationIdentifier: String { "org.proscenium.Scenario" }
  public func application(_ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?)
    -> Bool
  {
    probe.callback("willFinishLaunching")
    return true
  }
  public func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?)
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
  public func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {
    probe.callback("didDiscardSceneSessions")
  }
  public func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool {
    !probe.options.staysAlive
  }
  public func applicationWillEnterForeground(_ application: Application) {
    probe.callback("applicationWillEnterForeground")
  }
  public func applicationDidBecomeActive(_ application: Application) { probe.callback("applicationDidBecomeActive") }
  public func applicationWillResignActive(_ application: Application) {
    probe.callback("applicationWillResignActive")
  }
  public func applicationDidEnterBackground(_ application: Application) {
    probe.callback("applicationDidEnterBackground")
  }
  public func applicationWillTerminate(_ application: Application) { probe.callback("applicationWillTerminate") }
}

/// The delegate of each scene of a scenario.
@MainActor public final class ScenarioScene: Responder, WindowSceneDelegate {
  private var probe: Probe { Probe.current }
  public var window: Window?

  public func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    if probe.options.showsWindow, let scene = scene as? WindowScene {
      let window = Window(windowScene: scene)
      window.makeKeyAndVisible()
      self.window = window
    }
    probe.callback("willConnect", scene)
  }
  public func sceneWillEnterForeground(_ scene: Scene) { probe.callback("sceneWillEnterForeground", scene) }
  public func sceneDidBecomeActive(_ scene: Scene) { probe.callback("sceneDidBecomeActive", scene) }
  public func sceneWillResignActive(_ scene: Scene) { probe.callback("sceneWillResignActive", scene) }
  public func sceneDidEnterBackground(_ scene: Scene) { probe.callback("sceneDidEnterBackground", scene) }
  public func sceneDidDisconnect(_ scene: Scene) { probe.callback("sceneDidDisconnect", scene) }
  public func scene(_ scene: Scene, continue userActivity: UserActivity) { probe.callback("continue", scene) }
  public func sceneShouldClose(_ scene: Scene) -> SceneCloseReply {
    probe.callback("sceneShouldClose", scene)
    return probe.options.closeReply
  }
}
