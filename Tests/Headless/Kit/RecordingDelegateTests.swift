import ProsceniumCore
import ProsceniumTesting
import Testing

/// The delegate that records its calls.
@MainActor @Suite("The recording delegate", .serialized) struct RecordingDelegateTests {
  private func launch(_ delegate: RecordingDelegate) -> HeadlessProgram {
    let program = HeadlessProgram(delegate: { delegate })
    program.launch()
    program.advance(by: .seconds(1))
    return program
  }

  @Test(
    "A call is its text",
    arguments: [
      ("applicationWillTerminate", DelegateCall("applicationWillTerminate")),
      ("scene12 sceneDidBecomeActive", DelegateCall("sceneDidBecomeActive", scene: 12)),
      ("scene2 openURLContexts a:1 b:2", DelegateCall("openURLContexts", scene: 2, "a:1 b:2")),
      ("openURL a:1  ", DelegateCall("openURL", "a:1  ")), ("scene1", DelegateCall("scene1")),
      ("sceneOne a", DelegateCall("sceneOne", "a")), ("", DelegateCall("")),
    ])
  func text(_ text: String, _ call: DelegateCall) {
    #expect(DelegateCall(stringLiteral: text) == call && call.description == text)
  }

  @Test("Calls are recorded in order, numbered by the first appearance of their session, and taken once")
  func calls() throws {
    let delegate = RecordingDelegate()
    let program = launch(delegate)
    #expect(
      delegate.takeCalls() == [
        "willFinishLaunchingWithOptions", "didFinishLaunchingWithOptions", "scene1 sceneWillConnect",
        "scene1 sceneWillEnterForeground", "scene1 sceneDidBecomeActive",
      ])
    #expect(delegate.takeCalls() == [])
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.advance(by: .seconds(1))
    #expect(delegate.takeCalls().suffix(2) == ["scene2 sceneWillEnterForeground", "scene2 sceneDidBecomeActive"])
    #expect(delegate.sessions == program.scenes.map(\.session))
    program.desk.close(program.windows[0])
    #expect(
      delegate.takeCalls() == [
        "scene1 sceneDidEnterBackground", "scene1 sceneDidDisconnect closedByUser", "didDiscardSceneSessions 1",
      ])
  }

  @Test("A session has one number over all processes, as in the trace")
  func relaunched() {
    let delegate = RecordingDelegate()
    let program = launch(delegate)
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.advance(by: .seconds(1))
    program.kill()
    _ = delegate.takeCalls()
    program.relaunch()
    program.advance(by: .seconds(1))
    let states = delegate.takeCalls().filter { $0.name == "sceneWillEnterForeground" }
    let present = program.trace.reversed().prefix { $0.kind != "launch" }.reversed()
    let traced = present.filter { $0.name == "sceneWillEnterForeground" }
    #expect(states.map { $0.scene.map { "scene\($0)" } } == traced.map(\.scene) && states.count == 2)
    #expect(delegate.sessions.count == 2)
    #expect(delegate.sessions.allSatisfy { session in program.scenes.contains { $0.session === session } })
  }

  @Test("Names choose what is recorded, a closure sees it, and scenes need not be numbered")
  func choice() {
    let delegate = RecordingDelegate()
    var seen: [DelegateCall] = []
    delegate.recordedNames = RecordingDelegate.sceneStates
    delegate.numbersScenes = false
    delegate.onCall = { [unowned delegate] in
      #expect(delegate.calls.last == $0)
      seen.append($0)
    }
    let program = launch(delegate)
    program.desk.minimize(program.windows[0])
    program.advance(by: .seconds(1))
    #expect(
      seen == [
        "sceneWillEnterForeground", "sceneDidBecomeActive", "sceneWillResignActive", "sceneDidEnterBackground",
      ])
    #expect(delegate.calls == seen)
  }

  @Test("A subclass sees what callbacks deliver, and writes calls in its own way or not at all")
  func values() {
    final class Own: RecordingDelegate {
      var states: [Scene.ActivationState] = []
      override func willRecord(_ call: DelegateCall, value: Any?) -> DelegateCall? {
        guard let scene = value as? Scene else { return nil }
        states.append(scene.activationState)
        return "told \(call.name)"
      }
    }
    let delegate = Own()
    _ = launch(delegate)
    #expect(delegate.calls == ["told sceneWillEnterForeground", "told sceneDidBecomeActive"])
    #expect(delegate.states == [.background, .foregroundActive])
  }

  @Test("The answers are properties: a window, the close, the end")
  func answers() {
    let delegate = RecordingDelegate()
    (delegate.sceneCallbacks, delegate.closeReply, delegate.terminateReply) = ([.shouldClose], .cancel, .cancel)
    let program = launch(delegate)
    delegate.calls = []
    program.desk.close(program.windows[0])
    program.application.terminate()
    program.advance(by: .seconds(1))
    #expect(delegate.calls == ["scene1 sceneShouldClose", "applicationShouldTerminate requested"])
    #expect(program.isRunning)
    delegate.sceneCallbacks = []
    (delegate.terminateReply, delegate.endsAfterLastScene) = (.now, false)
    delegate.showsWindows = false
    program.application.activateSceneSession(for: SceneSessionActivationRequest())
    program.advance(by: .seconds(10))
    #expect(program.windows.count == 1 && program.scenes.count == 2)
  }

  @Test("A scene of a class that can save its state does so only where the delegate says so at run time")
  func restoration() {
    final class Keeping: RecordingSceneDelegate {
      override func stateRestorationActivity(for scene: Scene) -> UserActivity? {
        _ = super.stateRestorationActivity(for: scene)
        return UserActivity(activityType: "org.example.state")
      }
    }
    final class Program: RecordingDelegate {
      override func makeSceneDelegate(for session: SceneSession) -> RecordingSceneDelegate {
        Keeping(self, session: session)
      }
    }
    for isKept in [false, true] {
      let delegate = Program()
      let program = HeadlessProgram(delegate: { delegate })
      if isKept { delegate.sceneCallbacks = [.stateRestorationActivity] }
      program.launch()
      program.application.terminate()
      program.advance(by: .seconds(1))
      #expect(delegate.calls.contains("scene1 stateRestorationActivity") == isKept)
      delegate.calls = []
      program.relaunch()
      #expect(delegate.calls.contains { $0.details == "org.example.state" } == isKept)
    }
  }
}
