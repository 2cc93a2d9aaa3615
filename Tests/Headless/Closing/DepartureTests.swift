import ProsceniumCore
import ProsceniumTesting
import ProsceniumTrace
import ScenarioKit
import Testing

/// Windows and scenes that go while something else is under way.
@MainActor @Suite("Departures") struct DepartureTests {
  private let shown = WindowLevels(visible: true, visibleCause: "viewable")

  @Test("A scene whose window went in the batch of its close is not asked after its disconnection")
  func closeOfALostWindow() throws {
    // Given a scene whose delegate may refuse
    let run = HeadlessScenario(arguments: ["--stay", "--delay-close"])
    _ = run.perform("launch")
    let window = try #require(run.window(ofScene: 1))
    // When its window is asked to close and destroyed at once
    run.program.platform.send(.closeRequested(window), .destroyed(window))
    // Then its disconnection is the last that it hears
    #expect(run.probe.calls.last == "sceneDidDisconnect")
  }

  @Test("Nothing is said of the geometry of a scene that went in the same batch")
  func geometryOfALostWindow() throws {
    let plain = PlainProgram()
    plain.launch()
    let window = try #require(plain.window(0)?.id)
    plain.platform.send(.geometry(window, WindowGeometry(frame: Rect(x: 0, y: 0, width: 30, height: 40))))
    func geometryCalls() -> Int { plain.calls.count { $0 == "didUpdateEffectiveGeometry" } }
    let count = geometryCalls()
    plain.platform.send(
      .geometry(window, WindowGeometry(frame: Rect(x: 1, y: 2, width: 30, height: 40))), .destroyed(window))
    #expect(count > 0 && geometryCalls() == count && plain.calls.last?.name == "sceneDidDisconnect")
  }

  @Test("The panel of a scene whose primary window was destroyed goes with it")
  func panelOfALostWindow() throws {
    // Given a scene with a hidden panel
    let run = HeadlessScenario(arguments: [])
    for step in ["launch", "panel 1"] { _ = run.perform(step) }
    run.probe.panels[0].isHidden = true
    run.program.platform.deliver()
    // When another client destroys the primary window
    run.program.platform.destroyForeign(try #require(run.window(ofScene: 1)))
    // Then no invisible window keeps the program alive
    #expect(run.program.platform.windows.isEmpty)
    #expect(run.program.platform.quitStatus == 0)
  }

  @Test("A panel that another client destroyed is no key window any more")
  func lostKeyPanel() throws {
    let run = HeadlessScenario(arguments: ["--stay"])
    for step in ["launch", "panel 1"] { _ = run.perform(step) }
    let scene = try #require(run.probe.sessions[0].scene as? WindowScene)
    let panel = run.probe.panels[0]
    #expect(scene.keyWindow === panel)
    run.program.platform.focus(nil)
    run.program.platform.destroyForeign(try #require(panel.id))
    #expect(scene.keyWindow !== panel)
  }

  @Test("A bare window that is focused and closed at once is not connected again")
  func closeOfARecalledWindow() throws {
    // Given a disconnected session with a bare window
    let plain = PlainProgram()
    plain.launch()
    let window = try #require(plain.window(0)?.id)
    plain.platform.minimize(window)
    plain.platform.advance(by: 3000)
    plain.disconnect(plain.sessions[0])
    #expect(plain.calls.last?.name == "sceneDidDisconnect")
    // When it gains the focus and is closed in one batch
    var focused = shown
    focused.focused = true
    plain.platform.send(.levels(window, focused), .closeRequested(window))
    // Then the session is discarded, and nothing connects
    #expect(plain.calls.last?.name == "sceneDidDisconnect")
    #expect(plain.sessions[0].scene == nil)
    #expect(plain.program.application.openSessions.isEmpty)
    #expect(plain.platform.windows.isEmpty)
  }

  @Test("A bare window that merely comes into sight is connected again and takes the focus from no window")
  func quietReconnection() throws {
    // Given one active scene and one disconnected
    let plain = PlainProgram()
    plain.launch()
    plain.newScene()
    let first = try #require(plain.window(0)?.id)
    plain.platform.minimize(first)
    plain.platform.advance(by: 3000)
    plain.disconnect(plain.sessions[0])
    let commands = plain.platform.commands.count
    // When the first is shown without the focus, as by a switch of desktops
    plain.platform.send(.levels(first, shown))
    plain.platform.advance(by: 3000)
    // Then it is connected, and the second is still the active one
    #expect(plain.sessions[0].scene?.activationState == .foregroundInactive)
    #expect(plain.sessions[1].scene?.activationState == .foregroundActive)
    #expect(!plain.platform.commands.dropFirst(commands).contains(.show(first, .activated)))
    // And it may ask for the focus from then on
    plain.window(0)?.makeKey()
    plain.platform.deliver()
    #expect(plain.sessions[0].scene?.activationState == .foregroundActive)
  }

  @Test("A covered bare window is out of sight where occlusion counts as hidden")
  func coveredBareWindow() throws {
    // Given a scene that is in the background because it is covered, and is disconnected there
    let plain = PlainProgram()
    plain.manifest.sceneConfigurations[0].treatsOcclusionAsHidden = true
    plain.launch()
    let window = try #require(plain.window(0)?.id)
    var covered = shown
    covered.occluded = true
    plain.platform.send(.levels(window, covered))
    plain.platform.advance(by: 3000)
    plain.disconnect(plain.sessions[0])
    #expect(plain.sessions[0].scene == nil)
    // When something else about it changes
    plain.platform.send(.windowManager(.changing, cause: "test"), .windowManager(.settled, cause: "test"))
    plain.platform.advance(by: 3000)
    // Then it stays disconnected until it is uncovered
    #expect(plain.sessions[0].scene == nil)
    plain.platform.send(.levels(window, shown))
    plain.platform.advance(by: 3000)
    #expect(plain.sessions[0].scene != nil)
  }

  @Test("A bare window whose scene made none of its own can be brought back again")
  func unusedBareWindow() throws {
    let plain = PlainProgram()
    plain.launch()
    let window = try #require(plain.window(0)?.id)
    plain.platform.minimize(window)
    plain.platform.advance(by: 3000)
    plain.disconnect(plain.sessions[0])
    // Given a reconnection that makes no window, and is undone
    plain.showsWindows = false
    plain.platform.restore(window)
    plain.platform.minimize(window)
    plain.platform.advance(by: 3000)
    plain.disconnect(plain.sessions[0])
    #expect(plain.calls.suffix(2).map(\.name) == ["sceneWillConnect", "sceneDidDisconnect"])
    // When the user brings the window back
    plain.showsWindows = true
    plain.platform.restore(window)
    plain.platform.advance(by: 3000)
    // Then there is a scene for it
    #expect(plain.sessions[0].scene?.activationState == .foregroundActive)
    #expect(plain.window(0)?.id == window)
  }

  @Test("A scene whose only window is taken away goes to the background at once")
  func lastWindowTaken() throws {
    let plain = PlainProgram()
    plain.launch()
    plain.window(0)?.windowScene = nil
    plain.platform.deliver()
    plain.platform.advance(by: 3000)
    #expect(plain.sessions[0].scene?.activationState == .background)
  }

  @Test("What a window was given before it had a scene, or in another one, goes with it")
  func movedProperties() throws {
    let plain = PlainProgram()
    plain.launch()
    let icon = try #require(WindowIcon(size: Size(width: 1, height: 1), pixels: [1]))
    let place = Rect(x: 5, y: 6, width: 70, height: 80)
    // Given a window of no scene
    let window = Window()
    window.icon = icon
    window.windowLevel = 2000
    window.frame = place
    #expect(window.frame == place)
    // When it joins one
    window.windowScene = plain.sessions[0].scene as? WindowScene
    plain.platform.deliver()
    // Then the window system hears of all
    let id = try #require(window.id)
    #expect(plain.platform.commands.contains(.setIcon(id, icon)))
    #expect(plain.platform.commands.contains(.setLevel(id, 2000)))
    #expect(plain.platform.windows[id]?.frame == place)
  }

  @Test("A window that belongs to no scene is an error when it is to be shown")
  func looseWindow() {
    let plain = PlainProgram()
    plain.launch()
    let window = Window()
    window.makeKeyAndVisible()
    plain.platform.deliver()
    #expect(plain.program.entries.contains { $0.text("message")?.contains("belongs to no scene") == true })
  }

  @Test("Closing the window of an app-based program that stays frees its scene")
  func implicitScene() throws {
    let run = HeadlessScenario(arguments: ["--app-based", "--stay"])
    _ = run.perform("launch")
    weak let scene = run.probe.sessions[0].scene
    #expect(scene != nil)
    _ = run.perform("user close 1")
    #expect(scene == nil)
  }

  @Test("A scene closed to the background, disconnected there and activated has its window again")
  func closedToTheBackground() throws {
    // Given a scene whose close withdrew its window
    let plain = PlainProgram()
    plain.manifest.sceneConfigurations[0].closePolicy = .background
    plain.launch()
    let window = try #require(plain.window(0)?.id)
    plain.platform.requestClose(window)
    plain.platform.advance(by: 3000)
    #expect(plain.sessions[0].scene?.activationState == .background)
    plain.disconnect(plain.sessions[0])
    #expect(plain.sessions[0].scene == nil)
    // When the program activates its session
    plain.program.application.activateSceneSession(for: SceneSessionActivationRequest(session: plain.sessions[0]))
    plain.platform.advance(by: 3000)
    // Then it is connected, with the window that it had
    #expect(plain.sessions[0].scene?.activationState == .foregroundActive)
    #expect(plain.window(0)?.id == window)
    #expect(plain.program.application.openSessions.count == 1)
  }

  @Test("A panel that has left a scene closed to the background is not shown with it again", arguments: [true, false])
  func panelThatHasLeft(joins: Bool) throws {
    // Given two scenes, of which the first is closed with its panel
    let plain = PlainProgram()
    plain.manifest.sceneConfigurations[0].closePolicy = .background
    plain.launch()
    plain.newScene()
    let panel = Window(windowScene: try #require(plain.sessions[0].scene as? WindowScene))
    panel.isHidden = false
    plain.platform.deliver()
    plain.platform.requestClose(try #require(plain.window(0)?.id))
    plain.platform.advance(by: 3000)
    #expect(panel.isHidden && plain.sessions[0].scene?.activationState == .background)
    // When the panel goes, and the first scene is activated
    panel.windowScene = joins ? plain.sessions[1].scene as? WindowScene : nil
    plain.program.application.activateSceneSession(for: SceneSessionActivationRequest(session: plain.sessions[0]))
    plain.platform.advance(by: 3000)
    // Then only that scene's own window is back
    #expect(plain.window(0)?.isHidden == false && panel.isHidden)
    #expect(!plain.program.entries.contains { $0.text("message")?.contains("belongs to no scene") == true })
  }

  @Test("A panel that becomes the primary window is above none, and the other ones are above it")
  func panelBecomesPrimary() throws {
    let plain = PlainProgram()
    plain.launch()
    let scene = try #require(plain.sessions[0].scene as? WindowScene)
    let panels = (1...2).map { _ in Window(windowScene: scene) }
    for panel in panels { panel.isHidden = false }
    plain.platform.deliver()
    func owner(_ panel: Window) -> WindowID? {
      panel.id.flatMap { plain.platform.windows[$0]?.description.transientFor }
    }
    let primary = try #require(plain.window(0))
    #expect(primary.id != nil && panels.allSatisfy { owner($0) == primary.id })
    primary.windowScene = nil
    plain.platform.deliver()
    #expect(panels[0].id != nil && owner(panels[0]) == nil && owner(panels[1]) == panels[0].id)
  }

  @Test("A scene that is asked for as the last one's session is discarded keeps the program", arguments: [true, false])
  func newSceneForADiscarded(isBare: Bool) throws {
    let plain = PlainProgram()
    plain.endsAfterLastScene = true
    plain.recordedNames?.insert("didDiscardSceneSessions")
    plain.launch()
    let window = try #require(plain.window(0)?.id)
    if isBare {
      plain.platform.minimize(window)
      plain.platform.advance(by: 3000)
      plain.disconnect(plain.sessions[0])
      #expect(plain.sessions[0].scene == nil && plain.platform.quitStatus == nil)
    }
    plain.onCall = { [unowned plain] call in
      guard call.name == "didDiscardSceneSessions" else { return }
      plain.program.application.activateSceneSession(for: SceneSessionActivationRequest())
    }
    plain.platform.requestClose(window)
    plain.platform.advance(by: 3000)
    #expect(plain.platform.quitStatus == nil && plain.program.application.connectedScenes.count == 1)
    // One that is asked for no more ends it.
    plain.onCall = { _ in }
    let last = plain.program.application.connectedScenes.first as? WindowScene
    plain.platform.requestClose(try #require(last?.windows.first?.id))
    plain.platform.advance(by: 3000)
    #expect(plain.platform.quitStatus == 0)
  }

  @Test("The close of a bare window keeps a session that stays open in the background")
  func bareClosedToTheBackground() throws {
    let plain = PlainProgram()
    plain.manifest.sceneConfigurations[0].closePolicy = .background
    plain.launch()
    let window = try #require(plain.window(0)?.id)
    plain.platform.minimize(window)
    plain.platform.advance(by: 3000)
    plain.disconnect(plain.sessions[0])
    #expect(plain.sessions[0].scene == nil && plain.platform.windows[window] != nil)
    plain.platform.requestClose(window)
    plain.platform.advance(by: 3000)
    #expect(plain.program.application.openSessions.count == 1 && plain.window(0)?.isHidden == true)
    #expect(plain.platform.windows[window]?.isMapped == false)
    plain.program.application.activateSceneSession(for: SceneSessionActivationRequest(session: plain.sessions[0]))
    plain.platform.advance(by: 3000)
    #expect(plain.sessions[0].scene?.activationState == .foregroundActive && plain.window(0)?.id == window)
  }

  @Test("A bare window whose session cannot connect closes, and its session stays")
  func closeWithoutConnection() throws {
    let plain = PlainProgram()
    plain.endsAfterLastScene = true
    plain.sceneCallbacks = [.shouldClose]
    plain.launch()
    let window = try #require(plain.window(0)?.id)
    plain.platform.minimize(window)
    plain.platform.advance(by: 3000)
    plain.disconnect(plain.sessions[0])
    plain.sessions[0].configuration.makeDelegate = nil
    plain.platform.requestClose(window)
    plain.platform.advance(by: 3000)
    #expect(plain.platform.windows.isEmpty && plain.program.application.openSessions.count == 1)
    #expect(plain.platform.quitStatus == 0)
  }

  @Test("A translucent window takes the place of a bare one that is opaque, and the pointer is its own")
  func otherVisual() throws {
    let plain = PlainProgram()
    plain.launch()
    let window = try #require(plain.window(0))
    let id = try #require(window.id)
    window.cursor = .text
    plain.platform.minimize(id)
    plain.platform.advance(by: 3000)
    plain.disconnect(plain.sessions[0])
    plain.platform.restore(id)
    plain.platform.advance(by: 3000)
    #expect(plain.window(0)?.id == id && plain.platform.commands.contains(.setCursor(id, .arrow)))
    // When the next scene's window is not opaque
    plain.platform.minimize(id)
    plain.platform.advance(by: 3000)
    plain.disconnect(plain.sessions[0])
    plain.makesGlass = true
    plain.platform.restore(id)
    plain.platform.advance(by: 3000)
    let other = try #require(plain.window(0)?.id)
    #expect(other != id && Array(plain.platform.windows.keys) == [other])
    #expect(plain.sessions[0].scene?.activationState == .foregroundActive)
  }

  @Test("A close that is answered after the program has begun to end changes nothing")
  func lateAnswer() throws {
    let run = HeadlessScenario(arguments: ["--delay-close"])
    for step in ["launch", "user close 1"] { _ = run.perform(step) }
    let scene = try #require(run.probe.sessions[0].scene)
    let task = run.program.application.beginBackgroundTask(withName: "saving")
    run.program.application.terminate(status: 4)
    run.program.platform.deliver()
    scene.reply(toShouldClose: true)
    run.program.application.endBackgroundTask(task)
    run.program.platform.deliver()
    #expect(run.probe.calls.suffix(3) == ["sceneDidEnterBackground", "sceneDidDisconnect", "applicationWillTerminate"])
    #expect(scene.disconnectionReason == .applicationExit)
    #expect(run.program.platform.quitStatus == 4)
  }

  @Test("What became of a request about a window is in the trace")
  func tracedOutcome() {
    let plain = PlainProgram()
    plain.launch()
    plain.window(0)?.requestFullScreen(true)
    plain.platform.deliver()
    let line = plain.program.entries.first { $0.text("name") == "requestFullScreen" }
    #expect(line?.kind == "request")
    #expect(line?.text("outcome") == "done")
    #expect(line?.text("scene") == plain.sessions[0].persistentIdentifier)
  }
}
