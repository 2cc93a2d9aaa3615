import FoundationEssentials
import Glibc
import ProsceniumJSON
import ProsceniumStore
import Testing

@testable import ProsceniumCore
@testable import ProsceniumPlatform
@testable import ProsceniumTesting
@testable import ProsceniumTrace

/// Scheduled work, in the program that runs, in the suspended one, and in the one that is started for it.
@MainActor @Suite("Scheduled work", .serialized) struct BackgroundSchedulerTests {
  private static let refresh = "org.example.refresh"
  private static let upkeep = "org.example.upkeep"

  /// A program with handlers that note what happens; delegates of later processes note into the same list.
  @MainActor private final class Run {
    final class Delegate: RecordingDelegate {
      weak var run: Run?

      override func application(
        _ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?
      ) -> Bool {
        run?.register()
        return super.application(application, didFinishLaunchingWithOptions: launchOptions)
      }
    }

    private(set) var program = HeadlessProgram()
    /// What the manifest of each process has of it.
    var manifest = ApplicationManifest()
    /// What happened to tasks, in order.
    var calls: [String] = []
    /// The tasks that have begun, the latest one last.
    var tasks: [BackgroundTask] = []
    var completesAtOnce = false
    var handled: [String] = [BackgroundSchedulerTests.refresh, BackgroundSchedulerTests.upkeep]
    var duringLaunch: (() -> Void)?

    init(suspends: Bool = true, _ prepare: (Run) -> Void = { _ in }) {
      manifest.permittedTaskIdentifiers = [BackgroundSchedulerTests.refresh, BackgroundSchedulerTests.upkeep, "other"]
      #if !WITHOUT_Suspension
        if suspends { manifest.suspensionPolicy = .whenAllInBackground }
      #endif
      prepare(self)
      program = HeadlessProgram(delegate: { [weak self] in
        let delegate = Delegate()
        delegate.run = self
        guard let self else { return delegate }
        delegate.manifest.permittedTaskIdentifiers = manifest.permittedTaskIdentifiers
        delegate.manifest.allowsBackgroundRefresh = manifest.allowsBackgroundRefresh
        delegate.manifest.instancePolicy = manifest.instancePolicy
        delegate.manifest.lifecycleModel = manifest.lifecycleModel
        #if !WITHOUT_Suspension
          delegate.manifest.suspensionPolicy = manifest.suspensionPolicy
        #endif
        return delegate
      })
    }

    var machine: HeadlessMachine { program.machine }
    var scheduler: BackgroundScheduler { .shared }
    var application: Application { program.application }

    @discardableResult func launch(_ arguments: [String] = []) -> Run {
      program.launch(arguments: arguments)
      program.advance(by: .seconds(2))
      return self
    }

    func register() {
      duringLaunch?()
      for identifier in handled {
        scheduler.register(forTaskWithIdentifier: identifier) { [weak self] task in
          guard let self else { return }
          tasks.append(task)
          calls.append("begins \(task.identifier) \(task.kind)")
          // Without the task: some tests leave theirs unfinished.
          task.expirationHandler = { [weak self] in self?.calls.append("expires \(identifier)") }
          if completesAtOnce { task.setTaskCompleted(success: true) }
        }
      }
    }

    func submit(_ identifier: String = BackgroundSchedulerTests.refresh, in seconds: Double? = nil) throws {
      try scheduler.submit(
        AppRefreshTaskRequest(identifier: identifier, earliestBeginDate: seconds.map { machine.now + $0 }))
      program.advance(by: .zero)
    }

    func submitUpkeep(_ change: (inout ProcessingTaskRequest) -> Void) throws {
      var request = ProcessingTaskRequest(identifier: BackgroundSchedulerTests.upkeep)
      change(&request)
      try scheduler.submit(request)
      program.advance(by: .zero)
    }

    func minimize() {
      for window in program.windows { program.desk.minimize(window) }
      program.advance(by: .milliseconds(300))
    }

    func suspend() {
      minimize()
      program.advance(by: .seconds(6))
      #expect(program.platform.isSuspended)
    }

    /// The lines of the trace about tasks and suspensions.
    var lines: [String] {
      let names: Set = ["taskSubmitted", "taskBegan", "taskExpires", "taskEnded", "suspended", "resumed"]
      return program.entries.filter { $0.kind == "system" && names.contains($0.text("name") ?? "") }.map { line in
        [line.text("name"), line.text("outcome")].compactMap(\.self).joined(separator: " ")
      }
    }

    var errors: [String] { program.entries.filter { $0.kind == "error" }.compactMap { $0.text("message") } }
  }

  // MARK: In the program

  @Test("A task begins when the time until its date is over, whenever that begins")
  func onTime() throws {
    let run = Run(suspends: false).launch()
    run.completesAtOnce = true
    for wait in 0..<60 {
      run.program.advance(by: .milliseconds(37 * wait))
      run.calls = []
      try run.submit(in: 60)
      run.program.advance(by: .milliseconds(59_999))
      #expect(run.calls.isEmpty)
      run.program.advance(by: .milliseconds(1))
      #expect(run.calls.count == 1)
    }
  }

  @Test("A task begins at its time, once, and is over when its handler says so")
  func time() throws {
    let run = Run().launch()
    try run.submit(in: 100)
    #expect(run.scheduler.pendingTaskRequests.map(\.identifier) == [Self.refresh])
    run.program.advance(by: .seconds(99))
    #expect(run.calls == [])
    run.program.advance(by: .seconds(2))
    #expect(run.calls == ["begins \(Self.refresh) refresh"] && run.scheduler.pendingTaskRequests.isEmpty)
    run.program.advance(by: .seconds(1000))
    #expect(run.calls.count == 1)
    run.tasks.last?.setTaskCompleted(success: true)
    run.tasks.last?.setTaskCompleted(success: false)
    run.program.advance(by: .seconds(1000))
    #expect(run.lines == ["taskSubmitted", "taskBegan", "taskEnded completed"] && run.tasks.last?.isOver == true)
    #expect(run.errors == [])
  }

  #if !WITHOUT_Suspension
    @Test("A suspended program runs for its task alone, has thirty seconds, and is suspended again")
    func suspended() throws {
      let run = Run().launch()
      try run.submit(in: 100)
      run.suspend()
      let awake = run.lines
      run.program.advance(by: .seconds(90))
      #expect(run.lines == awake)
      run.program.advance(by: .seconds(10))
      #expect(run.calls == ["begins \(Self.refresh) refresh"] && !run.program.platform.isSuspended)
      #expect(run.application.backgroundTimeRemaining <= .seconds(30))
      run.program.advance(by: .seconds(20))
      #expect(!run.program.platform.isSuspended)
      run.tasks.last?.setTaskCompleted(success: true)
      run.program.advance(by: .seconds(6))
      #expect(run.program.platform.isSuspended)
      #expect(
        run.lines == ["taskSubmitted", "suspended", "resumed", "taskBegan", "taskEnded completed", "suspended"])
    }

    @Test("The whole time is there again for each task, and what does not end in it has expired")
    func expiry() throws {
      let run = Run().launch()
      for round in 1...3 {
        try run.submit(in: 200)
        run.suspend()
        run.program.advance(by: .seconds(200))
        #expect(run.tasks.count == round)
        run.program.advance(by: .seconds(20))
        #expect(run.calls.count { $0 == "expires \(Self.refresh)" } == round - 1)
        run.program.advance(by: .seconds(9))
        #expect(run.calls.count { $0 == "expires \(Self.refresh)" } == round)
        run.program.advance(by: .seconds(10))
        #expect(run.tasks.last?.isOver == true && run.program.platform.isSuspended)
        for window in run.program.windows { run.program.desk.restore(window) }
        run.program.advance(by: .seconds(1))
      }
      #expect(run.lines.count { $0 == "taskExpires" } == 3 && run.lines.count { $0 == "taskEnded expired" } == 3)
      // Each once, and not for having been ended by the framework.
      #expect(run.errors.count == 3 && run.errors.allSatisfy { $0.contains("still open") }, "\(run.errors)")
    }

    @Test("A handler that completes its task as it expires has it in its hand; one without a handler is over then")
    func expirationHandlers() throws {
      let run = Run().launch()
      try run.submit(in: 100)
      try run.submitUpkeep { $0.earliestBeginDate = run.machine.now + 100 }
      run.suspend()
      run.program.advance(by: .seconds(100))
      let (first, second) = (try #require(run.tasks.first), try #require(run.tasks.last))
      #expect(first !== second && run.tasks.count == 2)
      first.expirationHandler = { first.setTaskCompleted(success: false) }
      second.expirationHandler = nil
      run.program.advance(by: .seconds(29))
      #expect(first.isOver && second.isOver)
      #expect(Set(run.lines.suffix(4)).isSuperset(of: ["taskEnded failed", "taskEnded expired"]))
      #expect(run.errors == [])
    }

    @Test("A request that waits for power or the network wakes a suspended program when it is there, not before")
    func needs() throws {
      let run = Run().launch()
      run.machine.setBattery(level: 0.5, state: .unplugged)
      run.machine.isOnline = false
      try run.submitUpkeep {
        $0.earliestBeginDate = run.machine.now + 10
        $0.requiresExternalPower = true
        $0.requiresNetworkConnectivity = true
      }
      run.suspend()
      run.program.advance(by: .seconds(3600))
      #expect(run.program.platform.isSuspended && run.calls == [])
      run.machine.isOnline = true
      run.program.advance(by: .seconds(60))
      #expect(run.program.platform.isSuspended)
      run.machine.setBattery(level: 0.5, state: .charging)
      #expect(run.calls == ["begins \(Self.upkeep) processing"] && !run.program.platform.isSuspended)
      // Nothing else has woken it.
      #expect(run.lines == ["taskSubmitted", "suspended", "resumed", "taskBegan"])
    }
  #endif

  @Test("A refresh waits while the user saves power, which the status says; a processing task does not")
  func powerSaver() throws {
    let run = Run(suspends: false).launch()
    var told: [BackgroundRefreshStatus] = []
    let token = NotificationCenter.default.addObserver(of: Application.self, for: .backgroundRefreshStatusDidChange) {
      told.append($0.application.backgroundRefreshStatus)
    }
    run.machine.setLowPowerMode(true)
    #expect(run.application.backgroundRefreshStatus == .available)
    try run.submit(in: 10)
    try run.submitUpkeep { $0.earliestBeginDate = run.machine.now + 10 }
    run.program.advance(by: .seconds(60))
    #expect(run.calls == ["begins \(Self.upkeep) processing"] && told == [.denied])
    run.machine.setLowPowerMode(false)
    #expect(run.calls.last == "begins \(Self.refresh) refresh" && told == [.denied, .available])
    NotificationCenter.default.removeObserver(token)
  }

  @Test("Nothing is watched without a request, and only what requests wait for")
  func lazy() throws {
    let run = Run(suspends: false).launch()
    #expect(run.program.platform.schedule.alarms.isEmpty && run.machine.scheduledStarts == [])
    try run.submitUpkeep { $0.earliestBeginDate = run.machine.now + 10 }
    #expect(run.program.platform.schedule.alarms.count == 1)
    run.scheduler.cancel(taskRequestWithIdentifier: Self.upkeep)
    run.program.advance(by: .seconds(1))
    #expect(run.program.platform.schedule.alarms.isEmpty && run.machine.scheduledStarts == [])
    run.program.advance(by: .seconds(100))
    #expect(run.calls == [])
  }

  @Test("A handler that requests its task anew, without a time, is called once a minute at most")
  func pause() throws {
    let run = Run(suspends: false).launch()
    run.completesAtOnce = true
    try run.submit()
    #expect(run.calls.count == 1)
    try run.submit()
    try run.submit(in: 1)
    #expect(run.calls.count == 1 && run.scheduler.pendingTaskRequests.count == 1)
    run.program.advance(by: .seconds(58))
    #expect(run.calls.count == 1)
    run.program.advance(by: .seconds(3))
    #expect(run.calls.count == 2)
  }

  @Test("At most one task of an identifier runs; the next request waits for its end")
  func oneAtATime() throws {
    let run = Run(suspends: false).launch()
    try run.submit()
    try run.submit(in: 5)
    run.program.advance(by: .seconds(600))
    #expect(run.calls.count == 1 && run.scheduler.pendingTaskRequests.count == 1)
    run.tasks.last?.setTaskCompleted(success: true)
    run.program.advance(by: .zero)
    #expect(run.calls.count == 2)
  }

  @Test("The program's end expires what runs, before its last callback")
  func end() throws {
    let run = Run(suspends: false).launch()
    try run.submit()
    #expect(run.tasks.count == 1)
    run.machine.send(signal: 15)
    run.program.advance(by: .seconds(5))
    #expect(run.program.exitStatus == 0 && run.tasks.last?.isOver == true)
    #expect(run.calls == ["begins \(Self.refresh) refresh", "expires \(Self.refresh)"])
    let names = run.program.entries.compactMap { $0.text("name") }
    let ended = try #require(names.firstIndex(of: "taskEnded"))
    let last = try #require(names.firstIndex(of: "applicationWillTerminate"))
    #expect(ended < last)
  }

  // MARK: Errors

  @Test("Requests that cannot be are refused with what to do: not permitted, too many, not allowed, not saved")
  func refusals() throws {
    let run = Run(suspends: false) { run in
      run.handled = (0..<12).map { "task\($0)" }
      run.manifest.permittedTaskIdentifiers = Set(run.handled)
    }.launch()
    #expect(throws: BackgroundSchedulerError.notPermitted(identifier: "unknown")) { try run.submit("unknown") }
    try run.submit("task0", in: 100)
    try run.submit("task0", in: 200)
    #expect(throws: BackgroundSchedulerError.tooManyPendingTaskRequests) { try run.submit("task1", in: 100) }
    for number in 1...10 { try run.scheduler.submit(Self.late(run, "task\(number)")) }
    #expect(throws: BackgroundSchedulerError.tooManyPendingTaskRequests) {
      try run.scheduler.submit(Self.late(run, "task11"))
    }
    // In place of the refresh.
    try run.scheduler.submit(Self.late(run, "task10"))
    run.scheduler.isAllowedByUser = false
    #expect(throws: BackgroundSchedulerError.self) { try run.submit("task0", in: 100) }
    for error in [
      BackgroundSchedulerError.notPermitted(identifier: "a"), .tooManyPendingTaskRequests, .unavailable(reason: "b"),
    ] {
      #expect(error.description.hasSuffix("."))
    }
  }

  private static func late(_ run: Run, _ identifier: String) -> ProcessingTaskRequest {
    ProcessingTaskRequest(identifier: identifier, earliestBeginDate: run.machine.now + 1000)
  }

  @Test("Handlers are registered once, for what is permitted, during the launch")
  func registration() throws {
    let run = Run(suspends: false)
    var results: [Bool] = []
    run.duringLaunch = { [unowned run] in
      results.append(run.scheduler.register(forTaskWithIdentifier: "other") { _ in })
      results.append(run.scheduler.register(forTaskWithIdentifier: "other") { _ in })
      results.append(run.scheduler.register(forTaskWithIdentifier: "unknown") { _ in })
    }
    run.handled = []
    run.launch()
    results.append(run.scheduler.register(forTaskWithIdentifier: Self.refresh) { _ in })
    #expect(results == [true, false, false, false] && run.errors.count == 3)
    // A request that nothing serves is dropped, and named.
    try run.submit(in: 10)
    #expect(run.scheduler.pendingTaskRequests.isEmpty && run.errors.last?.contains(Self.refresh) == true)
  }

  @Test("A handler that is registered before the program is launched is refused with a message")
  func earlyRegistration() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let scheduler = BackgroundScheduler(Application())
        if scheduler.register(forTaskWithIdentifier: "org.example.early", launchHandler: { _ in }) { exit(1) }
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("org.example.early"), "\(text)")
  }

  @Test("A date that is none, or too far away, does no harm")
  func dates() throws {
    let run = Run(suspends: false).launch()
    for date in [Date(timeIntervalSince1970: .nan), Date(timeIntervalSince1970: -.infinity), .distantPast] {
      run.completesAtOnce = true
      try run.scheduler.submit(AppRefreshTaskRequest(identifier: Self.refresh, earliestBeginDate: date))
      run.program.advance(by: .seconds(61))
    }
    #expect(run.calls.count == 3)
    try run.scheduler.submit(AppRefreshTaskRequest(identifier: Self.refresh, earliestBeginDate: .distantFuture))
    try run.scheduler.submit(
      AppRefreshTaskRequest(identifier: Self.refresh, earliestBeginDate: Date(timeIntervalSince1970: 1e300)))
    run.program.advance(by: .seconds(61))
    #expect(run.calls.count == 3 && run.machine.scheduledStarts == [Self.refresh])
    run.program.relaunch()
    run.program.advance(by: .seconds(61))
    #expect(run.calls.count == 3 && run.scheduler.pendingTaskRequests.count == 1)
  }

  // MARK: Another process

  @Test("A request outlasts its process, which is started for it in the background, without a window, and ends")
  func started() throws {
    let run = Run(suspends: false).launch()
    try run.submit(in: 100)
    run.machine.send(signal: 15)
    run.program.advance(by: .seconds(1))
    #expect(run.program.exitStatus == 0 && run.machine.scheduledStarts == [Self.refresh])
    #expect(!run.machine.startForDueTasks())
    run.program.clock.advance(by: .seconds(120))
    run.completesAtOnce = true
    #expect(run.machine.startForDueTasks())
    run.program.advance(by: .seconds(1))
    #expect(run.calls == ["begins \(Self.refresh) refresh"] && run.program.windows.isEmpty)
    #expect(run.program.exitStatus == 0 && run.machine.scheduledStarts == [])
    #expect(
      run.program.entries.last { $0.text("name") == "didFinishLaunchingWithOptions" }?.text("state") == "background")
  }

  @Test("A program that has no tasks any more ends where an old timer starts it")
  func oldTimer() throws {
    let run = Run(suspends: false) { $0.manifest.permittedTaskIdentifiers = [] }
    run.handled = []
    run.launch(["--background", WorkStart.option, Self.refresh])
    #expect(run.program.exitStatus == 0 && run.errors == [])
  }

  @Test("A run that showed nothing leaves the next launch what it found: a crash before it, and the sessions")
  func unseen() throws {
    let run = Run(suspends: false).launch()
    let session = try #require(run.application.openSessions.first).persistentIdentifier
    try run.submit(in: 10)
    run.program.advance(by: .seconds(5))
    run.program.kill()
    run.program.clock.advance(by: .seconds(60))
    run.completesAtOnce = true
    #expect(run.machine.startForDueTasks())
    run.program.advance(by: .seconds(1))
    #expect(run.calls.count == 1 && run.program.exitStatus == 0)
    run.program.relaunch()
    run.program.advance(by: .seconds(1))
    #expect(run.application.restorationReason == .recover)
    #expect(run.program.scenes.map(\.session.persistentIdentifier) == [session])
  }

  @Test("A killed program is started too, and one that is shown meanwhile stays")
  func killed() throws {
    let run = Run(suspends: false).launch()
    try run.submit(in: 100)
    run.program.kill()
    run.program.clock.advance(by: .seconds(120))
    #expect(run.machine.startForDueTasks())
    run.program.advance(by: .seconds(1))
    #expect(run.calls.count == 1 && run.program.isRunning)
    run.application.activateSceneSession(for: SceneSessionActivationRequest())
    run.program.advance(by: .seconds(1))
    run.tasks.last?.setTaskCompleted(success: true)
    run.program.advance(by: .seconds(10))
    #expect(run.program.isRunning && !run.program.windows.isEmpty)
  }

  @Test(
    "So does an app-based one, also while its window is not in sight; without being asked for it ends",
    arguments: [true, false])
  func killedAppBased(isAskedFor: Bool) throws {
    let run = Run(suspends: false) {
      $0.manifest.lifecycleModel = .appBased
      $0.duringLaunch = { Window().makeKeyAndVisible() }
    }.launch()
    try run.submit(in: 100)
    run.program.kill()
    run.program.clock.advance(by: .seconds(120))
    #expect(run.machine.startForDueTasks())
    run.program.advance(by: .seconds(1))
    #expect(run.calls.count == 1 && run.program.isRunning)
    if isAskedFor {
      run.machine.lock()
      let session = try #require(run.application.openSessions.first)
      run.application.activateSceneSession(for: SceneSessionActivationRequest(session: session))
      run.program.advance(by: .seconds(1))
    }
    run.tasks.last?.setTaskCompleted(success: true)
    run.program.advance(by: .seconds(10))
    #expect(run.program.isRunning == isAskedFor)
    run.machine.unlock()
    #expect(run.program.isRunning == (isAskedFor && run.application.applicationState == .active))
  }

  @Test("A program that is started although the need is not met ends, and is started again later")
  func unmet() throws {
    let run = Run(suspends: false).launch()
    try run.submitUpkeep {
      $0.earliestBeginDate = run.machine.now + 100
      $0.requiresNetworkConnectivity = true
    }
    run.program.kill()
    run.machine.isOnline = false
    run.program.clock.advance(by: .seconds(120))
    #expect(run.machine.startForDueTasks())
    run.program.advance(by: .seconds(1))
    #expect(run.calls == [] && run.program.exitStatus == 0 && run.machine.scheduledStarts == [Self.upkeep])
    run.machine.isOnline = true
    run.program.clock.advance(by: .seconds(800))
    #expect(!run.machine.startForDueTasks())
    run.program.clock.advance(by: .seconds(200))
    run.completesAtOnce = true
    #expect(run.machine.startForDueTasks())
    run.program.advance(by: .seconds(1))
    #expect(run.calls == ["begins \(Self.upkeep) processing"] && run.program.exitStatus == 0)
  }

  @Test(
    "A killed program is started for a task whose needs were unmet for long, at every moment of the wait",
    arguments: [1, 899, 901, 911, 3600])
  func unmetForLong(seconds: Int) throws {
    let run = Run(suspends: seconds > 900).launch()
    run.machine.isOnline = false
    try run.submitUpkeep { $0.requiresNetworkConnectivity = true }
    run.minimize()
    for _ in 0..<seconds {
      run.program.advance(by: .seconds(1))
      // It is not disturbed while it runs.
      #expect(run.machine.work.starts.allSatisfy { Double($0.time) > run.machine.work.now })
      run.machine.startForDueTasks()
    }
    run.program.kill()
    #expect(run.machine.scheduledStarts == [Self.upkeep])
    run.machine.isOnline = true
    run.program.clock.advance(by: .seconds(1000))
    run.completesAtOnce = true
    #expect(run.machine.startForDueTasks())
    run.program.advance(by: .seconds(1))
    #expect(run.calls == ["begins \(Self.upkeep) processing"] && run.program.exitStatus == 0)
  }

  @Test("A clock that was ahead keeps no task waiting once it is set back")
  func clockSetBack() throws {
    let run = Run(suspends: false).launch()
    run.completesAtOnce = true
    let clock = run.machine.work
    // Requested by the wrong time, for as soon as there is a network
    run.machine.isOnline = false
    clock.setClock(by: 100_000)
    try run.submitUpkeep { $0.requiresNetworkConnectivity = true }
    run.program.advance(by: .seconds(2))
    clock.setClock(by: -100_000)
    run.program.advance(by: .seconds(2))
    #expect(clock.starts.count == 1 && clock.starts.allSatisfy { Double($0.time) < clock.now + 1000 })
    run.machine.isOnline = true
    run.program.advance(by: .seconds(1))
    #expect(run.calls == ["begins \(Self.upkeep) processing"])
    // Run by the wrong time, and requested again, for as soon as it can be, or for a time
    for delay in [nil, 500.0] {
      clock.setClock(by: 100_000)
      run.calls = []
      try run.submit()
      run.program.advance(by: .seconds(1))
      #expect(run.calls.count == 1)
      clock.setClock(by: -100_000)
      try run.submit(in: delay)
      run.program.advance(by: .seconds(delay ?? 61))
      #expect(run.calls.count == 2)
      run.program.advance(by: .seconds(1000))
    }
  }

  @Test("An execution mode keeps a program that was started for a task; it ends with the mode")
  func mode() throws {
    #if !WITHOUT_Execution
      let run = Run(suspends: false).launch()
      try run.submit(in: 10)
      run.program.kill()
      run.program.clock.advance(by: .seconds(60))
      #expect(run.machine.startForDueTasks())
      run.program.advance(by: .seconds(1))
      let token = run.application.beginExecution(.processing, reason: "long")
      run.tasks.last?.setTaskCompleted(success: true)
      run.program.advance(by: .seconds(600))
      #expect(run.program.isRunning)
      token.end()
      run.program.advance(by: .seconds(1))
      #expect(run.program.exitStatus == 0)
    #endif
  }

  @Test("Each process begins with the requests of the last one, with what is its own alone")
  func relaunched() throws {
    let run = Run(suspends: false).launch()
    try run.submit(in: 1000)
    try run.submitUpkeep {
      $0.earliestBeginDate = run.machine.now + 500
      $0.requiresExternalPower = true
    }
    let before = run.scheduler.pendingTaskRequests
    let starts = run.machine.work.starts
    run.program.kill()
    run.program.relaunch()
    run.program.advance(by: .seconds(1))
    let after = run.scheduler.pendingTaskRequests
    #expect(after.map(\.identifier) == before.map(\.identifier))
    #expect((after.last as? ProcessingTaskRequest)?.requiresExternalPower == true)
    #expect((after.last as? ProcessingTaskRequest) == (before.last as? ProcessingTaskRequest))
    // The same names: what was set stays as it is.
    #expect(run.machine.work.starts == starts)
    // Another version does not know one of them.
    run.manifest.permittedTaskIdentifiers = [Self.refresh]
    run.handled = [Self.refresh]
    run.program.relaunch()
    run.program.advance(by: .seconds(1))
    #expect(run.scheduler.pendingTaskRequests.map(\.identifier) == [Self.refresh])
    // What the other version has set goes off for nothing.
    #expect(run.machine.scheduledStarts == [Self.upkeep, Self.refresh])
  }

  @Test("A task is run at once by the kit, whatever it waits for, in a program that runs or not")
  func simulated() throws {
    let run = Run(suspends: false).launch()
    try run.submit(in: 1000)
    run.machine.runTask(Self.refresh)
    #expect(run.calls.count == 1)
    run.tasks.last?.setTaskCompleted(success: true)
    run.machine.runTask(Self.refresh)
    #expect(run.calls.count == 1)
    try run.submit(in: 1000)
    run.program.kill()
    run.machine.runTask(Self.refresh)
    #expect(run.calls.count == 2)
  }

  // MARK: The user's choice

  @Test("What the user does not allow does not begin, is not started for, and stays requested")
  func user() throws {
    let run = Run(suspends: false).launch()
    try run.submit(in: 100)
    run.scheduler.isAllowedByUser = false
    run.program.advance(by: .seconds(200))
    #expect(run.calls == [] && run.machine.scheduledStarts == [] && run.scheduler.pendingTaskRequests.count == 1)
    #expect(run.application.backgroundRefreshStatus == .denied)
    run.program.relaunch()
    run.program.advance(by: .seconds(1))
    #expect(run.application.backgroundRefreshStatus == .denied && !run.scheduler.isAllowedByUser && run.calls == [])
    run.scheduler.isAllowedByUser = true
    run.program.advance(by: .seconds(1))
    #expect(run.application.backgroundRefreshStatus == .available && run.calls.count == 1)
  }

  @Test("Who installs the program restricts it, by its manifest")
  func restricted() throws {
    let run = Run(suspends: false) { $0.manifest.allowsBackgroundRefresh = false }.launch()
    #expect(run.application.backgroundRefreshStatus == .restricted)
    #expect(throws: BackgroundSchedulerError.self) { try run.submit(in: 100) }
  }

  @Test("A program with separate stores is not started, and runs its tasks while it runs")
  func separate() throws {
    let run = Run(suspends: false) { $0.manifest.instancePolicy = .separateStores }.launch()
    try run.submit(in: 100)
    #expect(run.machine.scheduledStarts == [])
    run.program.advance(by: .seconds(101))
    #expect(run.calls.count == 1)
  }

  // MARK: The file

  @Test("The file has what it is given back, and anything else is none")
  func file() {
    var schedule = TaskSchedule()
    var processing = ProcessingTaskRequest(
      identifier: "\u{1F4BE} \"a\"", earliestBeginDate: Date(timeIntervalSince1970: 12.5))
    processing.requiresNetworkConnectivity = true
    for task in [PendingTask(AppRefreshTaskRequest(identifier: "b")), PendingTask(processing)] {
      schedule.pending[task.identifier] = task
    }
    schedule.pending["b"]?.begin = 1_700_000_000.25
    schedule.isAllowedByUser = false
    #expect(TaskSchedule(schedule.bytes) == schedule && TaskSchedule(TaskSchedule().bytes) == TaskSchedule())
    for text in ["", "[]", "{}", #"{"pending": 1}"#, "{\"pending\": [}"] {
      #expect(TaskSchedule(Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test("What a later version has added to the file stays in it, and the other requests count")
  func laterVersion() throws {
    let text = #"""
      {"allowed": true, "pending": [
        {"identifier": "a", "kind": "health", "begin": 1, "needs": []}, 1,
        {"identifier": "b", "kind": "processing", "begin": 1, "needs": ["network", "quiet"]},
        {"identifier": "c", "kind": "processing", "begin": 1, "needs": ["network"]}
      ]}
      """#
    var read = try #require(TaskSchedule(Array(text.utf8)))
    #expect(read.ordered.map(\.identifier) == ["c"] && read.needs == [.network] && TaskSchedule(read.bytes) == read)
    let written = String(decoding: read.bytes, as: UTF8.self)
    #expect(written.contains("\"health\"") && written.contains("\"quiet\""), "\(written)")
    read.remove { $0 == "b" || $0 == "c" }
    let left = String(decoding: read.bytes, as: UTF8.self)
    #expect(!read.isEmpty && left.contains("\"health\"") && !left.contains("\"quiet\""))
  }

  @Test("What a later version has added to a request, or beside the requests, stays with it")
  func laterMembers() throws {
    let text = #"""
      {"format": 3, "allowed": true, "history": [1], "pending": [
        {"identifier": "a", "kind": "refresh", "begin": 1, "needs": [], "userInfo": {"k": "v"}, "earliest": "dawn"}
      ]}
      """#
    var read = try #require(TaskSchedule(Array(text.utf8)))
    let other = PendingTask(ProcessingTaskRequest(identifier: "b"))
    read.pending["b"] = other
    let written = try JSONValue.object(in: read.bytes)
    #expect(written["format"] == .int(3) && written["history"] == .array([.int(1)]))
    guard case .array(let pending)? = written["pending"] else { return #expect(Bool(false), "\(written)") }
    #expect(pending.first?.members?["userInfo"] == .object(["k": .string("v")]))
    #expect(pending.first?.members?["earliest"] == .string("dawn"))
    // The program asks for the task anew: that is another request.
    read.pending["a"] = PendingTask(AppRefreshTaskRequest(identifier: "a"))
    #expect(!String(decoding: read.bytes, as: UTF8.self).contains("userInfo"))
    read.pending = [:]
    #expect(!read.isEmpty && TaskSchedule(read.bytes) == read)
  }

  @Test("A power cut at every write leaves the requests of before or of after, whole")
  func powerCuts() throws {
    var old = TaskSchedule()
    old.pending["a"] = PendingTask(AppRefreshTaskRequest(identifier: "a"))
    var new = old
    new.pending["b"] = PendingTask(ProcessingTaskRequest(identifier: "b"))
    var found: Set<TaskSchedule> = []
    for operations in 0..<6 {
      for torn in [0, 1, 40, 1000] {
        for loss in [CuttableDisk.Loss.nothing] + (0..<8).map({ .unsynced(seed: $0) }) {
          let disk = CuttableDisk()
          let store = SessionStore(files: disk, runsInline: true)
          _ = store.write(old.bytes, to: .tasks)
          disk.cut(afterOperation: operations, tornAt: torn)
          let isWritten = (try? store.write(new.bytes, to: .tasks).wait(for: .zero)?.get()) != nil
          let bytes = try SessionStore(files: disk.restarted(loss), runsInline: true).read(.tasks)
          let read = bytes.flatMap { TaskSchedule($0) }
          #expect(read == new || (read == old && !isWritten), "after \(operations) operations and \(torn) bytes")
          if let read { found.insert(read) }
        }
      }
    }
    #expect(found == [old, new])
  }

  @Test("A damaged file is reported once, and counts for nothing")
  func damaged() throws {
    let run = Run(suspends: false)
    run.program.launch()
    try run.submit(in: 1000)
    run.program.kill()
    run.program.disk.files.replace("tasks.json", with: Array("{".utf8))
    run.program.relaunch()
    run.program.advance(by: .seconds(1))
    #expect(run.scheduler.pendingTaskRequests.isEmpty && run.errors.count { $0.contains("damaged") } == 1)
    // It is set aside: the next launch finds none.
    run.program.kill()
    run.program.relaunch()
    run.program.advance(by: .seconds(1))
    #expect(run.scheduler.pendingTaskRequests.isEmpty && run.errors.count { $0.contains("damaged") } == 1)
    try run.submit(in: 1000)
    #expect(run.scheduler.pendingTaskRequests.count == 1)
    // Times that no timer has
    let text = String(decoding: try run.program.disk.files.read("tasks.json", limit: 9999), as: UTF8.self)
    let begin = try #require(text.firstMatch(of: /"begin" ?: ?([0-9.e+]+)/)?.output.1)
    for time in ["1e300", "-1e300", "9223372036854775807"] {
      run.program.kill()
      run.program.disk.files.replace("tasks.json", with: Array(text.replacing(begin, with: time).utf8))
      run.program.relaunch()
      run.program.advance(by: .seconds(1))
      #expect(run.scheduler.pendingTaskRequests.isEmpty)
    }
  }

  @Test("Requests that the disk does not take are saved once it does, and what was cancelled does not come back")
  func passingTrouble() throws {
    for ends in [false, true] {
      let run = Run(suspends: false).launch()
      try run.submit(in: 1000)
      run.program.disk.files.fail(with: .system(EIO))
      // Each later failure is the same one
      run.scheduler.isAllowedByUser = false
      run.scheduler.cancelAllTaskRequests()
      run.scheduler.isAllowedByUser = true
      #expect(throws: BackgroundSchedulerError.self) { try run.submit(in: 2000) }
      run.program.advance(by: .seconds(3))
      #expect(run.errors.count { $0.contains("The changes of scheduled tasks cannot be saved") } == 1)
      run.program.disk.files.fail(with: nil)
      if ends {
        run.program.platform.send(.signal(15))
      } else {
        run.program.advance(by: .seconds(2))
        run.program.advance(by: .seconds(2))
        #expect(run.program.application.conductor?.isSet(Deadline("taskFile")) == false)
        run.program.kill()
      }
      #expect(run.program.entries.count { $0.text("name") == "savingResumed" } == 1)
      run.program.relaunch()
      run.program.advance(by: .seconds(1))
      #expect(run.scheduler.pendingTaskRequests.isEmpty)
    }
  }

  @Test("A file that the disk withholds is read again, with what was changed meanwhile; nothing overwrites it unread")
  func withheld() throws {
    let run = Run(suspends: false).launch()
    try run.submit(in: 1000)
    try run.submitUpkeep { $0.earliestBeginDate = run.machine.now + 5 }
    run.program.kill()
    run.program.disk.files.withhold(["tasks.json"])
    run.program.relaunch()
    run.program.advance(by: .seconds(10))
    #expect(run.errors.count { $0.contains("scheduled tasks cannot be read") } == 1 && run.tasks.isEmpty)
    #expect(throws: BackgroundSchedulerError.self) { try run.submit("other", in: 100) }
    run.scheduler.cancel(taskRequestWithIdentifier: Self.refresh)
    run.program.disk.files.withhold([])
    run.program.advance(by: .seconds(2))
    #expect(run.tasks.map(\.identifier) == [Self.upkeep] && run.scheduler.pendingTaskRequests.isEmpty)
    #expect(run.program.entries.count { $0.text("name") == "savingResumed" } == 1)
    // Read again for a minute, and no longer
    run.program.kill()
    run.program.disk.files.withhold(["tasks.json"])
    run.program.relaunch()
    run.program.advance(by: .seconds(59))
    #expect(run.program.application.conductor?.isSet(Deadline("taskFile")) == true)
    run.program.advance(by: .seconds(5))
    #expect(run.program.application.conductor?.isSet(Deadline("taskFile")) == false)
  }

  @Test("A program that is started for a task waits for a file that the disk withholds, and is started again later")
  func startedUnread() throws {
    for suspends in [false, true] {
      let run = Run(suspends: suspends).launch()
      try run.submit(in: 100)
      run.program.kill()
      // Given a disk that withholds the requests for three seconds
      run.program.disk.files.withhold(["tasks.json"])
      run.program.clock.advance(by: .seconds(120))
      run.completesAtOnce = true
      #expect(run.machine.startForDueTasks())
      run.program.advance(by: .seconds(3))
      #expect(run.program.isRunning && !run.program.platform.isSuspended && run.calls == [])
      run.program.disk.files.withhold([])
      run.program.advance(by: .seconds(2))
      #expect(run.calls == ["begins \(Self.refresh) refresh"] && run.program.exitStatus == 0)
      #expect(run.machine.scheduledStarts == [])
      // And for longer than it waits
      run.program.relaunch()
      run.program.advance(by: .seconds(1))
      try run.submit(in: 100)
      run.program.kill()
      run.program.disk.files.withhold(["tasks.json"])
      run.program.clock.advance(by: .seconds(120))
      #expect(run.machine.startForDueTasks())
      run.program.advance(by: .seconds(70))
      #expect(run.calls.count == 1 && run.program.exitStatus == 0 && run.machine.scheduledStarts == [Self.refresh])
      #expect(run.errors.count { $0.contains("scheduled tasks cannot be read") } == 2)
      run.program.disk.files.withhold([])
      run.program.clock.advance(by: .seconds(1000))
      #expect(run.machine.startForDueTasks())
      run.program.advance(by: .seconds(1))
      #expect(run.calls.count == 2 && run.program.exitStatus == 0 && run.machine.scheduledStarts == [])
    }
  }

  @Test("A request that is submitted long after the disk has withheld the file is saved with those that are there")
  func submittedAfterTrouble() throws {
    let run = Run(suspends: false).launch()
    try run.submitUpkeep { $0.earliestBeginDate = run.machine.now + 10_000 }
    run.program.kill()
    run.program.disk.files.withhold(["tasks.json"])
    run.program.relaunch()
    run.program.advance(by: .seconds(100))
    #expect(throws: BackgroundSchedulerError.self) { try run.submit(in: 100) }
    run.program.disk.files.withhold([])
    try run.submit(in: 100)
    #expect(run.scheduler.pendingTaskRequests.map(\.identifier) == [Self.refresh, Self.upkeep])
    #expect(run.program.entries.count { $0.text("name") == "savingResumed" } == 1)
  }
}
