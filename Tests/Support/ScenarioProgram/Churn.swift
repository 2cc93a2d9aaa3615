import Dispatch
import Glibc
import Proscenium
import TestSupport

/// Scenes that open, close, move, hide and change by themselves, driven by a seed, while a log says what was done.
///
/// For tests that kill the program: each line of the log is one write, so that what a line says was done, or was about
/// to be, when the program died. A line is `<monotonic microseconds> <event> [<session> [<numbers>]]`:
/// `session` one that was open at launch; `held` one held back; `launched` the end of the launch callback; `restored`
/// one that connects, with what it holds; `waits` one without a scene at the first step, likewise; `ready` the first
/// step; `open` a new one; `value` and `state` what a scene is about to keep; `closing` one that is about to be closed;
/// `closed` one that the delegate was told is discarded; `end` an end in order.
@MainActor enum Churn {
  private static var random = SeededNumbers(0)
  private static var log: Int32 = -1
  private static var latest = 0
  private static var timer: (any DispatchSourceTimer)?
  /// Sessions of earlier runs that have not been heard of yet.
  static var unheard: Set<SceneSession> = []
  static var held: Set<SceneSession> = []
  /// What each scene would answer when asked for its state.
  static var states: [SceneSession: Int] = [:]

  /// The seed of `--churn=SEED`, if the program is to do this.
  static func begin(_ arguments: [String]) -> Bool {
    func option(_ name: String) -> String? {
      arguments.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
    }
    guard let seed = option("--churn=").flatMap({ UInt64($0) }), let path = option("--log=") else { return false }
    random = SeededNumbers(seed)
    log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    return true
  }

  static func say(_ event: String, _ session: SceneSession? = nil, _ numbers: [Int] = []) {
    var words = ["\(now())", event]
    if let session { words.append(session.persistentIdentifier) }
    let line = (words + numbers.map { "\($0)" }).joined(separator: " ") + "\n"
    _ = line.withCString { write(log, $0, strlen($0)) }
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
  }

  /// Larger than every number before it, in this run and in those before.
  private static func nextNumber() -> Int {
    latest = max(latest + 1, now())
    return latest
  }

  /// What a session holds: a value in its `userInfo`, and the state of its scene; 0 for none.
  static func contents(_ session: SceneSession) -> [Int] {
    let state = session.stateRestorationActivity?.userInfo?["state"] as? Int
    return [session.userInfo?["value"] as? Int ?? 0, state ?? 0]
  }

  static func launched() {
    unheard = Set(Application.shared.openSessions)
    for session in unheard { say("session", session) }
    say("launched")
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + .milliseconds(20), repeating: .milliseconds(20))
    timer.setEventHandler { MainActor.assumeIsolated { step() } }
    timer.resume()
    self.timer = timer
  }

  private static var isReady = false

  private static func step() {
    if !isReady {
      isReady = true
      for session in unheard { say("waits", session, contents(session)) }
      unheard = []
      say("ready")
      // What was held back is wanted all the same.
      for session in held { activate(session) }
    }
    let sessions = Application.shared.openSessions.sorted { $0.persistentIdentifier < $1.persistentIdentifier }
    guard let session = sessions.randomElement(using: &random) else { return activate(nil) }
    let scene = session.scene as? WindowScene
    let window = scene?.windows.first
    switch Int.random(in: 0..<20, using: &random) {
    case 0, 1: if sessions.count < 8 { activate(nil) }
    case 2: if sessions.count > 2 { close(session) }
    case 3...6: change(session)
    case 7, 8:
      guard let scene else { return change(session) }
      let state = nextNumber()
      say("state", session, [state])
      states[session] = state
      scene.invalidateRestorableState()
    case 9...11:
      let x = Int.random(in: 0..<600, using: &random)
      let y = Int.random(in: 0..<500, using: &random)
      window?.requestFrame(Rect(x: x, y: y, width: 200 + x / 4, height: 100 + y / 4))
    case 12: window?.requestMinimize()
    case 13: activate(session)
    case 14: window?.requestMaximized(Bool.random(using: &random))
    case 15: scene?.title = "number \(nextNumber())"
    case 16:
      // Out of sight, and out of the window manager's.
      if let window { window.isHidden.toggle() }
    case 17: Application.shared.requestSceneDisconnection(session) { _ in }
    default: break
    }
  }

  private static func activate(_ session: SceneSession?) {
    let request = session.map { SceneSessionActivationRequest(session: $0) } ?? SceneSessionActivationRequest()
    Application.shared.activateSceneSession(for: request) { _ in }
  }

  private static func close(_ session: SceneSession) {
    say("closing", session)
    Application.shared.requestSceneSessionDestruction(session) { _ in }
  }

  static func change(_ session: SceneSession) {
    let value = nextNumber()
    say("value", session, [value])
    session.userInfo = ["value": value]
  }
}

@MainActor final class ChurnDelegate: Responder, ApplicationDelegate {
  var manifest: ApplicationManifest {
    let main = SceneConfiguration(name: "Main", delegate: ChurnScene.init)
    main.launchSize = Size(width: 200, height: 120)
    return ApplicationManifest(applicationIdentifier: "org.proscenium.Churn", sceneConfigurations: [main])
  }
  func application(_ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?) -> Bool {
    Churn.launched()
    return true
  }
  func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {
    for session in sceneSessions { Churn.say("closed", session) }
  }
  func application(_ application: Application, didHoldBackSceneSessions sceneSessions: Set<SceneSession>) {
    for session in sceneSessions { Churn.say("held", session) }
    Churn.held = sceneSessions
  }
  func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool { false }
  func applicationWillTerminate(_ application: Application) { Churn.say("end") }
}

@MainActor private final class ChurnScene: Responder, WindowSceneDelegate {
  var window: Window?

  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    if Churn.unheard.remove(session) != nil {
      Churn.say("restored", session, Churn.contents(session))
    } else if !options.isReconnect {
      Churn.say("open", session)
      Churn.change(session)
    }
    guard let scene = scene as? WindowScene else { return }
    let window = Window(windowScene: scene)
    window.makeKeyAndVisible()
    self.window = window
  }
  func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
    Churn.states[scene.session] = activity.userInfo?["state"] as? Int
  }
  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    guard let state = Churn.states[scene.session] else { return nil }
    let activity = UserActivity(activityType: "org.proscenium.churn")
    activity.addUserInfoEntries(from: ["state": state])
    return activity
  }
}
