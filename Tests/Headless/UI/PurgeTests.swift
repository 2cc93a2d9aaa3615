import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  @MainActor @Suite("Views out of sight") struct PurgeTests {
    final class Stamp: View {
      var draws = 0
      override func draw(_ rect: Rect, in context: DrawingContext) {
        draws += 1
        context.fill(Rect(x: 5, y: 5, width: 30, height: 10), with: Color(rgb: 0x208040))
      }
    }

    @Test("In the background every cached drawing and layout is given back; shown again the window looks as before")
    func background() throws {
      let stamp = Stamp()
      let text = TextView()
      let label = Label("A label", font: .heading)
      let stage = try UIStage { window in
        let root = View()
        stamp.cachesDrawing = true
        stamp.frame = Rect(x: 10, y: 10, width: 50, height: 30)
        label.frame = Rect(x: 80, y: 10, width: 200, height: 40)
        text.frame = Rect(x: 10, y: 60, width: 300, height: 120)
        text.text = (1...40).map { "Paragraph \($0) of a text that is longer than its view." }.joined(separator: "\n")
        let button = Button()
        button.title = "Press"
        button.frame = Rect(x: 10, y: 190, width: 100, height: 30)
        let image = ImageView()
        image.image = try? Image(
          size: Size(width: 2, height: 2), pixels: [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF, 0xFFFF_FFFF])
        image.frame = Rect(x: 150, y: 190, width: 40, height: 40)
        for view in [stamp, label, text, button, image] as [View] { root.addSubview(view) }
        window.rootView = root
      }
      let before = try stage.surface().pixels
      let scene = try #require(stage.window.windowScene)
      #expect(stamp.cache.surface != nil)
      #if !WITHOUT_Memory
        #expect(scene.footprint == 320 * 240 * 4 + 50 * 30 * 4)
      #endif
      let draws = stamp.draws
      let layouts = text.lines.layoutCount
      stage.program.desk.minimize(stage.window)
      stage.settle()
      stage.program.advance(by: 2000)
      #expect(scene.activationState == .background)
      #expect(stamp.cache.surface == nil)
      #if !WITHOUT_Memory
        #expect(scene.footprint == 0)
      #endif
      #expect(stage.program.platform.surface(of: stage.id) == nil)
      // Properties change in the background, and back: nothing is drawn for it.
      label.text = "Another"
      label.text = "A label"
      stage.program.advance(by: 1000)
      #expect(stamp.draws == draws)
      stage.program.desk.restore(stage.window)
      stage.settle()
      #expect(try stage.surface().pixels == before)
      #expect(stamp.draws == draws + 1)
      #expect(text.lines.layoutCount > layouts)
    }

    @Test("View controllers hear of a memory warning, the root one first")
    func warning() throws {
      final class Controller: ViewController {
        static var heard: [String] = []
        let name: String
        init(_ name: String) {
          self.name = name
          super.init()
        }
        override func didReceiveMemoryWarning() { Self.heard.append(name) }
      }
      let root = Controller("root")
      root.addChild(Controller("first"))
      root.addChild(Controller("second"))
      let stage = try UIStage { $0.rootViewController = root }
      #expect(Controller.heard == [])
      ViewTree.existing(stage.window)?.didReceiveMemoryWarning()
      #expect(Controller.heard == ["root", "first", "second"])
    }
  }
}
