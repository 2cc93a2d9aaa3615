import FoundationEssentials
import Testing

@testable import ProsceniumCore
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTesting
@testable import ProsceniumTrace

/// Notices to the user: what is shown, which scene comes forward, and what the program receives.
@MainActor @Suite("User notifications", .serialized) struct UserNotificationTests {
  private final class Delegate: RecordingDelegate, UserNotificationCenterDelegate {
    var responses: [(response: UserNotificationResponse, session: SceneSession?, state: Scene.ActivationState?)] = []

    func userNotificationCenter(
      _ center: UserNotificationCenter, didReceive response: UserNotificationResponse, targetScene: Scene?
    ) { responses.append((response, targetScene?.session, targetScene?.activationState)) }

    /// The notices in the options of connecting scenes.
    var connected: [String] = []

    override func willRecord(_ call: DelegateCall, value: Any?) -> DelegateCall? {
      let options = value as? Scene.ConnectionOptions
      if let response = options?.notificationResponse { connected.append(response.request.identifier) }
      return call
    }

    /// The buttons that were chosen.
    var actions: [String] { responses.map(\.response.actionIdentifier) }
  }

  @MainActor private final class Run {
    let program: HeadlessProgram
    let delegate = Delegate()
    let source = WordSource()
    var center: UserNotificationCenter { UserNotificationCenter.of(program.application) }
    var machine: HeadlessMachine { program.machine }

    init(
      suspends: Bool = false, hasDelegate: Bool = true, disk: HeadlessDisk = HeadlessDisk(), arguments: [String] = [],
      isStartedByBus: Bool = false
    ) {
      #if !WITHOUT_Suspension
        if suspends { delegate.manifest.suspensionPolicy = .whenAllInBackground }
      #endif
      program = HeadlessProgram(
        store: .given(SessionStore(files: disk.files, runsInline: true)), sources: [source])
      if isStartedByBus { source.onStart = { $0.post(.firstRequest(isAwaited: true)) } }
      delegate.onCall = { [unowned self] in
        if $0.name == "didFinishLaunchingWithOptions", hasDelegate { center.delegate = delegate }
      }
      delegate.endsAfterLastScene = false
      program.launch(delegate, arguments: arguments)
      program.advance(by: .seconds(3))
    }

    /// A scene that shows this content alone.
    func showContent(_ identifier: String, in scene: Scene) {
      scene.activationConditions.canActivateForTargetContentIdentifier = .equals(identifier)
    }

    func open() {
      program.application.activateSceneSession(for: SceneSessionActivationRequest())
      program.advance(by: .seconds(3))
    }

    func add(_ identifier: String, target: String? = nil, session: SceneSession? = nil) {
      let content = UserNotificationContent(
        title: "Title", body: "Body", categoryIdentifier: "mail", targetContentIdentifier: target,
        userInfo: ["key": "value"])
      center.add(
        UserNotificationRequest(
          identifier: identifier, content: content, sessionIdentifier: session?.persistentIdentifier))
    }

    func choose(_ identifier: String, _ action: String = UserNotificationResponse.defaultActionIdentifier) {
      machine.choose(notification: identifier, action: action)
      program.advance(by: .seconds(3))
    }

    var options: LaunchOptions? { program.application.conductor?.feature(Launch.self)?.options }

    var lines: Int {
      program.entries.count {
        if case .system(let system) = $0 { system.name == "notificationResponse" } else { false }
      }
    }

    var errors: [String] {
      program.entries.compactMap { if case .error(let message) = $0 { message } else { nil } }
    }
  }

  private static let mail = UserNotificationCategory(
    identifier: "mail",
    actions: [
      UserNotificationAction(identifier: "reply", title: "Reply"),
      UserNotificationAction(identifier: "archive", title: "Archive", opensScene: false),
    ])

  @Test("A notice has the buttons of its category, is replaced by one of its name, and is taken back")
  func shown() {
    let run = Run()
    run.center.categories = [Self.mail, UserNotificationCategory(identifier: "other", actions: [])]
    run.add("1")
    run.add("2")
    run.add("1", target: "a")
    #expect(run.machine.deliveredNotifications.map(\.identifier) == ["2", "1"])
    #expect(run.machine.deliveredNotifications.last?.content.targetContentIdentifier == "a")
    #expect(run.machine.buttons(ofNotification: "1") == ["Reply", "Archive"])
    run.center.removeDelivered(withIdentifiers: ["2", "unknown"])
    #expect(run.machine.deliveredNotifications.map(\.identifier) == ["1"])
    run.add("3")
    run.machine.dismiss(notification: "3")
    run.add("4")
    run.center.removeAllDelivered()
    #expect(run.machine.deliveredNotifications.isEmpty && run.delegate.responses.isEmpty)
  }

  @Test("What the user has closed or answered is not taken back, and of very many the last ones are")
  func remembered() {
    let run = Run()
    run.add("1")
    run.add("2")
    run.add("3")
    run.machine.dismiss(notification: "2")
    run.machine.choose(notification: "3")
    run.program.advance(by: .seconds(1))
    #expect(run.center.delivered.all == ["1"])
    run.center.removeAllDelivered()
    #expect(run.machine.parts.notices.removals == [["1"]] && run.center.delivered.all == [])
    var names = RecentNames()
    for number in 0..<100_000 { names.insert("\(number)") }
    #expect((RecentNames.least..<2 * RecentNames.least).contains(names.all.count) && names.all.contains("99999"))
    for _ in 0..<3 { names.insert("99000") }
    for name in names.all { names.remove(name) }
    #expect(names.all == [])
  }

  @Test("A notice that replaces one that is closed before the desktop has answered is taken back with all others")
  func closedMeanwhile() {
    let run = Run()
    run.add("1")
    let notices = run.machine.parts.notices
    notices.holdsAnswers = true
    run.add("1")
    notices.onClosed?("1")
    notices.answer()
    #expect(run.center.delivered.all == ["1"])
    run.center.removeAllDelivered()
    #expect(run.machine.deliveredNotifications.isEmpty && notices.removals == [["1"]])
  }

  @Test("What cannot be shown is an error of the request, later; without a handler it is reported")
  func invalid() {
    let run = Run()
    var errors: [UserNotificationError] = []
    func add(_ identifier: String, _ content: UserNotificationContent) {
      run.center.add(UserNotificationRequest(identifier: identifier, content: content)) { errors.append($0) }
    }
    add("", UserNotificationContent(title: "a"))
    add("1", UserNotificationContent(title: "a", userInfo: ["a": String(repeating: "b", count: UserNotice.longest)]))
    run.center.categories = [
      UserNotificationCategory(
        identifier: "twice", actions: ["a", "a"].map { UserNotificationAction(identifier: $0, title: $0) }),
      UserNotificationCategory(
        identifier: "default", actions: [UserNotificationAction(identifier: "default", title: "a")]),
    ]
    add("2", UserNotificationContent(title: "a", categoryIdentifier: "twice"))
    add("3", UserNotificationContent(title: "a", categoryIdentifier: "default"))
    #expect(errors.isEmpty)
    run.program.advance(by: .zero)
    #expect(errors.count == 4 && errors.allSatisfy { if case .invalid = $0 { true } else { false } })
    #expect(run.machine.deliveredNotifications.isEmpty && run.errors.isEmpty)
    run.center.add(UserNotificationRequest(identifier: "", content: UserNotificationContent(title: "a")))
    run.program.advance(by: .zero)
    #expect(run.errors.count == 1)
  }

  @Test("Where the application is not launched a request fails at once")
  func withoutLaunch() {
    let application = Application()
    let center = UserNotificationCenter.of(application)
    var errors: [UserNotificationError] = []
    center.add(UserNotificationRequest(identifier: "", content: UserNotificationContent(title: "a"))) {
      errors.append($0)
    }
    center.add(UserNotificationRequest(identifier: "1", content: UserNotificationContent(title: "a"))) {
      errors.append($0)
    }
    #expect(errors.count == 2)
  }

  @Test("A response brings the scene forward that shows the content, and is delivered once")
  func content() throws {
    let run = Run()
    run.center.categories = [Self.mail]
    run.open()
    let scenes = run.program.scenes
    #expect(scenes.count == 2)
    run.showContent("a", in: scenes[0])
    run.showContent("b", in: scenes[1])
    for window in run.program.windows { run.program.desk.minimize(window) }
    run.program.advance(by: .seconds(3))
    run.add("1", target: "a")
    run.choose("1")
    #expect(scenes.map(\.activationState) == [.foregroundActive, .background])
    #expect(run.delegate.actions == ["default"] && run.delegate.responses.first?.session == scenes[0].session)
    #expect(run.delegate.responses.first?.response.request.content.userInfo == ["key": "value"])
    #expect(run.machine.deliveredNotifications.isEmpty)
    run.add("2", target: "b")
    run.choose("2", "reply")
    #expect(scenes[1].activationState == .foregroundActive)
    #expect(run.delegate.actions == ["default", "reply"] && run.lines == 2)
  }

  @Test("The session that the request names comes before the content; one that has gone counts for nothing")
  func session() {
    let run = Run()
    run.open()
    let scenes = run.program.scenes
    run.showContent("a", in: scenes[0])
    run.showContent("b", in: scenes[1])
    run.add("1", target: "b", session: scenes[0].session)
    run.choose("1")
    #expect(scenes[0].activationState == .foregroundActive)
    run.add("2", target: "b", session: scenes[0].session)
    run.program.application.requestSceneSessionDestruction(scenes[0].session)
    run.program.advance(by: .seconds(3))
    run.choose("2")
    #expect(run.delegate.responses.last?.session == scenes[1].session && run.program.scenes.count == 1)
    // Neither: the scene that was used last
    run.add("3")
    run.choose("3")
    #expect(run.delegate.responses.last?.session == scenes[1].session && run.delegate.responses.count == 3)
  }

  @Test("Content that no scene shows gets a new scene, which has the response in its options")
  func newScene() {
    let run = Run()
    run.showContent("a", in: run.program.scenes[0])
    run.add("1", target: "new")
    run.choose("1")
    #expect(run.program.scenes.count == 2)
    #expect(run.delegate.connected == ["1"])
    #expect(run.delegate.responses.map(\.session) == [run.program.scenes.last?.session])
    #expect(run.delegate.actions == ["default"])
    // A session without a scene is connected for it
    run.program.desk.minimize(run.program.windows[0])
    run.program.advance(by: .seconds(3))
    let first = run.program.scenes[0].session
    run.program.application.requestSceneDisconnection(first)
    run.program.advance(by: .seconds(3))
    #expect(run.program.scenes.count == 1)
    run.showContent("b", in: run.program.scenes[0])
    run.add("2", target: "a")
    run.choose("2")
    #expect(run.delegate.responses.last?.session == first && run.program.scenes.count == 2)
    #expect(run.delegate.connected == ["1", "2"])
  }

  @Test("A button that opens no scene leaves the windows alone")
  func quiet() {
    let run = Run()
    run.center.categories = [Self.mail]
    run.program.desk.minimize(run.program.windows[0])
    run.program.advance(by: .seconds(3))
    run.add("1")
    run.choose("1", "archive")
    #expect(run.program.scenes[0].activationState == .background && run.delegate.actions == ["archive"])
    run.add("2")
    run.choose("2", "unknown")
    #expect(run.delegate.actions == ["archive"] && run.machine.deliveredNotifications.count == 1)
  }

  @Test("Without a delegate the loss of a response is reported")
  func lost() {
    let run = Run(hasDelegate: false)
    run.add("1")
    run.choose("1")
    #expect(run.errors.count == 1 && run.errors.first?.contains("has no delegate") == true)
    #expect(run.lines == 0)
  }

  #if !WITHOUT_Suspension
    @Test("A response wakes a suspended program")
    func suspended() {
      let run = Run(suspends: true)
      run.center.categories = [Self.mail]
      run.add("1")
      run.program.desk.minimize(run.program.windows[0])
      run.program.advance(by: .seconds(10))
      #expect(run.program.platform.isSuspended)
      run.machine.choose(notification: "1", action: "archive")
      #expect(run.delegate.actions == ["archive"])
      run.program.advance(by: .seconds(10))
      #expect(run.program.platform.isSuspended)
    }
  #endif

  // MARK: Starts by the bus

  /// A program that the bus has started for a response.
  private func started(for action: String, target: String?, session: String? = nil, disk: HeadlessDisk = HeadlessDisk())
    -> Run
  {
    let run = Run(disk: disk, arguments: ["--background"], isStartedByBus: true)
    #expect(run.delegate.calls.isEmpty)
    let notice = UserNotice(
      request: UserNotificationRequest(
        identifier: "1", content: UserNotificationContent(title: "Title", targetContentIdentifier: target),
        sessionIdentifier: session),
      actions: Self.mail.actions)
    var request = IncomingRequest()
    // As another program carries it
    request.response = notice.response(to: action)?.text.flatMap { UserNotificationResponse(text: $0) }
    run.machine.receive(request)
    run.program.advance(by: .seconds(3))
    return run
  }

  @Test(
    "Started for a response, the program has it in its launch options, and in those of the one scene that is opened")
  func launch() {
    let run = started(for: "reply", target: "new")
    #expect(run.options?.notificationResponse?.actionIdentifier == "reply" && run.options?.isBackground == false)
    #expect(run.program.scenes.map(\.activationState) == [.foregroundActive])
    #expect(run.delegate.connected == ["1"] && run.delegate.actions == ["reply"])
    #expect(run.delegate.responses.first?.session == run.program.scenes.first?.session)
    #expect(run.lines == 1 && run.errors.isEmpty)
  }

  @Test("Started for a response that opens no scene, the program stays in the background")
  func quietLaunch() {
    let run = started(for: "archive", target: nil)
    #expect(run.options?.notificationResponse?.opensScene == false && run.options?.isBackground == true)
    #expect(run.program.scenes.isEmpty && run.program.application.applicationState == .background)
    #expect(run.delegate.actions == ["archive"])
  }

  @Test("Started for a response, the program restores its sessions, and the right one comes forward")
  func restored() {
    let disk = HeadlessDisk()
    let first = Run(disk: disk)
    first.open()
    first.showContent("a", in: first.program.scenes[0])
    first.showContent("b", in: first.program.scenes[1])
    first.program.desk.focus(first.program.windows[1])
    first.program.advance(by: .seconds(5))
    let names = first.program.scenes.map(\.session.persistentIdentifier)
    first.program.platform.send(.signal(15))
    first.program.advance(by: .seconds(5))
    for (session, target) in [(nil, "a"), (names[0], nil)] as [(String?, String?)] {
      let run = started(for: "default", target: target, session: session, disk: disk)
      #expect(run.program.scenes.count == 2)
      let active = run.program.scenes.filter { $0.activationState == .foregroundActive }
      #expect(active.map(\.session.persistentIdentifier) == [names[0]])
      #expect(run.delegate.responses.map(\.session?.persistentIdentifier) == [names[0]])
      run.program.platform.send(.signal(15))
      run.program.advance(by: .seconds(5))
    }
  }

  @Test("After a launch into the background, a response brings the sessions back, and the right one forward")
  func later() {
    let disk = HeadlessDisk()
    let first = Run(disk: disk)
    first.open()
    first.showContent("a", in: first.program.scenes[0])
    first.showContent("b", in: first.program.scenes[1])
    first.program.advance(by: .seconds(5))
    let name = first.program.scenes[0].session.persistentIdentifier
    first.program.platform.send(.signal(15))
    first.program.advance(by: .seconds(5))
    let run = Run(disk: disk, arguments: ["--background"])
    #expect(run.program.scenes.isEmpty)
    run.add("1", target: "a")
    run.choose("1")
    #expect(run.program.scenes.count == 2)
    #expect(run.delegate.responses.map(\.session?.persistentIdentifier) == [name])
  }

  // MARK: The text

  @Test("A response survives as a text; other texts are none")
  func text() throws {
    let content = UserNotificationContent(
      title: "\u{1F514} \"quoted\"\n", body: "\\ \0 &<>", playsSound: true, interruptionLevel: .timeSensitive,
      categoryIdentifier: "c", targetContentIdentifier: "t", userInfo: ["": "", "k\"": "\u{1F600}"])
    let response = UserNotificationResponse(
      request: UserNotificationRequest(identifier: "i", content: content, sessionIdentifier: "s"),
      actionIdentifier: "a", opensScene: false)
    let text = try #require(response.text)
    #expect(UserNotificationResponse(text: text) == response)
    for bad in [
      "", "{}", "[]", "null", "{\"identifier\":\"\"}", String(text.dropLast()), text + "x",
      text.replacing("\"opensScene\":false", with: "\"opensScene\":0"),
      text.replacing("\"title\"", with: "\"titel\""), String(repeating: "[", count: 100_000),
    ] {
      #expect(UserNotificationResponse(text: bad) == nil, "\(bad.prefix(100))")
    }
  }
}
