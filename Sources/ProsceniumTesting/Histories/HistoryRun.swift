import FoundationEssentials
import ProsceniumCore
import ProsceniumLoop
import ProsceniumPlatform
import ProsceniumStore
import ProsceniumTrace

/// One history that is happening: the program, its disk, and its trace.
@MainActor final class HistoryRun {
  private let tester: HistoryTester
  private(set) var process: HistoryProcess?
  private(set) var checker = TraceChecker()
  private var disk = CuttableDisk()
  /// Steps that wait for their callback.
  private var armed: [HistoryStep] = []
  private var launchCount = 0
  private var urlCount = 0
  private var shortcutCount = 0
  private var lines: [(time: Double, process: Int, record: TraceRecord)] = []

  init(_ tester: HistoryTester) { self.tester = tester }

  /// The last lines of the trace.
  var tail: [String] { lines.suffix(30).map { $0.record.json(time: $0.time, process: Int32($0.process)) } }

  /// Performs one step, with everything that follows at once.
  /// - Returns: The first failure after it; nil where there is none.
  func perform(_ step: HistoryStep) -> String? {
    act(step)
    if process?.isDying == false { process?.program.platform.deliver() }
    if process?.isDying == true { end() }
    if let violation = checker.violations.first { return "rule \(violation.rule.rawValue): \(violation)" }
    guard let process else { return nil }
    return check(process, isAtRest: step.verb == .wait && (step.number ?? 0) >= 6000)
      ?? tester.invariant(process.delegate)
  }

  // MARK: Processes

  private func launch(_ arguments: [String]) {
    guard process.map({ $0.program.exitStatus != nil }) ?? true else { return }
    end()
    let program = HeadlessProgram(store: .given(SessionStore(files: disk, runsInline: true)))
    program.onEntry = { [weak self] in self?.observe($0) }
    launchCount += 1
    let process = HistoryProcess(program, tester.makeDelegate(), number: launchCount)
    self.process = process
    program.launch(process.delegate, arguments: arguments)
  }

  /// Ends the process, if there is one; its disk stays.
  private func end(_ loss: CuttableDisk.Loss = .nothing) {
    guard let process else { return }
    process.end()
    self.process = nil
    disk = disk.restarted(loss)
  }

  /// Checks a record of the trace, and makes the requests that wait for its callback, which follows.
  private func observe(_ record: TraceRecord) {
    guard let process else { return }
    let time = process.program.platform.now
    tester.onEntry?(record)
    checker.check(record, number: checker.lineCount + 1, time: time, process: process.number)
    lines.append((time, process.number, record))
    if lines.count > 200 { lines.removeFirst(100) }
    process.observe(record)
    guard let name = record.name, let index = armed.firstIndex(where: { $0.callback == name }) else { return }
    request(armed.remove(at: index), process)
  }

  // MARK: Steps

  private func act(_ step: HistoryStep) {
    switch step.verb {
    case .launch: launch([])
    case .launchQuietly: launch(["--background"])
    case .kill where step.callback == nil, .crash where step.callback == nil: end()
    case .powerCut: end(.unsynced(seed: UInt64(step.number ?? 0)))
    case .fullDisk: disk.fail(with: .system(28))
    case .diskWorks: disk.fail(with: nil)
    default:
      if step.callback != nil {
        // Also before a launch, for the callbacks of the launch.
        if armed.count < 8 { armed.append(step) }
        return
      }
      guard let process, process.program.exitStatus == nil else { return }
      if step.verb.isRequest { request(step, process) } else { actAsUser(step, process) }
    }
  }

  private func request(_ step: HistoryStep, _ process: HistoryProcess) {
    guard step.verb == .kill || step.verb == .crash else { return process.request(step) }
    process.die(isCrash: step.verb == .crash)
    disk.cut(afterOperation: 0, tornAt: 0)
  }

  /// Performs a step of the user, the window manager or the window system; any other is one of the machine.
  private func actAsUser(_ step: HistoryStep, _ process: HistoryProcess) {
    let platform = process.program.platform
    func window(where isFit: (HeadlessWindow) -> Bool = { _ in true }) -> WindowID? {
      process.window(step).flatMap { platform.windows[$0].map(isFit) == true ? $0 : nil }
    }
    switch step.verb {
    // A click gives the focus to a visible window.
    case .focus: window(where: \.levels.visible).map { platform.focus($0) }
    case .unfocus: platform.focus(nil)
    case .minimize: window(where: \.isMapped).map(platform.minimize)
    case .restore: window(where: \.isMapped).map(platform.restore)
    case .maximize: window(where: \.isMapped).map { platform.maximize($0) }
    case .unmaximize: window().map { platform.maximize($0, false) }
    case .close: window().map(platform.requestClose)
    case .move: window().map { platform.move($0, to: Rect(x: 30, y: 40, width: 500, height: 400)) }
    // To a workspace that is not seen.
    case .send: window().map { platform.send($0, toDesktop: (platform.workspace ?? 0) == 0 ? 1 : 0) }
    case .stick: window().map { platform.send($0, toDesktop: -1) }
    case .workspace:
      if let number = step.number, number != platform.workspace ?? 0 { platform.goTo(desktop: number) }
    case .showDesktop: platform.showDesktop(true)
    case .hideDesktop: platform.showDesktop(false)
    case .monitors: platform.changeScreens(to: Self.monitors(step.number ?? 1))
    case .press:
      window().map {
        let button = PointerButton(number: 1, isDown: true, location: Point(x: 5, y: 5))
        platform.send(.input($0, InputEvent(.button(button), time: 1)))
      }
    case .grab: platform.grabKeyboard(true)
    case .ungrab: platform.grabKeyboard(false)
    case .wait: platform.advance(by: step.number ?? 0)
    case .loseWindow: window().map(platform.destroyForeign)
    case .managerGone: platform.send(.windowManager(.absent, cause: "history"))
    case .managerChanges: platform.send(.windowManager(.changing, cause: "history"))
    case .managerSettles: platform.send(.windowManager(.settled, cause: "history"))
    case .deafManager: platform.windowManager.obeysActivation = false
    case .obedientManager: platform.windowManager.obeysActivation = true
    case .slowWindows: platform.windowManager.showsAtOnce = false
    case .quickWindows: platform.windowManager.showsAtOnce = true
    default: actAsMachine(step, process.program)
    }
  }

  private func actAsMachine(_ step: HistoryStep, _ program: HeadlessProgram) {
    let platform = program.platform
    func post(_ event: SystemEvent) { program.application.conductor?.post(event) }
    func change(_ reason: ConcealmentReason, _ isOn: Bool) { post(.concealment(reason, isOn: isOn, source: "history")) }
    func open(_ change: (inout IncomingRequest) -> Void) {
      var request = IncomingRequest()
      change(&request)
      post(.request(request))
    }
    switch step.verb {
    case .lock: change(.locked, true)
    case .unlock: change(.locked, false)
    case .switchAway: change(.switchedAway, true)
    case .switchBack: change(.switchedAway, false)
    case .sleep: change(.sleeping, true)
    case .wakeUp: change(.sleeping, false)
    case .memory: post(.memoryPressure(.warning))
    case .critical: post(.memoryPressure(.critical))
    case .shutdown: program.machine.announceShutdown()
    case .cancelShutdown: program.machine.cancelShutdown()
    case .clock: program.machine.changeTime(.clockSet)
    case .midnight: program.machine.changeTime(.newDay)
    case .zone: program.machine.changeTime(.timeZone)
    case .saver: post(.screenSaver(isOn: true, source: "history"))
    case .noSaver: post(.screenSaver(isOn: false, source: "history"))
    case .open: open { $0.urls = [nextURL(), nextURL()].compactMap { $0 } }
    case .openQuietly:
      open {
        $0.urls = [nextURL()].compactMap { $0 }
        $0.isBackground = true
      }
    case .shortcut: open { $0.shortcut = nextShortcut() }
    case .startAgain: open { $0.arguments = ["again"] }
    case .handOver: open { $0.activity = .whole(StoredActivity(activityType: "history")) }
    case .handOverBadly: open { $0.activity = .failed(type: "history", reason: "the history says so") }
    case .signal: platform.send(.signal(15))
    case .sessionSave: platform.send(.sessionSave(endsSession: false, mayInteract: false))
    case .sessionQuery: platform.send(.sessionSave(endsSession: true, mayInteract: true))
    case .sessionCancel: platform.send(.sessionSaveCancelled)
    case .sessionEnd: platform.send(.sessionEnded)
    case .loseDisplay: platform.send(.connectionLost("the history says so"))
    // What `act(_:)`, `request(_:_:)` and `actAsUser(_:_:)` perform.
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

  /// Monitors side by side, the last one on the left: one that comes or goes moves the others.
  private static func monitors(_ count: Int) -> [ScreenDescription] {
    let count = min(max(count, 1), 8)
    return (1...count).map { number in
      let frame = Rect(x: (count - number) * 1920, y: 0, width: 1920, height: 1080)
      return ScreenDescription(name: "monitor-\(number)", frame: frame, isPrimary: number == 1)
    }
  }
}
