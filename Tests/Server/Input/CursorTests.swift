import DeskSupport
import Glibc
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

    /// A theme of several sizes, of which the resources choose one.
    private nonisolated static let hasTheme =
      access("/usr/share/icons/Adwaita/cursors/left_ptr", R_OK) == 0 && getenv("XCURSOR_SIZE") == nil

    @Test("a shape that is shown is loaded again when the user chooses another size", .enabled(if: hasTheme))
    func otherSize() throws {
      let server = try #require(TestServer())
      let witness = try XClient(display: server.display)
      func choose(_ size: Int) {
        let lines = "Xcursor.theme:\tAdwaita\nXcursor.size:\t\(size)\n"
        witness.setProperty(witness.root, "RESOURCE_MANAGER", type: "STRING", format: 8, bytes: Array(lines.utf8))
      }
      choose(24)
      let stage = try Recording(server)
      let window = stage.makeWindow { $0.position = Point(x: 0, y: 0) }
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
      server.run("xdotool", "mousemove", "50", "60")
      stage.perform(.setCursor(window, .arrow))
      #expect(stage.run { stage.platform.parts.input.cursors.ready[.arrow] != nil })
      stage.synchronise()
      let small = try witness.cursorImage()
      choose(64)
      #expect(stage.runLooking { (try? witness.cursorImage()).map { $0.height > small.height } == true })
      #expect(stage.errors == [])
    }

    @Test("the user's choice of shapes is in the resources of the theme, the size and the resolution")
    func resources() {
      let text = "Xft.antialias:\t1\nXft.dpi:\t192\nXcursor.size:\t48\n*Xcursor\n"
      #expect(ThemeCursor.resources(in: text) == ["Xft.dpi:\t192", "Xcursor.size:\t48"])
      #expect(ThemeCursor.resources(in: "") == [])
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
