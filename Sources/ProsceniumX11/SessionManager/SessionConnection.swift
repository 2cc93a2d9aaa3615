import Glibc
import ProsceniumLoop
import SceneLifecycle

/// The connection to the session manager: the one owner of what libSM made.
///
/// Made on any thread, because libSM waits for the session manager's answers; then used on one.
final class SessionConnection: @unchecked Sendable {
  /// A session manager that says half of something, or does not read, is given up after this many seconds.
  private static let patience = 1
  /// So many messages at a time, so that nobody else has to wait.
  private static let longestBatch = 100

  /// What came of the attempt to reach the session manager.
  enum Outcome: Sendable {
    case connected(SessionConnection)
    case failed(String)
  }

  let id: String
  let descriptor: Int32
  private let library: SessionLibrary
  private let properties: [SessionProperty]
  private let inbox: Mailbox<SessionManagerMachine.Input>
  private var connection: OpaquePointer?
  private let ice: OpaquePointer?

  private init(
    _ library: SessionLibrary, _ connection: OpaquePointer, id: String, inbox: Mailbox<SessionManagerMachine.Input>,
    properties: [SessionProperty]
  ) {
    self.library = library
    self.connection = connection
    self.id = id
    self.inbox = inbox
    self.properties = properties
    ice = library.iceConnection(connection)
    descriptor = library.descriptor(ice)
    // libICE says so too, but only after the fact for some kinds of connections.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // libICE waits for the rest of a message. A read or write that fails instead is a connection that is lost.
    var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      _ = setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  deinit { close() }

  /// Registers with the session manager at an address, as `SESSION_MANAGER` has it; may take its time.
  static func open(_ address: String, command: SessionCommand, directory: String) -> Outcome {
    guard let library = SessionLibrary() else {
      return .failed("libSM.so.6 or libICE.so.6 cannot be loaded; install libsm6 and libice6")
    }
    // The handlers that libICE and libSM have of their own end the process.
    _ = library.setIOErrorHandler { _ in }
    _ = library.setErrorHandler { _, _, _, _, _, _, _ in SessionRefusals.opcodes.post(-1) }
    _ = library.setClientErrorHandler { _, _, opcode, _, _, _, _ in SessionRefusals.opcodes.post(opcode) }
    let inbox = Mailbox<SessionManagerMachine.Input>()
    var callbacks = Self.callbacks(inbox)
    var id: UnsafeMutablePointer<CChar>?
    var message = [CChar](repeating: 0, count: 256)
    var address = Array(address.utf8CString)
    // SmProtoMajor 1, SmProtoMinor 0; the mask has SaveYourself, Die, SaveComplete and ShutdownCancelled.
    // The context is our own, so that the connection is shared with nobody else in the process.
    let connection = library.open(
      &address, Unmanaged.passUnretained(inbox).toOpaque(), 1, 0, 15, &callbacks, command.previousID, &id,
      Int32(message.count), &message)
    guard let connection else {
      let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      return .failed(text.isEmpty ? "it does not take the connection" : String(decoding: text, as: UTF8.self))
    }
    let name = id.map { String(cString: $0) } ?? ""
    free(id)
    return .connected(
      SessionConnection(
        library, connection, id: name, inbox: inbox,
        properties: SessionProperty.all(
          command: command, id: name, user: SessionProperty.userName(), directory: directory, processID: getpid())))
  }

  /// `SmcCallbacks`: four functions, each followed by its client data.
  private static func callbacks(_ inbox: Mailbox<SessionManagerMachine.Input>) -> [UnsafeMutableRawPointer?] {
    let saveYourself: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32, Int32, Int32, Int32) -> Void = {
      _, data, _, shutdown, style, fast in
      // SmInteractStyleAny 2: with less, only errors may be shown. Who is in a hurry does not want to be asked.
      tell(data, .saveYourself(shutdown: shutdown != 0, mayInteract: style == 2 && fast == 0))
    }
    let die: SessionLibrary.Notify = { tell($1, .die) }
    let saveComplete: SessionLibrary.Notify = { tell($1, .saveComplete) }
    let shutdownCancelled: SessionLibrary.Notify = { tell($1, .shutdownCancelled) }
    let data = Unmanaged.passUnretained(inbox).toOpaque()
    return [
      unsafeBitCast(saveYourself, to: UnsafeMutableRawPointer?.self), data,
      unsafeBitCast(die, to: UnsafeMutableRawPointer?.self), data,
      unsafeBitCast(saveComplete, to: UnsafeMutableRawPointer?.self), data,
      unsafeBitCast(shutdownCancelled, to: UnsafeMutableRawPointer?.self), data,
    ]
  }

  /// Reads what has come; what it says is in the answer, and `.lost` where nothing will come any more.
  func read() -> [SessionManagerMachine.Input] {
    var count = 0
    while connection != nil, count < Self.longestBatch, isReadable {
      count += 1
      var isReply: Int32 = 0
      // IceProcessMessagesSuccess 0, IOError 1, ConnectionClosed 2.
      let status = library.process(ice, nil, &isReply)
      if status == 0 { continue }
      inbox.post(.lost)
      // Closed by libICE: what it has freed is left alone.
      if status == 2 { connection = nil }
      close()
    }
    // SM_InteractRequest 5. What else has been refused makes no difference to us.
    for opcode in SessionRefusals.opcodes.removeAll() where opcode == 5 { inbox.post(.interactionRefused) }
    return inbox.removeAll()
  }

  private var isReadable: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  func setProperties() {
    guard let connection else { return }
    properties.withRawProperties { library.setProperties(connection, $1, $0) }
  }

  /// Asks for the turn to talk to the user; false where libSM cannot.
  func requestInteraction() -> Bool {
    guard let connection else { return false }
    // SmDialogNormal 1.
    return library.requestInteraction(
      connection, 1, { tell($1, .interact) }, Unmanaged.passUnretained(inbox).toOpaque()) != 0
  }

  func finishInteraction(cancels: Bool) {
    if let connection { library.finishInteraction(connection, cancels ? 1 : 0) }
  }

  func finishSave(success: Bool) {
    if let connection { library.finishSave(connection, success ? 1 : 0) }
  }

  /// Says good-bye, without waiting for an answer.
  func close() {
    guard let connection else { return }
    self.connection = nil
    library.setShutdownNegotiation(ice, 0)
    _ = library.close(connection, 0, nil)
  }
}

/// Called by libSM on the thread that reads.
private func tell(_ data: UnsafeMutableRawPointer?, _ input: SessionManagerMachine.Input) {
  if let data { Unmanaged<Mailbox<SessionManagerMachine.Input>>.fromOpaque(data).takeUnretainedValue().post(input) }
}
