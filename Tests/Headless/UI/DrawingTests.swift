import CCairo
import ProsceniumCore
import ProsceniumTesting
import TestSupport
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// Only what is needed is drawn, and nothing that a view draws breaks the rest.
  @MainActor @Suite("Drawing of views") struct DrawingTests {
    final class Canvas: View {
      var draws: [Rect] = []
      var body: ((DrawingContext) -> Void)?
      override func draw(_ rect: Rect, in context: DrawingContext) {
        draws.append(rect)
        body?(context)
      }
    }
    private let blue = Color(rgb: 0x0000FF)

    private func stage(_ views: [View]) throws -> UIStage {
      try UIStage { window in
        let root = View()
        for view in views { root.addSubview(view) }
        window.rootView = root
      }
    }
    private func canvas(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Canvas {
      Canvas(frame: Rect(x: x, y: y, width: width, height: height))
    }

    @Test("A new size of the bounds grows and shrinks a view about its middle, a new origin leaves it where it is")
    func sizeOfBounds() {
      let view = View(frame: Rect(x: 100, y: 100, width: 100, height: 60))
      view.bounds.size = Size(width: 200, height: 100)
      #expect(view.frame == Rect(x: 50, y: 80, width: 200, height: 100) && view.center == Point(x: 150, y: 130))
      for width in [31, 100, 1, 0, 100] {
        view.bounds = Rect(x: 7, y: 9, width: width, height: 60)
        #expect(view.center == Point(x: 150, y: 130) && view.bounds == Rect(x: 7, y: 9, width: width, height: 60))
      }
      view.bounds.origin = Point(x: -5, y: 5)
      #expect(view.frame == Rect(x: 100, y: 100, width: 100, height: 60))
    }

    @Test("Only views in the damage are drawn, and only that part of them")
    func damage() throws {
      let (one, two) = (canvas(0, 0, 50, 50), canvas(100, 0, 50, 50))
      let stage = try stage([one, two])
      (one.draws, two.draws) = ([], [])
      one.setNeedsDisplay(Rect(x: 10, y: 10, width: 5, height: 5))
      stage.settle()
      #expect(one.draws == [Rect(x: 10, y: 10, width: 5, height: 5)] && two.draws == [])
      two.frame.origin.y = 100
      stage.settle()
      #expect(one.draws.count == 1 && two.draws.count == 1)
      one.isHidden = true
      one.setNeedsDisplay()
      stage.settle()
      #expect(one.draws.count == 1)
    }

    @Test("A layout comes to rest, however deep it is: nothing is asked for while nothing happens")
    func rest() throws {
      let label = Label("short")
      let stage = try UIStage { window in
        var inner: View = label
        for level in 0..<20 {
          inner = StackView(level % 2 == 0 ? .vertical : .horizontal, margin: 1, [inner, Spacer()])
        }
        window.rootView = inner
      }
      stage.program.platform.move(stage.id, to: Rect(x: 0, y: 0, width: 400, height: 300))
      let width = label.frame.size.width
      label.text = "a good deal longer"
      stage.program.advance(by: 500)
      #expect(label.frame.size.width > width)
      let (requests, draws) = (stage.program.platform.commands.count, stage.program.platform.drawCount)
      stage.program.advance(by: 10_000)
      #expect(stage.program.platform.commands.count == requests && stage.program.platform.drawCount == draws)
    }

    @Test("What a view sets of its own place as it draws is its place, with the next frame")
    func placedInDraw() throws {
      let (moved, centred, scrolled) = (canvas(0, 0, 50, 50), canvas(60, 0, 50, 50), canvas(120, 0, 50, 50))
      moved.body = { [unowned moved] _ in moved.frame = Rect(x: 0, y: 100, width: 60, height: 40) }
      centred.body = { [unowned centred] _ in centred.center = Point(x: 100, y: 120) }
      scrolled.body = { [unowned scrolled] _ in scrolled.bounds.origin.y = 7 }
      let stage = try stage([moved, centred, scrolled])
      stage.settle()
      #expect(moved.frame == Rect(x: 0, y: 100, width: 60, height: 40))
      #expect(centred.frame == Rect(x: 75, y: 95, width: 50, height: 50))
      #expect(scrolled.bounds.origin.y == 7)
    }

    @Test("A view that is drawn on its way has its own place afterwards")
    func placeOnItsWay() throws {
      let view = canvas(0, 0, 50, 50)
      let stage = try stage([view])
      stage.settle()
      var drawn: [Int] = []
      view.body = { [unowned view] _ in drawn.append(view.frame.origin.y) }
      View.animate(withDuration: .milliseconds(200)) { view.frame.origin.y = 100 }
      stage.settle()
      view.setNeedsDisplay()
      stage.settle()
      #expect(view.frame.origin.y == 100 && drawn.contains { $0 > 0 && $0 < 100 }, "\(drawn)")
    }

    @Test("Another style of all windows draws them anew, but for those with their own")
    func styles() throws {
      defer { InterfaceStyle.preferred = .light }
      let stage = try stage([Label("x")])
      #expect(try stage.surface()[300, 200] == 0xFF00_0000 | Theme.light.background.rgb)
      InterfaceStyle.preferred = .dark
      stage.settle()
      #expect(try stage.surface()[300, 200] == 0xFF00_0000 | Theme.dark.background.rgb)
      stage.window.overrideAppearance = .light
      stage.settle()
      #expect(try stage.surface()[300, 200] == 0xFF00_0000 | Theme.light.background.rgb)
    }

    @Test("A small damage of a large window costs little")
    func cost() throws {
      final class Cell: Label {
        var draws = 0
        override func draw(_ rect: Rect, in context: DrawingContext) {
          draws += 1
          super.draw(rect, in: context)
        }
      }
      let cells = (0..<40).map { row in (0..<10).map { Cell("Row \(row), column \($0)") } }
      let rows = cells.map { StackView(.horizontal, $0) }
      let stage = try UIStage { window in
        window.frame = Rect(x: 0, y: 0, width: 1920, height: 1080)
        window.rootView = StackView(.vertical, spacing: 4, rows)
      }
      func draws() -> Int { cells.joined().reduce(0) { $0 + $1.draws } }
      let before = draws()
      #expect(before >= 400)
      stage.window.setNeedsDisplay(Rect(x: 200, y: 200, width: 100, height: 100))
      stage.program.advance(by: 17)
      // A hundred points have six rows at most, and three columns.
      #expect((1...18).contains(draws() - before), "\(draws() - before)")
    }

    @Test("Ten thousand requests in the background cost one redraw on return, and caches are given back")
    func background() throws {
      let view = canvas(0, 0, 50, 50)
      view.cachesDrawing = true
      let stage = try stage([view])
      #expect(view.draws.count == 1 && view.cache.surface != nil)
      view.superview?.setNeedsDisplay()
      stage.settle()
      #expect(view.draws.count == 1)
      stage.program.desk.minimize(stage.window)
      stage.program.advance(by: 3000)
      #expect(view.cache.surface == nil)
      for _ in 0..<10_000 { view.setNeedsDisplay() }
      stage.program.advance(by: 10_000)
      #expect(view.draws.count == 1)
      let frames = stage.program.platform.drawCount
      stage.program.desk.restore(stage.window)
      stage.settle()
      #expect(view.draws.count == 2 && stage.program.platform.drawCount == frames + 1)
    }

    @Test("Nothing that a view draws reaches another view or the next frame, and it is reported once")
    func faults() throws {
      final class Faulty: View {
        var fault: ((DrawingContext) -> Void)?
        override func draw(_ rect: Rect, in context: DrawingContext) { fault?(context) }
      }
      var reports: [String] = []
      let old = ViewTree.report
      ViewTree.report = { reports.append($0) }
      ViewTree.reported = []
      defer { ViewTree.report = old }
      let faulty = Faulty(frame: Rect(x: 0, y: 0, width: 320, height: 120))
      let after = canvas(0, 120, 320, 120)
      after.backgroundColor = blue
      let stage = try stage([faulty, after])
      let whole = Rect(x: 0, y: 0, width: 10, height: 10)
      var huge = Path()
      huge.move(toX: 1e300, y: -1e300)
      for index in 0..<10_000 { huge.line(toX: Double(index) * 1e12, y: index % 2 == 0 ? 1e15 : -1e15) }
      huge.close()
      let faults: [(String, Bool, (DrawingContext) -> Void)] = [
        ("restore", true, { $0.restoreState() }),
        ("restore of Cairo's", true, { $0.withCairo { cairo_restore($0) } }),
        ("save", false, { $0.saveState() }),
        (
          "transform left", false,
          {
            $0.translate(x: 500, y: 500); $0.rotate(by: 1)
          }
        ),
        ("clip left", false, { $0.clip(to: Rect(x: 0, y: 0, width: 0, height: 0)) }),
        ("group left", false, { $0.withCairo { cairo_push_group($0) } }),
        ("not a number", true, { $0.translate(x: .nan, y: 0) }),
        ("not a number in a path", true, { $0.fill(Path(x: .nan, y: 0, width: .infinity, height: 1), with: .black) }),
        ("no scale", true, { $0.scale(x: 0, y: 0) }),
        ("no inverse", true, { $0.withCairo { cairo_scale($0, 0, 0) } }),
        ("giant path", false, { $0.stroke(huge, with: .black, lineWidth: 1e9) }),
        (
          "giant rectangle", false,
          {
            $0.fill(Rect(x: -(1 << 40), y: 0, width: 1 << 41, height: 1 << 41), with: .black)
          }
        ),
        (
          "endless arc", true,
          {
            var path = Path()
            path.arc(centerX: 0, y: 0, radius: 5, from: 0, to: 1e18)
            $0.fill(path, with: .black)
          }
        ),
        (
          "finished surface", true,
          { context in
            context.withCairo { cairo in
              let wrong = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 100_000, 100_000)
              cairo_set_source_surface(cairo, wrong, 0, 0)
              cairo_paint(cairo)
              cairo_surface_destroy(wrong)
            }
          }
        ),
      ]
      for (name, isReported, fault) in faults {
        reports = []
        ViewTree.reported = []
        faulty.fault = fault
        for _ in 0..<3 {
          stage.window.setNeedsDisplay()
          stage.settle()
        }
        #expect(reports.count == (isReported ? 1 : 0), "\(name): \(reports)")
        #expect(try stage.surface()[160, 200] == 0xFF00_00FF, "\(name)")
        faulty.fault = { $0.fill(whole, with: Color(rgb: 0x00FF00)) }
        stage.window.setNeedsDisplay()
        stage.settle()
        #expect(try stage.surface()[5, 5] == 0xFF00_FF00, "\(name)")
      }
    }

    @Test("A context that a view keeps draws nowhere")
    func keptContext() throws {
      var kept: DrawingContext?
      let view = canvas(0, 0, 50, 50)
      view.body = { kept = $0 }
      let stage = try stage([view])
      kept?.fill(Rect(x: 0, y: 0, width: 50, height: 50), with: blue)
      #expect(try stage.surface()[10, 10] != 0xFF00_00FF)
    }

    @Test("A faded view is faded with what it holds, as one")
    func alpha() throws {
      let (outer, inner) = (canvas(0, 0, 100, 100), canvas(0, 0, 50, 50))
      (outer.backgroundColor, inner.backgroundColor) = (.black, .black)
      outer.addSubview(inner)
      outer.alpha = 0.5
      let stage = try stage([outer])
      let surface = try stage.surface()
      #expect(surface[10, 10] == surface[80, 80] && surface[10, 10] != surface[200, 200])
    }

    @Test("A root view hides its window only where it is, and while it is opaque")
    func rootHidesWindow() throws {
      var root = View()
      let stage = try UIStage { window in
        root = View()
        root.backgroundColor = Color(rgb: 0x0000FF)
        window.rootView = root
      }
      func pixel() throws -> UInt32 {
        stage.window.setNeedsDisplay()
        stage.settle()
        return try stage.surface()[10, 10]
      }
      let behind = stage.window.backgroundColor.rgb
      #expect(try pixel() == 0xFF00_00FF)
      root.alpha = 0.5
      let mixed = try pixel()
      #expect(mixed != 0xFF00_00FF && mixed != 0xFF00_0000 | behind && mixed >> 24 == 0xFF)
      // Half of what was there each time would end in the view's own colour.
      #expect(try pixel() == mixed)
      root.isHidden = true
      #expect(try pixel() == 0xFF00_0000 | behind)
      (root.isHidden, root.alpha, root.backgroundColor) = (false, 1, nil)
      #expect(try pixel() == 0xFF00_0000 | behind)
    }

    @Test("What is filled before and after Cairo has been used looks the same, at every scale", arguments: [1, 1.5, 2])
    func fills(scale: Double) throws {
      let (plain, turned) = (canvas(10, 10, 61, 43), canvas(10, 60, 61, 43))
      let rects = [
        Rect(x: 0, y: 0, width: 20, height: 20), Rect(x: 30, y: 11, width: 7, height: 3),
        Rect(x: -50, y: 30, width: 70, height: 5), Rect(x: 40, y: -9, width: 0, height: 90),
        Rect(x: 55, y: 35, width: .max, height: .max),
      ]
      func fill(_ context: DrawingContext) { for rect in rects { context.fill(rect, with: blue) } }
      plain.body = fill
      turned.body = { context in
        context.withCairo { _ in }
        fill(context)
      }
      let stage = try stage([plain, turned])
      stage.program.platform.send(.scale(stage.id, scale))
      stage.settle()
      let surface = try stage.surface()
      let distance = Int(50 * scale)
      let places = (Int(10 * scale)..<Int(53 * scale)).flatMap { y in (0..<Int(90 * scale)).map { ($0, y) } }
      #expect(places.filter { surface[$0.0, $0.1] != surface[$0.0, $0.1 + distance] }.isEmpty)
      #expect(places.contains { surface[$0.0, $0.1] == 0xFF00_00FF })
    }

    @Test("Knobs and dots have sharp edges, in the middle of what they are in", arguments: [1.25, 1.5, 1.75])
    func knobs(scale: Double) throws {
      // At places where pixels do not begin.
      for y in 40..<44 {
        let views: [(Control, size: Size, knob: Rect)] = [
          (Switch("", isOn: true), Size(width: 46, height: 28), Rect(x: 24, y: 3, width: 16, height: 22)),
          (Switch(""), Size(width: 46, height: 28), Rect(x: 5, y: 3, width: 18, height: 22)),
          (
            Switch("", isOn: true, style: .radio), Size(width: 24, height: 24), Rect(x: 3, y: 3, width: 18, height: 18)
          ), (Slider(0.37), Size(width: 90, height: 24), Rect(x: 29, y: 0, width: 24, height: 24)),
        ]
        for (view, size, knob) in views {
          let stage = try UIStage { window in
            window.rootView = View()
            view.frame = Rect(Point(x: 31, y: y), size)
            window.rootView?.addSubview(view)
          }
          stage.program.platform.send(.scale(stage.id, scale))
          stage.settle()
          let surface = try stage.surface()
          let place = Pixels(scale: scale).rect(view.convert(knob, to: nil))
          let rows = place.origin.y..<place.origin.y + place.size.height
          let middle = place.origin.x + place.size.width / 2
          let column = rows.map { surface[middle, $0] & 0xFF }
          #expect(zip(column, column.reversed()).allSatisfy { abs(Int($0) - Int($1)) <= 24 }, "\(view): \(column)")
          // The knob of a slider has an edge of another colour.
          guard !(view is Slider) else { continue }
          let (least, most) = (column.min() ?? 0, column.max() ?? 0)
          #expect(column.allSatisfy { $0 <= least + 32 || $0 + 32 >= most }, "\(view): \(column)")
        }
      }
    }

    @Test("A border has the outline of what is filled with the same corners", arguments: [1, 1.5, 2])
    func outline(scale: Double) throws {
      /// The shades from the left to the first dark pixel, of each row of pixels.
      func shades(_ isFilled: Bool) throws -> [[UInt32]] {
        let stage = try UIStage { $0.rootView = Rounded(isFilled) }
        stage.program.platform.send(.scale(stage.id, scale))
        stage.settle()
        let surface = try stage.surface()
        return (0..<Int(40 * scale)).map { row in
          let shades = (0..<Int(20 * scale)).map { surface[$0, row] & 0xFF }
          return Array(shades[...(shades.firstIndex { $0 < 0xF0 } ?? 0)])
        }
      }
      for (filled, stroked) in zip(try shades(true), try shades(false)) {
        #expect(filled.count == stroked.count)
        #expect(zip(filled, stroked).allSatisfy { abs(Int($0) - Int($1)) <= 64 }, "\(filled), \(stroked)")
      }
    }
    private final class Rounded: View {
      let isFilled: Bool
      init(_ isFilled: Bool) {
        self.isFilled = isFilled
        super.init()
        backgroundColor = .white
      }
      override func draw(_ rect: Rect, in context: DrawingContext) {
        let place = Rect(x: 4, y: 4, width: 60, height: 32)
        if isFilled {
          context.fill(place, cornerRadius: 8, with: .black)
        } else {
          context.stroke(place, cornerRadius: 8, with: .black, lineWidth: 4)
        }
      }
    }

    @Test("Edges are sharp, and the edges of views, wherever these are", arguments: [1.25, 1.5, 1.75])
    func sharp(scale: Double) throws {
      for x in 3..<7 {
        for cachesDrawing in [false, true] {
          let (bordered, filled) = (canvas(x, 10, 21, 20), canvas(x, 40, 21, 20))
          bordered.body = { context in
            context.fill(bordered.bounds, cornerRadius: 0.1, with: .white)
            context.stroke(bordered.bounds, with: self.blue)
          }
          filled.body = { context in
            context.fill(filled.bounds, cornerRadius: 3, with: self.blue)
            for line in 0..<3 { context.fill(Rect(x: 4 + 5 * line, y: 12, width: 1, height: 4), with: .white) }
          }
          bordered.cachesDrawing = cachesDrawing
          let stage = try stage([bordered, filled])
          stage.program.platform.send(.scale(stage.id, scale))
          stage.settle()
          let surface = try stage.surface()
          let pixels = Pixels(scale: scale)
          let (left, right, width) = (pixels.pixel(x), pixels.pixel(x + 21), Int(scale.rounded()))
          let row = (left - 1...right).map { surface[$0, pixels.pixel(20)] & 0xFF_FFFF }
          let line = Array(repeating: UInt32(0x0000FF), count: width)
          let inner = Array(repeating: UInt32(0xFF_FFFF), count: right - left - 2 * width)
          let around = Theme.light.background.pixel
          #expect(row == [around] + line + inner + line + [around])
          #expect((left..<right).allSatisfy { surface[$0, pixels.pixel(50)] & 0xFF_FFFF == 0x0000FF })
          // Lines of a point are as broad in one place as in another.
          let lines = (left..<right).map { surface[$0, pixels.pixel(54)] & 0xFF_FFFF }
          #expect(
            lines.count { $0 == 0xFF_FFFF } == 3 * width && lines.count { $0 == 0x0000FF } == right - left - 3 * width)
        }
      }
    }

    @Test("Nothing is left of a line that is gone, wherever it was", arguments: [0.75, 1.5, 1.75, 2.5])
    func lineGone(scale: Double) throws {
      for place in 3..<7 {
        let view = canvas(place, place, 31, 31)
        let lines = [Rect(x: 4, y: 4, width: 1, height: 9), Rect(x: 15, y: 15, width: 9, height: 1)]
        view.backgroundColor = .white
        view.body = { context in for line in lines { context.fill(line, with: self.blue) } }
        let stage = try stage([view])
        stage.program.platform.send(.scale(stage.id, scale))
        let whole = Rect(x: 0, y: 0, width: 100, height: 100)
        #expect(try stage.pixels(whole).contains(blue.pixel))
        view.body = nil
        for line in lines { view.setNeedsDisplay(line) }
        #expect(try !stage.pixels(whole).contains(blue.pixel), "at \(place)")
      }
    }

    @Test("A drawing that is kept scrolls with its view")
    func scrolledCache() throws {
      let view = canvas(0, 0, 100, 100)
      view.body = { $0.fill(Rect(x: 0, y: 0, width: 10, height: 10), with: self.blue) }
      view.cachesDrawing = true
      let stage = try stage([view])
      #expect(try stage.surface()[5, 5] == 0xFF00_00FF)
      view.bounds.origin.x = -20
      stage.settle()
      #expect(try stage.surface()[5, 5] != 0xFF00_00FF && stage.surface()[25, 5] == 0xFF00_00FF)
    }

    @Test("What is kept of a view's drawing is made again for another scale", arguments: [true, false])
    func scaleWithSamePixels(isPicture: Bool) throws {
      let view = canvas(0, 0, 320, 240)
      view.body = { $0.fill(Rect(x: 0, y: 0, width: 10, height: 10), with: self.blue) }
      if isPicture { view.shouldRasterize = true } else { view.cachesDrawing = true }
      let stage = try UIStage { $0.rootView = view }
      let size = try stage.surface().size
      #expect(try stage.surface()[19, 19] != 0xFF00_00FF && view.draws.count == 1)
      stage.program.platform.send(.scale(stage.id, 2, isResized: true))
      stage.settle()
      let surface = try stage.surface()
      #expect(surface.size == size && surface[19, 19] == 0xFF00_00FF && view.draws.count == 2)
    }

    @Test("A view that is too large for its drawing to be kept is drawn without")
    func largeCache() throws {
      let view = canvas(0, 0, 10, 40_000)
      view.backgroundColor = blue
      view.cachesDrawing = true
      let stage = try stage([view])
      #expect(try stage.surface()[5, 5] == 0xFF00_00FF && view.cache.surface == nil)
    }

    @Test("What a view holds is cut off at its bounds only if it wants that")
    func clipping() throws {
      let (outer, inner) = (canvas(0, 0, 50, 50), canvas(25, 25, 100, 100))
      inner.backgroundColor = blue
      outer.addSubview(inner)
      let stage = try stage([outer])
      #expect(try stage.surface()[100, 100] == 0xFF00_00FF)
      outer.clipsToBounds = true
      stage.settle()
      #expect(try stage.surface()[100, 100] != 0xFF00_00FF)
      #expect(try stage.surface()[40, 40] == 0xFF00_00FF)
    }

    @Test("Giant frames and numbers are kept within limits")
    func giants() throws {
      let view = canvas(0, 0, 10, 10)
      view.backgroundColor = blue
      let stage = try stage([view])
      view.frame = Rect(x: Int.min, y: Int.min, width: Int.max, height: Int.max)
      view.setNeedsDisplay(Rect(x: Int.max, y: Int.max, width: Int.max, height: Int.max))
      view.bounds.origin = Point(x: Int.max, y: Int.min)
      view.cachesDrawing = true
      view.alpha = .nan
      stage.settle()
      view.alpha = -3
      view.frame = Rect(x: 0, y: 0, width: 10, height: 10)
      view.alpha = 7
      stage.settle()
      #expect(try stage.surface()[5, 5] == 0xFF00_00FF)
    }

    @Test("Pictures that are broken or too large say so")
    func images() throws {
      #expect(throws: ImageError.self) { try Image(size: Size(width: 100_000, height: 100_000), pixels: []) }
      #expect(throws: ImageError.self) { try Image(size: Size(width: 2, height: 2), pixels: [1]) }
      #expect(throws: ImageError.self) { try Image(png: []) }
      var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
      png += [0, 0, 0x7F, 0xFF, 0, 0, 0x7F, 0xFF, 8, 6, 0, 0, 0] + Array(repeating: 0, count: 20)
      #expect(throws: ImageError.self) { try Image(png: png) }
      png.replaceSubrange(16..<24, with: [0, 0, 0, 4, 0, 0, 0, 4])
      #expect(throws: ImageError.self) { try Image(png: png) }
      let picture = try Image(size: Size(width: 2, height: 1), pixels: [0xFFFF_0000, 0xFF00_FF00])
      // A chunk of another kind where the size is, before the one that has it, is no way past the limit.
      png = try #require(picture.pngData())
      #expect(try Image(png: png).size == Size(width: 2, height: 1))
      let chunk: [UInt8] = [0, 0, 0, 13] + Array("prVt".utf8) + [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0]
      png.insert(contentsOf: chunk + [0x9B, 0xB8, 0x09, 0xAC], at: 8)
      #expect(throws: ImageError.self) { try Image(png: png) }
      let view = ImageView(picture)
      view.contentMode = .scaleToFill
      view.frame = Rect(x: 0, y: 0, width: 100, height: 50)
      let stage = try stage([view])
      #expect(try stage.surface()[5, 25] == 0xFFFF_0000 && stage.surface()[95, 25] == 0xFF00_FF00)
    }
  }
}
