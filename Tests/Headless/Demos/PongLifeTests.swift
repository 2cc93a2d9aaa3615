import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import Pong

/// The demo's life in memory: what a program's own tests look like.
@MainActor @Suite("Pong in memory", .serialized) struct PongLifeTests {
  private let program = HeadlessProgram(delegate: PongProgram.init)
  private var title: String? { program.scenes.first?.title }
  private var isPaused: Bool { title?.hasSuffix("(paused)") == true }

  /// A game that has been played for a while.
  private func play() throws -> Window {
    program.launch()
    program.advance(by: .seconds(2))
    program.ignoreLines()
    #expect(!isPaused)
    return try #require(program.windows.first)
  }

  private func press(_ symbol: UInt32, in window: Window) {
    for isDown in [true, false] {
      program.desk.send(.key(Key(code: 65, symbol: symbol, characters: "", isDown: isDown)), to: window)
    }
  }

  @Test("Who leaves finds the game as it was left, and goes on with a key")
  func pauses() throws {
    let window = try play()
    program.desk.focus(nil)
    program.advance(by: .seconds(1))
    try program.expect(
      """
      scene1 sceneWillResignActive foregroundActive -> foregroundInactive
      applicationWillResignActive [inactive]
      """)
    #expect(isPaused)
    let game = (program.scenes.first?.delegate as? PongScene)?.shown
    program.advance(by: .seconds(5))
    program.desk.focus(window)
    program.advance(by: .seconds(1))
    #expect(isPaused && (program.scenes.first?.delegate as? PongScene)?.shown == game)
    press(KeySymbol.space, in: window)
    program.advance(by: .seconds(1))
    #expect(!isPaused && (program.scenes.first?.delegate as? PongScene)?.shown != game)
  }

  @Test("After a crash the game is there, and waits for its player")
  func comesBack() throws {
    let window = try play()
    program.desk.minimize(window)
    program.advance(by: .seconds(2))
    let game = (program.scenes.first?.delegate as? PongScene)?.shown
    program.kill()
    program.relaunch()
    // It was minimised, so there is a window in the taskbar, and no scene.
    #expect(program.scenes.isEmpty)
    program.application.openSessions.first.map(program.desk.restore)
    program.advance(by: .seconds(1))
    #expect(isPaused)
    #expect((program.scenes.first?.delegate as? PongScene)?.shown == game)
  }

  @Test("On a screen of two pixels a point its picture has the pixels' size, so that what is alike need not be drawn")
  func scaled() throws {
    let window = try #require(try play() as? CourtWindow)
    program.desk.screens[0].scale = 2
    #expect(window.scale == 2)
    window.show(Game(seed: 0), message: [])
    #expect(window.picture.size == window.pixelSize)
  }
}

extension PongScene {
  /// Where everything is in the picture.
  fileprivate var shown: Pong.Picture? { window?.picture }
}
