import DeskSupport
import FoundationEssentials
import Glibc
import SuiteSupport
import Testing

extension SecondDesk {
  /// What the machine tells a program, on a real desk with a real bus and the kernel's own clock.
  @Suite("What the machine tells", .enabled(if: Requirement.sceneLab))
  struct SystemEventsTests {
    private static let logind = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"

    private func start(
      _ desktop: PrivateDesktop, _ environment: [String: String], home: TemporaryFolder? = nil
    ) async throws -> Program {
      let program = try desktop.start(Program.besideTests("SceneLab"), environment: environment, home: home)
      try await desktop.settle(program) { $0.contains { $0.expectedState == .foregroundActive } }
      return program
    }

    /// The names of edges and application calls from a line on.
    private func calls(_ program: Program, from index: Int) throws -> [String] {
      try program.trace.lines().dropFirst(index).filter { $0.kind == "edge" || $0.kind == "app" }.compactMap(\.name)
    }

    @Test("A lock and a sleep that logind announces send the scene to the background and bring it back")
    func lockAndSleep() async throws {
      if !mustNotSkip, !PrivateBus.isInstalled { try Test.cancel("dbus-daemon or python3-dbusmock is not installed") }
      let bus = try await PrivateBus()
      try await bus.mock("logind", name: Self.logind)
      try await bus.call(
        Self.logind, Self.path, "org.freedesktop.DBus.Mock.AddSession", "c1", "seat0", "uint32 \(getuid())", "me",
        "true")
      let desktop = try await PrivateDesktop(.openbox)
      let home = try TemporaryFolder()
      var environment = bus.environment
      environment["XDG_SESSION_ID"] = "c1"
      let program = try await start(desktop, environment, home: home)
      func inhibitors() async throws -> Int {
        let list = try await bus.call(Self.logind, Self.path, "org.freedesktop.login1.Manager.ListInhibitors")
        return list.split(separator: "'").count { $0 == "delay" }
      }
      try await waitUntil("logind's inhibitors") { try await inhibitors() > 0 }
      #expect(try await inhibitors() == 1)
      // Locked
      var index = try program.trace.lines().count
      try await bus.call(Self.logind, Self.path + "/session/c1", "org.freedesktop.login1.Session.SetLockedHint", "true")
      try await program.wait(for: "the lock") { lines in
        lines.dropFirst(index).contains { $0.name == "applicationProtectedDataWillBecomeUnavailable" } ? true : nil
      }
      let down = ["sceneWillResignActive", "applicationWillResignActive", "sceneDidEnterBackground"]
      #expect(
        try calls(program, from: index)
          == down + ["applicationDidEnterBackground", "applicationProtectedDataWillBecomeUnavailable"])
      #expect(try program.trace.lines().contains { $0.kind == "fact" && $0.name == "locked" && $0.to == "true" })
      // And unlocked
      index = try program.trace.lines().count
      try await bus.call(
        Self.logind, Self.path + "/session/c1", "org.freedesktop.login1.Session.SetLockedHint", "false")
      try await desktop.settle(program) { $0.contains { $0.expectedState == .foregroundActive } }
      #expect(
        try calls(program, from: index) == [
          "applicationProtectedDataDidBecomeAvailable", "sceneWillEnterForeground", "applicationWillEnterForeground",
          "sceneDidBecomeActive", "applicationDidBecomeActive",
        ])
      // About to sleep: in the background and saved, then the machine is let go
      index = try program.trace.lines().count
      try await emit(bus, "PrepareForSleep", true)
      try await waitUntil("logind's inhibitors") { try await inhibitors() == 0 }
      #expect(try await inhibitors() == 0)
      #expect(try calls(program, from: index) == down + ["applicationDidEnterBackground"])
      // And awake: held again for the next time
      try await emit(bus, "PrepareForSleep", false)
      try await desktop.settle(program) { $0.contains { $0.expectedState == .foregroundActive } }
      try await waitUntil("logind's inhibitors") { try await inhibitors() > 0 }
      #expect(try await inhibitors() == 1)
      index = try program.trace.lines().count
      // A bus that dies while the screen is locked unlocks nothing; the user shows to be there
      try await bus.call(Self.logind, Self.path + "/session/c1", "org.freedesktop.login1.Session.SetLockedHint", "true")
      try await program.wait(for: "the lock") { lines in
        lines.dropFirst(index).contains { $0.name == "applicationProtectedDataWillBecomeUnavailable" } ? true : nil
      }
      index = try program.trace.lines().count
      try await bus.kill()
      try await program.wait(for: "the loss") { lines in
        lines.dropFirst(index).contains { $0.name == "noBus" } ? true : nil
      }
      #expect(try calls(program, from: index) == [])
      try desktop.desk.key("a")
      try await desktop.settle(program) { $0.contains { $0.expectedState == .foregroundActive } }
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    @Test("Started while the screen is locked, a program is in the background from the beginning")
    func lockedAtLaunch() async throws {
      if !mustNotSkip, !PrivateBus.isInstalled { try Test.cancel("dbus-daemon or python3-dbusmock is not installed") }
      let bus = try await PrivateBus()
      try await bus.mock("logind", name: Self.logind)
      try await bus.call(
        Self.logind, Self.path, "org.freedesktop.DBus.Mock.AddSession", "c1", "seat0", "uint32 \(getuid())", "me",
        "true")
      try await bus.call(Self.logind, Self.path + "/session/c1", "org.freedesktop.login1.Session.SetLockedHint", "true")
      let desktop = try await PrivateDesktop(.openbox)
      var environment = bus.environment
      environment["XDG_SESSION_ID"] = "c1"
      let program = try desktop.start(Program.besideTests("SceneLab"), environment: environment)
      // The launch waits a tenth of a second for the answer: only after a later one is a scene active, and a call made
      let told = "applicationProtectedDataWillBecomeUnavailable"
      try await program.wait(for: "protected data") {
        $0.contains { $0.name == "protectedData" || $0.name == told } ? true : nil
      }
      let lines = try program.trace.lines()
      let isTold = lines.contains { $0.name == told }
      let launch = try #require(lines.first { $0.kind == "launch" })
      let lock = try #require(lines.firstIndex { $0.kind == "fact" && $0.name == "locked" && $0.to == "true" })
      let isActive = { (line: TraceLine) in line.name == "sceneDidBecomeActive" }
      #expect(lines[..<lock].allSatisfy { !isActive($0) || $0.t >= launch.t + 0.1 }, "\(program.evidence)")
      #expect(!lines[lock...].contains(where: isActive), "\(program.evidence)")
      #expect(!isTold || lines[lock].t >= launch.t + 0.1, "\(program.evidence)")
      try await bus.call(
        Self.logind, Self.path + "/session/c1", "org.freedesktop.login1.Session.SetLockedHint", "false")
      try await desktop.settle(program) { $0.contains { $0.expectedState == .foregroundActive } }
      let calls = try program.trace.lines().compactMap(\.name).filter { $0.hasPrefix("applicationProtectedData") }
      #expect(calls == (isTold ? [told] : []) + ["applicationProtectedDataDidBecomeAvailable"], "\(program.evidence)")
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    @Test("A program that is told to end has its last preference on disk; another one on the same file loses none")
    func preferences() async throws {
      let shared = try TemporaryFolder()
      let environment = ["XDG_CONFIG_HOME": shared.file("config")]
      let idle = try await DeskScenario(.openbox, arguments: [], environment: environment)
      defer { idle.close() }
      try await idle.desktop.settle(idle.program) { $0.contains { $0.expectedState == .foregroundActive } }
      #expect(access(shared.file("config"), F_OK) != 0)
      func file() -> String {
        let folder = names(inFolder: shared.file("config")).first ?? "none"
        return text(of: shared.file("config/\(folder)/preferences.json"))
      }
      try await idle.perform("prefer first 1")
      try await waitUntil("the file", evidence: { file() }) { file().contains("\"first\" : 1") }
      // Another one, with a choice that has no time to be written before the end
      let other = try await DeskScenario(.openbox, arguments: [], environment: environment, on: idle.desktop)
      try await idle.desktop.settle(other.program) { $0.contains { $0.expectedState == .foregroundActive } }
      defer { other.close() }
      try await other.perform("prefer second 2")
      other.program.send(SIGTERM)
      #expect(try await other.program.end() == .exited(0))
      #expect(file().contains("\"first\" : 1") && file().contains("\"second\" : 2"))
      try await idle.perform("prefer third 3")
      idle.program.send(SIGTERM)
      #expect(try await idle.program.end() == .exited(0))
      for line in ["\"first\" : 1", "\"second\" : 2", "\"third\" : 3"] { #expect(file().contains(line)) }
    }

    @Test("A bubble gives no call; a grab and a saver give inactive, and a saver no frames")
    func interruptions() async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let program = try await start(desktop, [:])
      let desk = desktop.desk
      var index = try program.trace.lines().count
      // A notification bubble over the window, which no window manager knows of
      let window = try #require(try program.trace.lines().scenes.first?.window)
      let place = try #require(desk.client.place(of: window))
      let bubble = desk.client.makeWindow(
        x: Int16(place.x + 20), y: Int16(place.y + 20), width: 150, height: 60, overrideRedirect: true)
      try await waitUntil("the bubble") { desk.client.truth(bubble).isViewable }
      desk.movePointer(x: place.x + 30, y: place.y + 30)
      // A menu or a launcher
      try await desk.grabKeyboard()
      try await program.wait(for: "inactive") { $0.contains { $0.name == "sceneWillResignActive" } ? true : nil }
      desk.ungrabKeyboard()
      try await desktop.settle(program) { $0.contains { $0.expectedState == .foregroundActive } }
      let interrupted = ["sceneWillResignActive", "applicationWillResignActive"]
      let back = ["sceneDidBecomeActive", "applicationDidBecomeActive"]
      #expect(try calls(program, from: index) == interrupted + back)
      desk.client.destroy(bubble)
      // A saver without a lock; it is heard of a moment after the launch
      index = try program.trace.lines().count
      desk.client.forceScreenSaver(isOn: true)
      try await program.wait(for: "the saver") {
        $0.contains { $0.name == "screenSaver" && $0.to == "true" } ? true : nil
      }
      try await program.wait(for: "inactive") { lines in
        lines.dropFirst(index).contains { $0.name == "applicationWillResignActive" } ? true : nil
      }
      desk.client.forceScreenSaver(isOn: false)
      try await program.wait(for: "active") { lines in
        lines.dropFirst(index).contains { $0.name == "applicationDidBecomeActive" } ? true : nil
      }
      #expect(try calls(program, from: index) == interrupted + back)
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    @Test("Dark and light, by the desktop's XSETTINGS manager and over the bus by the portal, which is believed first")
    func appearance() async throws {
      if !mustNotSkip, !PrivateBus.isInstalled { try Test.cancel("dbus-daemon or python3-dbusmock is not installed") }
      let bus = try await PrivateBus()
      let (portal, path) = ("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop")
      let settings = "org.freedesktop.portal.Settings"
      try await bus.mock(name: portal, path: path, interface: settings)
      try await bus.call(
        portal, path, "org.freedesktop.DBus.Mock.AddMethod", settings, "ReadAll", "as", "a{sa{sv}}",
        "ret = {'org.freedesktop.appearance': {'color-scheme': dbus.UInt32(0)}}")
      let desktop = try await PrivateDesktop(.openbox)
      var bytes = SettingsBytes()
      bytes.add("Net/ThemeName", "Adwaita-dark")
      _ = desktop.desk.client.manageSettings(bytes.bytes())
      let program = try await start(desktop, bus.environment)
      func wait(_ styles: [String]) async throws {
        try await program.wait(for: "\(styles)") { lines in
          lines.filter { $0.name == "appearance" }.compactMap(\.to) == styles ? true : nil
        }
      }
      try await wait(["dark"])
      func say(_ scheme: Int) async throws {
        try await bus.call(
          portal, path, "org.freedesktop.DBus.Mock.EmitSignal", settings, "SettingChanged", "ssv",
          "[<'org.freedesktop.appearance'>, <'color-scheme'>, <uint32 \(scheme)>]")
      }
      // Said again until it is heard: when the connection is made nothing tells
      try await waitUntil("the other appearance") {
        try await say(2)
        return try program.trace.lines().count { $0.name == "appearance" } > 1
      }
      try await wait(["dark", "light"])
      try await say(1)
      try await wait(["dark", "light", "dark"])
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    @Test("A region that the user chooses is told over the bus, once for each change, also when the portal comes late")
    func locale() async throws {
      if !mustNotSkip, !PrivateBus.isInstalled { try Test.cancel("dbus-daemon or python3-dbusmock is not installed") }
      let bus = try await PrivateBus()
      let (portal, path) = ("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop")
      let (settings, mock) = ("org.freedesktop.portal.Settings", "org.freedesktop.DBus.Mock")
      let desktop = try await PrivateDesktop(.openbox)
      let program = try desktop.start(DeskScenario.path, environment: bus.environment)
      try await desktop.settle(program) { $0.contains { $0.expectedState == .foregroundActive } }
      func regions() -> [String] {
        program.output.split(separator: "\n").filter { $0.hasPrefix("locale ") }.map { String($0.dropFirst(7)) }
      }
      func wait(_ expected: [String]) async throws {
        try await waitUntil("\(expected)", evidence: { program.evidence }) { regions() == expected }
      }
      func choose(_ region: String) async throws {
        try await bus.call(
          portal, path, "\(mock).EmitSignal", settings, "SettingChanged", "ssv",
          "[<'org.gnome.system.locale'>, <'region'>, <'\(region)'>]")
      }
      // Nothing is known before the portal is there; what it knows then is another region than the launch's.
      try await bus.mock(name: portal, path: path, interface: settings)
      try await bus.call(
        portal, path, "\(mock).AddMethod", settings, "ReadAll", "as", "a{sa{sv}}",
        "ret = {'org.gnome.system.locale': {'region': 'fr_FR.UTF-8'}}")
      // Said again until it is heard: the portal may have been asked before it had an answer.
      try await waitUntil("the portal's region") {
        try await choose("de_DE.UTF-8")
        return regions() == ["de_DE.UTF-8"]
      }
      try await wait(["de_DE.UTF-8"])
      try await choose("de_DE.UTF-8")
      try await choose("it_IT.UTF-8")
      try await wait(["de_DE.UTF-8", "it_IT.UTF-8"])
      let lines = try program.trace.lines().filter { $0.name == "locale" }
      #expect(lines.compactMap(\.to) == regions())
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    private func emit(_ bus: PrivateBus, _ signal: String, _ begins: Bool) async throws {
      try await bus.call(
        Self.logind, Self.path, "org.freedesktop.DBus.Mock.EmitSignal", "org.freedesktop.login1.Manager", signal, "b",
        "[<\(begins)>]")
    }

    /// A zone, as `TZ` has it, where this moment is that many seconds before a time of the day.
    private func zone(name: String, seconds: Int, before hour: Int, rule: (_ day: Int) -> String = { _ in "" })
      -> String
    {
      let now = time(nil)
      // Seconds to be added to the local time to get UTC: what `TZ` is spelled with.
      let local = hour * 3600 - seconds
      var west = (now - local) % 86400
      if west > 43200 { west -= 86400 }
      let here = now - west
      var moment = here
      var parts = tm()
      gmtime_r(&moment, &parts)
      let (sign, size) = (west < 0 ? "-" : "", abs(west))
      return "\(name)\(sign)\(size / 3600):\(size / 60 % 60):\(size % 60)\(rule(Int(parts.tm_yday)))"
    }

    /// Starts the program some seconds before something happens in its zone: more of them where it is up too late.
    private func start(_ desktop: PrivateDesktop, zone: (_ seconds: Int) -> String) async throws -> Program {
      for seconds in [8, 25, 60] {
        let moment = ContinuousClock.now + .seconds(seconds)
        let program = try await start(desktop, ["TZ": zone(seconds)])
        if ContinuousClock.now < moment - .seconds(2) { return program }
        program.send(SIGKILL)
      }
      throw DeskFailure("the program takes a minute to start")
    }

    private func change(_ program: Program, _ name: String) async throws {
      try await program.wait(for: name) { lines in
        lines.contains { $0.name == "timeChange" && $0.text.contains("[\"\(name)\"]") } ? true : nil
      }
    }

    @Test("Midnight, and daylight saving, are told once when they come")
    func midnight() async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let night = try await start(desktop) { zone(name: "NIT", seconds: $0, before: 24) }
      let summer = try await start(desktop) { seconds in
        zone(name: "WIN", seconds: seconds, before: 12) { day in "SUM,\(day)/12,\((day + 90) % 365)" }
      }
      try await change(night, "newDay")
      try await change(summer, "daylightSaving")
      for program in [night, summer] {
        #expect(try program.trace.lines().count { $0.name == "timeChange" } == 1)
        program.send(SIGTERM)
        #expect(try await program.end() == .exited(0))
      }
    }

    @Test("Another zone of the machine is told once, however it is put in place")
    func zoneChanged() async throws {
      let desktop = try await PrivateDesktop(.openbox)
      let home = try TemporaryFolder()
      // A folder that is `/etc` for one program alone: a mount namespace needs privileges.
      let etc = try home.folder("etc")
      func put(_ zone: String) {
        symlink("/usr/share/zoneinfo/\(zone)", etc + "/.new")
        rename(etc + "/.new", etc + "/localtime")
      }
      put("Europe/Berlin")
      let script = try home.write(
        "run", "#!/bin/sh\nmount --bind \(etc) /etc && exec \(Program.besideTests("SceneLab"))\n", mode: 0o755)
      let isInstalled = access("/usr/share/zoneinfo/Asia/Tokyo", R_OK) == 0
      if !mustNotSkip, !isInstalled { try Test.cancel("tzdata is not installed") }
      guard try await mayMount() else { try cancelTest("no folder can be mounted", lacking: .mounts) }
      let program = try desktop.start("unshare", ["-m", script], home: home)
      try await desktop.settle(program) { $0.contains { $0.expectedState == .foregroundActive } }
      // Opened a second after the launch
      try await waitUntil("the watch on /etc", evidence: { program.evidence }) {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.pid)/fd"))?.contains { name in
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(program.pid)/fd/\(name)"))?
            .contains("inotify") == true
        } == true
      }
      put("Asia/Tokyo")
      try await program.wait(for: "the zone") { lines in
        lines.contains { $0.name == "timeChange" && $0.text.contains("timeZone") } ? true : nil
      }
      // The same again is no change.
      put("Asia/Tokyo")
      put("Europe/Berlin")
      try await program.wait(for: "the zone") { lines in
        lines.count { $0.name == "timeChange" && $0.text.contains("timeZone") } >= 2 ? true : nil
      }
      #expect(try program.trace.lines().count { $0.name == "timeChange" } == 2)
      program.send(SIGTERM)
      #expect(try await program.end() == .exited(0))
    }

    private func mayMount() async throws -> Bool {
      let folder = try TemporaryFolder()
      let process = try ChildProcess(
        ["unshare", "-m", "true"], environment: try privateEnvironment(home: folder, display: nil),
        output: folder.file("out"), errors: folder.file("err"))
      return try await process.wait() == .exited(0)
    }
  }
}
