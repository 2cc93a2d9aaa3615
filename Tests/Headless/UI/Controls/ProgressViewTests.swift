import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// The numbers of bars of progress, and what they look like.
  @MainActor @Suite("Progress") struct ProgressViewTests {
    private let frame = Rect(x: 10, y: 10, width: 200, height: 6)

    @Test("Progress is from 0 to 1, and what is no number changes nothing")
    func numbers() {
      let view = ProgressView(progress: 0.25)
      #expect(view.progress == 0.25 && ProgressView().progress == 0 && ProgressView(progress: .nan).progress == 0)
      let cases = [
        (0.5, 0.5), (.nan, 0.5), (1.5, 1), (-.leastNonzeroMagnitude, 0), (.infinity, 1), (-.infinity, 0), (1, 1),
        (.signalingNaN, 1),
      ]
      for (new, expected) in cases {
        view.progress = new
        #expect(view.progress == expected)
      }
    }

    @Test("The bar is filled as far as the task is done", arguments: [InterfaceStyle.light, .dark])
    func filled(_ appearance: InterfaceStyle) throws {
      let theme = Theme.of(appearance)
      let view = ProgressView()
      let stage = try UIStage(view, frame, appearance)
      /// The number of pixels of the colour in the middle row.
      func length(_ color: Color) throws -> Int {
        try stage.pixels(Rect(x: 10, y: 12, width: 200, height: 1)).count { $0 == color.pixel }
      }
      #expect(try length(theme.accent) == 0)
      #expect(try length(theme.separator) > 190)
      view.progress = 0.5
      #expect(try 95...100 ~= length(theme.accent))
      #expect(try 95...100 ~= length(theme.separator))
      view.progress = 1
      #expect(try length(theme.accent) > 190)
      #expect(try length(theme.separator) == 0)
    }

    @Test("An unknown amount is striped, whatever the progress is, and nothing moves or is drawn again")
    func indeterminate() throws {
      final class Counted: ProgressView {
        var draws = 0
        override func draw(_ rect: Rect, in context: DrawingContext) {
          draws += 1
          super.draw(rect, in: context)
        }
      }
      let view = Counted()
      let stage = try UIStage(view, frame)
      let empty = try stage.pixels(frame)
      view.isIndeterminate = true
      let striped = try stage.pixels(frame)
      let row = striped[400..<600].map { $0 == Theme.light.accent.pixel }
      #expect(zip(row, row.dropFirst()).count { $0 != $1 } > 10)
      let draws = view.draws
      stage.program.advance(by: 60_000)
      #expect(try stage.pixels(frame) == striped && view.draws == draws)
      view.progress = 0.75
      #expect(try stage.pixels(frame) == striped && view.progress == 0.75)
      view.isIndeterminate = false
      #expect(try stage.pixels(frame) != striped)
      view.progress = 0
      #expect(try stage.pixels(frame) == empty)
      let before = view.draws
      view.progress = -1
      view.isIndeterminate = false
      stage.settle()
      #expect(view.draws == before)
    }

    @Test("It is no target of presses, and draws in any size")
    func sizes() throws {
      ViewTree.reported = []
      let view = ProgressView(progress: 0.01)
      #expect(view.intrinsicContentSize == Size(width: 120, height: 6))
      let stage = try UIStage(view, frame)
      #expect(view.hitTest(Point(x: 5, y: 3)) == nil)
      for (width, height) in [(0, 0), (1, 1), (3, 40), (300, 2)] {
        for isIndeterminate in [true, false] {
          view.frame = Rect(x: 10, y: 10, width: width, height: height)
          view.isIndeterminate = isIndeterminate
          stage.settle()
        }
      }
      view.progress = 1
      #expect(try stage.pixel(100, 10) == Theme.light.accent.pixel)
      #expect(try stage.pixel(100, 13) != Theme.light.accent.pixel)
      #expect(ViewTree.reported == [])
    }
  }
}
