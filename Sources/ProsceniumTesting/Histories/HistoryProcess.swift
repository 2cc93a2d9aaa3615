import ProsceniumCore
import ProsceniumPlatform
import ProsceniumTrace

/// One process of a program in a history.
@MainActor final class HistoryProcess {
  let program: HeadlessProgram
  let delegate: any ApplicationDelegate
  /// The number of the process: every launch is one of its own.
  let number: Int
  /// The identifiers of sessions in the order of their first step.
  private var known: [String] = []
  private var tasks: [BackgroundTaskIdentifier] = []
  /// Whether the process has been killed within a callback: what it still does has no effect.
  private(set) var isDying = false
  /// Whether a scene's restoration may have been extended: then it stays in the background for its own reasons.
  private(set) var mayBeRestoring = false
  /// When a scene was connected last, in seconds: the program may have extended its restoration there.
  private(set) var lastConnection = -Double.infinity

  init(_ program: HeadlessProgram, _ delegate: any ApplicationDelegate, number: Int) {
    (self.program, self.delegate, self.number) = (program, delegate, number)
  }

  /// The process is dead.
  func end() {
    program.platform.client = nil
    program.onEntry = nil
  }

  /// Learns from a record of the process.
  func observe(_ record: TraceRecord) {
    guard case .edge(let edge) = record else { return }
    if !known.contains(edge.scene) { known.append(edge.scene) }
    if edge.name == "sceneWillConnect" { lastConnection = program.platform.now }
  }

  // MARK: The scene of a step

  /// The open sessions, in an order that is the same in every run.
  private var sessions: [SceneSession] {
    let open = Dictionary(
      program.application.openSessions.map { ($0.persistentIdentifier, $0) }, uniquingKeysWith: { first, _ in first })
    let bare = program.platform.windows.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value.description.role)
    var seen: Set<String> = []
    return (known + bare).compactMap { seen.insert($0).inserted ? open[$0] : nil }
  }

  private func session(_ step: HistoryStep) -> SceneSession? {
    let sessions = sessions
    guard let number = step.number, sessions.indices.contains(number - 1) else { return nil }
    return sessions[number - 1]
  }

  /// The primary or bare window of a step's session.
  func window(_ step: HistoryStep) -> WindowID? {
    guard let session = session(step) else { return nil }
    return program.platform.windows.first { $0.value.description.role == session.persistentIdentifier }?.key
  }

  // MARK: The program's requests

  /// Ends the process within a callback.
  /// - Parameter isCrash: Whether that is the callback's own doing.
  func die(isCrash: Bool) {
    if isCrash { program.noteCrash() }
    isDying = true
    program.onEntry = nil
  }

  /// Makes a request of the program; anywhere, also within a callback.
  func request(_ step: HistoryStep) {
    let application = program.application
    let session = session(step)
    let scene = session?.scene as? WindowScene
    func activate(_ request: SceneSessionActivationRequest) { application.activateSceneSession(for: request) { _ in } }
    switch step.verb {
    case .new: activate(SceneSessionActivationRequest())
    case .activate: session.map { activate(SceneSessionActivationRequest(session: $0)) }
    case .continueActivity:
      let activity = UserActivity(activityType: "history")
      session.map { activate(SceneSessionActivationRequest(session: $0, userActivity: activity)) }
    case .discard: session.map { application.requestSceneSessionDestruction($0) { _ in } }
    case .disconnect: session.map { application.requestSceneDisconnection($0) { _ in } }
    case .refresh: session.map { application.requestSceneSessionRefresh($0) { _ in } }
    case .hide: scene?.windows.first?.isHidden = true
    case .show: scene?.windows.first?.makeKeyAndVisible()
    case .panel: scene.map { Window(windowScene: $0).makeKeyAndVisible() }
    case .fullScreen: scene?.windows.first?.requestFullScreen(true)
    case .leaveFullScreen: scene?.windows.first?.requestFullScreen(false)
    case .interrupt: scene?.beginInterruption()
    case .resume: scene?.endInterruption()
    case .change: scene?.invalidateRestorableState()
    case .extend:
      mayBeRestoring = true
      scene?.extendStateRestoration()
    case .complete: scene?.completeStateRestoration()
    case .answerYes: scene?.reply(toShouldClose: true)
    case .answerNo: scene?.reply(toShouldClose: false)
    case .replyYes: application.reply(toApplicationShouldTerminate: true)
    case .replyNo: application.reply(toApplicationShouldTerminate: false)
    case .terminate: application.terminate()
    case .task: tasks.append(application.beginBackgroundTask())
    case .endTask: tasks.popLast().map { application.endBackgroundTask($0) }
    // No request: `HistoryStep.Verb.isRequest`.
    default: break
    }
  }
}
