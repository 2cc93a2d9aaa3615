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
  /// Buttons that the user holds while their window hears of them no more.
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
    }

    private var buttons: [PointerButton] {
      stage.events.compactMap { event in
        guard case .input(window, let input) = event, case .button(let button) = input.kind else { return nil }
        return button
      }
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
