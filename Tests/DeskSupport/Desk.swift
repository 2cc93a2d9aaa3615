import CXCB
import Glibc

/// What a person, a pager or another program does to windows.
package enum DeskAction: String, CaseIterable, Sendable {
  case focusFirst, focusSecond, iconify, switchDesktop, sendToDesktop, showDesktop, cover, close
  case grabShortly, grabForLong
}

/// A person at the desk, with a client of their own.
package final class Desk: Sendable {
  package let client: XClient
  package let server: XServer
  package let kind: WindowManager

  package init(server: XServer, windowManager: WindowManager) throws {
    self.server = server
    kind = windowManager
    client = try XClient(display: server.display)
  }

  /// Gives a window the focus as a pager does; without EWMH as any client may.
  package func focus(_ window: UInt32) {
    if kind.speaksEWMH {
      // Source 2: a pager, which no focus-stealing prevention refuses (EWMH, _NET_ACTIVE_WINDOW).
      client.ask(window, "_NET_ACTIVE_WINDOW", [2, 0, 0])
    } else {
      xcb_set_input_focus(client.connection, UInt8(XCB_INPUT_FOCUS_PARENT.rawValue), window, 0)
      xcb_configure_window(
        client.connection, window, UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue), [XCB_STACK_MODE_ABOVE.rawValue])
      client.sync()
    }
  }

  /// Asks for the iconic state (ICCCM 4.1.4).
  package func iconify(_ window: UInt32) { client.ask(window, "WM_CHANGE_STATE", [3]) }

  package func restore(_ window: UInt32) {
    if kind.speaksEWMH {
      client.ask(window, "_NET_ACTIVE_WINDOW", [2, 0, 0])
    } else {
      xcb_map_window(client.connection, window)
      client.sync()
    }
  }

  package func switchDesktop(_ desktop: UInt32) async throws {
    if kind == .i3 { return try await i3("workspace \(desktop + 1)") }
    client.ask(client.root, "_NET_CURRENT_DESKTOP", [desktop, 0])
  }

  package func sendToDesktop(_ window: UInt32, _ desktop: UInt32) async throws {
    if kind == .i3 { return try await i3("[id=\"\(window)\"] move container to workspace \(desktop + 1)") }
    client.ask(window, "_NET_WM_DESKTOP", [desktop, 2])
  }

  package func showDesktop(_ isShown: Bool) { client.ask(client.root, "_NET_SHOWING_DESKTOP", [isShown ? 1 : 0]) }

  /// A full-screen window of our own, which covers everything until it is destroyed.
  package func cover() -> UInt32 {
    client.makeWindow(x: 0, y: 0, width: client.width, height: client.height) { window in
      client.setProperty(window, "_NET_WM_STATE", type: "ATOM", longs: [client.atom("_NET_WM_STATE_FULLSCREEN")])
    }
  }

  /// Asks a window manager to make a window full-screen or not (EWMH, _NET_WM_STATE).
  package func setFullScreen(_ window: UInt32, _ isFullScreen: Bool) {
    client.ask(window, "_NET_WM_STATE", [isFullScreen ? 1 : 0, client.atom("_NET_WM_STATE_FULLSCREEN"), 0, 2])
  }

  /// Closes a window as its close button does.
  package func close(_ window: UInt32) {
    if kind.speaksEWMH {
      client.ask(window, "_NET_CLOSE_WINDOW", [0, 2])
    } else {
      client.tell(window, "WM_PROTOCOLS", [client.atom("WM_DELETE_WINDOW"), 0])
    }
  }

  /// Takes the keyboard, as lockers, switchers and screenshot tools do.
  package func grabKeyboard() async throws {
    try await waitUntil("the keyboard to be free") { try tryToGrabKeyboard() }
  }

  /// Takes the keyboard if nobody else has it.
  package func tryToGrabKeyboard() throws -> Bool {
    let mode = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
    let cookie = xcb_grab_keyboard(client.connection, 0, client.root, 0, mode, mode)
    guard let reply = xcb_grab_keyboard_reply(client.connection, cookie, nil) else {
      throw DeskFailure("GrabKeyboard was refused")
    }
    defer { free(reply) }
    return reply.pointee.status == XCB_GRAB_STATUS_SUCCESS.rawValue
  }

  package func ungrabKeyboard() {
    xcb_ungrab_keyboard(client.connection, 0)
    client.sync()
  }

  /// Presses and releases a key, which goes to the window with the focus.
  package func key(_ character: Character) throws {
    guard let keysym = character.asciiValue, let code = client.keycode(UInt32(keysym)) else {
      throw DeskFailure("no key for \(character)")
    }
    try client.fakeInput(type: 2, detail: code)
    try client.fakeInput(type: 3, detail: code)
    client.sync()
  }

  /// Moves the pointer to a point of the screen.
  package func movePointer(x: Int16, y: Int16) {
    xcb_warp_pointer(client.connection, 0, client.root, 0, 0, 0, 0, x, y)
    client.sync()
  }

  /// Presses or releases the first button where the pointer is.
  package func button(isDown: Bool) throws {
    try client.fakeInput(type: isDown ? 4 : 5, detail: 1)
    client.sync()
  }

  /// Turns the wheel downwards by one notch.
  package func scroll() throws {
    try client.fakeInput(type: 4, detail: 5)
    try client.fakeInput(type: 5, detail: 5)
    client.sync()
  }

  /// Clicks at a point of the screen with the first button.
  package func click(x: Int16, y: Int16) throws {
    movePointer(x: x, y: y)
    try client.fakeInput(type: 4, detail: 1)
    try client.fakeInput(type: 5, detail: 1)
    client.sync()
  }

  /// Writes a picture of the whole screen, for people who look into a failure.
  package func screenshot(to path: String) async throws { try await tool(["import", "-window", "root", path]) }

  private func i3(_ command: String) async throws { try await tool(["i3-msg", "-q", command]) }

  private func tool(_ arguments: [String]) async throws {
    let home = try TemporaryFolder()
    let process = try ChildProcess(
      arguments, environment: try privateEnvironment(home: home, display: server.display),
      output: home.file("out"), errors: home.file("err"))
    let ending = try await process.wait()
    guard ending == .exited(0) else { throw DeskFailure("\(arguments): \(ending) \(text(of: process.errorPath))") }
  }
}
