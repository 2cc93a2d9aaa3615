import DeskSupport
import ProsceniumCore
import ProsceniumTesting
import SuiteSupport
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// What a program hears of the user's hands, in the order of its scene's steps: from XTEST to the window.
  @MainActor @Suite("Input and the scene's state") struct FocusPressTests {
    /// A point within the program's window.
    private let place: (x: Int, y: Int) = (180, 150)

    @Test(
      "The press that gives the focus arrives once, after sceneDidBecomeActive",
      arguments: [WindowManager.openbox, .xfwm4])
    func press(manager: WindowManager) async throws {
      try Requirement.windowManager(manager)
      // Given a program in sight, and another window with the focus
      let desktop = try await PrivateDesktop(manager)
      let program = try XProgram(display: desktop.server.display)
      let other = desktop.desk.client.makeWindow(x: 700, y: 500)
      desktop.desk.focus(other)
      try #require(program.run { program.calls.last == "scene1 sceneWillResignActive" })
      let count = program.calls.count
      // When the wheel is turned over the program's window, which is a click that gives the focus under xfwm4
      if manager == .openbox {
        desktop.desk.movePointer(x: place.x, y: place.y)
        try desktop.desk.scroll()
        try #require(program.run { program.calls.count > count })
      }
      // And then the window is clicked
      try desktop.desk.click(x: place.x, y: place.y)
      try #require(program.run { program.calls.contains("up") })
      program.run(milliseconds: 200)
      // Then it hears of each once, and of the press as an active scene
      let wheel: [DelegateCall] = manager == .openbox ? ["scroll"] : []
      #expect(Array(program.calls.dropFirst(count)) == wheel + ["scene1 sceneDidBecomeActive", "down", "up"])
    }

    @Test("What is pressed while another client has the keyboard is not heard, then or later")
    func grabbed() async throws {
      try Requirement.windowManager(.openbox)
      // Given an active program
      let desktop = try await PrivateDesktop(.openbox)
      let program = try XProgram(display: desktop.server.display)
      desktop.desk.movePointer(x: place.x, y: place.y)
      try desktop.desk.key("a")
      try #require(program.run { program.calls.last == "key a" })
      let count = program.calls.count
      // When another client takes the keyboard, and keys and buttons are pressed
      try #require(program.run { (try? desktop.desk.tryToGrabKeyboard()) == true })
      try #require(program.run { program.calls.last == "scene1 sceneWillResignActive" })
      #expect(program.scene?.inactiveReason == .interrupted)
      for _ in 0..<20 {
        try desktop.desk.key("b")
        try desktop.desk.click(x: place.x, y: place.y)
        try desktop.desk.scroll()
      }
      program.run(milliseconds: 200)
      // And it lets go
      desktop.desk.ungrabKeyboard()
      try #require(program.run { program.scene?.activationState == .foregroundActive })
      try desktop.desk.key("c")
      try #require(program.run { program.calls.last == "key c" })
      program.run(milliseconds: 200)
      // Then only what came afterwards is heard
      #expect(
        program.calls.dropFirst(count) == ["scene1 sceneWillResignActive", "scene1 sceneDidBecomeActive", "key c"])
    }
  }
}
