import Glibc

/// A session manager that does what it is told, a line at a time, and says what it hears, a line each.
///
///     TestSessionManager COMMANDS [--refuse-hosts] [--forget-clients] [--refuse-registration] [--all]
///
/// COMMANDS names a pipe. Commands go to the client that registered last, with `--all` to each that is there:
/// `save TYPE SHUTDOWN STYLE FAST` (numbers as in SM.h), `interact`, `cancel`, `complete`, `die`, `hang-up`, and
/// `raw HEX` for bytes as they are. `--refuse-hosts` asks for a cookie that no client has; `--forget-clients` knows no
/// previous id; `--refuse-registration` never answers a registration.
@main enum TestSessionManager {
  /// One thread, and C callbacks that can reach nothing else.
  nonisolated(unsafe) static var library: ManagerLibrary?
  nonisolated(unsafe) static var clients: [OpaquePointer] = []
  nonisolated(unsafe) static var connections: [OpaquePointer] = []

  static let forgets = CommandLine.arguments.contains("--forget-clients")
  static let tellsAll = CommandLine.arguments.contains("--all")
  static let isSilent = CommandLine.arguments.contains("--refuse-registration")

  static func main() {
    signal(SIGPIPE, SIG_IGN)
    guard let library = ManagerLibrary(), CommandLine.arguments.count > 1 else { fail("no libSM, or no pipe") }
    self.library = library
    let commands = open(CommandLine.arguments[1], O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard commands >= 0 else { fail("the pipe cannot be opened") }
    _ = library.setIOErrorHandler { _ in }
    _ = library.setErrorHandler { _, _, opcode, _, error, _, _ in TestSessionManager.say("error \(opcode) \(error)") }
    _ = library.setIceErrorHandler { _, _, opcode, _, error, _, _ in
      TestSessionManager.say("ice-error \(opcode) \(error)")
    }
    var message = [CChar](repeating: 0, count: 256)
    guard library.initialize("Proscenium", "1", admit, nil, { _ in 1 }, 256, &message) != 0 else { fail("no XSMP") }
    _ = library.forbid?("tcp")
    var count: Int32 = 0
    var listeners: UnsafeMutablePointer<OpaquePointer?>?
    guard library.listen(&count, &listeners, 256, &message) != 0, let listeners else { fail("cannot listen") }
    if !CommandLine.arguments.contains("--refuse-hosts") {
      for index in 0..<Int(count) { library.admitHosts(listeners[index]) { _ in 1 } }
    }
    say("listening \(library.addresses(count, listeners).map { String(cString: $0) } ?? "")")
    while true { turn(library, commands, (0..<Int(count)).map { listeners[$0] }) }
  }

  private static func turn(_ library: ManagerLibrary, _ commands: Int32, _ listeners: [OpaquePointer?]) {
    let sources =
      [commands] + listeners.map { library.listenDescriptor($0) } + connections.map { library.descriptor($0) }
    var entries = sources.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&entries, nfds_t(entries.count), -1) > 0 else { return }
    let known = connections
    for (index, listener) in listeners.enumerated() where entries[1 + index].revents != 0 {
      var status: Int32 = 0
      if let new = library.accept(listener, &status) { connections.append(new) }
    }
    for (index, connection) in known.enumerated() where entries[1 + listeners.count + index].revents != 0 {
      guard library.process(connection, nil, nil) != 0 else { continue }
      say("lost")
      library.setShutdownNegotiation(connection, 0)
      forget(connection)
    }
    if entries[0].revents != 0 { read(commands) }
  }

  private static func forget(_ connection: OpaquePointer) {
    connections.removeAll { $0 == connection }
    clients = []
    _ = library?.close(connection)
  }

  private static func read(_ commands: Int32) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(commands, &bytes, bytes.count)
    guard count > 0 else { return }
    for line in String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      let numbers = words.compactMap { Int32($0) }
      let told = clients.suffix(tellsAll ? clients.count : 1)
      switch words.first ?? "" {
      case "save" where numbers.count == 4:
        for client in told { library?.saveYourself(client, numbers[0], numbers[1], numbers[2], numbers[3]) }
      case "interact": for client in told { library?.interact(client) }
      case "cancel": for client in told { library?.cancel(client) }
      case "complete": for client in told { library?.complete(client) }
      case "die": for client in told { library?.die(client) }
      case "hang-up": connections.forEach { shutdown(library?.descriptor($0) ?? -1, Int32(SHUT_RDWR)) }
      case "raw":
        var rest = (words.dropFirst().first ?? "")[...]
        var bytes: [UInt8] = []
        while !rest.isEmpty {
          bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
          rest = rest.dropFirst(2)
        }
        _ = write(connections.last.flatMap { library?.descriptor($0) } ?? -1, bytes, bytes.count)
      case _: say("unknown \(line)")
      }
      say("done \(line)")
    }
  }

  static func say(_ line: String) {
    print(line)
    fflush(nil)
  }

  private static func fail(_ what: String) -> Never {
    say("failed \(what)")
    exit(1)
  }
}
