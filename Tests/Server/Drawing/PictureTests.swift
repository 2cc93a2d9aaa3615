import DeskSupport
import ProsceniumCore
import Testing

@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumX11

extension X11PlatformTests {
  /// Pictures that stand for what a window's scene would draw.
  @MainActor @Suite("Pictures") struct PictureTests {
    private func snapshot(_ width: Int, _ height: Int, _ color: UInt32) throws -> Snapshot {
      let whole = Rect(x: 0, y: 0, width: width, height: height)
      return Snapshot(try #require(Picture(size: whole.size) { $0.fill(whole, with: Color(rgb: color)) }))
    }

    @Test("a cover takes the place of what was drawn, on each way to the screen, and the surface goes")
    func cover() throws {
      for way in SurfaceTests.Way.allCases {
        let server = try #require(TestServer(way.options))
        let easel = try Easel(display: server.display, without: way.limit)
        #expect(easel.fill(Rect(x: 0, y: 0, width: 300, height: 200), 0x123456))
        // The frame may still be on its way.
        #expect(easel.stage.platform.keepsPixels(easel.window))
        easel.stage.perform(.cover(easel.window, try snapshot(300, 200, 0xABCDEF)))
        #expect(easel.surface == nil)
        let isCovered = easel.stage.runLooking { Set(easel.seen) == [0xABCDEF] }
        #expect(isCovered, "\(way)")
        #expect(easel.fill(Rect(x: 0, y: 0, width: 300, height: 200), 0x654321) && easel.showsExpected())
        easel.stage.perform(.withdraw(easel.window))
        #expect(easel.stage.run { !easel.stage.platform.keepsPixels(easel.window) })
        #expect(easel.stage.errors == [])
      }
    }

    @Test("a window that the program draws into by its own means is covered too")
    func ownMeans() throws {
      let server = try #require(TestServer())
      let stage = try Recording(server)
      let window = stage.makeWindow { $0.size = Size(width: 100, height: 80) }
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
      stage.perform(.cover(window, try snapshot(60, 80, 0xABCDEF)))
      stage.synchronise()
      let witness = try XClient(display: server.display)
      #expect(
        stage.runLooking {
          witness.pixels(of: window.rawValue, x: 59, y: 79, width: 2, height: 1) == [0xABCDEF, 0xFF_FFFF]
        })
      #expect(stage.errors == [])
    }

    @Test("a picture is there as soon as the window is, until something is drawn, and is then given back")
    func background() throws {
      let server = try #require(TestServer())
      let stage = try Recording(server)
      let witness = try XClient(display: server.display)
      let window = stage.makeWindow { $0.size = Size(width: 100, height: 80) }
      stage.perform(.showPicture(window, try snapshot(100, 80, 0xABCDEF)))
      stage.perform(.setBackground(window, .black))
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
      func pixel(_ x: Int, _ y: Int) -> UInt32? {
        stage.synchronise()
        return witness.pixels(of: window.rawValue, x: x, y: y, width: 1, height: 1)?.first
      }
      #expect(pixel(0, 0) == 0xABCDEF && pixel(99, 79) == 0xABCDEF)
      // The server has no pixmap of ours that we could forget.
      #expect(try witness.resources(ofClientWith: window.rawValue)["PIXMAP"] == nil)
      stage.platform.parts.drawing.frames.begin()
      #expect(stage.run { stage.platform.parts.drawing.frames.support.isKnown })
      let isDrawn = stage.platform.draw(window, damage: Damage()) { buffer, damage in
        for rect in damage.rects { buffer.fill(rect, with: Color(rgb: 0x010203)) }
      }
      #expect(isDrawn && stage.platform.parts.context.windows[window.rawValue]?.drawing.picture == nil)
      #expect(stage.runLooking { pixel(50, 50) == 0x010203 })
      #expect(stage.errors == [])
    }

    @Test("a window that becomes larger than its picture shows the colour again, and one of another size beside it")
    func sizes() throws {
      let server = try #require(TestServer())
      let stage = try Recording(server)
      let witness = try XClient(display: server.display)
      let window = stage.makeWindow { $0.size = Size(width: 100, height: 80) }
      stage.perform(.showPicture(window, try snapshot(50, 120, 0xABCDEF)))
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
      func pixels(_ places: (Int, Int)...) -> [UInt32?] {
        stage.synchronise()
        return places.map { witness.pixels(of: window.rawValue, x: $0.0, y: $0.1, width: 1, height: 1)?.first }
      }
      #expect(pixels((49, 79), (50, 0), (99, 79)) == [0xABCDEF, 0xFF_FFFF, 0xFF_FFFF])
      stage.perform(.request(RequestID(rawValue: 1), window, .geometry(Rect(x: 0, y: 0, width: 90, height: 120))))
      #expect(stage.run { stage.geometry[window]?.frame.size.height == 120 })
      #expect(pixels((49, 119)) == [0xABCDEF])
      stage.perform(.request(RequestID(rawValue: 2), window, .geometry(Rect(x: 0, y: 0, width: 90, height: 300))))
      #expect(stage.run { stage.geometry[window]?.frame.size.height == 300 })
      #expect(pixels((0, 0), (0, 299)) == [0xFF_FFFF, 0xFF_FFFF])
      #expect(stage.errors == [])
    }

    @Test("a bare window that comes back shows the picture through its adoption")
    func adoption() throws {
      let server = try #require(TestServer())
      let stage = try Recording(server)
      let witness = try XClient(display: server.display)
      let window = stage.makeWindow { $0.size = Size(width: 100, height: 80) }
      stage.perform(.show(window, .activated))
      #expect(stage.run { stage.isVisible(window) })
      stage.perform(.bare(window))
      stage.perform(.showPicture(window, try snapshot(100, 80, 0xABCDEF)))
      var description = WindowDescription()
      description.size = Size(width: 100, height: 80)
      stage.perform(.adopt(window, description))
      stage.synchronise()
      #expect(
        stage.runLooking { witness.pixels(of: window.rawValue, x: 50, y: 50, width: 1, height: 1) == [0xABCDEF] })
      stage.perform(.bare(window))
      #expect(stage.platform.parts.context.windows[window.rawValue]?.drawing.picture == nil)
      #expect(stage.errors == [])
    }
  }
}
