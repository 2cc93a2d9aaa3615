import FoundationEssentials
import SceneLifecycle

extension Stage {
  /// How long an answer may take where the end cannot be refused.
  private static let answerLimit = 5000

  /// Something wants the program to end: the delegate is asked, unless it has agreed already.
  func askToTerminate(_ cause: TerminationCause, status: Int32 = 0) {
    if termination == .ending {
      if exitStatus == 0 { exitStatus = status }
      // What waits for background tasks waits no longer than it must.
      if !cause.isCancellable { post(.tasksHurried) }
      return
    }
    terminationStatus[cause] = terminationStatus[cause] ?? status
    decide(.asked(cause))
    // While an answer is awaited, the stronger cause is the one that counts.
    if case .waiting(let cause) = termination { terminationCause = cause }
  }

  /// Gives one input to the law of termination and performs its effects.
  func decide(_ input: TerminationMachine.Input) {
    let (next, effects) = TerminationMachine.reduce(termination, input)
    termination = next
    for effect in effects {
      switch effect {
      case .ask(let cause):
        terminationCause = cause
        let reply = application.delegate?.applicationShouldTerminate(application) ?? .now
        traceRequest("applicationShouldTerminate", nil, "\(reply)")
        decide(.answered(reply))
      case .hold: terminationDeadline = makeDeadline(.termination, milliseconds: Self.answerLimit)
      case .release:
        if let id = terminationDeadline { cancel(id) }
        terminationDeadline = nil
      case .end(let cause):
        terminationCause = cause
        exitStatus = terminationStatus[cause] ?? 0
        answerSessionManager(endsSession: true)
        reduce(.terminate)
      case .approve:
        saveEverything()
        answerSessionManager(endsSession: true)
      case .refuse:
        terminationCause = nil
        terminationStatus = [:]
        answerSessionManager(endsSession: false)
      }
    }
  }

  /// The session manager saves the session, and may want to end it.
  func sessionSave(_ save: SessionSave) {
    // Nothing is asked of a program that ends already, though it may be finishing background tasks.
    guard save.endsSession, save.mayInteract, termination != .ending else {
      saveEverything()
      platform.perform(.sessionSaved(success: true))
      return
    }
    isSessionAsking = true
    askToTerminate(.sessionQuery)
  }

  /// Nothing ends after all.
  func sessionContinues() {
    isSessionAsking = false
    if terminationCause == .sessionQuery { terminationCause = nil }
    decide(.sessionContinues)
  }

  private func answerSessionManager(endsSession: Bool) {
    guard isSessionAsking else { return }
    isSessionAsking = false
    platform.perform(.sessionInteraction(cancelsShutdown: !endsSession))
    platform.perform(.sessionSaved(success: endsSession))
  }

  /// Everything as it is now, asked of every scene: the session is saved, or the machine is about to go down.
  func saveEverything() {
    for record in records.ordered where record.scene != nil {
      collectState(of: record)
      sessionChanged(record)
    }
    saveSessions()
  }

  func conceal() {
    for record in records.ordered where record.scene != nil {
      apply(.concealment(true), to: record)
      markDirty(record)
    }
    settle()
    endAfterTasks(.concealed)
  }

  func disconnectAll() {
    for record in records.ordered where record.scene != nil {
      if record.ending == nil {
        end(record, SceneRecord.Ending(reason: .applicationExit, discards: false))
      }
    }
    settle()
    endAfterTasks(.disconnected)
  }

  func finish() {
    reportDiscards()
    applyToBackgroundTime(.terminate)
    traceApplication("applicationWillTerminate")
    watched("applicationWillTerminate(_:)", nil, .termination) {
      application.delegate?.applicationWillTerminate(application)
      NotificationCenter.default.post(
        Application.WillTerminateMessage(application: application), subject: application)
    }
    saveSessions()
    endStore()
    platform.perform(.quit(exitStatus))
  }

  /// Writes what is left, and why the run ended.
  func endStore() { store?.end(isQuit ? .quit : .sessionEnded) }

  /// Whether the user ended the program, rather than the session, the display or another program.
  private var isQuit: Bool {
    switch terminationCause {
    case .requested, .lastSceneClosed, nil: true
    // SIGINT: Ctrl-C in the terminal.
    case .signal: exitStatus == 130
    case .sessionQuery, .sessionEnd, .connectionLost, .memoryPressure: false
    }
  }

  /// Ends the program when its last scene has been closed, unless it wants to stay.
  func checkLastScene() {
    guard !isConcealing, law.phase == .running || law.phase == .launched else { return }
    guard !records.contains(where: { $0.scene != nil || $0.bare != nil }) else { return }
    observeBackgroundTime()
    if holdsBackgroundTask {
      backgroundTime.holdsLastScene = true
      return
    }
    if application.delegate?.applicationShouldTerminateAfterLastSceneClosed(application) ?? true {
      askToTerminate(.lastSceneClosed)
    }
  }
}
