import ProsceniumCore
import ProsceniumJSON
import ProsceniumTesting
import ProsceniumTrace
import SceneLifecycle
import Testing

@MainActor @Suite("The desk in memory", .serialized) struct HeadlessDeskTests {
  @Test("A window of another workspace is in the background, and back when that workspace is shown")
  func workspaces() throws {
    let (program, window) = try KitProgram.launched()
    let (desk, scene) = (program.desk, try #require(program.scenes.first))
    #expect(desk.workspace == 0 && desk.isVisible(window) && desk.hasFocus(window))
    desk.workspace = 2
    program.advance(by: .seconds(1))
    #expect(!desk.isVisible(window) && !desk.hasFocus(window))
    #expect(scene.activationState == .background)
    #expect(program.trace.last { $0.name == "visible" }?.reason == "other-desktop")
    desk.workspace = 0
    #expect(desk.hasFocus(window) && scene.activationState == .foregroundActive)
    // Sent away, and followed
    desk.move(window, toWorkspace: 1)
    program.advance(by: .seconds(1))
    #expect(scene.activationState == .background && desk.workspace == 0)
    desk.focus(window)
    #expect(desk.workspace == 1 && scene.activationState == .foregroundActive)
    // And on all of them it stays in sight
    desk.move(window, toWorkspace: nil)
    desk.workspace = 5
    program.advance(by: .seconds(1))
    #expect(desk.isVisible(window) && scene.activationState == .foregroundActive)
  }

  @Test("Asked for by the program, a window of another workspace is gone to")
  func activation() throws {
    let (program, window) = try KitProgram.launched()
    program.desk.workspace = 1
    program.advance(by: .seconds(1))
    let session = try #require(program.scenes.first?.session)
    program.application.activateSceneSession(for: SceneSessionActivationRequest(session: session))
    program.advance(by: .seconds(1))
    #expect(program.desk.workspace == 0 && program.desk.hasFocus(window))
    #expect(program.scenes.first?.activationState == .foregroundActive)
  }

  @Test("A new window is on the workspace that is seen")
  func newWindow() throws {
    let (program, window) = try KitProgram.launched()
    program.desk.workspace = 1
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.advance(by: .seconds(1))
    let second = try #require(program.windows.last)
    #expect(second !== window && program.desk.isVisible(second) && !program.desk.isVisible(window))
    program.desk.workspace = 0
    #expect(!program.desk.isVisible(second) && program.desk.hasFocus(window))
  }

  @Test("Showing the desktop hides everything, and asking for a window ends it", arguments: [true, false])
  func showDesktop(isAsked: Bool) throws {
    let (program, window) = try KitProgram.launched()
    program.desk.isShowingDesktop = true
    program.advance(by: .seconds(1))
    #expect(!program.desk.isVisible(window) && program.scenes.first?.activationState == .background)
    if isAsked { program.desk.focus(window) } else { program.desk.isShowingDesktop = false }
    #expect(!program.desk.isShowingDesktop && program.desk.hasFocus(window))
    #expect(program.scenes.first?.activationState == .foregroundActive)
  }

  @Test("A window that is minimised stays so while the workspace changes")
  func minimized() throws {
    let (program, window) = try KitProgram.launched()
    program.desk.minimize(window)
    program.desk.workspace = 1
    program.desk.workspace = 0
    #expect(!program.desk.isVisible(window))
    program.desk.restore(window)
    #expect(program.desk.isVisible(window) && program.desk.hasFocus(window))
  }

  @Test("Restored while it is there and has the focus, a window keeps both")
  func restoreOfActive() throws {
    let (program, window) = try KitProgram.launched()
    program.desk.restore(window)
    program.advance(by: .seconds(1))
    #expect(program.desk.isVisible(window) && program.desk.hasFocus(window))
    #expect(program.scenes.first?.activationState == .foregroundActive)
    try program.expectNothingMore()
  }

  enum Absentee: CaseIterable { case hidden, removed, ofLastProcess }

  @Test("What is done to a window that is not there has no effect", arguments: Absentee.allCases)
  func absent(_ absentee: Absentee) throws {
    let (program, first) = try KitProgram.launched()
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.advance(by: .seconds(1))
    let second = try #require(program.windows.last)
    switch absentee {
    case .hidden: second.isHidden = true
    case .removed: second.windowScene = nil
    case .ofLastProcess: program.relaunch()
    }
    program.advance(by: .seconds(1))
    let active = try #require(program.windows.first { program.desk.hasFocus($0) })
    #expect(absentee == .ofLastProcess || active === first)
    program.ignoreLines()
    let (desk, key) = (program.desk, Key(code: 38, symbol: 0x61, characters: "a", isDown: true))
    desk.focus(second)
    desk.minimize(second)
    desk.restore(second)
    desk.close(second)
    desk.move(second, toWorkspace: 3)
    desk.send(.key(key), to: second)
    program.advance(by: .seconds(1))
    try program.expectNothingMore()
    #expect(desk.hasFocus(active) && !desk.isVisible(second) && !desk.hasFocus(second))
  }

  @Test("A window that its program hides when it is closed is brought back by the program alone")
  func closedToBackground() throws {
    let (program, window) = try KitProgram.launched()
    let session = try #require(program.scenes.first?.session)
    session.configuration.closePolicy = .background
    program.desk.close(window)
    program.advance(by: .seconds(1))
    #expect(program.scenes.first?.activationState == .background)
    program.ignoreLines()
    program.desk.restore(window)
    program.desk.restore(session)
    program.desk.focus(session)
    program.advance(by: .seconds(1))
    try program.expectNothingMore()
    #expect(!program.desk.isVisible(window))
  }

  @Test("Of a workspace that is gone to, the window that had the focus last gets it, not one of all workspaces")
  func focusOfWorkspace() throws {
    let (program, here) = try KitProgram.launched()
    for _ in 0..<2 { program.application.activateSceneSession(for: SceneSessionActivationRequest()) }
    program.advance(by: .seconds(1))
    let (everywhere, there) = (program.windows[1], program.windows[2])
    program.desk.move(everywhere, toWorkspace: nil)
    for window in [everywhere, there, here] { program.desk.focus(window) }
    program.desk.move(there, toWorkspace: 1)
    program.desk.workspace = 1
    #expect(program.desk.hasFocus(there))
  }

  @Test("Of windows that were shown without the focus, the newest gets it that the one in front leaves")
  func focusOfNew() throws {
    let (program, _) = try KitProgram.launched()
    for _ in 0..<2 { program.application.activateSceneSession(for: SceneSessionActivationRequest()) }
    program.advance(by: .seconds(1))
    program.relaunch()
    program.advance(by: .seconds(1))
    let front = try #require(program.windows.first(where: program.desk.hasFocus))
    let others = program.windows.filter { $0 !== front }
    program.desk.close(front)
    program.advance(by: .seconds(1))
    #expect(others.count == 2 && others.last.map(program.desk.hasFocus) == true)
    #expect(program.scenes.map(\.activationState) == [.foregroundInactive, .foregroundActive])
  }

  @Test("A click gives a window the focus, and a turn of the wheel does not")
  func click() throws {
    let (program, first) = try KitProgram.launched()
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.advance(by: .seconds(1))
    let second = program.windows[1]
    #expect(program.desk.hasFocus(second))
    program.desk.send(.scroll(Scroll(deltaX: 0, deltaY: 1, isPrecise: false, location: Point(x: 5, y: 5))), to: first)
    #expect(program.desk.hasFocus(second))
    program.desk.send(.button(PointerButton(number: 1, isDown: true, location: Point(x: 5, y: 5))), to: first)
    #expect(program.desk.hasFocus(first))
    #expect(program.scenes.map(\.activationState) == [.foregroundActive, .foregroundInactive])
  }

  @Test("A frame that the program asks for is kept between its limits, as one that the user gives")
  func requestedFrame() throws {
    let (program, window) = try KitProgram.launched()
    window.minimumSize = Size(width: 500, height: 400)
    var outcomes: [RequestOutcome] = []
    for size in [Size(width: 300, height: 200), Size(width: 600, height: 500)] {
      window.requestFrame(Rect(x: 50, y: 60, width: size.width, height: size.height)) { outcomes.append($0) }
      program.advance(by: .seconds(1))
      let width = max(size.width, 500), height = max(size.height, 400)
      #expect(window.frame == Rect(x: 50, y: 60, width: width, height: height))
    }
    #expect(outcomes == [.ignored, .done])
  }

  @Test("Over a desktop that is shown a new window is seen, also when it has lost the focus")
  func newWindowOverDesktop() throws {
    let (program, window) = try KitProgram.launched()
    program.desk.isShowingDesktop = true
    program.advance(by: .seconds(1))
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.advance(by: .seconds(1))
    let second = try #require(program.windows.last)
    #expect(program.desk.isVisible(second) && program.desk.hasFocus(second) && !program.desk.isVisible(window))
    #expect(program.scenes.map(\.activationState) == [.background, .foregroundActive])
    program.desk.focus(nil)
    #expect(program.desk.isVisible(second) && !program.desk.isVisible(window) && program.desk.isShowingDesktop)
    program.desk.isShowingDesktop = false
    program.desk.isShowingDesktop = true
    #expect(!program.desk.isVisible(second) && !program.desk.isVisible(window))
    program.desk.isShowingDesktop = false
    #expect(program.desk.isVisible(window) && program.desk.hasFocus(second))
  }

  @Test("A window of another workspace is gone to from a desktop that is shown")
  func otherWorkspaceFromDesktop() throws {
    let (program, window) = try KitProgram.launched()
    program.desk.workspace = 1
    program.desk.isShowingDesktop = true
    program.advance(by: .seconds(1))
    program.desk.focus(window)
    #expect(program.desk.workspace == 0 && program.desk.isVisible(window) && program.desk.hasFocus(window))
  }

  @Test("What is typed comes to the window, unless another program has taken the keyboard")
  func keyboard() throws {
    let (program, window) = try KitProgram.launched()
    let key = Key(code: 38, symbol: 0x61, characters: "a", isDown: true)
    program.desk.send(.key(key), to: window)
    #expect(program.kit?.calls == ["key a"])
    program.desk.grabKeyboard()
    program.advance(by: .seconds(1))
    #expect(program.scenes.first?.activationState == .foregroundInactive && program.desk.hasFocus(window))
    program.desk.releaseKeyboard()
    #expect(program.scenes.first?.activationState == .foregroundActive)
    program.desk.minimize(window)
    program.advance(by: .seconds(1))
    program.desk.send(.key(key), to: window)
    #expect(program.kit?.calls == ["key a"])
  }

  @Test("A window manager that gives the focus to no window that asks leaves it where it is")
  func refusedFocus() throws {
    let (program, window) = try KitProgram.launched()
    program.desk.givesFocus = false
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.advance(by: .seconds(1))
    #expect(program.windows.count == 2 && program.desk.hasFocus(window))
    #expect(program.scenes.last?.activationState == .foregroundInactive)
    program.desk.send(.resized(Size(width: 300, height: 200)), to: window)
    #expect(window.frame.size == Size(width: 300, height: 200))
  }

  @Test("Monitors come, change and go, and no window is left outside them")
  func screens() throws {
    let (program, window) = try KitProgram.launched()
    var second = HeadlessScreen("DP-1", frame: Rect(x: 1920, y: 0, width: 1024, height: 768))
    second.scale = 2
    program.desk.screens.append(second)
    #expect(program.application.screens.map(\.name) == ["headless", "DP-1"])
    #expect(program.application.screens.last?.scale == 2)
    program.desk.move(window, to: Rect(x: 2000, y: 10, width: 500, height: 400))
    program.desk.maximize(window)
    #expect(window.frame == Rect(x: 960, y: 0, width: 512, height: 384) && window.pixelSize == second.frame.size)
    #expect(window.frame == program.application.screens.last?.frame)
    program.desk.screens.removeLast()
    #expect(window.frame == program.desk.screens[0].frame)
    program.desk.maximize(window, false)
    #expect(window.frame.intersects(program.desk.screens[0].frame))
    program.desk.makeFullScreen(window)
    #expect(window.windowScene?.effectiveGeometry?.isFullScreen == true)
  }

  @Test("Without a window manager everything is on the screen; the next one takes it over")
  func windowManager() throws {
    let (program, window) = try KitProgram.launched()
    program.desk.minimize(window)
    program.advance(by: .seconds(1))
    program.desk.stopWindowManager()
    program.advance(by: .seconds(5))
    #expect(program.desk.isVisible(window) && !program.desk.hasFocus(window))
    program.desk.startWindowManager()
    program.advance(by: .seconds(5))
    #expect(program.desk.hasFocus(window) && program.scenes.first?.activationState == .foregroundActive)
    let states = program.trace.filter { $0.name == "windowManager" }.map(\.to)
    #expect(states == ["changing", "absent", "changing", "settled"])
  }

  @Test("Of a window that is gone the trace says that nothing is true any more", arguments: [false, true])
  func facts(isForeign: Bool) throws {
    let (program, _) = try KitProgram.launched()
    let panel = Window(windowScene: try #require(program.scenes.first as? WindowScene))
    panel.makeKeyAndVisible()
    program.advance(by: .seconds(1))
    let id = try #require(panel.id)
    #expect(program.desk.hasFocus(panel))
    if isForeign { program.platform.destroyForeign(id) } else { panel.windowScene = nil }
    program.advance(by: .seconds(1))
    let facts = program.entries.filter { $0.kind == "fact" && $0.text("window") == id.description }
    #expect(facts.suffix(2).map { $0.text("name") } == ["visible", "focused"])
    #expect(facts.suffix(2).allSatisfy { $0["to"] == .bool(false) && $0.text("cause") == "destroyed" })
  }

  @Test("The window of a session without a scene is brought back")
  func bare() throws {
    let (program, window) = try KitProgram.launched()
    let session = try #require(program.scenes.first?.session)
    program.desk.minimize(window)
    program.advance(by: .seconds(1))
    program.application.requestSceneDisconnection(session)
    program.advance(by: .seconds(1))
    #expect(program.scenes.isEmpty && program.windows.isEmpty)
    program.desk.restore(session)
    program.advance(by: .seconds(1))
    #expect(program.scenes.first?.activationState == .foregroundActive)
    program.desk.close(session)
    #expect(program.exitStatus == 0)
  }
}
