import FoundationEssentials
import ProsceniumCore
import ProsceniumStore
import ProsceniumTesting
import SceneLifecycle

/// The URL `note:<name>`.
func note(_ name: String) -> URL { URL(string: "note:\(name)") ?? URL(filePath: "/") }

/// A program that writes down what others ask of it; scenes are numbered by their sessions' first appearance.
@MainActor final class RequestProgram: Responder, ApplicationDelegate {
  var calls: [String] = []
  var replaysConnectionPayloads = false
  var supportsMultipleScenes = true
  var suspensionPolicy = SuspensionPolicy.never
  var reply = TerminateReply.now
  var isAppBased = false
  /// What the launch callbacks answer.
  var launches = (will: true, did: true)
  var stays = true
  var makesWindows = true
  var onConnect: (RequestScene) -> Void = { _ in }
  var onURLs: () -> Void = {}
  var shortcutItems = [
    ApplicationShortcutItem(type: "compose", localizedTitle: "New letter", userInfo: ["kind": "letter"]),
    ApplicationShortcutItem(
      type: "org.example.reply", localizedTitle: "Reply", targetContentIdentifier: "inbox"),
  ]
  var items: [ApplicationShortcutItem] = []
  /// What becomes of an item that is performed, and of an activity.
  var performs = true
  var continues = true
  /// How often each URL came, by its name.
  var counts: [String: Int] = [:]
  var contexts: [OpenURLContext] = []
  var options: [Scene.ConnectionOptions] = []
  var activities: [UserActivity] = []
  var errors: [any Error] = []
  var launchesAgain: [SecondLaunch] = []
  private(set) var sessions: [SceneSession] = []
  private var window: Window?

  var openedURLSchemes: Set<String> { ["note"] }
  var sceneConfigurations: [SceneConfiguration] {
    isAppBased ? [] : [SceneConfiguration(name: "Main") { [unowned self] in RequestScene(self) }]
  }
  var manifest: ApplicationManifest {
    var manifest = ApplicationManifest(
      sceneConfigurations: sceneConfigurations, supportsMultipleScenes: supportsMultipleScenes)
    manifest.openedURLSchemes = openedURLSchemes
    manifest.replaysConnectionPayloads = replaysConnectionPayloads
    manifest.suspensionPolicy = suspensionPolicy
    manifest.shortcutItems = shortcutItems
    return manifest
  }
  func number(_ session: SceneSession) -> Int {
    if let index = sessions.firstIndex(of: session) { return index + 1 }
    sessions.append(session)
    return sessions.count
  }
  func take(_ contexts: some Sequence<OpenURLContext>) -> String {
    self.contexts += contexts
    let names = contexts.map { String($0.url.absoluteString.drop { $0 != ":" }.dropFirst()) }.sorted()
    for name in names { counts[name, default: 0] += 1 }
    return names.joined(separator: ",")
  }
  func takeCalls() -> [String] {
    defer { calls = [] }
    return calls
  }

  func application(_ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    launches.will
  }
  func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    calls.append("launched")
    if isAppBased, makesWindows {
      window = Window()
      window?.makeKeyAndVisible()
    }
    return launches.did
  }
  func application(_ application: Application, didReceiveSecondLaunch launch: SecondLaunch) {
    calls.append("again \(launch.arguments.joined(separator: " "))")
    launchesAgain.append(launch)
  }
  func applicationShouldTerminate(_ application: Application) -> TerminateReply { reply }
  func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool { !stays }
  func applicationWillTerminate(_ application: Application) { calls.append("willTerminate") }

  // The app-based model.
  func applicationWillEnterForeground(_ application: Application) { calls.append("foreground") }
  func applicationDidBecomeActive(_ application: Application) { calls.append("active") }
  func applicationDidEnterBackground(_ application: Application) { calls.append("background") }
  func application(_ application: Application, open url: URL, options: Scene.OpenURLOptions) -> Bool {
    calls.append("open \(take([OpenURLContext(url: url, options: options)])) \(application.applicationState)")
    return true
  }
  func application(
    _ application: Application, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @MainActor (Bool) -> Void
  ) {
    items.append(shortcutItem)
    calls.append("action \(shortcutItem.type) \(application.applicationState)")
    completionHandler(performs)
  }
  func application(_ application: Application, willContinueUserActivityWithType type: String) -> Bool {
    calls.append("will \(type)")
    return false
  }
  func application(
    _ application: Application, continue userActivity: UserActivity,
    restorationHandler: @escaping @MainActor ([Responder]?) -> Void
  ) -> Bool {
    calls.append("continue \(userActivity.activityType)")
    if continues { restorationHandler([self]) }
    return continues
  }
  func application(_ application: Application, didFailToContinueUserActivityWithType type: String, error: any Error) {
    calls.append("failed \(type)")
    errors.append(error)
  }
  override func restoreUserActivityState(_ activity: UserActivity) { calls.append("restored \(activity.activityType)") }
}

@MainActor final class RequestScene: Responder, WindowSceneDelegate {
  private unowned let owner: RequestProgram
  var window: Window?
  weak var scene: Scene?

  init(_ owner: RequestProgram) {
    self.owner = owner
    super.init()
  }

  private func say(_ call: String, _ scene: Scene) { owner.calls.append("\(owner.number(scene.session)) \(call)") }

  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    self.scene = scene
    owner.options.append(options)
    if let item = options.shortcutItem { owner.items.append(item) }
    let activities =
      (options.shortcutItem.map { [$0.type] } ?? []) + options.userActivities.map(\.activityType)
      + (options.handoffUserActivityType.map { [$0] } ?? [])
    say(
      (["connect", owner.take(options.urlContexts)] + activities).filter { !$0.isEmpty }.joined(separator: " "), scene)
    owner.onConnect(self)
    guard owner.makesWindows, let scene = scene as? WindowScene else { return }
    window = Window(windowScene: scene)
    window?.makeKeyAndVisible()
  }
  func sceneWillEnterForeground(_ scene: Scene) { say("foreground", scene) }
  func sceneDidBecomeActive(_ scene: Scene) { say("active", scene) }
  func sceneDidEnterBackground(_ scene: Scene) { say("background", scene) }
  func sceneDidDisconnect(_ scene: Scene) { say("disconnect", scene) }
  func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) {
    say("urls \(owner.take(urlContexts))", scene)
    owner.onURLs()
  }
  func scene(_ scene: Scene, willContinueUserActivityWithType type: String) { say("will \(type)", scene) }
  func windowScene(
    _ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @MainActor (Bool) -> Void
  ) {
    owner.items.append(shortcutItem)
    say("action \(shortcutItem.type)", windowScene)
    completionHandler(owner.performs)
  }
  func scene(_ scene: Scene, continue userActivity: UserActivity) {
    owner.activities.append(userActivity)
    say("continue \(userActivity.activityType)", scene)
  }
  func scene(_ scene: Scene, didFailToContinueUserActivityWithType type: String, error: any Error) {
    owner.errors.append(error)
    say("failed \(type)", scene)
  }
}

/// One run of such a program.
@MainActor final class RequestRun {
  let delegate = RequestProgram()
  let program: HeadlessProgram
  let source = WordSource()
  var platform: HeadlessPlatform { program.platform }
  var application: Application { program.application }

  init(_ disk: CuttableDisk? = nil, _ prepare: (RequestProgram) -> Void = { _ in }) {
    let store = disk.map { StoreSource.given(SessionStore(files: $0, runsInline: true)) } ?? .none
    program = HeadlessProgram(store: store, sources: [source])
    prepare(delegate)
  }

  /// Launches, and lets every hold run out; what was called is kept where it matters.
  @discardableResult
  func launch(_ arguments: [String] = [], forgets: Bool = true) -> RequestRun {
    program.launch(delegate, arguments: arguments)
    platform.advance(by: 100)
    if forgets { delegate.calls = [] }
    return self
  }

  /// Opens one more scene.
  func newScene() {
    application.activateSceneSession(for: SceneSessionActivationRequest())
    platform.advance(by: 1000)
    delegate.calls = []
  }

  func open(_ names: String..., quietly: Bool = false, token: String? = nil) {
    var request = IncomingRequest()
    request.urls = names.map(note)
    request.isBackground = quietly
    request.token = token
    program.machine.receive(request)
  }

  func windowID(_ session: Int) -> WindowID? {
    let role = delegate.sessions[session - 1].persistentIdentifier
    return platform.windows.first { $0.value.description.role == role }?.key
  }

  func minimize(_ session: Int) {
    windowID(session).map(platform.minimize)
    platform.advance(by: 1000)
    delegate.calls = []
  }

  func disconnect(_ session: Int) {
    minimize(session)
    application.requestSceneDisconnection(delegate.sessions[session - 1])
    platform.deliver()
    delegate.calls = []
  }

  func say(_ absence: Absence, _ isOn: Bool) {
    source.host?.post(.absence(absence, isOn: isOn, source: "test"))
    platform.deliver()
  }

  /// Lets time pass, and takes what was called.
  func calls(after milliseconds: Int = 0) -> [String] {
    platform.advance(by: milliseconds)
    return delegate.takeCalls()
  }
}
