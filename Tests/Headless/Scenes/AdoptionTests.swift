import ProsceniumCore
import ProsceniumPlatform
import ProsceniumTesting
import ProsceniumTrace
import Testing

/// Windows that another toolkit has made and owns.
@MainActor @Suite("Adopted windows in memory") struct AdoptionTests {
  /// The toolkit's side, which notes what it is asked for.
  private final class Owner: AdoptedWindowOwner {
    var calls: [String] = []
    func setWindow(_ window: Window, isHidden: Bool) { calls.append(isHidden ? "hide" : "show") }
    func destroyWindow(_ window: Window) { calls.append("destroy") }
  }

  private final class Scene: RecordingSceneDelegate {
    override func makeWindow(for scene: WindowScene) -> Window? {
      guard let program = owner as? Program else { return nil }
      program.last += 1
      return try? Window(adopting: program.last, in: scene, owner: program.toolkit)
    }
  }

  private final class Program: RecordingDelegate {
    let toolkit = Owner()
    var last: UInt32 = 0x0f00_0000
    let headless = HeadlessProgram()
    var platform: HeadlessPlatform { headless.platform }
    var errors: [String] { headless.entries.filter { $0.kind == "error" }.compactMap { $0.text("message") } }

    override func makeSceneDelegate(for session: SceneSession) -> RecordingSceneDelegate {
      Scene(self, session: session)
    }

    /// Only a scene in the background is disconnected.
    func disconnect(_ window: Window) throws {
      platform.minimize(try #require(window.id))
      platform.advance(by: 3000)
      headless.application.requestSceneDisconnection(sessions[0])
      platform.advance(by: 3000)
    }

    func start() throws -> (WindowScene, Window) {
      headless.launch(self)
      platform.advance(by: 3000)
      let scene = try #require(sessions[0].scene as? WindowScene)
      return (scene, try #require(scene.windows.first))
    }
  }

  @Test("They decide the states of their scene")
  func states() throws {
    let program = Program()
    let (scene, window) = try program.start()
    let id = try #require(window.id)
    #expect(scene.activationState == .foregroundActive && window.isAdopted && id.rawValue == 0x0f00_0001)
    program.platform.minimize(id)
    program.platform.advance(by: 3000)
    #expect(scene.activationState == .background && program.toolkit.calls.isEmpty)
  }

  @Test("A close asks the delegate, and the toolkit destroys what is closed, once")
  func close() throws {
    let program = Program()
    program.sceneCallbacks = [.shouldClose]
    program.closeReply = .cancel
    let (scene, window) = try program.start()
    window.performClose()
    program.platform.advance(by: 3000)
    #expect(program.calls.count { $0.name == "sceneShouldClose" } == 1 && scene.activationState == .foregroundActive)
    program.closeReply = .now
    window.performClose()
    // Once for both.
    window.performClose()
    program.platform.advance(by: 3000)
    #expect(program.toolkit.calls == ["destroy"] && program.calls.contains { $0.name == "sceneDidDisconnect" })
    #expect(scene.activationState == .unattached && program.platform.quitStatus == 0)
  }

  @Test("A disconnection destroys the window, keeps the session and the program, and leaves no window in its place")
  func disconnection() throws {
    let program = Program()
    let (_, window) = try program.start()
    try program.disconnect(window)
    #expect(program.platform.quitStatus == nil)
    #expect(program.toolkit.calls == ["destroy"] && program.platform.windows.isEmpty && window.windowScene == nil)
    #expect(program.headless.application.openSessions.count == 1)
    // And it connects again, with another window.
    program.headless.application.activateSceneSession(
      for: SceneSessionActivationRequest(session: program.sessions[0]))
    program.platform.advance(by: 3000)
    let scene = try #require(program.sessions[0].scene as? WindowScene)
    #expect(scene.windows.first?.id?.rawValue == 0x0f00_0002 && program.toolkit.calls == ["destroy"])
  }

  @Test("A panel of the program's own goes with the toolkit's window")
  func panel() throws {
    let program = Program()
    let (scene, window) = try program.start()
    _ = Window(windowScene: scene)
    program.platform.advance(by: 3000)
    #expect(program.platform.windows.count == 2)
    try program.disconnect(window)
    #expect(program.toolkit.calls == ["destroy"] && program.platform.windows.isEmpty)
    #expect(program.platform.quitStatus == nil && program.headless.application.openSessions.count == 1)
  }

  @Test("What is hidden here the toolkit hides")
  func hiding() throws {
    let program = Program()
    program.endsAfterLastScene = false
    let (scene, window) = try program.start()
    window.isHidden = true
    program.platform.advance(by: 3000)
    #expect(program.toolkit.calls == ["hide"] && scene.activationState == .background)
    window.makeKeyAndVisible()
    program.platform.advance(by: 3000)
    #expect(program.toolkit.calls == ["hide", "show"])
  }

  @Test("While background tasks hold the program's end the toolkit hides its windows")
  func heldEnd() throws {
    let program = Program()
    let (_, window) = try program.start()
    let task = program.headless.application.beginBackgroundTask(withName: "upload")
    program.headless.application.terminate()
    program.platform.advance(by: 1000)
    #expect(program.platform.quitStatus == nil && program.toolkit.calls == ["hide"] && !window.isHidden)
    program.headless.application.endBackgroundTask(task)
    program.platform.advance(by: 1000)
    #expect(program.platform.quitStatus == 0 && program.toolkit.calls == ["hide"])
  }

  @Test("What is hidden the toolkit shows once the session is activated, as after a close that keeps the scene")
  func shownByActivation() throws {
    let program = Program()
    program.endsAfterLastScene = false
    let (scene, window) = try program.start()
    window.isHidden = true
    program.platform.advance(by: 3000)
    for _ in 1...2 {
      program.headless.application.activateSceneSession(
        for: SceneSessionActivationRequest(session: program.sessions[0]))
      program.platform.advance(by: 3000)
      #expect(program.toolkit.calls == ["hide", "show"] && !window.isHidden && scene.activationState != .background)
    }
  }

  @Test("What the toolkit shows by itself is shown, and closes again")
  func shownByToolkit() throws {
    let program = Program()
    program.endsAfterLastScene = false
    let (scene, window) = try program.start()
    let id = try #require(window.id)
    for _ in 1...2 {
      program.toolkit.calls = []
      window.isHidden = true
      program.platform.advance(by: 3000)
      #expect(program.toolkit.calls == ["hide"] && scene.activationState == .background)
      program.platform.ownerSets(id, isHidden: false)
      program.platform.advance(by: 3000)
      #expect(!window.isHidden && scene.activationState >= .foregroundInactive && program.toolkit.calls == ["hide"])
    }
  }

  @Test("What is hidden stays so while the toolkit has not hidden it, whatever else changes")
  func notHiddenYet() throws {
    let program = Program()
    program.endsAfterLastScene = false
    let (scene, window) = try program.start()
    let id = try #require(window.id)
    var levels = try #require(program.platform.windows[id]).levels
    levels.occluded.toggle()
    window.isHidden = true
    program.platform.send(.levels(id, levels))
    #expect(window.isHidden)
    program.platform.advance(by: 3000)
    #expect(window.isHidden && scene.activationState == .background && program.toolkit.calls == ["hide"])
  }

  @Test("What the toolkit hides by itself it is asked to show once the session is activated")
  func hiddenByToolkit() throws {
    let program = Program()
    let (scene, window) = try program.start()
    program.platform.ownerSets(try #require(window.id), isHidden: true)
    program.platform.advance(by: 3000)
    #expect(scene.activationState == .background && program.toolkit.calls.isEmpty)
    program.headless.application.activateSceneSession(
      for: SceneSessionActivationRequest(session: program.sessions[0]))
    program.platform.advance(by: 3000)
    #expect(program.toolkit.calls == ["show"])
  }

  @Test("At the program's end nothing is asked of the toolkit")
  func end() throws {
    let program = Program()
    _ = try program.start()
    program.headless.application.terminate()
    program.platform.advance(by: 3000)
    #expect(program.platform.quitStatus == 0 && program.toolkit.calls.isEmpty)
  }

  @Test("The lock of the screen conceals them")
  func locked() throws {
    let program = Program()
    let (scene, _) = try program.start()
    program.headless.machine.lock()
    program.platform.advance(by: 3000)
    #expect(scene.activationState == .background)
    program.headless.machine.unlock()
    program.platform.advance(by: 3000)
    #expect(scene.activationState == .foregroundActive && program.toolkit.calls.isEmpty)
  }

  #if !WITHOUT_Suspension
    @Test("Their program is suspended while none can be seen, and goes on with the first that is")
    func suspended() throws {
      let program = Program()
      program.manifest.suspensionPolicy = .whenAllInBackground
      let (scene, window) = try program.start()
      let id = try #require(window.id)
      program.platform.minimize(id)
      program.platform.advance(by: 6000)
      #expect(scene.activationState == .background && program.platform.isSuspended)
      program.platform.restore(id)
      program.platform.advance(by: 3000)
      #expect(scene.activationState == .foregroundActive && !program.platform.isSuspended)
    }
  #endif

  #if !WITHOUT_Memory
    @Test("Whose window would go with it no scene is reclaimed: neither for its time, nor for its memory")
    func reclaim() throws {
      let program = Program()
      let (scene, window) = try program.start()
      program.headless.application.reclaimPolicy.maximumBackgroundTime = .seconds(2)
      program.platform.minimize(try #require(window.id))
      program.platform.advance(by: 10_000)
      program.headless.machine.runShortOfMemory(.critical)
      program.platform.advance(by: 10_000)
      #expect(scene.activationState == .background && program.toolkit.calls.isEmpty)
      #expect(program.platform.quitStatus == nil && program.platform.windows.count == 1)
    }
  #endif

  @Test("What cannot be is an error: no X11 window, one that has a scene, a scene that is gone")
  func errors() throws {
    let program = Program()
    program.endsAfterLastScene = false
    let (scene, window) = try program.start()
    #expect(throws: WindowAdoptionError.noX11Window) {
      try Window(adopting: 0, in: scene, owner: program.toolkit)
    }
    #expect(throws: WindowAdoptionError.alreadyAdopted) {
      try Window(adopting: 0x0f00_0001, in: scene, owner: program.toolkit)
    }
    #expect(program.errors.isEmpty)
    try program.disconnect(window)
    #expect(throws: WindowAdoptionError.noScene) {
      try Window(adopting: 5, in: scene, owner: program.toolkit)
    }
    // Of no scene: nothing happens.
    window.performClose()
  }

  private final class Content: WindowContent {
    func layout(_ size: Size) {}
    func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {}
  }

  @Test("What is the toolkit's is an error each time that the program asks for it here")
  func toolkits() throws {
    let program = Program()
    let (scene, window) = try program.start()
    let requests: [(String, () -> Void)] = [
      ("setNeedsDisplay", { window.setNeedsDisplay() }),
      ("FrameLink", { FrameLink(window: window) { _ in }.invalidate() }),
      ("content", { window.content = Content() }), ("title", { window.title = "Its own" }),
      ("icon", { window.icon = nil }), ("cursor", { window.cursor = .text }),
      ("size limit", { window.minimumSize = Size(width: 100, height: 100) }),
      ("size limit", { window.maximumSize = Size(width: 900, height: 900) }),
    ]
    for (number, (name, request)) in requests.enumerated() {
      request()
      #expect(program.errors.count == number + 1 && program.errors.last?.contains(name) == true, "\(name)")
    }
    let id = try #require(window.id)
    #expect(program.platform.windows[id]?.description.title != "Its own")
    // The scene's own is its session's, too.
    scene.title = "The scene's"
    #expect(program.errors.count == requests.count)
  }

  #if !WITHOUT_Snapshots
    @Test("A snapshot that the program asks for without a picture is an error, and one that is due is none")
    func snapshots() throws {
      let program = Program()
      let (scene, window) = try program.start()
      program.platform.minimize(try #require(window.id))
      program.platform.advance(by: 3000)
      program.headless.application.requestSceneSessionRefresh(program.sessions[0])
      program.platform.advance(by: 3000)
      #expect(scene.activationState == .background && program.errors.isEmpty)
      #expect(scene.snapshot(afterUpdates: false) == nil)
      #expect(program.errors.count == 1 && program.errors.last?.contains("snapshotPicture") == true)
      let picture = try #require(Picture(size: Size(width: 2, height: 2)) { _ in })
      scene.snapshotPicture = picture
      #expect(scene.snapshot(afterUpdates: false) === picture && program.errors.count == 1)
    }
  #endif

  @Test("A window that the toolkit destroys by itself ends its scene, without an error")
  func lost() throws {
    let program = Program()
    program.endsAfterLastScene = false
    let (scene, window) = try program.start()
    program.platform.destroyForeign(try #require(window.id))
    program.platform.advance(by: 3000)
    #expect(scene.activationState == .unattached && scene.disconnectionReason == .windowLost)
    #expect(program.errors.isEmpty && program.toolkit.calls.isEmpty)
    #expect(program.headless.application.openSessions.count == 1)
  }
}
