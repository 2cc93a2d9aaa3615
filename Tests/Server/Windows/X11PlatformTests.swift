import CXCB
import DeskSupport
import Glibc
import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

/// The platform against real servers, one after the other: each test starts its own.
@Suite("X11 platform", .serialized, .enabled(if: !TestServer.isMissing)) struct X11PlatformTests {
  @Test("a display that does not answer, and one that is no display, say what to do")
  @MainActor func refusals() {
    let identity = ApplicationIdentity(id: "a", instance: "a")
    let refused = #expect(throws: PlatformError.self) {
      try X11Platform(display: ":9999", hosting: .guest).start(identity)
    }
    #expect(refused?.description.contains("\":9999\"") == true)
    let nonsense = #expect(throws: PlatformError.self) {
      try X11Platform(display: "nonsense", hosting: .guest).start(identity)
    }
    #expect(nonsense?.description.contains("not the name of an X display") == true)
    let empty = #expect(throws: PlatformError.self) {
      try X11Platform(display: "", hosting: .guest).start(identity)
    }
    #expect(empty?.description.contains("DISPLAY is not set") == true)
  }

  @Test("the windows of a run do not have the identities of the run before, which the window manager may still know")
  @MainActor func freshIdentities() throws {
    let server = try #require(TestServer())
    let identities = try (0..<3).map { _ in
      let server = try XServer(display: server.display)
      _ = try server.setUp(AtomName.atStart)
      return server.leader
    }
    #expect(Set(identities).count > 1, "\(identities)")
  }

  @Test("everything works on a server without extensions")
  @MainActor func withoutExtensions() throws {
    let server = try #require(
      TestServer(["-extension", "RANDR", "-extension", "XFIXES", "-extension", "SYNC", "-extension", "XINERAMA"]))
    let stage = try Recording(server)
    let window = stage.makeWindow()
    stage.perform(.show(window, .activated))
    #expect(stage.run { stage.isFocused(window) && stage.isVisible(window) })
    #expect(stage.platform.parts.screens.current.map(\.frame) == [Rect(x: 0, y: 0, width: 1152, height: 900)])
    #expect(stage.errors == [])
  }

  @Test("a deadline does not overtake events that have come before it passes, also more than one read returns")
  @MainActor func deadlineAfterEvents() throws {
    let server = try #require(TestServer([]))
    let stage = try Recording(server)
    let window = stage.makeWindow()
    stage.perform(.show(window, .activated))
    #expect(stage.run { stage.isVisible(window) && stage.isFocused(window) })
    let other = try XClient(display: server.display)
    let deadline = DeadlineID(rawValue: 1)
    stage.perform(.setDeadline(deadline, milliseconds: 1))
    // Each is an event of 32 bytes, and the close comes after them: more than libxcb reads at once, and so few that the
    // socket holds them all.
    let count: UInt32 = 160
    for value in 0..<count { other.setProperty(window.rawValue, "COUNT", type: "CARDINAL", longs: [value]) }
    other.sendMessage(window.rawValue, "WM_PROTOCOLS", [other.atom("WM_DELETE_WINDOW"), 0])
    other.sync()
    // The server has handled all of it, which is not yet to say that it has written all of it.
    let socket = stage.platform.parts.server.connection.fileDescriptor
    func hasCome() -> Bool {
      var bytes: Int32 = 0
      return ioctl(socket, UInt(FIONREAD), &bytes) == 0 && bytes >= (count + 1) * 32
    }
    let limit = MonotonicClock.now + .seconds(60)
    while !hasCome() || !stage.platform.loop.isDeadlineDue, MonotonicClock.now < limit {}
    #expect(hasCome() && stage.platform.loop.isDeadlineDue)
    let close = PlatformEvent.closeRequested(window)
    #expect(stage.run { stage.events.contains(close) && stage.events.contains(.deadline(deadline)) })
    let order = stage.events.filter { $0 == close || $0 == .deadline(deadline) }
    #expect(order == [close, .deadline(deadline)])
  }

  @Test("resources that change during a suspension count, also where the root is followed again before its end")
  @MainActor func resourcesDuringSuspension() throws {
    let server = try #require(TestServer([]))
    let stage = try Recording(server)
    let window = stage.makeWindow()
    stage.perform(.show(window, .activated))
    #expect(stage.run { stage.isVisible(window) })
    stage.perform(.suspend)
    stage.synchronise()
    let other = try XClient(display: server.display)
    other.setProperty(
      other.root, "RESOURCE_MANAGER", type: "STRING", format: 8, bytes: Array("Xft.dpi: 192\n".utf8))
    // A window manager comes whose workspaces hide windows by their numbers alone
    let check = other.makeWindow(overrideRedirect: true)
    other.setProperty(check, "_NET_WM_NAME", type: "UTF8_STRING", format: 8, bytes: Array("KWin".utf8))
    for id in [check, other.root] {
      other.setProperty(id, "_NET_SUPPORTING_WM_CHECK", type: "WINDOW", longs: [check])
    }
    xcb_set_selection_owner(other.connection, check, other.atom("WM_S0"), 0)
    other.sync()
    #expect(stage.run { stage.platform.parts.context.windows.root.name == "KWin" })
    stage.perform(.resume)
    #expect(stage.run { stage.platform.parts.screens.current.first?.scale == 2 })
    #expect(stage.errors == [])
  }

  @Test("a window that is above another one no more is a normal window")
  @MainActor func aboveNoneAnyMore() throws {
    let server = try #require(TestServer([]))
    let stage = try Recording(server)
    let other = try XClient(display: server.display)
    let primary = stage.makeWindow("primary")
    let panel = stage.makeWindow("panel") { $0.transientFor = primary }
    for window in [primary, panel] { stage.perform(.show(window, .quiet)) }
    #expect(stage.run { stage.isVisible(primary) && stage.isVisible(panel) })
    // A window manager comes, for which more is written.
    let check = other.makeWindow(overrideRedirect: true)
    for id in [check, other.root] {
      other.setProperty(id, "_NET_SUPPORTING_WM_CHECK", type: "WINDOW", longs: [check])
    }
    xcb_set_selection_owner(other.connection, check, other.atom("WM_S0"), 0)
    other.sync()
    func isAbove(_ owner: WindowID?, _ type: String) -> Bool {
      other.longs(panel.rawValue, "WM_TRANSIENT_FOR", type: "WINDOW") == owner.map { [$0.rawValue] }
        && other.longs(panel.rawValue, "_NET_WM_WINDOW_TYPE", type: "ATOM") == [other.atom(type)]
    }
    #expect(stage.runLooking { isAbove(primary, "_NET_WM_WINDOW_TYPE_DIALOG") })
    stage.perform(.setTransient(panel, for: nil))
    #expect(stage.runLooking { isAbove(nil, "_NET_WM_WINDOW_TYPE_NORMAL") })
    #expect(stage.errors == [])
  }

  @Test("a window that is hidden while its window manager hangs stays hidden when that dies, until it is shown again")
  @MainActor func hiddenBeforeDeath() throws {
    let server = try #require(TestServer([]))
    let stage = try Recording(server)
    let window = stage.makeWindow()
    stage.perform(.show(window, .quiet))
    #expect(stage.run { stage.isVisible(window) })
    // Given a window manager that has put it into a frame, and does nothing any more
    let (manager, witness) = (try XClient(display: server.display), try XClient(display: server.display))
    let check = manager.beginToManage()
    let frame = manager.makeWindow(width: 400, height: 300, overrideRedirect: true) {
      xcb_change_save_set(manager.connection, UInt8(XCB_SET_MODE_INSERT.rawValue), window.rawValue)
      xcb_reparent_window(manager.connection, window.rawValue, $0, 0, 0)
    }
    #expect(
      stage.run { stage.platform.parts.context.windows.root.isManaged && stage.isVisible(window) })
    #expect(witness.ancestors(of: window.rawValue) == [frame])
    // When the program hides it
    stage.perform(.withdraw(window))
    #expect(stage.runLooking { !witness.truth(window.rawValue).isViewable })
    // And the window manager dies: the server maps it again
    witness.killClient(of: check)
    #expect(
      stage.runLooking {
        witness.ancestors(of: window.rawValue).isEmpty && !witness.truth(window.rawValue).isViewable
      })
    stage.synchronise()
    #expect(!witness.truth(window.rawValue).isViewable && !stage.isVisible(window))
    // And it is shown again
    stage.perform(.show(window, .quiet))
    #expect(stage.run { stage.isVisible(window) })
    #expect(witness.truth(window.rawValue).isViewable)
    #expect(stage.errors == [])
  }

  @Test("a window that comes back maximised is so from the first, before it is mapped")
  @MainActor func comesBackMaximised() throws {
    let stage = try Recording(try #require(TestServer([])))
    var placement = WindowPlacement(frame: Rect(x: 100, y: 100, width: 300, height: 200))
    placement.isMaximized = true
    let window = stage.makeWindow("a") { $0.placement = placement }
    #expect(stage.run { stage.geometry[window] != nil })
    #expect(stage.geometry[window]?.isMaximized == true)
    #expect(stage.geometry[window]?.normalFrame == placement.frame)
  }
}
