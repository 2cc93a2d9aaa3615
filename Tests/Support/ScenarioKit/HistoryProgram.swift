private import FoundationEssentials
package import ProsceniumCore

/// A program for random histories, of one of some kinds, that notices what no trace can show: a callback within
/// another, a URL that comes twice, a call to a scene that has been disconnected.
@MainActor package final class HistoryProgram: Responder, ApplicationDelegate {
  /// What is different between programs.
  package enum Kind: String, CaseIterable, Sendable {
    case plain, staying, suspended, hiding, whenVisible, single, asking, replaying, restoring

    /// The kind that a number stands for.
    package init(number: Int) { self = Self.allCases[number % Self.allCases.count] }
  }

  package let kind: Kind
  /// What went wrong first.
  package private(set) var violation: String?
  private var running: String?
  private var opened: Set<URL> = []
  private var performed: Set<[String: String]> = []
  private var questions = 0

  package init(_ kind: Kind) {
    self.kind = kind
    super.init()
  }

  package var manifest: ApplicationManifest {
    let main = SceneConfiguration(name: "Main") { [unowned self] in HistoryScene(self) }
    if kind == .hiding { main.closePolicy = .background }
    if kind == .whenVisible { main.activationPolicy = .whenVisible }
    var manifest = ApplicationManifest(
      applicationIdentifier: "org.proscenium.History", sceneConfigurations: [main],
      supportsMultipleScenes: kind != .single)
    manifest.openedURLSchemes = ["note"]
    manifest.replaysConnectionPayloads = kind == .replaying
    manifest.suspensionPolicy = kind == .suspended ? .whenAllInBackground : .never
    return manifest
  }

  package func fail(_ message: String) { if violation == nil { violation = message } }

  fileprivate func callback(_ name: String) {
    if let running { fail("nesting: \(name) within \(running)") }
    running = name
  }

  fileprivate func returned() { running = nil }

  fileprivate func open(_ contexts: Set<OpenURLContext>) {
    for context in contexts where !opened.insert(context.url).inserted { fail("twice: \(context.url) is opened twice") }
  }

  fileprivate func perform(_ item: ApplicationShortcutItem) {
    if !performed.insert(item.userInfo).inserted { fail("twice: \(item.userInfo) is performed twice") }
  }

  private func hear(_ name: String) {
    callback(name)
    returned()
  }

  /// Asked questions are answered in turn with now, later and cancel.
  fileprivate func answer<Reply>(_ now: Reply, _ later: Reply, _ cancel: Reply) -> Reply {
    guard kind == .asking else { return now }
    questions += 1
    return [later, now, cancel][questions % 3]
  }

  package func application(_ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?)
    -> Bool
  {
    hear("willFinishLaunching")
    return true
  }
  package func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?)
    -> Bool
  {
    hear("didFinishLaunching")
    return true
  }
  package func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {
    hear("didDiscardSceneSessions")
  }
  package func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool {
    kind != .staying && kind != .suspended
  }
  package func applicationShouldTerminate(_ application: Application) -> TerminateReply {
    hear("applicationShouldTerminate")
    return answer(.now, .later, .cancel)
  }
  package func applicationWillTerminate(_ application: Application) { hear("applicationWillTerminate") }
  package func applicationDidReceiveMemoryWarning(_ application: Application) { hear("memoryWarning") }
  package func applicationSignificantTimeChange(_ application: Application) { hear("timeChange") }
}

/// A scene of such a program.
@MainActor private final class HistoryScene: Responder, WindowSceneDelegate {
  private let program: HistoryProgram
  var window: Window?
  private var isConnected = false

  init(_ program: HistoryProgram) {
    self.program = program
    super.init()
  }

  private func hear(_ name: String) {
    if !isConnected { program.fail("unconnected: \(name) to a scene that is not connected") }
    program.callback(name)
    program.returned()
  }

  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    isConnected = true
    program.callback("willConnect")
    defer { program.returned() }
    program.open(options.urlContexts)
    options.shortcutItem.map(program.perform)
    if program.kind == .restoring, options.isReconnect { scene.extendStateRestoration() }
    guard let scene = scene as? WindowScene else { return }
    window = Window(windowScene: scene)
    window?.makeKeyAndVisible()
  }
  func sceneWillEnterForeground(_ scene: Scene) { hear("sceneWillEnterForeground") }
  func sceneDidBecomeActive(_ scene: Scene) { hear("sceneDidBecomeActive") }
  func sceneWillResignActive(_ scene: Scene) { hear("sceneWillResignActive") }
  func sceneDidEnterBackground(_ scene: Scene) { hear("sceneDidEnterBackground") }
  func sceneDidDisconnect(_ scene: Scene) {
    hear("sceneDidDisconnect")
    isConnected = false
  }
  func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) {
    hear("openURLContexts")
    program.open(urlContexts)
  }
  func windowScene(
    _ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @MainActor (Bool) -> Void
  ) {
    hear("performActionFor")
    program.perform(shortcutItem)
    completionHandler(true)
  }
  func scene(_ scene: Scene, continue userActivity: UserActivity) { hear("continue") }
  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    hear("stateRestorationActivity")
    return UserActivity(activityType: "org.proscenium.history")
  }
  func sceneShouldClose(_ scene: Scene) -> SceneCloseReply {
    hear("sceneShouldClose")
    return program.answer(.now, .later, .cancel)
  }
  override func handle(_ event: Event) -> Bool {
    hear("event")
    return true
  }
}

/// The same in the app-based model, where the application's delegate hears of everything.
@MainActor package final class AppHistoryProgram: Responder, ApplicationDelegate {
  private var window: Window?
  package let manifest = ApplicationManifest(applicationIdentifier: "org.proscenium.AppHistory")
  package func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?)
    -> Bool
  {
    window = Window()
    window?.makeKeyAndVisible()
    return true
  }
}
