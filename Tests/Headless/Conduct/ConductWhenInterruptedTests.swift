import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import Testing

/// What the player hears.
@MainActor final class Music {
  private(set) var calls: [String] = []
  func play() { calls.append("play") }
  func pause() { calls.append("pause") }
}

@MainActor final class GameScene: Responder, WindowSceneDelegate {
  var window: Window?
  let music = Music()
  private(set) var steps = 0
  private(set) var held: Set<UInt8> = []
  private var game: ActiveWork?

  // Begin: code of ConductWhenInterrupted.md
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) {
    guard let scene = scene as? WindowScene else { return }
    let window = Window(windowScene: scene)
    let link = FrameLink(window: window) { [weak self] _ in self?.steps += 1 }
    link.isPaused = true
    // Stops when the scene resigns, and goes on when it is active again.
    scene.whileActive(start: music.play, stop: music.pause)
    // Stops as well, and waits for its player then.
    game = scene.whileActive(resumption: .byUser, start: { link.isPaused = false }, stop: { link.isPaused = true })
    steps = session.userInfo?["steps"] as? Int ?? 0
    self.window = window
    window.makeKeyAndVisible()
  }

  func sceneWillResignActive(_ scene: Scene) {
    // The key that is down now may come up where this scene does not hear it.
    held = []
    // On disk before the program sleeps, whatever happens to it while its user is elsewhere.
    scene.session.userInfo = ["steps": steps]
  }

  override func handle(_ event: Event) -> Bool {
    guard case .key(let key) = event.kind else { return false }
    if key.isDown { held.insert(key.code) } else { held.remove(key.code) }
    if key.isDown, key.symbol == KeySymbol.space { game?.resume() }
    return true
  }
  // End: code of ConductWhenInterrupted.md
}

@MainActor @Suite("Conduct when interrupted", .serialized) struct ConductWhenInterruptedTests {
  private func launch(_ disk: CuttableDisk = CuttableDisk()) throws -> (ConductRun, GameScene) {
    let run = ConductRun(ConductDelegate(GameScene.init), on: disk)
    return (run, try #require(run.scene?.delegate as? GameScene))
  }

  private func press(_ code: UInt8, _ symbol: UInt32 = 0x61, isDown: Bool = true, in run: ConductRun) throws {
    let key = Key(code: code, symbol: symbol, characters: "", isDown: isDown)
    run.platform.send(.input(try #require(run.window?.id), InputEvent(.key(key), time: 1)))
  }

  @Test("Music stops when the scene resigns and goes on when it is active; the game waits for its player")
  func stops() throws {
    let (run, scene) = try launch()
    run.platform.advance(by: 1000)
    #expect(scene.steps > 0 && scene.music.calls == ["play"])
    run.leave()
    let steps = scene.steps
    run.platform.advance(by: 1000)
    #expect(scene.steps == steps && scene.music.calls == ["play", "pause"])
    run.program.desk.focus(run.window)
    run.platform.advance(by: 1000)
    #expect(scene.steps == steps && scene.music.calls == ["play", "pause", "play"])
    try press(65, KeySymbol.space, in: run)
    run.platform.advance(by: 1000)
    #expect(scene.steps > steps)
  }

  @Test("Another client's grab interrupts as the lost focus does; a key that comes up meanwhile is not held for ever")
  func grab() throws {
    let (run, scene) = try launch()
    try press(38, in: run)
    #expect(scene.held == [38])
    run.program.desk.grabKeyboard()
    run.platform.advance(by: 500)
    #expect(run.scene?.inactiveReason == .interrupted && scene.music.calls.last == "pause")
    try press(38, isDown: false, in: run)
    run.program.desk.releaseKeyboard()
    run.platform.advance(by: 500)
    #expect(scene.held.isEmpty && scene.music.calls.last == "play")
  }

  @Test("What was saved at the resignation is there after a kill, though the scene never was in the background")
  func saved() throws {
    let disk = CuttableDisk()
    let (run, scene) = try launch(disk)
    run.platform.advance(by: 1000)
    run.leave()
    let steps = scene.steps
    run.kill()
    let (_, next) = try launch(disk)
    #expect(next.steps >= steps && steps > 0)
  }
}
