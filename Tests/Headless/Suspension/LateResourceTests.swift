import ProsceniumCore
import ProsceniumTesting
import Testing

@MainActor @Suite("Resources and the last save before a suspension", .serialized) struct LateResourceTests {
  private final class Resource: SuspendableResource {
    var calls: [String] = []
    func closeBeforeSuspension() { calls.append("close") }
    func reopenAfterSuspension() { calls.append("reopen") }
  }

  @Test("A resource that is registered while the state is read is closed, and one that is unregistered is not")
  func registeredLate() {
    let (early, late) = (Resource(), Resource())
    var isReplacing = false
    let run = SessionRun(CuttableDisk()) {
      $0.manifest.suspensionPolicy = .whenAllInBackground
      $0.onAsk = { _ in
        guard isReplacing else { return }
        Application.shared.register(late)
        Application.shared.unregister(early)
      }
    }.launch()
    run.application.register(early)
    run.platform.advance(by: 2000)
    if let window = run.scenes[0].window { run.program.desk.minimize(window) }
    run.platform.advance(by: 4700)
    isReplacing = true
    run.scenes[0].scene?.invalidateRestorableState()
    run.platform.advance(by: 4000)
    #expect(run.platform.isSuspended && late.calls == ["close"] && early.calls.isEmpty)
  }
}
