import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

extension UISuites {
  /// Views that are moved, scaled and turned, and pictures of views with all that is in them.
  @MainActor @Suite("Transforms and pictures of views") struct TransformTests {
    private let red = Color(rgb: 0xFF0000)
    private let frame = Rect(x: 100, y: 100, width: 80, height: 40)

    /// A black view with a red square at its upper left.
    private func views() throws -> (UIStage, CountedView, CountedView) {
      let (view, part) = (CountedView(), CountedView())
      let stage = try UIStage(view, frame)
      view.superview?.backgroundColor = .white
      view.backgroundColor = .black
      part.backgroundColor = red
      part.frame = Rect(x: 0, y: 0, width: 20, height: 20)
      view.addSubview(part)
      stage.settle()
      return (stage, view, part)
    }

    @Test("A view is drawn and hit through its transform, and its frame stays")
    func turned() throws {
      let (stage, view, part) = try views()
      let root = try #require(view.superview)
      view.transform = Transform(rotationAngle: .pi / 2)
      // The upper left corner is now at the upper right of a standing rectangle around the same centre.
      #expect(try stage.pixel(150, 90) == red.pixel && stage.pixel(130, 150) == Color.black.pixel)
      #expect(try stage.pixel(105, 120) == Color.white.pixel && stage.pixel(175, 120) == Color.white.pixel)
      #expect(root.hitTest(Point(x: 150, y: 90)) === part && root.hitTest(Point(x: 130, y: 150)) === view)
      #expect(root.hitTest(Point(x: 105, y: 120)) === root && view.frame == frame)
      #expect(view.convert(Point(x: 0, y: 0), to: nil) == Point(x: 160, y: 80))
      #expect(part.convert(part.bounds, to: nil) == Rect(x: 140, y: 80, width: 20, height: 20))
      #expect(view.convert(Point(x: 160, y: 80), from: nil) == Point(x: 0, y: 0))
      view.transform = Transform(scaleX: 2, y: 2)
      #expect(try stage.pixel(65, 85) == red.pixel && stage.pixel(215, 155) == Color.black.pixel)
      view.transform = Transform(translationX: -100, y: 0)
      #expect(try stage.pixel(5, 105) == red.pixel && stage.pixel(150, 120) == Color.white.pixel)
      view.transform = .identity
      #expect(try stage.pixel(105, 105) == red.pixel && stage.pixel(65, 85) == Color.white.pixel)
    }

    @Test("What has no inverse is neither drawn nor hit, and numbers that are not finite are dropped")
    func flat() throws {
      let (stage, view, _) = try views()
      view.transform = Transform(scaleX: 0, y: 1)
      #expect(try stage.pixel(140, 120) == Color.white.pixel)
      #expect(view.superview?.hitTest(Point(x: 140, y: 120)) === view.superview)
      view.transform = Transform(scaleX: .nan, y: 1)
      #expect(view.transform == Transform(scaleX: 0, y: 1))
    }

    @Test("A press on a turned view is told in its own points")
    func pressed() throws {
      let (stage, view, _) = try views()
      final class Listener: View {
        var places: [Point?] = []
        override func handle(_ event: Event) -> Bool {
          if case .button = event.kind { places.append(event.location(in: self)) }
          return true
        }
      }
      let listener = Listener(frame: view.bounds)
      view.addSubview(listener)
      view.transform = Transform(rotationAngle: .pi)
      stage.send(.press(175, 135), .release(175, 135))
      #expect(
        listener.places.allSatisfy { $0 == Point(x: 4, y: 4) || $0 == Point(x: 5, y: 5) } && listener.places.count == 2)
    }

    @Test("The picture of a view is made once, and again only when something in it has changed")
    func rasterized() throws {
      let (stage, view, part) = try views()
      view.shouldRasterize = true
      stage.settle()
      let draws = part.draws
      for step in 1...5 {
        view.frame.origin.x += step
        view.alpha = 1 - Double(step) / 10
        view.transform = Transform(rotationAngle: Double(step))
        stage.settle()
      }
      #expect(part.draws == draws && view.shouldRasterize)
      (view.frame, view.alpha, view.transform) = (frame, 1, .identity)
      part.backgroundColor = Color(rgb: 0x00FF00)
      #expect(try stage.pixel(105, 105) == 0x00FF00 && part.draws == draws + 1)
      part.frame.origin.x = 40
      #expect(try stage.pixel(145, 105) == 0x00FF00 && stage.pixel(105, 105) == Color.black.pixel)
      view.bounds.origin.x = 20
      #expect(try stage.pixel(125, 105) == 0x00FF00)
      part.isHidden = true
      #expect(try stage.pixel(125, 105) == Color.black.pixel)
      part.isHidden = false
      part.removeFromSuperview()
      #expect(try stage.pixel(125, 105) == Color.black.pixel)
    }

    @Test("Nothing is left where the picture of a view was, wherever pixels begin", arguments: [1.25, 1.5, 1.75])
    func moved(_ scale: Double) throws {
      for x in 0..<4 {
        for move in [0, 1, 0.5] {
          let view = View()
          let stage = try UIStage(view, Rect(x: x, y: x, width: 10, height: 11))
          view.superview?.backgroundColor = .white
          view.backgroundColor = .black
          view.shouldRasterize = true
          view.transform = Transform(translationX: move, y: move)
          stage.program.platform.send(.scale(stage.id, scale))
          let whole = Rect(x: 0, y: 0, width: 40, height: 40)
          #expect(try stage.pixels(whole).contains(Color.black.pixel))
          view.isHidden = true
          #expect(try stage.pixels(whole).allSatisfy { $0 == Color.white.pixel }, "at \(x), moved by \(move)")
        }
      }
    }

    @Test("The picture of a view shows what has changed while it was hidden")
    func changedWhileHidden() throws {
      let (stage, view, part) = try views()
      view.shouldRasterize = true
      stage.settle()
      view.isHidden = true
      stage.settle()
      part.backgroundColor = Color(rgb: 0x00FF00)
      stage.settle()
      view.isHidden = false
      #expect(try stage.pixel(105, 105) == 0x00FF00)
    }

    @Test("The picture of a view is made again when something in it clips, or does so no more")
    func clipped() throws {
      let (stage, view, part) = try views()
      let inner = View(frame: Rect(x: 10, y: 10, width: 20, height: 20))
      inner.backgroundColor = Color(rgb: 0x00FF00)
      part.addSubview(inner)
      view.shouldRasterize = true
      for size in [20, 0] {
        part.frame.size = Size(width: size, height: size)
        for clips in [false, true, false] {
          part.clipsToBounds = clips
          #expect(try stage.pixel(125, 125) == (clips ? Color.black.pixel : 0x00FF00))
        }
      }
    }

    @Test("The picture of a view is made again for another size, also where it covers as much as before")
    func resizedBeneath() throws {
      let (stage, view, part) = try views()
      part.frame = Rect(x: 70, y: 0, width: 20, height: 20)
      view.shouldRasterize = true
      #expect(try stage.pixel(178, 130) == Color.black.pixel)
      view.frame.size.width = 75
      #expect(try stage.pixel(178, 130) == Color.white.pixel && stage.pixel(170, 130) == Color.black.pixel)
    }

    @Test("A view that requests to be drawn again as it is drawn is drawn again, also in a picture")
    func repeated() throws {
      final class Repeated: View {
        var draws = 0
        override func draw(_ rect: Rect, in context: DrawingContext) {
          draws += 1
          if draws < 6 { setNeedsDisplay() }
        }
      }
      let (stage, view, _) = try views()
      let repeated = Repeated(frame: view.bounds)
      view.shouldRasterize = true
      view.addSubview(repeated)
      stage.program.advance(by: 500)
      #expect(repeated.draws == 6)
    }

    @Test("Nothing is left of the edges of what was enlarged", arguments: [1, 1.25], [0, 0.8])
    func enlarged(_ scale: Double, _ angle: Double) throws {
      let view = View()
      let stage = try UIStage(view, Rect(x: 101, y: 101, width: 7, height: 7))
      view.superview?.backgroundColor = .white
      view.backgroundColor = .black
      view.transform = Transform(rotationAngle: angle).concatenating(Transform(scaleX: 12, y: 12))
      stage.program.platform.send(.scale(stage.id, scale))
      stage.settle()
      stage.window.setNeedsDisplay()
      let whole = Rect(x: 0, y: 0, width: 220, height: 220)
      #expect(try stage.pixels(whole).contains(Color.black.pixel))
      view.isHidden = true
      #expect(try stage.pixels(whole).allSatisfy { $0 == Color.white.pixel })
    }

    @Test("What sticks out of a view is in its picture")
    func overflowing() throws {
      let (stage, view, part) = try views()
      part.frame = Rect(x: -30, y: -30, width: 20, height: 20)
      view.shouldRasterize = true
      #expect(try stage.pixel(75, 75) == red.pixel)
      view.transform = Transform(scaleX: -1, y: 1)
      #expect(try stage.pixel(205, 75) == red.pixel && stage.pixel(75, 75) == Color.white.pixel)
    }

    @Test("The picture is freed in the background, and made again on return")
    func purged() throws {
      let (stage, view, part) = try views()
      view.shouldRasterize = true
      stage.settle()
      let tree = try #require(stage.window.content)
      #expect(tree.footprint == 80 * 40 * 4)
      stage.program.desk.minimize(stage.window)
      stage.program.advance(by: 3000)
      #expect(tree.footprint == 0)
      let draws = part.draws
      stage.program.desk.restore(stage.window)
      stage.settle()
      #expect(part.draws == draws + 1 && tree.footprint == 80 * 40 * 4)
    }
  }
}
