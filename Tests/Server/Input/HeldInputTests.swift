import CXCB
import DeskSupport
import Glibc
import ProsceniumCore
import ProsceniumDesk
import ProsceniumTesting
import SuiteSupport
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// Keys and buttons that the user holds while their window hears of them no more.
  @MainActor @Suite("Held input") struct HeldInputTests {
    private let desktop: PrivateDesktop
    private let stage: Recording
    private let window: WindowID
    private var desk: Desk { desktop.desk }
    private var client: XClient { desktop.desk.client }

    init() async throws {
      desktop = try await PrivateDesktop(.none)
      let stage = try Recording(display: desktop.server.display)
      let window = stage.makeWindow { $0.position = Point(x: 100, y: 100) }
      stage.perform(.show(window, .activated))
      try #require(stage.run { stage.isFocused(window) })
      (self.stage, self.window) = (stage, window)
      // As long as a test takes
      stage.platform.parts.input.keyboard.hotKeyTime = .seconds(3600)
    }

    /// What the window has heard of a key, without its repetitions: whether it went down.
    private func heard(_ character: String) -> [Bool] {
      stage.keys.filter { $0.characters == character && !$0.isRepeat }.map(\.isDown)
    }

    private var buttons: [PointerButton] {
      stage.events.compactMap { event in
        guard case .input(window, let input) = event, case .button(let button) = input.kind else { return nil }
        return button
      }
    }

    private var isNothingDown: Bool { stage.platform.parts.input.keyboard.down.isEmpty }

    // MARK: Keys

    /// What holds the keyboard for a moment.
    enum Holder: CaseIterable { case hotKey, client, program }

    @Test("a key stays down while something else has the keyboard for a moment", arguments: Holder.allCases)
    func moment(holder: Holder) throws {
      let mode = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
      if holder == .hotKey {
        // F9
        xcb_grab_key(client.connection, 0, client.root, UInt16(XCB_MOD_MASK_ANY.rawValue), 75, mode, mode)
        client.sync()
      }
      try desk.hold("w", isDown: true)
      #expect(stage.run { heard("w") == [true] })
      switch holder {
      case .hotKey: try desk.press(.function(9))
      case .client: #expect(client.grabKeyboard(forAnInstant: true))
      case .program:
        let handle = try #require(stage.platform.handle(for: window))
        _ = xcb_grab_keyboard(handle.connection, 0, window.rawValue, 0, mode, mode)
        xcb_ungrab_keyboard(handle.connection, 0)
        stage.synchronise()
      }
      try desk.key("b")
      #expect(stage.run { heard("b") == [true, false] })
      #expect(heard("w") == [true])
      try desk.hold("w", isDown: false)
      #expect(stage.run { heard("w") == [true, false] })
      #expect(isNothingDown && !stage.keys.contains { $0.code == 75 })
      #expect(stage.errors == [])
    }

    @Test("of the keys that are held while another client has the keyboard, those go up that are let go")
    func releasedElsewhere() throws {
      xcb_change_keyboard_control(client.connection, XCB_KB_AUTO_REPEAT_MODE.rawValue, [UInt32(0)])
      for key: DeskKey in ["w", "e"] { try desk.hold(key, isDown: true) }
      #expect(stage.run { stage.keys.count == 2 })
      #expect(client.grabKeyboard())
      try desk.hold("e", isDown: false)
      try desk.hold("r", isDown: true)
      desk.ungrabKeyboard()
      #expect(stage.run { heard("e") == [true, false] })
      // What was pressed meanwhile was for the other client
      for key: DeskKey in ["r", "w"] { try desk.hold(key, isDown: false) }
      try desk.key("e")
      #expect(stage.run { heard("e") == [true, false, true, false] })
      #expect(heard("w") == [true, false] && heard("r") == [])
      #expect(isNothingDown && stage.errors == [])
    }

    @Test("a key that is pressed again before it is known that it was let go stays down")
    func pressedAgain() throws {
      xcb_change_keyboard_control(client.connection, XCB_KB_AUTO_REPEAT_MODE.rawValue, [UInt32(0)])
      try desk.hold("w", isDown: true)
      #expect(stage.run { stage.keys.count == 1 })
      #expect(client.grabKeyboard())
      try desk.hold("w", isDown: false)
      // Given the question, and its answer, which has not been read when the key is pressed
      let platform = stage.platform
      let topLevel = try #require(platform.parts.context.windows[window.rawValue])
      platform.parts.input.keyboard.focusChanged(topLevel, isIn: true, .ungrab, .nonlinear)
      let connection = platform.parts.server.connection.raw
      free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil))
      desk.ungrabKeyboard()
      try desk.hold("w", isDown: true)
      try desk.key("b")
      #expect(stage.run { heard("b") == [true, false] })
      #expect(heard("w") == [true, false, true])
      try desk.hold("w", isDown: false)
      #expect(stage.run { heard("w") == [true, false, true, false] })
      #expect(isNothingDown && stage.errors == [])
    }

    @Test("a key goes up while another client keeps the keyboard, and is not pressed again")
    func lasting() throws {
      stage.platform.parts.input.keyboard.hotKeyTime = .zero
      try desk.hold("w", isDown: true)
      #expect(stage.run { heard("w") == [true] })
      #expect(client.grabKeyboard())
      #expect(stage.run { heard("w") == [true, false] })
      #expect(isNothingDown)
      try desk.hold("w", isDown: false)
      desk.ungrabKeyboard()
      try desk.key("b")
      #expect(stage.run { heard("b") == [true, false] })
      #expect(heard("w") == [true, false] && isNothingDown)
    }

    @Test("a key goes up where the focus goes on while another client has the keyboard")
    func focusElsewhere() throws {
      let other = stage.makeWindow("other") { $0.position = Point(x: 600, y: 500) }
      stage.perform(.show(other, .quiet))
      #expect(stage.run { stage.isVisible(other) })
      try desk.hold("w", isDown: true)
      #expect(stage.run { heard("w") == [true] })
      #expect(client.grabKeyboard())
      xcb_set_input_focus(client.connection, UInt8(XCB_INPUT_FOCUS_PARENT.rawValue), other.rawValue, 0)
      client.sync()
      #expect(stage.run { heard("w") == [true, false] })
      desk.ungrabKeyboard()
      try desk.hold("w", isDown: false)
      try desk.key("b")
      #expect(stage.run { heard("b") == [true, false] })
      #expect(heard("w") == [true, false] && isNothingDown)
    }

    // MARK: Buttons

    /// What takes a window out of sight: the program, or a window manager that unmaps it, or its frame.
    enum Hiding: CaseIterable { case withdrawn, unmapped, frameUnmapped }

    @Test("a button that is down when its window goes out of sight goes up once", arguments: Hiding.allCases)
    func hidden(hiding: Hiding) throws {
      let connection = client.connection
      let frame = hiding == .frameUnmapped ? client.makeWindow(x: 100, y: 100) : 0
      if hiding == .frameUnmapped {
        xcb_reparent_window(connection, window.rawValue, frame, 0, 0)
        client.sync()
        let windows = stage.platform.parts.context.windows
        #expect(stage.run { windows[window.rawValue]?.frames.found.map(\.window) == [frame] })
        #expect(stage.run { stage.isVisible(window) })
      }
      desk.movePointer(x: 150, y: 150)
      try desk.button(isDown: true)
      #expect(stage.run { buttons.map(\.isDown) == [true] })
      switch hiding {
      case .withdrawn: stage.perform(.withdraw(window))
      case .unmapped: xcb_unmap_window(connection, window.rawValue)
      case .frameUnmapped: xcb_unmap_window(connection, frame)
      }
      client.sync()
      #expect(stage.run { !stage.isVisible(window) })
      // Outside of the window, where a release is no click
      #expect(buttons.last == PointerButton(number: 1, isDown: false, location: Point(x: -1, y: -1)))
      switch hiding {
      case .withdrawn: stage.perform(.show(window, .activated))
      case .unmapped: xcb_map_window(connection, window.rawValue)
      case .frameUnmapped: xcb_map_window(connection, frame)
      }
      client.sync()
      #expect(stage.run { stage.isVisible(window) })
      try desk.button(isDown: false)
      try desk.click(x: 160, y: 150)
      #expect(stage.run { buttons.last?.location.x == 60 && buttons.last?.isDown == false })
      #expect(buttons.map(\.isDown) == [true, false, true, false])
      #expect(stage.errors == [])
    }

    @Test("a program hears that a button goes up as its window is iconified")
    func program() async throws {
      try Requirement.windowManager(.openbox)
      let desktop = try await PrivateDesktop(.openbox)
      let program = try XProgram(display: desktop.server.display)
      let window = try #require(program.window?.id)
      desktop.desk.movePointer(x: 180, y: 150)
      try desktop.desk.button(isDown: true)
      try #require(program.run { program.calls.contains("down") })
      desktop.desk.iconify(window.rawValue)
      #expect(program.run { program.scene?.activationState == .background })
      #expect(program.calls.filter { ["down", "up"].contains($0) } == ["down", "up"])
    }
  }
}
