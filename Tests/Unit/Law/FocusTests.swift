import SceneLifecycle
import Testing

@Suite("The focus, and what interrupts")
struct FocusTests {
  @Test("Focus from one scene to another in one batch: one resigns, the other becomes active, nothing else")
  func oneBatch() {
    let program = Program(scenes: 2)
    program.play(.focus(1))
    #expect(program.heard() == ["0 sceneWillResignActive", "1 sceneDidBecomeActive"])
    #expect(program.application == .active)
    #expect(program.deadlines.isEmpty)
  }

  @Test("Focus from one scene to none and then to another: the same, as soon as the other gains it")
  func twoBatches() {
    let program = Program(scenes: 2)
    program.play(.focus(nil))
    #expect(program.heard() == [])
    program.wait(48)
    program.play(.focus(1))
    #expect(program.heard() == ["0 sceneWillResignActive", "1 sceneDidBecomeActive"])
    program.wait(1000)
    #expect(program.heard() == [])
  }

  @Test("Focus by way of a scene that is not seen before it has lost it again: one scene is active, and then the other")
  func wayOfTheUnseen() {
    let program = Program(scenes: 3)
    program.play(.hide(1), .hide(2))
    program.wait(1000)
    _ = program.heard()
    // New windows, which have the focus before they are seen, one after the other
    program.play(.focus(1))
    program.play(.focus(2), .show(1))
    #expect(program.heard() == ["1 sceneWillEnterForeground"])
    #expect(program.state(0) == .foregroundActive)
    program.play(.show(2))
    #expect(
      program.heard() == ["0 sceneWillResignActive", "2 sceneWillEnterForeground", "2 sceneDidBecomeActive"])
  }

  @Test("Focus to another program: the scene resigns after 100 ms, and the application right after it")
  func elsewhere() {
    let program = Program(scenes: 2)
    program.play(.focus(nil))
    program.wait(99)
    #expect(program.heard() == [])
    program.wait(1)
    #expect(program.heard() == ["0 sceneWillResignActive", "application applicationWillResignActive"])
    #expect(program.state(0) == .foregroundInactive && program.reason(0) == .unfocused)
    program.play(.focus(0))
    #expect(program.heard() == ["0 sceneDidBecomeActive", "application applicationDidBecomeActive"])
  }

  @Test("Focus that comes back within 100 ms was never away")
  func flap() {
    let program = Program(scenes: 1)
    program.play(.focus(nil))
    program.wait(99)
    program.play(.focus(0))
    program.wait(1000)
    #expect(program.heard() == [])
  }

  @Test("With whenVisible a scene is active without the focus")
  func whenVisible() {
    let program = Program(scenes: 2, policies: [.whenVisible])
    #expect(program.state(0) == .foregroundActive && program.state(1) == .foregroundActive)
    program.play(.focus(1))
    program.play(.focus(nil))
    program.wait(1000)
    #expect(program.heard() == [])
    program.play(.hide(0))
    program.wait(250)
    #expect(program.heard() == ["0 sceneWillResignActive", "0 sceneDidEnterBackground"])
  }

  @Test("A grab shorter than 400 ms gives nothing")
  func shortGrab() {
    let program = Program(scenes: 1)
    program.play(.grab(true))
    program.wait(399)
    program.play(.grab(false))
    program.wait(1000)
    #expect(program.heard() == [])
  }

  @Test("A lasting grab interrupts, and its end restores at once")
  func longGrab() {
    let program = Program(scenes: 2)
    program.play(.grab(true))
    program.wait(400)
    #expect(program.heard() == ["0 sceneWillResignActive", "application applicationWillResignActive"])
    #expect(program.reason(0) == .interrupted && program.reason(1) == .unfocused)
    program.play(.grab(false))
    #expect(program.heard() == ["0 sceneDidBecomeActive", "application applicationDidBecomeActive"])
  }

  @Test("The program's own interruption acts at once, whatever the policy", arguments: ActivationPolicy.allCases)
  func ownInterruption(policy: ActivationPolicy) {
    let program = Program(scenes: 1, policies: [policy])
    program.play(.interrupt(0, true))
    #expect(program.heard() == ["0 sceneWillResignActive", "application applicationWillResignActive"])
    #expect(program.reason(0) == .interrupted)
    program.play(.interrupt(0, false))
    #expect(program.heard() == ["0 sceneDidBecomeActive", "application applicationDidBecomeActive"])
  }
}
