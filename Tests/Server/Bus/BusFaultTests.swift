import DeskSupport
import Glibc
import ProsceniumCore
import SourceSupport
import TestSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// Whatever happens between a program and its bus, and whatever the bus says: no crash, nothing that spins, and what
/// can be had again is.
@MainActor @Suite("Faults on the way to the bus", .serialized, .enabled(if: BusRequirement.isMet))
struct BusFaultTests {
  private static let name = "org.freedesktop.DBus"
  private static let identity = BusMember(path: "/", interface: name, name: "GetId")
  /// FAULT_SEEDS is how many runs, TEST_SEED the seed of the first.
  private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
  private static let seeds = Int(number("FAULT_SEEDS") ?? 8)
  private static let firstSeed = testSeed(1)

  private let host = TestHost()
  private let daemon: PrivateBus

  init() async throws { daemon = try await PrivateBus() }

  private func connect(_ proxy: BusProxy) throws -> Bus {
    let bus = try #require(Bus(.session, environment: proxy.environment, host: host))
    bus.connect()
    return bus
  }

  /// Asks the bus something; nil where there is no answer, whether a result or an error.
  private func ask(_ bus: Bus) -> Result<[BusValue], BusFailure>? {
    var result: Result<[BusValue], BusFailure>?
    bus.call(Self.name, Self.identity) { result = $0 }
    _ = host.turn { result != nil }
    return result
  }

  /// Whether it is answered well, at once or once it has connected again; what has gone wrong before is long ago then.
  private func works(_ bus: Bus) -> Bool {
    defer { host.now += 60 }
    for _ in 0..<10 {
      guard host.turn(until: { bus.isConnected }), let result = ask(bus) else { return false }
      if case .success = result { return host.settle() }
    }
    return false
  }

  @Test(
    "Late, in pieces and in heaps everything is heard",
    arguments: [
      Faults(delay: .milliseconds(20)), Faults(gathering: .milliseconds(20)), Faults(pieces: [1]),
      Faults(pieces: [3, 1, 100]), Faults(delay: .milliseconds(2), gathering: .milliseconds(5), pieces: [1, 16, 15]),
    ])
  func slow(_ faults: Faults) throws {
    let proxy = try BusProxy(to: daemon, faults)
    defer { withExtendedLifetime(proxy) {} }
    let bus = try connect(proxy)
    var heard = 0
    bus.subscribe(BusRule(sender: Self.name, interface: Self.name, name: "NameAcquired")) { _ in heard += 1 }
    for _ in 0..<5 {
      guard case .success(let values)? = ask(bus) else {
        Issue.record("no answer: \(host.messages)")
        return
      }
      #expect(values.first?.text?.count == 32)
    }
    // Its unique name.
    #expect(heard == 1)
    #expect(host.settle())
    #expect(host.messages.isEmpty)
  }

  @Test("Cut at any byte, of the authentication and after it: the question fails, and the next connection works")
  func cut() throws {
    // Given what a connection needs
    let proxy = try BusProxy(to: daemon)
    let first = try connect(proxy)
    #expect(works(first))
    let counts = proxy.counts
    first.disconnect()
    #expect((20...200).contains(counts.authentication) && counts.messages >= 2)
    var cuts = [0, 1, counts.authentication].map { Faults.Cut(.toClient, after: $0) } + [.init(.toServer, after: 0)]
    var random = SeededNumbers(Self.firstSeed)
    for _ in 0..<2 * Self.seeds {
      cuts.append(.init(.toClient, after: .random(in: 0..<counts.authentication, using: &random)))
      cuts.append(.init(.toClient, after: .random(in: counts.authentication..<counts.bytes.toClient, using: &random)))
      cuts.append(.init(.toServer, after: .random(in: 0..<counts.bytes.toServer, using: &random)))
    }
    for cut in cuts {
      // When it is cut before all is said
      proxy.faults = Faults(cut: cut)
      let bus = try connect(proxy)
      let result = try #require(ask(bus), "\(cut)")
      if case .success = result { #expect(cut.bytes > counts.authentication, "\(cut)") }
      #expect(host.turn { !bus.isConnected || proxy.counts.bytes.toClient > 0 }, "\(cut)")
      // Then the next one is as good as ever
      proxy.faults = Faults()
      proxy.cut()
      #expect(works(bus), "\(cut)")
      bus.disconnect()
    }
    #expect(host.watched.isEmpty)
  }

  @Test("A bus that accepts every connection and then closes it is asked less and less, and found once it is well")
  func turnsOut() throws {
    let proxy = try BusProxy(to: daemon, Faults(cut: .init(.toClient, after: 0)))
    let bus = try connect(proxy)
    #expect(host.turn { proxy.connections >= 3 && !bus.isConnected })
    _ = host.turn(seconds: 1) { false }
    #expect(proxy.connections <= 6)
    #expect(host.wakeUps <= 3 * proxy.connections)
    proxy.faults = Faults()
    #expect(works(bus))
  }

  /// An engine of the window system that is never there.
  private final class NoEngine: WindowSystemEngine {
    var isThere: Bool { false }
    var isForgetting: Bool { false }
    func start(
      _ server: InputMethodServer, host: any SystemHost, _ post: @escaping @MainActor (InputMethodEvent) -> Void
    ) {}
    func stop() {}
    func focus(_ text: FocusedText?) {}
    func update(_ text: FocusedText) {}
    func reset() {}
    func process(_ key: Key, time: UInt32, number: Int) {}
  }

  @Test("An input method's daemon that accepts every connection and then closes it is asked less and less")
  func inputMethodTurnsOut() throws {
    let proxy = try BusProxy(to: daemon, Faults(cut: .init(.toClient, after: 0)))
    let source = InputMethodSource { ["IBUS_ADDRESS": proxy.address, "XMODIFIERS": "@im=ibus"] }
    source.start(host)
    source.focus(FocusedText())
    #expect(host.turn { source.ibus != nil })
    weak let first = source.ibus?.bus
    #expect(host.turn { proxy.connections >= 3 && source.ibus == nil })
    // None is kept.
    #expect(first == nil)
    _ = host.turn(seconds: 1) { false }
    #expect(proxy.connections <= 6)
    proxy.faults = Faults()
    #expect(host.turn { source.ibus != nil && proxy.counts.messages > 2 })
    source.stop()
    #expect(host.watched.isEmpty)
  }

  @Test("While a slow bus has not said whether Fcitx is there, the window system's engine is not looked for")
  func slowInputMethod() throws {
    let fcitx = try daemon.peer(named: "org.fcitx.Fcitx5", host)
    var isAsked = false
    fcitx.requestHandler = { _ in
      isAsked = true
      return { $0.refuse("Failed", "a test's") }
    }
    // Its authentication alone takes longer than the patience.
    let proxy = try BusProxy(to: daemon, Faults(delay: .milliseconds(200)))
    let bus = try connect(proxy)
    let (source, engine) = (InputMethodSource { ["XMODIFIERS": "@im=fcitx", "DISPLAY": ":5"] }, NoEngine())
    source.windowSystem = engine
    source.start(host)
    source.use(bus)
    source.focus(FocusedText())
    #expect(host.turn { isAsked })
    #expect(!source.followsWindowSystem)
    // It is once Fcitx has refused
    #expect(host.turn { source.followsWindowSystem })
    source.stop()
  }

  @Test("A connection that is lost while the bus goes on listening is made again, and all that was subscribed to")
  func cutWhileListening() throws {
    let proxy = try BusProxy(to: daemon)
    let bus = try connect(proxy)
    var heard = 0
    bus.subscribe(BusRule(sender: Self.name, interface: Self.name, name: "NameAcquired")) { _ in heard += 1 }
    for round in 1...2 {
      #expect(host.turn { heard == round })
      proxy.cut()
      #expect(host.turn { !bus.isConnected })
    }
    #expect(host.turn { heard == 3 })
  }

  @Test(
    "Garbage within the authentication",
    arguments: [
      "\0", "\n", "\r\n", "ERROR\r\n", "REJECTED EXTERNAL\r\n", "OK\r\n", "OK nonsense\r\n", "DATA\r\nDATA\r\nDATA\r\n",
      "BEGIN\r\n", "l\u{1}\u{2}\u{3}", "\u{FFFF}\u{FFFF}\u{FFFF}\u{FFFF}\u{FFFF}\u{FFFF}",
      String(repeating: "x", count: 100_000), String(repeating: "DATA\r\n", count: 20_000),
    ])
  func greeting(_ text: String) throws {
    let proxy = try BusProxy(to: daemon)
    proxy.greeting = Array(text.utf8)
    let bus = try connect(proxy)
    // However it goes on: nothing spins.
    var result: Result<[BusValue], BusFailure>?
    bus.call(Self.name, Self.identity) { result = $0 }
    _ = host.turn(seconds: 1) { result != nil }
    #expect(host.settle())
    #expect(proxy.connections <= 6)
    proxy.greeting = []
    proxy.cut()
    #expect(works(bus))
  }

  @Test("What no bus says: it is not believed, or the connection is made anew")
  func rubbish() throws {
    let proxy = try BusProxy(to: daemon)
    let bus = try connect(proxy)
    var heard: [BusSignal] = []
    bus.subscribe(BusRule(sender: "test.Owner", interface: "test.Signals")) { heard.append($0) }
    #expect(works(bus))
    for bytes in Self.rubbish {
      // While a question is open.
      bus.call(Self.name, Self.identity) { _ in }
      proxy.say(bytes)
      #expect(works(bus), "\(bytes.prefix(300))")
    }
    #expect(heard.isEmpty)
  }

  private static var rubbish: [[UInt8]] {
    let long = RawBusMessage.long, text = RawBusMessage.text
    var messages: [RawBusMessage] = []
    // Signals of the bus with other values than they have: too few, of other types, too large, none that fit the
    // signature
    let owner = text("test.Owner")
    for (signature, body) in [
      ("", []), ("s", owner), ("u", long(7)), ("uuu", long(1) + long(2) + long(3)), ("s", []), ("sss", owner),
      ("as", long(1 << 20)), ("v", [1, UInt8(ascii: "s"), 0, 0]), ("y", [0]), ("h", long(0)),
      ("s", text(String(repeating: "x", count: 3 << 20))), ("s", long(0xffff_fff0)), ("a{sv}", long(0)),
      (String(repeating: "a", count: 255), long(0)), ("(((((", long(0)), ("sss", text("\u{FFFF}")),
    ] as [(String, [UInt8])] {
      messages.append(RawBusMessage(signal: "NameOwnerChanged", signature, body))
    }
    // Answers and errors that no call waits for, or that are no answers
    for kind in [RawBusMessage.Kind.answer, .error] {
      for serial in [nil, 0, 1, 2, 0xffff_ffff] as [UInt32?] {
        var message = RawBusMessage(kind)
        message.replySerial = serial
        message.errorName = kind == .error && serial != 2 ? "test.Error" : nil
        message.sender = name
        message.signature = "u"
        message.body = long(5)
        messages.append(message)
      }
    }
    var call = RawBusMessage(.call)
    call.path = "/no/such/object"
    call.member = "Method"
    call.sender = ":1.999"
    messages.append(call)
    call.path = "no path"
    messages.append(call)
    call.path = nil
    messages.append(call)
    var signal = RawBusMessage(signal: "NameOwnerChanged", "", [])
    signal.descriptors = 3
    messages.append(signal)
    signal.descriptors = nil
    signal.serial = 0
    messages.append(signal)
    signal.serial = 1
    signal.sender = "no:name"
    messages.append(signal)
    let garbage: [[UInt8]] = [
      [0], Array(repeating: 0xff, count: 100), Array(repeating: 0, count: 4096),
      Array("OK nonsense\r\n".utf8), Array("l\u{4}\u{1}\u{1}".utf8) + Array(repeating: 0xff, count: 12),
    ]
    return messages.map(\.bytes) + garbage
  }

  @Test("Answers to open questions that have other types than they should: the sources ask on, and say nothing wrong")
  func wrongAnswers() async throws {
    let proxy = try BusProxy(to: daemon, Faults(delay: .milliseconds(30)))
    for signature in ["", "u", "s", "o", "v", "as", "h"] {
      let host = TestHost()
      let source = BusSource(environment: proxy.environment) { _ in }
      source.start(host)
      host.passTime()
      #expect(host.turn { proxy.counts.messages > 4 })
      for serial in UInt32(1)...80 {
        var message = RawBusMessage(.answer)
        message.replySerial = serial
        message.sender = Self.name
        message.signature = signature
        // As well as it fits.
        message.body = signature == "s" || signature == "o" ? RawBusMessage.text("/") : [0, 0, 0, 0]
        proxy.say(message.bytes)
      }
      // As often as there are bursts of them in the late bus's heaps.
      for _ in 0..<20 { host.turn(milliseconds: 10) }
      #expect(host.events.isEmpty)
      #expect(host.settle())
      source.stop()
      #expect(host.watched.isEmpty)
    }
  }

  @Test("A descriptor that is lost on the way takes its message with it, and nothing else")
  func lostDescriptor() throws {
    let proxy = try BusProxy(to: daemon)
    let (server, client) = (
      try connect(proxy), try #require(Bus(.session, environment: daemon.environment, host: host))
    )
    client.connect()
    var asked = 0
    server.requestHandler = { _ in
      asked += 1
      return { $0.give(.success([])) }
    }
    let request = BusMember(path: "/", interface: Self.name, name: "RequestName")
    var isOwner = false
    server.call(Self.name, request, [.string("test.Taker"), .uint32(0)]) { _ in isOwner = true }
    #expect(host.turn { isOwner })
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let (reader, writer) = (BusDescriptor(Descriptor(owning: ends[0])), BusDescriptor(Descriptor(owning: ends[1])))
    var result: Result<[BusValue], BusFailure>?
    let member = BusMember(path: "/", interface: "test.Taker", name: "Take")
    client.call("test.Taker", member, [.descriptor(reader), .descriptor(writer)], timeout: .milliseconds(300)) {
      result = $0
    }
    #expect(host.turn { result != nil })
    #expect(asked == 0)
    #expect(works(server))
    #expect(works(client))
  }

  @Test("Random messages and random bytes, in pieces or not: it works again, and nothing spins")
  func seeds() throws {
    for seed in (0..<UInt64(Self.seeds)).map({ Self.firstSeed + $0 }) {
      var random = SeededNumbers(seed)
      let proxy = try BusProxy(to: daemon, Faults(pieces: [[], [1], [13, 1]][Int.random(in: 0...2, using: &random)]))
      let bus = try connect(proxy)
      for _ in 0..<8 {
        #expect(works(bus), "TEST_SEED=\(seed)")
        for _ in 0..<Int.random(in: 1...10, using: &random) { proxy.say(Self.message(using: &random)) }
      }
      #expect(works(bus), "TEST_SEED=\(seed)")
      // 20 ms, three times as long each time.
      #expect(proxy.connections < 12, "TEST_SEED=\(seed)")
      bus.disconnect()
    }
  }

  /// A message of anything, now and then with a byte of it changed.
  private static func message(using random: inout SeededNumbers) -> [UInt8] {
    func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &random) ? value : nil }
    var message = RawBusMessage(RawBusMessage.Kind.allCases.randomElement(using: &random) ?? .signal)
    message.replySerial = maybe(UInt32.random(in: 0...30, using: &random))
    message.path = maybe("/a")
    message.interface = maybe(name)
    message.member = maybe("NameOwnerChanged")
    message.errorName = maybe("test.Error")
    message.sender = maybe(name)
    message.signature = String(
      (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
        "ybnqiuxtdsoghv(){}a".randomElement(using: &random)
      })
    message.body = (0..<Int.random(in: 0...64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    var bytes = message.bytes
    // Not its lengths: what follows would be taken for the rest of it, and that is what it would be.
    let place = Int.random(in: bytes.indices, using: &random)
    if Int.random(in: 0..<10, using: &random) == 0, !(4..<8).contains(place), !(12..<16).contains(place) {
      bytes[place] = UInt8.random(in: 0...255, using: &random)
    }
    return bytes
  }
}
