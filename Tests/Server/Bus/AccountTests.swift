import DeskSupport
import Glibc
import ProsceniumCore
import SourceSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// The user's accounts over a real bus, with an object manager of python-dbusmock.
@MainActor @Suite("Accounts over the bus", .serialized, .enabled(if: BusRequirement.isMet)) struct AccountTests {
  private static let name = "org.gnome.OnlineAccounts"
  private static let root = "/org/gnome/OnlineAccounts"
  private static let account = name + ".Account"
  private static let manager = name + ".Manager"
  private static let mock = "org.freedesktop.DBus.Mock."
  private let host = TestHost()
  private let daemon: PrivateBus

  init() async throws { daemon = try await PrivateBus() }

  private func serve() async throws {
    try await daemon.mock(name: Self.name, path: Self.root, interface: Self.manager, isObjectManager: true)
  }

  private func start() -> BusSource {
    let source = BusSource(environment: daemon.environment, thermalFolder: "/missing") { _ in }
    source.start(host)
    host.passTime()
    return source
  }

  /// Lets the program ask, and what was put off happen.
  private func follow(_ source: BusSource) {
    source.requested.accounts.follow()
    var turns = 0
    _ = host.turn {
      turns += 1
      return turns > 3
    }
  }

  private func path(_ number: Int) -> String { "\(Self.root)/Accounts/account_\(number)" }

  /// Adds an account; the text is what else its properties are.
  private func add(_ number: Int, _ more: String = "", path: String? = nil, interface: String = account) async throws {
    try await daemon.call(
      Self.name, Self.root, Self.mock + "AddObject", path ?? self.path(number), interface,
      "{'Id': <'account_\(number)'>, 'ProviderType': <'google'>, 'ProviderName': <'Google'>, "
        + "'Identity': <'user\(number)'>, 'PresentationIdentity': <'user\(number)@example.org'>, "
        + "'AttentionNeeded': <false>\(more)}", "@a(ssss) []")
    try await tell("InterfacesAdded", "oa{sa{sv}}", "<objectpath '\(path ?? self.path(number))'>", "<@a{sa{sv}} {}>")
  }

  private func remove(_ number: Int) async throws {
    try await daemon.call(Self.name, Self.root, Self.mock + "RemoveObject", path(number))
    try await tell("InterfacesRemoved", "oas", "<objectpath '\(path(number))'>", "<['\(Self.account)']>")
  }

  /// Says so, which python-dbusmock leaves to its callers.
  private func tell(_ signal: String, _ signature: String, _ path: String, _ interfaces: String) async throws {
    try await daemon.call(
      Self.name, Self.root, Self.mock + "EmitSignal", "org.freedesktop.DBus.ObjectManager", signal, signature,
      "[\(path), \(interfaces)]")
  }

  private func reading(_ number: Int, _ change: (inout AccountReading) -> Void = { _ in }) -> AccountReading {
    var account = AccountReading(identifier: "account_\(number)", provider: "google", identity: "user\(number)")
    (account.providerName, account.name) = ("Google", "user\(number)@example.org")
    change(&account)
    return account
  }

  private func waits(for accounts: AccountReading...) -> Bool { host.turn { host.events.last == .accounts(accounts) } }

  private func matched() async throws -> Int {
    let answer = try await daemon.call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Debug.Stats.GetAllMatchRules")
    return answer.split(separator: "'").count { $0 == Self.name }
  }

  @Test("Nothing is asked before the program asks; then all that come, change and go are told")
  func comeAndGo() async throws {
    try await serve()
    try await add(1)
    let source = start()
    #expect(host.settle() && host.events.isEmpty)
    #expect(try await matched() == 0)
    let watched = host.watched.count
    follow(source)
    #expect(waits(for: reading(1)) && host.watched.count == watched)
    try await add(2)
    #expect(waits(for: reading(1), reading(2)))
    try await daemon.call(
      Self.name, path(2), Self.mock + "UpdateProperties", Self.account, "{'AttentionNeeded': <true>}")
    #expect(waits(for: reading(1), reading(2) { $0.needsAttention = true }))
    try await daemon.call(
      Self.name, path(1), Self.mock + "UpdateProperties", Self.account, "{'Identity': <'other'>}")
    #expect(waits(for: reading(1) { $0.identity = "other" }, reading(2) { $0.needsAttention = true }))
    try await remove(1)
    #expect(waits(for: reading(2) { $0.needsAttention = true }))
    try await remove(2)
    #expect(waits())
    #expect(host.events.count == 6 && host.reports.isEmpty && host.messages.isEmpty)
    source.stop()
    #expect(host.watched.isEmpty)
  }

  @Test("None is known, too; a machine without the service knows nothing, and a dead one has signed nobody out")
  func dies() async throws {
    let source = start()
    follow(source)
    #expect(host.settle() && host.events.isEmpty)
    try await serve()
    #expect(waits())
    try await add(1)
    #expect(waits(for: reading(1)))
    try await daemon.endServices()
    #expect(!host.turn(seconds: 1) { host.events.count > 2 })
    try await serve()
    #expect(waits())
    try await add(1)
    #expect(waits(for: reading(1)))
    // So does the bus.
    try await daemon.kill()
    #expect(!host.turn(seconds: 1) { host.events.count > 4 })
    try await daemon.restart()
    try await serve()
    try await add(3)
    #expect(waits(for: reading(3)))
    source.stop()
  }

  /// A service in Python without accounts, whose first answers are errors.
  private func serve(failing count: Int) async throws {
    try await daemon.serve(
      """
      import dbus, dbus.service, dbus.mainloop.glib
      from gi.repository import GLib
      dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
      bus = dbus.SessionBus()
      class Manager(dbus.service.Object):
          count = 0
          @dbus.service.method('org.freedesktop.DBus.ObjectManager', out_signature='a{oa{sa{sv}}}')
          def GetManagedObjects(self):
              self.count += 1
              if self.count <= \(count):
                  raise dbus.DBusException('not yet', name='org.freedesktop.DBus.Error.Failed')
              return {}
          @dbus.service.method('a.b', out_signature='i')
          def Count(self): return self.count
      name = dbus.service.BusName('\(Self.name)', bus)
      manager = Manager(bus, '\(Self.root)')
      GLib.MainLoop().run()
      """, name: Self.name)
  }

  /// How often the service has been asked, once everything that was put off has come.
  private func reads() async throws -> String {
    for _ in 0..<20 {
      host.passTime()
      host.turn(milliseconds: 100)
      #expect(host.settle())
    }
    return try await daemon.call(Self.name, Self.root, "a.b.Count")
  }

  @Test("A reading that fails is repeated, a few times, and with the next service again")
  func fails() async throws {
    try await serve(failing: 2)
    let source = start()
    follow(source)
    #expect(host.turn(seconds: 30) { host.events.last == .accounts([]) })
    #expect(try await reads() == "(3,)\n")
    try await daemon.endServices()
    try await serve(failing: 1000)
    #expect(host.settle())
    #expect(try await reads() == "(6,)\n")
    #expect(try await reads() == "(6,)\n")
    try await daemon.endServices()
    try await serve()
    try await add(1)
    #expect(waits(for: reading(1)))
    source.stop()
  }

  @Test("A service that the bus can start is started once it is asked for, once")
  func started() async throws {
    let data = try TemporaryFolder()
    let starts = data.file("starts")
    let daemon = try await PrivateBus(
      starting: Self.name,
      by: "exec /usr/bin/python3 -m dbusmock --session -m \(Self.name) \(Self.root) \(Self.manager)", data: data)
    let source = BusSource(environment: daemon.environment, thermalFolder: "/missing") { _ in }
    source.start(host)
    host.passTime()
    #expect(host.settle() && text(of: starts).isEmpty)
    follow(source)
    #expect(waits() && text(of: starts) == "start\n")
    try await daemon.killOwner(of: Self.name)
    #expect(!host.turn(seconds: 1) { text(of: starts) != "start\n" })
    source.stop()
  }

  @Test("Accounts without an identity, wrong types, objects elsewhere and the words of others are none")
  func lies() async throws {
    try await serve()
    try await add(1)
    let source = start()
    follow(source)
    #expect(waits(for: reading(1)))
    try await add(2, ", 'Id': <''>")
    try await add(3, ", 'Id': <3>")
    try await add(4, ", 'ProviderType': <['google']>")
    try await add(5, ", 'ProviderType': <''>")
    try await add(6, ", 'Id': <'\(String(repeating: "x", count: 600))'>")
    try await add(7, path: "/elsewhere")
    try await add(8, interface: Self.name + ".Mail")
    // What is wrong in the rest is unknown.
    try await add(9, ", 'AttentionNeeded': <'yes'>, 'PresentationIdentity': <5>, 'ProviderName': <[1]>")
    #expect(waits(for: reading(1), reading(9) { ($0.providerName, $0.name) = ("", "") }))
    // The same signals of another connection ask for nothing, to all and to this one alone.
    let reads = host.wakeUps
    let names = try await daemon.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.ListNames")
    let connections = names.split(separator: "'").map(String.init).filter { $0.hasPrefix(":") }
    for connection in [nil] + connections.map(Optional.some) {
      try await daemon.emit(
        Self.root, "org.freedesktop.DBus.ObjectManager.InterfacesRemoved", "objpath:" + path(1),
        "array:string:" + Self.account, to: connection)
    }
    try await remove(9)
    #expect(waits(for: reading(1)))
    #expect(host.events.count == 3 && host.wakeUps > reads && host.reports.isEmpty && host.messages.isEmpty)
    source.stop()
  }

  @Test("A flood of changes is few readings, with the last values; while the program is suspended too")
  func flood() async throws {
    try await serve()
    try await add(1)
    let source = start()
    follow(source)
    #expect(waits(for: reading(1)))
    let code = """
      for number in range(2000):
          self.UpdateProperties('\(Self.account)', {'AttentionNeeded': dbus.Boolean(number % 2 == 0, variant_level=1)})
      """
    try await daemon.call(Self.name, path(1), Self.mock + "AddMethod", "a.b", "Flood", "", "", code)
    let start = ContinuousClock.now
    try await daemon.call(Self.name, path(1), "a.b.Flood")
    try await add(2)
    #expect(waits(for: reading(1), reading(2)))
    #expect(host.events.count <= 4 + Int((ContinuousClock.now - start) / .milliseconds(500)))
    host.isSuspended = true
    try await remove(2)
    #expect(waits(for: reading(1)))
    try await remove(1)
    #expect(waits())
    source.stop()
  }
}
