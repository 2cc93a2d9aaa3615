import CXCB
import DeskSupport
import ProsceniumDesk
import SuiteSupport
import Testing

@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension OwnServer {
  /// Windows that another client has made, followed as those of a toolkit are.
  @Suite("Windows of other toolkits", .enabled(if: Requirement.server)) struct GuestTests {
    @MainActor private static func hasNoErrors(_ stage: Recording) -> Bool {
      !stage.events.contains { if case .error = $0 { true } else { false } }
    }

    /// A window as GTK 4 makes it, which gives it a size later.
    private static func makeUnmapped(_ client: XClient, _ id: UInt32? = nil) -> UInt32 {
      let window = id ?? xcb_generate_id(client.connection)
      xcb_create_window(
        client.connection, 0, window, client.root, 0, 0, 1, 1, 0, UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), 0, 0,
        nil)
      client.sync()
      return window
    }

    @Test("One that is shown, and has the focus in a window of its own, is found so, put in its place, and left there")
    @MainActor func shown() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let client = desktop.desk.client
      let window = client.makeWindow(x: 20, y: 30, width: 300, height: 200) { _ in }
      let child = xcb_generate_id(client.connection)
      xcb_create_window(
        client.connection, 0, child, window, 0, 0, 50, 50, 0, UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), 0, 0, nil)
      xcb_map_window(client.connection, child)
      try await waitUntil("the window") { @Sendable in client.truth(window).isViewable }
      desktop.desk.focus(window)
      try await waitUntil("its focus") { @Sendable in client.truth(window).hasFocus }
      xcb_set_input_focus(client.connection, UInt8(XCB_INPUT_FOCUS_PARENT.rawValue), child, 0)
      xcb_flush(client.connection)
      // When it is followed, with a place to come back to
      let stage = try Recording(display: desktop.server.display)
      let id = WindowID(rawValue: window)
      var description = WindowDescription()
      description.placement = WindowPlacement(frame: Rect(x: 240, y: 180, width: 320, height: 210))
      stage.perform(.follow(id, description))
      // Then it is seen as it is
      #expect(stage.run { stage.levels[id]?.visible == true && stage.levels[id]?.focused == true })
      #expect(stage.run { stage.geometry[id]?.frame == description.placement?.frame })
      // And what is followed no more stays as it is
      stage.perform(.destroy(id))
      stage.platform.flush()
      client.sync()
      #expect(client.truth(window).isViewable && Self.hasNoErrors(stage))
    }

    @Test("One that is in the normal state is visible from the first, though HIDDEN was left on it")
    @MainActor func leftHidden() async throws {
      let desktop = try await PrivateDesktop(.none)
      let client = desktop.desk.client
      let manager = try XClient(display: desktop.server.display)
      let stage = try Recording(display: desktop.server.display)
      let windows = stage.platform.parts.context.windows
      manager.beginToManage(as: "JWM", supporting: ["_NET_WM_STATE", "_NET_WM_STATE_HIDDEN"])
      #expect(stage.run { windows.root.name == "JWM" })
      let window = client.makeWindow()
      manager.setProperty(window, "WM_STATE", type: "WM_STATE", longs: [1, 0])
      let hidden = manager.atom("_NET_WM_STATE_HIDDEN")
      manager.setProperty(window, "_NET_WM_STATE", type: "ATOM", longs: [hidden])
      let id = WindowID(rawValue: window)
      stage.perform(.follow(id, WindowDescription()))
      #expect(stage.run { stage.isVisible(id) && windows[window]?.model.wmState == 1 })
      // The answers about its properties have come, all of them.
      stage.synchronise()
      #expect(stage.run { stage.isVisible(id) })
      manager.setProperty(window, "_NET_WM_STATE", type: "ATOM", longs: [])
      #expect(stage.run { windows[window]?.model.netState == [] && stage.isVisible(id) })
      manager.setProperty(window, "_NET_WM_STATE", type: "ATOM", longs: [hidden])
      #expect(stage.run { !stage.isVisible(id) })
      for case .levels(id, let levels) in stage.events {
        #expect(levels.visibleCause != "hidden-latch" || levels == stage.levels[id])
      }
    }

    @Test("One that was an icon and is mapped again before the answers come is visible, though HIDDEN is still on it")
    @MainActor func mappedBeforeTheAnswer() async throws {
      let desktop = try await PrivateDesktop(.none)
      let manager = try XClient(display: desktop.server.display)
      let stage = try Recording(display: desktop.server.display)
      let windows = stage.platform.parts.context.windows
      manager.beginToManage(as: "JWM", supporting: ["_NET_WM_STATE", "_NET_WM_STATE_HIDDEN"])
      #expect(stage.run { windows.root.name == "JWM" })
      let window = desktop.desk.client.makeWindow()
      let id = WindowID(rawValue: window)
      manager.setProperty(window, "WM_STATE", type: "WM_STATE", longs: [1, 0])
      stage.perform(.follow(id, WindowDescription()))
      #expect(stage.run { stage.isVisible(id) && windows[window]?.model.wmState == 1 })
      stage.synchronise()
      // When it becomes an icon, and is mapped, while nothing is read
      xcb_unmap_window(manager.connection, window)
      manager.setProperty(window, "WM_STATE", type: "WM_STATE", longs: [3, 0])
      let hidden = manager.atom("_NET_WM_STATE_HIDDEN")
      manager.setProperty(window, "_NET_WM_STATE", type: "ATOM", longs: [hidden])
      manager.map(window)
      manager.setProperty(window, "WM_STATE", type: "WM_STATE", longs: [1, 0])
      manager.sync()
      // Then it is visible when all of that is known
      #expect(stage.run { windows[window]?.model.netState == .hidden })
      stage.synchronise()
      #expect(stage.run { windows[window]?.model.wmState == 1 && stage.isVisible(id) })
    }

    @Test("The place that one comes back to is kept from the beginning: its owner's own is never told as the user's")
    @MainActor func comesBack() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let client = desktop.desk.client
      let window = Self.makeUnmapped(client)
      let stage = try Recording(display: desktop.server.display)
      let id = WindowID(rawValue: window)
      let place = Rect(x: 240, y: 180, width: 320, height: 210)
      var description = WindowDescription()
      description.placement = WindowPlacement(frame: place)
      stage.perform(.follow(id, description))
      #expect(stage.run { stage.geometry[id] != nil })
      client.move(window, to: Place(10, 20, 300, 200))
      xcb_map_window(client.connection, window)
      client.sync()
      #expect(stage.run { stage.geometry[id]?.frame == place })
      for case .geometry(id, let geometry) in stage.events { #expect(geometry.normalFrame == place) }
    }

    @Test("One that is new is where it is first seen, whatever it was made with")
    @MainActor func new() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let client = desktop.desk.client
      let window = Self.makeUnmapped(client)
      let stage = try Recording(display: desktop.server.display)
      let id = WindowID(rawValue: window)
      stage.perform(.follow(id, WindowDescription()))
      #expect(stage.run { stage.geometry[id] != nil })
      client.move(window, to: Place(10, 20, 300, 200))
      xcb_map_window(client.connection, window)
      client.sync()
      #expect(stage.run { stage.levels[id]?.visible == true && stage.geometry[id]?.frame.size.width == 300 })
      for case .geometry(id, let geometry) in stage.events where geometry.frame.size.width == 300 {
        #expect(geometry.normalFrame == geometry.frame)
      }
    }

    @Test("One of another process is reported, once, and followed; one of this process is not reported")
    @MainActor func otherProcess() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let client = desktop.desk.client
      // The window by which openbox shows that it is there.
      let other = try #require(client.longs(client.root, "_NET_SUPPORTING_WM_CHECK", type: "WINDOW")?.first)
      let stage = try Recording(display: desktop.server.display)
      for window in [Self.makeUnmapped(client), other] {
        let id = WindowID(rawValue: window)
        stage.perform(.follow(id, WindowDescription()))
        #expect(stage.run { stage.geometry[id] != nil })
      }
      #expect(stage.run { !stage.faults.isEmpty })
      stage.synchronise()
      #expect(stage.faults.count == 1 && stage.faults[0].contains("\(WindowID(rawValue: other)) is of another process"))
    }

    @Test("One within another window of this process is reported, with the one to adopt; one in a frame is not")
    @MainActor func withinAnother() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let client = desktop.desk.client
      let (window, outer) = (Self.makeUnmapped(client), Self.makeUnmapped(client))
      let stage = try Recording(display: desktop.server.display)
      let id = WindowID(rawValue: window)
      stage.perform(.follow(id, WindowDescription()))
      xcb_map_window(client.connection, window)
      client.sync()
      #expect(stage.run { stage.levels[id]?.visible == true } && Self.hasNoErrors(stage))
      // As Tk does when it shows a window for the first time
      xcb_reparent_window(client.connection, window, outer, 0, 0)
      client.sync()
      #expect(stage.run { !stage.faults.isEmpty })
      #expect(stage.faults[0].contains("\(id) is within the window \(WindowID(rawValue: outer))"), "\(stage.faults)")
    }

    @Test("The start that a launcher waits for is completed by the first that is shown, and by no other")
    @MainActor func startup() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let (client, ears) = (desktop.desk.client, try XEars(display: desktop.server.display))
      let stage = try Recording(display: desktop.server.display)
      let token = "launcher-1_TIME12345"
      stage.perform(.startup(token: token))
      for _ in 1...2 {
        let window = Self.makeUnmapped(client)
        let id = WindowID(rawValue: window)
        stage.perform(.follow(id, WindowDescription()))
        #expect(stage.run { stage.geometry[id] != nil })
        client.move(window, to: Place(10, 20, 300, 200))
        xcb_map_window(client.connection, window)
        client.sync()
        #expect(stage.run { stage.levels[id]?.visible == true })
        #expect(stage.runLooking { ears.startupMessages() == ["remove: ID=\"\(token)\""] })
      }
      #expect(Self.hasNoErrors(stage))
    }

    @Test("One is activated at a present time where another has the focus, whose keys are not heard of")
    @MainActor func activation() async throws {
      try Requirement.windowManager(.metacity)
      let desktop = try await PrivateDesktop(.metacity)
      let (client, ears) = (desktop.desk.client, try XEars(display: desktop.server.display))
      let stage = try Recording(display: desktop.server.display)
      // Given an action in a window of ours, and two of a toolkit, of which the user uses one since
      let old = try await ears.serverTime()
      stage.perform(.userActed(old))
      var windows: [UInt32] = []
      for x: Int16 in [20, 420] {
        let window = client.makeWindow(x: x, y: 30, width: 300, height: 200)
        stage.perform(.follow(WindowID(rawValue: window), WindowDescription()))
        #expect(stage.run { stage.levels[WindowID(rawValue: window)]?.visible == true })
        windows.append(window)
      }
      desktop.desk.focus(windows[0])
      #expect(stage.run { stage.isFocused(WindowID(rawValue: windows[0])) })
      var time = old
      while time == old { time = try await ears.serverTime() }
      // When the program activates the other one
      stage.perform(.show(WindowID(rawValue: windows[1]), .activated))
      // Then it is asked for at a time from then on
      #expect(stage.run { stage.isFocused(WindowID(rawValue: windows[1])) })
      #expect(stage.runLooking { ears.activationTime(of: windows[1]) != nil })
      #expect(ears.activationTime(of: windows[1]) ?? 0 >= time)
    }

    @Test("One that its owner makes when we have asked for it already is found, and has its states")
    @MainActor func late() async throws {
      let desktop = try await PrivateDesktop(.none)
      let client = desktop.desk.client
      let window = xcb_generate_id(client.connection)
      let stage = try Recording(display: desktop.server.display)
      let id = WindowID(rawValue: window)
      stage.perform(.follow(id, WindowDescription()))
      stage.synchronise()
      #expect(Self.makeUnmapped(client, window) == window)
      xcb_map_window(client.connection, window)
      client.sync()
      #expect(stage.run { stage.levels[id]?.visible == true || stage.events.contains(.destroyed(id)) })
      #expect(stage.levels[id]?.visible == true && Self.hasNoErrors(stage))
    }

    @Test("One that loses the focus while it is asked about does not have it")
    @MainActor func focusMovesMeanwhile() async throws {
      let desktop = try await PrivateDesktop(.none)
      let client = desktop.desk.client
      let stage = try Recording(display: desktop.server.display)
      let own = stage.makeWindow { $0.position = Point(x: 500, y: 400) }
      stage.perform(.show(own, .quiet))
      #expect(stage.run { stage.isVisible(own) })
      let window = client.makeWindow(x: 20, y: 30, width: 300, height: 200)
      let child = xcb_generate_id(client.connection)
      xcb_create_window(
        client.connection, 0, child, window, 0, 0, 50, 50, 0, UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), 0, 0, nil)
      xcb_map_window(client.connection, child)
      desktop.desk.focus(child)
      // When the focus moves after the answer which window has it, and before the one which window that is in
      let id = WindowID(rawValue: window)
      stage.perform(.follow(id, WindowDescription()))
      stage.platform.flush()
      for _ in 0..<3 { client.sync() }
      desktop.desk.focus(own.rawValue)
      #expect(stage.run { stage.isVisible(id) })
      // Then it is known where it is, when all that is asked has been answered
      for _ in 0..<4 {
        var isDone = false
        stage.platform.parts.server.connection.whenDone { isDone = true }
        #expect(stage.run { isDone })
      }
      #expect(stage.isFocused(own) && !stage.isFocused(id) && Self.hasNoErrors(stage))
    }

    @Test("One that is not there is lost")
    @MainActor func missing() async throws {
      let desktop = try await PrivateDesktop(.none)
      let stage = try Recording(display: desktop.server.display)
      let id = WindowID(rawValue: 0x0123_4567)
      stage.perform(.follow(id, WindowDescription()))
      #expect(stage.run { stage.events.contains { if case .destroyed(id) = $0 { true } else { false } } })
      #expect(Self.hasNoErrors(stage))
    }
  }
}
