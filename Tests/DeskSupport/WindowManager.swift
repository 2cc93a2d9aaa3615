import Glibc

/// The window managers that can be started on a private server, each with a configuration of its own.
package enum WindowManager: String, CaseIterable, Sendable, CustomStringConvertible {
  case openbox, i3, xfwm4, mutter, twm, metacity, none
  case fluxbox, icewm, jwm, awesome, bspwm

  package var description: String { rawValue }

  /// The program to look for; nil where nothing is started.
  package var program: String? { self == .none ? nil : rawValue }

  package var isInstalled: Bool {
    guard let program else { return true }
    return DeskSupport.isInstalled(program) && (!needsBus || DeskSupport.isInstalled("dbus-run-session"))
  }

  /// Whether it speaks EWMH: `_NET_ACTIVE_WINDOW`, desktops and so on.
  package var speaksEWMH: Bool {
    switch self {
    case .none, .twm: false
    case .openbox, .i3, .xfwm4, .mutter, .metacity, .fluxbox, .icewm, .jwm, .awesome, .bspwm: true
    }
  }

  /// Those that do not start without a session bus, or take long to notice that there is none.
  private var needsBus: Bool {
    switch self {
    case .xfwm4, .mutter, .metacity, .awesome: true
    case .openbox, .i3, .twm, .none, .fluxbox, .icewm, .jwm, .bspwm: false
    }
  }

  /// Why it cannot do something, or nil where it can.
  ///
  /// Tests show that nothing changes where it cannot.
  package func reasonAgainst(_ action: DeskAction) -> String? {
    switch (self, action) {
    case (.none, .iconify): "iconic state is kept by a window manager (ICCCM 4.1.4)"
    case (.none, .switchDesktop), (.none, .sendToDesktop), (.none, .showDesktop):
      "desktops are kept by a window manager"
    case (.twm, .switchDesktop), (.twm, .sendToDesktop), (.twm, .showDesktop): "twm has one desktop and no EWMH"
    case (.i3, .iconify): "i3 answers a request for the iconic state with the normal one"
    case (.bspwm, .iconify): "bspwm has no iconic state that a client could ask for"
    case (.i3, .showDesktop), (.fluxbox, .showDesktop), (.awesome, .showDesktop), (.bspwm, .showDesktop):
      "\(self) does not support _NET_SHOWING_DESKTOP"
    default: nil
    }
  }

  /// Starts it and waits until it has taken the root window, and has four desktops where it has desktops.
  package func start(on server: XServer) async throws -> RunningWindowManager {
    let home = try TemporaryFolder()
    guard program != nil else { return RunningWindowManager(kind: self, process: nil, home: home, server: server) }
    let client = try XClient(display: server.display)
    var environment = try privateEnvironment(home: home, display: server.display)
    var arguments = try command(home: home)
    if self == .twm { environment["LC_ALL"] = "C" }
    if needsBus { arguments = ["dbus-run-session", "--"] + arguments }
    let process = try ChildProcess(
      arguments, environment: environment, output: home.file("out"), errors: home.file("err"))
    let evidence = { text(of: process.outputPath) + text(of: process.errorPath) }
    try await waitUntil("\(self) to run", evidence: evidence) {
      if let ending = process.poll() { throw DeskFailure("\(self): \(ending)\n\(evidence())") }
      return client.windowManagerRuns && (!speaksEWMH || client.checkWindow != nil)
    }
    if speaksEWMH, self != .i3 {
      try await waitUntil("four desktops", evidence: evidence) {
        if client.longs(client.root, "_NET_NUMBER_OF_DESKTOPS", type: "CARDINAL")?.first ?? 0 >= 4 { return true }
        client.ask(client.root, "_NET_NUMBER_OF_DESKTOPS", [4])
        return false
      }
    }
    try await client.waitUntilManaged(evidence)
    return RunningWindowManager(kind: self, process: process, home: home, server: server)
  }

  private func command(home: TemporaryFolder) throws -> [String] {
    switch self {
    case .none: return []
    case .openbox, .metacity, .fluxbox, .icewm, .jwm, .awesome: return [rawValue]
    case .i3:
      let file = try home.write("i3.conf", "font pango:monospace 8\nbindsym Mod4+q kill\n")
      return ["i3", "-c", file]
    case .xfwm4: return ["xfwm4", "--compositor=off"]
    case .mutter: return ["mutter", "--x11"]
    case .twm: return ["twm", "-f", try home.write("twmrc", "RandomPlacement\nUsePPosition \"on\"\n")]
    case .bspwm:
      let script = "#!/bin/sh\nbspc monitor -d I II III IV\n"
      return ["bspwm", "-c", try home.write("bspwmrc", script, mode: 0o755)]
    }
  }
}

/// A window manager at work; it ends with this object.
package final class RunningWindowManager: Sendable {
  package let kind: WindowManager
  private let process: ChildProcess?
  private let home: TemporaryFolder
  private let server: XServer

  init(kind: WindowManager, process: ChildProcess?, home: TemporaryFolder, server: XServer) {
    self.server = server
    self.kind = kind
    self.process = process
    self.home = home
  }

  /// Ends it, with the session bus that was started for it, and waits until it has gone.
  package func kill(_ signal: Int32 = SIGKILL) async throws {
    guard let process else { return }
    process.send(signal, toGroup: true)
    _ = try await process.wait()
    process.send(SIGKILL, toGroup: true)
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
