import DeskSupport
import ProsceniumCore
import SceneLifecycle
import SuiteSupport
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension OwnServer {
  /// Panels of a real desktop: docks that another client makes, under window managers that say what they leave in
  /// different ways.
  @MainActor @Suite("Panels", .enabled(if: Requirement.server))
  struct WorkAreaTests {
    private let whole = Rect(x: 0, y: 0, width: 1152, height: 900)

    /// A dock along one edge of the desktop.
    private func dock(_ client: XClient, at place: Rect, strut: [UInt32]) -> UInt32 {
      client.makeWindow(
        x: Int16(place.origin.x), y: Int16(place.origin.y), width: UInt16(place.size.width),
        height: UInt16(place.size.height)
      ) { window in
        client.setProperty(
          window, "_NET_WM_WINDOW_TYPE", type: "ATOM", longs: [client.atom("_NET_WM_WINDOW_TYPE_DOCK")])
        client.setProperty(window, "_NET_WM_STRUT", type: "CARDINAL", longs: Array(strut[..<4]))
        client.setProperty(window, "_NET_WM_STRUT_PARTIAL", type: "CARDINAL", longs: strut)
      }
    }

    private func follow(_ desktop: PrivateDesktop, _ kind: WindowManager) throws -> Recording {
      let stage = try Recording(display: desktop.server.display, needsScreens: true)
      let isManaged = kind != .none
      try #require(
        stage.run {
          stage.platform.parts.context.windows.root.isManaged == isManaged && stage.windowManager == .settled
        })
      stage.perform(.followScreens)
      return stage
    }

    private func split(_ desktop: PrivateDesktop) throws {
      for (name, place, output) in [
        ("west", "576/152x900/238+0+0", "screen"), ("east", "576/152x900/238+576+0", "none"),
      ] {
        let xrandr = QuietProcess(
          ["xrandr", "--setmonitor", name, place, output], environment: ["DISPLAY": desktop.server.display])
        try #require(xrandr?.wait() == 0)
      }
    }

    private func visible(_ stage: Recording) -> [Rect] { stage.platform.parts.screens.current.map(\.visibleFrame) }

    /// What the client was told last.
    private func told(_ stage: Recording) -> [Rect] {
      for case .screens(let screens) in stage.events.reversed() { return screens.map(\.visibleFrame) }
      return []
    }

    @Test("A first window that is larger than the screen is as large as a dock leaves it")
    func larger() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let client = try XClient(display: desktop.server.display)
      let place = Rect(x: 0, y: 800, width: 1152, height: 100)
      _ = dock(client, at: place, strut: [0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 0, 1151])
      let program = try XProgram(display: desktop.server.display) {
        $0.frame = Rect(x: 0, y: 0, width: 3000, height: 2000)
      }
      #expect(
        program.run { program.window?.pixelSize == Size(width: 1152, height: 768) },
        "\(String(describing: program.window?.frame))")
    }

    @Test(
      "A dock takes its part of the screen while it is there",
      arguments: [WindowManager.openbox, .xfwm4, .mutter])
    func comesAndGoes(_ kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      let desktop = try await PrivateDesktop(kind)
      let stage = try follow(desktop, kind)
      let client = try XClient(display: desktop.server.display)
      let top = Rect(x: 0, y: 30, width: 1152, height: 870)
      // Given one that is there before the platform asks
      let first = dock(
        client, at: Rect(x: 0, y: 0, width: 1152, height: 30), strut: [0, 0, 30, 0, 0, 0, 0, 0, 0, 1151, 0, 0])
      #expect(stage.run { visible(stage) == [top] }, "\(visible(stage))")
      // When a second one comes
      let second = dock(
        client, at: Rect(x: 1112, y: 30, width: 40, height: 870), strut: [0, 40, 0, 0, 0, 0, 30, 899, 0, 0, 0, 0])
      #expect(
        stage.run { visible(stage) == [Rect(x: 0, y: 30, width: 1112, height: 870)] }, "\(visible(stage))")
      // And both go, one after the other
      client.destroy(second)
      #expect(stage.run { visible(stage) == [top] }, "\(visible(stage))")
      client.destroy(first)
      #expect(stage.run { visible(stage) == [whole] }, "\(visible(stage))")
      #expect(told(stage) == [whole])
      #expect(stage.errors == [])
    }

    // mutter and its like look at outputs, of which this server has one, and not at monitors.
    @Test(
      "With two monitors only the one is smaller that the dock lies on", .enabled(if: TestServer.exists("xrandr")),
      arguments: [WindowManager.openbox])
    func perMonitor(_ kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      let desktop = try await PrivateDesktop(kind)
      let stage = try follow(desktop, kind)
      try split(desktop)
      let west = Rect(x: 0, y: 0, width: 576, height: 900)
      let east = Rect(x: 576, y: 0, width: 576, height: 900)
      #expect(stage.run { visible(stage) == [west, east] }, "\(visible(stage))")
      let client = try XClient(display: desktop.server.display)
      let bottom = dock(
        client, at: Rect(x: 576, y: 860, width: 576, height: 40), strut: [0, 0, 0, 40, 0, 0, 0, 0, 0, 0, 576, 1151])
      let smaller = Rect(x: 576, y: 0, width: 576, height: 860)
      #expect(stage.run { visible(stage) == [west, smaller] }, "\(visible(stage))")
      client.destroy(bottom)
      #expect(stage.run { visible(stage) == [west, east] }, "\(visible(stage))")
      #expect(stage.errors == [])
    }

    @Test(
      "A panel counts whose place is written before it is in the list of windows",
      .enabled(if: TestServer.exists("xrandr")))
    func lateList() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let stage = try follow(desktop, .openbox)
      try split(desktop)
      let west = Rect(x: 0, y: 0, width: 576, height: 900)
      let east = Rect(x: 576, y: 0, width: 576, height: 900)
      try #require(stage.run { visible(stage) == [west, east] }, "\(visible(stage))")
      // Given a panel that the window manager does not know: the test writes for it.
      let client = try XClient(display: desktop.server.display)
      let panel = client.makeWindow(overrideRedirect: true) { window in
        client.setProperty(window, "_NET_WM_STRUT", type: "CARDINAL", longs: [0, 0, 0, 40])
        client.setProperty(
          window, "_NET_WM_STRUT_PARTIAL", type: "CARDINAL", longs: [0, 0, 0, 40, 0, 0, 0, 0, 0, 0, 576, 1151])
      }
      let list = client.longs(client.root, "_NET_CLIENT_LIST", type: "WINDOW") ?? []
      client.setProperty(client.root, "_NET_WORKAREA", type: "CARDINAL", longs: [0, 0, 1152, 860])
      client.sync()
      // When the list of before has been read
      for number in 1...5 {
        let turn = DeadlineID(rawValue: number)
        stage.perform(.setDeadline(turn, milliseconds: 0))
        #expect(stage.run { stage.events.contains(.deadline(turn)) })
        stage.synchronise()
      }
      // And the new one is written
      client.setProperty(client.root, "_NET_CLIENT_LIST", type: "WINDOW", longs: list + [panel])
      let smaller = Rect(x: 576, y: 0, width: 576, height: 860)
      #expect(stage.run { visible(stage) == [west, smaller] }, "\(visible(stage))")
    }

    @Test(
      "Another monitor is told before what panels leave of it", .enabled(if: TestServer.exists("xrandr")),
      arguments: [WindowManager.openbox])
    func order(_ kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      let desktop = try await PrivateDesktop(kind)
      let stage = try follow(desktop, kind)
      let client = try XClient(display: desktop.server.display)
      _ = dock(
        client, at: Rect(x: 0, y: 0, width: 1152, height: 30), strut: [0, 0, 30, 0, 0, 0, 0, 0, 0, 1151, 0, 0])
      #expect(stage.run { visible(stage) == [Rect(x: 0, y: 30, width: 1152, height: 870)] })
      let before = stage.events.count
      let xrandr = QuietProcess(
        ["xrandr", "--setmonitor", "west", "576/152x900/238+0+0", "screen"],
        environment: ["DISPLAY": desktop.server.display])
      try #require(xrandr?.wait() == 0)
      #expect(stage.run { stage.platform.parts.screens.current.map(\.name) == ["west"] })
      let names = stage.events.dropFirst(before).compactMap { event in
        if case .screens(let screens) = event { screens.map(\.name) } else { nil }
      }
      #expect(!names.isEmpty && names.allSatisfy { $0 == ["west"] }, "\(names)")
      #expect(stage.errors == [])
    }

    @Test("A client that has not asked does not hear of panels, and no request is made for them")
    func unasked() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let stage = try Recording(display: desktop.server.display)
      try #require(
        stage.run { stage.platform.parts.context.windows.root.name != nil && stage.windowManager == .settled })
      #expect(
        stage.platform.parts.server.atoms[.netWorkArea] == 0 && stage.platform.parts.server.atoms[.netClientList] == 0)
    }

    @Test("A window manager that dies leaves the whole screen, and the next one says anew")
    func managerDies() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let stage = try follow(desktop, .openbox)
      let client = try XClient(display: desktop.server.display)
      let top = Rect(x: 0, y: 30, width: 1152, height: 870)
      _ = dock(client, at: Rect(x: 0, y: 0, width: 1152, height: 30), strut: [0, 0, 30, 0, 0, 0, 0, 0, 0, 1151, 0, 0])
      #expect(stage.run { visible(stage) == [top] })
      try await desktop.killWindowManager(9)
      #expect(stage.run { visible(stage) == [whole] })
      try await desktop.startWindowManager(.openbox)
      #expect(stage.run { visible(stage) == [top] })
      #expect(stage.errors == [])
    }
  }
}
