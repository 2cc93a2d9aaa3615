import FoundationEssentials
import ProsceniumCore
import ProsceniumStore
import ProsceniumTesting
import SceneLifecycle

/// The URL `note:<name>`.
func note(_ name: String) -> URL { URL(string: "note:\(name)") ?? URL(filePath: "/") }

/// A program that records what others ask of it, each call with the number of its scene and a short word.
@MainActor final class RequestProgram: RecordingDelegate {
  private static let words = [
    "didFinishLaunchingWithOptions": "launched", "didReceiveSecondLaunch": "again",
    "applicationWillTerminate": "willTerminate", "applicationWillEnterForeground": "foreground",
    "applicationDidBecomeActive": "active", "applicationDidEnterBackground": "background", "openURL": "open",
    "performActionFor": "action", "willContinueUserActivityWithType": "will", "continueUserActivity": "continue",
    "didFailToContinueUserActivityWithType": "failed", "sceneWillConnect": "connect",
    "sceneWillEnterForeground": "foreground", "sceneDidBecomeActive": "active", "sceneDidEnterBackground": "background",
    "sceneDidDisconnect": "disconnect", "openURLContexts": "urls",
  ]

  var isAppBased = false { didSet { if isAppBased { manifest.sceneConfigurations = [] } } }
  /// What the launch callbacks answer.
  var launches = (will: true, did: true)
  var onConnect: (RecordingSceneDelegate) -> Void = { _ in }
  var items: [ApplicationShortcutItem] = []
  /// How often each URL came, by its name.
  var counts: [String: Int] = [:]
  var contexts: [OpenURLContext] = []
  var options: [Scene.ConnectionOptions] = []
  var activities: [UserActivity] = []
  var errors: [any Error] = []
  var launchesAgain: [SecondLaunch] = []
  private var window: Window?

  override init() {
    super.init()
    endsAfterLastScene = false
    manifest.openedURLSchemes = ["note"]
    manifest.shortcutItems = [
      ApplicationShortcutItem(type: "compose", localizedTitle: "New letter", userInfo: ["kind": "letter"]),
      ApplicationShortcutItem(
        type: "org.example.reply", localizedTitle: "Reply", targetContentIdentifier: "inbox"),
    ]
  }
  override func makeSceneDelegate(for session: SceneSession) -> RecordingSceneDelegate {
    RequestScene(self, session: session)
  }

  private func names(_ contexts: some Sequence<OpenURLContext>) -> String {
    self.contexts += contexts
    let names = contexts.map { String($0.url.absoluteString.drop { $0 != ":" }.dropFirst()) }.sorted()
    for name in names { counts[name, default: 0] += 1 }
    return names.joined(separator: ",")
  }
  private func description(_ options: Scene.ConnectionOptions) -> String {
    self.options.append(options)
    if let item = options.shortcutItem { items.append(item) }
    let activities =
      (options.shortcutItem.map { [$0.type] } ?? []) + options.userActivities.map(\.activityType)
      + (options.handoffUserActivityType.map { [$0] } ?? [])
    return ([names(options.urlContexts)] + activities).filter { !$0.isEmpty }.joined(separator: " ")
  }
  override func willRecord(_ call: DelegateCall, value: Any?) -> DelegateCall? {
    var details = call.details
    switch value {
    case let options as Scene.ConnectionOptions: details = description(options)
    case let contexts as Set<OpenURLContext>: details = names(contexts)
    case let context as OpenURLContext: details = names([context])
    case let item as ApplicationShortcutItem: items.append(item)
    case let activity as UserActivity: activities.append(activity)
    case let launch as SecondLaunch: launchesAgain.append(launch)
    case let error as any Error: errors.append(error)
    case is Scene: details = ""
    default: break
    }
    if ["openURL", "performActionFor"].contains(call.name), isAppBased {
      details += " \(Application.shared.applicationState)"
    }
    guard let word = Self.words[call.name] else { return nil }
    let parts = [call.scene.map { "\($0)" } ?? "", word, details]
    return DelegateCall(stringLiteral: parts.filter { !$0.isEmpty }.joined(separator: " "))
  }

  override func application(
    _ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?
  ) -> Bool { launches.will }
  override func application(
    _ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?
  ) -> Bool {
    _ = super.application(application, didFinishLaunchingWithOptions: launchOptions)
    if isAppBased, showsWindows {
      window = Window()
      window?.makeKeyAndVisible()
    }
    return launches.did
  }
  override func restoreUserActivityState(_ activity: UserActivity) { calls.append("restored \(activity.activityType)") }
}

@MainActor private final class RequestScene: RecordingSceneDelegate {
  override func makeWindow(for scene: WindowScene) -> Window? {
    (owner as? RequestProgram)?.onConnect(self)
    return super.makeWindow(for: scene)
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
    return delegate.takeCalls().map(\.description)
  }
}
