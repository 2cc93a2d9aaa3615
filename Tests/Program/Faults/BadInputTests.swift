import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension FourthDesk {
  /// Whatever servers and other clients do: no crash, no hang, no wrong state.
  @Suite("Bad input", .enabled(if: Requirement.sceneLab))
  struct BadInputTests {
    @Test(
      "Without DISPLAY it says so and ends, and under Wayland what is missing",
      arguments: [[:], ["WAYLAND_DISPLAY": "w"]])
    func noDisplay(environment: [String: String]) async throws {
      let program = try Program(Program.besideTests("SceneLab"), display: nil, environment: environment)
      let ending = try await program.end()
      guard case .exited(let status) = ending, status != 0 else {
        Issue.record("\(ending)\n\(program.evidence)")
        return
      }
      #expect(program.errors.contains("DISPLAY"))
      #expect(program.errors.contains("Xwayland") == !environment.isEmpty)
      #expect(try program.edges(since: 0).isEmpty)
    }

    @Test("A display without a server", arguments: [":1999", "nonsense", "", ":", ":0.7.7", "/no/such/socket"])
    func wrongDisplay(_ display: String) async throws {
      let program = try Program(Program.besideTests("SceneLab"), display: display)
      let ending = try await program.end()
      guard case .exited(let status) = ending, status != 0 else {
        Issue.record("\(ending)\n\(program.evidence)")
        return
      }
      #expect(program.errors.contains(display))
      #expect(!program.errors.isEmpty)
    }

    @Test("A display that refuses")
    func refusal() async throws {
      let server = try await XServer.withSecret()
      let program = try Program(Program.besideTests("SceneLab"), display: server.display)
      let ending = try await program.end()
      guard case .exited(let status) = ending, status != 0 else {
        Issue.record("\(ending)\n\(program.evidence)")
        return
      }
      #expect(program.errors.contains(server.display))
    }

    @Test("A screen that the server does not have")
    func wrongScreen() async throws {
      let server = try await XServer()
      let program = try Program(Program.besideTests("SceneLab"), display: server.display + ".5")
      guard case .exited(let status) = try await program.end(), status != 0 else {
        Issue.record("\(program.evidence)")
        return
      }
      #expect(!program.errors.isEmpty)
    }

    @Test(
      "A server that lacks an extension", arguments: ["RANDR", "XFIXES", "MIT-SCREEN-SAVER", "X-Resource", "XINERAMA"])
    func serverWithout(_ name: String) async throws {
      // Xvfb 21.1.7 without XFIXES aborts as soon as a client leaves (dixGetPrivateAddr: key->initialized), so none
      // does there. The proxy hides XFIXES from a program under a window manager.
      let kind: WindowManager = name == "XFIXES" ? .none : .openbox
      let desktop = try await PrivateDesktop(kind, withoutExtensions: [name])
      try await Self.goThrough(desktop, try await desktop.startSceneLab(2))
    }

    @Test(
      "A server that seems to lack what no server can be without",
      arguments: [
        ["SYNC"], ["XFIXES"], ["XKEYBOARD"], ["Present"], ["XInputExtension"], ["BIG-REQUESTS", "XC-MISC"],
        ["SYNC", "XKEYBOARD", "Present", "XInputExtension", "RANDR", "XFIXES", "MIT-SCREEN-SAVER", "X-Resource"],
      ])
    func proxyWithout(_ names: Set<String>) async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let proxy = try XProxy(to: desktop.server, hiding: names)
      let program = try Program(Program.besideTests("SceneLab"), ["--scenes", "2"], display: proxy.display, on: proxy)
      try await desktop.settle(program, "2 scenes") { $0.count == 2 && $0.allSatisfy(\.isViewable) }
      try await Self.goThrough(desktop, program)
    }

    @Test(
      "A window destroyed by another client is a scene that disconnects", arguments: [WindowManager.openbox, .none])
    func destroyed(_ kind: WindowManager) async throws {
      let desktop = try await PrivateDesktop(kind)
      let program = try await desktop.startSceneLab(2)
      let (first, second) = try program.twoWindows()
      let count = try program.trace.lines().count
      // When another client destroys the first window
      desktop.desk.client.destroy(first)
      // Then its scene goes, step by step, and the other lives on
      try await desktop.settle(program) { $0.count == 1 }
      #expect(try program.edges(since: count).last { $0.hasPrefix("A") } == "A sceneDidDisconnect")
      desktop.desk.focus(second)
      try await desktop.settle(program) { $0[0].expectedState == .foregroundActive }
    }

    @Test("A forged UnmapNotify hides nothing")
    func madeUpUnmapNotify() async throws {
      // Without a manager: one would take the message for the window's own withdrawal.
      let desktop = try await PrivateDesktop()
      let program = try await desktop.startSceneLab(2)
      let (first, _) = try program.twoWindows()
      let count = try program.trace.lines().count
      desktop.desk.sendUnmapNotify(first)
      try await desktop.settle(program) { $0[0].isViewable }
      #expect(try program.edges(since: count).isEmpty)
      try await Self.goThrough(desktop, program)
    }

    @Test("WM_STATE without a value, and other nonsense in properties", arguments: [WindowManager.openbox, .none])
    func rubbishProperties(_ kind: WindowManager) async throws {
      let desktop = try await PrivateDesktop(kind)
      let program = try await desktop.startSceneLab(2)
      let (first, _) = try program.twoWindows()
      let client = desktop.desk.client
      let count = try program.trace.lines().count
      // When properties are overwritten with what they must not be
      client.setProperty(first, "WM_STATE", type: "WM_STATE", longs: [])
      try await desktop.settle(program, "WM_STATE empty") { $0[0].isViewable }
      desktop.desk.writeRubbishProperties(first)
      desktop.desk.writeRubbishProperties(client.root)
      for name in ["_NET_CURRENT_DESKTOP", "_NET_SHOWING_DESKTOP", "_NET_SUPPORTED", "_NET_ACTIVE_WINDOW"] {
        client.setProperty(client.root, name, type: "STRING", format: 8, bytes: [1, 2, 3])
        client.setProperty(client.root, name, type: "CARDINAL", longs: [])
      }
      client.setProperty(client.root, "_NET_SUPPORTING_WM_CHECK", type: "WINDOW", longs: [0xffff_ffff])
      client.setProperty(client.root, "_XKB_RULES_NAMES", type: "STRING", format: 8, bytes: [0, 0, 255, 254])
      client.setProperty(client.root, "RESOURCE_MANAGER", type: "STRING", format: 8, bytes: [255, 58, 0, 10])
      // Then nothing is hidden by it
      try await desktop.settle(program, quiet: .milliseconds(1800), "rubbish") { $0[0].isViewable }
      #expect(try !program.edges(since: count).contains { $0.hasSuffix("sceneDidEnterBackground") })
      #expect(program.ending == nil)
    }

    @Test("A _NET_WM_STATE of 10,000 atoms", arguments: [WindowManager.openbox, .none])
    func longProperty(_ kind: WindowManager) async throws {
      let desktop = try await PrivateDesktop(kind)
      let program = try await desktop.startSceneLab(2)
      let (first, _) = try program.twoWindows()
      let client = desktop.desk.client
      let count = try program.trace.lines().count
      let atoms = (0..<10_000).map { UInt32($0 % 60) + 1 }
      client.setProperty(first, "_NET_WM_STATE", type: "ATOM", longs: atoms)
      try await desktop.settle(program) { $0[0].isViewable }
      #expect(try program.edges(since: count).isEmpty)
      client.setProperty(first, "_NET_WM_STATE", type: "ATOM", longs: [])
      try await Self.goThrough(desktop, program)
    }

    @Test("Client messages and events without sense", arguments: [WindowManager.openbox, .none])
    func rubbishMessages(_ kind: WindowManager) async throws {
      let desktop = try await PrivateDesktop(kind)
      let program = try await desktop.startSceneLab(2)
      let (first, second) = try program.twoWindows()
      let count = try program.trace.lines().count
      desktop.desk.sendRubbishMessages(first)
      desktop.desk.sendMadeUpEvents(second)
      try await desktop.settle(program) { $0.count == 2 && $0.allSatisfy(\.isViewable) }
      #expect(try !program.edges(since: count).contains { $0.hasSuffix("sceneDidEnterBackground") })
      try await Self.goThrough(desktop, program)
    }

    @Test(
      "Forged focus, crossing and key events say nothing", arguments: [WindowManager.openbox, .none])
    func madeUpFocus(_ kind: WindowManager) async throws {
      let desktop = try await PrivateDesktop(kind)
      let program = try await desktop.startSceneLab(2)
      let (first, second) = try program.twoWindows()
      desktop.desk.focus(first)
      try await desktop.settle(program, "first") { $0[0].expectedState == .foregroundActive }
      let count = try program.trace.lines().count
      // When another client says that the focus has moved, with times that lie far ahead
      desktop.desk.sendMadeUpFocus(from: first, to: second)
      // Then nothing has happened
      try await desktop.settle(program) { $0[0].expectedState == .foregroundActive }
      #expect(try program.edges(since: count).isEmpty)
      // And the focus can still be handed on, for which the server's time has to be right
      try await Self.goThrough(desktop, program)
      try await desktop.settle(program, "the first is left") { $0.count == 1 }
    }

    @Test("A position out of sight that another client makes up hides nothing")
    func madeUpPosition() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let program = try await desktop.startSceneLab(1)
      let window = try #require(try program.windows().first)
      desktop.desk.focus(window)
      try await desktop.settle(program, "active") { $0[0].expectedState == .foregroundActive }
      let count = try program.trace.lines().count
      desktop.desk.sendMadeUpPosition(of: window, x: 20000, y: 20000)
      try await desktop.settle(program, "still active") { $0[0].expectedState == .foregroundActive }
      #expect(try program.edges(since: count).isEmpty)
    }

    @Test("A scene's window that another client puts into another scene's window is hidden with it")
    func sceneWithinScene() async throws {
      let desktop = try await PrivateDesktop()
      let program = try await desktop.startSceneLab(2)
      let (first, second) = try program.twoWindows()
      desktop.desk.reparent(second, into: first)
      try await desktop.settle(program, "put in") { $0.allSatisfy(\.isViewable) }
      desktop.desk.setMapped(first, false)
      try await desktop.settle(program, "both hidden") { $0.allSatisfy { !$0.isViewable } }
      desktop.desk.setMapped(first, true)
      try await desktop.settle(program, "both shown") { $0.allSatisfy(\.isViewable) }
    }

    @Test("A window that a window manager was asked to map as it died is shown all the same")
    func lostMapRequest() async throws {
      // Given something like a window manager, which hears that a window is to be mapped, and dies
      let desktop = try await PrivateDesktop()
      desktop.desk.interceptMapRequests(true)
      let program = try desktop.start(Program.besideTests("SceneLab"))
      try await program.wait(for: "a scene") { $0.scenes.isEmpty ? nil : true }
      desktop.desk.interceptMapRequests(false)
      // Then the window comes up
      try await desktop.settle(program, "shown") { $0.count == 1 && $0[0].isViewable }
    }

    @Test(
      "What a window manager that is gone said of the desktop hides nothing",
      arguments: [WindowManager.i3, .twm, .xfwm4, .openbox])
    func staleDesktop(_ successor: WindowManager) async throws {
      // Given a window manager that is killed while it shows the desktop
      let desktop = try await PrivateDesktop(.openbox)
      let program = try await desktop.startSceneLab(2)
      desktop.desk.showDesktop(true)
      try await desktop.settle(program, "on") { $0.allSatisfy { $0.expectedState == .background } }
      try await desktop.killWindowManager(SIGKILL)
      // When another comes, which knows nothing of showing the desktop or does not show it
      try await desktop.startWindowManager(successor)
      // Then all scenes are back, whatever the root's property says
      try await desktop.settle(program, quiet: .milliseconds(1800), "with \(successor)") {
        $0.allSatisfy { $0.expectedState > .background && $0.windowManagerRuns }
      }
    }

    @Test("A flood of messages stops neither signals nor the end")
    func flood() async throws {
      let desktop = try await PrivateDesktop()
      let program = try await desktop.startSceneLab(1)
      let window = try #require(try program.windows().first)
      for _ in 0..<20 { desktop.desk.sendRubbishMessages(window) }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    /// Shows that a program still lives and follows: focus there and back, and a key that closes a scene.
    static func goThrough(_ desktop: PrivateDesktop, _ program: Program) async throws {
      let (first, second) = try program.twoWindows()
      desktop.desk.focus(first)
      try await desktop.settle(program, "first") { $0[0].expectedState == .foregroundActive }
      desktop.desk.focus(second)
      try await desktop.settle(program, "second") { $0[1].expectedState == .foregroundActive }
      if desktop.desk.kind.reasonAgainst(.iconify) == nil {
        desktop.desk.iconify(first)
        try await desktop.settle(program, "iconified") { $0[0].expectedState == .background }
      }
      desktop.desk.focus(second)
      try await desktop.settle(program, "second again") { $0[1].expectedState == .foregroundActive }
      try desktop.desk.key("w")
      try await desktop.settle(program, "closed by its key") { $0.count == 1 }
      #expect(!desktop.desk.client.truth(second).exists)
      #expect(program.ending == nil)
    }
  }
}
