import CSystem
import Glibc
import ProsceniumLoop
import SceneLifecycle

/// A connection to the session manager, by libSM and libICE.
///
/// Made on any thread, because libSM waits for the session manager's answers; then used on one.
final class SessionConnection: @unchecked Sendable {
  /// The result of the attempt to reach the session manager.
  enum Outcome: Sendable {
    case connected(SessionConnection)
    case failed(String)
  }

  /// How many seconds a session manager may take to send the rest of a message, or to read one.
  private static let timeout = 1
  /// The most messages that are read in one turn of the loop.
  private static let longestBatch = 100

  let id: String
  let descriptor: Int32
  private let library: session_manager_library
  private let properties: [SessionProperty]
  private let inbox: Mailbox<SessionManagerMachine.Input>
  private var connection: OpaquePointer?
  private let ice: OpaquePointer?

  private init(
    _ library: session_manager_library, _ connection: OpaquePointer, id: String,
    inbox: Mailbox<SessionManagerMachine.Input>, properties: [SessionProperty]
  ) {
    self.library = library
    self.connection = connection
    self.id = id
    self.inbox = inbox
    self.properties = properties
    ice = library.SmcGetIceConnection(connection)
    descriptor = library.IceConnectionNumber(ice)
    // libICE sets it for some kinds of connections only.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // libICE waits for the rest of a message. With a limit the read or write fails, and the connection is lost.
    var limit = linux_time_limit(seconds: Self.timeout, microseconds: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      _ = setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<linux_time_limit>.size))
    }
  }

  deinit { close() }

  /// Registers with a session manager, and waits for its answers.
  /// - Parameters:
  ///   - address: Its address, as `SESSION_MANAGER` has it.
  ///   - command: How the program is started again.
  ///   - directory: The working directory.
  /// - Returns: The connection, or why there is none.
  static func open(_ address: String, command: SessionCommand, directory: String) -> Outcome {
    // Never unloaded: libICE has tables of its own for as long as the process lives.
    guard let library = Library.permanent(session_manager_open) else {
      return .failed("libSM.so.6 or libICE.so.6 cannot be loaded; install libsm6 and libice6")
    }
    // The handlers that libICE and libSM have of their own end the process.
    _ = library.IceSetIOErrorHandler { _ in }
    _ = library.IceSetErrorHandler { _, _, _, _, _, _, _ in refusedRequests.post(-1) }
    _ = library.SmcSetErrorHandler { _, _, opcode, _, _, _, _ in refusedRequests.post(opcode) }
    let inbox = Mailbox<SessionManagerMachine.Input>()
    var callbacks = Self.callbacks(inbox)
    var id: UnsafeMutablePointer<CChar>?
    var message = [CChar](repeating: 0, count: 256)
    var address = Array(address.utf8CString)
    let mask = SmcSaveYourselfProcMask | SmcDieProcMask | SmcSaveCompleteProcMask | SmcShutdownCancelledProcMask
    // With a context of our own libICE makes a connection of our own, and gives us no other one of the process.
    let connection = library.SmcOpenConnection(
      &address, Unmanaged.passUnretained(inbox).toOpaque(), SmProtoMajor, SmProtoMinor, UInt(mask), &callbacks,
      command.previousID, &id, Int32(message.count), &message)
    guard let connection else {
      let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      return .failed(text.isEmpty ? "it does not take the connection" : String(decoding: text, as: UTF8.self))
    }
    let name = id.map { String(cString: $0) } ?? ""
    free(id)
    let properties = SessionProperty.all(
      command: command, id: name, user: SessionProperty.userName(), directory: directory, processID: getpid())
    return .connected(SessionConnection(library, connection, id: name, inbox: inbox, properties: properties))
  }

  private static func callbacks(_ inbox: Mailbox<SessionManagerMachine.Input>) -> smc_callbacks {
    let data = Unmanaged.passUnretained(inbox).toOpaque()
    let saveYourself: smc_save_yourself = { _, data, _, shutdown, style, fast in
      // With a lesser style only errors may be shown. A session manager in a hurry wants no questions asked.
      let mayInteract = style == SmInteractStyleAny && fast == 0
      add(.saveYourself(shutdown: shutdown != 0, mayInteract: mayInteract), to: data)
    }
    return smc_callbacks(
      save_yourself: smc_save_yourself_callback(function: saveYourself, data: data),
      die: smc_callback(function: { add(.die, to: $1) }, data: data),
      save_complete: smc_callback(function: { add(.saveComplete, to: $1) }, data: data),
      shutdown_cancelled: smc_callback(function: { add(.shutdownCancelled, to: $1) }, data: data))
  }

  /// Reads the messages that have come.
  /// - Returns: What they say; `.lost` at the end where no more will come.
  func read() -> [SessionManagerMachine.Input] {
    var count = 0
    while connection != nil, count < Self.longestBatch, isReadable {
      count += 1
      var isReply: Int32 = 0
      let status = library.IceProcessMessages(ice, nil, &isReply)
      if status == IceProcessMessagesSuccess { continue }
      inbox.post(.lost)
      // libICE has closed and freed it.
      if status == IceProcessMessagesConnectionClosed { connection = nil }
      close()
    }
    // Other refusals have no consequence.
    for opcode in refusedRequests.removeAll() where opcode == SM_InteractRequest {
      inbox.post(.interactionRefused)
    }
    return inbox.removeAll()
  }

  private var isReadable: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  func setProperties() {
    guard let connection else { return }
    properties.withRawProperties { library.SmcSetProperties(connection, $1, $0) }
  }

  /// Requests permission to show a dialog; false where libSM cannot send the request.
  func requestInteraction() -> Bool {
    guard let connection else { return false }
    return library.SmcInteractRequest(
      connection, SmDialogNormal, { add(.interact, to: $1) }, Unmanaged.passUnretained(inbox).toOpaque()) != 0
  }

  func finishInteraction(cancels: Bool) { if let connection { library.SmcInteractDone(connection, cancels ? 1 : 0) } }

  func finishSave(success: Bool) { if let connection { library.SmcSaveYourselfDone(connection, success ? 1 : 0) } }

  /// Closes the connection, without waiting for an answer.
  func close() {
    guard let connection = connection.take() else { return }
    library.IceSetShutdownNegotiation(ice, 0)
    _ = library.SmcCloseConnection(connection, 0, nil)
  }
}

/// Called by libSM on the thread that reads.
private func add(_ input: SessionManagerMachine.Input, to inbox: UnsafeMutableRawPointer?) {
  if let inbox { Unmanaged<Mailbox<SessionManagerMachine.Input>>.fromOpaque(inbox).takeUnretainedValue().post(input) }
}

/// The requests that the session manager has refused, by their opcodes.
///
/// For the whole process: libSM's error handlers get no pointer of ours. There is one session manager at most.
private let refusedRequests = Mailbox<Int32>(limit: 16)

/// A property of a session manager's client (X Session Management Protocol 1.0, section 11).
struct SessionProperty: Equatable, Sendable {
  var name: String
  var type: String
  var values: [[UInt8]]

  private static func text(_ name: String, _ value: String) -> Self {
    Self(name: name, type: "ARRAY8", values: [Array(value.utf8)])
  }
  private static func list(_ name: String, _ values: [String]) -> Self {
    Self(name: name, type: "LISTofARRAY8", values: values.map { Array($0.utf8) })
  }

  /// The properties of a program; without a command line that can be sent it is not started again.
  static func all(
    command: SessionCommand, id: String, user: String, directory: String, processID: Int32
  ) -> [SessionProperty] {
    let canRestart = !command.isTooLong && !command.clone.isEmpty
    let style = UInt8(canRestart ? SmRestartIfRunning : SmRestartNever)
    let commands = [list("CloneCommand", command.clone), list("RestartCommand", command.restart(as: id))]
    return [
      text("Program", command.clone.first ?? ""), text("UserID", user), text("CurrentDirectory", directory),
      text("ProcessID", String(processID)), Self(name: "RestartStyleHint", type: "CARD8", values: [[style]]),
    ] + (canRestart ? commands : [])
  }

  /// The name of the user that the process runs as, or the user's number where there is no name.
  ///
  /// The lookup may wait for a network service, so it does not run on the main thread.
  static func userName() -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    var entry = passwd()
    var result: UnsafeMutablePointer<passwd>?
    guard getpwuid_r(getuid(), &entry, &buffer, buffer.count, &result) == 0, result != nil, let name = entry.pw_name
    else { return String(getuid()) }
    return String(cString: name)
  }
}

extension [SessionProperty] {
  /// Calls a function with the properties as libSM takes them; they are valid during the call.
  func withRawProperties(_ body: (UnsafeMutablePointer<UnsafeMutablePointer<sm_property>?>?, Int32) -> Void) {
    var memory: [UnsafeMutableRawPointer] = []
    defer { for copy in memory { copy.deallocate() } }
    func copy<Part>(_ parts: [Part]) -> UnsafeMutablePointer<Part> {
      // At least one, because libSM wants an address for empty values too.
      let copy = UnsafeMutablePointer<Part>.allocate(capacity: Swift.max(1, parts.count))
      copy.initialize(from: parts, count: parts.count)
      memory.append(copy)
      return copy
    }
    var properties: [UnsafeMutablePointer<sm_property>?] = map { property in
      let values = property.values.map { sm_value(length: Int32(clamping: $0.count), bytes: copy($0)) }
      let (name, type) = (copy([CChar](property.name.utf8CString)), copy([CChar](property.type.utf8CString)))
      return copy([sm_property(name: name, type: type, count: Int32(clamping: values.count), values: copy(values))])
    }
    body(&properties, Int32(clamping: properties.count))
  }
}
