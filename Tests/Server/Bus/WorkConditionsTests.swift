import DeskSupport
import Glibc
import ProsceniumCore
import SourceSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// What scheduled work waits for, over a real bus with python-dbusmock's services.
@MainActor @Suite("Conditions of scheduled work", .serialized, .enabled(if: BusRequirement.isMet))
struct WorkConditionsTests {
  private static let upower = "org.freedesktop.UPower"
  private static let path = "/org/freedesktop/UPower"
  private static let profiles = "net.hadess.PowerProfiles"
  private let host = TestHost()
  private let daemon: PrivateBus

  init() async throws { daemon = try await PrivateBus() }

  private func start(_ variables: [String: String] = [:]) -> BusSource {
    let environment = daemon.environment.merging(variables) { $1 }
    let source = BusSource(environment: environment, thermalFolder: "/missing") { _ in }
    source.start(host)
    host.passTime()
    return source
  }

  private func conditions(_ change: (inout WorkConditions) -> Void) -> SystemEvent {
    var conditions = WorkConditions()
    change(&conditions)
    return .scheduledWork(.conditions(conditions))
  }

  private func set(_ name: String, _ path: String, _ property: String, _ value: String) async throws {
    try await daemon.call(name, path, "org.freedesktop.DBus.Properties.Set", name, property, "<\(value)>")
  }

  @Test("Power is told once it is known, with each change, also to a suspended program, and beside the program's own")
  func power() async throws {
    try await daemon.mock("upower", name: Self.upower)
    try await set(Self.upower, Self.path, "OnBattery", "true")
    try await daemon.mock("power_profiles_daemon", name: Self.profiles)
    let source = start()
    #expect(host.settle())
    #expect(host.events.isEmpty)
    source.requested.work.follow([.externalPower, .fullPower])
    #expect(host.turn { host.events.last == conditions { ($0.hasExternalPower, $0.hasFullPower) = (false, true) } })
    #expect(host.events.count == 1)
    // The program asks, and gives up: what work waits for is still heard.
    source.requested.power.follow([.battery])
    #expect(host.turn { host.events.count == 2 })
    source.requested.power.follow([])
    #expect(host.turn { host.events.last == .power(PowerReading()) })
    host.isSuspended = true
    try await set(Self.upower, Self.path, "OnBattery", "false")
    #expect(host.turn { host.events.last == conditions { ($0.hasExternalPower, $0.hasFullPower) = (true, true) } })
    try await set(Self.profiles, "/net/hadess/PowerProfiles", "ActiveProfile", "'power-saver'")
    #expect(host.turn { host.events.last == conditions { ($0.hasExternalPower, $0.hasFullPower) = (true, false) } })
    host.isSuspended = false
    source.requested.work.follow([])
    // Asked for by a program that is suspended already: the time of its task has come
    host.isSuspended = true
    try await set(Self.profiles, "/net/hadess/PowerProfiles", "ActiveProfile", "'balanced'")
    source.requested.work.follow([.externalPower])
    #expect(host.turn { host.events.last == conditions { $0.hasExternalPower = true } })
    source.requested.work.follow([])
    host.isSuspended = false
    let count = host.events.count
    try await set(Self.upower, Self.path, "OnBattery", "true")
    #expect(host.settle())
    #expect(host.events.count == count)
    source.stop()
  }

  @Test("A machine without the services has all its power, which is told after a while")
  func without() async throws {
    let source = start()
    source.requested.work.follow([.externalPower, .fullPower, .network])
    #expect(
      host.turn {
        if case .scheduledWork(.conditions(let known))? = host.events.last {
          known.hasExternalPower == true && known.hasFullPower == true && known.hasNetwork != nil
        } else {
          false
        }
      })
    #expect(host.events.count == 1)
    source.stop()
  }

  @Test("What a service has said counts until it says otherwise, also while it is started again")
  func startedAgain() async throws {
    try await daemon.mock("upower", name: Self.upower)
    try await set(Self.upower, Self.path, "OnBattery", "true")
    let source = start()
    // Nothing says whether the user saves power: all is told when the services have had their time.
    source.requested.work.follow([.externalPower, .fullPower])
    #expect(host.turn { host.events.last == conditions { ($0.hasExternalPower, $0.hasFullPower) = (false, true) } })
    let count = host.events.count
    try await daemon.endServices()
    // The bus tells of the end before it answers anything else.
    let names = try await daemon.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.ListNames")
    #expect(!names.contains("'\(Self.upower)'") && host.settle())
    #expect(host.events.count == count)
    try await daemon.mock("upower", name: Self.upower)
    #expect(host.turn { host.events.last == conditions { ($0.hasExternalPower, $0.hasFullPower) = (true, true) } })
    source.stop()
  }

  @Test("The time comes by the kernel's timer, once, also to a suspended program")
  func time() async throws {
    let source = start()
    let work = source.requested.work
    work.wake(at: work.now + 1000)
    work.wake(at: work.now + 1)
    host.isSuspended = true
    #expect(host.turn { host.events == [.scheduledWork(.due)] })
    work.wake(at: work.now + 1)
    work.wake(at: nil)
    usleep(1_500_000)
    host.turn()
    #expect(host.events.count == 1)
    source.stop()
  }

  @Test("What systemd is asked for at a program's end is done: it refuses callers that have gone")
  func lastRequests() async throws {
    let name = "org.freedesktop.systemd1"
    let log = try TemporaryFolder()
    // Later than the program would have gone, and as systemd does it
    let script = """
      import dbus, dbus.service, dbus.mainloop.glib
      from gi.repository import GLib
      dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
      bus = dbus.SessionBus()
      def act(line, sender, done, failed):
          try:
              bus.get_unix_user(sender)
          except dbus.DBusException as error:
              line = 'refused ' + line
          print(line, file=open('\(log.file("log"))', 'a'), flush=True)
          done('/job')
      class Manager(dbus.service.Object):
          @dbus.service.method('\(name).Manager', in_signature='ssa(sv)a(sa(sv))', out_signature='o',
                               sender_keyword='sender', async_callbacks=('done', 'failed'))
          def StartTransientUnit(self, unit, mode, values, others, sender, done, failed):
              GLib.timeout_add(300, lambda: act('start', sender, done, failed))
          @dbus.service.method('\(name).Manager', in_signature='ss', out_signature='o',
                               sender_keyword='sender', async_callbacks=('done', 'failed'))
          def StopUnit(self, unit, mode, sender, done, failed):
              GLib.timeout_add(300, lambda: act('stop', sender, done, failed))
      manager = Manager(bus, '/org/freedesktop/systemd1')
      owned = dbus.service.BusName('\(name)', bus)
      GLib.MainLoop().run()
      """
    try await daemon.serve(script, name: name)
    let source = start()
    let time = Int(source.requested.work.now) + 1000
    source.requested.work.setStarts([WorkStart(identifier: "a", time: time)], of: "org.example.test")
    #expect(host.turn { text(of: log.file("log")) == "start\n" })
    source.requested.work.setStarts([WorkStart(identifier: "b", time: time)], of: "org.example.test")
    source.stop()
    #expect(host.turn { text(of: log.file("log")).split(separator: "\n").count == 3 })
    #expect(text(of: log.file("log")) == "start\nstart\nstop\n")
  }

  @Test("A start is set anew for a program that would be started otherwise; the same one is left as it is")
  func otherStart() async throws {
    let name = "org.freedesktop.systemd1"
    let log = try TemporaryFolder()
    let script = """
      import dbus, dbus.service, dbus.mainloop.glib
      from gi.repository import GLib
      dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
      bus = dbus.SessionBus()
      units = set()
      def write(line):
          print(line, file=open('\(log.file("log"))', 'a'), flush=True)
      class Manager(dbus.service.Object):
          @dbus.service.method('\(name).Manager', in_signature='ssa(sv)a(sa(sv))', out_signature='o')
          def StartTransientUnit(self, unit, mode, values, others):
              if unit in units:
                  write('exists')
                  raise dbus.exceptions.DBusException(unit, name='\(name).UnitExists')
              units.add(unit)
              write([str(one) for one in dict(others[0][1])['Environment'] if one.startswith('XAUTHORITY=')][0])
              return dbus.ObjectPath('/job')
      manager = Manager(bus, '/org/freedesktop/systemd1')
      owned = dbus.service.BusName('\(name)', bus)
      GLib.MainLoop().run()
      """
    try await daemon.serve(script, name: name)
    var time: Int?
    var lines = ""
    for (file, line) in [("/a", "XAUTHORITY=/a\n"), ("/a", "exists\n"), ("/b", "XAUTHORITY=/b\n")] {
      let source = start(["XAUTHORITY": file])
      time = time ?? Int(source.requested.work.now) + 1000
      source.requested.work.setStarts([WorkStart(identifier: "a", time: time ?? 0)], of: "org.example.test")
      lines += line
      #expect(
        host.turn { text(of: log.file("log")).split(separator: "\n").count == lines.split(separator: "\n").count })
      #expect(text(of: log.file("log")) == lines)
      source.stop()
    }
    #expect(host.reports.isEmpty)
  }

  @Test("Without systemd the user is told once, however often starts are set; with nothing to start nobody is")
  func noManager() async throws {
    let source = start()
    source.requested.work.setStarts([], of: "org.example.test")
    #expect(host.settle())
    #expect(host.reports.isEmpty)
    let time = Int(source.requested.work.now) + 1000
    source.requested.work.setStarts([WorkStart(identifier: "a", time: time)], of: "org.example.test")
    #expect(host.turn { !host.reports.isEmpty })
    source.requested.work.setStarts([WorkStart(identifier: "b", time: time)], of: "org.example.test")
    #expect(host.settle())
    #expect(host.reports.count == 1 && host.reports.allSatisfy { $0.contains("only while the program does") })
    source.stop()
  }
}
