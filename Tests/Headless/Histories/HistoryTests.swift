import ProsceniumCore
import ProsceniumTesting
import ProsceniumTrace
import ScenarioKit
import TestSupport
import Testing

@MainActor @Suite("Histories") struct HistoryTests {
  @Test("A history is its text, and its text is the history")
  func text() throws {
    for seed in testSeeds(200) {
      let history = History.random(seed: seed, length: 60)
      #expect(try History(history.description) == history)
    }
    let history = try History(" launch;focus 1 ;\n wait 250; at sceneDidBecomeActive discard 2;")
    #expect(history.steps.count == 4)
    #expect(history.steps.last == HistoryStep(.discard, 2, at: "sceneDidBecomeActive"))
    #expect(history.description == "launch; focus 1; wait 250; at sceneDidBecomeActive discard 2")
  }

  @Test(
    "A text that is none says which step is wrong, and why",
    arguments: [
      ("launch; fly", "fly"), ("focus", "focus"), ("lock 1", "lock 1"), ("focus -1", "focus -1"),
      ("at sceneDidBecomeActive lock", "at sceneDidBecomeActive lock"), ("wait soon", "wait soon"),
    ])
  func errors(text: String, step: String) {
    let error = #expect(throws: HistoryError.self) { try History(text) }
    #expect(error?.step == step)
  }

  @Test("A seed gives the same history again, and another seed another one")
  func seeds() {
    #expect(History.random(seed: 7, length: 50) == History.random(seed: 7, length: 50))
    #expect(History.random(seed: 7, length: 50) != History.random(seed: 8, length: 50))
  }

  @Test("A process that is started on a full disk cannot write either")
  func fullDisk() throws {
    let tester = Self.tester(.plain)
    var errors: [String] = []
    tester.onEntry = { if $0.kind == "error" { errors.append($0.text("message") ?? "") } }
    let history = try History("launch; wait 6000; full-disk; kill; launch; change 1; wait 6000; terminate; wait 6000")
    #expect(tester.failure(of: history) == nil)
    #expect(errors.contains { $0.contains("No space left") }, "\(errors)")
  }

  @Test("Time that no clock can tell is no crash")
  func longWait() throws {
    #expect(Self.tester(.plain).failure(of: try History("launch; wait 10000000000000; lock; wait 6000")) == nil)
  }

  private static let seed = testSeed(20_260_101, test: "random, appBased")

  @Test("Random histories go well, whatever the program is like", arguments: HistoryProgram.Kind.allCases)
  func random(kind: HistoryProgram.Kind) {
    let failure = Self.tester(kind).search(steps: testRounds(3000), seed: Self.seed)
    #expect(failure == nil, "\(failure.map(\.description) ?? "")")
  }

  @Test("The same in the app-based model")
  func appBased() {
    let failure = HistoryTester { AppHistoryProgram() }.search(steps: testRounds(3000), seed: Self.seed)
    #expect(failure == nil, "\(failure.map(\.description) ?? "")")
  }

  @Test("Random histories pass through every step and call that there is")
  func variety() {
    var missing: Set = [
      "edge sceneWillConnect", "edge sceneWillEnterForeground", "edge sceneDidBecomeActive",
      "edge sceneWillResignActive", "edge sceneDidEnterBackground", "edge sceneDidDisconnect",
      "app applicationWillEnterForeground", "app applicationDidBecomeActive", "app applicationWillResignActive",
      "app applicationDidEnterBackground", "app applicationWillTerminate", "app didDiscardSceneSessions",
      "app applicationProtectedDataWillBecomeUnavailable", "app applicationProtectedDataDidBecomeAvailable",
      "system backgroundTaskExpires", "system screenSaver", "system screens", "system timeChange",
      "fact grabbed", "request sceneShouldClose", "request applicationShouldTerminate",
      "request restoreInteractionState", "error ", "cause other-desktop", "cause showing-desktop",
    ]
    #if !WITHOUT_OpenRequests
      missing.formUnion([
        "app openURLContexts", "app continueUserActivity", "app willContinueUserActivityWithType",
        "app didFailToContinueUserActivityWithType", "app didReceiveSecondLaunch", "app performActionFor",
        "request performActionFor",
      ])
    #endif
    #if !WITHOUT_LaunchGuard
      missing.insert("app didHoldBackSceneSessions")
    #endif
    #if !WITHOUT_Suspension
      missing.formUnion(["system suspended", "system resumed", "system ended"])
    #endif
    #if !WITHOUT_Memory
      missing.insert("system memoryWarning")
    #endif
    let seeds = testSeeds(8, from: 6)
    for seed in seeds where !missing.isEmpty {
      for kind in HistoryProgram.Kind.allCases {
        let tester = Self.tester(kind)
        tester.onEntry = {
          missing.remove("\($0.kind) \($0.text("name") ?? "")")
          if let cause = $0.text("cause") { missing.remove("cause \(cause)") }
        }
        #expect(tester.search(steps: 500, seed: seed) == nil)
      }
    }
    #expect(missing == [])
  }

  @Test("Nothing but what is needed is left of a history that goes wrong")
  func shrinking() throws {
    let tester = HistoryTester { ForgetfulProgram() }
    tester.invariant = { ($0 as? ForgetfulProgram)?.violation }
    let failure = try #require(tester.search(steps: 20_000, seed: testSeed(3)))
    #expect(failure.history.steps.count == 2, "\(failure)")
    #expect([.launch, .launchQuietly].contains(failure.history.steps.first?.verb))
    #expect([.lock, .switchAway].contains(failure.history.steps.last?.verb))
    #expect(failure.message == "forgotten: the lock")
    #expect(failure.description.contains("replay: History(\"\(failure.history)\")"))
    let again = try #require(tester.failure(of: History(failure.history.description)))
    #expect(again.message == failure.message)
  }

  /// Histories that random ones found, and shrunk; each went wrong once.
  nonisolated static let found: [(HistoryProgram.Kind, String)] = [
    // A hold that ends with the time that passes: the clock went back by a rounding.
    (.plain, "launch; wait 1500; wait 1500; wait 6000; minimize 1; wait 49; wait 1; lock"),
    // An extension of one scene's restoration by the callback of another one that goes to the foreground with it: the
    // application became active, and no scene did.
    (.plain, "launch; lock; new; at sceneWillEnterForeground extend 2; unlock"),
    // The tester took a scene for one at rest that had been connected, and had its restoration extended, while time
    // passed.
    (
      .restoring,
      "at sceneWillConnect new; launch; show-desktop; wait 1000; critical; activate 1; wait 6000"
    ),
    (.restoring, "launch; new; minimize 1; wait 12000; kill; launch; restore 2; disconnect 2; wait 6000"),
  ]

  @Test("What went wrong once does not any more", arguments: found)
  func replays(kind: HistoryProgram.Kind, text: String) throws {
    let failure = Self.tester(kind).failure(of: try History(text))
    #expect(failure == nil, "\(failure.map(\.description) ?? "")")
  }

  static func tester(_ kind: HistoryProgram.Kind) -> HistoryTester {
    let tester = HistoryTester { HistoryProgram(kind) }
    tester.invariant = { ($0 as? HistoryProgram)?.violation }
    return tester
  }
}

/// A program with something wrong in it: it cannot stand a lock.
@MainActor private final class ForgetfulProgram: Responder, ApplicationDelegate {
  var violation: String?
  let manifest = ApplicationManifest(
    sceneConfigurations: [SceneConfiguration(name: "Main", delegate: ForgetfulScene.init)])

  func applicationProtectedDataWillBecomeUnavailable(_ application: Application) { violation = "forgotten: the lock" }
}

@MainActor private final class ForgetfulScene: Responder, WindowSceneDelegate {
  var window: Window?

  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    window = Window(windowScene: scene)
    window?.makeKeyAndVisible()
  }
}
