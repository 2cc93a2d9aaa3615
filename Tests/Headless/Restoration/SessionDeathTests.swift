import ProsceniumCore
import ProsceniumTesting
import Testing

/// What programs that were killed at random moments have shown.
@MainActor @Suite("Sessions of programs that were killed", .serialized) struct SessionDeathTests {
  @Test("A state that is to be asked for within a second is, whatever is saved in between")
  func stateOutlivesEarlySave() throws {
    // Given two scenes, one of which says that its state changed
    let disk = CuttableDisk()
    let run = SessionRun(disk).launch()
    run.open()
    run.platform.advance(by: 2000)
    let changed = run.scenes[0]
    changed.scene?.session.userInfo = ["name": "changed"]
    changed.content = "changed"
    changed.scene?.invalidateRestorableState()
    // When the other one is closed, which saves at once, and the program is killed after the second
    run.platform.advance(by: 500)
    run.program.desk.close(try #require(run.scenes[1].window))
    run.platform.advance(by: 501)
    run.kill()
    // Then the state was saved
    let next = SessionRun(disk).launch()
    #expect(next.delegate.scenes.map(\.content) == ["changed"])
  }
}
