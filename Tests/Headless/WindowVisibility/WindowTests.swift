import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import ProsceniumTrace
import ScenarioKit
import Testing

@MainActor @Suite("Windows, key windows and events") struct WindowTests {
  @MainActor private final class Log { var lines: [String] = [] }

  private final class Watched: Window {
    static var log: [String] = []
    var name = ""
    override func becomeKey() { Self.log.append("\(name) becomeKey") }
    override func resignKey() { Self.log.append("\(name) resignKey") }
    override func handle(_ event: Event) -> Bool {
      Self.log.append("\(name) \(event.kind)")
      return true
    }
  }

  private func launched() throws -> (HeadlessScenario, WindowScene) {
    let run = HeadlessScenario(arguments: ["--stay"])
    _ = run.perform("launch")
    return (run, try #require(run.probe.sessions[0].scene as? WindowScene))
  }

  @Test("Exactly one window of a scene is key, and a panel takes the key with the focus")
  func keyWindow() throws {
    let (run, scene) = try launched()
    Watched.log = []
    let panel = Watched(windowScene: scene)
    panel.name = "panel"
    panel.makeKeyAndVisible()
    run.program.platform.deliver()
    #expect(scene.keyWindow === panel)
    #expect(panel.isKeyWindow && !scene.windows[0].isKeyWindow)

    run.program.platform.focus(scene.windows[0].id)
    #expect(scene.keyWindow === scene.windows[0])
    #expect(Watched.log == ["panel becomeKey", "panel resignKey"])
    #expect(scene.activationState == .foregroundActive)
  }

  @Test("A window is shown within what panels leave of its screen, unless its least size is larger")
  func fitted() throws {
    let (run, scene) = try launched()
    var screen = HeadlessScreen("DP-2", frame: Rect(x: 0, y: 0, width: 800, height: 600), isPrimary: true)
    screen.visibleFrame = Rect(x: 0, y: 30, width: 800, height: 570)
    run.program.desk.screens = [screen]
    run.program.advance(by: .milliseconds(100))
    func shown(_ width: Int, _ height: Int, least: Size? = nil) -> Window {
      let window = Window(windowScene: scene)
      window.minimumSize = least
      window.frame = Rect(x: 100, y: 100, width: width, height: height)
      window.isHidden = false
      run.program.advance(by: .milliseconds(100))
      return window
    }
    #expect(shown(1000, 900).frame == Rect(x: 0, y: 62, width: 800, height: 538))
    #expect(shown(800, 570).frame == Rect(x: 100, y: 100, width: 800, height: 570))
    let least = Size(width: 900, height: 700)
    #expect(shown(1000, 900, least: least).frame.size == least)
    // A panel that comes later changes nothing: what a window was given at first counts.
    let left = shown(780, 560)
    screen.visibleFrame = Rect(x: 0, y: 100, width: 800, height: 500)
    run.program.desk.screens = [screen]
    run.program.advance(by: .milliseconds(100))
    #expect(left.frame.size == Size(width: 780, height: 560))
  }

  @Test("What the program asks for after a window is shown is not changed for panels that become known later")
  func askedForAfterwards() throws {
    let (run, scene) = try launched()
    var screen = try #require(run.program.desk.screens.first)
    let size = screen.frame.size
    let windows = [Window(windowScene: scene), Window(windowScene: scene)]
    for window in windows {
      window.frame = Rect(x: 100, y: 100, width: size.width + 100, height: size.height)
      window.isHidden = false
    }
    run.program.advance(by: .milliseconds(100))
    let whole = Rect(x: 0, y: 32, width: size.width, height: size.height - 32)
    #expect(windows.allSatisfy { $0.frame == whole })
    windows[0].requestFrame(whole)
    screen.visibleFrame = Rect(x: 0, y: 60, width: size.width, height: size.height - 60)
    run.program.desk.screens = [screen]
    run.program.advance(by: .milliseconds(100))
    #expect(windows.map(\.frame) == [whole, Rect(x: 0, y: 92, width: size.width, height: size.height - 92)])
  }

  @Test("The title of a scene is that of all its windows that have none of their own")
  func titleOfScene() throws {
    let (run, scene) = try launched()
    let (panel, own) = (Window(windowScene: scene), Window(windowScene: scene))
    own.title = "own"
    scene.windows[0].title = nil
    scene.title = "Other.txt"
    run.program.platform.deliver()
    func title(_ window: Window) -> String? {
      window.id.flatMap { run.program.platform.windows[$0]?.description.title }
    }
    #expect([scene.windows[0], panel, own].map(title) == ["Other.txt", "Other.txt", "own"])
  }

  @Test("Visibility notifications follow isHidden alone")
  func visibility() throws {
    let (run, scene) = try launched()
    let log = Log()
    let window = scene.windows[0]
    let center = NotificationCenter.default
    let tokens = [
      center.addObserver(of: window, for: Window.DidBecomeHiddenMessage.self) { _ in log.lines.append("hidden") },
      center.addObserver(of: window, for: Window.DidBecomeVisibleMessage.self) { _ in log.lines.append("visible") },
    ]
    defer { tokens.forEach { center.removeObserver($0) } }
    _ = run.perform("user minimize 1")
    _ = run.perform("user restore 1")
    #expect(log.lines == [])
    _ = run.perform("hide 1")
    _ = run.perform("show 1")
    #expect(log.lines == ["hidden", "visible"])
  }

  @Test("A window hidden and shown within one callback is not withdrawn")
  func toggle() throws {
    let (run, scene) = try launched()
    let count = run.program.platform.commands.count
    scene.windows[0].isHidden = true
    scene.windows[0].isHidden = false
    run.program.platform.deliver()
    #expect(run.program.platform.commands.dropFirst(count).isEmpty)
    #expect(run.program.newLines().isEmpty)
  }

  @Test("A window moves to another scene, and its old scene lives on with its others")
  func move() throws {
    let (run, scene) = try launched()
    _ = run.perform("panel 1")
    _ = run.perform("new")
    let other = try #require(run.probe.sessions[1].scene as? WindowScene)
    let panel = try #require(run.probe.panels.first)
    let old = try #require(panel.id)
    panel.windowScene = other
    run.program.platform.deliver()
    #expect(scene.windows.count == 1 && other.windows.count == 2)
    #expect(run.program.platform.windows[old] == nil)
    #expect(run.program.platform.windows[try #require(panel.id)]?.levels.visible == true)
    panel.windowScene = nil
    run.program.platform.deliver()
    #expect(panel.id == nil && run.program.platform.windows.count == 2)
  }

  @Test("A key window that leaves its scene resigns, and another one becomes key", arguments: [false, true])
  func keyWindowThatLeaves(isDestroyed: Bool) throws {
    let (run, scene) = try launched()
    let panel = Watched(windowScene: scene)
    panel.name = "panel"
    panel.makeKeyAndVisible()
    run.program.platform.deliver()
    #expect(scene.keyWindow === panel)
    Watched.log = []
    if isDestroyed {
      run.program.platform.destroyForeign(try #require(panel.id))
    } else {
      panel.windowScene = nil
      run.program.platform.deliver()
    }
    #expect(Watched.log == ["panel resignKey"] && scene.keyWindow === scene.windows[0])
  }

  @Test("Closing a panel hides it and leaves the scene alone")
  func closePanel() throws {
    let (run, scene) = try launched()
    _ = run.perform("panel 1")
    let panel = try #require(run.probe.panels.first)
    run.program.platform.requestClose(try #require(panel.id))
    #expect(panel.isHidden)
    #expect(scene.activationState != .unattached && scene.windows.count == 2)
  }

  @Test("Keys reach the window and then the chain; nothing arrives while interrupted or in the background")
  func withheld() throws {
    let (run, scene) = try launched()
    let window = Watched(windowScene: scene)
    window.name = "w"
    window.makeKeyAndVisible()
    run.program.platform.deliver()
    let id = try #require(window.id)
    let press = InputEvent(.button(PointerButton(number: 1, isDown: true, location: Point(x: 1, y: 2))), time: 7)
    func count() -> Int { Watched.log.filter { $0.hasPrefix("w button") }.count }
    Watched.log = []
    run.program.platform.send(.input(id, press))
    #expect(count() == 1)
    // Unfocused and visible: the pointer is still heard.
    run.program.platform.focus(nil)
    run.program.platform.advance(by: 500)
    #expect(scene.inactiveReason == .unfocused)
    run.program.platform.send(.input(id, press))
    #expect(count() == 2)
    scene.beginInterruption()
    run.program.platform.deliver()
    #expect(scene.inactiveReason == .interrupted)
    run.program.platform.send(.input(id, press))
    scene.endInterruption()
    run.program.platform.deliver()
    #expect(count() == 2)
    // Exposures and sizes always arrive.
    run.program.platform.send(.exposed(id, Rect(x: 0, y: 0, width: 5, height: 5)))
    #expect(Watched.log.last?.hasPrefix("w exposed") == true)
  }

  @Test("The press that gives the focus arrives once, after sceneDidBecomeActive")
  func focusingPress() throws {
    let (run, scene) = try launched()
    let id = try #require(scene.windows[0].id)
    run.program.platform.focus(nil)
    run.program.platform.advance(by: 500)
    let before = run.probe.calls.count
    var levels = WindowLevels(visible: true, visibleCause: "viewable", focused: true, focusedCause: "focus-in")
    levels.occluded = false
    run.program.platform.send(
      .levels(id, levels),
      .input(id, InputEvent(.button(PointerButton(number: 1, isDown: true, location: Point(x: 0, y: 0))), time: 1)))
    #expect(run.probe.calls[before...].contains("sceneDidBecomeActive"))
    #expect(scene.activationState == .foregroundActive)
  }

  private final class EarlyWindow: Responder, ApplicationDelegate {
    let manifest = ApplicationManifest(applicationIdentifier: "org.example.Early")
    let window = Window()
    func application(_ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?) -> Bool {
      window.title = "early"
      window.makeKeyAndVisible()
      return true
    }
  }

  @Test(
    "A window that an app-based program makes before its application belongs to the implicit scene when it is shown")
  func earlyWindow() throws {
    let program = HeadlessProgram()
    // Before the launch; made before the program it would join the scene of the test before.
    let delegate = EarlyWindow()
    #expect(delegate.window.windowScene == nil)
    program.launch(delegate)
    program.platform.advance(by: 1000)
    let scene = try #require(program.application.connectedScenes.first as? WindowScene)
    #expect(delegate.window.windowScene === scene && scene.windows == [delegate.window])
    #expect(scene.activationState == .foregroundActive && scene.keyWindow === delegate.window)
    #expect(!program.entries.contains { $0.kind == "error" })
  }

  @Test("Requests come back with their outcome, and a window without a scene is refused")
  func requests() throws {
    let (run, scene) = try launched()
    let log = Log()
    scene.windows[0].requestFullScreen(true) { log.lines.append("\($0)") }
    run.program.platform.deliver()
    #expect(log.lines == ["done"])
    #expect(scene.isFullScreen)
    let loose = Window()
    loose.requestMinimize { log.lines.append("\($0)") }
    #expect(log.lines.last?.hasPrefix("refused") == true)
    scene.windows[0].requestFrame(Rect(x: 0, y: 0, width: 0, height: -5)) { log.lines.append("\($0)") }
    #expect(log.lines.count == 3 && log.lines.last?.hasPrefix("refused") == true)
  }

  @Test("A window destroyed by another client disconnects its scene and keeps its session")
  func lost() throws {
    let (run, scene) = try launched()
    let id = try #require(scene.windows.first?.id)
    run.program.platform.destroyForeign(id)
    #expect(scene.activationState == .unattached)
    #expect(scene.disconnectionReason == .windowLost)
    #expect(run.program.application.openSessions.count == 1)
    _ = run.perform("activate 1")
    #expect(run.probe.sessions[0].scene?.activationState == .foregroundActive)
  }

  @Test("Focus that comes before the window is visible is no event of the application")
  func focusBeforeVisible() throws {
    let (run, scene) = try launched()
    run.program.platform.windowManager.obeysActivation = false
    run.program.platform.windowManager.showsAtOnce = false
    _ = run.perform("new")
    let old = try #require(scene.windows.first?.id)
    let new = try #require((run.probe.sessions[1].scene as? WindowScene)?.windows.first?.id)
    // Given the focus on a window that is not known to be visible yet
    run.program.platform.send(
      .levels(old, WindowLevels(visible: true, visibleCause: "viewable")),
      .levels(new, WindowLevels(focused: true, focusedCause: "focus-in")))
    #expect(run.program.newLines() == [])
    // When it is, a moment later
    run.program.platform.advance(by: 20)
    run.program.platform.send(
      .levels(new, WindowLevels(visible: true, visibleCause: "viewable", focused: true, focusedCause: "focus-in")))
    // Then the activity has moved, and that is all
    #expect(
      run.program.newLines() == [
        "scene1 sceneWillResignActive foregroundActive -> foregroundInactive",
        "scene2 sceneWillEnterForeground background -> foregroundInactive",
        "scene2 sceneDidBecomeActive foregroundInactive -> foregroundActive",
      ])
  }

  @Test("Focus that comes to a window hidden a moment ago makes one scene active, not two")
  func focusWhileLingering() throws {
    let (run, scene) = try launched()
    _ = run.perform("new")
    let first = try #require(scene.windows.first?.id)
    let second = try #require((run.probe.sessions[1].scene as? WindowScene)?.windows.first?.id)
    _ = run.program.newLines()
    // Given the first window hidden for less than its hold
    run.program.platform.send(.levels(first, WindowLevels(visible: false, visibleCause: "unmapped")))
    // When it gets the focus, and is visible again a moment later
    run.program.platform.send(
      .levels(first, WindowLevels(visible: false, focused: true)), .levels(second, WindowLevels(visible: true)))
    run.program.platform.send(.levels(first, WindowLevels(visible: true, focused: true)))
    run.program.platform.advance(by: 1000)
    // Then the activity has moved once
    #expect(
      run.program.newLines() == [
        "scene2 sceneWillResignActive foregroundActive -> foregroundInactive",
        "scene1 sceneDidBecomeActive foregroundInactive -> foregroundActive",
      ])
  }

  @Test("A hidden window is key no more, and the next shown one takes its place")
  func keyPasses() throws {
    let (run, scene) = try launched()
    _ = run.perform("panel 1")
    let panel = try #require(run.probe.panels.first)
    #expect(panel.isKeyWindow)
    panel.isHidden = true
    run.program.platform.deliver()
    #expect(scene.keyWindow === scene.windows.first)
    scene.windows.first?.isHidden = true
    run.program.platform.deliver()
    #expect(scene.keyWindow == nil)
  }

  @Test("An activation shows again what a close to the background hid, panels too, and nothing else")
  func closedPanels() throws {
    let run = HeadlessScenario(arguments: ["--close-to-background"])
    for step in ["launch", "panel 1", "panel 1"] { _ = run.perform(step) }
    run.probe.panels[1].isHidden = true
    for step in ["user close 1", "activate 1"] { _ = run.perform(step) }
    #expect(run.probe.panels.map(\.isHidden) == [false, true])
    #expect(run.probe.sessions[0].scene?.activationState == .foregroundActive)
  }

  @Test("The second click on the close button of a scene that has been hidden asks nothing, and changes nothing")
  func closedTwice() throws {
    let run = HeadlessScenario(arguments: ["--close-to-background"])
    for step in ["launch", "panel 1", "user close 1"] { _ = run.perform(step) }
    let count = run.probe.calls.count
    for step in ["user close 1", "activate 1"] { _ = run.perform(step) }
    #expect(run.probe.panels.map(\.isHidden) == [false])
    #expect(!run.probe.calls[count...].contains("sceneShouldClose"))
    // In the same batch: what has been hidden is withdrawn a moment later.
    let id = try #require(run.window(ofScene: 1))
    run.program.platform.send(.closeRequested(id), .closeRequested(id))
    for step in ["activate 1"] { _ = run.perform(step) }
    #expect(run.probe.panels.map(\.isHidden) == [false])
  }
}
