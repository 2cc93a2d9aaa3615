import FoundationEssentials
import ProsceniumCore
import ProsceniumTesting
import Testing

@MainActor @Suite("Screens") struct ScreenTests {
  @MainActor private final class Log { var lines: [String] = [] }

  /// Writes down every screen notification while `body` runs.
  private func notifications(_ body: () -> Void) -> [String] {
    let log = Log()
    let center = NotificationCenter.default
    let tokens = [
      center.addObserver(for: Screen.DidConnectMessage.self) {
        log.lines.append("+\($0.screen.name)")
      },
      center.addObserver(for: Screen.DidDisconnectMessage.self) {
        log.lines.append("-\($0.screen.name)")
      },
      center.addObserver(for: Screen.ModeDidChangeMessage.self) {
        log.lines.append("=\($0.screen.name)")
      },
    ]
    body()
    tokens.forEach { center.removeObserver($0) }
    return log.lines
  }

  private let left = ScreenDescription(name: "LEFT", frame: Rect(x: 0, y: 0, width: 800, height: 600), isPrimary: false)
  private let right = ScreenDescription(
    name: "RIGHT", frame: Rect(x: 800, y: 0, width: 800, height: 600), isPrimary: true)

  @Test("Screens that are there at launch do not connect, though the window system names them later")
  func launch() {
    // Given a window system that knows only the whole at first
    let plain = PlainProgram()
    plain.platform.windowManager.screens = [
      ScreenDescription(
        name: "screen", frame: Rect(x: 0, y: 0, width: 1600, height: 600), isPrimary: true, isProvisional: true)
    ]
    plain.launch()
    let first = plain.program.application.screens[0]
    // When it says which screens there are
    let lines = notifications { plain.platform.send(.screens([left, right])) }
    // Then the primary one is the screen that the program knows already, with another frame
    #expect(plain.program.application.screens.map(\.name) == ["RIGHT", "LEFT"])
    #expect(plain.program.application.screens[0] === first)
    #expect(lines == ["=RIGHT"])
  }

  @Test("Screens come, change and go, each with its notification; the primary one is the first")
  func changes() {
    let plain = PlainProgram()
    plain.platform.windowManager.screens = [right]
    plain.launch()
    #expect(notifications { plain.platform.send(.screens([left, right])) } == ["+LEFT"])
    #expect(plain.program.application.screens.map(\.name) == ["RIGHT", "LEFT"])
    var small = left
    small.frame = Rect(x: 0, y: 0, width: 640, height: 480)
    #expect(notifications { plain.platform.send(.screens([small, right])) } == ["=LEFT"])
    #expect(notifications { plain.platform.send(.screens([right])) } == ["-LEFT"])
  }

  @Test("Screens of one name stay two")
  func namesakes() {
    let plain = PlainProgram()
    plain.platform.windowManager.screens = [left, left]
    plain.launch()
    plain.platform.send(.screens([left, left, right]))
    #expect(Set(plain.program.application.screens).count == 3)
  }
}
