import DeskSupport
import FoundationEssentials
import Glibc
import SuiteSupport
import Testing

extension SecondDesk {
  /// Second starts of a program, with real processes on a real bus and a real desk.
  @Suite("One instance", .enabled(if: Requirement.sceneLab && (mustNotSkip || PrivateBus.isInstalled)))
  struct OneInstanceTests {
    private static let name = "org.proscenium.Scenario"
    private static let path = "/org/proscenium/Scenario"

    private func start(
      _ desktop: PrivateDesktop, _ bus: PrivateBus, _ arguments: [String] = [], home: TemporaryFolder,
      environment: [String: String] = [:]
    ) throws -> Program {
      try desktop.start(
        DeskScenario.path, arguments, environment: bus.environment.merging(environment) { $1 }, home: home)
    }

    /// The URLs that the program's scenes were given, in their order.
    private func urls(_ output: String) -> [String] {
      output.split(separator: "\n").filter { $0.hasPrefix("opened ") }.map { String($0.dropFirst(7)) }
    }

    private func urls(_ program: Program) -> [String] { urls(program.output) }

    /// Waits until the program's scenes have been given that many.
    private func waitForURLs(_ program: Program, _ count: Int, limit: Duration = .seconds(60)) async throws {
      try await program.wait(for: "\(count) URLs", limit: limit) { _ in urls(program).count >= count ? true : nil }
    }

    private func waitForName(_ program: Program, _ name: String = name, count: Int = 1) async throws {
      try await program.wait(for: "the name \(name)") { lines in
        lines.count { $0.name == "name" && $0.cause == name } >= count ? true : nil
      }
    }

    /// Whether the program's newest window has the focus.
    private func waitForFocus(_ desktop: PrivateDesktop, _ program: Program) async throws {
      try await program.wait(for: "the focus", evidence: { desktop.view(of: program) }) { lines in
        lines.scenes.contains { desktop.desk.client.truth($0.window ?? 0).hasFocus } ? true : nil
      }
    }

    @Test("A second start hands its URLs and arguments over, ends with 0, and the first has the focus")
    func handOver() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      let first = try start(desktop, bus, home: home)
      try await desktop.settle(first)
      // Another program has the focus
      let other = desktop.desk.client.makeWindow(x: 600, y: 500, width: 100, height: 80) { _ in }
      try await waitUntil("another program's window") { desktop.desk.client.truth(other).isViewable }
      desktop.desk.focus(other)
      try await waitUntil("another program's focus") { desktop.desk.client.truth(other).hasFocus }
      let file = try home.write("here/note.txt", "text")
      let script = try home.write(
        "here/run", "#!/bin/sh\ncd \(home.file("here")) && exec \(DeskScenario.path) \"$@\"\n", mode: 0o755)
      let second = try desktop.start(
        script, ["scenario://one", "note.txt", "--own"], environment: bus.environment, home: home)
      #expect(try await second.end() == .exited(0), "\(second.evidence)")
      #expect(second.errors.isEmpty)
      try await waitForURLs(first, 2)
      #expect(urls(first) == ["file://\(file)", "scenario://one"])
      try await waitForFocus(desktop, first)
      // Without anything to open, too
      desktop.desk.focus(other)
      try await waitUntil("another program's focus") { desktop.desk.client.truth(other).hasFocus }
      let third = try start(desktop, bus, home: home)
      #expect(try await third.end() == .exited(0), "\(third.evidence)")
      try await waitForFocus(desktop, first)
    }

    @Test(
      "In a container that has numbers of its own for processes, and the machine's bus, a second start is handed over",
      .enabled(if: geteuid() == 0))
    func container() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      let space = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
      let trial = try ChildProcess(
        space + ["true"], environment: try privateEnvironment(home: home, display: nil), output: home.file("out"),
        errors: home.file("errors"))
      guard try await trial.wait() == .exited(0) else {
        try cancelTest("processes cannot be given numbers of their own", lacking: .mounts)
      }
      let first = try desktop.start(
        space[0], space.dropFirst() + [DeskScenario.path], environment: bus.environment, home: home)
      try await waitForName(first)
      let number = text(of: "/proc/\(first.pid)/task/\(first.pid)/children").filter(\.isNumber)
      let second = try desktop.start(
        "nsenter", ["--target", number, "--pid", "--mount", DeskScenario.path, "scenario://x"],
        environment: bus.environment, home: home)
      #expect(try await second.end() == .exited(0), "\(second.evidence)")
      try await waitForURLs(first, 1)
      #expect(urls(first) == ["scenario://x"])
    }

    @Test("On another display the first declines, and the second says so")
    func otherDisplay() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      let first = try start(desktop, bus, home: home)
      try await waitForName(first)
      let elsewhere = try await PrivateDesktop(.none)
      let second = try start(elsewhere, bus, ["scenario://x"], home: home)
      #expect(try await second.end() == .exited(1))
      #expect(second.errors.contains("as process \(first.pid)"), "\(second.evidence)")
      #expect(second.errors.contains("shows its windows on \(desktop.server.display)"), "\(second.evidence)")
      #expect(urls(first).isEmpty)
      // The same display under another name is the same
      let same = try start(
        desktop, bus, ["scenario://y"], home: home, environment: ["DISPLAY": desktop.server.display + ".0"])
      #expect(try await same.end() == .exited(0), "\(same.evidence)")
      try await waitForURLs(first, 1)
      #expect(urls(first) == ["scenario://y"])
    }

    @Test("A second SceneLab's scenes open in the first")
    func scenesOfTheSecond() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      func start(_ arguments: [String] = []) throws -> Program {
        try desktop.start(
          Program.besideTests("SceneLab"), arguments, environment: bus.environment, home: home)
      }
      let first = try start()
      try await desktop.settle(first)
      let second = try start(["--scenes", "3"])
      #expect(try await second.end() == .exited(0), "\(second.evidence)")
      try await first.wait(for: "three scenes", evidence: { desktop.view(of: first) }) { lines in
        lines.scenes.count == 3 ? true : nil
      }
      #expect(first.errors.isEmpty)
    }

    @Test("A thousand second starts lose no URL and leave one process", .timeLimit(.minutes(30)))
    func thousand() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      let first = try start(desktop, bus, home: home)
      try await desktop.settle(first)
      try await waitForName(first)
      // At once from one shell, in waves of as many as a small and busy machine holds: each gives up after 10 s.
      let script = try home.write(
        "all",
        """
        #!/bin/bash
        status=0
        for wave in {0..24}; do
          children=()
          for number in {0..39}; do
            \(DeskScenario.path) scenario://$wave-$number & children+=($!)
          done
          for child in "${children[@]}"; do wait $child || status=1; done
        done
        exit $status

        """, mode: 0o755)
      let all = try desktop.start(
        "bash", [script], environment: bus.environment.merging(["PROSCENIUM_TRACE": "/dev/null"]) { $1 }, home: home)
      #expect(try await all.end(limit: .seconds(1200)) == .exited(0), "\(all.errors.suffix(2000))")
      let expected = Set((0..<25).flatMap { wave in (0..<40).map { "scenario://\(wave)-\($0)" } })
      try await waitForURLs(first, 1000, limit: .seconds(60))
      let taken = urls(first)
      #expect(taken.count == 1000)
      #expect(Set(taken) == expected)
      #expect(first.ending == nil)
      #expect(all.errors.isEmpty)
    }

    @Test("Of many first starts at once one runs, and every URL is opened")
    func race() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      // Those that lose give up after 10 s.
      let programs = try (0..<8).map { try start(desktop, bus, ["scenario://\($0)"], home: home) }
      var first: Program?
      for program in programs {
        let ending = try await waitFor("an end or a launch", limit: .seconds(60)) {
          () -> ChildProcess.Ending?? in
          if let ending = program.ending { return .some(ending) }
          return try program.trace.lines().contains { $0.kind == "launch" } ? .some(nil) : nil
        }
        if let ending {
          #expect(ending == .exited(0), "\(program.evidence)")
        } else {
          #expect(first == nil)
          first = program
        }
      }
      let runner = try #require(first)
      try await waitForURLs(runner, 8)
      #expect(Set(urls(runner)) == Set((0..<8).map { "scenario://\($0)" }))
    }

    @Test("A second start while the first ends becomes the first, with its URL")
    func ending() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      // It takes its time to end, and takes nothing meanwhile
      let first = try start(desktop, bus, ["--slow=applicationWillTerminate=1500=wall"], home: home)
      try await waitForName(first)
      first.send(SIGTERM)
      try await waitUntil("the end to begin") { first.output.contains("slow applicationWillTerminate") }
      let second = try start(desktop, bus, ["scenario://late"], home: home)
      #expect(try await first.end() == .exited(0))
      try await second.wait(for: "its launch") { $0.contains { $0.kind == "launch" } ? true : nil }
      try await waitForName(second)
      try await waitForURLs(second, 1)
      #expect(urls(first).isEmpty)
      #expect(urls(second) == ["scenario://late"])
      #expect(second.ending == nil)
      // And killed without a word
      second.send(SIGKILL)
      _ = try await second.end()
      let third = try start(desktop, bus, ["scenario://later"], home: home)
      try await waitForName(third)
    }

    @Test("Without a bus the second says who runs; a bus that dies and comes back has the name again")
    func noBus() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      let first = try start(desktop, bus, home: home)
      try await waitForName(first)
      try await bus.kill()
      let second = try start(desktop, bus, ["scenario://x"], home: home)
      #expect(try await second.end() == .exited(1))
      #expect(second.errors.contains("is running already, as process \(first.pid)"), "\(second.evidence)")
      try await bus.restart()
      try await waitForName(first, count: 2)
      let third = try start(desktop, bus, ["scenario://y"], home: home)
      #expect(try await third.end() == .exited(0), "\(third.evidence)")
      try await waitForURLs(first, 1)
      #expect(urls(first) == ["scenario://y"])
    }

    @Test("Installed, the program is started by the bus for a URL, shows nothing before, and opens it")
    func activation() async throws {
      let (desktop, home) = (try await PrivateDesktop(.openbox), try TemporaryFolder())
      let data = home.file("data")
      let install = try desktop.start(
        DeskScenario.path, ["--install-desktop-entry"], environment: ["XDG_DATA_HOME": data], home: home)
      #expect(try await install.end() == .exited(0), "\(install.evidence)")
      #expect(text(of: "\(data)/applications/\(Self.name).desktop").contains("x-scheme-handler/scenario;"))
      let trace = try home.write("activated", "")
      let bus = try await PrivateBus(variables: [
        "XDG_DATA_HOME": data, "DISPLAY": desktop.server.display, "PROSCENIUM_TRACE": trace, "HOME": home.path,
        "XDG_STATE_HOME": home.file("state"),
      ])
      try await bus.launch(
        Self.name, Self.path, "org.freedesktop.Application.Open",
        ["asa{sv}", "1", "scenario://cold", "1", "desktop-startup-id", "s", "x_TIME1"])
      let reader = TraceReader(path: trace)
      try await waitUntil("the URL's scene", evidence: { text(of: trace) }) { urls(bus.output) == ["scenario://cold"] }
      let lines = try reader.lines()
      let request = try #require(lines.firstIndex { $0.kind == "system" && $0.name == "request" })
      // Nothing of a scene came before what it was for
      #expect(!lines[..<request].contains { $0.kind == "edge" })
      let pid = try #require(lines.first?.pid)
      kill(pid_t(pid), SIGTERM)
      try await waitUntil("its end") { kill(pid_t(pid), 0) != 0 }
      let uninstall = try desktop.start(
        DeskScenario.path, ["--uninstall-desktop-entry"], environment: ["XDG_DATA_HOME": data], home: home)
      #expect(try await uninstall.end() == .exited(0))
      #expect(access("\(data)/applications/\(Self.name).desktop", F_OK) != 0)
    }

    @Test("A bus that runs reads its services again when the program is installed, and when that is taken back")
    func services() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      let heard = home.file("heard")
      let monitor = try ChildProcess(
        ["dbus-monitor", "--address", bus.address], environment: try privateEnvironment(home: home, display: nil),
        output: heard, errors: home.file("errors"))
      defer { monitor.send(SIGKILL) }
      // The bus takes its name from it once it hears everything.
      try await waitUntil("the monitor", evidence: { text(of: home.file("errors")) }) {
        text(of: heard).contains("NameLost")
      }
      for (count, command) in [(1, "--install-desktop-entry"), (2, "--uninstall-desktop-entry")] {
        let program = try start(
          desktop, bus, [command], home: home, environment: ["XDG_DATA_HOME": home.file("data")])
        #expect(try await program.end() == .exited(0), "\(program.evidence)")
        try await waitUntil("the call", evidence: { text(of: heard) }) {
          text(of: heard).ranges(of: "member=ReloadConfig").count == count
        }
      }
    }

    /// A bus that starts the program by a service file, on a desktop and with the sessions of a home.
    private func activatingBus(
      _ desktop: PrivateDesktop, _ home: TemporaryFolder, trace: String, arguments: String = ""
    ) async throws -> PrivateBus {
      try home.write(
        "data/dbus-1/services/\(Self.name).service",
        "[D-BUS Service]\nName=\(Self.name)\nExec='\(DeskScenario.path)' --background \(arguments)\n")
      return try await PrivateBus(variables: [
        "XDG_DATA_HOME": home.file("data"), "DISPLAY": desktop.server.display, "PROSCENIUM_TRACE": trace,
        "HOME": home.path, "XDG_STATE_HOME": home.file("state"),
      ])
    }

    /// A desktop, and a home with two sessions of an earlier run.
    private func twoSessions() async throws -> (PrivateDesktop, TemporaryFolder) {
      let home = try TemporaryFolder()
      let run = try await DeskScenario(.openbox, arguments: [], home: home)
      defer { run.close() }
      try await run.perform("new")
      try await run.desktop.settle(run.program) { $0.count == 2 && $0.allSatisfy(\.isViewable) }
      run.program.send(SIGTERM)
      #expect(try await run.program.end() == .exited(0))
      return (run.desktop, home)
    }

    /// The method and the arguments of a launcher's call.
    static let calls = [
      ["org.freedesktop.Application.Activate", "a{sv}", "0"],
      ["org.freedesktop.Application.Open", "asa{sv}", "1", "scenario://cold", "0"],
      ["org.freedesktop.Application.ActivateAction", "sava{sv}", "org.example.compose", "0", "0"],
    ]

    private func call(_ bus: PrivateBus, _ call: [String]) async throws {
      try await bus.launch(Self.name, Self.path, call[0], Array(call.dropFirst()))
    }

    @Test("Started by the bus for a request, the program brings back what a plain start does", arguments: calls)
    func coldStart(_ request: [String]) async throws {
      let (desktop, home) = try await twoSessions()
      // When a launcher's call starts the program
      let trace = try home.write("activated", "")
      let bus = try await activatingBus(desktop, home, trace: trace)
      try await call(bus, request)
      let reader = TraceReader(path: trace)
      try await waitUntil("both scenes", evidence: { text(of: trace) }) {
        try reader.lines().count { $0.name == "sceneWillEnterForeground" } == 2
      }
      // Then it was launched in the foreground, for that
      let lines = try reader.lines()
      let pid = try #require(lines.first?.pid)
      let names = lines.compactMap(\.name)
      let asked = try #require(names.firstIndex(of: "request"))
      let launched = try #require(names.firstIndex(of: "willFinishLaunchingWithOptions"))
      #expect(asked < launched, "\(names)")
      let launch = lines.filter { $0.name?.hasSuffix("FinishLaunchingWithOptions") == true }
      #expect(launch.map(\.state) == ["inactive", "inactive"])
      #expect(names.count { $0 == "sceneWillConnect" } == 2, "\(names)")
      #expect(!names.contains("openURLContexts") && !names.contains("performActionFor"))
      #expect(urls(bus.output) == (request.contains("scenario://cold") ? ["scenario://cold"] : []))
      #expect(performed(bus.output) == (request.contains("org.example.compose") ? 1 : 0))
      kill(pid_t(pid), SIGTERM)
      try await waitUntil("its end") { kill(pid_t(pid), 0) != 0 }
    }

    @Test("Started by the bus for a request, an app-based program is told of no background", arguments: calls)
    func coldAppBased(_ request: [String]) async throws {
      let (desktop, home) = (try await PrivateDesktop(.openbox), try TemporaryFolder())
      let trace = try home.write("activated", "")
      let bus = try await activatingBus(desktop, home, trace: trace, arguments: "--app-based")
      try await call(bus, request.map { $0 == "scenario://cold" ? "note:cold" : $0 })
      let reader = TraceReader(path: trace)
      try await waitUntil("its activity", evidence: { text(of: trace) }) {
        try reader.lines().contains { $0.name == "applicationDidBecomeActive" }
      }
      let lines = try reader.lines()
      let pid = try #require(lines.first?.pid)
      let names = lines.filter { $0.kind == "app" }.compactMap(\.name)
      let isOpening = request.contains("scenario://cold")
      let performed = request == Self.calls[0] ? [] : [isOpening ? "openURL" : "performActionFor"]
      #expect(
        names == ["willFinishLaunchingWithOptions", "didFinishLaunchingWithOptions"] + performed
          + ["applicationDidBecomeActive"])
      kill(pid_t(pid), SIGTERM)
      try await waitUntil("its end") { kill(pid_t(pid), 0) != 0 }
    }

    @Test("Started by the bus for nothing, the program is in the background; the first call brings everything back")
    func coldWithoutRequest() async throws {
      let (desktop, home) = try await twoSessions()
      let trace = try home.write("activated", "")
      let bus = try await activatingBus(desktop, home, trace: trace)
      try await bus.call(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.StartServiceByName", Self.name,
        "uint32 0")
      let reader = TraceReader(path: trace)
      try await waitUntil("its launch", evidence: { text(of: trace) }) {
        try reader.lines().contains { $0.name == "didFinishLaunchingWithOptions" }
      }
      let launch = try reader.lines().filter { $0.name?.hasSuffix("FinishLaunchingWithOptions") == true }
      #expect(launch.map(\.state) == ["background", "background"])
      try await call(bus, Self.calls[0])
      try await waitUntil("both scenes", evidence: { text(of: trace) }) {
        try reader.lines().count { $0.name == "sceneWillEnterForeground" } == 2
      }
      let pid = try #require(try reader.lines().first?.pid)
      kill(pid_t(pid), SIGTERM)
      try await waitUntil("its end") { kill(pid_t(pid), 0) != 0 }
    }

    /// What the program's scenes were asked to perform.
    private func performed(_ output: String) -> Int {
      output.split(separator: "\n").count { $0.hasPrefix("performs ") }
    }

    @Test("A launcher's action reaches the first, over the bus and by a second start; an unknown one is refused")
    func actions() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      let first = try start(desktop, bus, home: home)
      try await desktop.settle(first)
      try await waitForName(first)
      let action = "org.freedesktop.Application.ActivateAction"
      try await bus.call(Self.name, Self.path, action, "org.example.compose", "[]", "{}")
      try await waitUntil("the action", evidence: { first.evidence }) { performed(first.output) == 1 }
      let second = try start(desktop, bus, ["--action", "org-2eexample-2ecompose"], home: home)
      #expect(try await second.end() == .exited(0), "\(second.evidence)")
      try await waitUntil("the action", evidence: { first.evidence }) { performed(first.output) == 2 }
      try await waitForFocus(desktop, first)
      await #expect(throws: DeskFailure.self) {
        try await bus.call(Self.name, Self.path, action, "none", "[]", "{}")
      }
      #expect(try first.trace.lines().contains { $0.kind == "error" })
      let third = try start(desktop, bus, ["--action", "none"], home: home)
      #expect(try await third.end() == .exited(2), "\(third.evidence)")
      #expect(third.errors.contains("there is no action \"none\""), "\(third.evidence)")
      #expect(performed(first.output) == 2)
    }

    @Test("Installed, the program is started by the bus for an action, and performs it once")
    func actionActivation() async throws {
      let (desktop, home) = (try await PrivateDesktop(.openbox), try TemporaryFolder())
      let data = home.file("data")
      let install = try desktop.start(
        DeskScenario.path, ["--install-desktop-entry"], environment: ["XDG_DATA_HOME": data], home: home)
      #expect(try await install.end() == .exited(0), "\(install.evidence)")
      let entry = text(of: "\(data)/applications/\(Self.name).desktop")
      #expect(entry.contains("[Desktop Action org-2eexample-2ecompose]\nName=New letter\n"), "\(entry)")
      let trace = try home.write("activated", "")
      let bus = try await PrivateBus(variables: [
        "XDG_DATA_HOME": data, "DISPLAY": desktop.server.display, "PROSCENIUM_TRACE": trace, "HOME": home.path,
        "XDG_STATE_HOME": home.file("state"),
      ])
      try await bus.launch(
        Self.name, Self.path, "org.freedesktop.Application.ActivateAction",
        ["sava{sv}", "org-2eexample-2ecompose", "0", "0"])
      try await waitUntil("the action", evidence: { text(of: trace) }) { performed(bus.output) == 1 }
      let lines = try TraceReader(path: trace).lines()
      // It was in the options of the scene: nothing was performed besides
      #expect(!lines.contains { $0.name == "performActionFor" })
      let pid = try #require(lines.first?.pid)
      kill(pid_t(pid), SIGTERM)
      try await waitUntil("its end") { kill(pid_t(pid), 0) != 0 }
      #expect(performed(bus.output) == 1)
    }

    @Test("A program whose file has been removed while it runs updates its desktop entry still")
    func removedProgram() async throws {
      let (desktop, home) = (try await PrivateDesktop(.openbox), try TemporaryFolder())
      let (data, copy) = (home.file("data"), home.file("copy"))
      // By another process: a child that is forked meanwhile would have the descriptor, and the file be busy (ETXTBSY).
      let copying = try desktop.start("/bin/cp", [DeskScenario.path, copy], environment: [:], home: home)
      try #require(try await copying.end() == .exited(0), "\(copying.evidence)")
      let install = try desktop.start(
        copy, ["--install-desktop-entry"], environment: ["XDG_DATA_HOME": data], home: home)
      #expect(try await install.end() == .exited(0), "\(install.evidence)")
      let entry = "\(data)/applications/\(Self.name).desktop"
      let before = text(of: entry)
      // In place of the program that it is given
      let script = try home.write("run", "#!/bin/sh\nshift\nexec \(copy) \"$@\"\n", mode: 0o755)
      let run = try await DeskScenario(
        .openbox, arguments: [], environment: ["XDG_DATA_HOME": data], on: desktop, home: home, under: [script])
      defer { run.close() }
      try await desktop.settle(run.program)
      try #require(unlink(copy) == 0)
      try await run.perform("shortcut Draw")
      let after = text(of: entry)
      #expect(after == before.replacing("New letter", with: "Draw"), "\(run.program.evidence)")
    }

    @Test("A command line that asks for something impossible says so, and is not handed over in part")
    func impossible() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      let first = try start(desktop, bus, home: home)
      try await waitForName(first)
      let program = DeskScenario.path
      try home.write("here/note.txt", "text")
      for (name, command, status, word) in [
        ("long", "exec \(program) scenario://a scenario:$(printf '%070000d' 0)", 2, "and may have 65536"),
        ("removed", "mkdir gone && cd gone && rmdir ../gone && exec \(program) note.txt", 2, "has been removed"),
        ("name", "exec \(program) \"$(printf 'caf\\351.txt')\"", 2, "not UTF-8"),
        ("own", "exec \(program) \"$(printf -- '--x=caf\\351')\"", 1, "not UTF-8"),
        ("many", "exec \(program) $(printf -- '-x%0100000d ' 1 2 3 4 5 6)", 1, "6 arguments"),
        ("nowhere", "mkdir gone && cd gone && rmdir ../gone && exec \(program) scenario://b", 0, ""),
      ] {
        let script = try home.write(name, "#!/bin/bash\ncd \(home.file("here"))\n\(command)\n", mode: 0o755)
        let second = try desktop.start(script, environment: bus.environment, home: home)
        #expect(try await second.end() == .exited(Int32(status)), "\(name): \(second.evidence)")
        #expect(second.errors.contains(word) || word.isEmpty, "\(name): \(second.errors)")
      }
      try await waitForURLs(first, 1)
      #expect(urls(first) == ["scenario://b"])
      // A path that cannot stand in a desktop entry
      let copy = try home.write(
        "copy",
        """
        #!/bin/bash
        path="\(home.path)/$(printf 'caf\\351')"
        cp \(program) "$path" && exec "$path" --install-desktop-entry

        """, mode: 0o755)
      let install = try desktop.start(copy, environment: ["XDG_DATA_HOME": home.file("data")], home: home)
      #expect(try await install.end() == .exited(1), "\(install.evidence)")
      #expect(install.errors.contains("is not UTF-8"), "\(install.evidence)")
      #expect(names(inFolder: home.file("data")).isEmpty)
    }

    @Test("A first one that has been quit and finishes its work says how long, and the second is the next")
    func finishing() async throws {
      let (bus, home) = (try await PrivateBus(), try TemporaryFolder())
      let pipe = home.file("hold")
      #expect(mkfifo(pipe, 0o600) == 0)
      let hold = open(pipe, O_RDWR | O_CLOEXEC)
      defer { close(hold) }
      let run = try await DeskScenario(
        .openbox, arguments: ["--hold=\(pipe)"], environment: bus.environment, home: home)
      defer { run.close() }
      try await run.desktop.settle(run.program)
      try await waitForName(run.program)
      #expect(write(hold, "1", 1) == 1)
      try await waitUntil("the task") { run.program.output.contains("held") }
      try await run.perform("terminate")
      let answer = try await bus.call(
        Self.name, Self.path, "org.freedesktop.DBus.Properties.Get", "org.proscenium.Instance1", "TimeToEnd")
      let seconds = try #require(Double(answer.filter { $0.isNumber || $0 == "." }))
      #expect(seconds > 5 && seconds <= 30, "\(answer)")
      let second = try start(run.desktop, bus, ["scenario://next"], home: home)
      #expect(write(hold, "2", 1) == 1)
      #expect(try await run.program.end() == .exited(0), "\(run.program.evidence)")
      try await waitForURLs(second, 1)
      #expect(second.ending == nil && urls(second) == ["scenario://next"] && urls(run.program).isEmpty)
    }

    @Test("Without a bus nothing is loaded and nothing wakes")
    func quiet() async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let program = try desktop.start(DeskScenario.path)
      try await desktop.settle(program)
      // Longer than whatever connects late puts it off; a thread of the launch may take its time to end.
      try await program.rests(for: .seconds(1))
      #expect(!text(of: "/proc/\(program.pid)/maps").contains("libsystemd"))
    }
  }
}
