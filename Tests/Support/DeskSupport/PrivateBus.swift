import Glibc
import Synchronization

/// A message bus of its own, which plays the user's and the system's; it ends with this object.
package final class PrivateBus: Sendable {
  /// What programs put in `DBUS_SESSION_BUS_ADDRESS` and `DBUS_SYSTEM_BUS_ADDRESS`.
  package let address: String
  /// The socket that it listens at.
  package let path: String
  private let folder: TemporaryFolder
  private let daemon: Mutex<ChildProcess>
  private let services = Mutex<[ChildProcess]>([])
  private let arguments: [String]
  private let variables: [String: String]

  package static var isInstalled: Bool {
    ProsceniumDesk.isInstalled("dbus-daemon") && DeskSupport.isInstalled("gdbus")
      && DeskSupport.isInstalled("busctl")
      && access("/usr/lib/python3/dist-packages/dbusmock/__init__.py", R_OK) == 0
  }

  /// Starts dbus-daemon and waits until it takes connections.
  /// - Parameters:
  ///   - forAllUsers: Whether others than this user may connect, as no session bus lets them.
  ///   - startsServices: Whether it starts the services that the machine has; not where it is for all users.
  ///   - variables: What it starts programs with, besides the private environment.
  /// - Throws: `DeskFailure` if it does not start.
  package init(
    forAllUsers: Bool = false, startsServices: Bool = true, variables: [String: String] = [:]
  ) async throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    self.variables = variables
    path = folder.file("bus")
    address = "unix:path=\(path)"
    var kind = "--session"
    if forAllUsers { chmod(folder.path, 0o755) }
    if forAllUsers || !startsServices {
      let users = forAllUsers ? "<allow user=\"*\"/>" : ""
      kind =
        "--config-file="
        + (try folder.write(
          "bus.conf",
          """
          <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
           "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
          <busconfig><type>session</type><listen>\(address)</listen><auth>EXTERNAL</auth><policy context="default">
          \(users)<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
          """))
    }
    arguments = ["dbus-daemon", kind, "--nofork", "--nopidfile", "--address=\(address)"]
    daemon = Mutex(try Self.startDaemon(folder, arguments, variables))
    try await waitForSocket()
  }

  /// Starts a bus that starts a service when it is asked for, by a shell's command.
  /// - Parameters:
  ///   - name: The service's name.
  ///   - command: The command; `starts` in the data folder gets a line before.
  ///   - data: A folder for the service's file.
  /// - Throws: `DeskFailure` if it does not start.
  package convenience init(starting name: String, by command: String, data: TemporaryFolder) async throws {
    mkdir(data.file("dbus-1"), 0o700)
    mkdir(data.file("dbus-1/services"), 0o700)
    try data.write(
      "dbus-1/services/\(name).service",
      "[D-BUS Service]\nName=\(name)\nExec=/bin/sh -c \"echo start >> \(data.file("starts")); \(command)\"\n")
    try await self.init(variables: ["XDG_DATA_DIRS": data.path, "XDG_DATA_HOME": data.path])
  }

  private static func startDaemon(
    _ folder: TemporaryFolder, _ arguments: [String], _ variables: [String: String]
  ) throws -> ChildProcess {
    var environment = try privateEnvironment(home: folder, display: nil)
    environment.merge(variables) { $1 }
    return try ChildProcess(
      arguments, environment: environment, output: folder.file("out"), errors: folder.file("err"))
  }

  private func waitForSocket() async throws {
    try await waitUntil("dbus-daemon", evidence: { text(of: self.folder.file("err")) }) { accepts }
  }

  private var accepts: Bool {
    guard let socket = try? UnixSocket.connect(to: path), socket >= 0 else { return false }
    close(socket)
    return true
  }

  /// Ends the daemon under its clients, and everything that it was talked to by.
  package func kill() async throws {
    let daemon = daemon.withLock { $0 }
    daemon.send(SIGKILL)
    _ = try await daemon.wait()
    services.withLock { $0 = [] }
  }

  /// Starts the daemon again, at the same place.
  package func restart() async throws {
    let next = try Self.startDaemon(folder, arguments, variables)
    daemon.withLock { $0 = next }
    try await waitForSocket()
  }

  /// What says to a program that this is its bus, or both of them.
  package var environment: [String: String] {
    ["DBUS_SESSION_BUS_ADDRESS": address, "DBUS_SYSTEM_BUS_ADDRESS": address]
  }

  /// What the daemon has printed, and the programs that it has started.
  package var output: String { text(of: folder.file("out")) }

  // MARK: Services

  /// Starts one of python-dbusmock's templates, and waits until it has its name.
  package func mock(_ template: String, name: String) async throws {
    try await start(["-m", "dbusmock", "--system", "-t", template], name: name)
  }

  /// Starts an object without methods, to which they can be added.
  ///
  /// Objects that are added to an object manager are among those that it has.
  package func mock(name: String, path: String, interface: String, isObjectManager: Bool = false) async throws {
    try await start(
      ["-m", "dbusmock", "--session"] + (isObjectManager ? ["--is-object-manager"] : []) + [name, path, interface],
      name: name)
  }

  /// Starts a service that is written in Python, and waits until it has its name.
  package func serve(_ script: String, name: String) async throws { try await start(["-c", script], name: name) }

  private func start(_ arguments: [String], name: String) async throws {
    var environment = try privateEnvironment(home: folder, display: nil)
    environment.merge(self.environment) { $1 }
    // The system's own: another one does not have the module.
    let service = try ChildProcess(
      ["/usr/bin/python3"] + arguments, environment: environment, output: folder.file("mock.out"),
      errors: folder.file("mock.err"))
    services.withLock { $0.append(service) }
    let arrival = try BusCall(["gdbus", "wait", "--timeout=120", "--address", address, name])
    func errors() -> String { text(of: folder.file("mock.err")) }
    try await waitUntil("an owner of \(name)", limit: .seconds(120), evidence: errors) {
      if try arrival.answer() != nil { return true }
      guard service.poll() == nil else { throw DeskFailure("\(name) has no owner", evidence: errors()) }
      return false
    }
  }

  /// Ends every service.
  package func endServices() async throws {
    for service in services.withLock({ $0 }) {
      service.send(SIGKILL)
      _ = try await service.wait()
    }
    services.withLock { $0 = [] }
  }

  /// Kills the process that has a name, or sends it another signal.
  package func killOwner(of name: String, with signal: Int32 = SIGKILL) async throws {
    let answer = try await call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.GetConnectionUnixProcessID", name)
    let numbers = answer.split(whereSeparator: { !$0.isNumber }).compactMap { Int32($0) }
    guard let process = numbers.last else { throw DeskFailure("\(name) has no owner", evidence: answer) }
    Glibc.kill(process, signal)
  }

  /// Calls a method, as gdbus(1) does, and answers what it prints.
  @discardableResult
  package func call(_ destination: String, _ path: String, _ method: String, _ arguments: String...) async throws
    -> String
  {
    try await run(["gdbus", "call", "--address", address, "-d", destination, "-o", path, "-m", method] + arguments)
  }

  /// Calls a method as launchers do, with arguments as busctl(1) has them, their signature first.
  ///
  /// gdbus(1) asks for the types before, and a program that the bus starts for the call waits only a moment for it.
  package func launch(_ destination: String, _ path: String, _ method: String, _ arguments: [String]) async throws {
    let parts = method.split(separator: ".")
    let interface = parts.dropLast().joined(separator: ".")
    try await run(
      ["busctl", "--address=\(address)", "call", destination, path, interface, String(parts.last ?? "")] + arguments)
  }

  /// Sends a signal from a connection of its own, to all or to one connection; values as dbus-send(1) has them.
  package func emit(_ path: String, _ signal: String, _ arguments: String..., to destination: String? = nil)
    async throws
  {
    try await run(
      ["dbus-send", "--bus=\(address)", "--type=signal"] + (destination.map { ["--dest=\($0)"] } ?? [])
        + [path, signal] + arguments)
  }

  @discardableResult private func run(_ arguments: [String]) async throws -> String {
    let call = try BusCall(arguments)
    return try await waitFor("the answer to \(arguments)") { try call.answer() }
  }

  /// Begins a call, for tests whose main thread has to answer it, and may not be any other test's meanwhile.
  package func begin(_ destination: String, _ path: String, _ method: String, _ arguments: String...) throws -> BusCall
  {
    // Longer than any wait of a test.
    try BusCall(
      ["gdbus", "call", "--timeout=300", "--address", address, "-d", destination, "-o", path, "-m", method] + arguments)
  }
}

/// A process that calls a method, or sends a signal.
package struct BusCall: Sendable {
  private let arguments: [String]
  private let folder: TemporaryFolder
  private let process: ChildProcess

  fileprivate init(_ arguments: [String]) throws {
    self.arguments = arguments
    folder = try TemporaryFolder()
    process = try ChildProcess(
      arguments, environment: try privateEnvironment(home: folder, display: nil), output: folder.file("out"),
      errors: folder.file("err"))
  }

  /// What it has printed; nil while it runs.
  /// - Throws: ``DeskFailure`` where it has failed.
  package func answer() throws -> String? {
    guard let ending = process.poll() else { return nil }
    guard ending == .exited(0) else { throw DeskFailure("\(arguments): \(text(of: folder.file("err")))") }
    return text(of: folder.file("out"))
  }
}
