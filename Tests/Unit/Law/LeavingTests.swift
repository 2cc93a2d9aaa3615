import SceneLifecycle
import Testing

@Suite("The active scene leaves")
struct LeavingTests {
  static let closed = ["0 sceneWillResignActive", "0 sceneDidEnterBackground", "0 sceneDidDisconnect"]

  @Test("Closed while another is visible: the application's resign is held, and forgotten when the focus arrives")
  func closedAndFocused() {
    let program = Program(scenes: 2)
    program.play(.disconnect(0), .focus(nil))
    #expect(program.heard() == Self.closed)
    #expect(program.application == .active && program.deadlines == [100])
    program.wait(99)
    program.play(.focus(1))
    #expect(program.heard() == ["1 sceneDidBecomeActive"])
    #expect(program.deadlines.isEmpty)
  }

  @Test("Closed while another is visible, and the focus does not arrive: the application resigns after 100 ms")
  func closedAndGone() {
    let program = Program(scenes: 2)
    program.play(.disconnect(0), .focus(nil))
    program.wait(99)
    #expect(program.heard() == Self.closed)
    program.wait(1)
    #expect(program.heard() == ["application applicationWillResignActive"])
    program.play(.focus(1))
    #expect(program.heard() == ["1 sceneDidBecomeActive", "application applicationDidBecomeActive"])
  }

  @Test("A second scene that leaves does not make the application's hold longer")
  func twice() {
    let program = Program(scenes: 3)
    program.play(.disconnect(0), .focus(nil))
    program.wait(60)
    program.play(.disconnect(1))
    #expect(program.deadlines == [40])
    program.wait(40)
    #expect(
      program.heard() == Self.closed + [
        "1 sceneDidEnterBackground", "1 sceneDidDisconnect", "application applicationWillResignActive",
      ])
  }

  @Test("Withdrawn while another is visible: held as well")
  func withdrawn() {
    let program = Program(scenes: 2)
    program.play(.withdraw(0))
    #expect(program.heard() == ["0 sceneWillResignActive", "0 sceneDidEnterBackground"])
    #expect(program.deadlines == [100])
    program.play(.focus(1))
    #expect(program.heard() == ["1 sceneDidBecomeActive"])
  }

  @Test("Hidden by the window manager while another is visible: held from the moment when the scene resigns")
  func hidden() {
    let program = Program(scenes: 2)
    program.play(.hide(0), .focus(nil))
    program.wait(50)
    #expect(program.heard() == ["0 sceneWillResignActive"])
    #expect(program.application == .active)
    program.wait(99)
    program.play(.focus(1))
    #expect(program.heard() == ["1 sceneDidBecomeActive"])
    program.wait(1000)
    #expect(program.heard() == ["0 sceneDidEnterBackground"])
  }

  @Test("Hidden by the window manager, and the focus goes elsewhere: the application resigns when the hold ends")
  func hiddenAndGone() {
    let program = Program(scenes: 2)
    program.play(.hide(0), .focus(nil))
    program.wait(1000)
    #expect(
      program.heard() == [
        "0 sceneWillResignActive", "application applicationWillResignActive", "0 sceneDidEnterBackground",
      ])
    #expect(program.application == .inactive)
  }

  @Test("No other scene is visible: nothing is held")
  func alone() {
    let program = Program(scenes: 1)
    program.play(.disconnect(0), .focus(nil))
    #expect(
      program.heard() == [
        "0 sceneWillResignActive", "application applicationWillResignActive", "0 sceneDidEnterBackground",
        "application applicationDidEnterBackground", "0 sceneDidDisconnect",
      ])
    #expect(program.deadlines.isEmpty)
  }

  @Test("All others hide while the resign is held: it runs at once, and the application goes to the background")
  func othersGo() {
    let program = Program(scenes: 2)
    program.play(.disconnect(0), .focus(nil))
    program.play(.withdraw(1))
    #expect(
      program.heard() == Self.closed + [
        "1 sceneDidEnterBackground", "application applicationWillResignActive",
        "application applicationDidEnterBackground",
      ])
    #expect(program.deadlines.isEmpty)
  }

  @Test("A scene that is disconnected forgets its holds, and is born anew when it connects again")
  func again() {
    let program = Program(scenes: 2)
    program.play(.hide(0), .focus(nil))
    program.play(.disconnect(0))
    #expect(program.deadlines == [100])
    program.wait(1000)
    _ = program.heard()
    program.play(.connect(0))
    #expect(program.heard() == ["0 sceneWillConnect"])
    program.play(.show(0), .focus(0))
    #expect(
      program.heard() == [
        "0 sceneWillEnterForeground", "0 sceneDidBecomeActive", "application applicationDidBecomeActive",
      ])
  }
}
