import ProsceniumCore
import ProsceniumPlatform
import ProsceniumTesting
import Testing

/// What reaches a program while a callback of its launch turns a loop, as another library's dialog does.
@MainActor @Suite("Events within the launch") struct LaunchReentryTests {
  @Test(
    "What comes while a callback of the launch turns a loop is handled when it has returned",
    arguments: [
      "willFinishLaunchingWithOptions", "didFinishLaunchingWithOptions", "sceneWillConnect", "sceneWillEnterForeground",
      "sceneDidBecomeActive",
    ])
  func within(callback: String) {
    let (delegate, program) = (RecordingDelegate(), HeadlessProgram())
    var within: [String]?
    delegate.onCall = { [unowned delegate, unowned program] call in
      guard call.name == callback, within == nil else { return }
      let count = delegate.calls.count
      program.application.activateSceneSession(for: SceneSessionActivationRequest())
      program.machine.lock()
      program.machine.unlock()
      program.machine.send(signal: 15)
      within = delegate.calls[count...].map(\.name)
    }
    program.launch(delegate)
    program.platform.advance(by: 3000)
    #expect(within == [])
    let names = delegate.calls.map(\.name)
    #expect(names.prefix(2) == ["willFinishLaunchingWithOptions", "didFinishLaunchingWithOptions"])
    #expect(names.last == "applicationWillTerminate" && names.count { $0 == "applicationWillTerminate" } == 1)
    #expect(program.platform.quitStatus == 0 && program.violations == [])
  }
}
