import ProsceniumCore
import ProsceniumTesting
import ScenarioKit
import Testing

@MainActor @Suite("What is left after a scene has gone") struct LifetimeTests {
  @MainActor private final class Witness {
    weak var scene: Scene?
    weak var delegate: AnyObject?
    weak var window: Window?
    init(_ scene: Scene?) {
      self.scene = scene
      delegate = scene?.delegate
      window = (scene as? WindowScene)?.windows.first
    }
    var isAlive: Bool { scene != nil || delegate != nil || window != nil }
  }

  @Test("Disconnecting frees the scene, its delegate and its windows; the session and a bare window stay")
  func disconnect() {
    let run = HeadlessScenario(arguments: [])
    _ = run.perform("launch")
    _ = run.perform("user minimize 1")
    let witness = Witness(run.probe.sessions[0].scene)
    let id = witness.window?.id
    #expect(witness.isAlive)

    _ = run.perform("disconnect 1")

    #expect(!witness.isAlive)
    #expect(run.probe.sessions[0].scene == nil)
    #expect(run.program.application.openSessions.count == 1)
    #expect(run.program.platform.windows.keys.contains { $0 == id })
    #expect(run.program.platform.windows.values.first?.isBare == true)
  }

  @Test("Closing frees the scene, its delegate and its windows, panel included")
  func close() {
    let run = HeadlessScenario(arguments: ["--stay"])
    _ = run.perform("launch")
    _ = run.perform("panel 1")
    run.probe.panels = []
    let witness = Witness(run.probe.sessions[0].scene)

    _ = run.perform("user close 1")

    #expect(!witness.isAlive)
    #expect(run.program.platform.windows.isEmpty)
    #expect(run.program.application.openSessions.isEmpty)
  }

  @Test("A reconnection makes a new scene and a new delegate for the same session and the same window")
  func reconnect() {
    let run = HeadlessScenario(arguments: [])
    for step in ["launch", "user minimize 1"] { _ = run.perform(step) }
    let old = Witness(run.probe.sessions[0].scene)
    let id = old.window?.id
    _ = run.perform("disconnect 1")

    _ = run.perform("user restore 1")

    let scene = run.probe.sessions[0].scene
    #expect(scene?.activationState == .foregroundActive)
    #expect((scene as? WindowScene)?.windows.first?.id == id)
    #expect(run.program.platform.windows.count == 1)
    #expect(run.program.platform.windows.values.first?.mapCount == 1)
    #expect(!old.isAlive)
  }

  @Test("A thousand rounds of disconnecting and connecting leave one window and no deadline")
  func rounds() {
    let run = HeadlessScenario(arguments: [])
    _ = run.perform("launch")
    for _ in 0..<1000 {
      for step in ["user minimize 1", "disconnect 1", "user restore 1"] { _ = run.perform(step) }
    }
    #expect(run.program.platform.windows.count == 1)
    #expect(run.program.application.conductor?.pendingDeadlines == 0)
    #expect(run.program.application.connectedScenes.count == 1)
  }
}
