import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// What is laid out again, and what is not.
  @MainActor @Suite("Measuring text") struct MeasuringTests {
    @Test("One label's new text lays out no other label of its stack")
    func neighbours() throws {
      let labels = (0..<4).map { Label("label \($0)") }
      let stage = try UIStage { $0.rootView = StackView(.vertical, labels) }
      stage.settle()
      let before = labels.map(\.caption.layout.serial)
      let width = labels[0].intrinsicContentSize.width
      labels[0].text = "a longer text"
      stage.settle()
      #expect(labels[0].caption.layout.serial != before[0] && labels[0].intrinsicContentSize.width > width)
      #expect(labels.dropFirst().map(\.caption.layout.serial) == Array(before.dropFirst()))
      // Its own size is the font's, too.
      labels[1].font = .heading
      #expect(labels[1].intrinsicContentSize.height > labels[2].intrinsicContentSize.height)
    }

    @Test("A nested stack whose text changes during the layout of its superview is laid out again around it")
    func nestedDuringLayout() throws {
      final class Responsive: StackView {
        let info = Label()
        let inner = StackView(.vertical, spacing: 0)
        override func layoutSubviews() {
          super.layoutSubviews()
          info.text = bounds.size.width < 300 ? "narrow" : "wide\nwith\nmore\nlines"
        }
      }
      let outer = Responsive()
      outer.axis = .vertical
      outer.info.numberOfLines = 0
      for view in [Label("Details"), outer.info] { outer.inner.addSubview(view) }
      for view in [outer.inner, Spacer()] { outer.addSubview(view) }
      let root = View()
      root.addSubview(outer)
      outer.frame = Rect(x: 0, y: 0, width: 200, height: 200)
      let stage = try UIStage { $0.rootView = root }
      stage.settle()
      outer.frame.size.width = 320
      stage.settle()
      let info = outer.info
      #expect(info.text.contains("lines") && info.frame.size.height == info.intrinsicContentSize.height)
    }
  }
}
