import CXCB
import DeskSupport
import ProsceniumDesk
import SuiteSupport
import Testing

@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// A program behind `ssh -X`: the server tells an untrusted client nothing of windows that trusted clients have made,
  /// such as a window manager's frames, and does not say so (SECURITY extension).
  @MainActor @Suite("An untrusted client", .enabled(if: Requirement.server)) struct UntrustedClientTests {
    @Test(
      "is told that its window is shown, hidden and shown again, also where frames are mapped late",
      arguments: [WindowManager.openbox, .xfwm4, .metacity, .mutter, .i3, .twm, .icewm, .fluxbox, .jwm, .none])
    func states(kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      let desktop = try await PrivateDesktop(kind)
      let proxy = try XProxy(forUntrusted: desktop.server)
      // The extension is hidden from such a client alone.
      #expect(try XClient(display: desktop.server.display).has(extension: "SECURITY"))
      #expect(try !XClient(display: proxy.display).has(extension: "SECURITY"))
      let stage = try Recording(display: proxy.display)
      let window = stage.makeWindow { $0.position = Point(x: 200, y: 150) }
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
      desktop.desk.focus(window.rawValue)
      #expect(stage.run { stage.isFocused(window) })
      guard kind.reasonAgainst(.iconify) == nil else { return }
      for _ in 0..<2 {
        try desktop.desk.minimize(window.rawValue)
        #expect(stage.run { !stage.isVisible(window) })
        desktop.desk.restore(window.rawValue)
        #expect(stage.run { stage.isVisible(window) })
        desktop.desk.focus(window.rawValue)
        #expect(stage.run { stage.isFocused(window) })
      }
      #expect(stage.errors == [])
    }

    @Test("asks for the workspace that is shown, of which it is not told, where its window is on another one")
    func workspace() async throws {
      let desktop = try await PrivateDesktop(.none)
      let manager = try XClient(display: desktop.server.display)
      func write(_ property: String, of window: UInt32, _ value: UInt32) {
        manager.setProperty(window, property, type: "CARDINAL", longs: [value])
      }
      // Given a window manager whose windows of other workspaces have no other sign
      write("_NET_CURRENT_DESKTOP", of: manager.root, 0)
      manager.beginToManage(as: "KWin", supporting: ["_NET_CURRENT_DESKTOP", "_NET_WM_DESKTOP"])
      xcb_change_window_attributes(
        manager.connection, manager.root, XCB_CW_EVENT_MASK.rawValue, [XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT.rawValue])
      manager.sync()
      let proxy = try XProxy(forUntrusted: desktop.server)
      let stage = try Recording(display: proxy.display)
      let window = stage.makeWindow()
      stage.perform(.show(window, .activated))
      stage.synchronise()
      xcb_map_window(manager.connection, window.rawValue)
      write("_NET_WM_DESKTOP", of: window.rawValue, 0)
      #expect(stage.run { stage.isVisible(window) && stage.geometry[window]?.desktop == 0 })
      // When it is sent to another one, then it is hidden
      write("_NET_WM_DESKTOP", of: window.rawValue, 1)
      #expect(stage.run { !stage.isVisible(window) })
      // When the user goes there, and uses it
      write("_NET_CURRENT_DESKTOP", of: manager.root, 1)
      desktop.desk.focus(window.rawValue)
      #expect(stage.run { stage.isVisible(window) && stage.isFocused(window) })
      // When both have changed
      write("_NET_CURRENT_DESKTOP", of: manager.root, 2)
      write("_NET_WM_DESKTOP", of: window.rawValue, 2)
      #expect(stage.run { stage.geometry[window]?.desktop == 2 && stage.isVisible(window) })
    }

    @Test("follows a window that another toolkit of its process has made", arguments: [WindowManager.openbox, .xfwm4])
    func guest(kind: WindowManager) async throws {
      try Requirement.windowManager(kind)
      let desktop = try await PrivateDesktop(kind)
      let proxy = try XProxy(forUntrusted: desktop.server)
      let toolkit = try XClient(display: proxy.display)
      let stage = try Recording(display: proxy.display)
      // Mapped while it is followed, so that its frame is found unmapped.
      let window = toolkit.makeWindow { id in
        stage.perform(.follow(WindowID(rawValue: id), WindowDescription()))
        stage.synchronise()
      }
      #expect(stage.run { stage.isVisible(WindowID(rawValue: window)) })
      try desktop.desk.minimize(window)
      #expect(stage.run { !stage.isVisible(WindowID(rawValue: window)) })
      desktop.desk.restore(window)
      #expect(stage.run { stage.isVisible(WindowID(rawValue: window)) })
    }
  }
}
