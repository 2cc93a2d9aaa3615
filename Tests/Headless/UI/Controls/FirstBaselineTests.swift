import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// Texts of different heights on one line.
  @MainActor @Suite("Alignment by the first baseline") struct FirstBaselineTests {
    /// The lowest dark pixel of each view.
    private func feet(of views: [View], in root: View, scale: Double = 1) throws -> [Int?] {
      let stage = try UIStage { $0.rootView = root }
      stage.program.platform.send(.scale(stage.id, scale))
      stage.settle()
      let surface = try stage.surface()
      func pixels(_ range: Range<Int>, _ most: Int) -> Range<Int> {
        Int(Double(range.lowerBound) * scale)..<min(most, Int(Double(range.upperBound) * scale))
      }
      return views.map { view in
        let place = view.convert(view.bounds, to: nil)
        let columns = pixels(place.origin.x..<place.origin.x + place.size.width, surface.size.width)
        let rows = pixels(place.origin.y..<place.origin.y + place.size.height, surface.size.height)
        return rows.last { y in columns.contains { surface[$0, y] & 0xFF < 0x50 } }
      }
    }

    private func texts() -> [View] {
      let (field, text) = (TextField(), TextView())
      (field.text, text.text) = ("H", "H\n")
      field.preferredSize = Size(width: 30, height: View.noIntrinsicMetric)
      text.preferredSize = Size(width: 30, height: 80)
      let choice = Switch("H", style: .checkbox)
      return [
        Label("H", font: .heading), Label("H"), field, Button("H"), choice, PopUpButton(["H"]),
        StackView(.vertical, margin: 3, [Label("H")]), text,
      ]
    }

    @Test("The first lines of a row stand on one line", arguments: [1, 2])
    func row(scale: Double) throws {
      let views = texts()
      let row = StackView(.horizontal, spacing: 2, views)
      row.alignment = .firstBaseline
      let size = row.intrinsicContentSize
      #expect(views.allSatisfy { $0.sizeThatFits(size).height <= size.height })
      let feet = try feet(of: views, in: StackView(.vertical, [row, Spacer()]), scale: scale)
      // Places are whole points, baselines whole pixels.
      let found = feet.compactMap { $0 }
      #expect(found.count == views.count && (found.max() ?? 0) - (found.min() ?? 0) <= Int(scale) - 1, "\(feet)")
      for view in views { #expect(view.frame.size.height == view.sizeThatFits(size).height) }
    }

    @Test("A view without a text ends at the line, and one that is aligned otherwise stays where it is")
    func others() {
      let (label, plain, filled) = (Label("H", font: .heading), View(), View())
      (plain.preferredSize, filled.preferredSize) = (Size(width: 9, height: 5), Size(width: 9, height: 5))
      filled.stackPlacement.vertical = .fill
      let row = StackView(.horizontal, [label, plain, filled])
      row.alignment = .firstBaseline
      row.frame = Rect(.zero, row.intrinsicContentSize)
      row.layoutIfNeeded()
      #expect(plain.frame.origin.y + 5 == label.texts[0].baseline)
      #expect(filled.frame.size.height == row.frame.size.height)
      // Where there is more room, all together are in the middle.
      row.frame.size.height += 20
      row.layoutIfNeeded()
      #expect(label.frame.origin.y == 10 && plain.frame.origin.y + 5 == 10 + label.texts[0].baseline)
      // A column has no common line.
      row.axis = .vertical
      row.layoutIfNeeded()
      #expect(plain.frame.origin.x == 0 && plain.frame.size.width == 9)
    }
  }
}
