import DeskSupport
import Glibc
import SourceSupport
import SuiteSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// The keys of protected files: in gnome-keyring over a real bus, in the kernel, and in services that misbehave.
@MainActor @Suite("Keys in the Secret Service", .serialized, .enabled(if: BusRequirement.isMet)) struct SecretTests {
  private static let name = "org.freedesktop.secrets"
  private static let root = "/org/freedesktop/secrets"
  private static let keyring =
    "printf password | exec gnome-keyring-daemon --unlock --foreground --components=secrets"
  private let host = TestHost()
  /// Another one for each test: the kernel's keyring is the user's.
  private let kind = "test\(UInt32.random(in: 0 ... .max))"

  private func start(_ daemon: PrivateBus) -> BusSource {
    let source = BusSource(environment: daemon.environment, thermalFolder: "/missing") { _ in }
    source.start(host)
    host.passTime()
    return source
  }

  /// Asks for keys, and waits for the answer.
  private func keys(_ source: BusSource) async throws -> Result<ProtectionKeys, KeyFailure> {
    var result: Result<ProtectionKeys, KeyFailure>?
    source.requested.secrets.findKeys(of: kind) { result = $0 }
    #expect(result == nil)
    for _ in 0..<12_000 {
      if let result { return result }
      var turns = 0
      _ = host.turn(seconds: 1) {
        turns += 1
        return turns > 2
      }
      // The steps of the search are tasks of the main actor.
      try await Task.sleep(for: .milliseconds(5))
    }
    return try #require(result)
  }

  /// The keys that gnome-keyring has, which may take calls before it has read its password.
  private func keysOnceUnlocked(_ source: BusSource) async throws -> ProtectionKeys {
    for _ in 0..<100 {
      if case .success(let keys) = try await keys(source) { return keys }
      try await Task.sleep(for: .milliseconds(100))
    }
    return try await keys(source).get()
  }

  private func bytes(_ keys: ProtectionKeys) -> [[UInt8]] { keys.keys.map { $0.withBytes { Array($0) } } }

  private func reason(_ source: BusSource) async throws -> String {
    switch try await keys(source) {
    case .success(let keys): "\(keys.place)"
    case .failure(let failure): failure.reason
    }
  }

  private var inKernel: SecretBytes? {
    KernelKeyring.find(SecretName(application: host.applicationIdentifier, kind: kind).text)
  }

  private func forgetInKernel() {
    KernelKeyring.remove(SecretName(application: host.applicationIdentifier, kind: kind).text)
  }

  @Test(
    "gnome-keyring is started when a key is asked for, has one from then on, and keeps it over its own end",
    .enabled(if: mustNotSkip || isInstalled("gnome-keyring-daemon")))
  func gnomeKeyring() async throws {
    let data = try TemporaryFolder()
    let daemon = try await PrivateBus(starting: Self.name, by: Self.keyring, data: data)
    let source = start(daemon)
    #expect(host.settle() && text(of: data.file("starts")).isEmpty)
    let first = try await keysOnceUnlocked(source)
    #expect(first.place == .secretService && first.keys.map(\.count) == [32] && inKernel == nil)
    #expect(text(of: data.file("starts")) == "start\n")
    #expect(bytes(try await keys(source).get()) == bytes(first))
    try await daemon.killOwner(of: Self.name)
    #expect(bytes(try await keysOnceUnlocked(source)) == bytes(first))
    #expect(text(of: data.file("starts")) == "start\nstart\n")
    // Another class has another key
    let other = SecretTests()
    let otherSource = other.start(daemon)
    #expect(other.bytes(try await other.keys(otherSource).get()) != bytes(first))
    source.stop()
    otherSource.stop()
  }

  @Test(
    "Without a Secret Service the kernel has the key, until there is one, which gets it",
    .enabled(if: mustNotSkip || isInstalled("gnome-keyring-daemon")))
  func kernel() async throws {
    defer { forgetInKernel() }
    // Whatever is installed, this one starts no services.
    let daemon = try await PrivateBus(forAllUsers: true)
    let source = start(daemon)
    let first = try await keys(source).get()
    #expect(first.place == .kernel && first.keys.map(\.count) == [32])
    #expect(inKernel.map { $0.withBytes { Array($0) } } == bytes(first)[0])
    #expect(bytes(try await keys(source).get()) == bytes(first))
    source.stop()
    // Nor is there a bus
    let alone = BusSource(environment: [:], thermalFolder: "/missing") { _ in }
    alone.start(host)
    host.passTime()
    #expect(bytes(try await keys(alone).get()) == bytes(first))
    alone.stop()
    let data = try TemporaryFolder()
    let better = try await PrivateBus(starting: Self.name, by: Self.keyring, data: data)
    let next = start(better)
    let moved = try await keysOnceUnlocked(next)
    #expect(moved.place == .secretService && bytes(moved) == bytes(first) && inKernel == nil)
    #expect(bytes(try await keys(next).get()) == bytes(first))
    next.stop()
  }

  // MARK: Services that misbehave

  /// A Secret Service in Python; the words say what it does otherwise than it should.
  private static func service(_ words: String...) -> String {
    """
    import dbus, dbus.service, dbus.mainloop.glib
    from gi.repository import GLib
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    words = \(words)
    S = 'org.freedesktop.Secret.'
    items = {}
    locked = 'locked' in words
    class Prompt(dbus.service.Object):
        @dbus.service.method(S + 'Prompt', in_signature='s')
        def Prompt(self, window):
            global locked
            if 'dies' in words: loop.quit(); return
            if 'silent' in words: return
            dismissed = 'dismissed' in words
            if not dismissed: locked = False
            GLib.timeout_add(50, lambda: self.Completed(dismissed, dbus.String('')) and False)
        @dbus.service.method(S + 'Prompt')
        def Dismiss(self): pass
        @dbus.service.signal(S + 'Prompt', signature='bv')
        def Completed(self, dismissed, result): pass
    class Session(dbus.service.Object):
        @dbus.service.method(S + 'Session')
        def Close(self): pass
    class Collection(dbus.service.Object):
        @dbus.service.method(S + 'Collection', in_signature='a{sv}(oayays)b', out_signature='oo')
        def CreateItem(self, properties, secret, replace):
            path = '/org/freedesktop/secrets/i%d' % (len(items) + 1)
            if 'forgets' not in words: items[path] = bytes(secret[2])
            return path, '/'
    class Service(dbus.service.Object):
        @dbus.service.method(S + 'Service', in_signature='sv', out_signature='vo')
        def OpenSession(self, algorithm, value): return dbus.String(''), '/org/freedesktop/secrets/s'
        @dbus.service.method(S + 'Service', in_signature='a{ss}', out_signature=\
    's' if 'wrong' in words else 'aoao')
        def SearchItems(self, attributes):
            if 'wrong' in words: return 'none'
            all = dbus.Array(list(items), signature='o')
            none = dbus.Array([], signature='o')
            return (none, all) if locked else (all, none)
        @dbus.service.method(S + 'Service', in_signature='ao', out_signature='aoo')
        def Unlock(self, paths):
            if locked: return dbus.Array([], signature='o'), '/org/freedesktop/secrets/p'
            return paths, '/'
        @dbus.service.method(S + 'Service', in_signature='aoo', out_signature='a{o(oayays)}')
        def GetSecrets(self, paths, session):
            def value(path):
                secret = items[path][:5] if 'short' in words else items[path]
                return (session, dbus.ByteArray(b''), dbus.ByteArray(secret), 'text/plain')
            if 'floods' in words: paths = [list(items)[0] + str(n) for n in range(300)]
            if 'floods' in words: items.update({p: bytes([7] * 32) for p in paths})
            return dbus.Dictionary({p: value(p) for p in paths}, signature='o(oayays)')
        @dbus.service.method(S + 'Service', in_signature='s', out_signature='o')
        def ReadAlias(self, name): return '/org/freedesktop/secrets/c'
    if 'has' in words: items['/org/freedesktop/secrets/i1'] = bytes(range(32))
    if 'many' in words:
        for n in range(2000): items['/org/freedesktop/secrets/i%d' % n] = bytes([n % 256] * 32)
    bus = dbus.SessionBus()
    objects = [Prompt(bus, '/org/freedesktop/secrets/p'), Session(bus, '/org/freedesktop/secrets/s'),
               Collection(bus, '/org/freedesktop/secrets/c'), Service(bus, '/org/freedesktop/secrets')]
    name = dbus.service.BusName('org.freedesktop.secrets', bus)
    loop = GLib.MainLoop()
    loop.run()
    """
  }

  private static let known = [Array(UInt8(0)..<32)]

  @Test("A locked key is unlocked by a question to the user, who may refuse; the service may end meanwhile")
  func prompts() async throws {
    for (words, outcome) in [
      (["has", "locked"], "secretService"), (["has", "locked", "dismissed"], "the user has not unlocked"),
      (["has", "locked", "dies"], "the Secret Service "), (["locked"], "secretService"),
    ] {
      let daemon = try await PrivateBus()
      try await daemon.serve(Self.service(words[0], words.dropFirst().first ?? "", words.last ?? ""), name: Self.name)
      let source = start(daemon)
      let result = try await keys(source)
      switch result {
      case .success(let keys):
        #expect("\(keys.place)" == outcome, "\(words)")
        if words.contains("has") { #expect(bytes(keys) == Self.known) }
      case .failure(let failure): #expect(failure.reason.hasPrefix(outcome), "\(words): \(failure.reason)")
      }
      #expect(inKernel == nil)
      source.stop()
    }
  }

  @Test("Services that forget, give keys of the wrong size, or answer wrongly give no key, and none goes to the kernel")
  func lies() async throws {
    for (words, outcome) in [
      ("forgets", "the Secret Service has not kept it"), ("short", "the Secret Service has not kept it"),
      ("wrong", "the Secret Service gives answers of the wrong form"),
      ("floods", "the Secret Service refuses GetSecrets"),
    ] {
      let daemon = try await PrivateBus()
      try await daemon.serve(Self.service(words), name: Self.name)
      let source = start(daemon)
      let said = try await reason(source)
      #expect(said.hasPrefix(outcome))
      #expect(inKernel == nil)
      source.stop()
    }
    let daemon = try await PrivateBus(forAllUsers: true)
    try await daemon.serve(Self.service("many"), name: Self.name)
    let source = start(daemon)
    let found = try await keys(source)
    let count = try found.get().keys.count
    #expect(count == 16)
    // It ends, and nobody starts it: the kernel gets a key of its own, and gives it back later
    try await daemon.endServices()
    #expect(try await reason(source) == "kernel")
    forgetInKernel()
    // The bus ends: the key may be in a service that nobody can ask now
    try await daemon.kill()
    #expect(try await reason(source).hasPrefix("the session bus"))
    #expect(inKernel == nil)
    source.stop()
  }

  @Test("A bus that the environment names and nobody answers is no reason for a key in the kernel; none at all is one")
  func noBus() async throws {
    defer { forgetInKernel() }
    let source = BusSource(
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"], thermalFolder: "/missing"
    ) { _ in }
    source.start(host)
    // Before it is known which buses there are, too
    var early: Result<ProtectionKeys, KeyFailure>?
    source.requested.secrets.findKeys(of: kind) { early = $0 }
    host.passTime()
    #expect(try await reason(source).hasPrefix("the session bus"))
    guard case .failure = early else { return #expect(early != nil && Bool(false), "\(String(describing: early))") }
    #expect(inKernel == nil)
    source.stop()
    let usual = BusSource(environment: ["XDG_RUNTIME_DIR": "/nowhere"], thermalFolder: "/missing") { _ in }
    usual.start(host)
    host.passTime()
    #expect(try await reason(usual) == "kernel")
    usual.stop()
  }

  @Test("A question that was answered is not dismissed later; one that nobody answers is")
  func limit() async throws {
    for isAnswered in [true, false] {
      let data = try TemporaryFolder()
      let daemon = try await PrivateBus()
      let words = isAnswered ? "locked" : "silent"
      let script = Self.service("has", "locked", words).replacing(
        "def Dismiss(self): pass", with: "def Dismiss(self): open('\(data.file("dismissed"))', 'w').close()")
      try await daemon.serve(script, name: Self.name)
      let source = start(daemon)
      source.requested.secrets.promptLimit = .milliseconds(isAnswered ? 60_000 : 1)
      let result = try await keys(source)
      // All that was put off, as if its time had come
      for _ in 0..<3 {
        host.passTime()
        _ = host.settle()
      }
      // A later call is answered after it
      _ = try await daemon.call(
        Self.name, Self.root, "org.freedesktop.Secret.Service.ReadAlias", "default")
      #expect((access(data.file("dismissed"), F_OK) == 0) == !isAnswered)
      if case .success = result { #expect(isAnswered) } else { #expect(!isAnswered) }
      source.stop()
    }
  }

  @Test("A service that cannot be started is no reason for a key elsewhere")
  func unstartable() async throws {
    let data = try TemporaryFolder()
    let daemon = try await PrivateBus(starting: Self.name, by: "exit 1", data: data)
    let source = start(daemon)
    #expect(try await reason(source).hasPrefix("the Secret Service cannot be started"))
    #expect(inKernel == nil)
    source.stop()
  }

  @Test("A key that another process puts into the kernel during the search is the one")
  func meanwhile() async throws {
    defer { forgetInKernel() }
    let daemon = try await PrivateBus(startsServices: false)
    let proxy = try BusProxy(to: daemon)
    let bus = try #require(Bus(.session, environment: proxy.environment, host: host))
    bus.connect()
    var isAnswered = false
    bus.call(BusDaemon.name, BusDaemon.member("GetId")) { _ in isAnswered = true }
    try #require(host.turn { isAnswered })
    let secrets = SecretSource()
    secrets.start(host)
    secrets.use(bus)
    secrets.ready()
    var result: Result<ProtectionKeys, KeyFailure>?
    let before = proxy.counts.bytes.toServer
    secrets.findKeys(of: kind) { result = $0 }
    // It has looked into the kernel, and waits for the bus
    for _ in 0..<12_000 where proxy.counts.bytes.toServer == before { try await Task.sleep(for: .milliseconds(5)) }
    let key = try #require(SecretBytes.random(count: 32))
    try KernelKeyring.add(key, SecretName(application: host.applicationIdentifier, kind: kind).text)
    for _ in 0..<12_000 where result == nil {
      host.turnOnce()
      try await Task.sleep(for: .milliseconds(5))
    }
    let found = try #require(result).get()
    #expect(found.place == .kernel && bytes(found) == [key.withBytes { Array($0) }])
    #expect(inKernel?.isSame(as: key) == true)
    bus.disconnect()
  }

  @Test("A key of the kernel is added to those of the service, and all are given")
  func several() async throws {
    let daemon = try await PrivateBus()
    try await daemon.serve(Self.service("has"), name: Self.name)
    let source = start(daemon)
    try KernelKeyring.add(
      try #require(SecretBytes.random(count: 32)),
      SecretName(application: host.applicationIdentifier, kind: kind).text)
    let stray = try #require(inKernel).withBytes { Array($0) }
    let found = try await keys(source).get()
    #expect(Set(bytes(found)) == Set(Self.known + [stray]) && inKernel == nil)
    source.stop()
  }
}
