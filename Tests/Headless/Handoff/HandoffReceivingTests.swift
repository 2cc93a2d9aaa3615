import FoundationEssentials
import Testing

@testable import ProsceniumCore
@testable import ProsceniumPlatform
@testable import ProsceniumTesting

/// The activities of other programs of the developer, as a program finds and continues them.
@MainActor @Suite("Activities that are continued", .serialized) struct HandoffReceivingTests {
  private static let will = "willContinueUserActivityWithType edit"
  private static let failed = "didFailToContinueUserActivityWithType edit"

  private func activity(_ type: String = "edit", title: String? = nil, target: String? = nil) -> UserActivity {
    let activity = UserActivity(activityType: type)
    activity.title = title
    activity.targetContentIdentifier = target
    activity.userInfo = ["page": 3]
    return activity
  }

  @Test("Activities of the manifest's types are found, in the order of their programs, whenever they are asked for")
  func list() async {
    let run = HandoffRun(types: ["edit", "read"])
    #expect(run.list() == [])
    run.machine.offer(activity("read", title: "Page"), from: "org.example.Writer")
    run.machine.offer(activity("edit"), from: "org.example.Painter")
    run.machine.offer(activity("paint"), from: "org.example.Artist")
    let found = run.list()
    #expect(found.map(\.activityType) == ["edit", "read"] && found.map(\.title) == [nil, "Page"])
    #expect(found.map(\.sourceApplication) == ["org.example.Painter", "org.example.Writer"])
    #expect(Set(found.map(\.id)).count == 2)
    run.machine.withdrawOffer(from: "org.example.Writer")
    #expect(run.list().count == 1)
    // Without types nothing is asked.
    #expect(HandoffRun(types: []).list() == [])
  }

  @Test("It is announced and continued, in the scene that its content is for", arguments: [false, true])
  func target(second: Bool) {
    let run = HandoffRun()
    run.open()
    let scenes = run.program.windows.compactMap(\.windowScene)
    scenes[second ? 1 : 0].activationConditions.prefersToActivateForTargetContentIdentifier = .equals("page:3")
    run.machine.offer(activity(target: "page:3"), from: HandoffRun.reader)
    #expect(run.takeCalls() == [])
    #expect(run.take(run.list()[0]) == "")
    let scene = "scene\(second ? 2 : 1) "
    #expect(run.takeCalls() == [scene + Self.will, scene + "continueUserActivity edit"])
  }

  @Test("What the other program does not give is announced and fails, once, and is an error")
  func fails() async {
    let run = HandoffRun()
    run.machine.offer(activity(), from: HandoffRun.reader, isGiven: false)
    let found = run.list()
    #expect(run.take(found[0])?.contains("edit cannot be continued: it has ended") == true)
    #expect(run.takeCalls() == ["scene1 " + Self.will, "scene1 " + Self.failed])
    // So does one that has gone meanwhile.
    run.machine.withdrawOffer(from: HandoffRun.reader)
    #expect(run.take(found[0]) != "")
    #expect(run.takeCalls() == ["scene1 " + Self.will, "scene1 " + Self.failed])
  }

  @Test("In the app-based model the application's delegate continues it")
  func appBased() {
    let run = HandoffRun(isAppBased: true)
    run.machine.offer(activity(), from: HandoffRun.reader)
    #expect(run.take(run.list()[0]) == "")
    #expect(run.takeCalls() == [Self.will, "continueUserActivity edit"])
  }

  /// A program that a panel has the bus start for an activity, which is still being asked for.
  private func start(isAppBased: Bool = false) -> HandoffRun {
    let source = WordSource()
    source.onStart = { $0.post(.firstRequest(isAwaited: true)) }
    return HandoffRun(isAppBased: isAppBased, startedBy: source)
  }

  private func receive(_ run: HandoffRun, _ activity: IncomingRequest.Activity) {
    var request = IncomingRequest()
    request.activity = activity
    run.program.machine.receive(request)
    run.program.advance(by: .seconds(1))
  }

  @Test(
    "A program that is started for an activity does not wait for it: its options have the type",
    arguments: [true, false])
  func coldStart(isGiven: Bool) {
    let run = start()
    #expect(run.delegate.launchOptions.isEmpty)
    receive(run, .announced(type: "edit"))
    #expect(run.delegate.launchOptions.last?.handoffUserActivityType == "edit")
    #expect(run.delegate.launchOptions.last?.isBackground == false)
    #expect(run.delegate.options.map(\.handoffUserActivityType) == ["edit"])
    #expect(run.program.application.applicationState == .active && run.takeCalls() == [])
    receive(run, isGiven ? .whole(activity().stored) : .failed(type: "edit", reason: "it has ended"))
    let end = isGiven ? "scene1 continueUserActivity edit" : "scene1 " + Self.failed
    #expect(run.takeCalls() == ["scene1 " + Self.will, end])
    #expect(run.program.application.connectedScenes.count == 1)
  }

  @Test("So it is in the app-based model")
  func coldStartAppBased() {
    let run = start(isAppBased: true)
    receive(run, .announced(type: "edit"))
    #expect(run.delegate.launchOptions.last?.handoffUserActivityType == "edit")
    receive(run, .whole(activity().stored))
    #expect(run.takeCalls() == [Self.will, "continueUserActivity edit"])
  }

  @Test("An announcement that comes too late for the launch brings the program forward, and is no call")
  func lateAnnouncement() {
    let run = HandoffRun()
    run.minimize()
    receive(run, .announced(type: "edit"))
    #expect(run.program.application.applicationState == .active && run.takeCalls() == [])
    receive(run, .whole(activity().stored))
    #expect(run.takeCalls() == ["scene1 " + Self.will, "scene1 continueUserActivity edit"])
  }
}
