import CCairo
import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace
@testable import ProsceniumUI

extension UISuites {
  /// What views look like in the picture that stands for their scene.
  @MainActor @Suite("Snapshots of views") struct SnapshotTests {
    final class Painted: View {
      var color = Color(rgb: 0xFF0000)
      private(set) var draws = 0
      override func draw(_ rect: Rect, in context: DrawingContext) {
        draws += 1
        context.fill(bounds, with: color)
      }
    }

    private func stage(_ view: View) throws -> UIStage {
      view.frame = Rect(x: 10, y: 10, width: 50, height: 40)
      return try UIStage { window in
        let root = View()
        root.addSubview(view)
        window.rootView = root
      }
    }

    private func pixel(_ stage: UIStage, afterUpdates: Bool) throws -> UInt32 {
      try #require(stage.window.windowScene?.snapshot(afterUpdates: afterUpdates))[20, 20] & 0xFF_FFFF
    }

    @Test("What is hidden, covered, moved or gone is so in the picture, without a frame")
    func properties() throws {
      let view = Painted()
      let stage = try stage(view)
      let ground = stage.window.backgroundColor.rgb
      let frames = stage.program.platform.drawCount
      #expect(try pixel(stage, afterUpdates: false) == 0xFF0000)
      view.isHidden = true
      #expect(try pixel(stage, afterUpdates: false) == ground)
      view.isHidden = false
      view.frame.origin.x = 100
      #expect(try pixel(stage, afterUpdates: false) == ground)
      view.frame.origin.x = 10
      let cover = View(frame: Rect(x: 0, y: 0, width: 320, height: 240))
      cover.backgroundColor = Color(rgb: 0x00FF00)
      stage.window.rootView?.addSubview(cover)
      #expect(try pixel(stage, afterUpdates: false) == 0x00FF00)
      cover.removeFromSuperview()
      view.removeFromSuperview()
      #expect(try pixel(stage, afterUpdates: false) == ground)
      #expect(stage.program.platform.drawCount == frames)
    }

    @Test("A pending redraw of a view that keeps its drawing gets in only where updates are asked for")
    func pendingRedraw() throws {
      let view = Painted()
      view.cachesDrawing = true
      let stage = try stage(view)
      #expect(view.draws == 1)
      view.color = Color(rgb: 0x0000FF)
      view.setNeedsDisplay()
      #expect(try pixel(stage, afterUpdates: false) == 0xFF0000)
      #expect(view.draws == 1)
      #expect(try pixel(stage, afterUpdates: true) == 0x0000FF)
      // The picture took nothing from the frame.
      stage.settle()
      #expect(view.draws == 3)
      #expect(try stage.surface()[20, 20] == 0xFF00_00FF)
      #expect(try pixel(stage, afterUpdates: false) == 0x0000FF)
    }

    @Test("A view that keeps nothing is drawn as it is now")
    func ownState() throws {
      let view = Painted()
      let stage = try stage(view)
      view.color = Color(rgb: 0x0000FF)
      #expect(try pixel(stage, afterUpdates: false) == 0x0000FF)
    }

    @Test("What is hidden in a view of which a picture is kept is so in the picture, and in the next frame")
    func inKeptPicture() throws {
      let (group, view) = (View(), Painted())
      group.shouldRasterize = true
      group.addSubview(view)
      view.frame = Rect(x: 0, y: 0, width: 50, height: 40)
      let stage = try stage(group)
      let ground = stage.window.backgroundColor.rgb
      #expect(try pixel(stage, afterUpdates: false) == 0xFF0000 && group.cache.layer != nil)
      view.isHidden = true
      #expect(try pixel(stage, afterUpdates: false) == ground)
      stage.settle()
      #expect(try stage.surface()[20, 20] & 0xFF_FFFF == ground)
    }

    @Test("What fades in, moves or takes another colour is in the picture as it will be")
    func animated() throws {
      let view = View()
      let stage = try stage(view)
      View.animate(withDuration: .seconds(1)) { view.backgroundColor = Color(rgb: 0x0000FF) }
      #expect(try pixel(stage, afterUpdates: false) == 0x0000FF)
      let cover = View(frame: Rect(x: 0, y: 0, width: 320, height: 240))
      (cover.backgroundColor, cover.alpha) = (Color(rgb: 0x00FF00), 0)
      stage.window.rootView?.addSubview(cover)
      View.animate(withDuration: .seconds(1)) { cover.alpha = 1 }
      #expect(try pixel(stage, afterUpdates: false) == 0x00FF00)
      // The animation goes on.
      stage.settle()
      #expect(try stage.surface()[200, 200] & 0xFF_FFFF != 0x00FF00)
      // A picture of it that is kept from frame to frame is another one.
      stage.window.rootView?.shouldRasterize = true
      stage.settle()
      #expect(try pixel(stage, afterUpdates: false) == 0x00FF00)
      #expect(try stage.surface()[200, 200] & 0xFF_FFFF != 0x00FF00)
    }

    @Test("The picture is taken in the background as well, and leaves nothing there")
    func background() throws {
      let view = Painted()
      view.cachesDrawing = true
      let stage = try stage(view)
      stage.program.desk.minimize(stage.window)
      stage.program.advance(by: 3000)
      #expect(view.cache.surface == nil)
      #expect(try pixel(stage, afterUpdates: true) == 0xFF0000)
      #expect(view.cache.surface == nil)
    }
  }
}
