import CXCB
import DeskSupport
import ProsceniumCore
import ProsceniumDesk
import ProsceniumTesting
import SuiteSupport
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// Menus of a whole program on a real server, with real presses.
  @MainActor @Suite("Pop-up windows") struct PopUpServerTests {
    /// Fills a menu, and writes down what comes to it.
    final class Content: Responder, WindowContent {
      var heard: [String] = []
      func draw(_ buffer: inout PixelBuffer, damage: [Rect]) { for rect in damage { buffer.fill(rect, with: .black) } }
      func responder(for event: Event) -> Responder? { self }
      override func handle(_ event: Event) -> Bool {
        switch event.kind {
        case .key(let key):
          if key.symbol == KeySymbol.escape { return false }
          if key.isDown { heard.append("key \(key.characters)") }
        case .button(let button):
          heard.append("\(button.isDown ? "down" : "up") \(button.location.x),\(button.location.y)")
        case .motion, .scroll, .touch, .remoteControl, .deviceMotion, .exposed, .resized: break
        }
        return true
      }
    }

    final class Menu: PopUpWindow {
      let recorder = Content()
      var dismissals = 0
      override init(above owner: Window, kind: Kind) {
        super.init(above: owner, kind: kind)
        content = recorder
        setNeedsDisplay()
      }
      override func didDismiss() { dismissals += 1 }
    }

    nonisolated static let managers = [WindowManager.openbox, .xfwm4]

    /// A program with a menu, and a window of another program at 700, 500.
    struct Scenario {
      let desktop: PrivateDesktop
      let program: XProgram
      let menu: Menu
      let menuWindow: UInt32
      let other: UInt32
      let calls: [DelegateCall]
      var client: XClient { desktop.desk.client }
    }

    private func present(_ manager: WindowManager) async throws -> Scenario {
      try Requirement.windowManager(manager)
      let desktop = try await PrivateDesktop(manager)
      let other = desktop.desk.client.makeWindow(x: 700, y: 500)
      let program = try XProgram(display: desktop.server.display)
      let window = try #require(program.window)
      let calls = program.calls
      let menu = Menu(above: window, kind: .menu)
      #expect(menu.present(at: Rect(x: 250, y: 150, width: 120, height: 200)))
      let id = try #require(menu.id?.rawValue)
      try #require(program.run { desktop.desk.client.pixels(of: id, x: 0, y: 0, width: 1, height: 1)?.first == 0 })
      return Scenario(
        desktop: desktop, program: program, menu: menu, menuWindow: id, other: other, calls: calls)
    }

    /// Whether another client can take the pointer now.
    private func isPointerFree(_ scenario: Scenario) -> Bool { scenario.client.grabsPointer() }

    @Test("A menu is an override-redirect window at its place, which changes no state", arguments: managers)
    func shown(manager: WindowManager) async throws {
      let scenario = try await present(manager)
      let (client, id) = (scenario.client, scenario.menuWindow)
      #expect(client.place(of: id) == Place(250, 150, 120, 200) && client.isOverrideRedirect(id))
      #expect(
        client.longs(id, "_NET_WM_WINDOW_TYPE", type: "ATOM") == [client.atom("_NET_WM_WINDOW_TYPE_POPUP_MENU")])
      let owner = try #require(scenario.program.window?.id?.rawValue)
      #expect(client.longs(id, "WM_TRANSIENT_FOR", type: "WINDOW") == [owner])
      #expect(client.parent(of: id) == client.root && client.longs(id, "WM_STATE", type: "WM_STATE") == nil)
      #expect(!isPointerFree(scenario))
      // Input by key and by pointer.
      try scenario.desktop.desk.key("a")
      try #require(scenario.program.run { scenario.menu.recorder.heard == ["key a"] })
      try scenario.desktop.desk.click(x: 260, y: 340)
      try #require(scenario.program.run { scenario.menu.recorder.heard.count == 3 })
      #expect(scenario.menu.recorder.heard == ["key a", "down 10,190", "up 10,190"])
      scenario.program.run(milliseconds: 300)
      scenario.menu.dismiss()
      try #require(scenario.program.run { isPointerFree(scenario) })
      #expect(client.place(of: id) == nil && scenario.menu.dismissals == 1)
      scenario.program.run(milliseconds: 300)
      #expect(scenario.program.calls == scenario.calls, "no state, and no input of the window")
      #expect(scenario.program.scene?.activationState == .foregroundActive)
    }

    enum End: CaseIterable { case escape, elsewhere, ownWindow, iconified, moved, focus }

    @Test("What a person does elsewhere ends a menu and its grab", arguments: managers, End.allCases)
    func ends(manager: WindowManager, end: End) async throws {
      let scenario = try await present(manager)
      let (desk, program) = (scenario.desktop.desk, scenario.program)
      let owner = try #require(program.window?.id?.rawValue)
      switch end {
      case .escape: try desk.press(.escape)
      case .elsewhere: try desk.click(x: 750, y: 550)
      case .ownWindow: try desk.click(x: 120, y: 120)
      case .iconified: desk.iconify(owner)
      case .moved: desk.move(owner, to: Place(300, 300, 200, 100))
      case .focus: desk.focus(scenario.other)
      }
      try #require(program.run { scenario.menu.dismissals == 1 })
      try #require(program.run { isPointerFree(scenario) })
      #expect(scenario.client.place(of: scenario.menuWindow) == nil)
      // The press that ends it is nobody else's.
      #expect(!program.calls.contains("down"))
      program.run(milliseconds: 100)
      if end == .escape || end == .ownWindow || end == .elsewhere { #expect(program.calls == scenario.calls) }
    }

    @Test("The grab ends with the program")
    func death() async throws {
      let scenario = try await present(.openbox)
      try #require(!isPointerFree(scenario))
      // As the server does when a killed program's socket closes.
      scenario.client.killClient(of: scenario.menuWindow)
      #expect(isPointerFree(scenario))
    }

    @Test("A menu is dismissed where another client has the pointer")
    func refused() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let program = try XProgram(display: desktop.server.display)
      let window = try #require(program.window)
      try #require(desktop.desk.client.grabsPointer(keeps: true))
      let menu = Menu(above: window, kind: .menu)
      #expect(menu.present(at: Rect(x: 250, y: 150, width: 120, height: 200)))
      try #require(program.run { menu.dismissals == 1 })
      #expect(!menu.isPresented && program.scene?.activationState == .foregroundActive)
    }

    @Test("Without a window manager a menu opened by key keeps the keyboard where the pointer decides")
    func unmanaged() async throws {
      let desktop = try await PrivateDesktop(.none)
      // Each event comes by itself: between FocusOut and FocusIn the window that stays active is without the focus.
      let proxy = try XProxy(to: desktop.server, Faults(pieces: [32], pause: .milliseconds(1)))
      defer { withExtendedLifetime(proxy) {} }
      let program = try XProgram(display: proxy.display)
      let window = try #require(program.window)
      desktop.desk.client.focusByPointer(x: 200, y: 150)
      let windows = program.platform.parts.context.windows
      try #require(
        program.run {
          windows.all.contains { $0.model.focus.pointerFocus && !$0.model.focus.hasFocus }
            && program.scene?.activationState == .foregroundActive
        })
      // The server moves the focus for a request whose time is not before that of its latest change (X protocol,
      // SetInputFocus): that of the key which opens the menu.
      try desktop.desk.key("m")
      try #require(program.run { program.calls.contains("key m") })
      let menu = Menu(above: window, kind: .menu)
      #expect(menu.present(at: Rect(x: 150, y: 120, width: 120, height: 200)))
      try #require(program.run { windows.all.contains { $0.model.focus.hasFocus } })
      program.run(milliseconds: 500)
      #expect(menu.isPresented && program.scene?.activationState == .foregroundActive)
    }
  }
}

extension XClient {
  /// Takes the pointer, if nobody holds it, and gives it back unless it is to be kept.
  fileprivate func grabsPointer(keeps: Bool = false) -> Bool {
    let cookie = xcb_grab_pointer(connection, 0, root, 0, 1, 1, 0, 0, 0)
    let isGrabbed = read(xcb_grab_pointer_reply(connection, cookie, nil)) { $0.pointee.status } == 0
    if isGrabbed, !keeps { xcb_ungrab_pointer(connection, 0) }
    sync()
    return isGrabbed
  }

  fileprivate func isOverrideRedirect(_ window: UInt32) -> Bool {
    let cookie = xcb_get_window_attributes(connection, window)
    return read(xcb_get_window_attributes_reply(connection, cookie, nil)) { $0.pointee.override_redirect } == 1
  }

  fileprivate func parent(of window: UInt32) -> UInt32? {
    let cookie = xcb_query_tree(connection, window)
    return read(xcb_query_tree_reply(connection, cookie, nil)) { $0.pointee.parent }
  }

  fileprivate func focusByPointer(x: Int16, y: Int16) {
    xcb_warp_pointer(connection, 0, root, 0, 0, 0, 0, x, y)
    xcb_set_input_focus(connection, 1, 1, 0)
    sync()
  }
}
