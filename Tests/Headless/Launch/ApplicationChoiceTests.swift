import ProsceniumTesting
import SceneLifecycle
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace

/// What an application is told before it is launched: in the initialiser of a subclass.
@MainActor @Suite("Choices before the launch", .serialized) struct ApplicationChoiceTests {
  private final class Resource: SuspendableResource {
    var calls: [String] = []
    func closeBeforeSuspension() { calls.append("close") }
    func reopenAfterSuspension() { calls.append("open") }
  }

  private final class OwnApplication: Application {
    let resource = Resource()
    override init() {
      super.init()
      register(resource)
      backgroundTimes.total = .seconds(7)
      reclaimPolicy.maximumBackgroundScenes = 3
      holdTimes = .none
      isIdleTimerDisabled = true
    }
  }

  @Test("All of them count from the launch on")
  func kept() throws {
    let application = OwnApplication()
    let program = HeadlessProgram(application: application)
    let delegate = RecordingDelegate()
    delegate.manifest.suspensionPolicy = .whenAllInBackground
    program.launch(delegate)
    program.platform.advance(by: 100)
    #expect(application.backgroundTimes.total == .seconds(7) && application.reclaimPolicy.maximumBackgroundScenes == 3)
    #expect(application.holdTimes == .none && application.isIdleTimerDisabled)
    #expect(program.platform.commands.contains(.suspendScreenSaver(true)))
    // Without holds the program is suspended at once.
    let window = try #require(program.platform.windows.keys.first)
    program.platform.minimize(window)
    program.platform.advance(by: 0)
    #expect(program.platform.isSuspended && application.resource.calls == ["close"])
    program.platform.restore(window)
    #expect(application.resource.calls == ["close", "open"])
    application.unregister(application.resource)
    program.platform.minimize(window)
    program.platform.advance(by: 0)
    #expect(program.platform.isSuspended && application.resource.calls.count == 2)
  }
}
