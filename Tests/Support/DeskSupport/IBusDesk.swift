package import Glibc
import Synchronization

/// IBus with engines that know Chinese, on a bus of its own.
package final class IBusDesk: Sendable {
  /// A stroke table: `wqvb` is 你好.
  package static let engine = "table:wubi-jidian86"
  package static var isInstalled: Bool {
    mustNotSkip
      || DeskSupport.isInstalled("ibus-daemon") && PrivateBus.isInstalled
        && access("/usr/share/ibus-table/tables/wubi-jidian86.db", R_OK) == 0
  }

  package let bus: PrivateBus
  private let home: TemporaryFolder
  private let display: String
  private let servesX: Bool
  private let process: Mutex<ChildProcess>

  /// Starts it.
  /// - Parameters:
  ///   - display: The display.
  ///   - servesX: Whether it also serves X clients (XIM).
  /// - Throws: `DeskFailure` if it does not start.
  package init(display: String, servesX: Bool = false) async throws {
    (self.display, self.servesX) = (display, servesX)
    (bus, home) = (try await PrivateBus(), try TemporaryFolder())
    process = Mutex(try Self.start(bus, home, display, servesX))
    try await choose()
    guard servesX else { return }
    let client = try XClient(display: display)
    try await waitUntil("IBus as a server of XIM", limit: .seconds(120), evidence: { text(of: home.file("err")) }) {
      client.owner(ofSelection: "@server=ibus") != 0
    }
  }

  package var daemon: ChildProcess { process.withLock { $0 } }

  /// What says to a program where IBus is.
  package var environment: [String: String] {
    bus.environment.merging(["HOME": home.path, "DISPLAY": display, "GTK_IM_MODULE": "ibus"]) { $1 }
  }

  /// What leads a program to it by XIM: it does not know the bus.
  package var displayEnvironment: [String: String] {
    [
      "HOME": home.file("program"), "DISPLAY": display, "XMODIFIERS": "@im=ibus",
      "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    ]
  }

  private static func start(
    _ bus: PrivateBus, _ home: TemporaryFolder, _ display: String, _ servesX: Bool
  ) throws -> ChildProcess {
    try ChildProcess(
      ["ibus-daemon", "--panel=disable", "--config=/usr/libexec/ibus-memconf", "--emoji-extension=disable"]
        + (servesX ? ["--xim"] : []),
      environment: try variables(bus, home, display), output: home.file("out"), errors: home.file("err"))
  }

  private static func variables(_ bus: PrivateBus, _ home: TemporaryFolder, _ display: String) throws -> [String:
    String]
  {
    try privateEnvironment(home: home, display: display).merging(bus.environment) { $1 }
  }

  /// Makes the engine the one of all texts, and starts it.
  package func choose(_ engine: String = engine) async throws {
    let (bus, home, display) = (bus, home, display)
    try await waitUntil("the engine \(engine)", limit: .seconds(120), evidence: { text(of: home.file("err")) }) {
      let choice = try ChildProcess(
        ["ibus", "engine", engine], environment: try Self.variables(bus, home, display), output: home.file("choice"),
        errors: home.file("choice.err"))
      return try await choice.wait() == .exited(0)
    }
  }

  /// Starts the daemon again after its end.
  package func restart() async throws {
    let next = try Self.start(bus, home, display, servesX)
    process.withLock { $0 = next }
    try await choose()
  }

  /// The process of the engine that runs, which the daemon has started.
  package var engineProcess: pid_t? {
    names(inFolder: "/proc").compactMap { pid_t($0) }.first { process in
      let words = text(of: "/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ") ?? []
      return words.dropFirst().first.flatMap { pid_t($0) } == daemon.pid
        && text(of: "/proc/\(process)/cmdline").contains("ibus-table")
    }
  }
}
