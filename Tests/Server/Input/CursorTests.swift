import DeskSupport
import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// What the server shows as the pointer over our windows.
  @MainActor @Suite("Cursor", .enabled(if: TestServer.exists("xdotool"))) struct CursorTests {
    @Test("each window has its own shape, and none where none is wanted")
    func shapes() throws {
      let server = try #require(TestServer())
      let stage = try Recording(server)
      let witness = try XClient(display: server.display)
      let window = stage.makeWindow { $0.position = Point(x: 0, y: 0) }
      let other = stage.makeWindow("other") { $0.position = Point(x: 700, y: 500) }
      for id in [window, other] {
        stage.perform(.show(id, .activated))
        #expect(stage.run { stage.isVisible(id) })
      }
      server.run("xdotool", "mousemove", "50", "60")

      // Given a shape, when it has been found, then the server shows it
      func shape(_ cursor: Cursor) throws -> CursorImage {
        stage.perform(.setCursor(window, cursor))
        #expect(stage.run { stage.platform.parts.input.cursors.ready[cursor] != nil })
        stage.synchronise()
        return try witness.cursorImage()
      }
      let arrow = try shape(.arrow)
      let text = try shape(.text)
      let hidden = try shape(.hidden)
      let unknown = try shape(Cursor(rawValue: "a-shape-that-no-theme-has"))
      #expect(!arrow.isEmpty && !text.isEmpty && hidden.isEmpty && !unknown.isEmpty)
      #expect(arrow != text)
      // Again: nothing is made anew
      let count = stage.platform.parts.input.cursors.ready.count
      #expect(try shape(.text) == text)
      stage.perform(.setCursor(other, .text))
      stage.synchronise()
      server.run("xdotool", "mousemove", "750", "560")
      witness.sync()
      #expect(try witness.cursorImage() == text)
      #expect(stage.platform.parts.input.cursors.ready.count == count)
      #expect(stage.errors == [])
    }

    @Test("every shape has a glyph that the core font has")
    func glyphs() {
      let all: [Cursor] = [
        .arrow, .text, .pointingHand, .wait, .crosshair, .notAllowed, .resizeVertically, .resizeHorizontally,
      ]
      #expect(Set(all.map(CursorNames.glyph)).count == all.count)
      #expect(all.allSatisfy { CursorNames.glyph($0) % 2 == 0 && CursorNames.glyph($0) < 154 })
      #expect(CursorNames.themeNames(.text) == ["text", "xterm"])
    }
  }
}
