import Glibc
import ProsceniumLoop
import ProsceniumPlatform
import SceneLifecycle

/// The program as a client of the session manager (XSMP); without one everything else works.
@MainActor final class SessionManagerClient: X11Component {
  /// How long a session manager has to answer until that is reported.
  private static let timeout = Duration.seconds(5)

  /// Where the session manager is; nil where there is none.
  var plan: SessionManagerPlan?
  /// The connection to the session manager; nil before it has answered, and after it is lost.
  private(set) var session: SessionConnection?
  private(set) var state = SessionManagerMachine.State.offline
  private var source: LoopSourceID?
  private var isOpened = false
  private lazy var mailbox = loop.makeMailbox { [weak self] in self?.finishOpening($0) }

  /// Writes the id of an earlier run: the program comes back as the same client, unless the session manager does not
  /// know it any more.
  func writePreviousID() { if let id = plan?.command.previousID { writeID(id) } }

  /// Connects to the session manager on a thread of its own, because libSM waits for its answers; once.
  func open() {
    guard let plan, !isOpened else { return }
    isOpened = true
    if plan.command.isTooLong {
      batch.append(
        .error("The command line is too long for the session manager, which will not start the program again."))
    }
    let mailbox = mailbox
    let isStarted = DetachedThread.run {
      mailbox.post(SessionConnection.open(plan.address, command: plan.command, directory: plan.directory))
    }
    if isStarted {
      loop.set(.sessionManager, after: Self.timeout)
    } else {
      batch.append(.error("The session manager is left alone: no thread is left to reach it."))
    }
  }

  private func finishOpening(_ outcome: SessionConnection.Outcome) {
    loop.cancel(.sessionManager)
    switch outcome {
    case .connected(let session):
      self.session = session
      source = loop.watch(
        LoopSource(descriptor: session.descriptor, interest: .readable, stage: .input) { [weak self] _ in self?.read() }
      )
      writeID(session.id)
      handle(.registered)
    case .failed(let reason):
      if plan?.command.previousID != nil, !server.isLost {
        connection.deleteProperty(server.leader, server.atoms[.smClientID])
      }
      batch.append(
        .error("The session manager of SESSION_MANAGER cannot be reached: \(reason). The program runs without it."))
    }
  }

  func reportTimeout() {
    batch.append(.error("The session manager of SESSION_MANAGER does not answer. The program runs without it."))
  }

  private func read() {
    for input in session?.read() ?? [] {
      if input == .lost, state != .dying {
        batch.append(.error("The session manager has closed the connection. The program runs on without it."))
      }
      handle(input)
      if input == .lost { drop() }
    }
  }

  /// Applies one input to the machine, and carries out its effects.
  func handle(_ input: SessionManagerMachine.Input) {
    let (next, effects) = SessionManagerMachine.reduce(state, input)
    state = next
    for effect in effects {
      switch effect {
      case .setProperties: session?.setProperties()
      case .requestInteraction: if session?.requestInteraction() != true { handle(.interactionRefused) }
      case .finishInteraction(let cancels): session?.finishInteraction(cancels: cancels)
      case .finishSave(let success): session?.finishSave(success: success)
      case .save(let endsSession, let mayInteract):
        batch.append(.sessionSave(endsSession: endsSession, mayInteract: mayInteract))
      case .resume: batch.append(.sessionSaveCancelled)
      case .end: batch.append(.sessionEnded)
      }
    }
  }

  /// Closes the connection, so that the session manager sees that the program ends and has not crashed.
  func close() {
    session?.close()
    drop()
    state = .offline
  }

  private func drop() {
    if let source = source.take() { loop.unwatch(source) }
    session = nil
  }

  /// `SM_CLIENT_ID` (ICCCM 5.1): on the client leader, for window managers that restore the places of windows.
  private func writeID(_ id: String) {
    guard !server.isLost else { return }
    connection.changeProperty(server.leader, server.atoms[.smClientID], type: PredefinedAtom.string, Array(id.utf8))
  }
}

/// Where the session manager is, and how the program registers with it.
struct SessionManagerPlan: Equatable, Sendable {
  var address: String
  var command: SessionCommand
  var directory: String

  /// Makes the plan of this process; nil where there is no address.
  init?(_ address: String, _ identity: ApplicationIdentity) {
    guard !address.isEmpty else { return nil }
    self.address = address
    command = SessionCommand(identity.arguments.isEmpty ? [identity.instance] : identity.arguments)
    let path = getcwd(nil, 0)
    directory = path.map { String(cString: $0) } ?? "/"
    free(path)
  }
}

/// The command line by which a session manager starts the program again.
struct SessionCommand: Equatable, Sendable {
  /// The argument before the id that the program had as a client of the session manager.
  static let option = "--session-id"
  /// Longer ones are not sent: libSM waits until the session manager has read everything.
  static let longest = 32_768

  /// The id of an earlier run; the last one, where there are several.
  let previousID: String?
  /// The command line without it.
  let clone: [String]

  /// Removes `--session-id ID` from a command line that begins with the program; a lone `--` ends the search.
  init(_ arguments: [String]) {
    var clone: [String] = []
    var previousID: String?
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        clone.append(argument)
        clone += rest
        break
      }
      if argument == Self.option, !clone.isEmpty {
        if let value = rest.popFirst(), !value.isEmpty { previousID = value }
      } else {
        clone.append(argument)
      }
    }
    self.clone = clone
    self.previousID = previousID
  }

  /// The command line that continues as the client with an id.
  func restart(as id: String) -> [String] {
    let end = clone.firstIndex(of: "--") ?? clone.endIndex
    return clone[..<end] + [Self.option, id] + clone[end...]
  }

  var isTooLong: Bool { clone.reduce(0) { $0 + $1.utf8.count + 8 } > Self.longest }
}
