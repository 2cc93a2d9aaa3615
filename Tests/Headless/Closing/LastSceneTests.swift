import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import ProsceniumTrace
import Testing

/// What a program is asked, and told, when its last scene goes.
@MainActor @Suite("The last scene", .serialized) struct LastSceneTests {
  /// A program that also records the question about its last scene, and what its windows hear of the key window.
  private final class Program: RecordingDelegate {
    private final class KeyWindow: Window {
      weak var program: Program?
      override func resignKey() { program?.record("resignKey", nil, "\(isKeyWindow)") }
    }

    private final class Scene: RecordingSceneDelegate {
      override func makeWindow(for scene: WindowScene) -> Window? {
        let window = KeyWindow(windowScene: scene)
        window.program = owner as? Program
        return window
      }
    }

    private(set) lazy var headless = HeadlessProgram(delegate: { [unowned self] in self })
    var application: Application { headless.application }
    /// Answers the question about the last scene.
    var lastSceneClosed: () -> Bool = { true }
    /// What is done within `applicationShouldTerminate(_:)`.
    var shouldTerminate: () -> Void = {}

    override init() {
      super.init()
      manifest.supportsMultipleScenes = true
    }
    override func makeSceneDelegate(for session: SceneSession) -> RecordingSceneDelegate {
      Scene(self, session: session)
    }
    override func applicationShouldTerminateAfterLastSceneClosed(_ application: Application) -> Bool {
      record("afterLastScene")
      return lastSceneClosed()
    }
    override func applicationShouldTerminate(_ application: Application) -> TerminateReply {
      defer { shouldTerminate() }
      return super.applicationShouldTerminate(application)
    }

    /// Launches with so many scenes.
    func launch(scenes: Int = 1) -> Self {
      headless.launch()
      for _ in 1..<scenes { open() }
      headless.advance(by: .seconds(1))
      _ = takeCalls()
      return self
    }
    func open() { application.activateSceneSession(for: SceneSessionActivationRequest()) }
    func destroyAll() { application.openSessions.forEach { application.requestSceneSessionDestruction($0) } }
    func settle() { headless.advance(by: .seconds(1)) }
    func count(_ name: String) -> Int { calls.count { $0.name == name } }
    var errors: [String] { headless.entries.filter { $0.kind == "error" }.compactMap { $0.text("message") } }
  }

  // MARK: The question

  @Test("The program is asked once about scenes that close together, and what it opens then is open once")
  func together() {
    let program = Program().launch(scenes: 2)
    program.lastSceneClosed = {
      program.open()
      return false
    }
    program.destroyAll()
    program.settle()
    #expect(program.count("afterLastScene") == 1 && program.application.connectedScenes.count == 1)
    // A later end is another one
    program.lastSceneClosed = { true }
    program.terminateReply = .cancel
    program.destroyAll()
    program.settle()
    #expect(program.count("afterLastScene") == 2 && program.count("applicationShouldTerminate") == 1)
  }

  @Test("A scene that a callback about the end of another one closes is one of those")
  func oneAfterTheOther() {
    let program = Program().launch(scenes: 2)
    program.onCall = { call in
      switch (call.name, call.scene) {
      case ("sceneDidDisconnect", 1): program.destroyAll()
      // Asked for before the question
      case ("didDiscardSceneSessions", _) where program.application.connectedScenes.isEmpty: program.open()
      default: break
      }
    }
    program.application.requestSceneSessionDestruction(program.sessions[0])
    program.settle()
    #expect(program.application.connectedScenes.count == 1 && program.count("afterLastScene") == 0)
    program.onCall = { _ in }
    program.destroyAll()
    program.settle()
    #expect(program.count("afterLastScene") == 1 && !program.headless.isRunning)
  }

  @Test("A program that exits in the background is asked about its last scene alone", arguments: [true, false])
  func exits(isAccepted: Bool) {
    let program = Program()
    program.manifest.exitsOnSuspend = true
    program.terminateReply = isAccepted ? .now : .cancel
    _ = program.launch(scenes: 2)
    for window in program.headless.windows { program.headless.desk.close(window) }
    program.settle()
    #expect(
      program.calls.filter { ["afterLastScene", "applicationShouldTerminate"].contains($0.name) }
        == ["afterLastScene", "applicationShouldTerminate lastSceneClosed"])
    #expect(program.headless.isRunning != isAccepted)
  }

  #if !WITHOUT_ExternalDisplays
    @Test("The scene of an external display that goes is no last scene")
    func externalDisplay() {
      let display = DisplayProgram(showsOnDisplays: true)
      display.endsAfterLastScene = false
      display.launch(DisplayProgram.laptop, DisplayProgram.beamer)
      display.scene.map { display.program.application.requestSceneSessionDestruction($0.session) }
      display.platform.advance(by: 3000)
      #expect(display.display != nil && display.platform.quitStatus == nil)
      // Asked now, it would end
      display.endsAfterLastScene = true
      _ = display.heard(DisplayProgram.laptop)
      display.platform.advance(by: 3000)
      #expect(display.program.application.connectedScenes.isEmpty && display.platform.quitStatus == nil)
    }
  #endif

  #if !WITHOUT_OpenRequests
    enum Again: CaseIterable { case stays, isQuit, isClosedAgain }

    @Test("A program that is started again while the answer is awaited goes on", arguments: Again.allCases)
    func startedAgain(_ again: Again) {
      let program = Program().launch()
      program.terminateReply = .later
      program.destroyAll()
      program.settle()
      #expect(program.calls.last == "applicationShouldTerminate lastSceneClosed")
      program.headless.machine.startAgain()
      program.settle()
      #expect(program.application.connectedScenes.count == 1)
      switch again {
      case .stays: break
      // The end has another cause, too
      case .isQuit: program.application.terminate()
      case .isClosedAgain: program.destroyAll()
      }
      program.settle()
      program.application.reply(toApplicationShouldTerminate: true)
      program.settle()
      #expect(program.headless.isRunning == (again == .stays))
      guard again == .stays else { return }
      // Its next last scene is asked about as the first
      #expect(program.application.terminationCause == nil)
      program.destroyAll()
      program.settle()
      #expect(program.count("afterLastScene") == 2 && program.count("applicationShouldTerminate") == 2)
      program.application.reply(toApplicationShouldTerminate: true)
      program.settle()
      #expect(!program.headless.isRunning)
    }

    @Test("The answer counts that the user gives in a window of the program's, also where that was brought forward")
    func askedInWindow() {
      let program = Program().launch()
      program.terminateReply = .later
      program.shouldTerminate = { program.open() }
      program.destroyAll()
      program.settle()
      #expect(program.application.connectedScenes.count == 1)
      program.headless.machine.startAgain()
      program.settle()
      #expect(program.application.connectedScenes.count == 1)
      program.application.reply(toApplicationShouldTerminate: true)
      program.settle()
      #expect(!program.headless.isRunning)
    }

    @Test("A log-out that another program has cancelled changes nothing of that")
    func startedAgainAfterLogOut() {
      let program = Program().launch()
      program.headless.machine.endSession(isCancelledElsewhere: true)
      program.settle()
      program.terminateReply = .later
      program.destroyAll()
      program.settle()
      program.headless.machine.startAgain()
      program.settle()
      program.application.reply(toApplicationShouldTerminate: true)
      program.settle()
      #expect(program.headless.isRunning && program.application.connectedScenes.count == 1)
    }
  #endif

  // MARK: The end

  @Test("What the program asks for in applicationShouldTerminate is done before the end", arguments: [true, false])
  func requestsBeforeTheEnd(isLater: Bool) {
    let program = Program().launch(scenes: 2)
    program.terminateReply = isLater ? .later : .now
    program.shouldTerminate = {
      program.application.requestSceneSessionDestruction(program.sessions[0]) { _ in program.record("refused") }
      if isLater { program.application.reply(toApplicationShouldTerminate: true) }
    }
    program.application.terminate()
    program.settle()
    #expect(!program.headless.isRunning && program.count("didDiscardSceneSessions") == 1)
    #expect(program.count("refused") == 0)
    #expect(program.calls.contains("1 sceneDidDisconnect requested") || program.count("sceneDidDisconnect") == 2)
  }

  @Test("A request that fails while the program ends is answered before its last callback, and never after it")
  func failures() {
    let program = Program().launch()
    program.onCall = { call in
      guard ["sceneDidDisconnect", "applicationWillTerminate"].contains(call.name) else { return }
      program.application.activateSceneSession(for: SceneSessionActivationRequest()) { _ in program.record("refused") }
    }
    program.application.terminate()
    program.settle()
    let names = program.calls.map(\.name).filter { ["refused", "applicationWillTerminate"].contains($0) }
    #expect(names == ["refused", "applicationWillTerminate"])
    // The last one is not lost without a word
    #expect(program.errors.contains { $0.contains("The application is ending.") })
  }

  @Test("A window that goes with its scene as its key window hears of it", arguments: ["close", "quit", "lost"])
  func keyWindow(_ way: String) throws {
    let program = Program().launch()
    program.lastSceneClosed = { false }
    let window = try #require(program.headless.windows.first)
    var isNotified = false
    let token = NotificationCenter.default.addObserver(of: window, for: .didResignKey) { _ in isNotified = true }
    #expect(window.isKeyWindow)
    switch way {
    case "close": program.headless.desk.close(window)
    case "quit": program.application.terminate()
    default: program.headless.platform.destroyForeign(try #require(window.id))
    }
    program.settle()
    let names = program.calls.map(\.name)
    #expect(program.count("resignKey") == 1 && program.calls.contains("resignKey false") && isNotified)
    let end = try #require(names.firstIndex(of: "resignKey"))
    #expect(end > names.firstIndex(of: "sceneDidDisconnect") ?? names.count || way == "lost")
    #expect(end < names.firstIndex(of: "applicationWillTerminate") ?? names.count)
    NotificationCenter.default.removeObserver(token)
  }

  // MARK: The app-based model

  #if !WITHOUT_OpenRequests
    @Test("An app-based program that goes on shows its closed window again, or another one", arguments: [true, false])
    func appBased(isClosedWindow: Bool) throws {
      let program = Program()
      program.manifest = ApplicationManifest()
      program.endsAfterLastScene = false
      program.lastSceneClosed = { false }
      var window: Window?
      program.onCall = { call in
        guard call.name == "didFinishLaunchingWithOptions" else { return }
        window = Window()
        window?.makeKeyAndVisible()
      }
      _ = program.launch()
      weak let first = program.headless.windows.first
      for number in 1...2 {
        program.headless.desk.close(try #require(window))
        program.settle()
        #expect(program.application.openSessions.isEmpty && program.headless.isRunning)
        _ = program.takeCalls()
        if isClosedWindow {
          program.headless.machine.startAgain()
        } else {
          window = Window()
          window?.makeKeyAndVisible()
        }
        program.settle()
        let scene = try #require(window?.windowScene)
        #expect(scene.activationState == .foregroundActive && (window === first) == isClosedWindow)
        let names = program.calls.map(\.name)
        #expect(names == ["applicationWillEnterForeground", "applicationDidBecomeActive"], "\(number)")
        #expect(program.application.openSessions.count == 1)
      }
      // Without one there is a word
      program.headless.desk.close(try #require(window))
      program.settle()
      #expect(program.errors.isEmpty && program.application.terminationCause == nil)
      window = nil
      guard !isClosedWindow else { return }
      program.headless.machine.startAgain()
      program.settle()
      #expect(program.errors.count { $0.contains("has no window to show") } == 1)
    }
  #endif
}
