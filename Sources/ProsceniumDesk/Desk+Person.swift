import CXCB
import Glibc

/// The user's actions on windows, by the means of each window manager.
extension Desk {
  /// Gives a window the focus.
  ///
  /// As a pager or a taskbar does where the window manager listens to them (`_NET_ACTIVE_WINDOW`), else by
  /// SetInputFocus, or with the pointer where the focus follows it.
  /// - Parameter window: The window.
  public func focus(_ window: UInt32) {
    switch kind.focusMethod {
    case .pager: client.ask(window, "_NET_ACTIVE_WINDOW", [2, 0, 0])
    case .client:
      xcb_set_input_focus(client.connection, UInt8(XCB_INPUT_FOCUS_PARENT.rawValue), window, 0)
      xcb_configure_window(
        client.connection, window, UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue), [XCB_STACK_MODE_ABOVE.rawValue])
      client.sync()
    case .pointer:
      guard let place = client.place(of: window) else { return }
      // From outside, so that the window is entered.
      movePointer(x: Int(client.width) - 1, y: Int(client.height) - 1)
      movePointer(x: place.x + place.width / 2, y: place.y + place.height / 2)
    }
  }

  /// Minimises a window (ICCCM 4.1.4, WM_CHANGE_STATE).
  /// - Parameter window: The window.
  /// - Throws: ``DeskFailure`` where this window manager has no minimised windows, with its substitute.
  public func minimize(_ window: UInt32) throws {
    try demand(.iconify)
    iconify(window)
  }

  /// Shows a minimised window again, with the focus where the window manager gives it.
  /// - Parameter window: The window.
  public func restore(_ window: UInt32) {
    if kind.speaksEWMH {
      client.ask(window, "_NET_ACTIVE_WINDOW", [2, 0, 0])
    } else {
      client.map(window)
    }
  }

  /// Goes to another desktop, also called a workspace; the first is 0.
  /// - Parameter desktop: The workspace.
  /// - Throws: ``DeskFailure`` where this window manager has only one, and where there is none of this number.
  public func goToDesktop(_ desktop: Int) async throws {
    try demand(.switchDesktop)
    try await switchDesktop(number(ofDesktop: desktop))
  }

  /// Sends a window to another desktop; the first is 0.
  /// - Parameters:
  ///   - window: The window.
  ///   - desktop: The workspace.
  /// - Throws: ``DeskFailure`` where this window manager has only one, and where there is none of this number.
  public func send(_ window: UInt32, toDesktop desktop: Int) async throws {
    try demand(.sendToDesktop)
    try await sendToDesktop(window, number(ofDesktop: desktop))
  }

  private func number(ofDesktop desktop: Int) throws -> UInt32 {
    guard let number = UInt32(exactly: desktop) else {
      throw DeskFailure("there is no desktop \(desktop); the first is 0")
    }
    // Commands make the desktop that they go to.
    if case .pager(let count) = kind.desktops {
      let present = client.longs(client.root, "_NET_NUMBER_OF_DESKTOPS", type: "CARDINAL")?.first ?? 0
      let last = max(count, present) - 1
      if number > last { throw DeskFailure("there is no desktop \(desktop) under \(kind); the last is \(last)") }
    }
    return number
  }

  /// Hides all windows to show the desktop, or brings them back (`_NET_SHOWING_DESKTOP`).
  /// - Parameter isShown: Whether the desktop is shown.
  /// - Throws: ``DeskFailure`` where this window manager cannot.
  public func setShowsDesktop(_ isShown: Bool) throws {
    try demand(.showDesktop)
    showDesktop(isShown)
  }

  /// Has the window manager make a window full-screen, or no longer (`_NET_WM_STATE`).
  /// - Parameters:
  ///   - window: The window.
  ///   - isFullScreen: Whether it fills the screen.
  public func setFullScreen(_ window: UInt32, _ isFullScreen: Bool) {
    client.ask(window, "_NET_WM_STATE", [isFullScreen ? 1 : 0, client.atom("_NET_WM_STATE_FULLSCREEN"), 0, 2])
  }

  /// Moves and resizes a window, as another program may ask for it; pixels, without the frame.
  /// - Parameters:
  ///   - window: The window.
  ///   - place: The rectangle.
  public func move(_ window: UInt32, to place: Place) { client.move(window, to: place) }

  /// Closes a window as its close button does: its program is asked, and may refuse.
  /// - Parameter window: The window.
  public func close(_ window: UInt32) {
    if kind.speaksEWMH && kind.closesForPagers {
      client.ask(window, "_NET_CLOSE_WINDOW", [0, 2])
    } else {
      client.sendMessage(window, "WM_PROTOCOLS", [client.atom("WM_DELETE_WINDOW"), 0])
    }
  }

  /// Destroys a window over its program's head, as no person and only a broken program does.
  /// - Parameter window: The window.
  public func destroy(_ window: UInt32) { client.destroy(window) }

  /// Cuts the connection of the program that has a window, as xkill(1) does.
  /// - Parameter window: A window of the program.
  public func killClient(of window: UInt32) { client.killClient(of: window) }

  /// Covers the screen with a full-screen window, which stays until it is destroyed.
  /// - Returns: That window, for ``destroy(_:)``.
  public func cover() -> UInt32 {
    client.makeWindow(x: 0, y: 0, width: client.width, height: client.height) { window in
      client.setProperty(window, "_NET_WM_STATE", type: "ATOM", longs: [client.atom("_NET_WM_STATE_FULLSCREEN")])
    }
  }

  /// An action that this window manager does not support is an error here, rather than a later timeout.
  private func demand(_ action: DeskAction) throws {
    switch kind.limit(of: action)?.effect {
    case nil, .firstOnly, .unseen: return
    case .nothing, .end:
      throw DeskFailure(
        "cannot \(action.rawValue) under \(kind): \(kind.reasonAgainst(action) ?? ""). Take another window manager for this test."
      )
    }
  }
}

/// The same, whether the window manager can or not.
extension Desk {
  /// Asks for the iconic state (ICCCM 4.1.4).
  package func iconify(_ window: UInt32) { client.ask(window, "WM_CHANGE_STATE", [3]) }

  package func switchDesktop(_ desktop: UInt32) async throws {
    switch kind.desktops {
    case .commands(let go, send: _): try await tool(go, desktop: desktop)
    case .pager, .none: client.ask(client.root, "_NET_CURRENT_DESKTOP", [desktop, 0])
    }
  }

  package func sendToDesktop(_ window: UInt32, _ desktop: UInt32) async throws {
    switch kind.desktops {
    case .commands(go: _, let send): try await tool(send, desktop: desktop, window: window)
    case .pager, .none: client.ask(window, "_NET_WM_DESKTOP", [desktop, 2])
    }
  }

  package func showDesktop(_ isShown: Bool) { client.ask(client.root, "_NET_SHOWING_DESKTOP", [isShown ? 1 : 0]) }

  private func tool(_ arguments: [String], desktop: UInt32, window: UInt32 = 0) async throws {
    let arguments = arguments.map {
      $0.replacing("{number}", with: "\(desktop + 1)").replacing("{window}", with: "\(window)")
        .replacing("{home}", with: server.home.path)
    }
    let home = try TemporaryFolder()
    let process = try ChildProcess(
      arguments, environment: try privateEnvironment(home: home, display: server.display),
      output: home.file("out"), errors: home.file("err"))
    let ending = try await process.wait()
    guard ending == .exited(0) else { throw DeskFailure("\(arguments): \(ending) \(text(of: process.errorPath))") }
  }
}
