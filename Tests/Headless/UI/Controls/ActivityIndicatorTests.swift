import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

extension UISuites {
  /// When the dots of an indicator move, and when nothing of it runs.
  @MainActor @Suite("Activity indicators") struct ActivityIndicatorTests {
    private final class Counted: ActivityIndicator {
      var draws = 0
      override func draw(_ rect: Rect, in context: DrawingContext) {
        draws += 1
        super.draw(rect, in: context)
      }
    }
    private let frame = Rect(x: 10, y: 10, width: 20, height: 20)

    /// How often the view is drawn, and frames are requested, in a second.
    private func activity(_ view: Counted, _ stage: UIStage) -> (draws: Int, frames: Int) {
      // What is under way ends.
      stage.program.advance(by: 500)
      let before = (view.draws, stage.frameRequests)
      stage.program.advance(by: 1000)
      return (view.draws - before.0, stage.frameRequests - before.1)
    }

    @Test("The dots move ten times a second, from the start to the stop")
    func moves() throws {
      let view = Counted()
      let stage = try UIStage(view, frame)
      #expect(activity(view, stage) == (0, 0) && !view.isAnimating)
      view.startAnimating()
      #expect(view.isAnimating && 9...11 ~= activity(view, stage).draws)
      view.startAnimating()
      #expect(9...11 ~= activity(view, stage).draws)
      view.stopAnimating()
      #expect(activity(view, stage) == (0, 0))
    }

    @Test(
      "Nothing of it runs while it is not seen, and it goes on when it is",
      arguments: ["hidden", "hidden superview", "transparent", "outside a window", "scrolled away", "background"])
    func unseen(_ why: String) throws {
      let view = Counted()
      let stage = try UIStage(view, frame)
      view.startAnimating()
      #expect(9...11 ~= activity(view, stage).draws)
      let root = try #require(view.superview)
      switch why {
      case "hidden": view.isHidden = true
      case "hidden superview": root.isHidden = true
      case "transparent": root.alpha = 0
      case "outside a window": view.removeFromSuperview()
      case "scrolled away":
        root.clipsToBounds = true
        root.bounds.origin = Point(x: 0, y: 500)
      default: stage.window.isHidden = true
      }
      #expect(activity(view, stage) == (0, 0) && view.isAnimating)
      switch why {
      case "hidden": view.isHidden = false
      case "hidden superview": root.isHidden = false
      case "transparent": root.alpha = 1
      case "outside a window": root.addSubview(view)
      case "scrolled away": root.bounds.origin = Point(x: 0, y: 0)
      default: stage.window.isHidden = false
      }
      #expect(9...11 ~= activity(view, stage).draws)
    }

    @Test("What is seen: moving dots, standing ones, or none", arguments: [InterfaceStyle.light, .dark])
    func looks(_ appearance: InterfaceStyle) throws {
      let view = ActivityIndicator()
      let stage = try UIStage(view, frame, appearance)
      let background = Theme.of(appearance).background.pixel
      #expect(try stage.pixels(frame).allSatisfy { $0 == background })
      view.hidesWhenStopped = false
      let standing = try stage.pixels(frame)
      #expect(standing.contains { $0 != background })
      view.startAnimating()
      let pictures = try (0..<4).map { _ in try stage.pixels(frame) }
      #expect(Set(pictures).count > 2 && !pictures.contains(standing))
      view.stopAnimating()
      #expect(try stage.pixels(frame) == standing)
      view.color = .black
      #expect(try stage.pixels(frame) != standing)
    }
  }
}
