import DeskSupport
import Glibc
import ProsceniumCore
import SourceSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// What the tests of the bus need.
enum BusRequirement {
  static var isMet: Bool { mustNotSkip || (PrivateBus.isInstalled && BusLibrary.shared != nil) }
}

extension PrivateBus {
  /// Another program on the bus, which has a name: it takes it from its owner, and gives it up to whoever wants it.
  ///
  /// It answers calls from its first moment on.
  @MainActor func peer(
    named name: String, _ host: TestHost, answering: (@MainActor (Bus, BusMessage) -> BusAnswer?)? = nil
  ) throws -> Bus {
    let bus = try #require(Bus(.session, environment: environment, host: host))
    if let answering { bus.requestHandler = { [weak bus] call in bus.flatMap { answering($0, call) } } }
    bus.connect()
    var isOwner = false
    // DBUS_NAME_FLAG_ALLOW_REPLACEMENT and DBUS_NAME_FLAG_REPLACE_EXISTING.
    bus.call(BusDaemon.name, BusDaemon.member("RequestName"), [.string(name), .uint32(3)]) { _ in isOwner = true }
    try #require(host.turn { isOwner })
    return bus
  }
}

/// A connection over a real dbus-daemon.
@MainActor @Suite("Bus", .serialized, .enabled(if: BusRequirement.isMet)) struct BusTests {
  private static let echo = BusMember(path: "/echo", interface: "test.Echo", name: "Echo")
  private let host = TestHost()
  private let daemon: PrivateBus

  init() async throws { daemon = try await PrivateBus() }

  private func connect(_ daemon: PrivateBus? = nil) throws -> Bus {
    let bus = try #require(Bus(.session, environment: (daemon ?? self.daemon).environment, host: host))
    bus.connect()
    return bus
  }

  /// Two connections: what one answers the other hears.
  private func call(_ bus: Bus, _ destination: String, _ member: BusMember, _ values: [BusValue] = []) -> Result<
    [BusValue], BusFailure
  >? {
    var result: Result<[BusValue], BusFailure>?
    bus.call(destination, member, values) { result = $0 }
    _ = host.turn { result != nil }
    return result
  }

  private func name(of bus: Bus) throws -> String {
    let member = BusMember(path: "/", interface: "org.freedesktop.DBus", name: "GetId")
    _ = call(bus, "org.freedesktop.DBus", member)
    let owned = BusMember(path: "/", interface: "org.freedesktop.DBus", name: "RequestName")
    let unique = "test.name\(UInt.random(in: 0..<(.max)))"
    _ = call(bus, "org.freedesktop.DBus", owned, [.string(unique), .uint32(0)])
    return unique
  }

  @Test("Values of every type arrive as they were sent, nested ones too")
  func values() throws {
    let (server, client) = (try connect(), try connect())
    server.requestHandler = { call in
      guard call.member.name == "Echo" else { return nil }
      return { $0.give(.success(call.values ?? [])) }
    }
    let name = try name(of: server)
    let values: [BusValue] = [
      .whole(255, code: "y"), .bool(true), .whole(-2, code: "n"), .whole(3, code: "q"),
      .whole(Int128(Int32.min), code: "i"), .uint32(.max), .whole(Int128(Int64.min), code: "x"),
      .whole(Int128(UInt64.max), code: "t"), .double(-0.5), .string("Grüße 👋"), .objectPath("/a/b_1"),
      .signature("a{sv}"), .array(of: "s", []),
      .array(of: "(is)", [.structure([.whole(1, code: "i"), .string("")])]),
      .options(["a": .string("b"), "c": .array(of: "v", [.variant(.variant(.bool(false)))])]),
      .dictionary(key: "u", value: "as", [.uint32(7): .array(of: "s", [.string("x")])]),
    ]
    #expect(call(client, name, Self.echo, values) == .success(values))
    // And a file: another descriptor for it
    var pipes: [Int32] = [0, 0]
    #expect(pipe(&pipes) == 0)
    let (reader, writer) = (BusDescriptor(Descriptor(owning: pipes[0])), BusDescriptor(Descriptor(owning: pipes[1])))
    let answer = call(client, name, Self.echo, [.descriptor(writer)])
    guard case .success(let values)? = answer, case .descriptor(let other)? = values.first else {
      Issue.record("\(String(describing: answer))")
      return
    }
    #expect(write(other.descriptor.number, "x", 1) == 1)
    var byte: UInt8 = 0
    #expect(read(reader.descriptor.number, &byte, 1) == 1)
    #expect(byte == UInt8(ascii: "x"))
  }

  @Test("A call without a receiver fails with what the bus says; one that cannot be sent fails too")
  func failures() throws {
    let bus = try connect()
    guard case .failure(let failure)? = call(bus, "test.nobody", Self.echo) else {
      Issue.record("an answer without a receiver")
      return
    }
    #expect(failure.name == "org.freedesktop.DBus.Error.ServiceUnknown")
    for value in [BusValue.string("a\0b"), .objectPath("none"), .signature("{"), .array(of: "?", [])] {
      #expect(call(bus, "org.freedesktop.DBus", Self.echo, [value]) == .failure(.disconnected))
    }
    let name = try name(of: bus)
    bus.requestHandler = { _ in { $0.give(.failure(BusFailure(name: "test.No", message: "not today"))) } }
    let other = try connect()
    #expect(call(other, name, Self.echo) == .failure(BusFailure(name: "test.No", message: "not today")))
    bus.requestHandler = nil
    guard case .failure(let unknown)? = call(other, name, Self.echo) else {
      Issue.record("an answer without a receiver")
      return
    }
    #expect(unknown.name.hasPrefix("org.freedesktop.DBus.Error.Unknown"))
  }

  @Test("An answer that has come while the thread stood still counts, though the limit is over")
  func lateTurn() throws {
    let bus = try connect()
    let identity = BusDaemon.member("GetId")
    #expect(call(bus, BusDaemon.name, identity) != nil && host.settle())
    var result: Result<[BusValue], BusFailure>?
    bus.call(BusDaemon.name, identity, timeout: .milliseconds(100)) { result = $0 }
    let end = ContinuousClock.now + .seconds(60)
    while host.readableCount == 0, ContinuousClock.now < end { usleep(1000) }
    // The loop lets deadlines pass before it hears
    host.passTime()
    guard case .success? = result else {
      Issue.record("\(String(describing: result))")
      return
    }
  }

  @Test("A message that is too large, or too deep, is refused, and the next one heard")
  func limits() throws {
    let (server, client) = (try connect(), try connect())
    server.requestHandler = { call in
      let failure = BusFailure.standard("LimitsExceeded", "too much")
      return { $0.give(call.values == nil ? .failure(failure) : .success([])) }
    }
    let name = try name(of: server)
    let giant = String(repeating: "x", count: BusReader.budget + 1)
    let many = BusValue.array(of: "y", Array(repeating: .whole(0, code: "y"), count: BusReader.budget + 1))
    let deep = (0..<20).reduce(BusValue.whole(1, code: "y")) { value, _ in .variant(value) }
    // Swift compares texts by their normal form, which takes a time that grows with the square of the marks in a row.
    let marks = String(repeating: "\u{323}\u{301}", count: 51)
    let named = BusValue.options(["a" + marks: .string("")])
    for value in [.string(giant), many, deep, .string(marks), .string("a" + marks + "b"), named] {
      guard case .failure(let failure)? = call(client, name, Self.echo, [value]) else {
        Issue.record("taken")
        continue
      }
      #expect(failure.name == "org.freedesktop.DBus.Error.LimitsExceeded")
    }
    let letters = String(repeating: "e" + String(repeating: "\u{323}\u{301}", count: 50), count: 9)
    for text in ["x", letters, String(repeating: "\u{4E00}\u{1F600}", count: 5000)] {
      #expect(call(client, name, Self.echo, [.string(text)]) == .success([]))
    }
  }

  @Test("A signal counts only from the owner of the name, whichever connection it is sent to")
  func senders() async throws {
    let bus = try connect()
    let member = BusMember(path: "/p", interface: "test.Signals", name: "Said")
    var heard: [[BusValue]] = []
    bus.subscribe(BusRule(sender: "test.Owner", interface: "test.Signals", name: "Said")) { heard.append($0.values) }
    let owner = try connect()
    let unique = try #require(try? uniqueName(of: bus))
    // Not yet its owner; then another connection, to all and to us alone
    owner.emit(member, [.whole(1, code: "i")])
    try await daemon.emit("/p", "test.Signals.Said", "int32:2")
    try await daemon.emit("/p", "test.Signals.Said", "int32:3", to: unique)
    let request = BusMember(path: "/", interface: "org.freedesktop.DBus", name: "RequestName")
    _ = call(owner, "org.freedesktop.DBus", request, [.string("test.Owner"), .uint32(0)])
    #expect(host.turn { bus.hasOwner("test.Owner") })
    owner.emit(member, [.whole(4, code: "i")])
    #expect(host.turn { !heard.isEmpty })
    #expect(heard == [[.whole(4, code: "i")]])
  }

  /// Asked of the bus, which has it in no other answer.
  private func uniqueName(of bus: Bus) throws -> String {
    let name = try name(of: bus)
    let member = BusMember(path: "/", interface: "org.freedesktop.DBus", name: "GetNameOwner")
    guard case .success(let values)? = call(bus, "org.freedesktop.DBus", member, [.string(name)]) else {
      throw DeskFailure("no owner")
    }
    return values.first?.text ?? ""
  }

  /// How often something comes at most that comes after a pause, and each time after one that is three times as long.
  private func most(since start: ContinuousClock.Instant, firstAfter pause: Duration) -> Int {
    let time = ContinuousClock.now - start
    var (count, pause, sum) = (0, pause, pause)
    while sum <= time {
      pause = min(pause * 3, .seconds(5))
      (count, sum) = (count + 1, sum + pause)
    }
    return count
  }

  @Test("A bus that dies fails what is under way; back again, it is heard as before")
  func restart() async throws {
    let bus = try connect()
    var heard = 0
    var states: [Bool] = []
    bus.onConnection { states.append($0) }
    bus.subscribe(BusRule(sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", name: "NameAcquired")) {
      _ in
      heard += 1
    }
    #expect(host.turn { heard == 1 })
    for round in 1...2 {
      host.now += 60
      var result: Result<[BusValue], BusFailure>?
      bus.call("org.freedesktop.DBus", BusMember(path: "/", interface: "x.y", name: "Z")) { _ in }
      let start = ContinuousClock.now
      try await daemon.kill()
      #expect(host.turn { !bus.isConnected })
      bus.call("org.freedesktop.DBus", Self.echo) { result = $0 }
      #expect(host.turn { result == .failure(.disconnected) })
      // It looks again after 20, 60 and 180 milliseconds, and nothing spins.
      let wakeUps = host.wakeUps
      for _ in 0..<20 { host.turn(milliseconds: 5) }
      #expect(host.wakeUps - wakeUps <= 1 + most(since: start, firstAfter: .milliseconds(20)))
      try await daemon.restart()
      #expect(host.turn { bus.isConnected && heard == 1 + round })
    }
    #expect(states == [true, false, true, false, true])
    // Complained of once each time.
    #expect(host.messages.count == 2)
    #expect(host.reports.count == 2)
  }

  @Test("Without a bus nothing happens, and one that comes is found")
  func absent() async throws {
    try await daemon.kill()
    let bus = try connect()
    #expect(!bus.isConnected)
    try await daemon.restart()
    #expect(host.turn { bus.isConnected })
    #expect(Bus(.session, environment: [:], host: host) == nil)
  }

  @Test(
    "A folder of the bus that is made, removed or renamed later is found; other files beside it wake the program only briefly"
  )
  func folders() async throws {
    let folder = try TemporaryFolder()
    let place = folder.file("run/user")
    let bus = try #require(
      Bus(.session, environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(place)/bus"], host: host))
    bus.connect()
    // A machine without a bus is nothing to report
    #expect(host.reports == [] && host.messages.count == 1)
    func link() { #expect(symlink(daemon.path, place + "/bus") == 0) }
    for path in [folder.file("run"), place] {
      let wakeUps = host.wakeUps
      mkdir(path, 0o700)
      #expect(host.turn { host.wakeUps > wakeUps })
      #expect(host.settle())
    }
    // Many files, each heard of by itself, are looked at a few times
    let (before, start) = (host.wakeUps, ContinuousClock.now)
    for number in 0..<200 {
      _ = try folder.write("run/user/\(number)", "")
      host.turn(milliseconds: 1)
    }
    // Each look is two wake-ups: the change, and the end of the rest.
    #expect(host.wakeUps - before <= 4 + 2 * most(since: start, firstAfter: .milliseconds(100)))
    // Renamed and made again
    #expect(rename(place, folder.file("run/old")) == 0)
    mkdir(place, 0o700)
    link()
    #expect(host.turn { bus.isConnected })
    bus.disconnect()
    #expect(host.watched.isEmpty)
    #expect(host.reports == [])
  }

  @Test(
    "A bus whose socket is no file is looked for again and again, less and less, also while the program is suspended")
  func abstract() async throws {
    let name = "proscenium-\(UInt64.random(in: 0..<(.max)))"
    let bus = try #require(
      Bus(.session, environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:abstract=\(name)"], host: host))
    host.isSuspended = true
    bus.connect()
    // One report is enough for a bus that does not listen
    #expect(host.turn { host.wakeUps >= 4 })
    #expect(host.reports.count == 1 && !bus.isConnected)
    let other = try ChildProcess(
      ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=unix:abstract=\(name)"],
      environment: [:], output: "/dev/null", errors: "/dev/null")
    #expect(host.turn { bus.isConnected })
    bus.disconnect()
    other.send(SIGKILL)
    _ = try await other.wait()
    #expect(host.watched.isEmpty)
  }

  @Test("10,000 signals at once are all heard, and the loop turns in between")
  func flood() throws {
    let (bus, other) = (try connect(), try connect())
    let name = try name(of: other)
    let member = BusMember(path: "/p", interface: "test.Signals", name: "Said")
    var heard: [Int] = []
    bus.subscribe(BusRule(sender: name, interface: "test.Signals")) { heard.append($0.values.first?.integer ?? -1) }
    #expect(host.turn { bus.hasOwner(name) })
    for number in 0..<10_000 { other.emit(member, [.whole(Int128(number), code: "i")]) }
    var (before, most) = (0, 0)
    let isAll = host.turn {
      most = max(most, heard.count - before)
      before = heard.count
      return before >= 10_000
    }
    #expect(isAll)
    #expect(heard == Array(0..<10_000))
    // What is read, and what is left of the turn before.
    #expect(most <= 128)
  }

  @Test("A connection that is closed within its own message is closed once that is handled")
  func closedWithin() throws {
    let bus = try connect()
    bus.onConnection { _ in }
    var isAnswered = false
    bus.call("org.freedesktop.DBus", BusMember(path: "/", interface: "org.freedesktop.DBus", name: "GetId")) { _ in
      isAnswered = true
      bus.disconnect()
    }
    #expect(host.turn { isAnswered })
    #expect(!bus.isConnected)
    #expect(host.watched.isEmpty)
  }
}
