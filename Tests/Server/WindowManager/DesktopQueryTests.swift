import CXCB
import DeskSupport
import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// Another client says that it is a window manager, and shows the desktop as KWin does.
  @MainActor @Suite("While the desktop is shown by a window of its own") struct DesktopQueryTests {
    let server: TestServer
    let stage: Recording
    let manager: XClient

    init() throws {
      server = try #require(TestServer())
      manager = try XClient(display: server.display)
      let stage = try Recording(server)
      self.stage = stage
      let check = manager.makeWindow(overrideRedirect: true)
      for window in [manager.root, check] {
        manager.setProperty(window, "_NET_SUPPORTING_WM_CHECK", type: "WINDOW", longs: [check])
      }
      manager.setProperty(manager.root, "_NET_SUPPORTED", type: "ATOM", longs: [manager.atom("_NET_SHOWING_DESKTOP")])
      #expect(stage.run { stage.windowManager == .settled && stage.platform.parts.context.windows.root.isManaged })
    }

    private func makeWindow(_ title: String, x: Int) -> WindowID {
      let window = stage.makeWindow(title) {
        $0.position = Point(x: x, y: 100)
        $0.size = Size(width: 300, height: 200)
      }
      stage.perform(.show(window, .quiet))
      return window
    }

    /// A desktop's window in a frame, above all that are there.
    private func makeDesktop(x: Int16 = 0, width: UInt16) -> (window: UInt32, frame: UInt32) {
      let frame = manager.makeWindow(x: x, y: 0, width: width, height: manager.height, overrideRedirect: true)
      let desktop = manager.makeWindow(width: width, height: manager.height) {
        manager.setProperty(
          $0, "_NET_WM_WINDOW_TYPE", type: "ATOM", longs: [manager.atom("_NET_WM_WINDOW_TYPE_DESKTOP")])
        xcb_reparent_window(manager.connection, $0, frame, 0, 0)
      }
      return (desktop, frame)
    }

    private func place(_ window: WindowID, _ mode: xcb_stack_mode_t) {
      let mask = UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue)
      xcb_configure_window(manager.connection, window.rawValue, mask, [mode.rawValue])
    }

    private func write(_ name: String, _ windows: [UInt32]) {
      manager.setProperty(manager.root, name, type: "WINDOW", longs: windows)
    }

    private func showDesktop(_ isShown: Bool) {
      manager.setProperty(manager.root, "_NET_SHOWING_DESKTOP", type: "CARDINAL", longs: [isShown ? 1 : 0])
    }

    @Test("a window is hidden that lies under it, and none that does not")
    func covering() {
      // Given a window under the desktop's, and one above it
      let first = makeWindow("first", x: 100)
      #expect(stage.run { stage.isVisible(first) })
      let desktop = makeDesktop(width: manager.width)
      let second = makeWindow("second", x: 600)
      #expect(stage.run { stage.isVisible(second) })
      let clients = [first.rawValue, desktop.window, second.rawValue]
      write("_NET_CLIENT_LIST", clients)
      // When the desktop is shown, then one is hidden
      showDesktop(true)
      #expect(stage.run { !stage.isVisible(first) })
      #expect(stage.levels[first]?.visibleCause == "showing-desktop" && stage.isVisible(second))
      // When it is raised, then it is not, whatever the root says
      place(first, XCB_STACK_MODE_ABOVE)
      write("_NET_CLIENT_LIST_STACKING", clients)
      #expect(stage.run { stage.isVisible(first) })
      #expect(stage.platform.parts.context.windows.root.isShowingDesktop)
      // When it is lowered, and the desktop is not shown any more, then it is visible again
      place(first, XCB_STACK_MODE_BELOW)
      write("_NET_CLIENT_LIST_STACKING", clients)
      #expect(stage.run { !stage.isVisible(first) })
      showDesktop(false)
      #expect(stage.run { stage.isVisible(first) })
      #expect(stage.isVisible(second) && stage.errors == [])
    }

    @Test("a window stays visible of which a part is not covered")
    func partly() {
      // Given two windows, and above them a desktop's window that covers one of them and a part of the other
      let first = makeWindow("first", x: 100)
      let second = makeWindow("second", x: 600)
      #expect(stage.run { stage.isVisible(first) && stage.isVisible(second) })
      let small = makeDesktop(x: 350, width: 700)
      // And one that is not shown
      let unmapped = makeDesktop(width: manager.width)
      xcb_unmap_window(manager.connection, unmapped.frame)
      write("_NET_CLIENT_LIST", [first.rawValue, second.rawValue, small.window, unmapped.window])
      // When the desktop is shown, then only that one is hidden
      showDesktop(true)
      #expect(stage.run { !stage.isVisible(second) })
      #expect(stage.isVisible(first) && stage.errors == [])
    }
  }
}
