import FoundationEssentials
import ProsceniumJSON
import ProsceniumLoop
import ProsceniumTrace

/// Terminates the program in order: asks the delegate, answers the session manager, and disconnects scenes.
final class Termination: FeatureBase, Feature, WindowEventHandler {
  enum Message: Equatable {
    /// A request to terminate, with the exit status.
    case ask(TerminationCause, status: Int32)
    /// The delegate's answer, at once or later, or the end of the time for it.
    case decide(TerminationMachine.Input)
    /// The user asks for the program again.
    case userReturned
    /// The time is over for an answer for which there was no background time.
    case waitAgain
    /// The session manager saves the login session, and may want to end it.
    case sessionSave(endsSession: Bool, mayInteract: Bool)
    /// The login session continues.
    case sessionContinues
    /// The termination, which may wait for earlier requests.
    case end
    /// Sends every scene to the background.
    case conceal
    /// Disconnects every scene.
    case disconnect
    /// Calls the last callback, and ends.
    case terminate
    /// Writes pending changes, and quits.
    case quit
  }

  /// The time limit of an answer where the termination cannot be refused, or where there is no background time.
  private static let answerLimit = Duration.seconds(5)

  private var machine = TerminationMachine.State.running
  /// How long the process still runs from `applicationWillTerminate(_:)` on, or when it ends while it is suspended.
  ///
  /// Its state is written meanwhile.
  nonisolated static let endLimit = Duration.seconds(10)

  /// The cause of the termination.
  private(set) var cause: TerminationCause?
  private var statuses: [(cause: TerminationCause, status: Int32)] = []
  private var exitStatus: Int32 = 0
  /// While a later answer is awaited.
  private var waitingTask = BackgroundTaskIdentifier.invalid
  private var isSessionAsking = false
  /// The user has asked for the program again since the delegate has been asked.
  private var hasUserReturned = false
  /// The time that is left to wait for disks.
  var patience = EndPatience()
  /// Since when the end waits for an answer that cannot refuse it, or the scenes are in the background.
  private var waitingSince: Duration?

  /// Whether the termination has begun, which is final.
  var isEnding: Bool { machine == .ending }

  /// Whether the user ended the program, rather than the session, the display or another program.
  var isQuit: Bool {
    switch cause {
    case .requested, .lastSceneClosed, nil: true
    // SIGINT: Ctrl-C in the terminal.
    case .signal: exitStatus == 130
    case .sessionQuery, .sessionEnd, .connectionLost, .memoryPressure: false
    }
  }

  /// Whether the program terminates, or the delegate is being asked.
  var isAsked: Bool { machine != .running }

  override func join(_ lists: inout FeatureLists) { lists.handle(.program, by: self) }

  func handle(_ event: PlatformEvent) -> [FeatureAction] {
    switch event {
    case .signal(let number): [post(.ask(.signal, status: Self.status(ofSignal: number)))]
    case .sessionSave(let endsSession, let mayInteract):
      [post(.sessionSave(endsSession: endsSession, mayInteract: mayInteract))]
    case .sessionSaveCancelled: [post(.sessionContinues)]
    case .sessionEnded: [post(.ask(.sessionEnd, status: 0))]
    case .connectionLost(let message): [.report(message), post(.ask(.connectionLost, status: 1))]
    case .error(let message): [.trace(.error(message: message))]
    case .fault(let message): [.report(message)]
    default: []
    }
  }

  /// Ctrl-C ends a program as the shell expects it.
  static func status(ofSignal number: Int32) -> Int32 { number == 2 ? 130 : 0 }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .ask(let cause, let status): ask(cause, status: status)
    case .decide(let input): decide(input)
    case .userReturned: userReturned()
    case .waitAgain: waitAgain()
    case .sessionSave(let endsSession, let mayInteract): sessionSave(asksUser: endsSession && mayInteract)
    case .sessionContinues: sessionContinues()
    // Requests of other programs are delivered first.
    case .end: conductor.delaysEnd ? [post(.end)] : [.reduce(.terminate)]
    case .conceal: conceal()
    case .disconnect: disconnectAll()
    case .terminate: terminate()
    case .quit: [.announce(.ended), .send(AnyMessage(Saving.self, .end)), .command(.quit(exitStatus))]
    }
  }

  /// Ends a suspended program at once: its state was saved when its scenes entered the background.
  func endInSilence(_ cause: TerminationCause, status: Int32) -> [FeatureAction] {
    self.cause = cause
    exitStatus = status
    machine = .ending
    limitEnd()
    return [.traceSystem("ended", ["cause": .string(cause.rawValue)]), send(.quit)]
  }

  /// The process ends in time from here on, whatever holds it up.
  fileprivate func limitEnd() { application.host.process?.exit(within: Self.endLimit, status: exitStatus) }

  // MARK: The question

  /// A request to terminate: the delegate is asked, unless it has agreed already.
  private func ask(_ cause: TerminationCause, status: Int32) -> [FeatureAction] {
    if isEnding {
      if exitStatus == 0 { exitStatus = status }
      // Work that waits for background tasks waits no longer than necessary.
      return cause.isCancellable ? [] : [.post(AnyMessage(BackgroundTasks.self, .reduce(.hurry)))]
    }
    if !statuses.contains(where: { $0.cause == cause }) { statuses.append((cause, status)) }
    let actions = decide(.asked(cause))
    // While an answer is awaited, the stronger cause counts.
    if case .waiting(let cause) = machine { self.cause = cause }
    return actions
  }

  /// Reduces one input of the termination machine, and returns the actions of its effects.
  private func decide(_ input: TerminationMachine.Input) -> [FeatureAction] {
    let (next, effects) = TerminationMachine.reduce(machine, counted(input))
    machine = next
    endWaiting()
    let actions = effects.flatMap { effect -> [FeatureAction] in
      switch effect {
      case .ask(let cause):
        (self.cause, hasUserReturned) = (cause, false)
        return [.call(ShouldTerminateCall())]
      case .hold:
        waitingSince = MonotonicClock.now
        return [set(.termination, after: Self.answerLimit, .decide(.expired))]
      case .release: return [.cancel(.termination)]
      case .end(let cause):
        self.cause = cause
        exitStatus = statuses.first { $0.cause == cause }?.status ?? 0
        return answerSessionManager(endsSession: true) + [send(.end)]
      case .approve:
        return [.send(AnyMessage(Saving.self, .saveEverything))] + answerSessionManager(endsSession: true)
      case .refuse:
        (cause, waitingSince) = (nil, nil)
        statuses = []
        return answerSessionManager(endsSession: false)
      }
    }
    return actions + beginWaiting()
  }

  /// A scene that is open is what the program asks with: brought forward, it gets the user's answer.
  private func userReturned() -> [FeatureAction] {
    if isAsked, conductor.feature(Closing.self)?.isAnyOpen != true { hasUserReturned = true }
    return []
  }

  /// The answer as it counts: after its last close a program does not end that the user has asked for again meanwhile,
  /// and that has a scene for it; it does where the end has another cause, too.
  private func counted(_ input: TerminationMachine.Input) -> TerminationMachine.Input {
    guard hasUserReturned, statuses.allSatisfy({ $0.cause == .lastSceneClosed }),
      conductor.feature(Closing.self)?.isAnyOpen == true
    else { return input }
    return switch input {
    case .answered(.now): .answered(.cancel)
    case .replied(true): .replied(false)
    case .asked, .answered, .replied, .expired, .sessionContinues: input
    }
  }

  /// Waits for a later answer as a background task: in the foreground the program may ask the user, without a time
  /// limit; in the background the limit is the remaining background time, and a short one where none is left.
  private func beginWaiting() -> [FeatureAction] {
    guard case .waiting(let cause) = machine, cause.isCancellable, waitingTask == .invalid,
      !conductor.isSet(.laterAnswer)
    else { return [] }
    beginTask()
    return waitingTask == .invalid ? [set(.laterAnswer, after: Self.answerLimit, .waitAgain)] : []
  }

  private func beginTask() {
    waitingTask = application.beginBackgroundTask(withName: "applicationShouldTerminate(_:)") { [weak self] in
      self?.waitedInVain()
    }
  }

  /// The program may have come to the foreground meanwhile, to ask the user.
  private func waitAgain() -> [FeatureAction] {
    beginTask()
    if waitingTask == .invalid { waitedInVain() }
    return []
  }

  private func endWaiting() {
    if case .waiting(let cause) = machine, cause.isCancellable { return }
    application.endBackgroundTask(waitingTask)
    waitingTask = .invalid
    conductor.cancel(.laterAnswer)
  }

  private func waitedInVain() {
    conductor.report(
      "applicationShouldTerminate(_:) has answered .later, and no reply(toApplicationShouldTerminate:) has come in the time "
        + "that the program has in the background: that is taken for a "
        + (counted(.replied(true)) == .replied(true) ? "yes." : "no, as the program was started again."))
    application.endBackgroundTask(waitingTask)
    waitingTask = .invalid
    conductor.post(Self.self, .decide(.replied(true)))
  }

  // MARK: The session manager

  private func sessionSave(asksUser: Bool) -> [FeatureAction] {
    // A program that terminates already is not asked, though it may be finishing background tasks.
    guard asksUser, !isEnding else {
      return [.send(AnyMessage(Saving.self, .saveEverything)), .command(.sessionSaved(success: true))]
    }
    isSessionAsking = true
    return ask(.sessionQuery, status: 0)
  }

  private func sessionContinues() -> [FeatureAction] {
    isSessionAsking = false
    if cause == .sessionQuery { cause = nil }
    statuses.removeAll { $0.cause == .sessionQuery }
    return decide(.sessionContinues)
  }

  private func answerSessionManager(endsSession: Bool) -> [FeatureAction] {
    guard exchange(&isSessionAsking, with: false) else { return [] }
    return [
      .command(.sessionInteraction(cancelsShutdown: !endsSession)), .command(.sessionSaved(success: endsSession)),
    ]
  }

  // MARK: The end

  private func conceal() -> [FeatureAction] {
    waitingSince = waitingSince ?? MonotonicClock.now
    return [.announce(.ending)] + connected.map { .updateConcealment($0) }
      + [.settle, .send(AnyMessage(BackgroundTasks.self, .endAfterTasks(.concealed)))]
  }

  private func disconnectAll() -> [FeatureAction] {
    let ending = SceneEnding(reason: .applicationExit, discards: false)
    return connected.filter { $0.ending == nil }.map { .disconnect($0, ending) }
      // Behind what the windows that have gone are told, and what the callbacks have asked for.
      + [.settle, .post(AnyMessage(BackgroundTasks.self, .endAfterTasks(.disconnected)))]
  }

  private var connected: [SceneRecord] { roster.ordered.filter { $0.scene != nil } }

  private func terminate() -> [FeatureAction] {
    if let waitingSince { patience.begin(after: MonotonicClock.now - waitingSince) }
    return [
      .announce(.terminating), .send(AnyMessage(BackgroundTasks.self, .reduce(.terminate))),
      .call(WillTerminateCall()), .send(AnyMessage(Saving.self, .save)), send(.quit),
    ]
  }
}

/// The delegate's later answer is due, where the end cannot be refused.
extension Deadline { fileprivate static let termination = Deadline("termination", isUrgent: true) }
/// The delegate's later answer is due, where there is no background time.
extension Deadline { fileprivate static let laterAnswer = Deadline("laterAnswer") }

/// `applicationShouldTerminate(_:)`.
private struct ShouldTerminateCall: ProgramCall {
  // A question may last as long as the user needs.
  var call: CallDescription { CallDescription("applicationShouldTerminate(_:)", phase: .question) }

  func perform(for application: Application) -> [FeatureAction] {
    let reply = application.delegate?.applicationShouldTerminate(application) ?? .now
    application.conductor?.traceRequest("applicationShouldTerminate", nil, reply.rawValue)
    let answer = AnyMessage(Termination.self, .decide(.answered(reply)))
    // The end comes behind what the callback has asked for; a reply to a later answer comes behind that.
    return [reply == .now ? .post(answer) : .send(answer)]
  }
}

/// `applicationWillTerminate(_:)` and its notification.
private struct WillTerminateCall: Notice {
  var call: CallDescription { CallDescription("applicationWillTerminate(_:)", phase: .termination) }

  func send(to application: Application) {
    application.conductor?.traceApplication("applicationWillTerminate")
    let termination = application.conductor?.feature(Termination.self)
    termination?.limitEnd()
    let start = MonotonicClock.now
    application.delegate?.applicationWillTerminate(application)
    Application.WillTerminateMessage(application: application).post()
    termination?.patience.spend(onCallback: MonotonicClock.now - start)
  }
}

extension Application {
  /// Ends the program in order: scenes to the background, disconnected, then `applicationWillTerminate`.
  ///
  /// The delegate's ``ApplicationLifecycleDelegate/applicationShouldTerminate(_:)`` is asked first, and may refuse.
  /// Sessions stay. Returns at once; the end comes after the present callback has returned.
  /// - Parameter status: The exit status.
  public func terminate(status: Int32 = 0) { conductor?.post(Termination.self, .ask(.requested, status: status)) }

  /// Answers an ``ApplicationLifecycleDelegate/applicationShouldTerminate(_:)`` that returned `.later`.
  ///
  /// Does nothing if no answer is expected. A program that was asked because its last scene was closed, and that the
  /// user has started again meanwhile, goes on with any answer as long as it has a scene.
  /// - Parameter terminates: Whether the program ends.
  public func reply(toApplicationShouldTerminate terminates: Bool) {
    conductor?.post(Termination.self, .decide(.replied(terminates)))
  }

  /// The cause of the termination: set while ``ApplicationLifecycleDelegate/applicationShouldTerminate(_:)`` is being
  /// called and from then on; nil while the program is not terminating.
  public var terminationCause: TerminationCause? { conductor?.feature(Termination.self)?.cause }
}
