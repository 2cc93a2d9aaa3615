import ProsceniumCore
import ProsceniumTesting
import Testing

/// Buttons that are down in windows that go out of sight.
@MainActor @Suite("Presses in windows that nobody sees") struct HiddenPressTests {
  /// Writes down what it gets.
  final class Recorder: Responder, WindowContent {
    var heard: [String] = []
    func draw(_ buffer: inout PixelBuffer, damage: [Rect]) {}
    func responder(for event: Event) -> Responder? { self }
    func inputWithheld() { heard.append("withheld") }
    override func handle(_ event: Event) -> Bool {
      if case .button(let button) = event.kind { heard.append(button.isDown ? "down" : "up") }
      return true
    }
  }

  @Test("The press ends before its release, which is no action; in a window that is seen it does not")
  func order() throws {
    let (delegate, recorder) = (ResponderChainTests.Both(), Recorder())
    let program = HeadlessProgram()
    program.launch(delegate)
    program.advance(by: 1000)
    let window = try #require(delegate.window)
    window.content = recorder
    func button(isDown: Bool) {
      program.desk.send(
        .button(PointerButton(number: 1, isDown: isDown, location: Point(x: -1, y: -1), modifiers: [])), to: window)
    }
    button(isDown: true)
    button(isDown: false)
    #expect(recorder.heard == ["down", "up"])
    button(isDown: true)
    program.desk.minimize(window)
    program.advance(by: 10)
    button(isDown: false)
    #expect(recorder.heard == ["down", "up", "down", "withheld", "up"])
  }
}
