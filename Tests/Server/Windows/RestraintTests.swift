import DeskSupport
import ProsceniumCore
import SceneLifecycle
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// What a program in the background must not hold.
  @MainActor @Suite("Held in the foreground only") struct RestraintTests {
    let server: TestServer
    let stage: Recording

    init() throws {
      server = try #require(TestServer())
      stage = try Recording(server)
    }

    @Test("The keyboard goes back to the client that grabs it")
    func grabs() throws {
      let window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isFocused(window) })
      let handle = try #require(stage.platform.handle(for: window))
      #expect(XClient.grabKeyboard(handle.connection, window.rawValue))
      let other = try XClient(display: server.display)
      #expect(!other.grabKeyboard())
      stage.perform(.releaseGrabs)
      stage.synchronise()
      // An answer: what was sent before has been done.
      other.sync()
      var isFree = false
      #expect(
        stage.run {
          isFree = isFree || other.grabKeyboard()
          return isFree
        })
      #expect(stage.errors == [])
    }

    @Test("The screen saver is kept away, and comes when it is let")
    func saver() throws {
      let other = try XClient(display: server.display)
      stage.platform.followSettings()
      stage.perform(.suspendScreenSaver(true))
      stage.synchronise()
      other.setScreenSaver(seconds: 1)
      let isOn = { [stage] () -> Bool in stage.events.contains(PlatformEvent.screenSaver(isOn: true)) }
      // The measure: it would come after one second.
      let measure = DeadlineID(rawValue: 1)
      stage.perform(.setDeadline(measure, milliseconds: 2500))
      let isOver = { [stage] () -> Bool in stage.events.contains(PlatformEvent.deadline(measure)) }
      #expect(stage.run(until: isOver))
      #expect(!isOn())
      stage.perform(.suspendScreenSaver(false))
      #expect(stage.run(until: isOn))
      #expect(stage.errors == [])
    }
  }
}
