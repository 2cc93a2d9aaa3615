import SceneLifecycle
import Testing

@Suite("Launch and end")
struct LaunchTests {
  private func program(_ model: LifecycleModel, scenes: Int = 1) -> Program {
    Program(unlaunched: World(scenes: scenes, model: model))
  }

  @Test("With scenes, to the foreground: inactive in the launch callbacks, then the aggregate from the background up")
  func sceneBased() {
    let program = program(.sceneBased)
    program.play(.launch(foreground: true))
    #expect(program.heard() == ["launch inactive"])
    #expect(program.application == .inactive)
    program.play(.connect(0))
    #expect(program.heard() == ["0 sceneWillConnect"])
    #expect(program.application == .background)
    program.play(.show(0), .focus(0), .checkLaunch)
    #expect(program.heard() == VisibilityTests.toForeground)
  }

  @Test("With scenes, into the background: nothing connects, and nothing is said")
  func sceneBasedInBackground() {
    let program = program(.sceneBased)
    program.play(.launch(foreground: false))
    program.play(.checkLaunch)
    #expect(program.heard() == ["launch background"])
    #expect(program.application == .background)
    program.play(.connect(0), .show(0), .focus(0))
    #expect(program.heard() == ["0 sceneWillConnect"] + VisibilityTests.toForeground)
  }

  @Test("Scenes that are not shown: what was inactive is in the background without an edge")
  func sceneBasedNothingShown() {
    let program = program(.sceneBased)
    program.play(.launch(foreground: true))
    program.play(.checkLaunch)
    #expect(program.heard() == ["launch inactive"])
    #expect(program.application == .background)
  }

  @Test("App-based, to the foreground: inactive until it becomes active, and no willEnterForeground")
  func appBased() {
    let program = program(.appBased)
    program.play(.launch(foreground: true), .connect(0))
    #expect(program.application == .inactive)
    program.play(.show(0), .checkLaunch)
    #expect(program.heard() == ["launch inactive", "0 sceneWillConnect", "0 sceneWillEnterForeground"])
    #expect(program.application == .inactive)
    program.play(.focus(0))
    #expect(program.heard() == ["0 sceneDidBecomeActive", "application applicationDidBecomeActive"])
  }

  @Test("App-based, into the background: didEnterBackground follows the launch; a later show is an entry")
  func appBasedInBackground() {
    let program = program(.appBased)
    program.play(.launch(foreground: false), .connect(0))
    program.play(.checkLaunch)
    #expect(
      program.heard() == ["launch background", "0 sceneWillConnect", "application applicationDidEnterBackground"])
    program.play(.show(0), .focus(0))
    #expect(program.heard() == VisibilityTests.toForeground)
  }

  @Test("App-based and not shown: the launch ends in the background")
  func appBasedNothingShown() {
    let program = program(.appBased)
    program.play(.launch(foreground: true), .connect(0))
    program.play(.checkLaunch)
    #expect(program.heard() == ["launch inactive", "0 sceneWillConnect", "application applicationDidEnterBackground"])
    #expect(program.application == .background)
  }

  @Test("The end: every scene to the background, then every scene disconnected, then the last callback, once")
  func termination() {
    let program = Program(scenes: 2)
    program.play(.terminate)
    #expect(
      program.heard() == [
        "0 sceneWillResignActive", "application applicationWillResignActive", "0 sceneDidEnterBackground",
        "1 sceneDidEnterBackground", "application applicationDidEnterBackground", "0 sceneDidDisconnect",
        "1 sceneDidDisconnect", "terminate",
      ])
    #expect(program.application == .background)
    program.play(.terminate)
    program.wait(5000)
    #expect(program.heard() == [])
  }

  @Test("The end does not wait for holds")
  func terminationWhileHolding() {
    let program = Program(scenes: 2)
    program.play(.disconnect(0), .focus(nil))
    _ = program.heard()
    program.play(.hide(1), .terminate)
    #expect(
      program.heard() == [
        "1 sceneDidEnterBackground", "application applicationWillResignActive",
        "application applicationDidEnterBackground", "1 sceneDidDisconnect", "terminate",
      ])
    #expect(program.deadlines.isEmpty)
  }

  @Test("A program without scenes ends at once")
  func terminationWithoutScenes() {
    let program = program(.sceneBased)
    program.play(.launch(foreground: false), .checkLaunch)
    program.play(.terminate)
    #expect(program.heard() == ["launch background", "terminate"])
  }
}
