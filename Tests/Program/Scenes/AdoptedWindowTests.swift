import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension SecondDesk {
  /// Windows of GTK in GTK's own loop.
  @Suite("Adopted windows", .enabled(if: Requirement.program("GuestProgram")))
  struct AdoptedWindowTests {
    private func start(_ desktop: PrivateDesktop, home: TemporaryFolder, _ arguments: [String] = []) throws -> Program {
      try desktop.start(Program.besideTests("GuestProgram"), arguments, home: home)
    }

    private func window(_ scene: Int, of program: Program) throws -> UInt32 {
      let scenes = try program.trace.lines().scenes
      try #require(scenes.indices.contains(scene), "\(program.evidence)")
      return try #require(scenes[scene].window, "\(program.evidence)")
    }

    private func waitUntilSeen(_ scene: Int, of program: Program) async throws {
      try await program.wait(for: "scene \(scene) to be seen") { lines in
        let scenes = lines.scenes
        let isSeen = scenes.indices.contains(scene) && scenes[scene].state.hasPrefix("foreground")
        return isSeen ? true : nil
      }
    }

    private func edges(of program: Program) throws -> [String] {
      try program.trace.lines().filter { $0.kind == "edge" }.compactMap(\.name)
    }

    @Test("Their states are those of what is seen")
    func states() async throws {
      try Requirement.windowManager(.openbox)
      try Requirement.library("libgtk-3.so.0")
      let (desktop, home) = (try await PrivateDesktop(.openbox), try TemporaryFolder())
      let program = try start(desktop, home: home, ["--scenes", "2"])
      try await waitUntilSeen(0, of: program)
      try await waitUntilSeen(1, of: program)
      let (first, second) = (try window(0, of: program), try window(1, of: program))
      desktop.desk.focus(first)
      try await program.waitForScene(0, toBe: .foregroundActive)
      try await program.waitForScene(1, toBe: .foregroundInactive)
      desktop.desk.focus(second)
      try await program.waitForScene(1, toBe: .foregroundActive)
      desktop.desk.iconify(second)
      try await program.waitForScene(1, toBe: .background)
      desktop.desk.restore(second)
      try await waitUntilSeen(1, of: program)
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
      #expect(
        try edges(of: program).suffix(2).allSatisfy { $0 == "sceneDidDisconnect" || $0 == "sceneDidEnterBackground" })
    }

    @Test("A close is the scene's delegate's to decide, and GTK destroys what is closed")
    func close() async throws {
      try Requirement.windowManager(.openbox)
      try Requirement.library("libgtk-3.so.0")
      let (desktop, home) = (try await PrivateDesktop(.openbox), try TemporaryFolder())
      let program = try start(desktop, home: home, ["--scenes", "2"])
      try await waitUntilSeen(1, of: program)
      let (first, second) = (try window(0, of: program), try window(1, of: program))
      try await desktop.settle(program)
      desktop.desk.focus(first)
      try await desktop.settle(program) { $0.contains { $0.window == first && $0.hasFocus } }
      try desktop.desk.type("refuse")
      let identifier = try program.trace.lines().scenes[0].identifier
      func hasKept(_ text: String) -> Bool { home.records(of: "Guest")[identifier]?.contains("\"\(text)\"") == true }
      try await waitUntil("the text", evidence: { program.evidence }) { hasKept("refuse") }
      desktop.desk.close(first)
      try await program.wait(for: "the question") { lines in
        lines.contains { $0.name == "sceneShouldClose" } ? true : nil
      }
      #expect(desktop.desk.client.truth(first).isViewable)
      try desktop.desk.type("d")
      try await waitUntil("another text", evidence: { program.evidence }) { hasKept("refused") }
      desktop.desk.close(first)
      try await desktop.desk.waitUntil("the first window to be gone") { !desktop.desk.client.truth(first).exists }
      #expect(desktop.desk.client.truth(second).isViewable)
      desktop.desk.close(second)
      #expect(try await program.end() == .exited(0))
      #expect(home.records(of: "Guest").isEmpty, "closed by the user: \(program.evidence)")
    }

    @Test("After a kill each is where it was, with what was in it")
    func killed() async throws {
      try Requirement.windowManager(.openbox)
      try Requirement.library("libgtk-3.so.0")
      let (desktop, home) = (try await PrivateDesktop(.openbox), try TemporaryFolder())
      var program = try start(desktop, home: home)
      try await waitUntilSeen(0, of: program)
      let old = try window(0, of: program)
      let client = desktop.desk.client
      desktop.desk.focus(old)
      try await program.waitForScene(0, toBe: .foregroundActive)
      try desktop.desk.type("hello")
      client.move(old, to: Place(123, 145, 400, 200))
      try await waitUntil("all to be saved", evidence: { program.evidence }) {
        let record = home.records(of: "Guest").values.first ?? ""
        return record.contains("hello") && record.contains("\"width\":400")
      }
      let place = try #require(client.place(of: old))
      program.send(SIGKILL)
      _ = try await program.end()
      program = try start(desktop, home: home)
      try await waitUntilSeen(0, of: program)
      let new = try window(0, of: program)
      try await desktop.desk.waitUntil("the window to be at its place") { client.place(of: new) == place }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
      #expect(home.records(of: "Guest").values.first?.contains("hello") == true)
    }

    /// In openbox it came back beside its place, by the size of its frame, further at each kill.
    @Test(
      "After kills of a maximised one its size of before is where it was", arguments: [true, false],
      [WindowManager.openbox, .icewm])
    func killedMaximized(isMaximized: Bool, kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      try Requirement.library("libgtk-3.so.0")
      let (desktop, home) = (try await PrivateDesktop(kind), try TemporaryFolder())
      let client = desktop.desk.client
      let states =
        isMaximized ? ["_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ"] : ["_NET_WM_STATE_FULLSCREEN"]
      func change(_ window: UInt32, _ isOn: Bool) {
        let atoms = states.map(client.atom)
        client.ask(window, "_NET_WM_STATE", [isOn ? 1 : 0, atoms[0], atoms.count > 1 ? atoms[1] : 0, 2])
      }
      func isSaved(_ isOn: Bool) async throws {
        let state = "\"\(isMaximized ? "isMaximized" : "isFullScreen")\":\(isOn)"
        try await waitUntil("\(state) to be saved", evidence: { "\(home.records(of: "Guest"))" }) {
          home.records(of: "Guest").values.first?.contains(state) == true
        }
      }
      var place: Place?
      for round in 0..<3 {
        let program = try start(desktop, home: home)
        try await waitUntilSeen(0, of: program)
        let window = try window(0, of: program)
        if let place {
          try await desktop.desk.waitUntil("the window to be large") {
            // GTK shows it at its own size first.
            client.place(of: window)?.width ?? 0 > 2 * place.width
          }
          change(window, false)
          try await desktop.desk.waitUntil("the window to be at its place, \(round)") {
            client.place(of: window) == place
          }
          try await isSaved(false)
        } else {
          client.move(window, to: Place(123, 145, 400, 200))
          try await waitUntil("all to be saved", evidence: { program.evidence }) {
            home.records(of: "Guest").values.first?.contains("\"width\":400") == true
          }
          place = client.place(of: window)
        }
        change(window, true)
        try await isSaved(true)
        program.send(SIGKILL)
        _ = try await program.end()
      }
    }

    @Test("What GTK hides by itself comes back when the program is started again")
    func hiddenByItself() async throws {
      try Requirement.windowManager(.openbox)
      try Requirement.library("libgtk-3.so.0")
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      let path = Program.besideTests("GuestProgram")
      let program = try desktop.start(path, environment: bus.environment, home: home)
      try await waitUntilSeen(0, of: program)
      let window = try window(0, of: program)
      try await desktop.settle(program)
      desktop.desk.focus(window)
      try await desktop.settle(program) { $0.contains { $0.window == window && $0.hasFocus } }
      let count = try program.trace.lines().count
      try desktop.desk.type("hide")
      try await program.waitForScene(0, toBe: .background)
      #expect(try !program.trace.lines()[count...].contains { $0.name == "windowManager" }, "\(program.evidence)")
      let second = try desktop.start(path, environment: bus.environment, home: home)
      #expect(try await second.end() == .exited(0), "\(second.evidence)")
      try await desktop.desk.waitUntil("the window to be back") { desktop.desk.client.truth(window).isViewable }
      try await waitUntilSeen(0, of: program)
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    @Test("What GTK has hidden by itself has the focus when the user has started the program again")
    func activatedByOwner() async throws {
      try Requirement.windowManager(.metacity)
      try Requirement.library("libgtk-3.so.0")
      let (desktop, bus, home) = (
        try await PrivateDesktop(.metacity), try await PrivateBus(), try TemporaryFolder()
      )
      let (path, client) = (Program.besideTests("GuestProgram"), desktop.desk.client)
      let ears = try XEars(display: desktop.server.display)
      let program = try desktop.start(path, environment: bus.environment, home: home)
      try await waitUntilSeen(0, of: program)
      let window = try window(0, of: program)
      desktop.desk.focus(window)
      try await desktop.settle(program) { $0.contains { $0.window == window && $0.hasFocus } }
      try desktop.desk.type("hide")
      try await program.waitForScene(0, toBe: .background)
      // Given another program, which the user has used since
      let other = client.makeWindow(x: 600, y: 400)
      try await desktop.desk.waitUntil("the other window") { client.truth(other).isViewable }
      desktop.desk.focus(other)
      try await desktop.desk.waitUntil("its focus") { client.truth(other).hasFocus }
      client.setProperty(other, "_NET_WM_USER_TIME", type: "CARDINAL", longs: [try await ears.serverTime()])
      // When the user starts the program
      let environment = bus.environment.merging([
        "DESKTOP_STARTUP_ID": "launcher-1_TIME\(try await ears.serverTime())"
      ]) { $1 }
      let second = try desktop.start(path, environment: environment, home: home)
      #expect(try await second.end() == .exited(0), "\(second.evidence)")
      try await program.waitForScene(0, toBe: .foregroundActive)
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    @Test("What was closed, kept and shown by itself closes again")
    func closedAgain() async throws {
      try Requirement.windowManager(.openbox)
      try Requirement.library("libgtk-3.so.0")
      let (desktop, home) = (try await PrivateDesktop(.openbox), try TemporaryFolder())
      let program = try start(desktop, home: home, ["--keep"])
      try await waitUntilSeen(0, of: program)
      let window = try window(0, of: program)
      for round in 1...2 {
        try await desktop.settle(program)
        desktop.desk.close(window)
        // It is away for a second: the trace keeps what a look may miss.
        try await program.wait(for: "the background") { lines in
          lines.count { $0.name == "sceneDidEnterBackground" } >= round ? true : nil
        }
        try await program.wait(for: "its return") { lines in
          lines.count { $0.name == "sceneWillEnterForeground" } > round ? true : nil
        }
        try await waitUntilSeen(0, of: program)
      }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    @Test("A window that GTK destroys by itself ends its scene, and not its session")
    func lost() async throws {
      try Requirement.windowManager(.openbox)
      try Requirement.library("libgtk-3.so.0")
      let (desktop, home) = (try await PrivateDesktop(.openbox), try TemporaryFolder())
      let program = try start(desktop, home: home, ["--scenes", "2"])
      try await waitUntilSeen(1, of: program)
      try await desktop.settle(program)
      let first = try window(0, of: program)
      desktop.desk.focus(first)
      try await desktop.settle(program) { $0.contains { $0.window == first && $0.hasFocus } }
      try desktop.desk.type("destroy")
      try await program.waitForScene(0, toBe: .unattached)
      try await waitUntil("both sessions on disk", evidence: { program.evidence }) {
        home.records(of: "Guest").count == 2
      }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }
  }
}
