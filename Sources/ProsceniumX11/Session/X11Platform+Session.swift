import CXCB
import Glibc
import ProsceniumLoop
import ProsceniumPlatform
import SceneLifecycle

/// What the platform knows of the session manager.
struct SessionState {
  /// How to reach it; nil where there is none.
  var plan: SessionPlan?
  var connection: SessionConnection?
  var source: LoopSourceID?
  var machine = SessionManagerMachine.State.offline
}

/// How to reach the session manager, and as whom.
struct SessionPlan: Equatable, Sendable {
  var address: String
  var command: SessionCommand
  var directory: String

  /// nil where there is no address.
  init?(_ address: String, _ identity: ApplicationIdentity) {
    guard !address.isEmpty else { return nil }
    self.address = address
    command = SessionCommand(identity.arguments.isEmpty ? [identity.instance] : identity.arguments)
    let path = getcwd(nil, 0)
    directory = path.map { String(cString: $0) } ?? "/"
    free(path)
  }
}

/// The X session manager, where there is one; everything else works without.
extension X11Platform {
  /// How long a session manager may take until the trace says that it does not answer.
  private static let silence = 5_000

  /// Looks for a session manager; it hears of us on a thread of its own, because libSM waits for its answers.
  func joinSession() {
    guard let plan = session.plan else { return }
    if plan.command.isTooLong {
      batch.append(
        .error("The command line is too long for the session manager, which will not start the program again."))
    }
    let mailbox = sessionMailbox
    let isStarted = DetachedThread.run {
      mailbox.post(SessionConnection.open(plan.address, command: plan.command, directory: plan.directory))
    }
    if isStarted {
      setTimer(.sessionSilence, Self.silence)
    } else {
      batch.append(.error("The session manager is left alone: no thread is left to reach it."))
    }
  }

  /// What the thread brought.
  func takeSession(_ outcome: SessionConnection.Outcome) {
    guard let plan = session.plan else { return }
    loop.cancel(.sessionSilence)
    switch outcome {
    case .connected(let connection):
      session.connection = connection
      session.source = loop.watch(
        LoopSource(descriptor: connection.descriptor, interest: .readable) { [weak self] _ in self?.readSession() },
        stage: .input)
      writeSessionID(connection.id)
      tellSession(.registered)
    case .failed(let reason):
      if plan.command.previousID != nil { forgetSessionID() }
      batch.append(
        .error("The session manager of SESSION_MANAGER cannot be reached: \(reason). The program runs without it."))
    }
  }

  func reportSilentSession() {
    batch.append(.error("The session manager of SESSION_MANAGER does not answer. The program runs without it."))
  }

  func readSession() {
    for input in session.connection?.read() ?? [] {
      if input == .lost, session.machine != .dying {
        batch.append(.error("The session manager has closed the connection. The program runs on without it."))
      }
      tellSession(input)
      if input == .lost { dropSession() }
    }
  }

  /// One input into the machine; what it asks for is done.
  func tellSession(_ input: SessionManagerMachine.Input) {
    let (next, effects) = SessionManagerMachine.reduce(session.machine, input)
    session.machine = next
    for effect in effects {
      switch effect {
      case .setProperties: session.connection?.setProperties()
      case .requestInteraction:
        if session.connection?.requestInteraction() != true { tellSession(.interactionRefused) }
      case .finishInteraction(let cancels): session.connection?.finishInteraction(cancels: cancels)
      case .finishSave(let success): session.connection?.finishSave(success: success)
      case .save(let endsSession, let mayInteract):
        batch.append(.sessionSave(SessionSave(endsSession: endsSession, mayInteract: mayInteract)))
      case .resume: batch.append(.sessionSaveCancelled)
      case .end: batch.append(.sessionEnded)
      }
    }
  }

  /// The session manager hears that we go, and does not take us for dead.
  func leaveSession() {
    session.connection?.close()
    dropSession()
    session.machine = .offline
  }

  private func dropSession() {
    if let source = session.source { loop.unwatch(source) }
    session.source = nil
    session.connection = nil
  }

  /// `SM_CLIENT_ID` (ICCCM 5.1): on the client leader, for window managers that put windows back to their places.
  func writeSessionID(_ id: String) {
    guard !isLost, let connection, atoms[.smClientID] != 0 else { return }
    connection.changeProperty(leader, atoms[.smClientID], type: PredefinedAtom.string, bytes: Array(id.utf8))
  }

  private func forgetSessionID() {
    if !isLost { connection?.deleteProperty(leader, atoms[.smClientID]) }
  }
}
