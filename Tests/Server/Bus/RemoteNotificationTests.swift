import DeskSupport
import FoundationEssentials
import Glibc
import ProsceniumCore
import ProsceniumStore
import SourceSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// Pushed messages over a real bus.
@MainActor @Suite("Pushed messages over the bus", .serialized, .enabled(if: BusRequirement.isMet))
struct RemoteNotificationTests {
  private static let name = "org.example.test"
  private let host = TestHost()
  private let store = Store()
  private let daemon: PrivateBus

  init() async throws { daemon = try await PrivateBus() }

  /// What outlasts a run of the program.
  private final class Store: PushRegistrationStore {
    var kept: PushRegistration?

    func read() -> PushRegistration? { kept }
    func keep(_ registration: PushRegistration?) { kept = registration }
  }

  /// That of the registration.
  private var token: String { store.kept?.token ?? "none" }

  private func start(
    _ variables: [String: String] = [:], hasInstance: Bool = true, before: (BusSource) -> Void = { _ in }
  ) -> BusSource {
    let source = BusSource(environment: daemon.environment.merging(variables) { $1 }) { _ in }
    source.instance = {
      hasInstance ? InstanceDescription(identifier: Self.name, display: ":5", schemes: [], isOneOfMany: false) : nil
    }
    source.desktop.push.store = { [store] in store }
    before(source)
    source.start(host)
    host.passTime()
    if hasInstance { #expect(host.turn { host.messages.contains("name: \(Self.name)") }) }
    return source
  }

  /// Turns until another process has got its answer from the program, and no other test meanwhile.
  private func turnUntil(_ answer: () throws -> String?) throws -> String {
    var result: Result<String, any Error>?
    _ = host.turn {
      do { result = try answer().map { .success($0) } } catch { result = .failure(error) }
      return result != nil
    }
    return try #require(result).get()
  }

  private func tell(_ distributor: PushDistributor, _ method: String, _ value: String) throws -> String {
    let call = try distributor.beginToTell(Self.name, method, value)
    return try turnUntil { try PushDistributor.outcome(of: call) }
  }

  /// Turns until the distributor has been asked for something; what that was.
  private func asked(_ distributor: PushDistributor, _ word: String) async throws -> String {
    var log = ""
    for _ in 0..<4000 where !log.contains(word) {
      host.turnOnce()
      log += try await distributor.log()
    }
    return log
  }

  private var requests: [IncomingRequest] {
    host.events.compactMap { if case .request(let request) = $0 { request } else { nil } }
  }
  private var events: [PushEvent] { requests.compactMap(\.push) }

  /// Registers; answers why the program is not registered.
  private func register(_ source: BusSource, key: String? = nil, distributor: String? = nil) -> String? {
    var answer: DesktopFailure??
    source.desktop.push.register(key: key, distributor: distributor) { answer = .some($0) }
    #expect(answer == nil)
    #expect(host.turn { answer != nil })
    return answer??.description
  }

  @Test("Nothing is asked before the program registers; then the distributor has its name, and is heard")
  func registered() async throws {
    let distributor = try await PushDistributor(daemon)
    let source = start()
    defer { source.stop() }
    #expect(host.settle())
    #expect(try await distributor.log() == "('',)\n")
    #expect(register(source, key: "BA1H") == nil)
    let asked = try await distributor.log()
    #expect(asked.contains("service=\(Self.name) token=\(token) vapid=BA1H'") && asked.contains("Register desc"))
    #expect(token.count == 64 && store.kept?.distributor == distributor.name)
    let token = "'token': <'\(token)'>"
    #expect(try tell(distributor, "NewEndpoint", "{\(token), 'endpoint': <'https://push.example/1'>}") == "done")
    #expect(
      try tell(distributor, "Message", "{\(token), 'message': <[byte 0x00, 0x68, 0xff]>, 'id': <'7'>}") == "done")
    #expect(try tell(distributor, "Unregistered", "{\(token)}") == "done")
    let endpoint = try #require(URL(string: "https://push.example/1"))
    #expect(events == [.endpoint(endpoint), .message(Data([0, 0x68, 0xFF])), .unregistered])
    #expect(requests.allSatisfy { $0.isBackground && $0.urls.isEmpty })
    // It has ended already.
    #expect(store.kept == nil)
    source.desktop.push.unregister()
    #expect(host.settle())
    #expect(try await distributor.log() == "('',)\n")
  }

  @Test("A distributor of the first version is asked and heard in its own way, and told of the end")
  func first() async throws {
    let distributor = try await PushDistributor(daemon, version: 1)
    let source = start()
    defer { source.stop() }
    #expect(register(source) == nil)
    #expect(try await distributor.log().contains("Register \(Self.name) \(token) "))
    let endpoint = "https://push.example/1"
    #expect(try tell(distributor, "NewEndpoint", "('\(token)', '\(endpoint)')") == "done")
    #expect(try tell(distributor, "Message", "('\(token)', b'hey', '7')") == "done")
    #expect(try tell(distributor, "Unregistered", "('\(token)', )") == "done")
    #expect(events == [.endpoint(try #require(URL(string: endpoint))), .message(Data("hey\0".utf8)), .unregistered])
    #expect(register(source) == nil)
    let ended = token
    source.desktop.push.unregister()
    #expect(try await asked(distributor, "Unregister").contains("Unregister \(ended)") && store.kept == nil)
  }

  @Test("Without a bus, a name on it, a distributor or its consent a registration fails, and says why")
  func failures() async throws {
    let source = start()
    defer { source.stop() }
    #expect(register(source)?.contains("no distributor") == true)
    let distributor = try await PushDistributor(daemon, refusal: "VAPID_REQUIRED")
    #expect(register(source) == "\(distributor.name) refuses it: VAPID_REQUIRED")
    let nameless = start(hasInstance: false)
    defer { nameless.stop() }
    #expect(register(nameless)?.contains("no name on the bus") == true)
    let lonely = BusSource(environment: [:]) { _ in }
    lonely.start(host)
    host.passTime()
    #expect(register(lonely) == "there is no session bus")
  }

  @Test("A registration fails in time where the distributor is stopped, and is withdrawn when that goes on")
  func stopped() async throws {
    let distributor = try await PushDistributor(daemon)
    let source = start()
    defer { source.stop() }
    let push = source.desktop.push
    /// Registers while the distributor is stopped, until the time for its answer is over.
    func registerInVain(key: String?) async throws -> String? {
      try await daemon.killOwner(of: distributor.name, with: SIGSTOP)
      var answer: DesktopFailure??
      push.register(key: key, distributor: nil) { answer = .some($0) }
      #expect(host.turn { push.callers.asked != nil } && answer == nil)
      host.passTime()
      #expect(host.turn { answer != nil } && push.callers.asked == nil)
      return answer??.description
    }
    #expect(try await registerInVain(key: nil)?.contains("no answer in time") == true && store.kept == nil)
    // It registers the program now, whose token nobody knows
    try await daemon.killOwner(of: distributor.name, with: SIGCONT)
    let log = try await asked(distributor, "Unregister")
    let lost = try #require(log.split(separator: "token=").dropFirst().first?.prefix(64))
    #expect(log.contains("Register desc") && log.contains("Unregister token=\(lost)"), "\(log)")
    #expect(host.settle() && register(source) == nil && store.kept?.distributor == distributor.name && token != lost)
    // The registration that the program has stays, and another one follows
    let kept = token
    _ = try await distributor.log()
    #expect(try await registerInVain(key: "BA1H") != nil && store.kept?.token == kept)
    try await daemon.killOwner(of: distributor.name, with: SIGCONT)
    #expect(register(source, key: "BA2H") == nil && token == kept)
    let calls = try await distributor.log()
    #expect(calls.contains("BA1H") && calls.contains("BA2H") && !calls.contains("Unregister"), "\(calls)")
    #expect(try tell(distributor, "Message", "{'token': <'\(kept)'>, 'message': <b'x'>}") == "done")
  }

  @Test("The user's preferred distributor is asked, and the first one where that is not there")
  func preferred() async throws {
    let first = try await PushDistributor(daemon)
    let second = try await PushDistributor(daemon, name: first.name + "2")
    let source = start(["UNIFIEDPUSH_DISTRIBUTOR": second.name])
    defer { source.stop() }
    #expect(register(source) == nil)
    #expect(try await second.log().contains(token))
    #expect(try await first.log() == "('',)\n")
    let other = start(["UNIFIEDPUSH_DISTRIBUTOR": first.name + "3"], hasInstance: false)
    defer { other.stop() }
    #expect(register(other) != nil)
  }

  /// The distributors that a program is told of.
  private func distributors(_ source: BusSource) -> [String] {
    var answer: [String]?
    source.desktop.push.listDistributors { answer = $0 }
    #expect(host.turn { answer != nil })
    return answer ?? []
  }

  @Test("The user may name the preferred distributor by the end of its name, too")
  func preferredByEnd() async throws {
    let first = try await PushDistributor(daemon)
    let second = try await PushDistributor(daemon, name: first.name + "2")
    let end = try #require(second.name.split(separator: ".").last)
    let source = start(["UNIFIEDPUSH_DISTRIBUTOR": String(end)])
    defer { source.stop() }
    #expect(distributors(source) == [second.name, first.name])
    #expect(register(source) == nil && store.kept?.distributor == second.name)
  }

  @Test("A distributor that is installed later does not take the place of the one that has the registration")
  func later() async throws {
    let second = try await PushDistributor(daemon, name: "org.unifiedpush.Distributor.test2")
    let source = start()
    #expect(register(source) == nil && distributors(source) == [second.name])
    let first = try await PushDistributor(daemon)
    #expect(first.name < second.name && distributors(source) == [second.name, first.name])
    #expect(register(source) == nil && store.kept?.distributor == second.name)
    source.stop()
    // In the next run, too
    let next = start()
    defer { next.stop() }
    #expect(register(next) == nil && store.kept?.distributor == second.name)
    #expect(try await first.log() == "('',)\n")
  }

  @Test("The program's choice counts from then on, ends the registration before it, and has to be there")
  func choice() async throws {
    let first = try await PushDistributor(daemon)
    let second = try await PushDistributor(daemon, name: first.name + "2")
    let source = start()
    defer { source.stop() }
    #expect(register(source) == nil && store.kept?.distributor == first.name)
    let old = token
    #expect(register(source, distributor: second.name) == nil && store.kept?.distributor == second.name)
    #expect(try await asked(first, "Unregister").contains("token=\(old)"))
    // What the first one says now is that of a stranger
    #expect(try tell(first, "Unregistered", "{'token': <'\(token)'>}") == "org.freedesktop.DBus.Error.AccessDenied")
    #expect(register(source) == nil && store.kept?.distributor == second.name)
    #expect(register(source, distributor: first.name + "3")?.contains("there is no distributor") == true)
    #expect(store.kept?.distributor == second.name && events == [])
    // Two at once are answered both, the last one counts
    var answers: [DesktopFailure?] = []
    for name in [second.name, first.name] {
      source.desktop.push.register(key: nil, distributor: name) { answers.append($0) }
    }
    #expect(host.turn { answers.count == 2 } && answers == [nil, nil])
    #expect(store.kept?.distributor == first.name)
    // With another key as well, while the first one is on its way
    answers = []
    try await first.holdAnswers(true)
    source.desktop.push.register(key: "BA1H", distributor: nil) { answers.append($0) }
    #expect(try await asked(first, "BA1H").contains("BA1H"))
    source.desktop.push.register(key: "BA2H", distributor: nil) { answers.append($0) }
    try await first.holdAnswers(false)
    #expect(host.turn { answers.count == 2 } && answers == [nil, nil])
    let keys = try await first.log().split(separator: "vapid=").dropFirst().map { String($0.prefix(4)) }
    #expect(keys.last == "BA2H")
  }

  @Test("The program's choice is asked again where it is started anew, also where the user prefers another one")
  func chosenAgain() async throws {
    let first = try await PushDistributor(daemon)
    let chosen = first.name + "2"
    _ = try await PushDistributor(daemon, name: chosen)
    let source = start(["UNIFIEDPUSH_DISTRIBUTOR": first.name])
    defer { source.stop() }
    #expect(register(source, distributor: chosen) == nil && store.kept?.distributor == chosen)
    try await daemon.killOwner(of: chosen)
    #expect(host.settle())
    let second = try await PushDistributor(daemon, name: chosen)
    #expect(try await asked(second, "Register desc").contains("token=\(token)"))
    #expect(host.settle())
    #expect(try await first.log() == "('',)\n" && store.kept?.distributor == chosen)
  }

  @Test("The program's choice outlasts the run, another value of the variable, and its own absence, but not the end")
  func choiceOutlasts() async throws {
    let first = try await PushDistributor(daemon)
    let chosen = first.name + "2"
    _ = try await PushDistributor(daemon, name: chosen)
    let variables = ["UNIFIEDPUSH_DISTRIBUTOR": first.name]
    var source = start(variables)
    #expect(distributors(source) == [first.name, chosen])
    #expect(register(source, distributor: chosen) == nil)
    source.stop()
    source = start(variables)
    #expect(distributors(source) == [chosen, first.name])
    #expect(register(source) == nil && store.kept?.distributor == chosen)
    try await daemon.killOwner(of: chosen)
    for _ in 0..<4000 { if distributors(source) == [first.name] { break } }
    #expect(register(source) == nil && store.kept?.distributor == first.name)
    _ = try await PushDistributor(daemon, name: chosen)
    #expect(register(source) == nil && store.kept?.distributor == chosen)
    // A choice that cannot be followed is none.
    #expect(register(source, distributor: chosen + "3") != nil && store.kept?.chosen == chosen)
    source.desktop.push.unregister()
    #expect(distributors(source) == [first.name, chosen])
    source.stop()
  }

  @Test("A registration that is ended before its answer fails, once, and one after it is there")
  func endedAtOnce() async throws {
    let distributor = try await PushDistributor(daemon)
    let source = start()
    defer { source.stop() }
    let push = source.desktop.push
    let ended = "the program has ended the registration before there was one"
    var answers: [String] = []
    func begin(_ key: String? = nil) {
      push.register(key: key, distributor: nil) { answers.append($0?.description ?? "registered") }
    }
    begin()
    push.unregister()
    #expect(host.settle() && answers == [ended] && store.kept == nil)
    #expect(try await distributor.log() == "('',)\n")
    // While the distributor is asked
    try await distributor.holdAnswers(true)
    begin()
    #expect(try await asked(distributor, "Register desc").contains("Register desc"))
    push.unregister()
    #expect(try await asked(distributor, "Unregister").contains("Unregister") && answers == [ended, ended])
    try await distributor.holdAnswers(false)
    #expect(store.kept == nil)
    // Two in one callback are one, and one after an end counts
    answers = []
    begin()
    begin()
    push.unregister()
    begin()
    begin()
    begin("BA1H")
    #expect(host.turn { answers.count == 5 })
    #expect(host.settle() && answers == [ended, ended, "registered", "registered", "registered"])
    let log = try await distributor.log()
    #expect(log.split(separator: "Register desc").count == 3 && log.contains("token=\(token) vapid=BA1H"), "\(log)")
    #expect(try tell(distributor, "Message", "{'token': <'\(token)'>, 'message': <b'x'>}") == "done")
  }

  @Test("An endpoint that comes before the answer counts, and not once the registration is ended")
  func earlyEndpoint() async throws {
    let distributor = try await PushDistributor(daemon, early: "https://push.example/early")
    let source = start()
    defer { source.stop() }
    #expect(register(source) == nil)
    #expect(host.turn { events.count == 1 })
    #expect(try await asked(distributor, "heard").contains("heard"))
    source.desktop.push.unregister()
    #expect(try await asked(distributor, "Unregister").contains("Unregister"))
    var answers = 0
    try await distributor.holdAnswers(true)
    source.desktop.push.register(key: nil, distributor: nil) { _ in answers += 1 }
    #expect(try await asked(distributor, "Register desc").contains("Register desc"))
    source.desktop.push.unregister()
    try await distributor.holdAnswers(false)
    #expect(try await asked(distributor, "refused").contains("refused") && events.count == 1 && answers == 1)
  }

  @Test("A registration that is asked for while one is withdrawn is not that one's")
  func askedAgain() async throws {
    let distributor = try await PushDistributor(daemon)
    store.kept = PushRegistration(token: "kept", distributor: distributor.name)
    let source = start()
    defer { source.stop() }
    let push = source.desktop.push
    var answers: [Bool] = []
    try await distributor.holdAnswers(true)
    push.register(key: nil, distributor: nil) { answers.append($0 == nil) }
    let before = try await asked(distributor, "Register desc")
    push.unregister()
    push.register(key: nil, distributor: nil) { answers.append($0 == nil) }
    try await distributor.holdAnswers(false)
    #expect(host.turn { answers.count == 2 } && answers == [false, true])
    #expect(host.settle() && store.kept?.distributor == distributor.name && token != "kept")
    let log = try await before + distributor.log()
    let last = try #require(log.ranges(of: "Register desc").last)
    #expect(log[last.upperBound...].contains("token=\(token)"), "\(log)")
  }

  @Test("Only distributors are believed, with the program's token, and what is no message is refused")
  func refused() async throws {
    let distributor = try await PushDistributor(daemon)
    let source = start()
    defer { source.stop() }
    #expect(register(source) == nil)
    let token = "'token': <'\(token)'>"
    // A program that owns no distributor's name.
    let call = try daemon.begin(
      Self.name, PushConnector.path, "org.unifiedpush.Connector2.Message", "{\(token), 'message': <[byte 0x41]>}")
    #expect(throws: DeskFailure.self) { try turnUntil { try call.answer() } }
    #expect(events == [])
    let long = "b'" + String(repeating: "x", count: PushConnector.longestMessage) + "'"
    for (method, value) in [
      ("Message", "{'token': <'other'>, 'message': <b'x'>}"), ("Message", "{'message': <b'x'>}"),
      ("Message", "{\(token)}"), ("Message", "{\(token), 'message': <'text'>}"),
      ("Message", "{\(token), 'message': <\(long)>}"),
      ("NewEndpoint", "{\(token), 'endpoint': <'file:///etc/passwd'>}"),
      ("NewEndpoint", "{\(token), 'endpoint': <'https:'>}"), ("NewEndpoint", "{\(token)}"),
      ("Unregistered", "@a{sv} {}"), ("Message", "('other', b'x', '')"),
    ] {
      let answer = try tell(distributor, method, value)
      #expect(answer == "org.freedesktop.DBus.Error.InvalidArgs", "\(method) \(value.prefix(80))")
    }
    #expect(try tell(distributor, "Reboot", "{\(token)}") == "org.freedesktop.DBus.Error.UnknownMethod")
    #expect(events == [])
  }

  @Test("A program that has never registered hears nobody, whatever a distributor says")
  func unregistered() async throws {
    let distributor = try await PushDistributor(daemon)
    let source = start()
    defer { source.stop() }
    for token in ["", "proscenium:\(Self.name)"] {
      let token = "'token': <'\(token)'>"
      for (method, value) in [
        ("Message", "'message': <[byte 0x41]>"), ("NewEndpoint", "'endpoint': <'https://push.example/1'>"),
      ] {
        let answer = try tell(distributor, method, "{\(token), \(value)}")
        #expect(answer == "org.freedesktop.DBus.Error.AccessDenied")
      }
    }
    #expect(events == [])
  }

  @Test("A registration of a run before counts, for its distributor and its token alone, and can be ended")
  func kept() async throws {
    let distributor = try await PushDistributor(daemon)
    let other = try await PushDistributor(daemon, name: distributor.name + "2")
    store.kept = PushRegistration(token: "kept", distributor: distributor.name)
    let source = start()
    defer { source.stop() }
    let message = "{'token': <'kept'>, 'message': <[byte 0x41]>}"
    #expect(try tell(other, "Message", message) == "org.freedesktop.DBus.Error.AccessDenied")
    #expect(
      try tell(distributor, "Message", "{'token': <'other'>, 'message': <[byte 0x41]>}")
        == "org.freedesktop.DBus.Error.InvalidArgs")
    #expect(try tell(distributor, "Message", message) == "done" && events == [.message(Data([0x41]))])
    #expect(host.settle())
    #expect(judged(source, try await owner(of: distributor)) == .distributor)
    // The distributor knows it by its token.
    #expect(register(source) == nil && token == "kept")
    source.desktop.push.unregister()
    #expect(try await asked(distributor, "Unregister").contains("token=kept") && store.kept == nil)
    #expect(try tell(distributor, "Message", message) == "org.freedesktop.DBus.Error.AccessDenied")
  }

  @Test("A registration that cannot be read for a moment counts, and can be ended, once it can")
  func withheld() async throws {
    let folder = try TemporaryFolder()
    let (home, place) = (folder.file("home"), folder.file("place"))
    let file = PushRegistrationFile(applicationIdentifier: Self.name, environment: ["XDG_STATE_HOME": home])
    let distributor = try await PushDistributor(daemon)
    let message = "{'token': <'kept'>, 'message': <[byte 0x41]>}"
    file.keep(PushRegistration(token: "kept", distributor: distributor.name))
    for ends in [false, true] {
      let source = start { $0.desktop.push.store = { file } }
      #expect(host.turn { host.messages.count { $0 == "name: \(Self.name)" } == (ends ? 2 : 1) })
      // The folder is mounted a moment later.
      try #require(rename(home, place) == 0)
      try folder.write("home", "")
      #expect(try tell(distributor, "Message", message) == "org.freedesktop.DBus.Error.AccessDenied")
      try #require(unlink(home) == 0 && rename(place, home) == 0)
      if ends {
        source.desktop.push.unregister()
        #expect(try await asked(distributor, "Unregister").contains("token=kept"))
      }
      let answer = try tell(distributor, "Message", message)
      #expect(answer == (ends ? "org.freedesktop.DBus.Error.AccessDenied" : "done"))
      source.stop()
    }
    #expect(access(home + "/\(Self.name)/push-registration", F_OK) != 0)
  }

  @Test("A registration that is ended before there is a bus is ended at the distributor once there is one")
  func endedEarly() async throws {
    let distributor = try await PushDistributor(daemon)
    store.kept = PushRegistration(token: "kept", distributor: distributor.name)
    let source = start { $0.desktop.push.unregister() }
    defer { source.stop() }
    #expect(try await asked(distributor, "Unregister").contains("token=kept") && store.kept == nil)
  }

  @Test("A distributor that comes back is asked again, unless the program has ended its registration")
  func again() async throws {
    _ = try await PushDistributor(daemon)
    let source = start()
    defer { source.stop() }
    #expect(register(source) == nil)
    for isLast in [false, true] {
      try await daemon.endServices()
      #expect(host.settle())
      if isLast { source.desktop.push.unregister() }
      let distributor = try await PushDistributor(daemon)
      if isLast {
        for _ in 0..<20 {
          host.turnOnce()
          #expect(!(try await distributor.log().contains("Register")))
        }
      } else {
        #expect(try await asked(distributor, "Register").contains("Register"))
      }
    }
  }

  /// Who owns a distributor's name.
  private func owner(of distributor: PushDistributor) async throws -> String {
    let answer = try await daemon.call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.GetNameOwner", distributor.name)
    return try #require(answer.split(separator: "'").first { $0.hasPrefix(":") }.map(String.init))
  }

  /// What is said of a caller without asking the bus.
  private func judged(_ source: BusSource, _ sender: String) -> PushCallers.Verdict? {
    var verdict: PushCallers.Verdict?
    source.desktop.push.callers.judge(sender) { verdict = $0 }
    return verdict
  }

  @Test("Once registered, the program hears its own distributor alone, and asks the bus of nobody for each message")
  func chosen() async throws {
    let first = try await PushDistributor(daemon)
    let second = try await PushDistributor(daemon, name: first.name + "2")
    let source = start(["UNIFIEDPUSH_DISTRIBUTOR": second.name])
    defer { source.stop() }
    #expect(register(source) == nil)
    #expect(host.settle())
    let message = "{'token': <'\(token)'>, 'message': <[byte 0x41]>}"
    #expect(try tell(first, "Message", message) == "org.freedesktop.DBus.Error.AccessDenied")
    #expect(try tell(second, "Message", message) == "done")
    #expect(judged(source, try await owner(of: second)) == .distributor)
    source.desktop.push.unregister()
    #expect(host.settle())
    for distributor in [first, second] {
      #expect(try tell(distributor, "Message", message) == "org.freedesktop.DBus.Error.AccessDenied")
    }
    #expect(events.count == 1)
  }

  @Test("Of a flood as many messages count as a program can be woken for, which is said once")
  func tooMany() async throws {
    let source = start()
    defer { source.stop() }
    let distributor = try #require(Bus(.session, environment: daemon.environment, host: host))
    distributor.connect()
    defer { distributor.disconnect() }
    /// Calls one after the other without waiting; answers the names of the errors, `done` for none.
    func call(_ name: String, _ member: BusMember, _ values: [BusValue], _ count: Int) -> [String] {
      var answers: [String] = []
      for _ in 0..<count {
        distributor.call(name, member, values) { result in
          if case .failure(let failure) = result { answers.append(failure.name) } else { answers.append("done") }
        }
      }
      #expect(host.turn { answers.count == count })
      return answers
    }
    let name: [BusValue] = [.string("org.unifiedpush.Distributor.Flood"), .uint32(0)]
    store.kept = PushRegistration(token: "known", distributor: "org.unifiedpush.Distributor.Flood")
    #expect(call(BusDaemon.name, BusDaemon.member("RequestName"), name, 1) == ["done"])
    let member = BusMember(path: PushConnector.path, interface: "org.unifiedpush.Connector2", name: "Message")
    func tell(_ count: Int) -> [String] {
      let arguments: [String: BusValue] = ["token": .string(token), "message": .array(of: "y", [])]
      return call(Self.name, member, [.options(arguments)], count)
    }
    // After the first answer the bus has been asked to tell of the owner, and after the second one it has.
    #expect(tell(1) == ["done"] && tell(1) == ["done"])
    let answers = tell(Int(CallFlood.ofPushes.burst) + 3)
    #expect(answers.count { $0 == "done" } == Int(CallFlood.ofPushes.burst) - 2)
    #expect(answers.suffix(5).allSatisfy { $0 == "org.freedesktop.DBus.Error.LimitsExceeded" })
    #expect(events.count == Int(CallFlood.ofPushes.burst))
    #expect(host.messages.count { $0.contains("too many messages at once") } == 1)
    host.now += 1
    #expect(tell(1) == ["done"])
  }

  @Test("A flood counts as far as the time between its messages allows")
  func floodOfValues() {
    var flood = CallFlood.ofPushes
    #expect((0..<1000).count { _ in flood.admits(at: 7) } == Int(CallFlood.ofPushes.burst))
    #expect(!flood.admits(at: 7) && !flood.isNews)
    #expect((0..<1000).count { _ in flood.admits(at: 8) } == Int(CallFlood.ofPushes.perSecond))
    // A clock that runs backwards gives nothing.
    #expect(!flood.admits(at: 1) && flood.admits(at: 2))
    var slow = CallFlood.ofPushes
    #expect((0..<10_000).allSatisfy { slow.admits(at: Double($0) / CallFlood.ofPushes.perSecond) })
    var fresh = CallFlood.ofPushes
    #expect((0..<5000).filter { _ in !fresh.admits(at: 0) && fresh.isNews }.count == 1)
    // It is said once, however often the limit is reached.
    #expect(fresh.admits(at: 9) && !fresh.isNews)
    #expect((0..<5000).count { _ in !fresh.admits(at: 9) && fresh.isNews } == 0)
  }

  @Test("Messages keep their order")
  func flood() async throws {
    let distributor = try await PushDistributor(daemon)
    let source = start()
    defer { source.stop() }
    #expect(register(source) == nil)
    for number in 0..<100 {
      let answer = try tell(
        distributor, "Message", "{'token': <'\(token)'>, 'message': <[byte \(number)]>}")
      #expect(answer == "done")
    }
    #expect(events == (0..<100).map { .message(Data([UInt8($0)])) })
  }
}
