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
  #if !WITHOUT_Suspension
    private final class Resource: SuspendableResource {
      var calls: [String] = []
      func closeBeforeSuspension() { calls.append("close") }
      func reopenAfterSuspension() { calls.append("open") }
    }
  #endif

  private final class OwnApplication: Application {
    #if !WITHOUT_Suspension
      let resource = Resource()
    #endif
    override init() {
      super.init()
      #if !WITHOUT_Suspension
        register(resource)
      #endif
      backgroundTimes.total = .seconds(7)
      #if !WITHOUT_Memory
        reclaimPolicy.maximumBackgroundScenes = 3
      #endif
      holdTimes = .none
      isIdleTimerDisabled = true
    }
  }

  @Test("All of them count from the launch on")
  func kept() throws {
    let application = OwnApplication()
    let program = HeadlessProgram(application: application)
    let delegate = RecordingDelegate()
    #if !WITHOUT_Suspension
      delegate.manifest.suspensionPolicy = .whenAllInBackground
    #endif
    program.launch(delegate)
    program.platform.advance(by: 100)
    #expect(application.backgroundTimes.total == .seconds(7))
    #if !WITHOUT_Memory
      #expect(application.reclaimPolicy.maximumBackgroundScenes == 3)
    #endif
    #expect(application.holdTimes == .none && application.isIdleTimerDisabled)
    #expect(program.platform.commands.contains(.suspendScreenSaver(true)))
    #if !WITHOUT_Suspension
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
    #endif
  }
}
