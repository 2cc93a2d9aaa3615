import DeskSupport
import Glibc
import ProsceniumCore
import SceneLifecycle
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  @MainActor @Suite("Under openbox", .enabled(if: TestServer.exists("openbox"))) struct OpenboxTests {
    let server: TestServer
    let manager: QuietProcess

    init() throws {
      server = try #require(TestServer())
      manager = try #require(try server.launchOpenbox())
    }

    /// A stage that knows of the window manager.
    private func managedStage() throws -> Recording {
      let stage = try Recording(server)
      #expect(
        stage.run { stage.platform.parts.context.windows.root.name == "Openbox" && stage.windowManager == .settled })
      return stage
    }

    @Test("a window is framed, visible and focused, and a minimised one comes back by activation")
    func minimizing() throws {
      let stage = try managedStage()
      let window = stage.makeWindow { $0.position = Point(x: 200, y: 150) }
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) && stage.isFocused(window) })
      #expect(stage.run { stage.geometry[window]?.frame.origin == Point(x: 200, y: 150) })
      #expect(stage.platform.parts.context.windows[window.rawValue]?.frames.followed.isEmpty == false)
      stage.perform(.request(RequestID(rawValue: 1), window, .minimize))
      #expect(stage.run { stage.outcome(RequestID(rawValue: 1)) != nil && !stage.isVisible(window) })
      #expect(stage.outcome(RequestID(rawValue: 1)) == .done)
      stage.perform(.request(RequestID(rawValue: 2), window, .activate))
      #expect(stage.run { stage.outcome(RequestID(rawValue: 2)) != nil })
      #expect(stage.outcome(RequestID(rawValue: 2)) == .done)
      #expect(stage.isVisible(window) && stage.isFocused(window))
      #expect(stage.errors == [])
    }

    @Test("maximised, full screen and a given geometry are done, and undone")
    func states() throws {
      let stage = try managedStage()
      let window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
      let wishes: [WindowRequest] = [
        .maximize(true), .maximize(false), .fullScreen(true), .fullScreen(false),
        .geometry(Rect(x: 200, y: 220, width: 320, height: 240)),
      ]
      for (number, wish) in wishes.enumerated() {
        let id = RequestID(rawValue: number)
        stage.perform(.request(id, window, wish))
        #expect(stage.run { stage.outcome(id) != nil })
        #expect(stage.outcome(id) == .done, "\(wish)")
      }
      #expect(stage.errors == [])
    }

    @Test("a withdrawn window is let go and can be shown again at once")
    func withdrawing() throws {
      let stage = try managedStage()
      let window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
      stage.perform(.withdraw(window))
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.events.contains { $0.isHidden(window) } && stage.isVisible(window) })
      #expect(stage.run { stage.isFocused(window) })
      #expect(stage.windowManager == .settled)
      #expect(stage.errors == [])
    }

    @Test("a window that is withdrawn before the time for its activation has come is not mapped again")
    func withdrawnBeforeActivation() throws {
      let stage = try managedStage()
      let window = stage.makeWindow()
      stage.perform(.show(window, .quiet))
      #expect(stage.run { stage.isVisible(window) })
      // There is no time of the user's: the server is asked for it
      stage.perform(.request(RequestID(rawValue: 1), window, .activate))
      stage.perform(.withdraw(window))
      #expect(stage.run { stage.outcome(RequestID(rawValue: 1)) != nil && !stage.isVisible(window) })
      let other = try XClient(display: server.display)
      #expect(stage.runLooking { other.truth(window.rawValue).wmState ?? 0 == 0 })
      #expect(!other.truth(window.rawValue).isViewable)
      #expect(stage.errors == [])
    }

    @Test("closing asks, and a ping is answered to the root")
    func protocols() throws {
      let stage = try managedStage()
      let window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
      let platform = stage.platform
      for type in [AtomName.netWMPing, .wmDeleteWindow] {
        platform.parts.server.connection.sendMessage(
          platform.parts.server.atoms[.wmProtocols], about: window.rawValue,
          [platform.parts.server.atoms[type], 1, window.rawValue, 0, 0], to: window.rawValue, mask: 0)
      }
      #expect(stage.run { stage.events.contains(.closeRequested(window)) })
      #expect(stage.errors == [])
    }

    @Test("a bare window keeps its place, and is taken over again with its levels")
    func bareWindows() throws {
      let stage = try managedStage()
      let window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
      stage.perform(.bare(window))
      stage.perform(.request(RequestID(rawValue: 1), window, .minimize))
      #expect(stage.run { !stage.isVisible(window) })
      stage.perform(.request(RequestID(rawValue: 2), window, .activate))
      #expect(stage.run { stage.isVisible(window) })
      // Nothing of the window manager covers it any more: the server has exposed it while it is bare
      #expect(stage.run { stage.levels[window]?.occluded == false })
      let count = stage.events.count
      var description = WindowDescription()
      description.title = "again"
      stage.perform(.adopt(window, description))
      #expect(stage.run { stage.events.dropFirst(count).contains { $0.isLevels(of: window) } })
      #expect(stage.run { stage.events.dropFirst(count).contains { $0.isExposed(window) } })
      #expect(stage.errors == [])
    }

    @Test(
      "when the window manager dies the windows stay visible, and a new one is noticed", arguments: [SIGTERM, SIGKILL])
    func managerDeath(signal: Int32) throws {
      let stage = try managedStage()
      let window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
      manager.end(signal)
      #expect(stage.run { stage.windowManager == .absent })
      #expect(stage.isVisible(window))
      let next = try server.launchOpenbox()
      #expect(next != nil)
      #expect(stage.run { stage.windowManager == .settled && stage.isVisible(window) })
      #expect(stage.errors == [])
    }

    @Test(
      "the desktop that is shown while the program is suspended is known when it goes on", arguments: [true, false])
    func showingDesktop(replaced: Bool) throws {
      let stage = try managedStage()
      let window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
      // Given a suspended program whose window is an icon
      stage.perform(.request(RequestID(rawValue: 1), window, .minimize))
      #expect(stage.run { !stage.isVisible(window) })
      stage.perform(.suspend)
      stage.synchronise()
      // When the window manager shows the desktop
      let other = try XClient(display: server.display)
      func isShown() -> Bool {
        other.longs(other.root, "_NET_SHOWING_DESKTOP", type: "CARDINAL")?.first == 1
      }
      other.ask(other.root, "_NET_SHOWING_DESKTOP", [1])
      #expect(stage.runLooking { isShown() })
      #expect(!stage.platform.parts.context.windows.root.isShowingDesktop)
      if replaced {
        // The manager that comes after one that dies says nothing of it.
        manager.end(SIGKILL)
        #expect(stage.run { stage.windowManager == .absent })
        let next = try server.launchOpenbox()
        #expect(next != nil)
        #expect(stage.run { stage.windowManager == .settled && stage.platform.parts.context.windows.root.isManaged })
        other.setProperty(other.root, "_NET_SHOWING_DESKTOP", type: "CARDINAL", longs: [1])
      }
      // Then it is known after the wake, and what was left behind is not believed
      stage.perform(.resume)
      if replaced {
        #expect(
          !stage.platform.parts.manager.mayShowDesktop && !stage.platform.parts.context.windows.root.isShowingDesktop)
      } else {
        #expect(stage.run { stage.platform.parts.context.windows.root.isShowingDesktop })
        other.ask(other.root, "_NET_SHOWING_DESKTOP", [0])
        #expect(stage.run { !stage.platform.parts.context.windows.root.isShowingDesktop })
      }
      #expect(stage.errors == [])
    }

    @Test("a window that was created before the window manager came is described to it then")
    func lateManager() throws {
      manager.end()
      let stage = try Recording(server)
      let window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
      #expect(stage.platform.parts.context.windows[window.rawValue]?.properties.areWrittenForManager == false)
      let next = try server.launchOpenbox()
      #expect(next != nil)
      #expect(stage.run { stage.platform.parts.context.windows[window.rawValue]?.sync.counter ?? 0 != 0 })
      #expect(stage.run { stage.windowManager == .settled && stage.isVisible(window) })
      #expect(stage.errors == [])
    }
  }
}

extension PlatformEvent {
  fileprivate func isHidden(_ id: WindowID) -> Bool {
    if case .levels(id, let levels) = self { levels.isWithdrawn } else { false }
  }
  fileprivate func isLevels(of id: WindowID) -> Bool { if case .levels(id, _) = self { true } else { false } }
  fileprivate func isExposed(_ id: WindowID) -> Bool { if case .exposed(id, _) = self { true } else { false } }
}
