import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension RealDesk {
  /// The demo of what the system tells, as people use it.
  @Suite("Beacon", .enabled(if: Requirement.program("Beacon") && (mustNotSkip || PrivateBus.isInstalled)))
  struct BeaconTests {
    @Test("A second Beacon hands its URL to the first, which lists it once, with what else happens")
    func secondStart() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      // Given a first one that was started for a URL
      let first = try desktop.start(
        Program.besideTests("Beacon"), ["beacon://hello/0"], environment: bus.environment, home: home)
      try await desktop.settle(first)
      try await lists(first, "opens beacon://hello/0")
      // When a second one is started
      let second = try desktop.start(
        Program.besideTests("Beacon"), ["beacon://hello/1"], environment: bus.environment, home: home)
      #expect(try await second.end() == .exited(0), "\(second.evidence)")
      // Then the first has its URL, and says in order what it was told
      try await lists(first, "opens beacon://hello/1")
      let lines = first.output.split(separator: "\n")
      #expect(lines.count { $0.hasSuffix("opens beacon://hello/0") } == 1, "\(first.evidence)")
      #expect(lines.count { $0.hasSuffix("opens beacon://hello/1") } == 1, "\(first.evidence)")
      let start = try #require(lines.firstIndex { $0.contains("request: second") && $0.hasSuffix("beacon://hello/1") })
      let url = try #require(lines.firstIndex { $0.hasSuffix("opens beacon://hello/1") })
      #expect(start < url)
      #expect(second.output.isEmpty)
    }

    @Test("A launcher's action is listed once, and opens a window")
    func actions() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      let first = try desktop.start(
        Program.besideTests("Beacon"), ["--action", "mark"], environment: bus.environment, home: home)
      try await desktop.settle(first)
      try await lists(first, "performs mark")
      try await waitUntil("the name", evidence: { first.evidence }) {
        try first.trace.lines().contains { $0.name == "name" }
      }
      try await bus.call(
        "org.proscenium.Beacon", "/org/proscenium/Beacon", "org.freedesktop.Application.ActivateAction", "new-window",
        "[]", "{}")
      try await lists(first, "performs new-window")
      try await desktop.settle(first) { $0.count == 2 }
      #expect(first.output.split(separator: "\n").count { $0.contains("performs") } == 2, "\(first.evidence)")
    }

    @Test("The first launch is listed with the text that it has copied, and the second one is none")
    func firstLaunch() async throws {
      let (desktop, home) = (try await PrivateDesktop(.openbox), try TemporaryFolder())
      let lines = ["launch: first launch: ofProgram\n", "launch: Welcome to Beacon: "]
      for isFirst in [true, false] {
        let program = try desktop.start(Program.besideTests("Beacon"), home: home)
        try await desktop.settle(program)
        for line in lines { #expect(program.output.contains(line) == isFirst, "\(line): \(program.evidence)") }
        #expect(try program.trace.lines().violations == [])
        program.send(SIGTERM)
        #expect(try await program.end() == .exited(0), "\(program.evidence)")
      }
    }

    @Test("Why a scene is inactive is listed")
    func interruption() async throws {
      let (desktop, home) = (try await PrivateDesktop(.openbox), try TemporaryFolder())
      let first = try desktop.start(Program.besideTests("Beacon"), home: home)
      try await desktop.settle(first)
      try await desktop.desk.grabKeyboard()
      try await lists(first, "is inactive: interrupted")
      desktop.desk.ungrabKeyboard()
      try await waitUntil("the keyboard", evidence: { first.evidence }) {
        first.output.split(separator: "\n").count { $0.hasSuffix("is active") } == 2
      }
      let other = desktop.desk.client.makeWindow(x: 600, y: 500, width: 100, height: 80) { _ in }
      try await waitUntil("another program's window") { desktop.desk.client.truth(other).isViewable }
      desktop.desk.focus(other)
      try await lists(first, "is inactive: unfocused")
    }

    @Test(
      "What says that the user has gone is listed: a locker that tells nobody",
      .enabled(if: mustNotSkip || isInstalled("i3lock")))
    func locks() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      let first = try desktop.start(Program.besideTests("Beacon"), environment: bus.environment, home: home)
      try await desktop.settle(first)
      let locker = try ChildProcess(
        ["i3lock", "-n"], environment: ["DISPLAY": desktop.server.display, "HOME": home.path, "PATH": "/usr/bin:/bin"],
        output: home.file("output"), errors: home.file("errors"))
      try await lists(first, "user: the user has gone, as told by locker\n")
      locker.send(SIGTERM)
      try await lists(first, "user: the user is back\n")
      #expect(first.output.split(separator: "\n").count { $0.contains(" user: ") } == 2, "\(first.evidence)")
      first.send(SIGTERM)
      #expect(try await first.end() == .exited(0))
    }

    @Test("An execution mode is held and ended with a key, a task is requested with another one, and runs")
    func hold() async throws {
      let (desktop, home) = (try await PrivateDesktop(.openbox), try TemporaryFolder())
      let first = try desktop.start(Program.besideTests("Beacon"), home: home)
      try await desktop.settle(first)
      try desktop.desk.type("h")
      try await lists(first, "holds the execution mode network\n")
      try desktop.desk.type("h")
      try await lists(first, "holds no execution mode\n")
      try desktop.desk.type("t")
      try await lists(first, "a task is requested\n")
      try await lists(first, "the task runs\n")
    }

    @Test("What the user chooses and edits is listed, and control characters of others are not obeyed")
    func preferences() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      let first = try desktop.start(
        Program.besideTests("Beacon"), environment: bus.environment, home: home)
      try await desktop.settle(first)
      let second = try desktop.start(
        Program.besideTests("Beacon"), ["\u{1B}[31mred"], environment: bus.environment, home: home)
      #expect(try await second.end() == .exited(0), "\(second.evidence)")
      try await lists(first, "\u{FFFD}[31mred")
      // And what a person edits
      try home.write(".config/org.proscenium.Beacon/new", #"{"textSize": 16}"#)
      let folder = home.file(".config/org.proscenium.Beacon")
      #expect(rename("\(folder)/new", "\(folder)/preferences.json") == 0)
      try await lists(first, "preferences have changed: textSize")
      #expect(!first.output.contains("\u{1B}"))
      first.send(SIGTERM)
      #expect(try await first.end() == .exited(0))
      #expect(first.output.hasSuffix("launch: ends: signal\n"), "\(first.evidence)")
    }

    @Test(
      "Media keys of its windows and playerctl's commands are listed, each once, and what it plays is shown",
      .enabled(if: mustNotSkip || isInstalled("playerctl")))
    func remoteControl() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      let first = try desktop.start(Program.besideTests("Beacon"), environment: bus.environment, home: home)
      try await desktop.settle(first)
      try await waitUntil("the player", evidence: { first.evidence }) {
        try first.trace.lines().contains { $0.name == "playerName" }
      }
      var environment = try privateEnvironment(home: home, display: nil)
      environment.merge(bus.environment) { $1 }
      func playerctl(_ arguments: String...) async throws -> String {
        let process = try ChildProcess(
          ["playerctl"] + arguments, environment: environment, output: home.file("out"), errors: home.file("err"))
        #expect(try await process.wait() == .exited(0), "\(text(of: home.file("err")))")
        return text(of: home.file("out"))
      }
      #expect(try await playerctl("metadata", "--format", "{{title}} by {{artist}}") == "All that happens by Beacon\n")
      _ = try await playerctl("stop")
      try await lists(first, "media: asked to stop\n")
      // XF86AudioNext and XF86AudioPlay, as a keyboard sends them
      try desktop.desk.press(DeskKey(symbol: 0x1008FF17))
      try await lists(first, "media: asked to nextTrack\n")
      try desktop.desk.press(DeskKey(symbol: 0x1008FF14))
      try await lists(first, "media: asked to togglePlayPause\n")
      #expect(first.output.split(separator: "\n").count { $0.contains("asked to") } == 3, "\(first.evidence)")
      let lines = try first.trace.lines().filter { $0.name == "remoteControl" }
      #expect(lines.compactMap(\.from) == ["bus", "key", "key"], "\(first.evidence)")
      // The panel ends it
      try await bus.call(
        "org.mpris.MediaPlayer2.org.proscenium.Beacon", "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Quit")
      #expect(try await first.end() == .exited(0))
      #expect(first.output.hasSuffix("launch: ends: requested\n"), "\(first.evidence)")
    }

    private static let mock = "org.freedesktop.DBus.Mock."

    @Test("The choice of a notice brings its window forward, that of a button of it none, and both are listed")
    func notices() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      let (name, path) = ("org.freedesktop.Notifications", "/org/freedesktop/Notifications")
      try await bus.mock("notification_daemon", name: name)
      try await bus.call(
        name, path, Self.mock + "AddMethod", name, "GetCapabilities", "", "as", "ret = ['body', 'actions']")
      let first = try desktop.start(Program.besideTests("Beacon"), environment: bus.environment, home: home)
      let one = try #require(try await desktop.settle(first).first?.window)
      try desktop.desk.press("n")
      let both = try await desktop.settle(first) { $0.count == 2 }
      let other = try #require(both.lazy.compactMap(\.window).first { $0 != one })
      /// Waits until a window is the active one.
      func isActive(_ window: UInt32) async throws {
        for _ in 0..<20 {
          let scenes = try await desktop.settle(first)
          if scenes.contains(where: { $0.window == window && $0.state == "foregroundActive" }) { return }
        }
        throw DeskFailure("\(window) does not become active", evidence: first.evidence)
      }
      desktop.desk.focus(one)
      try await isActive(one)
      try desktop.desk.press("i")
      var shown = ""
      for _ in 0..<4000 where !shown.contains("Choose this notice & see") {
        try await Task.sleep(for: .milliseconds(50))
        shown = try await bus.call(name, path, Self.mock + "GetMethodCalls", "Notify")
      }
      #expect(shown.contains("'mark', 'Mark'"), "\(shown) \(first.evidence)")
      desktop.desk.focus(other)
      try await isActive(other)
      try await bus.call(
        name, path, Self.mock + "EmitSignal", name, "ActionInvoked", "us", "[<uint32 1>, <'mark'>]")
      try await lists(first, "request: mark of the notice beacon is chosen\n")
      try await isActive(other)
      try await bus.call(
        name, path, Self.mock + "EmitSignal", name, "ActionInvoked", "us", "[<uint32 1>, <'default'>]")
      try await lists(first, "request: default of the notice beacon is chosen\n")
      try await isActive(one)
      // And one that comes later.
      try desktop.desk.press("r")
      try await lists(first, "reminds in a second: 1\n")
      for _ in 0..<4000 where !shown.contains("A moment has passed") {
        try await Task.sleep(for: .milliseconds(50))
        shown = try await bus.call(name, path, Self.mock + "GetMethodCalls", "Notify")
      }
      #expect(shown.contains("A moment has passed"), "\(first.evidence)")
    }

    /// Installs Beacon for a bus that starts it, which then writes the trace that is answered.
    private func install(_ desktop: PrivateDesktop, _ home: TemporaryFolder) async throws -> (PrivateBus, String) {
      let data = home.file("data")
      let install = try desktop.start(
        Program.besideTests("Beacon"), ["--install-desktop-entry"], environment: ["XDG_DATA_HOME": data], home: home)
      #expect(try await install.end() == .exited(0), "\(install.evidence)")
      let trace = try home.write("activated", "")
      let bus = try await PrivateBus(variables: [
        "XDG_DATA_HOME": data, "DISPLAY": desktop.server.display, "PROSCENIUM_TRACE": trace, "HOME": home.path,
        "XDG_STATE_HOME": home.file("state"),
      ])
      return (bus, trace)
    }

    /// Ends the process that the bus has started, and that has written these lines.
    private func endStarted(_ lines: [TraceLine]) async throws {
      let pid = try #require(lines.first?.pid)
      kill(pid_t(pid), SIGTERM)
      try await waitUntil("its end") { kill(pid_t(pid), 0) != 0 }
    }

    @Test("Installed, Beacon is started by the bus for a choice, says so at its launch, and shows a window")
    func noticeStart() async throws {
      let (desktop, home) = (try await PrivateDesktop(.openbox), try TemporaryFolder())
      let (bus, trace) = try await install(desktop, home)
      let response = #"{"action":"default","body":"","identifier":"beacon","opensScene":true,"title":"Beacon"}"#
      // As a run has left it that has shown the notice
      let key = String(repeating: "0a", count: 32)
      try home.write("state/org.proscenium.Beacon/notice-key", key)
      func choose(_ text: String) async throws {
        try await bus.launch(
          "org.proscenium.Beacon", "/org/proscenium/Beacon", "org.freedesktop.Application.ActivateAction",
          ["sava{sv}", "proscenium-notification", "1", "s", text, "0"])
      }
      try await choose(key + " " + response)
      try await waitUntil("the choice", evidence: { bus.output + text(of: trace) }) {
        bus.output.contains("request: default of the notice beacon is chosen\n")
      }
      #expect(bus.output.contains("launch: started for default of a notice\n"), "\(bus.output)")
      let lines = try TraceReader(path: trace).lines()
      #expect(lines.count { $0.name == "notificationResponse" } == 1)
      await #expect(throws: (any Error).self) { try await choose(response) }
      await #expect(throws: (any Error).self) { try await choose("1" + key.dropFirst() + " " + response) }
      #expect(try TraceReader(path: trace).lines().count { $0.name == "refused" } == 2, "\(text(of: trace))")
      try await waitUntil("its window", evidence: { text(of: trace) }) {
        try TraceReader(path: trace).lines().contains { $0.name == "sceneWillEnterForeground" }
      }
      try await endStarted(lines)
    }

    @Test("Beacon registers for pushed messages, and, installed, is started by the bus for one, in the background")
    func pushed() async throws {
      let (desktop, home) = (try await PrivateDesktop(.openbox), try TemporaryFolder())
      let (bus, trace) = try await install(desktop, home)
      let name = "org.proscenium.Beacon"
      let first = try desktop.start(Program.besideTests("Beacon"), environment: bus.environment, home: home)
      try await desktop.settle(first)
      try desktop.desk.press("p")
      try await lists(first, "request: messages cannot be pushed: there is no distributor")
      let distributor = try await PushDistributor(bus)
      try desktop.desk.press("p")
      var asked = ""
      for _ in 0..<4000 where !asked.contains("Register ") {
        try await Task.sleep(for: .milliseconds(20))
        asked = try await distributor.log()
      }
      #expect(asked.contains(name))
      let word = try #require(asked.split { " '".contains($0) }.first { $0.hasPrefix("token=") }, "\(asked)")
      let token = "'token': <'\(word.dropFirst(6))'>"
      let endpoint = "{\(token), 'endpoint': <'https://push.example/1'>}"
      #expect(try await distributor.tell(name, "NewEndpoint", endpoint) == "done")
      try await lists(first, "request: messages can be pushed to https://push.example/1\n")
      #expect(try await distributor.tell(name, "Message", "{\(token), 'message': <[byte 0x68, 0x69]>}") == "done")
      try await lists(first, "request: pushed: hi\n")
      // The user chooses another one.
      let second = try await PushDistributor(bus, name: distributor.name + "2")
      try desktop.desk.press("d")
      try await lists(
        first, "request: pushed by \(second.name) from now on, of \(distributor.name), \(second.name)\n")
      asked = ""
      for _ in 0..<4000 where !asked.contains("Unregister ") {
        try await Task.sleep(for: .milliseconds(20))
        asked = try await distributor.log()
      }
      first.send(SIGTERM)
      #expect(try await first.end() == .exited(0))
      // And now the bus starts it.
      let message = "{\(token), 'message': <[byte 0x61, 0x67, 0x61, 0x69, 0x6e]>}"
      #expect(try await second.tell(name, "Message", message) == "done")
      try await waitUntil("the message", evidence: { bus.output + text(of: trace) }) {
        bus.output.contains("request: pushed: again\n")
      }
      #expect(bus.output.contains(", in the background\n"), "\(bus.output)")
      let lines = try TraceReader(path: trace).lines()
      #expect(lines.count { $0.name == "remoteNotification" } == 1)
      #expect(!lines.contains { $0.name == "sceneWillEnterForeground" })
      try await endStarted(lines)
    }

    @Test(
      "The note in front is offered by Notes, and continued by Beacon with a key, and when a panel has it started",
      .enabled(if: Requirement.program("Notes")))
    func handoff() async throws {
      let (desktop, home) = (try await PrivateDesktop(.openbox), try TemporaryFolder())
      let (bus, trace) = try await install(desktop, home)
      let file = try home.write("note.txt", "text")
      let notes = try desktop.start(
        Program.besideTests("Notes"), [file], environment: bus.environment, home: home)
      try await desktop.settle(notes)
      let (name, path, type) = (
        "org.proscenium.Notes.Handoff", "/org/proscenium/Handoff", "org.proscenium.Notes.note"
      )
      var answer = ""
      for _ in 0..<2000 where !answer.contains("note.txt") {
        try await Task.sleep(for: .milliseconds(50))
        answer =
          (try? await bus.call(name, path, "org.freedesktop.DBus.Properties.GetAll", "org.proscenium.Handoff1")) ?? ""
      }
      // A panel has it continued by a program that does not run.
      let words = answer.split(separator: "'").map(String.init)
      let identifier = try #require(words.first { $0.count == 36 }, "\(answer) \(notes.evidence)")
      try await bus.call(
        "org.proscenium.Beacon", "/org/proscenium/Beacon", "org.proscenium.Instance1.ContinueFrom", type, name,
        identifier, "{}")
      try await waitUntil("the activity", evidence: { bus.output + text(of: trace) }) {
        bus.output.contains("continues \(type)\n")
      }
      #expect(bus.output.contains("is going to continue \(type)\n"), "\(bus.output)")
      try await waitUntil("the end", evidence: { notes.evidence }) {
        try notes.trace.lines().contains { $0.name == "handoff" && $0.text.contains("continued") }
      }
      let pid = try #require(try TraceReader(path: trace).lines().first?.pid)
      kill(pid_t(pid), SIGTERM)
      try await waitUntil("its end") { kill(pid_t(pid), 0) != 0 }
      // And a program that runs continues it itself: its window is in front of that of Notes, which stays in sight.
      let second = try desktop.start(Program.besideTests("Beacon"), environment: bus.environment, home: home)
      try await desktop.settle(second)
      try desktop.desk.type("c")
      try await lists(second, " offers \(type), note.txt\n")
      try await lists(second, "continues \(type)\n")
    }

    @Test("The battery, the lid and the wish to save power are listed, each once")
    func power() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      let (upower, profiles) = ("org.freedesktop.UPower", "net.hadess.PowerProfiles")
      try await bus.mock("upower", name: upower)
      try await bus.mock("power_profiles_daemon", name: profiles)
      try await bus.call(
        upower, "/org/freedesktop/UPower", "org.freedesktop.DBus.Mock.SetupDisplayDevice", "2", "2", "42.0", "50.0",
        "100.0", "5.0", "3600", "0", "true", "battery", "1")
      let first = try desktop.start(Program.besideTests("Beacon"), environment: bus.environment, home: home)
      try await desktop.settle(first)
      try await lists(first, "power: the battery is unplugged\n")
      try await lists(first, "power: the battery has 42 %\n")
      func set(_ name: String, _ path: String, _ property: String, _ value: String) async throws {
        try await bus.call(name, path, "org.freedesktop.DBus.Properties.Set", name, property, "<\(value)>")
      }
      try await set(upower, "/org/freedesktop/UPower", "LidIsClosed", "true")
      try await lists(first, "power: the lid is closed\n")
      try await set(profiles, "/net/hadess/PowerProfiles", "ActiveProfile", "'power-saver'")
      try await lists(first, "power: power is to be saved\n")
      try await bus.endServices()
      try await lists(first, "power: the battery's level is unknown\n")
      first.send(SIGTERM)
      #expect(try await first.end() == .exited(0), "\(first.evidence)")
      for line in ["the battery is unplugged", "the battery has 42 %", "the lid is closed", "power is to be saved"] {
        #expect(first.output.split(separator: "\n").count { $0.hasSuffix(line) } == 1, "\(first.evidence)")
      }
    }

    @Test(
      "The machine's language and formats are listed, and its new ones",
      .enabled(if: mustNotSkip || isInstalled("localedef")))
    func formats() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      // Given two regions' data, of which the session has one, as the machine
      for region in ["de_DE", "en_US", "en_IN"] {
        let compiler = try ChildProcess(
          ["localedef", "-i", region, "-f", "UTF-8", home.file("\(region).UTF-8")],
          environment: ["PATH": "/usr/sbin:/usr/bin:/bin"], output: home.file("out"), errors: home.file("err"))
        #expect(try await compiler.wait() == .exited(0))
      }
      let (name, path) = ("org.freedesktop.locale1", "/org/freedesktop/locale1")
      try await bus.mock(name: name, path: path, interface: name)
      try await bus.call(
        name, path, "org.freedesktop.DBus.Mock.AddProperties", name, "{'Locale': <['LANG=de_DE.UTF-8']>}")
      var environment = bus.environment
      // An empty variable is none: what the machine says counts.
      for name in ["LANG", "LC_ALL", "LC_TIME", "LC_MESSAGES", "LANGUAGE"] { environment[name] = "" }
      environment["LOCPATH"] = home.path
      let first = try desktop.start(Program.besideTests("Beacon"), environment: environment, home: home)
      try await desktop.settle(first)
      try await lists(first, "the region is C: 1234567.5, 24 hours, weeks from day 1; read: nothing\n")
      try await lists(first, "the region is de_DE.UTF-8: 1.234.567,5, 24 hours, weeks from day 2; read: de_DE\n")
      // When the machine has another one
      try await bus.call(
        name, path, "org.freedesktop.DBus.Mock.UpdateProperties", name, "{'Locale': <['LANG=en_US.UTF-8']>}")
      // Then it counts, and what has changed is said once
      try await lists(first, "the region is en_US.UTF-8: 1,234,567.5, 12 hours, weeks from day 1; read: en_US\n")
      try await lists(first, "changed: calendar, language, region, timeFormat\n")
      #expect(first.output.split(separator: "\n").count { $0.contains("changed: ") } == 2, "\(first.evidence)")
      // Not all regions have groups of three digits.
      try await bus.call(
        name, path, "org.freedesktop.DBus.Mock.UpdateProperties", name, "{'Locale': <['LANG=en_IN.UTF-8']>}")
      try await lists(first, "the region is en_IN.UTF-8: 12,34,567.5, ")
      // Nor does everybody count years in the same way.
      try await bus.call(
        name, path, "org.freedesktop.DBus.Mock.UpdateProperties", name, "{'Locale': <['LANG=th_TH.UTF-8']>}")
      try await lists(first, "the region is th_TH.UTF-8: ")
      try await lists(first, ", the buddhist calendar; read: th_TH\n")
      first.send(SIGTERM)
      #expect(try await first.end() == .exited(0))
      // An encoding of the session is not that of texts, and numbers have a region of their own.
      for encoding in ["ISO-8859-15", "UTF-8"] {
        let compiler = try ChildProcess(
          ["localedef", "-i", "fr_FR", "-f", encoding, home.file("fr_FR.\(encoding)")],
          environment: ["PATH": "/usr/sbin:/usr/bin:/bin"], output: home.file("out"), errors: home.file("err"))
        #expect(try await compiler.wait() == .exited(0))
      }
      environment["LANG"] = "fr_FR.ISO-8859-15"
      let second = try desktop.start(Program.besideTests("Beacon"), environment: environment, home: home)
      try await lists(second, "the region is fr_FR.ISO-8859-15: 1\u{202F}234\u{202F}567,5, 24 hours, ")
      second.send(SIGTERM)
      #expect(try await second.end() == .exited(0))
      environment["LC_NUMERIC"] = "en_IN.UTF-8"
      let third = try desktop.start(Program.besideTests("Beacon"), environment: environment, home: home)
      try await lists(third, "the region is fr_FR.ISO-8859-15: 12,34,567.5, 24 hours, ")
    }

    @Test(
      "Accessories and accounts that come and go are listed, each once; places once somebody asks",
      .enabled(if: mustNotSkip || DeviceBed.isInstalled))
    func machine() async throws {
      let (desktop, bus, home) = (
        try await PrivateDesktop(.openbox), try await PrivateBus(), try TemporaryFolder()
      )
      let (bed, accounts) = (try await DeviceBed(), "/org/gnome/OnlineAccounts")
      let name = "org.gnome.OnlineAccounts"
      try await bus.mock(name: name, path: accounts, interface: name + ".Manager", isObjectManager: true)
      let service = try await GeoClueService(bus)
      try await service.tell("Move", "47.5", "19.25", "30.0")
      let first = try desktop.start(
        Program.besideTests("Beacon"), environment: bus.environment.merging(bed.environment) { $1 }, home: home)
      try await desktop.settle(first)
      bed.wait(for: first)
      try await bed.add(
        "P: /devices/usb1/1-2\nE: SUBSYSTEM=usb\nE: DEVTYPE=usb_device\nE: ID_MODEL=Phone\nE: ID_MTP_DEVICE=1\n\n")
      try await lists(first, "accessory: phone connected: Phone\n")
      try await bed.remove("/devices/usb1/1-2")
      try await lists(first, "accessory: phone disconnected: Phone\n")
      let account = accounts + "/Accounts/account_1"
      let mock = "org.freedesktop.DBus.Mock."
      try await bus.call(
        name, accounts, mock + "AddObject", account, name + ".Account",
        "{'Id': <'account_1'>, 'ProviderType': <'google'>, 'PresentationIdentity': <'ada'>, "
          + "'AttentionNeeded': <false>}", "@a(ssss) []")
      func tell(_ signal: String, _ signature: String, _ interfaces: String) async throws {
        try await bus.call(
          name, accounts, mock + "EmitSignal", "org.freedesktop.DBus.ObjectManager", signal, signature,
          "[<objectpath '\(account)'>, <\(interfaces)>]")
      }
      try await tell("InterfacesAdded", "oa{sa{sv}}", "@a{sa{sv}} {}")
      try await lists(first, "user: signed in: google, ada\n")
      try await bus.call(name, account, mock + "UpdateProperties", name + ".Account", "{'AttentionNeeded': <true>}")
      try await lists(first, "user: has to sign in again: google, ada\n")
      try await bus.call(name, accounts, mock + "RemoveObject", account)
      try await tell("InterfacesRemoved", "oas", "['\(name).Account']")
      try await lists(first, "user: signed out: google, ada\n")
      #expect(try await service.log() == [])
      try await bus.call(
        "org.proscenium.Beacon", "/org/proscenium/Beacon", "org.freedesktop.Application.ActivateAction", "locate", "[]",
        "{}")
      try await lists(first, "location: at 47.5, 19.25, within 30 m\n")
      #expect(try await service.log().contains("DesktopId=org.proscenium.Beacon"))
      try await service.tell("Activate", "false")
      try await lists(first, "location: the user's answer is denied\n")
      #expect(try await bed.end(first), "\(first.evidence)")
      #expect(first.output.split(separator: "\n").count { $0.contains("accessory: ") } == 2, "\(first.evidence)")
      #expect(try first.trace.lines().violations == [])
    }

    @Test(
      "What sensors tell is listed, and that the machine is shaken",
      .enabled(if: mustNotSkip || DeviceBed.isInstalled))
    func sensors() async throws {
      let (desktop, bus, bed) = (try await PrivateDesktop(.openbox), try await PrivateBus(), try await DeviceBed())
      let (name, path, accelerometer) = (
        "net.hadess.SensorProxy", "/net/hadess/SensorProxy", "/devices/pci0000:00/i2c-1/iio:device0"
      )
      try await bus.mock("iio-sensors-proxy", name: name)
      func set(_ property: String, _ value: String) async throws {
        try await bus.call(
          name, path, "org.freedesktop.DBus.Mock.SetInternalProperty", name, property, "<\(value)>")
      }
      for sensor in ["Accelerometer", "Proximity", "AmbientLight"] { try await set("Has" + sensor, "true") }
      try await bed.add(
        """
        P: \(accelerometer)
        E: SUBSYSTEM=iio
        E: DEVTYPE=iio_device
        A: in_accel_x_raw=0\\n
        A: in_accel_y_raw=0\\n
        A: in_accel_z_raw=981\\n
        A: in_accel_scale=0.01\\n

        """)
      let first = try desktop.start(
        Program.besideTests("Beacon"), environment: bus.environment.merging(bed.environment) { $1 },
        home: try TemporaryFolder())
      try await desktop.settle(first)
      bed.wait(for: first)
      try await set("AccelerometerOrientation", "'left-up'")
      try await lists(first, "sensor: the machine's orientation is portrait\n")
      try await set("ProximityNear", "true")
      try await lists(first, "sensor: something is close\n")
      try await set("LightLevel", "123.4")
      try await lists(first, "sensor: the light around the machine is 120 lux\n")
      // A machine that is very busy may look away while it is shaken.
      for _ in 0..<20 where !first.output.contains("sensor: the machine was shaken\n") {
        try await bed.shake(accelerometer)
        for _ in 0..<20 where !first.output.contains("sensor: the machine was shaken\n") {
          try await Task.sleep(for: .milliseconds(50))
        }
      }
      try await lists(first, "sensor: the machine was shaken\n")
      func owners() async throws -> Int {
        let answer = try await bus.call(
          name, path, "org.freedesktop.DBus.Mock.GetInternalProperty", "accelerometerOwners")
        return answer.count { $0 == ":" }
      }
      #expect(try await owners() == 1)
      #expect(try await bed.end(first), "\(first.evidence)")
      #expect(try first.trace.lines().violations == [])
    }

    private func lists(_ program: Program, _ text: String) async throws {
      try await waitUntil("\(text)", evidence: { program.evidence }) { program.output.contains(text) }
    }
  }
}
