import ProsceniumCore
import ProsceniumLoop
import ProsceniumStore
import ProsceniumTesting
import SceneLifecycle
import TestSupport
import Testing

@MainActor @Suite("Sessions that the app-based model cannot restore", .serialized) struct HeldBackModelTests {
  @Test("Sessions of scenes are reported as held back by a launch without scenes")
  func appBased() {
    let disk = CuttableDisk()
    SessionRun.saved(disk, ["a", "b"]).end()
    let second = SessionRun(disk) {
      $0.manifest.lifecycleModel = .appBased
      $0.onLaunch = { Window().makeKeyAndVisible() }
    }
    StandardError.$isSilent.withValue(true) { _ = second.launch() }
    #expect(second.calls.contains { "\($0)".contains("didHoldBackSceneSessions") }, "\(second.calls)")
    #expect(second.application.openSessions.filter { $0.holdReason == .unknownConfiguration }.count == 2)
  }
}
