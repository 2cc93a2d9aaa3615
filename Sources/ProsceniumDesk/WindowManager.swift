import Glibc

/// A way of managing windows: a window manager with a configuration of its own, a Wayland compositor that hosts the
/// X server, or none.
///
/// The usual ones are values with their names; ``all`` has all of them.
public struct WindowManager: Sendable, CustomStringConvertible {
  /// How a window gets the focus.
  package enum FocusMethod: Sendable {
    /// `_NET_ACTIVE_WINDOW` as from a pager, which no focus-stealing prevention refuses (EWMH).
    case pager
    /// SetInputFocus, as any client may.
    case client
    /// The pointer moves into the window.
    case pointer
  }

  /// The way of changing workspaces.
  package enum Desktops: Sendable {
    /// `_NET_CURRENT_DESKTOP` and `_NET_WM_DESKTOP`; there are to be at least so many.
    case pager(count: UInt32)
    /// Commands, with `{number}` of the workspace from 1 on, `{home}` of the server's starter, and `{window}`; without
    /// that the window with the focus is sent.
    case commands(go: [String], send: [String])
    case none
  }

  /// An action that differs from other window managers, with the reason.
  package struct Limit: Sendable {
    /// The effect of the action.
    package enum Effect: Sendable {
      /// Asking for it changes nothing, which tests show.
      case nothing
      /// It happens to the window with the focus alone.
      case firstOnly
      /// It happens, but X does not report it.
      case unseen
      /// It would end the whole desk, so it is not tried.
      case end
    }

    package var action: DeskAction
    package var reason: String
    package var effect = Effect.nothing
  }

  /// The name; for most that of its program.
  public internal(set) var name: String
  /// The command; empty where no program is started.
  ///
  /// `{home}` stands for a folder of its own, here, in files and in the environment.
  package var command: [String] = []
  /// The Debian packages that it needs, the window manager's own first.
  public internal(set) var packages: [String] = []
  /// Files in its home.
  ///
  /// One that starts with `#!` is the script of its configuration, which it runs when it starts.
  package var files: [String: String] = [:]
  package var environment: [String: String] = [:]
  /// Whether it needs a session bus: without one it does not start, or starts slowly.
  package var needsBus = false
  /// A program that is started besides.
  package var companion: [String] = []
  /// Whether it speaks EWMH: `_NET_ACTIVE_WINDOW`, `_NET_CLOSE_WINDOW` and so on.
  package var speaksEWMH = true
  /// Whether it supports `_NET_CLOSE_WINDOW` of pagers.
  package var closesForPagers = true
  package var focusMethod = FocusMethod.pager
  package var desktops = Desktops.pager(count: 4)
  /// For a Wayland compositor that starts the X server: the file with the display's name, and the text before the name.
  package var displayFile: (name: String, marker: String)?
  package var limits: [Limit] = []
  /// It does not run as root: it gets a user without rights where we are root.
  package var refusesRoot = false
  /// It shows the desktop by means of a desktop's window, which is made for it.
  package var needsDesktopWindow = false

  /// Its name.
  public var description: String { name }

  /// Whether all that it needs can be found along `PATH`.
  public var isInstalled: Bool { neededPrograms.allSatisfy { ProsceniumDesk.isInstalled($0) } }

  private var neededPrograms: [String] {
    var programs = command.prefix(1) + companion.prefix(1)
    if case .commands(let go, let send) = desktops { programs += go.prefix(1) + send.prefix(1) }
    if needsBus { programs.append("dbus-run-session") }
    // It has to let others in.
    if displayFile != nil { programs += ["Xwayland", "xhost"] }
    if losesRoot { programs.append("setpriv") }
    return Array(programs)
  }

  /// The file in its home that the script of its configuration leaves at its end.
  private static let configured = "configured"

  private static func isScript(_ text: String) -> Bool { text.hasPrefix("#!") }

  private var hasConfigurationScript: Bool { files.values.contains(where: Self.isScript) }

  private var losesRoot: Bool { refusesRoot && geteuid() == 0 }

  /// The limit of an action, or nil where it is supported; what is done over the shown desktop has that of showing it.
  package func limit(of action: DeskAction) -> Limit? {
    let own = limits.first { $0.action == action }
    return own ?? (action == .focusOverDesktop ? limit(of: .showDesktop) : nil)
  }

  /// Why it cannot do something, or nil where it can.
  package func reasonAgainst(_ action: DeskAction) -> String? { limit(of: action)?.reason }

  /// Starts it and waits until it has taken the root window, and has the desktops that it should have.
  package func start(on server: XServer) async throws -> RunningWindowManager {
    let home = try TemporaryFolder()
    let client = try XClient(display: server.display)
    guard !command.isEmpty else {
      return RunningWindowManager(kind: self, processes: [], home: home, server: server, client: client)
    }
    var processes: [ChildProcess] = []
    if displayFile == nil { processes.append(try launch(home: home, display: server.display)) }
    let evidence = { processes.map { text(of: $0.outputPath) + text(of: $0.errorPath) }.joined() }
    try await waitUntil("\(self) to run", evidence: evidence) {
      if let ending = processes.first?.poll() { throw DeskFailure("\(self): \(ending)\n\(evidence())") }
      return client.windowManagerRuns && (!speaksEWMH || client.checkWindow != nil)
    }
    if !companion.isEmpty {
      let environment = try privateEnvironment(home: home, display: server.display)
      processes.append(
        try ChildProcess(
          companion, environment: environment, output: home.file("companion-out"), errors: home.file("companion-err")))
      try await waitUntil("\(companion) to run", evidence: evidence) { client.compositingManagerRuns }
    }
    if case .pager(let count) = desktops {
      try await waitUntil("\(count) desktops", evidence: evidence) {
        if client.longs(client.root, "_NET_NUMBER_OF_DESKTOPS", type: "CARDINAL")?.first ?? 0 >= count { return true }
        client.ask(client.root, "_NET_NUMBER_OF_DESKTOPS", [count])
        return false
      }
    }
    if hasConfigurationScript {
      // bspwm waits for replies in the commands of its script, and leaves events that come meanwhile until the next.
      try await waitUntil("the configuration of \(self)", evidence: evidence) {
        access(home.file(Self.configured), F_OK) == 0
      }
    }
    try await client.waitUntilManaged(evidence)
    if needsDesktopWindow { _ = client.makeDesktopWindow() }
    return RunningWindowManager(kind: self, processes: processes, home: home, server: server, client: client)
  }

  /// Writes its files and starts its program.
  func launch(home: TemporaryFolder, display: String?) throws -> ChildProcess {
    for (name, text) in files {
      let isScript = Self.isScript(text)
      try home.write(name, isScript ? "\(text): > ~/\(Self.configured)\n" : text, mode: isScript ? 0o755 : 0o644)
    }
    var environment = try privateEnvironment(home: home, display: display)
    environment.merge(self.environment.mapValues { $0.replacing("{home}", with: home.path) }) { $1 }
    var arguments =
      (needsBus ? ["dbus-run-session", "--"] : []) + command.map { $0.replacing("{home}", with: home.path) }
    if losesRoot {
      let nobody: uid_t = 65_534
      for path in [home.path, home.file("runtime")] + files.keys.map({ home.file($0) }) { chown(path, nobody, nobody) }
      arguments = ["setpriv", "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups"] + arguments
    }
    return try ChildProcess(arguments, environment: environment, output: home.file("out"), errors: home.file("err"))
  }
}

extension WindowManager: Hashable {
  /// The same name, the same window manager.
  public static func == (left: WindowManager, right: WindowManager) -> Bool { left.name == right.name }
  /// By the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A window manager at work; it ends with its processes' last owner.
package struct RunningWindowManager: Sendable {
  package let kind: WindowManager
  let processes: [ChildProcess]
  let home: TemporaryFolder
  let server: XServer
  /// The desktop's own windows are this client's.
  let client: XClient

  func send(_ signal: Int32) { for process in processes { process.send(signal, toGroup: true) } }

  /// Ends the window manager and its helpers, and waits for their end.
  package func kill(_ signal: Int32 = SIGKILL) async throws {
    for process in processes {
      process.send(signal, toGroup: true)
      _ = try await process.wait()
      process.send(SIGKILL, toGroup: true)
    }
  }
}

extension XClient {
  /// The window that `_NET_SUPPORTING_WM_CHECK` names, if it names itself: a dead manager's would not (EWMH).
  var checkWindow: UInt32? {
    let property = "_NET_SUPPORTING_WM_CHECK"
    guard let window = longs(root, property, type: "WINDOW")?.first,
      longs(window, property, type: "WINDOW")?.first == window
    else { return nil }
    return window
  }

  /// The window that desktops' shells show behind all others (EWMH, `_NET_WM_WINDOW_TYPE_DESKTOP`).
  func makeDesktopWindow() -> UInt32 {
    makeWindow(x: 0, y: 0, width: width, height: height) { window in
      setProperty(window, "_NET_WM_WINDOW_TYPE", type: "ATOM", longs: [atom("_NET_WM_WINDOW_TYPE_DESKTOP")])
    }
  }

  /// Waits until a window that is mapped now is shown: managers that have just taken the root window may still lose
  /// requests to map one (openbox does while it starts).
  func waitUntilManaged(_ evidence: () -> String) async throws {
    try await waitUntil("a window to be managed", evidence: evidence) {
      let window = makeWindow()
      defer { destroy(window) }
      let start = ContinuousClock.now
      while ContinuousClock.now - start < .milliseconds(500) {
        if truth(window).expectedState > .background { return true }
        usleep(2_000)
      }
      return false
    }
  }
}
