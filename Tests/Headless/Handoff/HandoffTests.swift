import FoundationEssentials
import Testing

@testable import ProsceniumCore
@testable import ProsceniumPlatform
@testable import ProsceniumTesting

/// The current activity, as other programs of the developer are offered it.
@MainActor @Suite("Activities that are offered", .serialized) struct HandoffTests {
  @Test("An activity is offered while it is current, eligible, valid and alive")
  func current() {
    let run = HandoffRun()
    var activity: UserActivity? = UserActivity(activityType: "read")
    run.settle()
    #expect(run.machine.offeredActivityType == nil && run.lines == [])
    activity?.becomeCurrent()
    // Not within the callback that makes it current.
    #expect(run.machine.offeredActivityType == nil)
    run.settle()
    #expect(run.machine.offeredActivityType == "read" && run.machine.offeredActivityTitle == nil)
    activity?.title = "Page 3"
    run.settle()
    #expect(run.machine.offeredActivityTitle == "Page 3")
    activity?.isEligibleForHandoff = false
    run.settle()
    #expect(run.machine.offeredActivityType == nil)
    activity?.isEligibleForHandoff = true
    activity?.resignCurrent()
    run.settle()
    #expect(run.machine.offeredActivityType == nil)
    activity?.becomeCurrent()
    run.settle()
    #expect(run.machine.offeredActivityType == "read")
    activity = nil
    run.settle()
    #expect(run.machine.offeredActivityType == nil)
    let other = run.begin("edit")
    #expect(run.machine.offeredActivityType == "edit")
    other.invalidate()
    run.settle()
    #expect(run.machine.offeredActivityType == nil)
    let last = ["offered read", "withdrawn read", "offered edit", "withdrawn edit"]
    #expect(run.lines == ["offered read", "withdrawn read"] + last)
  }

  @Test("Another one takes its place at once; one that has expired is none")
  func replaced() {
    let run = HandoffRun()
    let first = run.begin("read")
    let second = run.begin("edit")
    #expect(run.lines == ["offered read", "withdrawn read", "offered edit"])
    #expect(!first.isCurrent && second.isCurrent)
    second.expirationDate = Date(timeIntervalSinceNow: -1)
    run.settle()
    #expect(run.machine.offeredActivityType == nil)
  }

  @Test("An offer ends when its activity expires, also by a clock that is set, and lasts where that date is moved")
  func expires() throws {
    let run = HandoffRun()
    let feature = try #require(run.program.application.conductor?.feature(HandoffFeature.self))
    var (now, isOffered) = (Date(timeIntervalSince1970: 1000), true)
    feature.clock = { now }
    let activity = run.begin()
    /// Lets time pass, by which the clock moves, too.
    func pass(_ seconds: Int) {
      now += TimeInterval(seconds)
      run.program.advance(by: .seconds(seconds))
      isOffered = run.machine.offeredActivityType == "read"
    }
    activity.expirationDate = now + 60
    pass(59)
    #expect(isOffered)
    pass(1)
    #expect(!isOffered && run.machine.continueOfferedActivity() == nil)
    activity.expirationDate = now + 60
    pass(30)
    activity.expirationDate = now + 3 * 86_400
    pass(86_400)
    pass(86_400)
    #expect(isOffered)
    // The clock is set.
    now += 2 * 86_400
    run.program.machine.changeTime(.clockSet)
    pass(0)
    #expect(!isOffered)
    activity.expirationDate = nil
    pass(1_000_000)
    #expect(isOffered)
    let both = ["offered read", "withdrawn read"]
    #expect(run.lines == both + both + ["offered read"])
  }

  @Test("An activity of the launch is offered when its scene is there")
  func atLaunch() {
    var activity: UserActivity?
    let run = HandoffRun { _ in
      activity = UserActivity(activityType: "read")
      activity?.becomeCurrent()
    }
    #expect(run.machine.offeredActivityType == "read" && run.lines == ["offered read"])
    withExtendedLifetime(activity) {}
  }

  @Test("The activity of a process that was killed is current no more, in the next one and in another program")
  func killed() {
    let run = HandoffRun()
    let activity = run.begin()
    #expect(run.machine.offeredActivityType == "read")
    run.program.kill()
    #expect(run.machine.offeredActivityType == nil)
    run.program.relaunch()
    run.program.advance(by: .seconds(3))
    let other = HandoffRun()
    activity.title = "Page 3"
    for run in [run, other] {
      run.settle()
      #expect(run.machine.offeredActivityType == nil)
    }
    #expect(run.lines == ["offered read"] && other.lines == [] && !activity.isCurrent)
  }

  @Test("Each of two programs has a current activity of its own")
  func twoPrograms() {
    let (first, second) = (HandoffRun(), HandoffRun())
    let edit = second.begin("edit")
    first.settle()
    #expect(first.machine.offeredActivityType == nil)
    let read = first.begin("read")
    second.settle()
    #expect(read.isCurrent && edit.isCurrent && second.machine.offeredActivityType == "edit")
    #expect(first.machine.offeredActivityType == "read" && first.lines == ["offered read"])
  }

  private final class Editor: Responder, ApplicationDelegate, WindowSceneDelegate {
    var window: Window?
    var manifest: ApplicationManifest {
      ApplicationManifest(sceneConfigurations: [SceneConfiguration(name: "Editor", delegate: Editor.init)])
    }
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      guard let scene = scene as? WindowScene else { return }
      window = Window(windowScene: scene)
      window?.makeKeyAndVisible()
      let activity = UserActivity(activityType: "edit")
      scene.userActivity = activity
      activity.becomeCurrent()
    }
  }

  @Test("A process may end while the activity of its scene is current", arguments: ["relaunch", "kill", "exit"])
  func endsWithCurrent(end: String) {
    weak var last: Application?
    for _ in 0..<2 {
      let program = HeadlessProgram(delegate: Editor.init)
      program.launch()
      #expect(last == nil && program.machine.offeredActivityType == "edit")
      last = program.application
      switch end {
      case "relaunch": program.relaunch()
      case "kill": program.kill()
      default: program.application.terminate()
      }
      program.advance(by: .seconds(1))
      if end == "relaunch" {
        #expect(last == nil && program.machine.offeredActivityType == "edit")
        last = program.application
      }
    }
  }

  @Test("Nothing is offered in the background", arguments: [false, true])
  func background(isAppBased: Bool) {
    let run = HandoffRun(isAppBased: isAppBased)
    let activity = run.begin()
    #expect(run.machine.offeredActivityType == "read")
    run.minimize()
    #expect(run.machine.offeredActivityType == nil && run.machine.continueOfferedActivity() == nil)
    run.restore()
    #expect(run.machine.offeredActivityType == "read" && activity.isCurrent)
    run.machine.lock()
    run.settle()
    #expect(run.machine.offeredActivityType == nil)
    run.machine.unlock()
    run.settle()
    #expect(run.lines == ["offered read", "withdrawn read", "offered read", "withdrawn read", "offered read"])
  }

  @Test("The activity of one scene is offered while that one is in the foreground")
  func scenes() {
    let run = HandoffRun()
    run.open()
    let page = HandoffRun.Page(run, in: run.program.windows[0])
    let activity = run.begin { page.userActivity = $0 }
    #expect(run.machine.offeredActivityType == "read")
    run.minimize(1)
    #expect(run.machine.offeredActivityType == "read")
    run.restore(1)
    run.minimize(0)
    #expect(run.machine.offeredActivityType == nil && run.program.application.applicationState == .active)
    // It belongs to all scenes where no responder has it, and to another one with its responder.
    page.behind = run.program.windows[1]
    activity.title = "Moved"
    run.settle()
    #expect(run.machine.offeredActivityType == "read")
    run.program.desk.close(run.program.windows[1])
    run.program.advance(by: .seconds(1))
    #expect(run.machine.offeredActivityType == nil)
  }

  @Test("Before it is given the delegate, the responders and the scene's delegate bring it up to date, in this order")
  func given() throws {
    let run = HandoffRun()
    let page = HandoffRun.Page(run, in: run.program.windows[0])
    let activity = run.begin(title: "Page") {
      page.userActivity = $0
      $0.userInfo = ["old": 1]
    }
    #expect(run.takeCalls() == [])
    run.onSave = { $0.targetContentIdentifier = "page:3" }
    let other = try #require(run.machine.continueOfferedActivity())
    #expect(
      run.takeCalls() == ["willSave", "responder", "scene1 didUpdateUserActivity read", "wasContinued"])
    #expect(other.userInfo?["page"] as? Int == 3 && other.userInfo?["old"] == nil)
    #expect(other.title == "Page" && other.targetContentIdentifier == "page:3" && other.activityType == "read")
    #expect(run.lines == ["offered read", "given read", "continued read"])
    // It is offered until it is no more: two programs may continue it.
    #expect(run.machine.continueOfferedActivity() != nil && activity.isCurrent)
  }

  @Test("In the app-based model the application's delegate has the last word")
  func appBased() throws {
    let run = HandoffRun(isAppBased: true)
    let activity = run.begin()
    _ = try #require(run.machine.continueOfferedActivity())
    #expect(run.takeCalls() == ["willSave", "didUpdateUserActivity read", "wasContinued"])
    withExtendedLifetime(activity) {}
  }

  @Test("An activity that ends while it is asked for, before or within the callbacks, is not given")
  func ends() {
    let run = HandoffRun()
    let activity = run.begin()
    run.onSave = { $0.resignCurrent() }
    #expect(run.machine.continueOfferedActivity() == nil)
    run.onSave = { _ in }
    activity.becomeCurrent()
    // It is offered no more as soon as it is not current, although that has not been told.
    run.settle()
    activity.resignCurrent()
    #expect(run.machine.continueOfferedActivity() == nil)
    #expect(run.takeCalls() == ["willSave"] && !run.lines.contains("given read"))
  }

  @Test("What others say of unknown offers is nothing, and twice is once")
  func lies() {
    let run = HandoffRun()
    let activity = run.begin()
    run.machine.post(.handoff(.continued(identifier: "unknown")))
    run.machine.post(.handoff(.asked(identifier: "unknown", question: 7)))
    #expect(run.takeCalls() == [])
    _ = run.machine.continueOfferedActivity()
    let identifier = run.machine.parts.handoff.offer?.identifier ?? ""
    run.machine.post(.handoff(.continued(identifier: identifier)))
    #expect(run.takeCalls().filter { $0 == "wasContinued" } == ["wasContinued"])
    withExtendedLifetime(activity) {}
  }

  #if !WITHOUT_Suspension
    @Test("A suspended program offers nothing and is not woken; that its activity is continued it hears when it runs")
    func suspended() {
      let run = HandoffRun(suspends: true)
      let activity = run.begin()
      let identifier = run.machine.parts.handoff.offer?.identifier ?? ""
      run.machine.post(.handoff(.asked(identifier: identifier, question: 99)))
      #expect(run.takeCalls().first == "willSave")
      run.minimize()
      #expect(run.program.platform.isSuspended && run.machine.offeredActivityType == nil)
      run.machine.post(.handoff(.asked(identifier: identifier, question: 100)))
      run.machine.post(.handoff(.continued(identifier: identifier)))
      #expect(run.program.platform.isSuspended && run.takeCalls() == [])
      run.restore()
      #expect(run.takeCalls() == ["wasContinued"] && run.machine.offeredActivityType == "read")
      withExtendedLifetime(activity) {}
    }
  #endif

  @Test("The types that a program continues may stand in its manifest's file")
  func manifest() throws {
    var manifest = ApplicationManifest(sceneConfigurations: [])
    #expect(manifest.userActivityTypes == [])
    manifest.userActivityTypes = ["edit"]
    #expect(manifest.openable.activityTypes == ["edit"])
    let property = try #require(HandoffFeature.manifestProperties.first)
    #expect(property.name == "userActivityTypes")
  }
}
