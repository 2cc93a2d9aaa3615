import DeskSupport
import Glibc
import SuiteSupport
import Testing

extension ThirdDesk {
  /// Notices with triggers of real programs: with a systemd user manager of its own, which starts them, and without.
  @Suite("Notices with triggers on X11", .enabled(if: Requirement.sceneLab && (mustNotSkip || PrivateBus.isInstalled)))
  struct ReminderTests {
    private static let shown = "noticeShown"

    private func count(_ name: String, _ program: Program) throws -> Int {
      try program.trace.lines().count { $0.name == name }
    }

    /// A portal on any session bus, to which the notices of programs go that systemd has started; it writes them to its
    /// output.
    private func startPortal(_ environment: [String: String], _ folder: TemporaryFolder) async throws -> ChildProcess {
      let script = """
        import dbus, dbus.service, dbus.mainloop.glib
        from gi.repository import GLib
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        class Portal(dbus.service.Object):
          @dbus.service.method('org.freedesktop.portal.Notification', in_signature='sa{sv}')
          def AddNotification(self, name, notice): print('shows', name, notice['title'], flush=True)
        bus = dbus.SessionBus()
        name = dbus.service.BusName('org.freedesktop.portal.Desktop', bus)
        portal = Portal(bus, '/org/freedesktop/portal/desktop')
        print('ready', flush=True)
        GLib.MainLoop().run()
        """
      var variables = try privateEnvironment(home: folder, display: nil)
      variables.merge(environment) { $1 }
      let portal = try ChildProcess(
        ["/usr/bin/python3", "-c", script], environment: variables, output: folder.file("portal"),
        errors: folder.file("portal-errors"))
      try await waitUntil("the portal", evidence: { text(of: folder.file("portal-errors")) }) {
        text(of: folder.file("portal")).hasPrefix("ready\n")
      }
      return portal
    }

    @Test(
      "A killed program is started by systemd for its notice, shows it without a scene, and ends",
      .enabled(if: mustNotSkip || UserManager.isInstalled))
    func started() async throws {
      // A slow machine may let the first process live until the notice's time; that comes later then.
      for seconds in [3, 15, 75, 375] { if try await isStarted(after: seconds) { return } }
      Issue.record("The program is not killed within six minutes")
    }

    /// - Returns: Whether the program was killed before its notice's time; nothing is checked where it was not.
    private func isStarted(after seconds: Int) async throws -> Bool {
      let (manager, folder) = (try await UserManager(), try TemporaryFolder())
      let portal = try await startPortal(manager.environment, folder)
      let run = try await DeskScenario(.openbox, arguments: ["--notice=\(seconds)"], environment: manager.environment)
      defer { run.close() }
      try await waitUntil("the timer", evidence: { run.program.evidence + manager.evidence }) {
        try manager.transientTimers.count == 1 || count(Self.shown, run.program) > 0
      }
      let first = Int(run.program.pid)
      run.program.send(SIGKILL)
      _ = try await run.program.end()
      if try run.program.trace.lines().contains(where: { $0.pid == first && $0.name == Self.shown }) {
        portal.send(SIGKILL)
        try await manager.end()
        return false
      }
      let limit = Duration.seconds(60 + seconds)
      try await waitUntil("the end", limit: limit, evidence: { run.program.evidence + manager.evidence }) {
        try count("applicationWillTerminate", run.program) == 1
      }
      let second = try run.program.trace.lines().filter { $0.pid != first }
      #expect(second.count { $0.name == Self.shown } == 1, "\(run.program.evidence)")
      #expect(!second.contains { $0.name == "sceneWillConnect" })
      #expect(try count(Self.shown, run.program) == 1)
      #expect(text(of: folder.file("portal")) == "ready\nshows reminder It is time\n", "\(run.program.evidence)")
      try await waitUntil("the timer to be gone", evidence: { manager.evidence }) { manager.transientTimers.isEmpty }
      portal.send(SIGKILL)
      try await manager.end()
      return true
    }

    @Test("Without systemd the program says so once; what was missed is shown at the next launch, once")
    func without() async throws {
      let (bus, home) = (try await PrivateBus(), try TemporaryFolder())
      try await bus.mock("notification_daemon", name: "org.freedesktop.Notifications")
      let desktop = try await PrivateDesktop(.openbox)
      let first = try await DeskScenario(
        .openbox, arguments: ["--notice=0.5"], environment: bus.environment, on: desktop, home: home)
      defer { first.close() }
      try await waitUntil("the report and the notice", evidence: { first.program.evidence }) {
        try first.program.trace.lines().count { $0.message?.contains("Notices with triggers are shown only") == true }
          == 1 && count(Self.shown, first.program) == 1
      }
      first.program.send(SIGTERM)
      #expect(try await first.program.end() == .exited(0))
      #expect(try first.program.trace.lines().violations == [])
      // And one that is killed before its time: as soon as it has added the notice.
      let second = try await DeskScenario(
        .openbox, arguments: ["--notice=1", "--killed"], environment: bus.environment, on: desktop, home: home)
      defer { second.close() }
      #expect(try await second.program.end() == .signalled(SIGKILL))
      #expect(try count("noticeScheduled", second.program) == 1 && count(Self.shown, second.program) == 0)
      let third = try await DeskScenario(
        .openbox, arguments: ["--notice=none", "--background"], environment: bus.environment, on: desktop, home: home)
      defer { third.close() }
      try await waitUntil("the notice", evidence: { third.program.evidence }) {
        try count(Self.shown, third.program) == 1
      }
      let path = "/org/freedesktop/Notifications"
      let calls = try await bus.call(
        "org.freedesktop.Notifications", path, "org.freedesktop.DBus.Mock.GetMethodCalls", "Notify")
      #expect(calls.contains("It is time"), "\(calls)")
    }
  }
}
