import FoundationEssentials
import ProsceniumCore
import ProsceniumJSON
import ProsceniumPlatform
import ProsceniumTesting
import ProsceniumTrace
import Testing

@MainActor @Suite("The machine in memory", .serialized) struct HeadlessMachineTests {
  enum Absence: CaseIterable {
    case lock, other, sleep, shutdown, saver
    /// Where it takes a scene that would be active.
    var state: Scene.ActivationState { self == .saver ? .foregroundInactive : .background }
    @MainActor func begin(_ machine: HeadlessMachine) {
      switch self {
      case .lock: machine.lock()
      case .other: machine.switchAway()
      case .sleep: machine.sleep()
      case .shutdown: machine.announceShutdown()
      case .saver: machine.startScreenSaver()
      }
    }
    @MainActor func end(_ machine: HeadlessMachine) {
      switch self {
      case .lock: machine.unlock()
      case .other: machine.switchBack()
      case .sleep: machine.wake()
      case .shutdown: machine.cancelShutdown()
      case .saver: machine.stopScreenSaver()
      }
    }
  }

  @Test(
    "What takes the user away takes the scenes out of sight, and brings them back; a saver interrupts, and no more",
    arguments: Absence.allCases)
  func absence(_ absence: Absence) throws {
    let (program, _) = try KitProgram.launched()
    absence.begin(program.machine)
    program.advance(by: .seconds(1))
    #expect(program.scenes.first?.activationState == absence.state)
    absence.end(program.machine)
    program.advance(by: .seconds(1))
    #expect(program.scenes.first?.activationState == .foregroundActive)
  }

  @Test("The machine sleeps once everything is saved, and waits for tasks, but not for ever", arguments: [true, false])
  func held(endsTask: Bool) throws {
    let (program, _) = try KitProgram.launched()
    #expect(!program.machine.isHeldAwake)
    let task = program.application.beginBackgroundTask(withName: "saving")
    program.machine.sleep()
    program.advance(by: .seconds(1))
    #expect(program.machine.isHeldAwake)
    if endsTask { program.application.endBackgroundTask(task) } else { program.advance(by: .seconds(4)) }
    program.advance(by: .zero)
    #expect(!program.machine.isHeldAwake)
    program.machine.wake()
    #expect(!program.machine.isHeldAwake)
    program.application.endBackgroundTask(task)
  }

  @Test("The session ends with the program's consent", arguments: [true, false])
  func sessionEnds(mayInteract: Bool) throws {
    let (program, _) = try KitProgram.launched()
    program.machine.endSession(mayInteract: mayInteract)
    program.advance(by: .seconds(1))
    #expect(program.exitStatus == 0 && !program.isRunning)
    #expect(program.kit?.calls.first == "applicationShouldTerminate \(mayInteract ? "sessionQuery" : "sessionEnd")")
    program.relaunch()
    #expect(program.application.restorationReason == .restore)
  }

  @Test(
    "The session goes on if one program refuses", arguments: ["the program", "another one before", "another one after"])
  func sessionGoesOn(who: String) throws {
    let (program, _) = try KitProgram.launched()
    switch who {
    case "the program":
      program.kit?.terminateReply = .cancel
      program.machine.endSession()
    case "another one before":
      program.kit?.terminateReply = .later
      program.machine.endSession()
      #expect(program.machine.isSessionEnding)
      program.machine.cancelSessionEnd()
    default: program.machine.endSession(isCancelledElsewhere: true)
    }
    program.advance(by: .seconds(10))
    #expect(program.isRunning && !program.machine.isSessionEnding)
    #expect(program.application.terminationCause == nil)
    #expect(program.scenes.first?.activationState == .foregroundActive)
  }

  @Test("A process has its machine until its end, also when the object that made both has gone")
  func lastsAsLongAsItsProcess() throws {
    var program: HeadlessProgram? = HeadlessProgram(delegate: { RecordingDelegate() })
    program?.launch()
    let (application, platform) = (try #require(program?.application), try #require(program?.platform))
    weak let machine = program?.machine
    program = nil
    let monitor = try #require(application.host.machine.work)
    monitor.wake(at: monitor.now + 10)
    platform.send(.signal(15))
    #expect(platform.quitStatus == 0 && machine != nil)
  }

  @Test("A machine goes with its processes")
  func goes() {
    weak var machine: HeadlessMachine?
    do {
      let program = HeadlessProgram(delegate: { RecordingDelegate() })
      program.launch()
      program.relaunch()
      machine = program.machine
    }
    // Another one takes its place as the shared one.
    _ = HeadlessProgram(delegate: { RecordingDelegate() })
    #expect(machine == nil)
  }

  @Test("A checkpoint saves, and a signal ends")
  func checkpoint() throws {
    let (program, _) = try KitProgram.launched()
    let writes = program.disk.writeCount
    program.scenes.first?.session.userInfo = ["page": 4]
    program.machine.saveSession()
    #expect(program.disk.writeCount > writes && program.isRunning)
    program.machine.send(signal: 15)
    program.advance(by: .seconds(2))
    #expect(program.exitStatus == 0)
  }

  @Test("The time of day and memory are told", arguments: SignificantTimeChange.allCases)
  func timeAndMemory(_ change: SignificantTimeChange) throws {
    let (program, _) = try KitProgram.launched()
    program.machine.changeTime(change)
    #expect(program.kit?.calls == ["applicationSignificantTimeChange"])
    #expect(program.entries.last { $0.text("name") == "timeChange" }?["changes"] == .array([.string(change.rawValue)]))
    program.machine.changeTime()
    #if !WITHOUT_Memory
      program.machine.runShortOfMemory(.critical)
      #expect(program.kit?.calls == ["applicationSignificantTimeChange", "applicationDidReceiveMemoryWarning"])
    #endif
  }

  #if !WITHOUT_BackgroundScheduler
    @Test("Midnights on the way are told, each at its time, by the machine's clock")
    func midnight() throws {
      let (program, _) = try KitProgram.launched()
      var timeOfDay: Double { program.machine.now.timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400) }
      program.advance(by: .seconds(86_399 - timeOfDay))
      #expect(program.kit?.calls == [])
      program.advance(by: .seconds(1))
      #expect(program.kit?.calls == ["applicationSignificantTimeChange"] && timeOfDay == 0)
      let count = program.entries.count
      program.advance(by: .seconds(3 * 86_400 - 1))
      #expect(program.kit?.calls.count == 3)
      let changes = program.entries[count...].filter { $0.text("name") == "timeChange" }
      #expect(changes.map { $0["changes"] } == Array(repeating: .array([.string("newDay")]), count: 2))
      // One that passes while no process runs is old when the next one starts.
      program.kill()
      program.advance(by: .seconds(86_400))
      program.relaunch()
      program.advance(by: .milliseconds(500))
      #expect(program.kit?.calls == [])
      program.advance(by: .milliseconds(500))
      #expect(program.kit?.calls == ["applicationSignificantTimeChange"])
    }

    @Test("A clock that is set is an hour ahead, also for midnight")
    func clockSet() throws {
      let (program, _) = try KitProgram.launched()
      let before = program.machine.now
      program.machine.changeTime(.clockSet)
      #expect(program.machine.now == before + 3600)
      // Launched at 22:13
      program.machine.changeTime(.clockSet)
      let last = program.entries.last { $0.text("name") == "timeChange" }
      #expect(last?["changes"] == .array([.string("clockSet"), .string("newDay")]))
      #expect(program.kit?.calls.count == 2)
      program.advance(by: .seconds(80_000))
      #expect(program.kit?.calls.count == 2)
      program.advance(by: .seconds(6400))
      #expect(program.kit?.calls.count == 3)
    }

    @Test("The time of day is set to the test's, before the launch too, so that the program's own dates count")
    func setNow() throws {
      let program = HeadlessProgram(delegate: KitProgram.init)
      let now = Date(timeIntervalSince1970: 1_800_000_000)
      program.machine.now = now
      #expect(abs(program.machine.now.timeIntervalSince(now)) < 0.001)
      program.launch()
      program.advance(by: .seconds(1))
      #expect(program.kit?.calls == [])
      program.machine.now = now + 10
      #expect(program.kit?.calls == ["applicationSignificantTimeChange"])
      // As a correction of the clock by the network.
      program.machine.now = program.machine.now + 0.5
      #expect(program.kit?.calls.count == 1)
    }
  #endif

  @Test("What a task reads of a pasteboard comes while the test waits for it", .timeLimit(.minutes(1)))
  func pasteboard() async throws {
    let (program, _) = try KitProgram.launched()
    Pasteboard.general.setString("copied")
    #expect(await Pasteboard.general.string() == "copied")
    // Other tests have driven their programs meanwhile.
    program.advance(by: .milliseconds(1))
    #expect(await Pasteboard.general.hasStrings())
    program.kill()
  }

  @Test("A process that starts while the user is away is never active", arguments: Absence.allCases, [false, true])
  func awayAtLaunch(_ absence: Absence, isRelaunched: Bool) throws {
    let program = isRelaunched ? try KitProgram.launched().0 : HeadlessProgram(delegate: KitProgram.init)
    program.kill()
    absence.begin(program.machine)
    let count = program.trace.count
    if isRelaunched { program.relaunch() } else { program.launch() }
    #expect(program.scenes.first?.activationState == absence.state)
    program.advance(by: .seconds(1))
    #expect(program.scenes.first?.activationState == absence.state)
    #expect(!program.trace[count...].contains { $0.description.contains("DidBecomeActive") })
    absence.end(program.machine)
    program.advance(by: .seconds(1))
    #expect(program.scenes.first?.activationState == .foregroundActive)
  }

  #if !WITHOUT_OpenRequests
    @Test("A shortcut item that the program does not declare is refused")
    func undeclaredItem() throws {
      let (program, _) = try KitProgram.launched()
      program.machine.performAction(for: ApplicationShortcutItem(type: "wave", localizedTitle: "Wave"))
      #expect(program.kit?.calls == [])
      program.machine.performAction(for: ApplicationShortcutItem(type: "greet", localizedTitle: "Greet"))
      #expect(program.kit?.calls == ["performActionFor greet"])
    }

    @Test("Only what the program declares is opened with it, and a request with anything else is refused as a whole")
    func undeclared() throws {
      let (program, _) = try KitProgram.launched()
      let urls = try ["kit:1", "other:1", "file:///tmp/a"].map { try #require(URL(string: $0)) }
      program.machine.open(urls[0], urls[1])
      #expect(program.kit?.calls == [])
      program.machine.open(urls[0], urls[2])
      #expect(program.kit?.calls == ["openURLContexts file:///tmp/a kit:1"])
    }

    @Test("A second start is read as the command line that it is")
    func startAgain() throws {
      let (program, window) = try KitProgram.launched()
      program.desk.minimize(window)
      program.advance(by: .seconds(1))
      program.machine.startAgain(["--background"])
      program.advance(by: .seconds(1))
      #expect(program.kit?.calls == ["didReceiveSecondLaunch --background"])
      #expect(program.scenes.first?.activationState == .background)
      program.machine.startAgain(["--action", "none"])
      #expect(program.kit?.calls.count == 1)
      program.machine.startAgain(["--action", "greet", "kit:2"])
      program.advance(by: .seconds(1))
      #expect(
        program.kit?.calls.suffix(3) == [
          "didReceiveSecondLaunch --action greet kit:2", "openURLContexts kit:2", "performActionFor greet",
        ])
      program.desk.minimize(window)
      program.advance(by: .seconds(1))
      program.machine.startAgain()
      program.advance(by: .seconds(1))
      #expect(program.scenes.first?.activationState == .foregroundActive)
    }
  #endif

  @Test("A lock at the launch: the window is asked for, shown, and out of sight, and nothing is active in between")
  func lockedLaunch() throws {
    let program = HeadlessProgram(delegate: KitProgram.init)
    program.machine.lock()
    program.machine.unlock()
    program.machine.lock()
    program.launch()
    try program.expect(
      """
      willFinishLaunchingWithOptions [inactive]
      didFinishLaunchingWithOptions [inactive]
      scene1 sceneWillConnect unattached -> background
      scene1 sceneWillEnterForeground background -> foregroundInactive
      applicationWillEnterForeground [inactive]
      scene1 sceneDidEnterBackground foregroundInactive -> background
      applicationDidEnterBackground [background]
      """)
    #expect(!program.application.isProtectedDataAvailable)
  }
}
