import FoundationEssentials
import Glibc
import ProsceniumJSON
import ScenarioKit
import Testing

@testable import ProsceniumCore
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTesting
@testable import ProsceniumTrace

/// Notices with triggers: in the program that runs, in the suspended one, and in the one that is started for them.
@MainActor @Suite("Notices with triggers", .serialized) struct NoticeTriggerTests {
  @MainActor private final class Run {
    let program: HeadlessProgram
    var machine: HeadlessMachine { program.machine }
    var center: UserNotificationCenter { UserNotificationCenter.of(program.application) }
    var notices: HeadlessNotices { machine.parts.notices }
    var errors: [UserNotificationError] = []

    init(suspends: Bool = false, atOnce: Bool = false, separate: Bool = false, isAppBased: Bool = false) {
      program = HeadlessProgram(
        application: {
          let application = Application()
          #if !WITHOUT_Suspension
            if atOnce { application.holdTimes.suspension = .zero }
          #endif
          return application
        },
        delegate: {
          let delegate = RecordingDelegate()
          delegate.endsAfterLastScene = true
          #if !WITHOUT_Suspension
            if suspends { delegate.manifest.suspensionPolicy = .whenAllInBackground }
          #endif
          if separate { delegate.manifest.instancePolicy = .separateStores }
          if isAppBased {
            delegate.manifest.lifecycleModel = .appBased
            delegate.onCall = { if $0 == "didFinishLaunchingWithOptions" { Window().makeKeyAndVisible() } }
          }
          return delegate
        })
      program.launch()
      program.advance(by: .seconds(2))
    }

    func add(_ identifier: String, _ trigger: UserNotificationTrigger?) {
      let content = UserNotificationContent(title: "Title", body: "Body", categoryIdentifier: "mail")
      center.add(UserNotificationRequest(identifier: identifier, content: content, trigger: trigger)) { [weak self] in
        self?.errors.append($0)
      }
      program.advance(by: .zero)
    }

    var shown: [String] { machine.deliveredNotifications.map(\.identifier) }
    var pending: [String] { center.pendingNotificationRequests.map(\.identifier) }
    var starts: Int { machine.parts.noticeTimes.starts.count }
    /// How often the trace says that a notice is shown.
    var lines: Int { count("noticeShown") }

    func count(_ name: String) -> Int { program.entries.count { $0.kind == "system" && $0.text("name") == name } }

    var reports: [String] { program.entries.filter { $0.kind == "error" }.compactMap { $0.text("message") } }

    func suspend() {
      for window in program.windows { program.desk.minimize(window) }
      program.advance(by: .seconds(7))
      #expect(program.platform.isSuspended)
    }
  }

  // MARK: In the program

  @Test("A notice is shown at its time, once, with the buttons of its category, and waits until then")
  func time() {
    let run = Run()
    run.center.categories = [
      UserNotificationCategory(
        identifier: "mail", actions: [UserNotificationAction(identifier: "reply", title: "Reply")])
    ]
    run.add("b", .after(.seconds(200)))
    run.add("a", .after(.seconds(100)))
    #expect(run.pending == ["a", "b"] && run.shown == [] && run.starts == 1)
    #expect(run.center.pendingNotificationRequests.first?.trigger == .after(.seconds(100)))
    run.program.advance(by: .seconds(99))
    #expect(run.shown == [])
    run.program.advance(by: .seconds(2))
    #expect(run.shown == ["a"] && run.pending == ["b"] && run.lines == 1)
    #expect(run.machine.buttons(ofNotification: "a") == ["Reply"])
    #expect(run.machine.deliveredNotifications.allSatisfy { $0.trigger == nil })
    run.program.advance(by: .seconds(1000))
    #expect(run.shown == ["a", "b"] && run.pending == [] && run.starts == 0 && run.lines == 2)
    #expect(run.errors == [] && run.reports == [] && run.program.violations.isEmpty)
    run.center.removeAllDelivered()
    #expect(run.shown == [])
  }

  @Test("A request is replaced by one of its name, with or without a trigger, and removed by it")
  func replaced() {
    let run = Run()
    for name in ["a", "b", "c", "d"] { run.add(name, .after(.seconds(100))) }
    run.add("a", .after(.seconds(300)))
    run.add("b", nil)
    run.center.removePendingNotificationRequests(withIdentifiers: ["c", "unknown"])
    #expect(run.pending == ["d", "a"] && run.shown == ["b"])
    run.program.advance(by: .seconds(150))
    #expect(run.shown == ["b", "d"] && run.pending == ["a"])
    run.center.removeAllPendingNotificationRequests()
    run.program.advance(by: .seconds(1000))
    #expect(run.shown == ["b", "d"] && run.pending == [] && run.starts == 0)
    #expect(run.program.platform.schedule.alarms.isEmpty)
  }

  @Test("One that repeats is shown again and again, and once for all that was missed")
  func repeats() {
    let run = Run()
    run.add("a", .after(.seconds(3600), repeats: true))
    for round in 1...3 {
      run.program.advance(by: .seconds(3601))
      #expect(run.lines == round && run.pending == ["a"])
    }
    run.program.kill()
    run.program.advance(by: .seconds(36_000))
    run.program.relaunch()
    run.program.advance(by: .seconds(2))
    #expect(run.lines == 4 && run.pending == ["a"] && run.shown == ["a"])
    run.program.advance(by: .seconds(3590))
    #expect(run.lines == 4)
    run.program.advance(by: .seconds(20))
    #expect(run.lines == 5)
  }

  @Test("A program that schedules nothing pays nothing: nothing is joined, read, watched, waited for or started")
  func lazy() throws {
    let run = Run()
    let feature = try #require(run.program.application.conductor?.feature(UserNotifications.self))
    var lists = FeatureLists()
    feature.join(&lists)
    #expect(LoopMoment.allCases.allSatisfy { lists.observers(of: $0).isEmpty })
    #expect(lists.observers(of: .applicationStateSet)?.isEmpty == true)
    run.add("a", nil)
    #expect(run.pending == [])
    run.center.removeAllPendingNotificationRequests()
    run.program.advance(by: .seconds(100))
    #expect(feature.knownTriggers == nil && run.program.application.conductor?.pendingDeadlines == 0)
    #expect(run.program.platform.schedule.alarms.isEmpty && run.starts == 0 && run.lines == 0)
    // One that has shown all that it had is as it was before.
    run.add("b", .after(.seconds(10)))
    #expect(run.program.disk.fileNames.contains("notices.json"))
    run.program.advance(by: .seconds(11))
    #expect(run.shown == ["a", "b"] && !run.program.disk.fileNames.contains("notices.json"))
    run.program.relaunch()
    run.program.advance(by: .seconds(2))
    let next = try #require(run.program.application.conductor?.feature(UserNotifications.self))
    #expect(next.knownTriggers == nil && run.program.platform.schedule.alarms.isEmpty)
  }

  /// A program that adds a notice within its launch.
  private func launch(adding trigger: UserNotificationTrigger, ends: Bool = false) -> HeadlessProgram {
    let delegate = RecordingDelegate()
    let program = HeadlessProgram(delegate: { delegate })
    delegate.onCall = { [weak program] in
      guard $0.name == "didFinishLaunchingWithOptions", let application = program?.application else { return }
      let content = UserNotificationContent(title: "Title")
      UserNotificationCenter.of(application).add(
        UserNotificationRequest(identifier: "a", content: content, trigger: trigger))
      if ends { application.terminate() }
    }
    program.launch()
    program.advance(by: .seconds(3))
    return program
  }

  @Test("A notice that is added within the launch waits until that is over")
  func duringLaunch() {
    let program = launch(adding: .after(.milliseconds(10)))
    #expect(program.machine.deliveredNotifications.map(\.identifier) == ["a"] && program.violations.isEmpty)
  }

  @Test("What comes when the program's objects are gone does no harm: the desktop's answer, a time, an end")
  func gone() throws {
    var run: Run? = Run()
    run?.add("a", .after(.seconds(10)))
    run?.add("b", .after(.seconds(100)))
    run?.notices.holdsAnswers = true
    run?.program.advance(by: .seconds(11))
    let machine = try #require(run?.machine)
    let triggers = try #require(run?.program.application.conductor?.feature(UserNotifications.self)?.triggers)
    weak let application = run?.program.application
    run = nil
    // Another one takes its place as the shared one.
    let other = Run()
    #expect(application == nil)
    machine.parts.notices.answer()
    #expect(triggers.showed("a", failure: nil).isEmpty && triggers.observe().isEmpty && !triggers.isDue)
    triggers.updateTimes()
    triggers.remove { _ in true }
    triggers.storeOpened()
    triggers.startedForNotice()
    triggers.end()
    #expect(other.shown == [] && other.lines == 0)
  }

  #if !WITHOUT_Suspension
    @Test("A suspended program runs for its notice, and is suspended again")
    func suspended() {
      let run = Run(suspends: true)
      run.add("a", .after(.seconds(1000)))
      run.add("b", .after(.seconds(2000)))
      run.suspend()
      run.program.advance(by: .seconds(900))
      #expect(run.program.platform.isSuspended && run.shown == [])
      run.program.advance(by: .seconds(100))
      #expect(run.shown == ["a"])
      run.program.advance(by: .seconds(10))
      #expect(run.program.platform.isSuspended && run.count("resumed") == 1)
      run.program.advance(by: .seconds(1000))
      #expect(run.shown == ["a", "b"] && run.count("resumed") == 2)
      run.program.advance(by: .seconds(10))
      #expect(run.program.platform.isSuspended && run.program.violations.isEmpty)
    }

    @Test("A program that is suspended before it has looked at its notices runs for them all the same")
    func suspendedAtOnce() {
      let run = Run(suspends: true, atOnce: true)
      run.add("a", .after(.seconds(100)))
      run.add("b", .after(.seconds(1000)))
      run.program.kill()
      run.program.advance(by: .seconds(200))
      run.program.relaunch(arguments: ["--background"])
      run.program.advance(by: .milliseconds(100))
      #expect(run.shown == ["a"] && run.pending == ["b"] && run.program.platform.isSuspended)
      run.program.advance(by: .seconds(700))
      #expect(run.shown == ["a"] && run.count("resumed") == 1)
      run.program.advance(by: .seconds(101))
      #expect(run.shown == ["a", "b"] && run.count("resumed") == 2 && run.program.platform.isSuspended)
      #expect(run.program.violations.isEmpty)
    }
  #endif

  // MARK: Without a process

  @Test("A killed program is started for its notice, in the background, shows it, and ends")
  func started() {
    let run = Run()
    run.add("a", .after(.seconds(1000)))
    run.program.kill()
    run.program.advance(by: .seconds(900))
    #expect(!run.program.startForDueNotices())
    run.program.advance(by: .seconds(103))
    #expect(run.program.startForDueNotices())
    run.program.advance(by: .seconds(3))
    #expect(run.shown == ["a"] && run.lines == 1 && run.starts == 0)
    #expect(!run.program.isRunning && run.program.exitStatus == 0 && run.program.violations.isEmpty)
    #expect(run.program.entries.count { $0.text("name") == "sceneWillConnect" } == 1)
  }

  @Test("A program that the user opens meanwhile stays; one that was started in vain ends, and is started again")
  func startedInVain() {
    let run = Run()
    run.add("a", .after(.seconds(100), repeats: true))
    run.program.kill()
    run.program.advance(by: .seconds(103))
    run.notices.holdsAnswers = true
    #expect(run.program.startForDueNotices())
    run.program.advance(by: .seconds(2))
    #expect(run.program.isRunning && run.shown == ["a"])
    run.program.application.activateSceneSession(for: SceneSessionActivationRequest())
    run.program.advance(by: .seconds(2))
    run.notices.answer()
    run.program.advance(by: .seconds(5))
    #expect(run.program.isRunning && run.pending == ["a"])
    run.program.kill()
    run.notices.refusal = DesktopFailure("nothing shows notices")
    run.program.advance(by: .seconds(103))
    #expect(run.program.startForDueNotices())
    run.program.advance(by: .seconds(3))
    #expect(!run.program.isRunning && run.reports.count { $0.contains("is not shown at its time") } == 1)
    #expect(run.starts == 1)
  }

  @Test(
    "An app-based one that the user opens stays, too, also while its window is not in sight; otherwise it ends",
    arguments: [true, false])
  func startedAppBased(isAskedFor: Bool) throws {
    let run = Run(isAppBased: true)
    run.add("a", .after(.seconds(100)))
    run.program.kill()
    run.program.advance(by: .seconds(103))
    run.notices.holdsAnswers = true
    #expect(run.program.startForDueNotices())
    run.program.advance(by: .seconds(2))
    #expect(run.program.isRunning && run.shown == ["a"])
    if isAskedFor {
      run.machine.lock()
      let session = try #require(run.program.application.openSessions.first)
      run.program.application.activateSceneSession(for: SceneSessionActivationRequest(session: session))
      run.program.advance(by: .seconds(1))
    }
    run.notices.answer()
    run.program.advance(by: .seconds(5))
    #expect(run.program.isRunning == isAskedFor)
  }

  @Test("A run for a notice leaves the next launch what it found: a crash before it, and the sessions")
  func unseen() throws {
    let run = Run()
    let session = try #require(run.program.application.openSessions.first).persistentIdentifier
    run.add("a", .after(.seconds(100)))
    run.program.kill()
    run.program.advance(by: .seconds(103))
    #expect(run.program.startForDueNotices())
    run.program.advance(by: .seconds(3))
    #expect(run.shown == ["a"] && run.program.exitStatus == 0)
    run.program.relaunch()
    run.program.advance(by: .seconds(1))
    #expect(run.program.application.restorationReason == .recover)
    #expect(run.program.scenes.map(\.session.persistentIdentifier) == [session])
  }

  @Test("A desktop that does not answer has the program started again a quarter of an hour later, and not at once")
  func silent() throws {
    let run = Run()
    run.add("a", .after(.seconds(100)))
    run.program.kill()
    run.program.advance(by: .seconds(103))
    run.notices.holdsAnswers = true
    #expect(run.program.startForDueNotices())
    run.program.advance(by: .seconds(60))
    #expect(run.program.exitStatus == 0 && run.pending == ["a"])
    #expect(run.reports.count { $0.contains("not shown at its time: what shows notices does not answer") } == 1)
    run.program.advance(by: .seconds(800))
    #expect(!run.program.startForDueNotices())
    run.program.advance(by: .seconds(100))
    run.notices.answer()
    #expect(run.program.startForDueNotices())
    run.program.advance(by: .seconds(3))
    #expect(run.program.exitStatus == 0 && run.pending == [] && run.starts == 0 && run.program.violations.isEmpty)
  }

  #if !WITHOUT_Execution
    @Test("An execution mode keeps a program that was started for a notice; it ends with the mode")
    func mode() {
      let run = Run()
      run.add("a", .after(.seconds(100)))
      run.program.kill()
      run.program.advance(by: .seconds(103))
      run.notices.holdsAnswers = true
      #expect(run.program.startForDueNotices())
      let token = run.program.application.beginExecution(.processing, reason: "long")
      run.notices.answer()
      run.program.advance(by: .seconds(600))
      #expect(run.program.isRunning && run.pending == [])
      token.end()
      run.program.advance(by: .seconds(1))
      #expect(run.program.exitStatus == 0)
    }
  #endif

  @Test("A program that adds a notice and ends within its launch is started for it")
  func addedAtTheEnd() {
    let program = launch(adding: .after(.seconds(10)), ends: true)
    #expect(program.exitStatus == 0 && program.machine.parts.noticeTimes.starts.count == 1)
  }

  @Test("One that is killed as it shows a notice shows it again, in place of itself")
  func killedBetween() {
    let run = Run()
    run.add("a", .after(.seconds(100)))
    run.notices.holdsAnswers = true
    run.program.advance(by: .seconds(101))
    #expect(run.shown == ["a"] && run.pending == ["a"] && run.starts == 1)
    run.program.kill()
    run.notices.holdsAnswers = false
    run.program.relaunch()
    run.program.advance(by: .seconds(2))
    #expect(run.shown == ["a"] && run.pending == [] && run.lines == 2)
    run.program.advance(by: .seconds(1000))
    #expect(run.lines == 2)
  }

  @Test("One that nothing answers for has a start as long as that lasts, and none once it is answered")
  func startWhileShowing() {
    let run = Run()
    let times = run.machine.parts.noticeTimes
    run.add("a", .after(.seconds(100)))
    run.notices.holdsAnswers = true
    for _ in 0..<3 {
      // The service manager starts the program in vain while it runs, and has no such start afterwards.
      run.program.advance(by: .seconds(110))
      #expect(run.lines == 1 && times.removeDueStarts().isEmpty && run.starts == 1)
    }
    run.notices.answer()
    run.program.advance(by: .seconds(1))
    #expect(run.pending == [] && run.starts == 0 && run.program.platform.schedule.alarms.isEmpty)
    // One that is killed as it waits is started again.
    run.add("b", .after(.seconds(100)))
    run.notices.holdsAnswers = true
    run.program.advance(by: .seconds(140))
    _ = times.removeDueStarts()
    run.program.kill()
    run.notices.holdsAnswers = false
    run.program.advance(by: .seconds(100))
    #expect(run.program.startForDueNotices())
    run.program.advance(by: .seconds(3))
    #expect(run.pending == [] && run.starts == 0 && run.program.exitStatus == 0 && run.program.violations.isEmpty)
  }

  @Test("What cannot be shown is reported, and tried again a quarter of an hour later")
  func refused() {
    let run = Run()
    run.notices.refusal = DesktopFailure("nothing shows notices")
    run.add("a", .after(.seconds(100)))
    run.program.advance(by: .seconds(200))
    #expect(run.shown == [] && run.pending == ["a"])
    #expect(run.reports.count { $0.contains("\"a\" is not shown at its time: nothing shows notices") } == 1)
    run.notices.refusal = nil
    // Also by the next process, which does not try sooner.
    run.program.kill()
    run.program.relaunch()
    run.program.advance(by: .seconds(700))
    #expect(run.shown == [])
    run.program.advance(by: .seconds(101))
    #expect(run.shown == ["a"] && run.pending == [] && run.reports.count == 1)
  }

  @Test("A program with a store of its own by chance is not started")
  func separate() {
    let run = Run(separate: true)
    run.add("a", .after(.seconds(100)))
    #expect(run.starts == 0)
    run.program.advance(by: .seconds(101))
    #expect(run.shown == ["a"])
  }

  // MARK: Errors, and the file

  @Test("Triggers that cannot be are errors of their requests, and more than 64 notices do not wait")
  func invalid() {
    let run = Run()
    let refused: [UserNotificationTrigger] = [
      .after(.zero), .after(.seconds(-1)), .after(.seconds(1e10)), .after(.seconds(59), repeats: true),
      .matching(DateComponents()), .matching(DateComponents(hour: 24)), .matching(DateComponents(weekday: 8)),
      .matching(DateComponents(nanosecond: 1)), .matching(DateComponents(month: 2, day: 30)),
      .matching(DateComponents(year: 2001, month: 1)),
      .matching(DateComponents(timeZone: TimeZone(secondsFromGMT: 3600), hour: 1)),
    ]
    for trigger in refused { run.add("a", trigger) }
    #expect(run.errors.count == refused.count && run.pending == [])
    for number in 0..<NoticeSchedule.most { run.add("\(number)", .after(.seconds(100))) }
    #expect(run.errors.count == refused.count)
    run.add("one more", .after(.seconds(100)))
    run.add("0", .after(.seconds(200)))
    #expect(run.errors.count == refused.count + 1 && run.pending.last == "0" && run.pending.count == 64)
  }

  @Test("A notice with which the file could not be read any more is refused")
  func tooLarge() {
    let run = Run()
    run.add("a", .after(.seconds(100)))
    let title = String(repeating: "x", count: WaitingFile.limit)
    run.center.categories = [
      UserNotificationCategory(
        identifier: "mail", actions: [UserNotificationAction(identifier: "reply", title: title)])
    ]
    run.add("b", .after(.seconds(100)))
    #expect(run.errors.count == 1 && run.pending == ["a"])
    run.program.relaunch()
    run.program.advance(by: .seconds(2))
    #expect(run.pending == ["a"] && run.reports == [])
  }

  private static func schedule(_ names: String...) -> NoticeSchedule {
    var schedule = NoticeSchedule()
    for name in names {
      let content = UserNotificationContent(title: name, userInfo: ["key": "value"])
      let trigger: UserNotificationTrigger =
        name == "a"
        ? .after(.milliseconds(1500)) : .matching(DateComponents(month: 3, hour: 9, weekday: 2), repeats: true)
      let request = UserNotificationRequest(
        identifier: name, content: content, trigger: trigger, sessionIdentifier: "session")
      let action = UserNotificationAction(identifier: "x", title: "X", opensScene: name == "a")
      schedule.pending[name] = PendingNotice(UserNotice(request: request, actions: [action]), since: 1_700_000_000)
    }
    return schedule
  }

  @Test("Another time zone moves what comes by the calendar, and what it has passed over for good is shown now")
  func zone() throws {
    let since = 1_700_000_000.0  // The 14th November 2023, 22:13:20 in Greenwich.
    let eleven = 1_700_002_800.0
    let date = DateComponents(year: 2023, month: 11, day: 14, hour: 23)
    let triggers: [String: UserNotificationTrigger] = [
      "once": .matching(date), "daily": .matching(DateComponents(hour: 23), repeats: true),
      "after": .after(.seconds(60)),
    ]
    var schedule = NoticeSchedule()
    for (name, trigger) in triggers {
      let request = UserNotificationRequest(
        identifier: name, content: UserNotificationContent(title: name), trigger: trigger)
      schedule.pending[name] = PendingNotice(UserNotice(request: request, actions: []), since: since)
    }
    let expected = [0: [eleven, eleven], -3600: [eleven + 3600, eleven + 3600], 7200: [since, eleven + 79_200]]
    for (offset, times) in expected {
      schedule.updateTimes { _ in offset }
      #expect(schedule.pending["once"]?.time == times[0] && schedule.pending["daily"]?.time == times[1], "\(offset)")
      #expect(schedule.pending["after"]?.time == since + 60)
    }
    // And at the next launch.
    let request = UserNotificationRequest(
      identifier: "a", content: UserNotificationContent(title: "a"), trigger: .matching(DateComponents(year: 2022)))
    var past = NoticeSchedule()
    past.pending["a"] = PendingNotice(UserNotice(request: request, actions: []), since: since)
    #expect(past.due(at: since).isEmpty)
    #expect(try #require(NoticeSchedule(past.bytes)).due(at: since).count == 1)
  }

  @Test("A clock that is behind for a while, as before the network's time is known, puts nothing forward")
  func clockBehind() {
    let run = Run()
    let clock = run.machine.parts.noticeTimes
    run.add("a", .after(.seconds(100_000)))
    clock.setClock(by: -200_000)
    run.program.advance(by: .seconds(2))
    // Another process finds it as the first one has left it.
    run.program.kill()
    run.program.relaunch()
    run.program.advance(by: .seconds(2))
    clock.setClock(by: 200_000)
    run.program.advance(by: .seconds(2))
    #expect(run.lines == 0)
    run.program.advance(by: .seconds(100_000))
    #expect(run.lines == 1)
  }

  @Test("A clock that was ahead silences nothing once it is set back, in this run and in the next ones")
  func clockSetBack() {
    let run = Run()
    let clock = run.machine.parts.noticeTimes
    // Shown by the wrong time
    clock.setClock(by: 100_000)
    run.add("a", .after(.seconds(3600), repeats: true))
    run.program.advance(by: .seconds(3601))
    #expect(run.lines == 1)
    clock.setClock(by: -100_000)
    run.program.advance(by: .seconds(3601))
    #expect(run.lines == 2)
    // Set back while no process runs: what the first one of two finds is kept for the second one.
    clock.setClock(by: 100_000)
    run.program.advance(by: .seconds(10))
    #expect(run.lines == 3)
    run.program.kill()
    clock.setClock(by: -100_000)
    for _ in 1...2 {
      run.program.relaunch()
      run.program.advance(by: .seconds(1805))
      run.program.kill()
    }
    #expect(run.lines == 4)
  }

  @Test("A notice that could not be shown before the clock was set back is tried again soon")
  func retryBeforeClockSetBack() {
    let run = Run()
    let clock = run.machine.parts.noticeTimes
    run.add("a", .after(.seconds(10)))
    run.notices.refusal = DesktopFailure("away")
    clock.setClock(by: 100_000)
    run.program.advance(by: .seconds(1))
    run.notices.refusal = nil
    clock.setClock(by: -100_000)
    run.program.advance(by: .seconds(10))
    #expect(run.shown == ["a"] && run.starts == 0)
  }

  #if !WITHOUT_Suspension
    @Test("A suspended program runs for its notice after a clock that was ahead has been set back")
    func suspendedAtClockSetBack() {
      let run = Run(suspends: true)
      let clock = run.machine.parts.noticeTimes
      clock.setClock(by: 100_000)
      run.add("a", .after(.seconds(3600), repeats: true))
      run.suspend()
      clock.setClock(by: -100_000)
      #expect(run.program.platform.isSuspended)
      run.program.advance(by: .seconds(3601))
      #expect(run.lines == 1)
    }
  #endif

  @Test("A clock that is set back by minutes shows nothing twice")
  func smallCorrection() {
    let run = Run()
    run.add("a", .matching(DateComponents(minute: 30), repeats: true))
    for _ in 0..<3700 where run.lines == 0 { run.program.advance(by: .seconds(1)) }
    #expect(run.lines == 1)
    run.machine.parts.noticeTimes.setClock(by: -600)
    run.program.advance(by: .seconds(1200))
    #expect(run.lines == 1)
    run.program.advance(by: .seconds(3600))
    #expect(run.lines == 2)
  }

  @Test("What is on disk is read as it was written, and nothing else is")
  func file() throws {
    let schedule = Self.schedule("a", "b")
    #expect(NoticeSchedule(schedule.bytes) == schedule && NoticeSchedule(NoticeSchedule().bytes) == NoticeSchedule())
    for text in ["", "[]", "{}", #"{"pending": 1}"#, "{\"pending\": [}"] {
      #expect(NoticeSchedule(Array(text.utf8)) == nil, "\(text)")
    }
    let run = Run()
    run.program.kill()
    try run.program.disk.files.replace("notices.json", with: Array("{".utf8))
    run.program.relaunch()
    run.program.advance(by: .seconds(1))
    #expect(run.pending == [] && run.reports.count { $0.contains("damaged") } == 1)
    // It is set aside: the next launch finds none.
    run.program.kill()
    run.program.relaunch()
    run.program.advance(by: .seconds(1))
    #expect(run.pending == [] && run.reports.count { $0.contains("damaged") } == 1)
    run.add("a", .after(.seconds(10)))
    run.program.advance(by: .seconds(11))
    #expect(run.shown == ["a"])
  }

  @Test("What a later version has added to a notice, or beside the notices, stays with it, also when it was shown")
  func laterMembers() throws {
    func entry(_ bytes: [UInt8]) throws -> [String: JSONValue] {
      guard case .array(let values)? = try JSONValue.object(in: bytes)["pending"] else { return [:] }
      return values.first?.members ?? [:]
    }
    var member = try entry(Self.schedule("b").bytes)
    member["retry"] = .int(1_700_000_900)
    member["place"] = .string("home")
    var notice = try JSONValue.object(in: Array(try #require(member["notice"]?.text).utf8))
    notice["thread"] = .string("mail")
    member["notice"] = .string(String(decoding: try JSONValue.bytes(of: JSONValue.object(notice)), as: UTF8.self))
    let bytes = try JSONValue.bytes(of: ["format": .int(3), "pending": JSONValue.array([.object(member)])])
    var read = try #require(NoticeSchedule(bytes))
    for _ in 0..<2 {
      let written = try entry(read.bytes)
      #expect(try JSONValue.object(in: read.bytes)["format"] == .int(3) && written["place"] == .string("home"))
      #expect(try JSONValue.object(in: Array(try #require(written["notice"]?.text).utf8)) == notice)
      // It is shown, and comes again.
      read.pending["b"] = read.pending["b"]?.afterShowing(at: 1_700_001_000)
      #expect(try entry(read.bytes)["retry"] == nil)
    }
    read.pending = [:]
    #expect(!read.isEmpty && NoticeSchedule(read.bytes) == read)
  }

  @Test("What a later version has added to the file stays in it, and the other notices are shown at their times")
  func laterVersion() throws {
    func values(_ bytes: [UInt8]) throws -> [JSONValue] {
      guard case .array(let values)? = try JSONValue.object(in: bytes)["pending"] else { return [] }
      return values
    }
    // A part of a date that is not known here: without it the notice would come at other times.
    var member = try #require(values(Self.schedule("c").bytes).first?.members)
    var trigger = try #require(member["trigger"]?.members)
    var parts = try #require(trigger["matching"]?.members)
    parts["quarter"] = .int(1)
    trigger["matching"] = .object(parts)
    member["trigger"] = .object(trigger)
    let later: [JSONValue] = [.object(["place": .string("home")]), .int(1), .object(member)]
    let schedule = Self.schedule("a", "b")
    let bytes = try JSONValue.bytes(of: ["pending": JSONValue.array(later + values(schedule.bytes))])
    var read = try #require(NoticeSchedule(bytes))
    #expect(read.pending == schedule.pending && NoticeSchedule(read.bytes) == read)
    #expect(try Set(values(read.bytes)) == Set(values(bytes)))
    read.pending = [:]
    #expect(!read.isEmpty && read.due(at: .infinity) == [])
    read.remove { $0 == "c" }
    #expect(try values(read.bytes) == Array(later.prefix(2)))

    let run = Run()
    run.program.kill()
    try run.program.disk.files.replace("notices.json", with: bytes)
    run.program.relaunch()
    run.program.advance(by: .seconds(3))
    #expect(run.shown.contains("a") && run.reports.count { $0.contains("damaged") } == 0)
    #expect(run.reports.count { $0.contains("3 entries") } == 1, "\(run.reports)")
    let left = try values(run.program.disk.files.read("notices.json", limit: .max))
    #expect(left.count == 4 && Set(left).isSuperset(of: later))
  }

  @Test("Notices that are added while there is no store are saved with those that it has")
  func lateStore() async throws {
    let directory = try TemporaryDirectory()
    let link = directory.path + "/state"
    func lead(to target: String) throws {
      try #require(symlink(target, link + ".new") == 0 && rename(link + ".new", link) == 0)
    }
    func launch() -> HeadlessProgram {
      let program = HeadlessProgram(store: .directory(environment: ["XDG_STATE_HOME": link]))
      program.launch(RecordingDelegate())
      program.advance(by: .seconds(1))
      return program
    }
    func add(_ identifier: String, to program: HeadlessProgram) {
      UserNotificationCenter.of(program.application).add(
        UserNotificationRequest(
          identifier: identifier, content: UserNotificationContent(title: "Title"), trigger: .after(.seconds(1e8))))
      program.advance(by: .seconds(1))
    }
    func pending(_ program: HeadlessProgram) -> Set<String> {
      Set(UserNotificationCenter.of(program.application).pendingNotificationRequests.map(\.identifier))
    }
    try #require(mkdir(directory.path + "/kept", 0o700) == 0)
    for (place, name, expected) in [("kept", "a", ["a"]), ("nowhere", "b", ["a", "b"]), ("kept", "a", ["a", "b"])] {
      try lead(to: place)
      let program = launch()
      add(name, to: program)
      try lead(to: "kept")
      try await waitUntil {
        program.advance(by: .milliseconds(100))
        return pending(program) == Set(expected)
      }
      program.platform.send(.signal(15))
      #expect(program.exitStatus == 0)
    }
  }

  @Test("A power cut at every write leaves the notices of before or of after, whole")
  func powerCuts() throws {
    let (old, new) = (Self.schedule("a"), Self.schedule("a", "b"))
    var found: Set<NoticeSchedule> = []
    for operations in 0..<6 {
      for torn in [0, 1, 40, 1000] {
        for loss in [CuttableDisk.Loss.nothing] + (0..<8).map({ .unsynced(seed: $0) }) {
          let disk = CuttableDisk()
          let store = SessionStore(files: disk, runsInline: true)
          _ = store.write(old.bytes, to: .notices)
          disk.cut(afterOperation: operations, tornAt: torn)
          let isWritten = (try? store.write(new.bytes, to: .notices).wait(for: .zero)?.get()) != nil
          let bytes = try SessionStore(files: disk.restarted(loss), runsInline: true).read(.notices)
          let read = bytes.flatMap { NoticeSchedule($0) }
          #expect(read == new || (read == old && !isWritten), "after \(operations) operations and \(torn) bytes")
          if let read { found.insert(read) }
        }
      }
    }
    #expect(found == [old, new])
  }

  @Test("Notices that the disk does not take are saved once it does, and what was removed is not shown")
  func passingTrouble() throws {
    for ends in [false, true] {
      let run = Run()
      for name in ["a", "b", "c"] { run.add(name, .after(.seconds(name == "a" ? 1 : 100))) }
      run.program.disk.files.fail(with: .system(EIO))
      run.center.removePendingNotificationRequests(withIdentifiers: ["b"])
      run.program.advance(by: .seconds(3))
      run.add("d", .after(.seconds(100)))
      #expect(run.pending == ["c"] && run.shown == ["a"] && run.errors.count == 1)
      #expect(run.reports.count { $0.contains("The changes of notices with triggers cannot be saved") } == 1)
      run.program.disk.files.fail(with: nil)
      if ends {
        run.program.platform.send(.signal(15))
      } else {
        run.program.advance(by: .seconds(2))
        run.program.kill()
      }
      #expect(run.program.entries.count { $0.text("name") == "savingResumed" } == 1)
      run.program.relaunch()
      run.program.advance(by: .seconds(2))
      #expect(run.pending == ["c"])
    }
  }

  @Test("A file that the disk withholds is read again, with what was removed meanwhile; nothing overwrites it unread")
  func withheld() throws {
    let run = Run()
    for (name, time) in [("a", 5.0), ("b", 1000), ("c", 1000)] { run.add(name, .after(.seconds(time))) }
    run.program.kill()
    run.program.disk.files.withhold(["notices.json"])
    run.program.relaunch()
    run.program.advance(by: .seconds(10))
    #expect(run.reports.count { $0.contains("notices with triggers cannot be read") } == 1 && run.shown == [])
    run.add("d", .after(.seconds(100)))
    #expect(run.errors.count == 1)
    run.center.removePendingNotificationRequests(withIdentifiers: ["b"])
    run.program.disk.files.withhold([])
    run.program.advance(by: .seconds(2))
    #expect(run.shown == ["a"] && run.pending == ["c"])
    #expect(run.program.entries.count { $0.text("name") == "savingResumed" } == 1)
  }

  @Test("A program that is started for a notice waits for a file that the disk withholds, and is started again later")
  func startedUnread() {
    let run = Run()
    run.add("a", .after(.seconds(100)))
    run.add("b", .after(.seconds(1000)))
    run.program.kill()
    // Given a disk that withholds the notices for three seconds
    run.program.disk.files.withhold(["notices.json"])
    run.program.advance(by: .seconds(103))
    #expect(run.program.startForDueNotices())
    run.program.advance(by: .seconds(3))
    #expect(run.program.isRunning && run.shown == [])
    run.program.disk.files.withhold([])
    run.program.advance(by: .seconds(3))
    #expect(run.shown == ["a"] && run.program.exitStatus == 0 && run.starts == 1)
    // And for longer than it waits
    run.program.disk.files.withhold(["notices.json"])
    run.program.advance(by: .seconds(1000))
    #expect(run.program.startForDueNotices())
    run.program.advance(by: .seconds(70))
    #expect(run.shown == ["a"] && run.program.exitStatus == 0 && run.starts == 1)
    #expect(run.reports.count { $0.contains("notices with triggers cannot be read") } == 2)
    run.program.disk.files.withhold([])
    run.program.advance(by: .seconds(1000))
    #expect(run.program.startForDueNotices())
    run.program.advance(by: .seconds(3))
    #expect(run.shown == ["a", "b"] && run.program.exitStatus == 0 && run.starts == 0)
  }
}
