import CXCB
import DeskSupport
import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import SuiteSupport
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// What another program asks for, and whether the focus really moves.
  @MainActor @Suite("Requests of other programs on a desktop") struct RequestTests {
    private func request(token: String) -> IncomingRequest {
      var request = IncomingRequest()
      request.urls = [URL(filePath: "/tmp/letter")]
      request.token = token
      return request
    }

    /// A program that the user has clicked, and then another one's window, which has the focus now.
    private func leave(_ desktop: PrivateDesktop, _ program: XProgram) throws {
      try desktop.desk.click(x: 180, y: 150)
      try #require(program.run { program.calls.last == "up" })
      _ = desktop.desk.client.makeWindow(x: 700, y: 500)
      // Later than the click before by the server's own clock.
      program.run(milliseconds: 100)
      try desktop.desk.click(x: 750, y: 550)
      try #require(program.run { program.calls.last == "scene1 sceneWillResignActive" })
    }

    @Test("With the user's time of another program the focus moves, and the launcher is told")
    func focus() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let ears = try XEars(display: desktop.server.display)
      let program = try XProgram(display: desktop.server.display)
      try leave(desktop, program)
      let count = program.calls.count
      // When the user has asked for it in the other program
      let time = try await ears.serverTime()
      let token = "other-1_TIME\(time)"
      program.receive(request(token: token))
      try #require(program.run { program.calls.last == "scene1 sceneDidBecomeActive" })
      // Then the URL is handed over, the scene becomes active, and the launcher need not wait
      #expect(
        program.calls.dropFirst(count) == [
          "scene1 openURLContexts file:///tmp/letter foregroundInactive", "scene1 sceneDidBecomeActive",
        ])
      try #require(program.run { ears.startupMessages() == ["remove: ID=\"\(token)\""] })
    }

    @Test("A window that was iconified comes back: foreground, the URL, active")
    func iconified() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let ears = try XEars(display: desktop.server.display)
      let program = try XProgram(display: desktop.server.display)
      try leave(desktop, program)
      desktop.desk.iconify(try #require(program.window?.id).rawValue)
      try #require(program.run { program.calls.last == "scene1 sceneDidEnterBackground" })
      let count = program.calls.count
      program.receive(request(token: "other-2_TIME\(try await ears.serverTime())"))
      try #require(program.run { program.calls.last == "scene1 sceneDidBecomeActive" })
      #expect(
        program.calls.dropFirst(count) == [
          "scene1 sceneWillEnterForeground", "scene1 openURLContexts file:///tmp/letter foregroundInactive",
          "scene1 sceneDidBecomeActive",
        ])
    }

    @Test("The start is for the window that is activated, not for those that come back below it")
    func claimed() throws {
      let stage = try Recording(try #require(TestServer([])))
      let platform = stage.platform
      platform.perform(.startup(token: "a_TIME100"))
      let below = stage.makeWindow()
      platform.perform(.show(below, .quiet))
      #expect(platform.parts.startup.current != nil)
      let front = stage.makeWindow()
      platform.perform(.show(front, .activated))
      #expect(platform.parts.startup.current == nil)
    }

    @Test(
      "The time of the user's actions is written each second, for each window by itself, and a menu's for its window")
    func userTimes() throws {
      let server = try #require(TestServer([]))
      let manager = try XClient(display: server.display)
      let check = manager.makeWindow(overrideRedirect: true)
      for id in [check, manager.root] {
        manager.setProperty(id, "_NET_SUPPORTING_WM_CHECK", type: "WINDOW", longs: [check])
      }
      xcb_set_selection_owner(manager.connection, check, manager.atom("WM_S0"), 0)
      manager.sync()
      let stage = try Recording(server)
      let (platform, table) = (stage.platform, stage.platform.parts.context.windows)
      stage.platform.parts.manager.check()
      #expect(stage.run { table.root.isManaged })
      let (first, second) = (stage.makeWindow("first"), stage.makeWindow("second"))
      func menu(_ owner: WindowID) -> WindowID {
        stage.makeWindow {
          $0.popUp = .menu
          $0.transientFor = owner
        }
      }
      let outer = menu(second)
      let inner = menu(outer)
      func act(_ id: WindowID, _ time: UInt32) throws {
        platform.parts.focus.observe(userTime: time, in: try #require(table[id.rawValue]))
      }
      func written(_ id: WindowID) -> UInt32? {
        stage.synchronise()
        return manager.longs(id.rawValue, "_NET_WM_USER_TIME", type: "CARDINAL")?.first
      }
      // Who types without a pause is heard of
      for (time, expected) in [(1000, 1000), (1900, 1000), (2800, 2800), (3700, 2800)] as [(UInt32, UInt32)] {
        try act(first, time)
        #expect(written(first) == expected)
      }
      try act(second, 3800)
      #expect(written(second) == 3800)
      try act(inner, 5000)
      #expect(written(second) == 5000 && written(inner) == nil && written(outer) == nil)
      // Shown without the focus it has none, until the user acts in it
      platform.parts.focus.writeUserTime(.quiet, to: try #require(table[second.rawValue]))
      #expect(written(second) == 0)
      try act(second, 5100)
      #expect(written(second) == 5100 && written(first) == 2800)
      #expect(platform.parts.focus.userTime == 5100 && stage.errors == [])
    }

    @Test("A token's time counts if it is the latest that is known; ids of others are made with the user's own")
    func times() throws {
      let stage = try Recording(try #require(TestServer([])))
      let platform = stage.platform
      #expect(platform.makeStartupToken() == nil)
      for (token, expected) in [
        ("a_TIME100", 100), ("b_TIME50", 100), ("c", 100), ("d_TIME0", 100), ("e_TIME200", 200),
        // Times wrap after 49 days.
        ("f_TIME4294967290", 200), (String(repeating: "g", count: 2000) + "_TIME300", 200), ("h\u{0}_TIME300", 200),
      ] as [(String, UInt32)] {
        platform.perform(.startup(token: token))
        #expect(platform.parts.focus.userTime == expected, "\(token.prefix(20))")
      }
      platform.perform(.startupComplete)
      #expect(platform.parts.startup.current == nil)
      let (first, second) = (platform.makeStartupToken() ?? "", platform.makeStartupToken() ?? "")
      #expect(first != second)
      for token in [first, second] { #expect(StartupNotification(token: token)?.time == 200) }
    }
  }
}
