import FoundationEssentials
import ProsceniumStore
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
    endWaiting()
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
        endWhenAsked()
      case .approve:
        saveEverything()
        answerSessionManager(endsSession: true)
      case .refuse:
        terminationCause = nil
        terminationStatus = [:]
        answerSessionManager(endsSession: false)
      }
    }
    beginWaiting()
  }

  /// An answer that is to come later is waited for as a background task: while the program is in the foreground the user may
  /// be being asked, for as long as that takes; in the background nobody can be, and what time it has there is the limit.
  private func beginWaiting() {
    guard case .waiting(let cause) = termination, cause.isCancellable, waitingTask == .invalid else { return }
    waitingTask = application.beginBackgroundTask(withName: "applicationShouldTerminate(_:)") { [weak self] in
      self?.waitedInVain()
    }
    if waitingTask == .invalid { post(.terminateReply(true)) }
  }

  private func endWaiting() {
    if case .waiting(let cause) = termination, cause.isCancellable { return }
    application.endBackgroundTask(waitingTask)
    waitingTask = .invalid
  }

  private func waitedInVain() {
    report(
      "applicationShouldTerminate(_:) has answered .later, and no reply(toApplicationShouldTerminate:) has come in the time "
        + "that the program has in the background: that is taken for a yes.")
    application.endBackgroundTask(waitingTask)
    waitingTask = .invalid
    post(.terminateReply(true))
  }

  /// Ends the program, once what others had asked for before has been handed on.
  func endWhenAsked() {
    if requestsWaiting > 0 { return post(.end) }
    reduce(.terminate)
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
    for record in expecting { hand(parcelsOf: record) }
    // What sessions were to be brought back with whose turn comes no more.
    for record in suspects where !record.launchParcel.isEmpty {
      hand(record.launchParcel, to: nil)
      record.launchParcel = Parcel()
    }
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
  func endStore() {
    application.preferencesIfUsed?.end()
    store?.end(isQuit ? .quit : .sessionEnded)
  }

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
    // What is left on a display beside is nothing that anybody could use.
    guard !records.contains(where: { $0.isInteractive && ($0.scene != nil || $0.bare != nil) }) else { return }
    // A scene may be about to be opened for somebody.
    guard requestsWaiting == 0 else { return post(.checkLastScene) }
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
