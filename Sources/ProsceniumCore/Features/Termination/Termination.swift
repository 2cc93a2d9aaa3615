import FoundationEssentials
import ProsceniumJSON
import ProsceniumLoop
import ProsceniumPlatform
import ProsceniumTrace
import SceneLifecycle

/// Ends the program in order: asks the delegate, answers the session manager, and sends scenes on their way out.
final class Termination: Feature {
  enum Message: Equatable {
    /// The program is to end, with this exit status if it does.
    case ask(TerminationCause, status: Int32)
    /// What the delegate answered when it was asked.
    case answered(TerminateReply)
    /// What the delegate answered later.
    case replied(Bool)
    /// The session manager saves the login session, and may want to end it.
    case sessionSave(SessionSave)
    /// The login session goes on after all.
    case sessionContinues
    /// The end, which may wait for what had been asked for before.
    case end
    /// Sends every scene to the background.
    case conceal
    /// Disconnects every scene.
    case disconnect
    /// Calls the last callback, and ends.
    case terminate
    /// Writes what is left, and quits.
    case quit
  }

  /// How long an answer may take where the end cannot be refused.
  private static let answerLimit = Duration.seconds(5)

  private unowned let conductor: Conductor
  private var machine = TerminationMachine.State.running
  /// Why the program is to end.
  private(set) var cause: TerminationCause?
  private var statuses: [(cause: TerminationCause, status: Int32)] = []
  private var exitStatus: Int32 = 0
  /// While an answer is to come later.
  private var waitingTask = BackgroundTaskIdentifier.invalid
  private var isSessionAsking = false

  init(_ conductor: Conductor) { self.conductor = conductor }

  private var application: Application { conductor.application }

  /// Whether the end has begun: nothing takes it back.
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

  var keepsRunning: Bool { false }

  /// Whether the program ends, or is asked whether it may.
  var isAsked: Bool { machine != .running }

  func handle(_ event: PlatformEvent) -> [FeatureAction] {
    switch event {
    case .signal(let number): [post(.ask(.signal, status: Self.status(ofSignal: number)))]
    case .sessionSave(let save): [post(.sessionSave(save))]
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

  func reached(_ deadline: Deadline) -> [FeatureAction] { deadline == .termination ? decide(.expired) : [] }

  func receive(_ message: Message) -> [FeatureAction] {
    switch message {
    case .ask(let cause, let status): ask(cause, status: status)
    case .answered(let reply): decide(.answered(reply))
    case .replied(let terminates): decide(.replied(terminates))
    case .sessionSave(let save): sessionSave(save)
    case .sessionContinues: sessionContinues()
    // What others had asked for before is handed on first.
    case .end: conductor.delaysEnd ? [post(.end)] : [.reduce(.terminate)]
    case .conceal: conceal()
    case .disconnect: disconnectAll()
    case .terminate: terminate()
    case .quit: [.tell(.ended), .command(.quit(exitStatus))]
    }
  }

  /// Ends a suspended program at once: everything was saved when its scenes went to the background.
  func endInSilence(_ cause: TerminationCause, status: Int32) -> [FeatureAction] {
    self.cause = cause
    exitStatus = status
    machine = .ending
    return [.traceSystem("ended", ["cause": .string(cause.rawValue)]), send(.quit)]
  }

  // MARK: The question

  /// Something wants the program to end: the delegate is asked, unless it has agreed already.
  private func ask(_ cause: TerminationCause, status: Int32) -> [FeatureAction] {
    if isEnding {
      if exitStatus == 0 { exitStatus = status }
      // What waits for background tasks waits no longer than it must.
      return cause.isCancellable ? [] : [.post(AnyMessage(BackgroundTasks.self, .hurry))]
    }
    if !statuses.contains(where: { $0.cause == cause }) { statuses.append((cause, status)) }
    let actions = decide(.asked(cause))
    // While an answer is awaited, the stronger cause is the one that counts.
    if case .waiting(let cause) = machine { self.cause = cause }
    return actions
  }

  /// Gives one input to the law of termination, and answers its effects.
  private func decide(_ input: TerminationMachine.Input) -> [FeatureAction] {
    let (next, effects) = TerminationMachine.reduce(machine, input)
    machine = next
    endWaiting()
    let actions = effects.flatMap { effect -> [FeatureAction] in
      switch effect {
      case .ask(let cause):
        self.cause = cause
        return [.call(ShouldTerminateCall())]
      case .hold: return [.set(.termination, after: Self.answerLimit)]
      case .release: return [.cancel(.termination)]
      case .end(let cause):
        self.cause = cause
        exitStatus = statuses.first { $0.cause == cause }?.status ?? 0
        return answerSessionManager(endsSession: true) + [send(.end)]
      case .approve:
        return [.send(AnyMessage(Saving.self, .saveEverything))] + answerSessionManager(endsSession: true)
      case .refuse:
        cause = nil
        statuses = []
        return answerSessionManager(endsSession: false)
      }
    }
    return actions + beginWaiting()
  }

  /// An answer that is to come later is waited for as a background task: while the program is in the foreground the user may
  /// be being asked, for as long as that takes; in the background nobody can be, and what time it has there is the limit.
  private func beginWaiting() -> [FeatureAction] {
    guard case .waiting(let cause) = machine, cause.isCancellable, waitingTask == .invalid else { return [] }
    waitingTask = application.beginBackgroundTask(withName: "applicationShouldTerminate(_:)") { [weak self] in
      self?.waitedInVain()
    }
    return waitingTask == .invalid ? [post(.replied(true))] : []
  }

  private func endWaiting() {
    if case .waiting(let cause) = machine, cause.isCancellable { return }
    application.endBackgroundTask(waitingTask)
    waitingTask = .invalid
  }

  private func waitedInVain() {
    conductor.report(
      "applicationShouldTerminate(_:) has answered .later, and no reply(toApplicationShouldTerminate:) has come in the time "
        + "that the program has in the background: that is taken for a yes.")
    application.endBackgroundTask(waitingTask)
    waitingTask = .invalid
    conductor.post(Self.self, .replied(true))
  }

  // MARK: The session manager

  private func sessionSave(_ save: SessionSave) -> [FeatureAction] {
    // Nothing is asked of a program that ends already, though it may be finishing background tasks.
    guard save.endsSession, save.mayInteract, !isEnding else {
      return [.send(AnyMessage(Saving.self, .saveEverything)), .command(.sessionSaved(success: true))]
    }
    isSessionAsking = true
    return ask(.sessionQuery, status: 0)
  }

  private func sessionContinues() -> [FeatureAction] {
    isSessionAsking = false
    if cause == .sessionQuery { cause = nil }
    return decide(.sessionContinues)
  }

  private func answerSessionManager(endsSession: Bool) -> [FeatureAction] {
    guard isSessionAsking else { return [] }
    isSessionAsking = false
    return [
      .command(.sessionInteraction(cancelsShutdown: !endsSession)), .command(.sessionSaved(success: endsSession)),
    ]
  }

  // MARK: The end

  private func conceal() -> [FeatureAction] {
    [.tell(.ending)] + connected.map { .updateConcealment($0) }
      + [.settle, .send(AnyMessage(BackgroundTasks.self, .endAfterTasks(.concealed)))]
  }

  private func disconnectAll() -> [FeatureAction] {
    let ending = SceneEnding(reason: .applicationExit, discards: false)
    return connected.filter { $0.ending == nil }.map { .disconnect($0, ending) }
      + [.settle, .send(AnyMessage(BackgroundTasks.self, .endAfterTasks(.disconnected)))]
  }

  private var connected: [SceneRecord] { conductor.roster.ordered.filter { $0.scene != nil } }

  private func terminate() -> [FeatureAction] {
    [
      .tell(.terminating), .send(AnyMessage(BackgroundTasks.self, .terminate)), .call(WillTerminateCall()),
      .send(AnyMessage(Saving.self, .save)), send(.quit),
    ]
  }
}

extension Deadline {
  /// The delegate's later answer is due, where the end cannot be refused.
  fileprivate static let termination = Deadline("termination")
}

/// `applicationShouldTerminate(_:)`.
private struct ShouldTerminateCall: ProgramCall {
  // A question may take as long as the user does.
  var call: CallDescription { CallDescription("applicationShouldTerminate(_:)", phase: .event) }

  func perform(for application: Application) -> [FeatureAction] {
    let reply = application.delegate?.applicationShouldTerminate(application) ?? .now
    application.conductor?.traceRequest("applicationShouldTerminate", nil, "\(reply)")
    return [.send(AnyMessage(Termination.self, .answered(reply)))]
  }
}

/// `applicationWillTerminate(_:)` and its notification.
private struct WillTerminateCall: ProgramCall {
  var call: CallDescription { CallDescription("applicationWillTerminate(_:)", phase: .termination) }

  func perform(for application: Application) -> [FeatureAction] {
    application.conductor?.traceApplication("applicationWillTerminate")
    application.delegate?.applicationWillTerminate(application)
    NotificationCenter.default.post(
      Application.WillTerminateMessage(application: application), subject: application)
    return []
  }
}

extension Application {
  /// Ends the program in order: scenes to the background, disconnected, then `applicationWillTerminate`.
  ///
  /// The delegate's ``ApplicationLifecycleDelegate/applicationShouldTerminate(_:)`` is asked first, and may refuse.
  /// Sessions stay. Returns at once; the end comes after the present callback has returned.
  /// - Parameter status: The exit status.
  public func terminate(status: Int32 = 0) { conductor?.post(Termination.self, .ask(.requested, status: status)) }

  /// Answers an ``ApplicationLifecycleDelegate/applicationShouldTerminate(_:)`` that said `.later`.
  ///
  /// Does nothing if nothing is asked.
  /// - Parameter terminates: Whether the program ends.
  public func reply(toApplicationShouldTerminate terminates: Bool) {
    conductor?.post(Termination.self, .replied(terminates))
  }

  /// Why the program is to end: set while ``ApplicationLifecycleDelegate/applicationShouldTerminate(_:)`` is being
  /// answered and from then on; nil while it is not going to.
  public var terminationCause: TerminationCause? { conductor?.feature(Termination.self)?.cause }
}
