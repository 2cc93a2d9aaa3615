import DeskSupport
import FoundationEssentials
import Glibc
import ProsceniumCore
import ProsceniumJSON
import SourceSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// A program's name and its interface over a real dbus-daemon.
@MainActor @Suite("Instances on the bus", .serialized, .enabled(if: BusRequirement.isMet)) struct InstanceTests {
  private static let name = "org.example.Test-App"
  private static let path = "/org/example/Test_App"
  private let host = TestHost()
  private let daemon: PrivateBus

  init() async throws { daemon = try await PrivateBus() }

  private static let items = [ApplicationShortcutItem(type: "compose", localizedTitle: "New", userInfo: ["a": "b"])]

  private func start(
    isOneOfMany: Bool = false, on host: TestHost? = nil, bus: PrivateBus? = nil, processFolder: String = "/proc"
  ) throws -> BusSource {
    let source = BusSource(environment: (bus ?? daemon).environment, processFolder: processFolder) { _ in }
    source.instance = {
      InstanceDescription(
        identifier: Self.name, display: ":5", schemes: ["beacon"], shortcuts: Self.items, isOneOfMany: isOneOfMany)
    }
    source.start(host ?? self.host)
    (host ?? self.host).passTime()
    return source
  }

  private func connect() throws -> Bus {
    let bus = try #require(Bus(.session, environment: daemon.environment, host: host))
    bus.connect()
    return bus
  }

  private func call(_ bus: Bus, _ interface: String, _ method: String, _ values: [BusValue], to name: String = name)
    -> Result<[BusValue], BusFailure>?
  {
    var result: Result<[BusValue], BusFailure>?
    bus.call(name, BusMember(path: Self.path, interface: interface, name: method), values) { result = $0 }
    _ = host.turn { result != nil }
    return result
  }

  private func errorName(_ result: Result<[BusValue], BusFailure>?) -> String {
    guard case .failure(let failure)? = result else { return "none" }
    return failure.name.replacing("org.freedesktop.DBus.Error.", with: "")
  }

  private var requests: [IncomingRequest] {
    host.events.compactMap { if case .request(let request) = $0 { request } else { nil } }
  }

  /// Runs a program while the loop turns, and answers what it has printed.
  private func run(_ arguments: [String], _ limit: Int = 60) throws -> String {
    let folder = try TemporaryFolder()
    let process = try ChildProcess(
      arguments, environment: try privateEnvironment(home: folder, display: nil), output: folder.file("out"),
      errors: folder.file("out"))
    guard host.turn(seconds: limit, until: { process.poll() != nil }) else { throw DeskFailure("\(arguments) hangs") }
    return text(of: folder.file("out"))
  }

  private func waitForName(_ text: String = name, on host: TestHost? = nil) -> Bool {
    (host ?? self.host).turn { (host ?? self.host).messages.contains("name: \(text)") }
  }

  @Test("Launchers' calls arrive with their sender; the interface describes itself")
  func calls() async throws {
    let source = try start()
    defer { source.stop() }
    #expect(waitForName())
    let bus = try connect()
    let platform = BusValue.options(["activation-token": .string("a_TIME1")])
    #expect(call(bus, InstanceInterface.application, "Activate", [platform]) == .success([]))
    let urls = BusValue.array(of: "s", [.string("beacon://1"), .string("file:///x")])
    #expect(call(bus, InstanceInterface.application, "Open", [urls, .options([:])]) == .success([]))
    #expect(requests.map(\.urls.count) == [0, 2])
    #expect(requests.map(\.token) == ["a_TIME1", nil])
    // The test's process is the program's own.
    #expect(requests.allSatisfy { $0.sender == .init(process: Int(getpid()), application: Self.name) })
    // Introspection and properties
    let properties = BusObjects.properties
    #expect(
      call(bus, properties, "Get", [.string(InstanceInterface.own), .string("Display")])
        == .success([.variant(.string(":5"))]))
    #expect(
      call(bus, properties, "GetAll", [.string(InstanceInterface.own)])
        == .success([
          .options(["Version": .uint32(1), "Display": .string(":5"), "TimeToEnd": .double(0)])
        ]))
    #expect(call(bus, properties, "GetAll", [.string(InstanceInterface.application)]) == .success([.options([:])]))
    #expect(
      errorName(call(bus, properties, "Set", [.string("x"), .string("y"), .variant(.whole(1, code: "y"))]))
        == "PropertyReadOnly")
    #expect(errorName(call(bus, properties, "Get", [.string("x"), .string("y")])) == "UnknownProperty")
    let description = try run(["gdbus", "introspect", "--address", daemon.address, "-d", Self.name, "-o", "/", "-r"])
    for word in ["org.freedesktop.Application", "ActivateAction", "org.proscenium.Instance1", "readonly s Display"] {
      #expect(description.contains(word), "\(description)")
    }
  }

  /// Starts a source whose launch waits for the request that the bus has started the program for.
  private func startWaiting() -> BusSource {
    let source = BusSource(environment: daemon.environment) { _ in }
    source.instance = {
      var description = InstanceDescription(
        identifier: Self.name, display: ":5", schemes: ["beacon"], isOneOfMany: false)
      description.awaitsRequest = true
      return description
    }
    source.start(host)
    return source
  }

  @Test("A launch waits until the name is had, and for a moment more; a call that has come is posted before the end")
  func firstRequest() throws {
    let source = startWaiting()
    defer { source.stop() }
    #expect(host.events == [.firstRequest(isAwaited: true)])
    #expect(waitForName())
    // The moment lasts as long as the test needs it
    host.isSuspended = true
    let bus = try connect()
    let urls = BusValue.array(of: "s", [.string("beacon://1")])
    #expect(call(bus, InstanceInterface.application, "Open", [urls, .options([:])]) == .success([]))
    #expect(requests.map { $0.urls.map(\.absoluteString) } == [["beacon://1"]])
    #expect(host.events.count == 2)
    host.isSuspended = false
    #expect(host.turn { host.events.count == 3 })
    #expect(host.events.last == .firstRequest(isAwaited: false))
  }

  @Test("A call that is being read keeps the wait from its end, however long that takes")
  func firstRequestIsRead() throws {
    let bus = try connect()
    let first = FirstRequest(host: host)
    first.callBegan()
    first.nameAcquired(on: bus)
    #expect(!host.turn(seconds: 1) { host.events.count > 1 })
    first.callEnded()
    #expect(host.events == [.firstRequest(isAwaited: true), .firstRequest(isAwaited: false)])
  }

  @Test("A call that is refused ends no wait; nor does it keep one from its end")
  func firstRequestRefused() throws {
    let source = startWaiting()
    defer { source.stop() }
    #expect(waitForName())
    let bus = try connect()
    let urls = BusValue.array(of: "s", [.string("other://1")])
    #expect(errorName(call(bus, InstanceInterface.application, "Open", [urls, .options([:])])) == "InvalidArgs")
    #expect(host.turn { host.events == [.firstRequest(isAwaited: true), .firstRequest(isAwaited: false)] })
  }

  @Test("Where another process has the name no request comes, and where the bus ends none either")
  func noFirstRequest() async throws {
    let bus = try connect()
    var isOwned = false
    bus.call(BusDaemon.name, BusDaemon.member("RequestName"), [.string(Self.name), .uint32(4)]) { _ in isOwned = true }
    #expect(host.turn { isOwned })
    let source = startWaiting()
    defer { source.stop() }
    #expect(host.turn { host.events == [.firstRequest(isAwaited: true), .firstRequest(isAwaited: false)] })
    let other = try await PrivateBus()
    let second = TestHost()
    let lost = BusSource(environment: other.environment) { _ in }
    lost.instance = source.instance
    try await other.kill()
    lost.start(second)
    defer { lost.stop() }
    #expect(second.turn { second.events.last != .firstRequest(isAwaited: true) })
  }

  @Test("The name is had again after the bus has died, and a stranger who has it is said once and outlived")
  func names() async throws {
    let source = try start()
    defer { source.stop() }
    #expect(waitForName())
    for round in 1...3 {
      // Also while the program is suspended, and nothing that it put off happens
      host.isSuspended = round == 3
      try await daemon.kill()
      try await daemon.restart()
      #expect(host.turn { host.messages.count { $0 == "name: \(Self.name)" } == 1 + round })
    }
    host.isSuspended = false
    // Another process of the same id
    let second = TestHost()
    let other = try start(on: second)
    defer { other.stop() }
    #expect(second.turn(until: { second.reports.contains { $0.contains("has the name \(Self.name)") } }))
    #expect(second.reports.count == 1 && second.messages.isEmpty)
    // The first ends: the name goes to the one that is there
    source.stop()
    #expect(waitForName(on: second))
    #expect(second.reports.count == 1 && second.messages.count == 1)
  }

  @Test("Who asks is told by the caller's process, and not by what it says or by the names that it owns")
  func sourceApplication() async throws {
    let folder = try TemporaryFolder()
    let own = "\(getpid())"
    let source = try start(processFolder: folder.path)
    defer { source.stop() }
    #expect(waitForName())
    let bus = try connect()
    let claim = [BusValue.string("org.example.Liar"), .uint32(BusDaemon.doNotQueue)]
    #expect(call(bus, BusDaemon.name, "RequestName", claim, to: BusDaemon.name) != nil)
    let said = BusValue.options(["org.proscenium.caller": .string("org.example.Liar")])
    func ask() -> String? {
      #expect(call(bus, InstanceInterface.application, "Activate", [said]) == .success([]))
      return requests.last?.sender?.application
    }
    #expect(ask() == nil)
    let unit = "0::/user.slice/user@1000.service/app.slice/app-gnome-org.example.Mail-42.scope\n"
    try folder.write(own + "/cgroup", unit)
    #expect(ask() == "org.example.Mail")
    try folder.write(own + "/root/.flatpak-info", "[Application]\nname=org.example.Boxed\n")
    // A root of its own
    #expect(ask() == nil)
    try folder.write(own + "/cgroup", "0::/app.slice/app-flatpak-org.example.Boxed-42.scope\n")
    #expect(ask() == "org.example.Boxed")
    #expect(requests.count == 4 && requests.allSatisfy { $0.sender?.process == Int(getpid()) })
  }

  @Test("Of several instances each has a name, and an activity goes from one to another with its sender")
  func several() throws {
    let second = TestHost()
    let (source, other) = (try start(isOneOfMany: true), try start(isOneOfMany: true, on: second))
    defer {
      source.stop()
      other.stop()
    }
    #expect(
      host.turn {
        second.turn()
        return [host, second].allSatisfy { $0.messages.contains { $0.hasPrefix("name: ") } }
      })
    let names = (host.messages + second.messages).filter { $0.hasPrefix("name: ") }.sorted()
    #expect(names == ["name: \(Self.name)", "name: \(Self.name).Instance2"])
    var activity = StoredActivity(activityType: "edit")
    activity.userInfo = ["page": .int(3)]
    var result: Result<Void, DesktopFailure>?
    other.desktop.handOff(activity, token: "a_TIME9") { result = $0 }
    #expect(
      host.turn {
        second.turn()
        return result != nil
      })
    guard case .success? = result else {
      Issue.record("\(String(describing: result))")
      return
    }
    #expect(requests.map(\.activity) == [.whole(activity)])
    #expect(requests.first?.token == "a_TIME9")
    #expect(requests.first?.sender == .init(process: Int(getpid()), application: Self.name))
    // And without an instance it fails
    source.stop()
    result = nil
    other.desktop.handOff(activity, token: nil) { result = $0 }
    #expect(second.turn { result != nil })
    #expect(result.map { if case .failure = $0 { true } else { false } } == true)
  }

  @Test("An activity goes to no other instance after one that has said nothing, and may go on with it later")
  func silentInstance() async throws {
    try await daemon.mock(name: Self.name, path: Self.path, interface: InstanceInterface.own)
    try await daemon.call(
      Self.name, Self.path, "org.freedesktop.DBus.Mock.AddMethod", InstanceInterface.own, "Continue", "ssa{sv}", "",
      "raise dbus.exceptions.DBusException('silence', name='\(BusFailure.noReply.name)')")
    let second = TestHost()
    let source = try start(isOneOfMany: true)
    defer { source.stop() }
    #expect(waitForName("\(Self.name).Instance2"))
    let other = try start(isOneOfMany: true, on: second)
    defer { other.stop() }
    #expect(waitForName("\(Self.name).Instance3", on: second))
    var result: Result<Void, DesktopFailure>?
    other.desktop.handOff(StoredActivity(activityType: "edit"), token: nil) { result = $0 }
    #expect(
      host.turn {
        second.turn()
        return result != nil
      })
    guard case .failure(let failure)? = result else {
      Issue.record("\(String(describing: result))")
      return
    }
    #expect("\(failure)".contains("silence") && requests.isEmpty)
  }

  @Test("A program that is ending takes nothing, and says so")
  func ending() throws {
    let source = try start()
    defer { source.stop() }
    #expect(waitForName())
    host.acceptsRequests = false
    let result = call(try connect(), InstanceInterface.application, "Activate", [.options([:])])
    #expect(errorName(result) == InstanceInterface.Failure.ending)
    #expect(requests.isEmpty)
  }

  /// The number in the address that a call of a flood opens; -1 of any other.
  private static func number(of request: IncomingRequest) -> Int { Int(request.urls.first?.host() ?? "") ?? -1 }

  @Test("Giants, wrong types and a flood of calls are answered, each with an error of its own or taken in order")
  func flood() throws {
    let source = try start()
    defer { source.stop() }
    #expect(waitForName())
    let bus = try connect()
    let giant = BusValue.array(of: "s", [.string("beacon:" + String(repeating: "x", count: BusReader.budget))])
    let open = InstanceInterface.application
    #expect(errorName(call(bus, open, "Open", [giant, .options([:])])) == "LimitsExceeded")
    #expect(errorName(call(bus, open, "Open", [.string("x")])) == "InvalidArgs")
    #expect(errorName(call(bus, open, "None", [])) == "UnknownMethod")
    #expect(errorName(call(bus, "x.y", "Open", [])).hasPrefix("Unknown"))
    var (taken, refused) = (0, 0)
    for number in 0..<10_000 {
      let urls = BusValue.array(of: "s", [.string("beacon://\(number)")])
      // Not given up where the machine is slow: what is taken then would count as refused.
      bus.call(
        Self.name, BusMember(path: Self.path, interface: open, name: "Open"), [urls, .options([:])],
        timeout: .seconds(600)
      ) {
        if case .success = $0 { taken += 1 } else { refused += 1 }
      }
    }
    #expect(host.turn(seconds: 600) { taken + refused == 10_000 })
    #expect(taken == requests.count)
    #expect(taken >= SenderBook.mostWaiting)
    let disorder = zip(requests, requests.dropFirst()).filter { Self.number(of: $0) > Self.number(of: $1) }
    #expect(disorder.isEmpty, "\(disorder.map { [$0, $1] })")
  }

  @Test("Calls are taken in their order, whether their callers are known or not")
  func order() async throws {
    let folder = try TemporaryFolder()
    let source = try start(processFolder: folder.path)
    defer { source.stop() }
    #expect(waitForName())
    let bus = try connect()
    try folder.write("unit", "0::/user.slice/app.slice/app-gnome-org.example.Mail-42.scope\n")
    try folder.write("\(getpid())/cgroup", "")
    let changes = try ChildProcess(
      ["sh", "-c", "while :; do ln -f $0/unit $1; rm $1; done", folder.path, folder.file("\(getpid())/cgroup")],
      environment: try privateEnvironment(home: folder, display: nil), output: folder.file("out"),
      errors: folder.file("err"))
    defer { changes.send(SIGKILL) }
    var isKnown: Set<Bool> = []
    for round in 0..<500 where round < 20 || isKnown.count < 2 {
      for number in 0..<100 {
        let urls = BusValue.array(of: "s", [.string("beacon://\(100 * round + number)")])
        let member = BusMember(path: Self.path, interface: InstanceInterface.application, name: "Open")
        bus.call(Self.name, member, [urls, .options([:])]) { _ in }
      }
      #expect(host.turn { requests.count == 100 * (round + 1) })
      isKnown.formUnion(requests.map { $0.sender?.application != nil })
    }
    #expect(isKnown.count == 2)
    #expect(requests.map(Self.number(of:)) == Array(0..<requests.count))
  }

  @Test("Second starts and other calls of a connection are taken in their order")
  func orderOfStarts() throws {
    let source = try start()
    defer { source.stop() }
    #expect(waitForName())
    let bus = try connect()
    for number in 0..<100 {
      let urls = BusValue.array(of: "s", [.string("beacon://\(number)")])
      let isStart = number.isMultiple(of: 2)
      let member = BusMember(
        path: Self.path, interface: isStart ? InstanceInterface.own : InstanceInterface.application,
        name: isStart ? "Start" : "Open")
      let start = BusValue.options(["display": .string(":5"), "urls": urls])
      bus.call(Self.name, member, isStart ? [start] : [urls, .options([:])]) { _ in }
    }
    #expect(host.turn { requests.count == 100 })
    #expect(requests.map(Self.number(of:)) == Array(0..<100))
  }

  @Test("Another user's call is refused, though the bus lets it through")
  func otherUser() async throws {
    if !mustNotSkip, geteuid() != 0 || !isInstalled("setpriv") {
      try Test.cancel("not root, or no setpriv: no other user can be played")
    }
    let open = try await PrivateBus(forAllUsers: true)
    let source = try start(bus: open)
    defer { source.stop() }
    #expect(waitForName())
    let call = [
      "gdbus", "call", "--address", open.address, "-d", Self.name, "-o", Self.path, "-m",
      "org.freedesktop.Application.Open", "['beacon://1']", "{}",
    ]
    // What a stranger says is not even read: this is more than a message may have for us
    let deep = "{'x': " + String(repeating: "<", count: 24) + "1" + String(repeating: ">", count: 24) + "}"
    for call in [call, Array(call.dropLast()) + [deep]] {
      let answer = try run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + call)
      #expect(answer.contains("AccessDenied"), "\(answer)")
    }
    #expect(try run(Array(call.dropLast()) + [deep]).contains("LimitsExceeded"))
    #expect(requests.isEmpty)
    #expect(try run(call).hasPrefix("()"))
    #expect(requests.count == 1)
  }

  @Test("A launcher's action arrives with what the program had written to it; an unknown one is refused, and said")
  func actions() throws {
    let source = try start()
    defer { source.stop() }
    #expect(waitForName())
    let call = [
      "gdbus", "call", "--address", daemon.address, "-d", Self.name, "-o", Self.path, "-m",
      "org.freedesktop.Application.ActivateAction",
    ]
    #expect(try run(call + ["compose", "[]", "{'desktop-startup-id': <'a_TIME3'>}"]).hasPrefix("()"))
    #expect(requests.map(\.shortcut) == Self.items && requests.first?.token == "a_TIME3")
    #expect(requests.first?.sender?.process != nil)
    let answer = try run(call + ["none", "[]", "{}"])
    #expect(answer.contains(InstanceInterface.Failure.noSuchAction), "\(answer)")
    #expect(host.messages.contains { $0.contains("no action \"none\"") }, "\(host.messages)")
    #expect(requests.count == 1)
  }

  @MainActor private final class Items {
    var list = InstanceTests.items
  }

  @Test("Items that the program sets while it runs are performed, and those that it has removed are not")
  func changedActions() throws {
    let items = Items()
    let source = BusSource(environment: daemon.environment) { _ in }
    source.instance = {
      InstanceDescription(
        identifier: Self.name, display: ":5", schemes: [], shortcuts: items.list, isOneOfMany: false)
    }
    source.start(host)
    host.passTime()
    defer { source.stop() }
    #expect(waitForName())
    items.list = [ApplicationShortcutItem(type: "reply", localizedTitle: "Reply")]
    let bus = try connect()
    func perform(_ name: String) -> Result<[BusValue], BusFailure>? {
      call(
        bus, "org.freedesktop.Application", "ActivateAction",
        [.string(name), .array(of: "v", []), .options([:])])
    }
    #expect((try? perform("reply")?.get()) != nil && requests.map(\.shortcut) == items.list)
    #expect(errorName(perform("compose")) == InstanceInterface.Failure.noSuchAction && requests.count == 1)
  }

  @Test("A caller that has gone meanwhile is heard where only the user can have been there, and nowhere else")
  func gone() async throws {
    for isOpen in [false, true] {
      let bus = isOpen ? try await PrivateBus(forAllUsers: true) : daemon
      let host = isOpen ? TestHost() : host
      let source = try start(on: host, bus: bus)
      defer { source.stop() }
      #expect(waitForName(on: host))
      let folder = try TemporaryFolder()
      let script = try folder.write(
        "leave.py",
        """
        import dbus
        import dbus.lowlevel
        bus = dbus.bus.BusConnection('\(bus.address)')
        message = dbus.lowlevel.MethodCallMessage('\(Self.name)', '\(Self.path)', 'org.freedesktop.Application', 'Open')
        message.append(['beacon://gone'], {}, signature='asa{sv}')
        message.set_no_reply(True)
        bus.send_message(message)
        bus.flush()
        """)
      let process = try ChildProcess(
        ["/usr/bin/python3", script], environment: try privateEnvironment(home: folder, display: nil),
        output: folder.file("out"), errors: folder.file("out"))
      #expect(try await process.wait() == .exited(0), "\(text(of: folder.file("out")))")
      // The bus has seen it go: a question now is later than that.
      try await bus.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.GetId")
      let heard = { host.events.contains { if case .request = $0 { true } else { false } } }
      #expect(host.turn { heard() || host.messages.contains { $0.hasPrefix("refused") } })
      #expect(heard() != isOpen, "\(host.messages)")
    }
    #expect(requests.first?.urls.map(\.absoluteString) == ["beacon://gone"])
    #expect(requests.first?.sender == .init())
  }

  @Test("A folder that only its owner may enter closes all that is in it")
  func folders() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a/b/socket", "")
    #expect(BusPeer.isClosed(file))
    chmod(folder.path, 0o755)
    #expect(!BusPeer.isClosed(file))
    chmod(folder.file("a/b"), 0o740)
    #expect(BusPeer.isClosed(file))
    chmod(folder.file("a/b"), 0o710)
    #expect(!BusPeer.isClosed(file))
    #expect(!BusPeer.isClosed(folder.file("none")))
  }
}
