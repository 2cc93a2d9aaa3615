import DeskSupport
import Glibc
import ProsceniumCore
import SourceSupport
import Testing

@testable import ProsceniumDesktop
@testable import ProsceniumLoop
@testable import ProsceniumPlatform

/// Notices over a real bus: python-dbusmock's service, and a portal made of its objects.
@MainActor @Suite("Notices over the bus", .serialized, .enabled(if: BusRequirement.isMet))
struct UserNotificationTests {
  private static let mock = "org.freedesktop.DBus.Mock."
  private static let server = NotificationServer.name
  private static let portal = "org.freedesktop.portal.Notification"
  private static let name = "org.example.test"
  /// A key that is kept.
  private static let key = "0123"
  private let host = TestHost()
  private let daemon: PrivateBus

  /// No portal but the test's: one that the machine has would be started in its place.
  init() async throws { daemon = try await PrivateBus(startsServices: false) }

  /// A source, in a folder of processes where it is one of a desktop's applications, or in a sandbox, or neither.
  private func start(_ folder: TemporaryFolder? = nil, hasInstance: Bool = false) -> BusSource {
    let source = BusSource(environment: daemon.environment, processFolder: folder?.path ?? "/missing") { _ in }
    source.keptNoticeKey = { $0 ?? Self.key }
    if hasInstance {
      source.instance = {
        InstanceDescription(identifier: Self.name, display: ":5", schemes: [], isOneOfMany: false)
      }
    }
    source.start(host)
    host.passTime()
    if hasInstance { #expect(host.turn { host.messages.contains("name: \(Self.name)") }) }
    return source
  }

  private func processes(cgroup: String = "", isSandboxed: Bool = false) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    mkdir(folder.file("self"), 0o700)
    mkdir(folder.file("self/root"), 0o700)
    try folder.write("self/cgroup", cgroup)
    if isSandboxed { try folder.write("self/root/.flatpak-info", "[Application]\nname=\(Self.name)\n") }
    return folder
  }

  /// The desktop's service.
  private func startServer(_ capabilities: String = "'body', 'body-markup', 'actions'") async throws {
    try await daemon.mock("notification_daemon", name: Self.server)
    try await daemon.call(
      Self.server, NotificationServer.path, Self.mock + "AddMethod", Self.server, "GetCapabilities", "", "as",
      "ret = [\(capabilities)]")
  }

  /// A portal, with what it does before it shows a notice, in Python.
  private func startPortal(_ check: String = "") async throws {
    try await daemon.mock(name: Portal.name, path: Portal.path, interface: Self.portal)
    for (method, signature, code) in [("AddNotification", "sa{sv}", check), ("RemoveNotification", "s", "")] {
      try await daemon.call(
        Portal.name, Portal.path, Self.mock + "AddMethod", Self.portal, method, signature, "", code)
    }
  }

  private func calls(_ name: String, _ path: String, _ method: String) async throws -> String {
    try await daemon.call(name, path, Self.mock + "GetMethodCalls", method)
  }
  private func serverCalls(_ method: String) async throws -> String {
    try await calls(Self.server, NotificationServer.path, method)
  }
  private func portalCalls(_ method: String) async throws -> String {
    try await calls(Portal.name, Portal.path, method)
  }

  private func emit(_ name: String, _ signature: String, _ values: String) async throws {
    try await daemon.call(
      Self.server, NotificationServer.path, Self.mock + "EmitSignal", Self.server, name, signature, values)
  }

  private func notice(_ identifier: String = "1", title: String = "Title", body: String = "a < b & \"c\"")
    -> UserNotice
  {
    UserNotice(
      request: UserNotificationRequest(
        identifier: identifier,
        content: UserNotificationContent(title: title, body: body, userInfo: ["key": "value"])),
      actions: [
        UserNotificationAction(identifier: "reply", title: "Reply"),
        UserNotificationAction(identifier: "archive", title: "Archive", opensScene: false),
      ])
  }

  /// Shows a notice; answers why it was not.
  @discardableResult private func show(_ source: BusSource, _ notice: UserNotice) -> DesktopFailure? {
    var answer: DesktopFailure??
    source.desktop.notices.show(notice) { answer = .some($0) }
    #expect(answer == nil)
    #expect(host.turn { answer != nil })
    return answer ?? nil
  }

  /// The target of a notice's action, as the portal has been given it.
  private func target(_ action: String, in shown: String) throws -> String {
    let response = try #require(notice().response(to: action))
    let keys = shown.matches(of: /([0-9a-f]{64}) \{/).map { String($0.1) }
    #expect(Set(keys).count == 1 && keys.count == 3, "\(shown)")
    return NoticeTarget(key: try #require(keys.first), response).text
  }

  /// Lets happen what was put off until now.
  private func passTurn() {
    var isOver = false
    _ = host.turn {
      defer { isOver = true }
      return isOver
    }
  }

  private var lastRequest: IncomingRequest? {
    host.events.compactMap { if case .request(let request) = $0 { request } else { nil } }.last
  }

  private var responses: [UserNotificationResponse] {
    host.events.compactMap { if case .request(let request) = $0 { request.response } else { nil } }
  }

  /// The names and interfaces in match rules.
  private func matched() async throws -> [String] {
    let answer = try await daemon.call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Debug.Stats.GetAllMatchRules")
    return answer.split(separator: "'").map(String.init).filter { $0.contains("Notification") }
  }

  @Test("A notice is shown with its buttons, and the user's choice comes with its token, once")
  func server() async throws {
    try await startServer()
    let source = start()
    defer { source.stop() }
    var isKeyAsked = false
    source.keptNoticeKey = {
      isKeyAsked = true
      return $0
    }
    #expect(host.settle())
    #expect(try await matched() == [])
    #expect(show(source, notice()) == nil)
    let shown = try await serverCalls("Notify")
    for word in [
      "'Title'", "a &lt; b &amp; \"c\"", "'default'", "'reply', 'Reply', 'archive', 'Archive'",
      "'desktop-entry': <'\(Self.name)'>", "'urgency': <byte 0x01>", "'suppress-sound': <true>",
    ] {
      #expect(shown.contains(word), "\(word) in \(shown)")
    }
    try await emit("ActivationToken", "us", "[<uint32 1>, <'x_TIME7'>]")
    try await emit("ActionInvoked", "us", "[<uint32 1>, <'reply'>]")
    #expect(host.turn { responses.count == 1 })
    let request = try #require(lastRequest)
    #expect(request.token == "x_TIME7" && request.response == notice().response(to: "reply"))
    // A token is for one choice
    try await emit("ActionInvoked", "us", "[<uint32 1>, <'archive'>]")
    #expect(host.turn { responses.count == 2 } && responses[1].opensScene == false)
    let second = try #require(lastRequest)
    #expect(second.token == nil)
    // Closed by the user, it is not chosen any more
    try await emit("NotificationClosed", "uu", "[<uint32 1>, <uint32 2>]")
    try await emit("ActionInvoked", "us", "[<uint32 1>, <'default'>]")
    show(source, notice("2"))
    try await emit("ActionInvoked", "us", "[<uint32 2>, <'default'>]")
    #expect(host.turn { responses.count == 3 } && responses[2] == notice("2").response(to: "default"))
    // Only the service's owner is believed here.
    #expect(!isKeyAsked)
  }

  @Test("One of the same name replaces the first; it is taken back; sounds and urgency are said")
  func replaced() async throws {
    try await startServer()
    let source = start()
    defer { source.stop() }
    show(source, notice("a"))
    show(source, notice("b"))
    var loud = notice("a", title: "Again")
    loud.request.content.playsSound = true
    loud.request.content.interruptionLevel = .timeSensitive
    show(source, loud)
    let shown = try await serverCalls("Notify")
    #expect(shown.contains("uint32 1>, <''>, <'Again'>"), "\(shown)")
    #expect(shown.contains("'urgency': <byte 0x02>") && shown.contains("'sound-name': <'message-new-instant'>"))
    source.desktop.notices.remove(["a", "unknown"])
    #expect(host.settle())
    var closed = ""
    for _ in 0..<4000 where !closed.contains("1") {
      passTurn()
      closed = try await serverCalls("CloseNotification")
    }
    #expect(closed.contains("1>") && !closed.contains("2>"), "\(closed)")
    try await emit("ActionInvoked", "us", "[<uint32 1>, <'default'>]")
    try await emit("ActionInvoked", "us", "[<uint32 2>, <'default'>]")
    #expect(host.turn { responses.count == 1 } && responses[0].request.identifier == "b")
  }

  @Test("What the service has closed is told, once; what it shows is taken back there, and nowhere else")
  func closed() async throws {
    try await startServer()
    try await startPortal()
    let source = start()
    defer { source.stop() }
    var closed: [String] = []
    source.desktop.notices.onClosed = { closed.append($0) }
    for name in ["a", "b", "c"] { show(source, notice(name)) }
    for _ in 0..<2 { try await emit("NotificationClosed", "uu", "[<uint32 1>, <uint32 2>]") }
    #expect(host.turn { closed == ["a"] })
    source.desktop.notices.remove(["b"])
    var asked = ""
    for _ in 0..<4000 where !asked.contains("2>") {
      passTurn()
      asked = try await serverCalls("CloseNotification")
    }
    #expect(asked.contains("2>"), "\(asked)")
    // One that is unknown here may be the portal's, of an earlier run.
    source.desktop.notices.remove(["earlier"])
    asked = ""
    for _ in 0..<4000 where !asked.contains("'earlier'") {
      passTurn()
      asked = try await portalCalls("RemoveNotification")
    }
    #expect(!asked.contains("'b'"), "\(asked)")
    try await daemon.endServices()
    #expect(host.turn { closed == ["a", "c"] })
  }

  @Test("A service without buttons and markup gets neither")
  func plain() async throws {
    try await startServer("'body'")
    let source = start()
    defer { source.stop() }
    show(source, notice(body: "\0a < b"))
    let shown = try await serverCalls("Notify")
    #expect(shown.contains("'a < b'") && !shown.contains("Reply") && shown.contains("<@as []>"), "\(shown)")
  }

  @Test("A service that is started again numbers anew, and does not answer for the one before")
  func restarted() async throws {
    try await startServer()
    let source = start()
    defer { source.stop() }
    show(source, notice("a"))
    try await daemon.endServices()
    try await startServer()
    // The bus has told of both before it answers anything else.
    #expect(host.settle())
    show(source, notice("b"))
    try await emit("ActionInvoked", "us", "[<uint32 1>, <'default'>]")
    #expect(host.turn { responses.count == 1 } && responses[0].request.identifier == "b")
    show(source, notice("a"))
    let shown = try await serverCalls("Notify")
    #expect(!shown.contains("uint32 1>, <''>"), "\(shown)")
  }

  // MARK: The portal

  @Test("A program that the desktop has started uses the portal, whose choice is an action of the program")
  func portal() async throws {
    try await startServer()
    try await startPortal()
    let folder = try processes(cgroup: "0::/user.slice/app.slice/app-gnome-\(Self.name)-4711.scope\n")
    let source = start(folder, hasInstance: true)
    defer { withExtendedLifetime(folder) { source.stop() } }
    #expect(show(source, notice()) == nil)
    let shown = try await portalCalls("AddNotification")
    for word in [
      "<'1'>", "'title': <'Title'>", "'default-action': <'app.\(NotificationPortal.action)'>", "'label': <'Archive'>",
      "'priority': <'normal'>", "'sound': <'silent'>",
    ] {
      #expect(shown.contains(word), "\(word) in \(shown)")
    }
    #expect(!(try await serverCalls("Notify")).contains("Title"))
    // As the portal calls it
    let text = try target("archive", in: shown)
    func activate(_ parameter: BusValue?) -> Result<[BusValue], BusFailure>? {
      var result: Result<[BusValue], BusFailure>?
      guard let bus = Bus(.session, environment: daemon.environment, host: host) else { return nil }
      bus.connect()
      defer { bus.disconnect() }
      bus.call(
        Self.name,
        BusMember(path: "/org/example/test", interface: "org.freedesktop.Application", name: "ActivateAction"),
        [
          .string(NotificationPortal.action), .array(of: "v", parameter.map { [.variant($0)] } ?? []),
          .options(["activation-token": .string("x_TIME9")]),
        ]
      ) { result = $0 }
      _ = host.turn { result != nil }
      return result
    }
    #expect(activate(.string(text)) == .success([]))
    #expect(responses == [notice().response(to: "archive")].compactMap(\.self))
    let request = try #require(lastRequest)
    #expect(request.token == "x_TIME9")
    let giant = String(repeating: "x", count: UserNotice.longest + 1)
    for bad in [nil, .string("{}"), .string(giant), .uint32(1), .array(of: "s", [.string(text)])] as [BusValue?] {
      guard case .failure(let failure)? = activate(bad) else {
        Issue.record("\(String(describing: bad)) is taken")
        continue
      }
      #expect(failure.name.hasSuffix("InvalidArgs"))
    }
    // Made up by a program that has not seen the notice
    let made = try #require(notice().response(to: "archive"))
    for key in ["", Self.key, String(repeating: "0", count: 64)] {
      let text = key.isEmpty ? made.text ?? "" : NoticeTarget(key: key, made).text
      guard case .failure(let failure)? = activate(.string(text)) else {
        Issue.record("\(text) is taken")
        continue
      }
      #expect(failure.name.hasSuffix("AccessDenied"))
    }
    #expect(responses.count == 1 && host.messages.count { $0 == "refused: \(NoticeTarget.refusal)" } == 3)
    source.desktop.notices.remove(["1"])
    var removed = ""
    for _ in 0..<4000 where !removed.contains("'1'") {
      passTurn()
      removed = try await portalCalls("RemoveNotification")
    }
    #expect(removed.contains("'1'"))
  }

  @Test("A program whose id is no name on the bus is known by the name of its desktop entry")
  func writtenIdentifier() async throws {
    host.applicationIdentifier = "my-editor"
    let entry = "org.proscenium.Application.my_2deditor"
    try await startServer()
    try await startPortal()
    let source = start()
    #expect(show(source, notice()) == nil)
    let shown = try await serverCalls("Notify")
    #expect(shown.contains("'desktop-entry': <'\(entry)'>"), "\(shown)")
    source.stop()
    // Started by the entry
    let folder = try processes(cgroup: "0::/user.slice/app.slice/app-gnome-\(entry)-4711.scope\n")
    let started = start(folder)
    defer { withExtendedLifetime(folder) { started.stop() } }
    #expect(show(started, notice("2")) == nil)
    #expect(try await portalCalls("AddNotification").contains("'title': <'Title'>"))
  }

  @Test("In a sandbox the portal is the only way; without a name of its own the program hears the portal's signal")
  func sandboxed() async throws {
    try await startServer()
    try await startPortal()
    let folder = try processes(isSandboxed: true)
    let source = start(folder)
    defer { withExtendedLifetime(folder) { source.stop() } }
    show(source, notice())
    let shown = try await portalCalls("AddNotification")
    #expect(shown.contains("'default-action': <'\(NotificationPortal.action)'>"), "\(shown)")
    // GVariant's texts have escapes of their own.
    let text = try target("reply", in: shown).replacing("\\", with: "\\\\")
    let madeUp = try #require(notice().response(to: "reply")?.text).replacing("\\", with: "\\\\")
    func invoke(_ identifier: String, _ parameters: String) async throws {
      try await daemon.call(
        Portal.name, Portal.path, Self.mock + "EmitSignal", Self.portal, "ActionInvoked", "ssav",
        "[<'\(identifier)'>, <'\(NotificationPortal.action)'>, <\(parameters)>]")
    }
    try await invoke("2", "[<'\(text)'>]")
    try await invoke("1", "[<'{}'>]")
    try await invoke("1", "@av []")
    try await invoke("1", "[<uint32 5>]")
    try await invoke("1", "[<'\(madeUp)'>]")
    try await invoke("1", "[<'\(text)'>, <{'activation-token': <'x_TIME3'>}>]")
    #expect(host.turn { !responses.isEmpty })
    #expect(responses == [notice().response(to: "reply")].compactMap(\.self))
    let request = try #require(lastRequest)
    #expect(request.token == "x_TIME3")
    try await daemon.endServices()
    try await startServer()
    #expect(show(source, notice("3")) != nil)
    #expect(!(try await serverCalls("Notify")).contains("Title"))
  }

  @Test("A portal that refuses keys of later versions shows a notice without them; other refusals stay")
  func firstPortal() async throws {
    // As xdg-desktop-portal before 1.19.
    try await startPortal(
      "if 'sound' in args[1] or args[0] == '2': raise dbus.exceptions.DBusException('invalid notification', "
        + "name='org.freedesktop.portal.Error.InvalidArgument')")
    let source = start()
    defer { source.stop() }
    #expect(show(source, notice()) == nil)
    let asked = try await portalCalls("AddNotification")
    #expect(asked.ranges(of: "'title': <'Title'>").count == 2 && asked.ranges(of: "'sound'").count == 1, "\(asked)")
    #expect(show(source, notice("2"))?.description.contains("InvalidArgument") == true)
  }

  @Test("Where one way is missing the other is taken; without both, and without a bus, the notice has failed")
  func fallback() async throws {
    try await startPortal()
    let source = start()
    defer { source.stop() }
    #expect(show(source, notice()) == nil)
    #expect(try await portalCalls("AddNotification").contains("'Title'"))
    try await daemon.endServices()
    #expect(show(source, notice("2"))?.description.contains("ServiceUnknown") == true)
    try await daemon.kill()
    #expect(host.turn { host.messages.contains { $0.hasPrefix("noBus") } })
    #expect(show(source, notice("3"))?.description == "there is no session bus")
    try await daemon.restart()
    try await startServer()
    var isShown = false
    for number in 0..<200 where !isShown { isShown = show(source, notice("\(number + 4)")) == nil }
    #expect(isShown)
    // No address
    let lonely = BusSource(environment: [:]) { _ in }
    lonely.start(host)
    var failure: DesktopFailure??
    lonely.desktop.notices.show(notice()) { failure = .some($0) }
    host.passTime()
    host.passTime()
    #expect(failure??.description == "there is no session bus")
    lonely.stop()
  }

  // MARK: Hostile programs

  @Test("Unknown numbers and buttons, wrong types and the words of others are no choice")
  func rubbish() async throws {
    try await startServer()
    let source = start()
    defer { source.stop() }
    show(source, notice())
    for values in [
      "[<uint32 2>, <'default'>]", "[<uint32 4294967295>, <'default'>]", "[<uint32 1>, <'none'>]",
      "[<uint32 1>, <''>]",
    ] {
      try await emit("ActionInvoked", "us", values)
    }
    try await emit("ActionInvoked", "ss", "[<'1'>, <'default'>]")
    try await emit("ActionInvoked", "u", "[<uint32 1>]")
    try await emit("ActionInvoked", "usas", "[<uint32 1>, <'default'>, <['x']>]")
    try await emit("ActionInvoked", "xs", "[<int64 -1>, <'default'>]")
    try await emit("NotificationClosed", "s", "[<'1'>]")
    try await emit("NotificationClosed", "x", "[<int64 -1>]")
    try await emit("ActivationToken", "us", "[<uint32 1>, <'\(String(repeating: "x", count: 2000))'>]")
    // Another connection, to all and to this one alone
    let names = try await daemon.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.ListNames")
    let connections = names.split(separator: "'").map(String.init).filter { $0.hasPrefix(":") }
    for connection in [nil] + connections.map(Optional.some) {
      try await daemon.emit(
        NotificationServer.path, Self.server + ".ActionInvoked", "uint32:1", "string:default", to: connection)
    }
    try await emit("ActionInvoked", "us", "[<uint32 1>, <'reply'>]")
    #expect(host.turn { !responses.isEmpty })
    #expect(responses == [notice().response(to: "reply")].compactMap(\.self))
    let request = try #require(lastRequest)
    #expect(request.token == nil && host.reports.isEmpty)
    host.acceptsRequests = false
    try await emit("ActionInvoked", "us", "[<uint32 1>, <'reply'>]")
    #expect(host.turn(seconds: 1) { responses.count > 1 } == false)
  }

  @Test("A program that shows too many at a time is told so; the others are shown in their order")
  func flood() async throws {
    try await startServer()
    let source = start()
    defer { source.stop() }
    var answers: [DesktopFailure?] = []
    for number in 0..<NoticeSource.mostWaiting + 10 {
      source.desktop.notices.show(notice("\(number)", title: "T\(number)")) { answers.append($0) }
    }
    #expect(host.turn(seconds: 60) { answers.count == NoticeSource.mostWaiting + 10 })
    #expect(answers.count { $0 != nil } == 10)
    show(source, notice("last"))
    try await emit("ActionInvoked", "us", "[<uint32 \(NoticeSource.mostWaiting)>, <'default'>]")
    #expect(host.turn { responses.map(\.request.identifier) == ["\(NoticeSource.mostWaiting - 1)"] })
  }
}
