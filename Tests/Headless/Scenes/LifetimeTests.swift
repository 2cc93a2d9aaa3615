import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import ScenarioKit
import Testing

@MainActor @Suite("What is left after a scene has gone") struct LifetimeTests {
  @MainActor private final class Witness {
    weak var scene: Scene?
    weak var delegate: AnyObject?
    weak var window: Window?
    init(_ scene: Scene?) {
      self.scene = scene
      delegate = scene?.delegate
      window = (scene as? WindowScene)?.windows.first
    }
    var isAlive: Bool { scene != nil || delegate != nil || window != nil }
  }

  @Test("Disconnecting frees the scene, its delegate and its windows; the session and a bare window stay")
  func disconnect() {
    let run = HeadlessScenario(arguments: [])
    _ = run.perform("launch")
    _ = run.perform("user minimize 1")
    let witness = Witness(run.probe.sessions[0].scene)
    let id = witness.window?.id
    #expect(witness.isAlive)

    _ = run.perform("disconnect 1")

    #expect(!witness.isAlive)
    #expect(run.probe.sessions[0].scene == nil)
    #expect(run.program.application.openSessions.count == 1)
    #expect(run.program.platform.windows.keys.contains { $0 == id })
    #expect(run.program.platform.windows.values.first?.isBare == true)
  }

  @Test("Closing frees the scene, its delegate and its windows, panel included")
  func close() {
    let run = HeadlessScenario(arguments: ["--stay"])
    _ = run.perform("launch")
    _ = run.perform("panel 1")
    run.probe.panels = []
    let witness = Witness(run.probe.sessions[0].scene)

    _ = run.perform("user close 1")

    #expect(!witness.isAlive)
    #expect(run.program.platform.windows.isEmpty)
    #expect(run.program.application.openSessions.isEmpty)
  }

  @Test("A reconnection makes a new scene and a new delegate for the same session and the same window")
  func reconnect() {
    let run = HeadlessScenario(arguments: [])
    for step in ["launch", "user minimize 1"] { _ = run.perform(step) }
    let old = Witness(run.probe.sessions[0].scene)
    let id = old.window?.id
    _ = run.perform("disconnect 1")

    _ = run.perform("user restore 1")

    let scene = run.probe.sessions[0].scene
    #expect(scene?.activationState == .foregroundActive)
    #expect((scene as? WindowScene)?.windows.first?.id == id)
    #expect(run.program.platform.windows.count == 1)
    #expect(run.program.platform.windows.values.first?.mapCount == 1)
    #expect(!old.isAlive)
  }

  @Test("A program that is gone leaves nothing of its scenes, though a session is kept, which can be changed")
  func programGone() throws {
    var delegate: RecordingDelegate? = RecordingDelegate()
    var program: HeadlessProgram? = HeadlessProgram()
    if let delegate { program?.launch(delegate) }
    program?.platform.advance(by: 1000)
    let session = try #require(delegate?.sessions.first)
    weak let conductor = program?.application.conductor
    let witness = Witness(session.scene)
    #expect(witness.scene != nil && conductor != nil)

    (program, delegate) = (nil, nil)
    // Keeps the program that was launched last.
    Application.sharedIfLaunched = nil

    #expect(conductor == nil)
    #expect(witness.scene == nil && session.scene == nil)
    session.userInfo = ["kept": true]
    #expect(session.userInfo?["kept"] as? Bool == true)
  }

  // MARK: The window of a reconnection

  /// When a scene shows its window.
  enum Showing: CaseIterable { case keyed, quietly, later }

  @MainActor private final class Reconnection: RecordingDelegate {
    final class Noted: Window {
      weak var program: Reconnection?
      override func becomeKey() { program?.log.append("key") }
    }

    final class Scene: RecordingSceneDelegate {
      override func scene(
        _ scene: ProsceniumCore.Scene, willConnectTo session: SceneSession,
        options: ProsceniumCore.Scene.ConnectionOptions
      ) {
        super.scene(scene, willConnectTo: session, options: options)
        guard let scene = scene as? WindowScene, let program = owner as? Reconnection else { return }
        let window = Noted(windowScene: scene)
        (window.program, self.window) = (program, window)
        let center = NotificationCenter.default
        program.tokens = [
          center.addObserver(of: window, for: Window.DidBecomeVisibleMessage.self) { _ in
            program.log.append("visible")
          },
          center.addObserver(of: window, for: Window.DidBecomeHiddenMessage.self) { _ in program.log.append("hidden") },
        ]
        switch program.showing {
        case .keyed: window.makeKeyAndVisible()
        case .quietly: window.isHidden = false
        case .later: break
        }
      }
    }

    let headless = HeadlessProgram()
    var showing = Showing.keyed
    var log: [String] = []
    var tokens: [NotificationCenter.ObservationToken] = [] {
      didSet { for token in oldValue { NotificationCenter.default.removeObserver(token) } }
    }
    var platform: HeadlessPlatform { headless.platform }

    override init() {
      super.init()
      showsWindows = false
    }

    override func makeSceneDelegate(for session: SceneSession) -> RecordingSceneDelegate {
      Scene(self, session: session)
    }

    /// Leaves a bare window, minimised.
    func disconnect() throws -> WindowID {
      headless.launch(self)
      platform.advance(by: 3000)
      let id = try #require(headless.windows.first?.id)
      platform.minimize(id)
      platform.advance(by: 3000)
      headless.application.requestSceneDisconnection(sessions[0])
      platform.advance(by: 3000)
      #expect(platform.windows[id]?.isBare == true)
      log = []
      return id
    }
  }

  @Test("The window of a reconnection is shown by the program, and key, as any other", arguments: Showing.allCases)
  func windowOfReconnection(_ showing: Showing) throws {
    let program = Reconnection()
    defer { program.tokens = [] }
    let id = try program.disconnect()
    program.showing = showing
    program.platform.restore(id)
    program.platform.advance(by: 3000)
    let window = try #require(program.headless.windows.first)
    let scene = try #require(window.windowScene)
    #expect(window.id == id && window.isKeyWindow && scene.activationState == .foregroundActive)
    #expect(window.isHidden == (showing == .later))
    window.isHidden = false
    program.platform.advance(by: 3000)
    #expect(program.log.sorted() == ["key", "visible"] && program.platform.windows[id]?.mapCount == 1)
    window.isHidden = true
    program.platform.advance(by: 3000)
    #expect(program.log.last == "hidden" && scene.activationState == .background && scene.keyWindow == nil)
  }

  @Test("The window of a reconnection that the program never shows can be withdrawn, which is no change")
  func neverShown() throws {
    let program = Reconnection()
    defer { program.tokens = [] }
    let id = try program.disconnect()
    program.showing = .later
    program.platform.restore(id)
    program.platform.advance(by: 3000)
    let window = try #require(program.headless.windows.first)
    window.isHidden = true
    program.platform.advance(by: 3000)
    #expect(program.headless.scenes.first?.activationState == .background && program.log == ["key"])
    window.isHidden = false
    program.platform.advance(by: 3000)
    #expect(program.headless.scenes.first?.activationState != .background && program.log.contains("visible"))
  }

  @Test("The window of a session that connects in the background is shown when the user brings it back")
  func connectedInBackground() throws {
    let program = Reconnection()
    defer { program.tokens = [] }
    let id = try program.disconnect()
    program.headless.application.requestSceneSessionRefresh(program.sessions[0])
    program.platform.advance(by: 3000)
    let scene = try #require(program.headless.scenes.first)
    #expect(scene.activationState == .background && !program.log.contains("visible"))
    program.platform.restore(id)
    program.platform.advance(by: 3000)
    #expect(scene.activationState == .foregroundActive && program.log.count { $0 == "visible" } == 1)
  }

  @Test("A thousand rounds of disconnecting and connecting leave one window and no deadline")
  func rounds() {
    let run = HeadlessScenario(arguments: [])
    _ = run.perform("launch")
    for _ in 0..<1000 {
      for step in ["user minimize 1", "disconnect 1", "user restore 1"] { _ = run.perform(step) }
    }
    #expect(run.program.platform.windows.count == 1)
    #expect(run.program.application.conductor?.pendingDeadlines == 0)
    #expect(run.program.application.connectedScenes.count == 1)
  }
}
