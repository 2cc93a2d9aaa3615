import SceneLifecycle
import Testing

@Suite("Visibility")
struct VisibilityTests {
  static let toBackground = [
    "0 sceneWillResignActive", "application applicationWillResignActive", "0 sceneDidEnterBackground",
    "application applicationDidEnterBackground",
  ]
  static let toForeground = [
    "0 sceneWillEnterForeground", "application applicationWillEnterForeground", "0 sceneDidBecomeActive",
    "application applicationDidBecomeActive",
  ]

  @Test("A window that vanishes for less than 50 ms was never away")
  func flap() {
    let program = Program(scenes: 1)
    program.play(.hide(0), .focus(nil))
    program.wait(49)
    program.play(.show(0), .focus(0))
    program.wait(1000)
    #expect(program.heard() == [])
    #expect(program.deadlines.isEmpty)
  }

  @Test("Hidden and shown in one batch is nothing at all")
  func reframing() {
    let program = Program(scenes: 1)
    program.play(.hide(0), .show(0))
    #expect(program.heard() == [] && program.deadlines.isEmpty)
  }

  @Test("Hidden by the window manager: inactive after 50 ms, in the background after 250 ms")
  func hidden() {
    let program = Program(scenes: 1)
    program.play(.hide(0), .focus(nil))
    program.wait(50)
    #expect(program.heard() == Array(Self.toBackground[..<2]))
    #expect(program.reason(0) == .passing)
    program.wait(199)
    #expect(program.heard() == [])
    program.wait(1)
    #expect(program.heard() == Array(Self.toBackground[2...]))
    program.play(.show(0), .focus(0))
    #expect(program.heard() == Self.toForeground)
  }

  @Test("A hidden scene that keeps the focus is in the background all the same")
  func hiddenWithFocus() {
    let program = Program(scenes: 1)
    program.play(.hide(0))
    program.wait(250)
    #expect(program.heard() == Self.toBackground)
    program.play(.show(0))
    #expect(program.heard() == Self.toForeground)
  }

  @Test("Withdrawn by the program itself: in the background at once, focus and all")
  func withdrawn() {
    let program = Program(scenes: 1)
    program.play(.withdraw(0))
    #expect(program.heard() == Self.toBackground)
    #expect(program.deadlines.isEmpty)
  }

  @Test("While the window manager changes, the background waits 1500 ms, and so does the focus")
  func windowManagerChange() {
    let program = Program(scenes: 1)
    program.play(.windowManager(changing: true), .hide(0), .focus(nil))
    program.wait(1499)
    #expect(program.heard() == Array(Self.toBackground[..<2]))
    #expect(program.deadlines == [1, 1])
    program.play(.show(0))
    #expect(program.heard() == ["0 sceneDidBecomeActive", "application applicationDidBecomeActive"])
    program.play(.focus(0))
    program.wait(2000)
    #expect(program.heard() == [])
  }

  @Test("A hold that runs is made longer when the window manager begins to change, and never shorter")
  func upgrade() {
    let program = Program(scenes: 1)
    program.play(.hide(0), .focus(nil))
    program.wait(20)
    #expect(program.deadlines == [30, 80, 230])
    program.play(.windowManager(changing: true))
    #expect(program.deadlines == [30, 1500, 1500])
    program.wait(40)
    program.play(.windowManager(changing: false))
    #expect(program.deadlines == [1460, 1460])
    #expect(program.heard() == Array(Self.toBackground[..<2]))
    program.wait(1460)
    #expect(program.heard() == Array(Self.toBackground[2...]))
  }

  @Test("Fading already: the way to the background is made longer too")
  func upgradeOfFading() {
    let program = Program(scenes: 1)
    program.play(.hide(0))
    program.wait(240)
    program.play(.windowManager(changing: true))
    #expect(program.deadlines == [1500])
    program.wait(1499)
    #expect(program.heard() == Array(Self.toBackground[..<2]))
    program.wait(1)
    #expect(program.heard() == Array(Self.toBackground[2...]))
  }

  @Test("Locked: every scene to the background at once; unlocked: where the facts say")
  func locked() {
    let program = Program(scenes: 2)
    program.play(.lock(true))
    #expect(
      program.heard() == [
        "0 sceneWillResignActive", "application applicationWillResignActive", "0 sceneDidEnterBackground",
        "1 sceneDidEnterBackground", "application applicationDidEnterBackground",
      ])
    program.play(.lock(false))
    #expect(program.heard() == Self.toForeground + ["1 sceneWillEnterForeground"])
  }

  @Test("Hold times that are set the wrong way round leave no deadline behind")
  func unusualTimes() {
    var times = HoldTimes()
    times.inactive = .milliseconds(300)
    let program = Program(unlaunched: World(scenes: 1, times: times))
    program.play(.launch(foreground: true), .connect(0), .show(0), .focus(0))
    program.play(.hide(0))
    program.wait(250)
    #expect(program.state(0) == .background)
    #expect(program.deadlines.isEmpty)
  }

  @Test("Without hold times every fact acts within its batch")
  func noHolds() {
    let program = Program(unlaunched: World(scenes: 1, times: .none))
    program.play(.launch(foreground: true), .connect(0), .show(0), .focus(0))
    _ = program.heard()
    program.play(.hide(0), .focus(nil))
    #expect(program.heard() == Self.toBackground)
    #expect(program.deadlines.isEmpty)
  }
}
