import ProsceniumCore
import ProsceniumTesting
import ScenarioKit
import SceneLifecycle
import Testing

/// Every callback, with every request that a program could make from within it.
@MainActor @Suite("Re-entry, headless") struct ReentryTests {
  nonisolated static let callbacks =
    [
      "willFinishLaunching", "didFinishLaunching", "configurationForConnecting", "willConnect",
      "sceneWillEnterForeground", "sceneDidBecomeActive", "sceneWillResignActive", "sceneDidEnterBackground",
      "sceneDidDisconnect", "didDiscardSceneSessions", "sceneShouldClose", "applicationWillTerminate",
    ] + callbacksOfOpenRequests
  #if WITHOUT_OpenRequests
    private nonisolated static let callbacksOfOpenRequests: [String] = []
  #else
    private nonisolated static let callbacksOfOpenRequests = ["continue"]
  #endif
  nonisolated static let appCallbacks = [
    "willFinishLaunching", "didFinishLaunching", "applicationWillEnterForeground", "applicationDidBecomeActive",
    "applicationWillResignActive", "applicationDidEnterBackground", "didDiscardSceneSessions",
    "applicationWillTerminate",
  ]
  /// A life that passes through every callback, whatever the reaction closes on the way.
  static let life = [
    "launch", "new", "user focus 1", "continue 1", "user minimize 1", "disconnect 1", "user restore 1",
    "user close 1", "new", "terminate",
  ]
  static let appLife = ["launch", "user minimize 1", "user restore 1", "hide 1", "show 1", "user close 1", "terminate"]

  @Test(
    "No callback runs within another, and each scene's edges stay legal", arguments: callbacks,
    ScenarioOptions.Reaction.allCases)
  func sceneBased(callback: String, reaction: ScenarioOptions.Reaction) {
    check(Self.life, arguments: ["--react=\(callback)=\(reaction.rawValue)", "--stay"], callback: callback)
  }

  @Test("The same in the app-based model", arguments: appCallbacks, ScenarioOptions.Reaction.allCases)
  func appBased(callback: String, reaction: ScenarioOptions.Reaction) {
    check(
      Self.appLife, arguments: ["--app-based", "--react=\(callback)=\(reaction.rawValue)", "--stay"],
      callback: callback)
  }

  private func check(_ life: [String], arguments: [String], callback: String) {
    let run = HeadlessScenario(arguments: arguments)
    for step in life { _ = run.perform(step) }
    #expect(run.probe.violations == [])
    #expect(run.probe.options.reactions.isEmpty, "\(callback) was never called")
    #expect(run.program.platform.quitStatus == 0)
    #expect(run.program.violations == [])
    #expect(run.program.golden.last == "applicationWillTerminate [background]")
    #expect(run.program.application.connectedScenes.isEmpty)
  }
}
