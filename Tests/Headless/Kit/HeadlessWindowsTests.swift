import ProsceniumCore
import ProsceniumTesting
import Testing

/// What window managers do with windows that belong together, and where they put them.
@MainActor @Suite("Windows of the desk in memory", .serialized) struct HeadlessWindowsTests {
  /// A program whose scene has a panel above its window, and a panel above both.
  private func withPanel() throws -> (program: HeadlessProgram, window: Window, panel: Window) {
    let (program, window) = try KitProgram.launched()
    let panel = Window(windowScene: try #require(window.windowScene))
    panel.makeKeyAndVisible()
    program.advance(by: .seconds(1))
    program.ignoreLines()
    #expect(program.desk.hasFocus(panel))
    return (program, window, panel)
  }

  private func state(_ program: HeadlessProgram) -> Scene.ActivationState? { program.scenes.first?.activationState }

  enum Way: CaseIterable { case user, program, workspace }

  @Test("A panel goes with its scene's window, and the scene is in the background", arguments: Way.allCases)
  func panel(_ way: Way) throws {
    let (program, window, panel) = try withPanel()
    switch way {
    case .user: program.desk.minimize(window)
    case .program: window.requestMinimize()
    case .workspace: program.desk.move(window, toWorkspace: 1)
    }
    program.advance(by: .seconds(1))
    #expect(state(program) == .background)
    #expect(!program.desk.isVisible(window) && !program.desk.isVisible(panel) && !program.desk.hasFocus(panel))
    switch way {
    case .user: program.desk.restore(window)
    case .program:
      let session = try #require(window.windowScene?.session)
      program.application.activateSceneSession(for: SceneSessionActivationRequest(session: session))
    case .workspace: program.desk.workspace = 1
    }
    program.advance(by: .seconds(1))
    #expect(program.desk.isVisible(window) && program.desk.isVisible(panel) && state(program) == .foregroundActive)
  }

  @Test("A panel is minimised alone, and brings its scene's window back with it")
  func panelAlone() throws {
    let (program, window, panel) = try withPanel()
    program.desk.minimize(panel)
    program.advance(by: .seconds(1))
    #expect(!program.desk.isVisible(panel) && program.desk.hasFocus(window) && state(program) == .foregroundActive)
    program.desk.minimize(window)
    program.advance(by: .seconds(1))
    #expect(state(program) == .background)
    program.desk.restore(panel)
    program.advance(by: .seconds(1))
    #expect(program.desk.isVisible(window) && program.desk.hasFocus(panel) && state(program) == .foregroundActive)
  }

  @Test("A panel that its program hides stays hidden with its window, and without it")
  func hiddenPanel() throws {
    let (program, window, panel) = try withPanel()
    panel.isHidden = true
    program.advance(by: .seconds(1))
    program.desk.minimize(window)
    program.desk.restore(window)
    program.advance(by: .seconds(1))
    #expect(!program.desk.isVisible(panel) && program.desk.hasFocus(window))
    panel.makeKeyAndVisible()
    program.advance(by: .seconds(1))
    #expect(program.desk.isVisible(panel))
  }

  @Test("A minimised window that gets the focus is restored: none that is not there has it")
  func focusOfMinimized() throws {
    let (program, first) = try KitProgram.launched()
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.advance(by: .seconds(1))
    program.desk.minimize(first)
    program.advance(by: .seconds(1))
    program.desk.focus(first)
    program.advance(by: .seconds(1))
    #expect(program.desk.isVisible(first) && program.desk.hasFocus(first))
    #expect(program.scenes.map(\.activationState) == [.foregroundActive, .foregroundInactive])
  }

  @Test("Keys come to the window that has the focus alone")
  func keyWithoutFocus() throws {
    let (program, window) = try KitProgram.launched()
    let key = Key(code: 38, symbol: 0x61, characters: "a", isDown: true)
    program.desk.focus(nil)
    program.desk.send(.key(key), to: window)
    #expect(program.kit?.calls == [])
    program.desk.focus(window)
    program.desk.send(.key(key), to: window)
    #expect(program.kit?.calls == ["key a"])
  }

  @Test("Without a window manager nobody minimises, maximises, or changes the workspace")
  func withoutManager() throws {
    let (program, window) = try KitProgram.launched()
    program.desk.stopWindowManager()
    program.advance(by: .seconds(5))
    program.ignoreLines()
    let frame = window.frame
    program.desk.minimize(window)
    program.desk.maximize(window)
    program.desk.makeFullScreen(window)
    program.desk.move(window, toWorkspace: 2)
    program.desk.workspace = 3
    program.desk.isShowingDesktop = true
    program.advance(by: .seconds(5))
    try program.expectNothingMore()
    #expect(program.desk.isVisible(window) && window.frame == frame)
    #expect(program.desk.workspace == 0 && !program.desk.isShowingDesktop)
  }

  @Test("A window is maximised on the monitor that shows most of it, beside the panels, which full screen covers")
  func maximized() throws {
    let (program, window) = try KitProgram.launched()
    var left = HeadlessScreen("A", frame: Rect(x: 0, y: 0, width: 1000, height: 800), isPrimary: true)
    left.visibleFrame = Rect(x: 0, y: 30, width: 1000, height: 770)
    let right = HeadlessScreen("B", frame: Rect(x: 1000, y: 0, width: 1200, height: 900))
    program.desk.screens = [left, right]
    program.desk.move(window, to: Rect(x: 100, y: 100, width: 600, height: 400))
    program.desk.maximize(window)
    #expect(window.frame == left.visibleFrame)
    program.desk.makeFullScreen(window)
    #expect(window.frame == left.frame)
    program.desk.makeFullScreen(window, false)
    program.desk.maximize(window, false)
    program.desk.move(window, to: Rect(x: 950, y: 100, width: 600, height: 400))
    program.desk.maximize(window)
    #expect(window.frame == right.frame && window.windowScene?.screen?.name == "B")
  }

  @Test("Nobody makes a window smaller or larger than its program allows, nor nothing of it")
  func sizeLimits() throws {
    let (program, window) = try KitProgram.launched()
    program.desk.move(window, to: Rect(x: 0, y: 0, width: 0, height: -5))
    #expect(window.frame.size == Size(width: 1, height: 1))
    window.minimumSize = Size(width: 400, height: 300)
    window.maximumSize = Size(width: 800, height: 600)
    program.desk.move(window, to: Rect(x: 10, y: 20, width: 100, height: 100))
    #expect(window.frame == Rect(x: 10, y: 20, width: 400, height: 300))
    program.desk.send(.resized(Size(width: 900, height: 500)), to: window)
    #expect(window.frame.size == Size(width: 800, height: 500))
  }
}
