import FoundationEssentials
import ProsceniumCore
import ProsceniumLoop
import ProsceniumStore
import ProsceniumTrace

/// One history that is happening: the program, its disk, and what is known of both.
@MainActor final class HistoryRun {
  private let makeDelegate: @MainActor () -> any ApplicationDelegate
  private let invariant: @MainActor (any ApplicationDelegate) -> String?
  var onEntry: ((TraceRecord) -> Void)?
  private(set) var program: HeadlessProgram?
  private(set) var delegate: (any ApplicationDelegate)?
  private var disk = CuttableDisk()
  private(set) var checker = TraceChecker()
  private var armed: [HistoryStep] = []
  private var tasks: [BackgroundTaskIdentifier] = []
  private var urlCount = 0
  private var shortcutCount = 0
  private var lineCount = 0
  /// The program's number: every launch is a process of its own.
  private(set) var process = 0
  /// Sessions in the order of their first step.
  private var known: [String] = []
  private var lines: [(time: Double, process: Int, record: TraceRecord)] = []
  /// The process has been killed within a callback: what it still does reaches nobody.
  private var isDying = false
  /// Whether a scene's restoration may have been extended: then it stays in the background for its own reasons.
  private(set) var mayBeRestoring = false
  /// When a scene was connected last: the program may have extended its restoration there.
  private(set) var lastConnection = -Double.infinity

  init(
    _ makeDelegate: @escaping @MainActor () -> any ApplicationDelegate,
    _ invariant: @escaping @MainActor (any ApplicationDelegate) -> String?
  ) {
    self.makeDelegate = makeDelegate
    self.invariant = invariant
  }

  /// The last lines of the trace.
  var tail: [String] { lines.suffix(30).map { $0.record.json(time: $0.time, process: Int32($0.process)) } }

  /// Lets one step happen, and everything that follows at once; nil if all is well afterwards.
  func perform(_ step: HistoryStep) -> String? {
    act(step)
    if !isDying { program?.platform.deliver() }
    if isDying { end() }
    if let violation = checker.violations.first { return "rule \(violation.rule.rawValue): \(violation)" }
    return check(isAtRest: step.verb == .wait && (step.number ?? 0) >= 6000) ?? delegate.flatMap(invariant)
  }

  // MARK: The program

  private var isRunning: Bool { program.map { $0.exitStatus == nil } ?? false }

  private func launch(_ arguments: [String]) {
    guard !isRunning else { return }
    end()
    let program = HeadlessProgram(store: .given(SessionStore(files: disk, runsInline: true)))
    program.onEntry = { [weak self] in self?.take($0) }
    let delegate = makeDelegate()
    self.program = program
    self.delegate = delegate
    known = []
    process += 1
    program.launch(delegate, arguments: arguments)
  }

  /// The process is gone, however it went; its disk stays.
  private func end(_ loss: CuttableDisk.Loss = .nothing) {
    guard let program else { return }
    program.platform.client = nil
    program.onEntry = nil
    self.program = nil
    delegate = nil
    tasks = []
    mayBeRestoring = false
    lastConnection = -.infinity
    isDying = false
    disk = disk.restarted(loss)
  }

  /// A line of the trace has been written, just before the callback that it tells of.
  private func take(_ record: TraceRecord) {
    guard let program else { return }
    lineCount += 1
    onEntry?(record)
    checker.check(record, number: lineCount, time: program.platform.now, process: process)
    lines.append((program.platform.now, process, record))
    if lines.count > 200 { lines.removeFirst(100) }
    if case .edge(let edge) = record {
      if !known.contains(edge.scene) { known.append(edge.scene) }
      if edge.name == "sceneWillConnect" { lastConnection = program.platform.now }
    }
    guard let name = record.text("name"), let index = armed.firstIndex(where: { $0.callback == name }) else { return }
    request(armed.remove(at: index))
  }

  // MARK: Who is meant

  /// The identifiers of the open sessions, in an order that is the same in every run.
  private var sessions: [SceneSession] {
    guard let program else { return [] }
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

  private func scene(_ step: HistoryStep) -> WindowScene? { session(step)?.scene as? WindowScene }

  /// The primary or bare window of a session.
  private func window(_ step: HistoryStep) -> WindowID? {
    guard let program, let session = session(step) else { return nil }
    return program.platform.windows.first { $0.value.description.role == session.persistentIdentifier }?.key
  }

  // MARK: The steps

  private func act(_ step: HistoryStep) {
    switch step.verb {
    case .launch: launch([])
    case .launchQuietly: launch(["--background"])
    case .kill where step.callback == nil: end()
    case .powerCut: end(.unsynced(seed: UInt64(step.number ?? 0)))
    case .fullDisk: disk.fail(with: .system(28))
    case .diskWorks: disk.fail(with: nil)
    default:
      if step.callback != nil {
        // Also before a launch, for what is called then.
        if armed.count < 8 { armed.append(step) }
        return
      }
      guard isRunning, let program else { return }
      if step.verb.isRequest {
        request(step)
      } else if !actAsUser(step, program.platform) {
        actAsMachine(step, program)
      }
    }
  }

  private func actAsUser(_ step: HistoryStep, _ platform: HeadlessPlatform) -> Bool {
    switch step.verb {
    // A click gives the focus to what can be seen.
    case .focus: window(step).map { if platform.windows[$0]?.levels.visible == true { platform.focus($0) } }
    case .unfocus: platform.focus(nil)
    case .minimize: window(step).map { if platform.windows[$0]?.isMapped == true { platform.minimize($0) } }
    case .restore: window(step).map { if platform.windows[$0]?.isMapped == true { platform.restore($0) } }
    case .maximize: window(step).map { if platform.windows[$0]?.isMapped == true { platform.maximize($0) } }
    case .unmaximize: window(step).map { platform.maximize($0, false) }
    case .close: window(step).map(platform.requestClose)
    case .move: window(step).map { platform.move($0, to: Rect(x: 30, y: 40, width: 500, height: 400)) }
    // Where nobody looks.
    case .send: window(step).map { platform.send($0, toDesktop: (platform.workspace ?? 0) == 0 ? 1 : 0) }
    case .stick: window(step).map { platform.send($0, toDesktop: -1) }
    case .workspace:
      if let number = step.number, number != platform.workspace ?? 0 { platform.goTo(desktop: number) }
    case .showDesktop: platform.showDesktop(true)
    case .hideDesktop: platform.showDesktop(false)
    case .monitors: platform.changeScreens(to: Self.monitors(step.number ?? 1))
    case .press:
      window(step).map {
        let button = PointerButton(number: 1, isDown: true, location: Point(x: 5, y: 5))
        platform.send(.input($0, InputEvent(.button(button), time: 1)))
      }
    case .grab: platform.grabKeyboard(true)
    case .ungrab: platform.grabKeyboard(false)
    case .wait: platform.advance(by: step.number ?? 0)
    case .loseWindow: window(step).map(platform.destroyForeign)
    case .managerGone: platform.send(.windowManager(.absent, cause: "history"))
    case .managerChanges: platform.send(.windowManager(.changing, cause: "history"))
    case .managerSettles: platform.send(.windowManager(.settled, cause: "history"))
    case .deafManager: platform.obeysActivation = false
    case .obedientManager: platform.obeysActivation = true
    case .slowWindows: platform.showsAtOnce = false
    case .quickWindows: platform.showsAtOnce = true
    default: return false
    }
    return true
  }

  private func actAsMachine(_ step: HistoryStep, _ program: HeadlessProgram) {
    let platform = program.platform
    func tell(_ event: SystemEvent) { program.application.stage?.post(event) }
    func away(_ absence: Absence, _ isOn: Bool) { tell(.absence(absence, isOn: isOn, source: "history")) }
    func ask(_ change: (inout IncomingRequest) -> Void) {
      var request = IncomingRequest()
      change(&request)
      tell(.request(request))
    }
    switch step.verb {
    case .lock: away(.locked, true)
    case .unlock: away(.locked, false)
    case .switchAway: away(.switchedAway, true)
    case .switchBack: away(.switchedAway, false)
    case .sleep: away(.sleeping, true)
    case .wakeUp: away(.sleeping, false)
    case .memory: tell(.memoryPressure(.warning))
    case .critical: tell(.memoryPressure(.critical))
    case .shutdown: program.machine.announceShutdown()
    case .cancelShutdown: program.machine.cancelShutdown()
    case .clock: program.machine.changeTime(.clockSet)
    case .midnight: program.machine.changeTime(.newDay)
    case .zone: program.machine.changeTime(.timeZone)
    case .saver: tell(.screenSaver(isOn: true, source: "history"))
    case .noSaver: tell(.screenSaver(isOn: false, source: "history"))
    case .open: ask { $0.urls = [nextURL(), nextURL()].compactMap { $0 } }
    case .openQuietly:
      ask {
        $0.urls = [nextURL()].compactMap { $0 }
        $0.isBackground = true
      }
    case .shortcut: ask { $0.shortcut = nextShortcut() }
    case .startAgain: ask { $0.arguments = ["again"] }
    case .handOver: ask { $0.activity = .whole(StoredActivity(activityType: "history")) }
    case .handOverBadly: ask { $0.activity = .failed(type: "history", reason: "the history says so") }
    case .signal: platform.send(.signal(15))
    case .sessionSave: platform.send(.sessionSave(SessionSave(endsSession: false, mayInteract: false)))
    case .sessionQuery: platform.send(.sessionSave(SessionSave(endsSession: true, mayInteract: true)))
    case .sessionCancel: platform.send(.sessionSaveCancelled)
    case .sessionEnd: platform.send(.sessionEnded)
    case .loseDisplay: platform.send(.connectionLost("the history says so"))
    default: break
    }
  }

  private func nextURL() -> URL? {
    urlCount += 1
    return URL(string: "note:\(urlCount)")
  }

  private func nextShortcut() -> ApplicationShortcutItem {
    shortcutCount += 1
    return ApplicationShortcutItem(
      type: "history", localizedTitle: "History", userInfo: ["number": String(shortcutCount)])
  }

  /// Monitors side by side, the last one on the left: what comes or goes changes where the others are.
  private static func monitors(_ count: Int) -> [ScreenDescription] {
    let count = min(max(count, 1), 8)
    return (1...count).map { number in
      let frame = Rect(x: (count - number) * 1920, y: 0, width: 1920, height: 1080)
      return ScreenDescription(name: "monitor-\(number)", frame: frame, isPrimary: number == 1)
    }
  }

  /// What a program asks for; anywhere, also within a callback.
  private func request(_ step: HistoryStep) {
    guard let application = program?.application else { return }
    let (session, scene) = (session(step), scene(step))
    switch step.verb {
    case .new: application.activateSceneSession(for: SceneSessionActivationRequest()) { _ in }
    case .activate:
      session.map { application.activateSceneSession(for: SceneSessionActivationRequest(session: $0)) { _ in } }
    case .continueActivity:
      session.map {
        let activity = UserActivity(activityType: "history")
        application.activateSceneSession(
          for: SceneSessionActivationRequest(session: $0, userActivity: activity)
        ) { _ in }
      }
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
    case .kill:
      isDying = true
      program?.onEntry = nil
      disk.cut(afterOperation: 0, tornAt: 0)
    case .task: tasks.append(application.beginBackgroundTask())
    case .endTask: tasks.popLast().map { application.endBackgroundTask($0) }
    default: break
    }
  }
}
