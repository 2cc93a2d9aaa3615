import DeskSupport
import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import SceneLifecycle
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// Monitors that are plugged in, turned on, changed and taken away: outputs of a real Xorg.
  @MainActor
  @Suite("Outputs", .enabled(if: mustNotSkip || (XorgServer.isInstalled && TestServer.exists("xrandr"))))
  struct OutputTests {
    let server: XorgServer
    private let first = Rect(x: 0, y: 0, width: 1152, height: 900)
    private let second = Rect(x: 1152, y: 0, width: 800, height: 600)

    init() async throws {
      server = try await .required()
      #expect(xrandr("--addmode", "DUMMY1", "800x600") == 0)
    }

    @discardableResult private func xrandr(_ arguments: String...) -> Int32 {
      QuietProcess(["xrandr"] + arguments, environment: ["DISPLAY": server.display])?.wait() ?? -1
    }

    private func plugIn() { #expect(xrandr("--output", "DUMMY1", "--mode", "800x600", "--pos", "1152x0") == 0) }
    private func takeAway() { #expect(xrandr("--output", "DUMMY1", "--off") == 0) }

    private func frames(_ stage: Recording) -> [Rect] { stage.platform.parts.screens.current.map(\.frame) }

    @Test("An output that is turned on, changed and turned off is a screen that comes, changes and goes")
    func comesAndGoes() throws {
      let program = try XProgram(display: server.display)
      // A launch that restores nothing does not wait for the screens
      #expect(program.run { program.screens.map(\.name) == ["DUMMY0"] })
      let main = try #require(program.screens.first)
      var told: [String] = []
      let center = NotificationCenter.default
      let tokens = [
        center.addObserver(for: Screen.DidConnectMessage.self) { told.append("+\($0.screen.name)") },
        center.addObserver(for: Screen.DidDisconnectMessage.self) { told.append("-\($0.screen.name)") },
        center.addObserver(for: Screen.ModeDidChangeMessage.self) { told.append("=\($0.screen.name)") },
      ]
      defer { tokens.forEach { center.removeObserver($0) } }
      plugIn()
      #expect(program.run { program.screens.map(\.frame) == [first, second] })
      let other = try #require(program.screens.last)
      #expect(told == ["+DUMMY1"])
      #expect(xrandr("--addmode", "DUMMY1", "640x480") == 0)
      #expect(xrandr("--output", "DUMMY1", "--mode", "640x480") == 0)
      #expect(program.run { other.frame.size == Size(width: 640, height: 480) })
      #expect(program.screens.last === other)
      takeAway()
      #expect(program.run { program.screens.count == 1 })
      #expect(program.screens == [main])
      #expect(told.first == "+DUMMY1" && told.last == "-DUMMY1" && told.contains("=DUMMY1"))
      #expect(told.count { $0.hasSuffix("DUMMY1") && !$0.hasPrefix("=") } == 2)
    }

    @Test("A program that places windows at once knows its screens' names from the beginning")
    func namedAtStart() throws {
      plugIn()
      let stage = try Recording(display: server.display, needsScreens: true)
      #expect(stage.screensAtStart.map(\.name).sorted() == ["DUMMY0", "DUMMY1"])
      #expect(Set(stage.screensAtStart.map(\.frame)) == [first, second])
    }

    // By a mode, because no server here can turn an output: Xorg's dummy driver refuses each rotation and reflection,
    // and answers a transform with BadValue.
    @Test("A mode that is higher than wide is portrait, and the scene hears of it once")
    func portrait() throws {
      let program = try XProgram(display: server.display)
      #expect(program.scene?.interfaceOrientation == .landscapeRight)
      let modeline = ["60", "600", "640", "700", "800", "1000", "1004", "1008", "1020"]
      #expect(
        QuietProcess(["xrandr", "--newmode", "tall"] + modeline, environment: ["DISPLAY": server.display])?.wait() == 0)
      #expect(xrandr("--addmode", "DUMMY0", "tall") == 0)
      let before = program.surroundings.count
      #expect(xrandr("--output", "DUMMY0", "--mode", "tall") == 0)
      #expect(program.run { program.scene?.interfaceOrientation == .portrait })
      #expect(program.run { program.surroundings.count > before })
      #expect(program.surroundings[before...].count { $0 == .landscapeRight } == 1)
    }

    @Test("A window that a monitor leaves behind comes back, once, where no window manager does it")
    func straysAlone() throws {
      plugIn()
      let stage = try Recording(display: server.display, needsScreens: true)
      let here = stage.makeWindow("here") { $0.position = Point(x: 50, y: 60) }
      let there = stage.makeWindow("there") { $0.position = Point(x: 1300, y: 200) }
      let nowhere = stage.makeWindow("nowhere") { $0.position = Point(x: 5000, y: 200) }
      for window in [here, there, nowhere] { stage.perform(.show(window, .quiet)) }
      #expect(stage.run { frames(stage).count == 2 && stage.isVisible(here) && stage.isVisible(there) })
      takeAway()
      #expect(stage.run { frames(stage) == [first] && !stage.isVisible(there) })
      #expect(stage.run { stage.isVisible(there) })
      let frame = try #require(stage.geometry[there]?.frame)
      #expect(first.contains(frame))
      // What was on screen, or had never been, stays.
      #expect(stage.geometry[here]?.frame.origin == Point(x: 50, y: 60))
      #expect(stage.geometry[nowhere]?.frame.origin == Point(x: 5000, y: 200))
      #expect(stage.platform.parts.screens.strays.isEmpty)
      // And back with the monitor, it stays where it is now.
      plugIn()
      #expect(stage.run { frames(stage).count == 2 })
      #expect(stage.geometry[there]?.frame == frame)
      #expect(stage.errors == [])
    }

    @Test("A window manager that brings windows back is left alone", .enabled(if: TestServer.exists("openbox")))
    func straysManaged() throws {
      plugIn()
      let folder = try TemporaryFolder()
      let file = try folder.write("rc.xml", "<openbox_config xmlns=\"http://openbox.org/3.4/rc\"/>")
      let manager = try #require(
        QuietProcess(["openbox", "--config-file", file], environment: ["DISPLAY": server.display]))
      defer { manager.end() }
      let stage = try Recording(display: server.display, needsScreens: true)
      try #require(
        stage.run { stage.platform.parts.context.windows.root.name == "Openbox" && stage.windowManager == .settled })
      let window = stage.makeWindow { $0.position = Point(x: 1300, y: 200) }
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) && frames(stage).count == 2 })
      #expect(stage.run { stage.geometry[window]?.frame.origin.x ?? 0 >= 1152 })
      takeAway()
      #expect(stage.run { frames(stage) == [first] })
      #expect(stage.run { stage.geometry[window].map { first.intersects($0.frame) } == true })
      #expect(stage.run { stage.isVisible(window) })
      #expect(stage.errors == [])
    }

    @Test("A display that is plugged in gets a scene of its own, over all of it and never active, until it goes")
    func externalDisplay() throws {
      let program = try XProgram(display: server.display, showsOnDisplays: true)
      plugIn()
      #expect(program.run { program.calls.contains("scene2 sceneWillEnterForeground") })
      let scene = try #require(program.displayScene)
      #expect(program.run { scene.effectiveGeometry?.frame == second })
      #expect(scene.isFullScreen && scene.screen?.name == "DUMMY1")
      #expect(scene.activationState == .foregroundInactive)
      #expect(program.scene?.activationState == .foregroundActive)
      // Of another mode it is as large.
      #expect(xrandr("--addmode", "DUMMY1", "640x480") == 0)
      #expect(xrandr("--output", "DUMMY1", "--mode", "640x480") == 0)
      #expect(program.run { scene.effectiveGeometry?.frame.size == Size(width: 640, height: 480) })
      takeAway()
      #expect(program.run { program.calls.contains { $0.scene == 2 && $0.name == "sceneDidDisconnect" } })
      #expect(
        program.calls.filter { $0.scene == 2 }.map(\.name)
          == ["sceneWillConnect", "sceneWillEnterForeground", "sceneDidEnterBackground", "sceneDidDisconnect"])
      #expect(program.scene?.activationState == .foregroundActive)
    }

    @Test("So under a window manager", .enabled(if: TestServer.exists("openbox")))
    func externalDisplayManaged() async throws {
      let folder = try TemporaryFolder()
      let file = try folder.write("rc.xml", "<openbox_config xmlns=\"http://openbox.org/3.4/rc\"/>")
      let manager = try #require(
        QuietProcess(["openbox", "--config-file", file], environment: ["DISPLAY": server.display]))
      defer { manager.end() }
      let client = try XClient(display: server.display)
      try await waitUntil("openbox") { @Sendable in client.windowManagerRuns }
      let program = try XProgram(display: server.display, showsOnDisplays: true)
      plugIn()
      #expect(program.run { program.displayScene?.effectiveGeometry?.frame == second })
      #expect(program.run { program.displayScene?.isFullScreen == true })
      #expect(program.run { program.scene?.activationState == .foregroundActive })
      takeAway()
      #expect(program.run { program.calls.contains { $0.scene == 2 && $0.name == "sceneDidDisconnect" } })
      #expect(!program.calls.contains("scene2 sceneDidBecomeActive"))
    }
  }
}

extension X11PlatformTests {
  @Test("An output that is turned says so", .enabled(if: mustNotSkip || TurnedServer.isInstalled))
  @MainActor func turnedOutput() async throws {
    let server = try await TurnedServer()
    let stage = try Recording(display: server.display, needsScreens: true)
    #expect(stage.screensAtStart.map(\.frame) == [Rect(x: 0, y: 0, width: 600, height: 800)])
    stage.perform(.followScreens)
    #expect(stage.run { stage.platform.parts.screens.current.map(\.rotation) == [.left] })
  }
}
