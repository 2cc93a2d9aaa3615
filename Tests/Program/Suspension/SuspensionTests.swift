import CXCB
import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension SecondDesk {
  /// A program in the background, on a real server.
  @Suite("Suspension", .enabled(if: Requirement.sceneLab))
  struct SuspensionTests {
    /// A scenario's program with so many scenes, all iconic, suspended.
    ///
    /// What it is to do before is done while they are shown.
    private func suspended(
      _ scenes: Int, _ kind: WindowManager = .openbox, grace: Int = 0, before commands: [String] = [],
      environment: [String: String] = [:]
    ) async throws -> DeskScenario {
      let run = try await DeskScenario(kind, arguments: ["--suspend"], environment: environment)
      for _ in 1..<scenes { try await run.perform("new") }
      try await run.desktop.settle(run.program, "\(scenes) scenes") {
        $0.count == scenes && $0.allSatisfy(\.isViewable)
      }
      for command in commands + ["grace \(grace)"] { try await run.perform(command) }
      for window in try run.program.windows() { run.desktop.desk.iconify(window) }
      try await Self.wait(run, for: "suspended", 1)
      return run
    }

    /// The n-th line of a kind has been written.
    private static func wait(_ run: DeskScenario, for name: String, _ count: Int = 1) async throws {
      try await run.program.wait(for: "\(name) \(count)") { lines in
        lines.count { $0.kind == "system" && $0.name == name } >= count ? true : nil
      }
    }

    private func isSuspended(_ run: DeskScenario) throws -> Bool {
      try run.program.trace.lines().last { $0.kind == "system" }?.name == "suspended"
    }

    @Test("Twenty scenes with timers and tasks that never end: nothing wakes, and what runs stands still")
    func silence() async throws {
      // Given a program with all kinds of work, and a grace as programs have it
      let run = try await suspended(20, grace: 5000, before: ["busy", "copy from a sleeper"])
      defer { run.close() }
      let client = run.desktop.desk.client
      let first = try #require(try run.program.windows().first)
      try await run.program.rests(for: .seconds(10))
      let before = run.program.contextSwitches
      // And root properties, fifty times a second, are nothing to it
      for number in 0..<100 {
        client.setProperty(client.root, "_NET_ACTIVE_WINDOW", type: "WINDOW", longs: [UInt32(number)])
        client.setProperty(client.root, "SOMETHING", type: "CARDINAL", longs: [UInt32(number)])
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(run.program.contextSwitches.voluntary == before.voluntary)
      // And what does come is read once
      for number in 0..<20 {
        client.setProperty(first, "SOMETHING", type: "CARDINAL", longs: [UInt32(number)])
        try await Task.sleep(for: .milliseconds(20))
      }
      try await waitUntil("a read") { run.program.contextSwitches.voluntary > before.voluntary }
      let after = run.program.contextSwitches.voluntary - before.voluntary
      #expect((1...20).contains(after), "\(after) switches for 20 events")
      #expect(try isSuspended(run))
      // When a window is shown again
      run.desktop.desk.restore(first)
      try await Self.wait(run, for: "resumed")
      // Then everything goes on: the main queue has its timers and tasks again, and commands are read
      let resumed = try await ticks(run)
      var later = resumed
      while later <= resumed { later = try await ticks(run) }
    }

    @Test("An event that comes costs a suspended program one read", .enabled(if: mustNotSkip || isInstalled("strace")))
    func reads() async throws {
      let run = try await suspended(2)
      defer { run.close() }
      let client = run.desktop.desk.client
      let first = try #require(try run.program.windows().first)
      // What the server still had to say of the icons has been read.
      try await run.desktop.settle(run.program) { $0.allSatisfy { $0.expectedState == .background } }
      try await run.program.rests(for: .seconds(1))
      let folder = try TemporaryFolder()
      let log = folder.file("log")
      let tracer = try ChildProcess(
        ["strace", "-f", "-qq", "-e", "trace=read,recvmsg,recvfrom,readv", "-o", log, "-p", "\(run.program.pid)"],
        environment: try privateEnvironment(home: folder, display: nil), output: folder.file("out"),
        errors: folder.file("err"))
      try await waitUntil("the tracer", evidence: { text(of: folder.file("err")) }) {
        text(of: "/proc/\(run.program.pid)/status").contains("TracerPid:\t\(tracer.pid)")
      }
      // Those that have returned: a thread that waits all the time, as the watchdog's, is in the middle of one.
      func reads() -> [Substring] { text(of: log).split(separator: "\n").filter { $0.contains(" = ") } }
      // Each is taken before the next one comes
      for number in 1...10 {
        client.setProperty(first, "SOMETHING", type: "CARDINAL", longs: [UInt32(number)])
        try await waitUntil("read \(number)", evidence: { text(of: log) + text(of: folder.file("err")) }) {
          reads().count >= number
        }
      }
      tracer.send(SIGTERM)
      _ = try await tracer.wait()
      #expect(reads().count == 10, "\(text(of: log))")
      #expect(try isSuspended(run))
    }

    @Test(
      "A window that is shown again: no timer runs out before the first callback, which comes in the turn that wakes",
      .enabled(if: mustNotSkip || isInstalled("strace")))
    func awakeAtOnce() async throws {
      let run = try await suspended(1)
      defer { run.close() }
      let window = try #require(try run.program.windows().first)
      try await run.desktop.settle(run.program) { $0.allSatisfy { $0.expectedState == .background } }
      let folder = try TemporaryFolder()
      let log = folder.file("log")
      // The first thread alone: it reads the socket, and calls the program.
      let tracer = try ChildProcess(
        [
          "strace", "-qq", "-s", "400", "-e", "trace=poll,ppoll,epoll_wait,epoll_pwait,recvmsg,write", "-o", log, "-p",
          "\(run.program.pid)",
        ], environment: try privateEnvironment(home: folder, display: nil), output: folder.file("out"),
        errors: folder.file("err"))
      try await waitUntil("the tracer", evidence: { text(of: folder.file("err")) }) {
        text(of: "/proc/\(run.program.pid)/status").contains("TracerPid:\t\(tracer.pid)")
      }
      run.desktop.desk.restore(window)
      try await waitUntil("the callback", evidence: { text(of: log) }) {
        text(of: log).contains("sceneWillEnterForeground")
      }
      tracer.send(SIGTERM)
      _ = try await tracer.wait()
      let calls = text(of: log).split(separator: "\n")
      let told = try #require(calls.firstIndex { $0.hasPrefix("write") && $0.contains("sceneWillEnterForeground") })
      // Without a grace the focus, which may come first, wakes it for a moment only.
      let resumed = try #require(calls[..<told].lastIndex { $0.hasPrefix("write") && $0.contains("resumed") })
      // What ended each sleep was the server, and no timer.
      let timers = calls[..<told].filter { $0.contains("(Timeout)") && !$0.contains(", 0) ") }
      #expect(timers.isEmpty, "\(text(of: log))")
      // It wakes, and tells the program, in one turn of the loop: nothing is waited for in between.
      #expect(!calls[resumed..<told].contains { $0.contains("events=POLLIN}") }, "\(text(of: log))")
    }

    private func ticks(_ run: DeskScenario) async throws -> Int {
      try await run.perform("ticks")
      let line = run.program.output.split(separator: "\n").last { $0.hasPrefix("ticks ") }
      return line.flatMap { Int($0.dropFirst(6)) } ?? 0
    }

    @Test(
      "Another program's paste, the ping and the size request of a window manager are answered by a suspended program")
    func answers() async throws {
      let run = try await suspended(1, before: ["copy from a sleeper"])
      defer { run.close() }
      let window = try #require(try run.program.windows().first)
      let ears = try XEars(display: run.desktop.server.display)
      // The ping comes back to the root, as it is but for the window (EWMH, _NET_WM_PING).
      ears.ping(window, time: 4711)
      try await waitUntil("the ping's answer", evidence: { run.program.evidence }) { ears.heardPing(4711, window) }
      // The counter is set to what the window manager asked for (EWMH, _NET_WM_SYNC_REQUEST).
      let counter = try #require(
        ears.client.longs(window, "_NET_WM_SYNC_REQUEST_COUNTER", type: "CARDINAL")?.first)
      ears.client.sendMessage(
        window, "WM_PROTOCOLS", [ears.client.atom("_NET_WM_SYNC_REQUEST"), 0, 815, 1])
      try await waitUntil("the counter") { ears.client.counter(counter) == 1 << 32 | 815 }
      // What was copied is handed over.
      #expect(try await ears.paste() == "from a sleeper")
      #expect(try isSuspended(run))
      #expect(try run.program.trace.lines().count { $0.kind == "system" && $0.name == "resumed" } == 0)
    }

    @Test("Whatever brings a window back wakes the program", arguments: windowManagers)
    func restoring(_ kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      // Neither iconifies (i3 has no icons): another desktop, or nothing at all.
      guard kind != .none else { return }
      let run: DeskScenario
      let iconifies = kind != .i3
      if iconifies {
        run = try await suspended(1, kind)
      } else {
        run = try await DeskScenario(kind, arguments: ["--suspend"])
        try await run.desktop.settle(run.program, "a scene") { $0.count == 1 && $0.allSatisfy(\.isViewable) }
        try await run.perform("grace 0")
        try await run.desktop.desk.switchDesktop(5)
        try await Self.wait(run, for: "suspended")
      }
      defer { run.close() }
      let window = try #require(try run.program.windows().first)
      for round in 1...3 {
        if iconifies { run.desktop.desk.restore(window) } else { try await run.desktop.desk.switchDesktop(0) }
        try await Self.wait(run, for: "resumed", round)
        try await run.desktop.settle(run.program, "shown") { $0.allSatisfy { $0.expectedState > .background } }
        if iconifies { run.desktop.desk.iconify(window) } else { try await run.desktop.desk.switchDesktop(5) }
        try await Self.wait(run, for: "suspended", round + 1)
      }
      #expect(try run.program.trace.lines().violations == [])
    }

    @Test(
      "The desktop is shown and hidden again: what only the root tells is still heard",
      arguments: [
        WindowManager.openbox, .xfwm4, .mutter,
      ])
    func showingDesktop(_ kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      let run = try await DeskScenario(kind, arguments: ["--suspend"])
      defer { run.close() }
      try await run.desktop.settle(run.program, "a scene") { $0.count == 1 && $0.allSatisfy(\.isViewable) }
      try await run.perform("grace 0")
      for round in 1...2 {
        run.desktop.desk.showDesktop(true)
        try await Self.wait(run, for: "suspended", round)
        run.desktop.desk.showDesktop(false)
        try await Self.wait(run, for: "resumed", round)
        try await run.desktop.settle(run.program, "shown") { $0.allSatisfy { $0.expectedState > .background } }
      }
    }

    @Test("A window manager that dies shows its windows, and the program runs again")
    func managerDies() async throws {
      let run = try await suspended(2)
      defer { run.close() }
      try await run.desktop.killWindowManager(SIGKILL)
      try await Self.wait(run, for: "resumed")
      try await run.desktop.settle(run.program, quiet: .milliseconds(1800), "without a manager") {
        $0.allSatisfy { $0.expectedState > .background }
      }
    }

    @Test("What was missed comes once, before the first key")
    func missed() async throws {
      let run = try await suspended(1)
      defer { run.close() }
      let window = try #require(try run.program.windows().first)
      let heard = {
        run.program.output.split(separator: "\n").filter { $0.hasPrefix("heard ") }.map { $0.dropFirst(6) }
      }
      let before = heard().count
      // When the window is moved while it is iconic, several times, and shown and typed into
      for x in [50, 90, 130] { run.desktop.desk.client.move(window, to: Place(x, 60, 310, 210)) }
      run.desktop.desk.restore(window)
      try await run.desktop.settle(run.program, "active") { $0.allSatisfy { $0.expectedState == .foregroundActive } }
      try run.desktop.desk.key("a")
      try await waitUntil("the key", evidence: { run.program.evidence }) { heard().contains("key") }
      // Then its place has been told before
      let told = heard()[before...]
      #expect(told.first == "geometry" && told.last == "key", "\(told)")
      #expect(told.count { $0 == "key" } == 1)
    }

    @Test("A close request wakes the program, and the last scene's close ends it in order")
    func close() async throws {
      let run = try await suspended(1)
      defer { run.close() }
      let window = try #require(try run.program.windows().first)
      run.desktop.desk.client.sendMessage(
        window, "WM_PROTOCOLS", [run.desktop.desk.client.atom("WM_DELETE_WINDOW"), 0])
      #expect(try await run.program.end() == .exited(0))
      let lines = try run.lines()
      #expect(lines.last?.hasPrefix("applicationWillTerminate") == true, "\(run.program.evidence)")
    }

    @Test(
      "Told to end, a suspended program ends at once with the status as before, and its session comes back",
      arguments: [(SIGTERM, 0), (SIGHUP, 0), (SIGINT, 130)] as [(Int32, Int32)])
    func signals(_ signal: Int32, _ status: Int32) async throws {
      let run = try await suspended(2)
      defer { run.close() }
      let lines = try run.lines()
      run.program.send(signal)
      #expect(try await run.program.end() == .exited(status))
      #expect(try run.lines() == lines)
      // The next run has both, as they were: iconic
      let next = try run.desktop.start(DeskScenario.path, home: run.program.home)
      let launch = try await next.wait(for: "the launch") { lines in lines.first { $0.kind == "launch" } }
      #expect(launch.reason == "restore")
      let kept = names(inFolder: run.program.home.file("state/org.proscenium.Scenario"))
      #expect(kept.count { $0.hasSuffix(".session") } == 2, "\(kept)")
    }

    @Test("A server that dies ends a suspended program at once, with an error")
    func serverDies() async throws {
      let run = try await suspended(1)
      defer { run.close() }
      let lines = try run.lines()
      try await run.desktop.server.kill(SIGKILL)
      #expect(try await run.program.end() == .exited(1))
      #expect(try run.lines() == lines)
      #expect(!run.program.errors.isEmpty)
    }

    @Test("Launched into the background no window is mapped; one that is asked for later is shown")
    func backgroundLaunch() async throws {
      let run = try await DeskScenario(.openbox, arguments: ["--background"])
      defer { run.close() }
      let launch = try await run.program.wait(for: "the launch") { lines in
        let states = lines.filter { $0.name?.hasSuffix("FinishLaunchingWithOptions") == true }.map(\.state)
        return states.count == 2 ? states : nil
      }
      #expect(launch == ["background", "background"])
      try await run.perform("nothing")
      #expect(try run.program.trace.lines().filter { $0.kind == "edge" }.isEmpty)
      try await run.perform("new")
      try await run.desktop.settle(run.program, "shown") { $0.count == 1 && $0.allSatisfy(\.isViewable) }
    }

    @Test(
      "A scene that is connected in the background has no window on the screen until it is activated",
      arguments: [
        true, false,
      ])
    func backgroundScene(_ isAppBased: Bool) async throws {
      // Given a session of an earlier run, or the implicit scene
      let model = isAppBased ? ["--app-based"] : []
      let first = try await DeskScenario(.openbox, arguments: model)
      defer { first.close() }
      try await first.desktop.settle(first.program, "shown") { $0.count == 1 && $0.allSatisfy(\.isViewable) }
      first.program.send(SIGTERM)
      #expect(try await first.program.end() == .exited(0))
      // When the next run starts in the background, and its scene connects there
      let run = try await DeskScenario(
        .openbox, arguments: model + ["--background", "--suspend"], on: first.desktop, home: first.program.home)
      defer { run.close() }
      if !isAppBased { try await run.perform("refresh-all") }
      try await run.program.wait(for: "the scene") { lines in lines.first { $0.name == "sceneWillConnect" } }
      try await run.perform("nothing")
      // Then it is not shown, and it hears of nothing more
      let client = run.desktop.desk.client
      for window in try run.program.windows() { #expect(!client.truth(window).isViewable) }
      #expect(try run.lines().allSatisfy { !$0.contains("sceneWillEnterForeground") })
      let states = try run.program.trace.lines().filter { $0.name?.hasSuffix("FinishLaunchingWithOptions") == true }
      #expect(states.map(\.state) == ["background", "background"])
      // And activated it is shown
      try await run.perform("activate 1")
      try await run.desktop.settle(run.program, "shown") { $0.count == 1 && $0.allSatisfy(\.isViewable) }
    }

    @Test("A URL over the bus wakes the program: its scene comes to the foreground and is given it there")
    func urlWakes() async throws {
      if !mustNotSkip, !PrivateBus.isInstalled { try Test.cancel("dbus-daemon or python3-dbusmock is not installed") }
      let bus = try await PrivateBus()
      let run = try await suspended(1, environment: bus.environment)
      defer { run.close() }
      #expect(try isSuspended(run))
      let count = try run.program.trace.lines().count
      // The program has had its name for long, and keeps it.
      try await bus.call(
        "org.proscenium.Scenario", "/org/proscenium/Scenario", "org.freedesktop.Application.Open",
        "['scenario://wake']", "{}")
      try await waitUntil("the URL", evidence: { run.program.evidence }) {
        run.program.output.contains("opened scenario://wake")
      }
      try await run.desktop.settle(run.program, "shown") { $0.count == 1 && $0.allSatisfy(\.isViewable) }
      let names = try run.program.trace.lines().dropFirst(count).compactMap(\.name)
      let order = ["resumed", "request", "sceneWillEnterForeground", "openURLContexts"]
      #expect(names.filter(order.contains) == order, "\(names)")
      #expect(run.program.output.split(separator: "\n").count { $0.hasPrefix("opened ") } == 1)
    }

    @Test(
      "A session manager's word wakes the program, and its last one ends it in silence",
      .enabled(if: Requirement.sessionManager))
    func sessionManager() async throws {
      // Given a suspended program in a session
      let manager = try await SessionManager(Program.besideTests("TestSessionManager"))
      let desktop = try await PrivateDesktop(.openbox)
      let program = try Program(
        Program.besideTests("SceneLab"), ["--plain"], display: desktop.server.display,
        environment: ["SESSION_MANAGER": manager.address], on: desktop)
      try await manager.wait(for: "properties", evidence: { program.evidence })
      try await desktop.settle(program, "a scene") { $0.count == 1 && $0.allSatisfy(\.isViewable) }
      desktop.desk.iconify(try #require(try program.windows().first))
      func wait(for name: String, _ count: Int) async throws {
        try await program.wait(for: "\(name) \(count)") { lines in
          lines.count { $0.name == name } >= count ? true : nil
        }
      }
      try await wait(for: "suspended", 1)
      // When it is asked to save
      manager.tell("save 1 0 0 0")
      try await manager.wait(for: "save-done 1", evidence: { program.evidence })
      // Then it has been awake for that, and is suspended again
      try await wait(for: "resumed", 1)
      try await wait(for: "suspended", 2)
      let count = try program.trace.lines().count
      // And the end of the session is its own, without a word
      manager.tell("die")
      #expect(try await program.end() == .exited(0))
      let last = try program.trace.lines().dropFirst(count).map { "\($0.kind) \($0.name ?? "")" }
      #expect(last == ["system ended"])
    }
  }
}
