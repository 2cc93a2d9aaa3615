import ProsceniumCore
import ProsceniumTesting
import Testing

@MainActor @Suite("Killed and launched again", .serialized) struct RelaunchTests {
  private static func save(_ page: Int, _ program: HeadlessProgram) {
    program.scenes.first?.session.userInfo = ["page": page]
    program.advance(by: .seconds(2))
  }
  private static func page(_ program: HeadlessProgram) -> Int? {
    program.scenes.first?.session.userInfo?["page"] as? Int
  }

  @Test("Another process has a new application and delegate, and the same sessions, desk and time")
  func relaunch() throws {
    let (program, window) = try KitProgram.launched()
    Self.save(7, program)
    program.desk.workspace = 3
    program.desk.move(window, toWorkspace: 3)
    program.desk.screens.append(HeadlessScreen("DP-1", frame: Rect(x: 1920, y: 0, width: 800, height: 600)))
    program.advance(by: .seconds(1))
    let (application, delegate, time) = (program.application, program.kit, program.clock.now)
    program.kill()
    #expect(!program.isRunning && program.exitStatus == nil)
    program.relaunch()
    #expect(
      program.application !== application && program.kit !== delegate && Application.shared === program.application)
    #expect(program.isRunning && program.application.restorationReason == .recover && Self.page(program) == 7)
    #expect(program.clock.now == time && program.desk.workspace == 3)
    #expect(program.application.screens.count == 2)
    #expect(program.windows.first.map(program.desk.isVisible) == true)
    // The scene keeps its number
    #expect(program.trace.last { $0.kind == "edge" }?.scene == "scene1")
  }

  @Test("The desktop that is shown when a process dies is shown to the next, whose window is seen over it")
  func desktopShown() throws {
    let (program, _) = try KitProgram.launched()
    program.desk.isShowingDesktop = true
    program.advance(by: .seconds(1))
    program.relaunch()
    #expect(program.desk.isShowingDesktop)
    #expect(program.windows.first.map(program.desk.isVisible) == true)
  }

  @Test("The shared application is that of the program that something was done to last, of two")
  func shared() throws {
    let (first, window) = try KitProgram.launched()
    let (second, other) = try KitProgram.launched()
    for (program, window) in [(first, window), (second, other), (first, window)] {
      program.desk.minimize(window)
      #expect(Application.shared === program.application)
      program.desk.restore(window)
    }
  }

  @Test("The shared application is that of the program that launches, from its first callback on")
  func sharedAtLaunch() {
    final class Delegate: RecordingDelegate {
      var sharesItself: [Bool] = []
      override func application(
        _ application: Application, willFinishLaunchingWithOptions launchOptions: LaunchOptions?
      ) -> Bool {
        sharesItself.append(Application.shared === application)
        return super.application(application, willFinishLaunchingWithOptions: launchOptions)
      }
    }
    var applications: [Application] = []
    let first = HeadlessProgram(delegate: {
      applications.append(Application.shared)
      return Delegate()
    })
    let second = HeadlessProgram(delegate: Delegate.init)
    for program in [first, second] {
      program.launch()
      #expect((program.application.delegate as? Delegate)?.sharesItself == [true])
    }
    #expect(applications.count == 1 && applications.first === first.application)
  }

  @Test("A process that is dead is heard of no more, and writes nothing")
  func dead() throws {
    let (program, window) = try KitProgram.launched()
    Self.save(1, program)
    let (application, session) = (program.application, program.scenes.first?.session)
    program.kill()
    program.ignoreLines()
    let count = program.trace.count
    session?.userInfo = ["page": 2]
    application.terminate()
    program.desk.focus(nil)
    program.desk.close(window)
    program.machine.lock()
    program.machine.unlock()
    program.advance(by: .seconds(10))
    try program.expectNothingMore()
    #expect(program.trace.count == count && program.exitStatus == nil)
    program.relaunch()
    session?.userInfo = ["page": 3]
    program.advance(by: .seconds(2))
    program.relaunch()
    #expect(Self.page(program) == 1)
  }

  @Test("Of a process that was killed nothing is on the desk, and the session waits for no answer")
  func gone() throws {
    let (program, window) = try KitProgram.launched()
    program.kit?.terminateReply = .later
    program.machine.endSession()
    #expect(program.machine.isSessionEnding)
    program.kill()
    #expect(!program.desk.isVisible(window) && !program.desk.hasFocus(window))
    #expect(program.scenes.isEmpty && program.windows.isEmpty && !program.machine.isSessionEnding)
  }

  @Test("After an exit nothing has crashed")
  func exit() throws {
    let (program, _) = try KitProgram.launched()
    Self.save(5, program)
    program.application.terminate(status: 3)
    program.advance(by: .seconds(1))
    #expect(program.exitStatus == 3)
    program.relaunch()
    #expect(program.exitStatus == nil && program.application.restorationReason == .restore && Self.page(program) == 5)
  }

  @Test("Another program finds what is on the disk")
  func disk() throws {
    let (program, _) = try KitProgram.launched()
    Self.save(9, program)
    program.kill()
    let (other, _) = try KitProgram.launched(on: program.disk)
    #expect(Self.page(other) == 9)
  }

  @Test("Wherever the power is cut, the next process has what was saved, and one of the two", arguments: 0..<12)
  func powerCut(writes: Int) throws {
    let (program, _) = try KitProgram.launched()
    Self.save(1, program)
    program.disk.cutPower(afterWrites: writes, tornAt: writes, seed: UInt64(writes))
    Self.save(2, program)
    let wasCut = program.disk.isCut
    #expect(program.isRunning != wasCut)
    if wasCut {
      program.ignoreLines()
      program.desk.focus(nil)
      program.advance(by: .seconds(1))
      try program.expectNothingMore()
      #expect(program.disk.fileNames == [])
    }
    program.relaunch()
    #expect(!program.disk.isCut && program.isRunning)
    let page = try #require(Self.page(program))
    #expect(wasCut ? [1, 2].contains(page) : page == 2)
  }

  @Test("What another program puts on a disk is there, full or about to lose its power, and is no write of this one")
  func replaced() throws {
    let (program, _) = try KitProgram.launched()
    let writes = program.disk.writeCount
    #expect(writes > 0)
    program.disk.isFull = true
    program.disk.replace("a", with: [1])
    program.disk.isFull = false
    program.disk.cutPower(afterWrites: 0, tornAt: -1, seed: 4)
    program.disk.replace("b", with: [2])
    #expect(!program.disk.isCut && program.disk.writeCount == writes)
    Self.save(2, program)
    #expect(program.disk.isCut)
    program.disk.replace("b", with: [3])
    program.relaunch()
    #expect(program.disk.contents(of: "a") == [1] && program.disk.contents(of: "b") == [3])
    #expect(program.disk.writeCount > writes)
  }

  @Test("A full disk keeps what it has, and a damaged file is no crash")
  func trouble() throws {
    let (program, _) = try KitProgram.launched()
    Self.save(1, program)
    program.disk.isFull = true
    Self.save(2, program)
    #expect(program.trace.contains { $0.kind == "error" && $0.description.contains("No space left") })
    program.disk.isFull = false
    Self.save(3, program)
    program.kill()
    program.relaunch()
    #expect(Self.page(program) == 3)
    program.kill()
    let name = try #require(program.disk.fileNames.first { $0.hasSuffix(".session") })
    #expect(program.disk.contents(of: name)?.isEmpty == false)
    program.disk.replace(name, with: [1, 2, 3])
    program.relaunch()
    #expect(program.isRunning && Self.page(program) == nil)
    program.disk.replace(name, with: nil)
    #expect(!program.disk.fileNames.contains(name))
  }
}

/// What tests do that their authors did not mean.
@MainActor @Suite("A program in memory used otherwise", .serialized) struct MisuseTests {
  private final class Callbacks: Responder, ApplicationDelegate, WindowSceneDelegate {
    static var onActive: (@MainActor () -> Void)?
    static var connections = 0
    var window: Window?
    var manifest: ApplicationManifest {
      ApplicationManifest(sceneConfigurations: [SceneConfiguration(name: "Main", delegate: Callbacks.init)])
    }
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
      Self.connections += 1
      guard let scene = scene as? WindowScene else { return }
      window = Window(windowScene: scene)
      window?.makeKeyAndVisible()
    }
    func sceneDidBecomeActive(_ scene: Scene) {
      let action = Self.onActive
      Self.onActive = nil
      action?()
    }
  }

  @Test("A callback may start the next process: the one that it belongs to hears nothing more")
  func relaunchInCallback() {
    let program = HeadlessProgram(delegate: Callbacks.init)
    Callbacks.onActive = { program.relaunch() }
    program.launch()
    program.advance(by: .seconds(2))
    #expect(program.isRunning && program.scenes.map(\.activationState) == [.foregroundActive])
    #expect(program.trace.count { $0.kind == "launch" } == 2)
  }

  @Test("What a callback has asked for before it killed its process does not happen")
  func killInCallback() {
    let program = HeadlessProgram(delegate: Callbacks.init)
    Callbacks.connections = 0
    Callbacks.onActive = {
      program.application.activateSceneSession(for: SceneSessionActivationRequest())
      program.kill()
    }
    program.launch()
    program.advance(by: .seconds(2))
    #expect(!program.isRunning && Callbacks.connections == 1)
  }

  private final class Twins: Responder, ApplicationDelegate {
    let manifest = ApplicationManifest(
      sceneConfigurations: ["Main", "Main"].map { SceneConfiguration(name: $0, delegate: Callbacks.init) })
  }

  @Test("A launch that fails is the end of the process, with the status that says so")
  func failedLaunch() {
    let program = HeadlessProgram(delegate: Twins.init)
    program.launch()
    #expect(!program.isRunning && program.exitStatus == 1)
    program.relaunch()
    #expect(!program.isRunning && program.exitStatus == 1)
  }

  @Test("The desk before the launch is what the process finds, and no event of it")
  func deskBeforeLaunch() {
    let program = HeadlessProgram(delegate: Callbacks.init)
    program.desk.screens = [HeadlessScreen("DP-1", frame: Rect(x: 0, y: 0, width: 800, height: 600), isPrimary: true)]
    program.desk.stopWindowManager()
    program.desk.workspace = 1
    program.machine.lock()
    program.advance(by: .seconds(1))
    #expect(program.trace.isEmpty)
    program.launch()
    program.advance(by: .seconds(3))
    #expect(program.trace.first?.kind == "launch" && program.trace.count { $0.name == "windowManager" } == 0)
    #expect(program.application.screens.map(\.name) == ["DP-1"])
    #expect(program.scenes.map(\.activationState) == [.background])
    program.machine.unlock()
    program.kill()
    program.desk.startWindowManager()
    program.desk.screens = []
    let count = program.trace.count
    program.relaunch()
    #expect(program.trace.dropFirst(count).first?.kind == "launch" && program.application.screens.isEmpty)
  }

  @Test("A second launch of one process does nothing, nor does what comes to a process that does not run")
  func outOfTurn() {
    let program = HeadlessProgram(delegate: Callbacks.init)
    program.machine.send(signal: 15)
    program.machine.saveSession()
    program.machine.endSession()
    program.machine.announceShutdown()
    program.machine.cancelShutdown()
    program.desk.focus(nil)
    program.kill()
    #expect(program.trace.isEmpty)
    program.launch()
    program.launch()
    #expect(program.trace.count { $0.kind == "launch" } == 1 && program.isRunning)
    program.machine.send(signal: 9)
    program.advance(by: .seconds(Int64.max / 4))
    #expect(program.isRunning)
  }
}
