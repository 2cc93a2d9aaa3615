import DeskSupport
import FoundationEssentials
import Glibc
import ProsceniumCore
import ProsceniumJSON
import SourceSupport
import SuiteSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// Activities that programs of one developer continue from one another, over a real dbus-daemon.
@MainActor @Suite("Handoff over the bus", .serialized, .enabled(if: BusRequirement.isMet)) struct HandoffTests {
  /// One program: what its framework is told, and its source.
  @MainActor private final class Side {
    let host = TestHost()
    let source: BusSource
    let name: String
    var handoff: HandoffSource { source.requested.handoff }

    init(
      _ name: String, _ bus: PrivateBus, types: Set<String> = [], processFolder: String = "/proc", awaits: Bool = false
    ) {
      self.name = name
      source = BusSource(environment: bus.environment, processFolder: processFolder) { _ in }
      source.instance = {
        var description = InstanceDescription(identifier: name, display: ":5", schemes: [], isOneOfMany: false)
        description.activityTypes = types
        description.awaitsRequest = awaits
        return description
      }
      source.start(host)
      // The wait for the first request would end, too.
      if !awaits { host.passTime() }
    }

    /// Lets happen what is due, and waits for the descriptors once.
    func step() {
      var turns = 0
      _ = host.turn {
        turns += 1
        return turns > 1
      }
    }

    var hasName: Bool { host.messages.contains("name: \(name)") }
    var handoffs: [HandoffEvent] { host.events.compactMap { if case .handoff(let event) = $0 { event } else { nil } } }
    var activities: [IncomingRequest] {
      host.events.compactMap {
        if case .request(let request) = $0, request.activity != nil { request } else { nil }
      }
    }

    /// The questions that the program is asked.
    var questions: [Int] { handoffs.compactMap { if case .asked(_, let question) = $0 { question } else { nil } } }
  }

  private static let reader = "org.example.Reader"
  private static let writer = "org.example.Writer"
  private static let offered = reader + ".Handoff"
  private static let offer = HandoffOffer(identifier: "one", activityType: "edit", title: "Page 3")

  private let daemon: PrivateBus
  /// The connection of a panel, or of a program that is none of ours.
  private let outside = TestHost()

  init() async throws { daemon = try await PrivateBus() }

  private static var activity: StoredActivity {
    var activity = StoredActivity(activityType: "edit")
    activity.userInfo = ["page": .int(3)]
    return activity
  }

  private func connect() throws -> Bus {
    let bus = try #require(Bus(.session, environment: daemon.environment, host: outside))
    bus.connect()
    return bus
  }

  /// Turns the loops of all until something is true.
  private func wait(_ sides: Side..., seconds: Int = 60, until condition: () -> Bool) -> Bool {
    outside.turn(seconds: seconds) {
      for side in sides { side.step() }
      return condition()
    }
  }

  private func call(
    _ bus: Bus, _ name: String, _ member: BusMember, _ values: [BusValue], _ sides: Side...
  ) -> Result<[BusValue], BusFailure>? {
    var result: Result<[BusValue], BusFailure>?
    bus.call(name, member, values) { result = $0 }
    _ = outside.turn {
      for side in sides { side.step() }
      return result != nil
    }
    return result
  }

  private func errorName(_ result: Result<[BusValue], BusFailure>?) -> String {
    guard case .failure(let failure)? = result else { return "none" }
    return failure.name.replacing("org.freedesktop.DBus.Error.", with: "")
  }

  /// The names on the bus for what programs offer.
  private func names() async throws -> [String] {
    let all = try await daemon.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.ListNames")
    return all.split(separator: "'").map(String.init).filter { $0.contains(".Handoff") }.sorted()
  }

  /// Has a program offer its activity, and waits until others can see it.
  private func offers(_ side: Side) async throws {
    side.handoff.offer(Self.offer)
    try await sees([side.name + ".Handoff"], side)
  }

  private func sees(_ expected: [String], _ sides: Side...) async throws {
    for _ in 0..<4000 {
      // Several answers of the bus are one question of gdbus.
      for side in sides { for _ in 0..<20 { side.step() } }
      if try await names() == expected { return }
    }
    #expect(try await names() == expected)
  }

  private func list(_ side: Side, _ types: Set<String> = ["edit"], _ others: Side...) -> [HandoffListing]? {
    var found: [HandoffListing]?
    side.handoff.list(types) { found = $0 }
    _ = outside.turn {
      for side in [side] + others { side.step() }
      return found != nil
    }
    return found
  }

  /// As the writer sees it: both sides are of this process.
  private static let listing = listing(
    CallerApplication(folder: "/proc", ownIdentifier: writer).identifier(of: Int(getpid())))

  private static func listing(_ application: String?) -> HandoffListing {
    HandoffListing(name: offered, application: application, offer: offer)
  }

  // MARK: Offers

  @Test("Nothing is on the bus before an activity is offered, and nothing afterwards; in between others find it")
  func offered() async throws {
    let (reader, writer) = (Side(Self.reader, daemon), Side(Self.writer, daemon, types: ["edit"]))
    #expect(wait(reader, writer) { reader.hasName && writer.hasName })
    let bus = try connect()
    func objects() -> String {
      let member = BusMember(path: "/org", interface: "org.freedesktop.DBus.Introspectable", name: "Introspect")
      return (try? call(bus, Self.reader, member, [], reader)?.get())?.first?.text ?? ""
    }
    #expect(try await names() == [] && !objects().contains("proscenium"))
    #expect(list(writer, ["edit"], reader) == [])
    try await offers(reader)
    #expect(objects().contains("proscenium"))
    #expect(list(writer, ["edit"], reader) == [Self.listing])
    // Of the types that are asked for, and not one's own.
    #expect(list(writer, ["read"], reader) == [] && list(reader) == [])
    // Another title is told to those who listen.
    var changes: [BusSignal] = []
    bus.subscribe(
      BusRule(sender: Self.offered, path: HandoffInterface.path, interface: BusObjects.properties)
    ) { changes.append($0) }
    let id = BusDaemon.member("GetId")
    _ = call(bus, BusDaemon.name, id, [])
    var next = Self.offer
    next.title = "Page 4"
    reader.handoff.offer(next)
    #expect(wait(reader) { changes.count == 1 })
    #expect(changes.first?.values[1].properties?["Title"] == .string("Page 4"))
    #expect(list(writer, ["edit"], reader)?.first?.offer.title == "Page 4")
    reader.handoff.offer(nil)
    try await sees([], reader)
    #expect(list(writer, ["edit"], reader) == [] && !objects().contains("proscenium"))
    #expect(writer.host.events.isEmpty && reader.host.events.isEmpty)
    // What has been given may be continued after that; then the object goes, too.
    try await offers(reader)
    let result = take(writer, reader) {
      $0.handoff.answer($0.questions.last ?? 0, with: .success(Self.activity))
      $0.handoff.offer(nil)
    }
    #expect(failure(result) == nil && wait(reader, writer) { reader.handoffs.last == .continued(identifier: "one") })
    #expect(wait(reader, writer) { !objects().contains("proscenium") })
    reader.source.stop()
    writer.source.stop()
  }

  @Test("The bus gives the name again when it comes back, and takes it from a program that has died")
  func restart() async throws {
    let (reader, writer) = (Side(Self.reader, daemon), Side(Self.writer, daemon, types: ["edit"]))
    #expect(wait(reader, writer) { reader.hasName && writer.hasName })
    try await offers(reader)
    try await daemon.kill()
    try await daemon.restart()
    #expect(
      wait(reader, writer) {
        reader.host.messages.count { $0.hasPrefix("name: ") } == 2
          && writer.host.messages.count { $0.hasPrefix("name: ") } == 2
      })
    try await sees([Self.offered], reader)
    #expect(list(writer, ["edit"], reader) == [Self.listing])
    reader.source.stop()
    #expect(list(writer) == [])
    writer.source.stop()
  }

  // MARK: Continuing

  /// Lets a program take an activity: whether it has been told that, and when its end is known.
  private func take(
    _ side: Side, _ others: Side..., listing: HandoffListing = listing, answer: (Side) -> Void = { _ in }
  ) -> Result<Void, DesktopFailure>? {
    var result: Result<Void, DesktopFailure>?
    var answered = 0
    side.handoff.take(listing) { result = $0 }
    _ = outside.turn {
      for side in [side] + others { side.step() }
      for side in others where side.questions.count > answered {
        answered += 1
        answer(side)
      }
      return result != nil
    }
    return result
  }

  private func failure(_ result: Result<Void, DesktopFailure>?) -> String? {
    if case .failure(let failure)? = result { failure.description } else { nil }
  }

  @Test("The other program is asked at that moment, gives its activity, and hears that it is continued")
  func continued() async throws {
    let (reader, writer) = (Side(Self.reader, daemon), Side(Self.writer, daemon, types: ["edit"]))
    try await offers(reader)
    let result = take(writer, reader) { $0.handoff.answer($0.questions.last ?? 0, with: .success(Self.activity)) }
    #expect(failure(result) == nil && result != nil)
    #expect(writer.activities.map(\.activity) == [.whole(Self.activity)])
    #expect(writer.activities.first?.sender == .init(process: Int(getpid()), application: Self.listing.application))
    #expect(wait(reader, writer) { reader.handoffs.last == .continued(identifier: "one") })
    #expect(reader.handoffs == [.asked(identifier: "one", question: 1), .continued(identifier: "one")])
    // What it does not give fails there, once, with its reason.
    let refused = take(writer, reader) {
      $0.handoff.answer($0.questions.last ?? 0, with: .failure(DesktopFailure("it is over")))
    }
    #expect(failure(refused)?.contains("it is over") == true)
    guard case .failed("edit", let reason)? = writer.activities.last?.activity else {
      Issue.record("\(writer.activities)")
      return
    }
    #expect(reason.contains("it is over") && writer.activities.count == 2)
    // An offer that has been replaced is none.
    var other = Self.listing
    other.offer.identifier = "two"
    #expect(failure(take(writer, reader, listing: other))?.contains("not offered") == true)
    #expect(reader.questions == [1, 2])
    reader.source.stop()
    writer.source.stop()
  }

  @Test("A program that ends, says nothing, or has ended, is a failure, after a limit")
  func dies() async throws {
    let (reader, writer) = (Side(Self.reader, daemon), Side(Self.writer, daemon, types: ["edit"]))
    try await offers(reader)
    // Says nothing: the limit is the taker's.
    #expect(failure(take(writer, reader))?.contains("no answer in time") == true)
    #expect(failure(take(writer, reader) { $0.source.stop() }) != nil)
    #expect(failure(take(writer))?.contains("offers it any more") == true)
    #expect(writer.activities.count == 3)
    #expect(
      writer.activities.allSatisfy { if case .failed("edit", _)? = $0.activity { true } else { false } })
    writer.source.stop()
  }

  /// Exports an object that lies, on a connection of its own, under a name.
  private func lie(
    as name: String, on bus: Bus, offer: [String: BusValue], answer: @escaping @MainActor (BusReply) -> Void
  ) -> BusObjects {
    let objects = BusObjects(bus: bus, host: outside)
    objects.export(HandoffInterface.path, interfaces: "") { call in
      call.member.name == "GetAll" ? { $0.give(.success([.options(offer)])) } : answer
    }
    _ = call(bus, BusDaemon.name, BusDaemon.member("RequestName"), [.string(name), .uint32(4)])
    return objects
  }

  /// What a program that lies gives.
  @MainActor private final class Answer {
    var values: [BusValue] = []
    var isAsked = false
    var kept: [BusReply] = []
  }

  @Test("What cannot be an offer is none, and what cannot be the activity is a failure")
  func lies() throws {
    let writer = Side(Self.writer, daemon, types: ["edit"])
    let good = HandoffInterface.properties(of: Self.offer)
    let giant = BusValue.string(String(repeating: "x", count: 5000))
    let bad: [(String, BusValue?)] = [
      ("Identifier", nil), ("Identifier", giant), ("Identifier", .string("")), ("Identifier", .bool(true)),
      ("ActivityType", nil), ("ActivityType", giant), ("ActivityType", .array(of: "s", [])),
      ("ActivityType", .string("")),
    ]
    for (key, value) in bad {
      let bus = try connect()
      var offer = good
      offer[key] = value
      let objects = lie(as: Self.offered, on: bus, offer: offer) { $0.give(.success([])) }
      #expect(list(writer) == [], "\(key)")
      withExtendedLifetime(objects) { bus.disconnect() }
    }
    // A title that cannot be shown is none.
    let bus = try connect()
    let answer = Answer()
    let offer = good.merging(["Title": giant]) { $1 }
    let objects = lie(as: Self.offered, on: bus, offer: offer) { $0.give(.success(answer.values)) }
    #expect(list(writer)?.map(\.offer.title) == [nil])
    var other = StoredActivity(activityType: "read")
    other.title = "x"
    let long = "{\"activityType\":\"edit\",\"title\":\"\(String(repeating: "x", count: 600_000))\"}"
    let answers: [[BusValue]] = [
      [], [.bool(true)], [.string("")], [.string("{}")], [.string(ActivityText.write(other) ?? "")], [.string(long)],
      [.string("{\"activityType\":\"edit\",\"userInfo\":3}")], [.string("a"), .string("b")],
    ]
    for (number, values) in answers.enumerated() {
      answer.values = values
      #expect(failure(take(writer)) != nil && writer.activities.count == number + 1, "\(number)")
    }
    withExtendedLifetime(objects) { writer.source.stop() }
  }

  /// Two programs, for which the system knows of processes what is in a folder.
  private func sides(_ folder: TemporaryFolder) -> (reader: Side, writer: Side) {
    (
      Side(Self.reader, daemon, processFolder: folder.path),
      Side(Self.writer, daemon, types: ["edit"], processFolder: folder.path)
    )
  }

  @Test("Names of other developers are not asked, and processes of their applications are neither heard nor believed")
  func strangers() async throws {
    let folder = try TemporaryFolder()
    let (reader, writer) = sides(folder)
    try await offers(reader)
    #expect(list(writer, ["edit"], reader) == [Self.listing(nil)])
    let own = "\(getpid())"
    let unit = "0::/user.slice/user@1000.service/app.slice/app-gnome-org.example2.Mail-42.scope\n"
    try folder.write(own + "/cgroup", unit)
    #expect(list(writer, ["edit"], reader) == [])
    #expect(failure(take(writer, reader)) != nil && reader.questions == [])
    let bus = try connect()
    let member = HandoffInterface.member("Take")
    #expect(errorName(call(bus, Self.offered, member, [.string("one")], reader)) == "AccessDenied")
    // One of the developer's own is one.
    try folder.write(own + "/cgroup", unit.replacing("org.example2", with: "org.example"))
    let found = Self.listing("org.example.Mail")
    #expect(list(writer, ["edit"], reader) == [found])
    _ = take(writer, reader) { $0.handoff.answer($0.questions.last ?? 0, with: .success(Self.activity)) }
    #expect(writer.activities.last?.sender == .init(process: Int(getpid()), application: "org.example.Mail"))
    // The name of another developer, or of nobody
    for name in ["org.example2.Reader.Handoff", "org.example.sub.Reader.Handoff", "org.example.Handoff"] {
      let bus = try connect()
      let answer = Answer()
      let objects = lie(as: name, on: bus, offer: HandoffInterface.properties(of: Self.offer)) { _ in
        answer.isAsked = true
      }
      #expect(list(writer, ["edit"], reader) == [found])
      let listing = HandoffListing(name: name, application: Self.reader, offer: Self.offer)
      #expect(failure(take(writer, reader, listing: listing)) != nil && !answer.isAsked)
      withExtendedLifetime(objects) { bus.disconnect() }
    }
    reader.source.stop()
    writer.source.stop()
  }

  @Test("A process that the system knows nothing of is heard where it has a name of the developer on the bus")
  func unknownProcesses() async throws {
    let folder = try TemporaryFolder()
    let (reader, writer) = sides(folder)
    try await offers(reader)
    #expect(wait(reader, writer) { writer.hasName })
    let result = take(writer, reader) { $0.handoff.answer($0.questions.last ?? 0, with: .success(Self.activity)) }
    #expect(failure(result) == nil && wait(reader, writer) { reader.handoffs.last == .continued(identifier: "one") })
    // A name on the bus says nothing of who that is: outside of sandboxes any process can take it.
    #expect(writer.activities.map(\.sender) == [.init(process: Int(getpid()))])
    #expect(list(writer, ["edit"], reader) == [Self.listing(nil)])
    for name in [nil, "org.example2.Mail", "org.example.sub.Mail", "org.example.Mail.Part", "org.example.Instance.x"] {
      let bus = try connect()
      if let name { _ = call(bus, BusDaemon.name, BusDaemon.member("RequestName"), [.string(name), .uint32(4)]) }
      for method in ["Take", "Continued"] {
        let answer = call(bus, Self.offered, HandoffInterface.member(method), [.string("one")], reader)
        #expect(errorName(answer) == "AccessDenied", "\(name ?? "none")")
      }
      bus.disconnect()
    }
    #expect(reader.questions == [1])
    for name in ["org.example.Mail", "org.example.Mail.Instance2", "org.example.Mail.Handoff.instance7"] {
      let bus = try connect()
      _ = call(bus, BusDaemon.name, BusDaemon.member("RequestName"), [.string(name), .uint32(4)])
      let answer = call(bus, Self.offered, HandoffInterface.member("Continued"), [.string("one")], reader)
      #expect(errorName(answer) == HandoffInterface.notOffered, "\(name)")
      bus.disconnect()
    }
    // A flood of them is not looked up.
    let bus = try connect()
    var answers: [String] = []
    for _ in 0..<500 {
      bus.call(Self.offered, HandoffInterface.member("Take"), [.string("one")]) { answers.append(errorName($0)) }
    }
    #expect(wait(reader) { answers.count == 500 })
    #expect(Set(answers) == ["LimitsExceeded", "AccessDenied"] && reader.questions == [1])
    reader.source.stop()
    writer.source.stop()
  }

  @Test("Another user's program is neither found nor heard, though the bus lets it through")
  func otherUser() async throws {
    if !mustNotSkip, geteuid() != 0 || !isInstalled("setpriv") {
      try Test.cancel("not root, or no setpriv: no other user can be played")
    }
    let open = try await PrivateBus(forAllUsers: true)
    let (reader, writer) = (Side(Self.reader, open), Side(Self.writer, open, types: ["edit"]))
    #expect(wait(reader, writer) { reader.hasName && writer.hasName })
    reader.handoff.offer(Self.offer)
    #expect(wait(reader, writer, seconds: 1) { false } == false)
    let folder = try TemporaryFolder()
    let script = """
      import dbus, dbus.service, dbus.mainloop.glib
      from gi.repository import GLib
      dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
      bus = dbus.bus.BusConnection('\(open.address)')
      class Offer(dbus.service.Object):
          @dbus.service.method('org.freedesktop.DBus.Properties', in_signature='s', out_signature='a{sv}')
          def GetAll(self, interface):
              return {'Identifier': 'one', 'ActivityType': 'edit', 'Title': 'stolen'}
      name = dbus.service.BusName('org.example.Stranger.Handoff', bus)
      offer = Offer(bus, '/org/proscenium/Handoff')
      print('ready', flush=True)
      GLib.MainLoop().run()
      """
    chmod(folder.path, 0o755)
    let stranger = try ChildProcess(
      ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", script],
      environment: try privateEnvironment(home: folder, display: nil), output: folder.file("out"),
      errors: folder.file("err"))
    #expect(
      wait(reader, writer) { text(of: folder.file("out")).contains("ready") }, "\(text(of: folder.file("err")))")
    #expect(list(writer, ["edit"], reader) == [Self.listing])
    let take = try ChildProcess(
      [
        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "gdbus", "call", "--address", open.address, "-d",
        Self.offered, "-o", HandoffInterface.path, "-m", HandoffInterface.name + ".Take", "one",
      ], environment: try privateEnvironment(home: folder, display: nil), output: folder.file("answer"),
      errors: folder.file("answer"))
    #expect(wait(reader, writer) { take.poll() != nil })
    #expect(text(of: folder.file("answer")).contains("AccessDenied") && reader.handoffs == [])
    withExtendedLifetime(stranger) {}
    reader.source.stop()
    writer.source.stop()
  }

  @Test("A flood of questions and of names is answered within limits")
  func flood() async throws {
    let reader = Side(Self.reader, daemon)
    try await offers(reader)
    let bus = try connect()
    var answers: [String] = []
    for _ in 0..<500 {
      bus.call(Self.offered, HandoffInterface.member("Take"), [.string("one")]) { answers.append(errorName($0)) }
    }
    #expect(wait(reader) { answers.count == 500 - HandoffSource.mostQuestions })
    #expect(Set(answers) == ["LimitsExceeded"] && reader.questions.count == HandoffSource.mostQuestions)
    for question in reader.questions { reader.handoff.answer(question, with: .success(Self.activity)) }
    #expect(wait(reader) { answers.count == 500 })
    // It is continued once by one program, however often that says so.
    var ends: [String] = []
    for _ in 0..<100 {
      bus.call(Self.offered, HandoffInterface.member("Continued"), [.string("one")]) { ends.append(errorName($0)) }
    }
    #expect(wait(reader) { ends.count == 100 })
    #expect(ends.count { $0 == "none" } == 1 && reader.handoffs.count { $0 == .continued(identifier: "one") } == 1)
    // Names of one that asks nothing, and answers nothing
    let writer = Side(Self.writer, daemon, types: ["edit"])
    let silent = try connect()
    let asked = Answer()
    var had = 0
    silent.requestHandler = { _ in { asked.kept.append($0) } }
    for number in 0..<300 {
      silent.call(
        BusDaemon.name, BusDaemon.member("RequestName"), [.string("org.example.A\(number).Handoff"), .uint32(4)]
      ) { _ in had += 1 }
    }
    #expect(wait(reader, writer) { had == 300 })
    #expect(list(writer, ["edit"], reader) != nil && (1...64).contains(asked.kept.count))
    // Those that are given are asked for a few at a time.
    var failures: [String] = []
    for _ in 0..<20 { writer.handoff.take(Self.listing) { failure($0).map { failures.append($0) } } }
    #expect(failures.count { $0.contains("too many") } == 12)
    reader.source.stop()
    writer.source.stop()
  }

  @Test("An activity that is too large is not given, and that is said")
  func large() async throws {
    let (reader, writer) = (Side(Self.reader, daemon), Side(Self.writer, daemon, types: ["edit"]))
    try await offers(reader)
    var activity = Self.activity
    activity.title = String(repeating: "x", count: HandoffInterface.longestActivity)
    let result = take(writer, reader) { $0.handoff.answer($0.questions.last ?? 0, with: .success(activity)) }
    #expect(failure(result)?.contains("too large") == true)
    #expect(reader.host.messages.contains { $0.contains("too large") } && reader.handoffs.count == 1)
    reader.source.stop()
    writer.source.stop()
  }

  // MARK: Panels

  private func panel(_ bus: Bus, _ values: [String], _ sides: Side..., answer: (Side) -> Void = { _ in })
    -> Result<[BusValue], BusFailure>?
  {
    let member = BusMember(path: "/org/example/Writer", interface: InstanceInterface.own, name: "ContinueFrom")
    var (result, answered): (Result<[BusValue], BusFailure>?, Int) = (nil, 0)
    let token = BusValue.options(["activation-token": .string("a_TIME5")])
    bus.call(Self.writer, member, values.map { .string($0) } + [token]) { result = $0 }
    _ = outside.turn {
      for side in sides { side.step() }
      if let asked = sides.first(where: { $0.questions.count > answered }) {
        answered += 1
        answer(asked)
      }
      return result != nil
    }
    return result
  }

  @Test("A panel has a program continue an activity, of the types that it continues and of its developer's programs")
  func panels() async throws {
    let (reader, writer) = (Side(Self.reader, daemon), Side(Self.writer, daemon, types: ["edit"]))
    try await offers(reader)
    #expect(wait(writer) { writer.hasName })
    let bus = try connect()
    let give: (Side) -> Void = { $0.handoff.answer($0.questions.last ?? 0, with: .success(Self.activity)) }
    #expect(panel(bus, ["edit", Self.offered, "one"], reader, writer, answer: give) == .success([]))
    #expect(writer.activities.map(\.activity) == [.whole(Self.activity)] && writer.activities[0].token == "a_TIME5")
    #expect(writer.activities[0].sender?.application == Self.listing.application)
    for values in [
      ["read", Self.offered, "one"], ["edit", "org.example2.Reader.Handoff", "one"], ["edit", Self.reader, "one"],
      ["edit", Self.offered, ""], ["edit", ":1.1", "one"],
    ] {
      #expect(errorName(panel(bus, values, reader, writer)) == "InvalidArgs", "\(values)")
    }
    #expect(writer.activities.count == 1 && reader.questions.count == 1)
    // What the other program does not give is a failure for both.
    #expect(errorName(panel(bus, ["edit", Self.offered, "two"], reader, writer)) == HandoffInterface.notOffered)
    #expect(writer.activities.count == 2)
    writer.host.acceptsRequests = false
    #expect(
      errorName(panel(bus, ["edit", Self.offered, "one"], reader, writer)) == InstanceInterface.Failure.ending)
    #expect(writer.activities.count == 2)
    reader.source.stop()
    writer.source.stop()
  }

  @Test("A program that the bus starts for an activity is told of its type at once, and of the activity later")
  func coldStart() async throws {
    let reader = Side(Self.reader, daemon)
    try await offers(reader)
    let writer = Side(Self.writer, daemon, types: ["edit"], awaits: true)
    // The moment lasts as long as the test needs it.
    #expect(writer.host.turn { writer.hasName })
    writer.host.isSuspended = true
    let bus = try connect()
    var answer: Result<[BusValue], BusFailure>?
    let member = BusMember(path: "/org/example/Writer", interface: InstanceInterface.own, name: "ContinueFrom")
    bus.call(Self.writer, member, [.string("edit"), .string(Self.offered), .string("one"), .options([:])]) {
      answer = $0
    }
    #expect(wait(reader, writer) { reader.questions.count == 1 })
    #expect(writer.activities.map(\.activity) == [.announced(type: "edit")] && answer == nil)
    reader.handoff.answer(1, with: .success(Self.activity))
    #expect(wait(reader, writer) { answer != nil })
    #expect(writer.activities.map(\.activity) == [.announced(type: "edit"), .whole(Self.activity)])
    reader.source.stop()
    writer.source.stop()
  }

  // MARK: Values

  @Test("Programs are of one developer where their ids differ in the last element alone")
  func developers() throws {
    let developer = try #require(HandoffDeveloper(application: "org.example.Reader"))
    #expect(developer.includes("org.example.Writer") && developer.includes("org.example.Reader"))
    for other in ["org.example", "org.example2.Writer", "org.example.sub.Writer", "org.example.", "x", ""] {
      #expect(!developer.includes(other), "\(other)")
    }
    for id in ["reader", "example.Reader", "my editor", "org.proscenium.Application.x", "1.2.3"] {
      #expect(HandoffDeveloper(application: id) == nil, "\(id)")
    }
    #expect(HandoffDeveloper(application: "org.example." + String(repeating: "x", count: 230)) == nil)
    for name in developer.names { #expect(developer.application(withName: name) == "org.example.Reader") }
    for name in [
      "org.example.Reader", "org.example.Handoff", "Handoff", ".Handoff", "org.example.Reader.Handoff.x",
      "org.example.Reader.Handoff.instancex", "org.example.Reader.handoff", "", ":1.5",
    ] { #expect(developer.application(withName: name) == nil, "\(name)") }
  }
}
