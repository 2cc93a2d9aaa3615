import ProsceniumTesting
import SceneLifecycle
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

/// When sessions are handed to the store, on a disk in memory that writes down what is done to it.
@MainActor @Suite("When sessions are saved", .serialized) struct SessionSavingTests {
  /// A run with two scenes, of which the second is active and everything has been saved.
  private func run(_ disk: CuttableDisk) -> SessionRun {
    let run = SessionRun(disk).launch()
    run.open()
    for (scene, name) in zip(run.delegate.scenes, ["a", "b"]) { scene.scene?.session.userInfo = ["name": name] }
    run.platform.advance(by: 2000)
    return run
  }

  private func focus(_ scene: Int, _ run: SessionRun) { run.program.desk.focus(run.scenes[scene].window) }

  private func writes(_ disk: CuttableDisk) -> Int {
    disk.operations.count { if case .write = $0 { true } else { false } }
  }

  @Test("Focus that moves between scenes with nothing to save writes nothing at once, and its order within a second")
  func focusAlone() {
    let disk = CuttableDisk()
    let run = run(disk)
    let (before, all) = (writes(disk), disk.operations.count)
    // When the focus goes to and fro
    for number in 0..<11 { focus(number % 2, run) }
    #expect(run.scenes[0].scene?.activationState == .foregroundActive)
    #expect(disk.operations.count == all)
    // Then each record is written once when the second is over
    run.platform.advance(by: 1000)
    #expect(writes(disk) == before + 2)
    // And the one that was used last comes back as the active one
    run.kill()
    let next = SessionRun(disk).launch()
    #expect(next.scenes.first { $0.scene?.activationState == .foregroundActive }?.name == "a")
  }

  #if !WITHOUT_LaunchGuard
    @Test("Steps of connections that cannot be noted are tried again each second, though nothing happens; told once")
    func notedLater() {
      // Given a journal that takes nothing as scenes connect
      let files = PassingTrouble(CuttableDisk())
      let run = SessionRun(files).launch()
      files.fail(.append, times: .max)
      run.open()
      run.open()
      run.platform.advance(by: 3500)
      var errors: Int { run.program.entries.count { $0.kind == "error" } }
      var ends: Int { run.program.entries.count { $0.text("name") == "savingResumed" } }
      #expect(files.failureCount > 5 && errors == 1 && ends == 0)
      // When it does again, and no scene changes
      files.fail(.append, times: 0)
      run.platform.advance(by: 1000)
      // Then all is noted, and nothing is waited for
      #expect(!run.store.hasUnnoted && ends == 1)
      let operations = files.count
      run.platform.advance(by: 5000)
      #expect(files.count == operations && errors == 1)
    }
  #endif

  @Test("What a scene had to save is on disk when it has resigned, after the other scene has become active")
  func contentAtOnce() {
    let disk = CuttableDisk()
    let run = run(disk)
    let before = disk.operations.count
    // Given that the active scene changes something as it resigns
    var countWhenActive: Int?
    let resigning = run.scenes[1].session
    (run.delegate.recordedNames, run.delegate.numbersScenes) = (RecordingDelegate.sceneStates, true)
    run.delegate.onCall = { call in
      if call == "scene2 sceneWillResignActive" { resigning.userInfo = ["name": "changed"] }
      if call.name == "sceneDidBecomeActive" { countWhenActive = disk.operations.count }
    }
    // When the focus goes to the other one, and no time passes
    focus(0, run)
    // Then nothing was written before that one was active, and everything is by now
    #expect(countWhenActive == before)
    run.kill()
    let next = SessionRun(disk).launch()
    #expect(next.names == ["a", "changed"])
    #expect(next.scenes.first { $0.scene?.activationState == .foregroundActive }?.name == "a")
  }

  @Test("A scene whose answer is due waits for it once, however often others are saved meanwhile")
  func dueOnce() throws {
    let run = run(CuttableDisk())
    let conductor = try #require(run.application.conductor)
    let saving = try #require(conductor.feature(Saving.self))
    run.scenes[1].scene?.invalidateRestorableState()
    for _ in 0..<3 {
      run.scenes[0].scene?.session.userInfo = ["name": "again"]
      conductor.perform([saving.send(.save)])
    }
    #expect(saving.changed.count == 1)
    run.platform.advance(by: 1000)
    #expect(run.calls.count { $0 == "ask" } == 1 && saving.changed.isEmpty)
  }

  @Test("A scene that goes to the background is saved with its state, and no time passes")
  func backgroundAtOnce() throws {
    let disk = CuttableDisk()
    let run = run(disk)
    run.application.holdTimes = .none
    run.scenes[0].content = "as it went"
    run.program.desk.minimize(try #require(run.scenes[0].window))
    #expect(run.scenes[0].scene?.activationState == .background)
    run.kill()
    let next = SessionRun(disk).launch()
    let bare = try #require(next.platform.windows.first { $0.value.isBare })
    next.platform.restore(bare.key)
    next.platform.advance(by: 2000)
    #expect(next.delegate.scenes.map(\.content).contains("as it went"))
  }

  @Test("A scene that was opened with an activity has its state saved within a second, though nothing happens to it")
  func openedWithActivity() {
    let disk = CuttableDisk()
    let run = run(disk)
    run.delegate.onConnect = { $0.content = "what was opened" }
    // Given one scene that was opened with something, and one with nothing
    for activity in [UserActivity(activityType: "picture"), nil] {
      run.application.activateSceneSession(
        for: SceneSessionActivationRequest(role: .windowApplication, userActivity: activity))
      run.platform.deliver()
    }
    let asked = run.calls.count { $0 == "ask" }
    run.platform.advance(by: 1100)
    #expect(run.calls.count { $0 == "ask" } == asked + 1)
    run.kill()
    // Then it comes back with it
    let next = SessionRun(disk).launch()
    #expect(next.delegate.scenes.count { $0.content == "what was opened" } == 1)
  }

  @Test("What the last run left uncovered is synced before the launched program first sleeps")
  func coveredAtLaunch() {
    let disk = CuttableDisk()
    let run = SessionRun(disk)
    run.program.launch(run.delegate, arguments: [])
    run.platform.deliver()
    #expect(disk.operations.contains(.sync("runs")) && disk.operations.contains(.syncDirectory))
  }
}
