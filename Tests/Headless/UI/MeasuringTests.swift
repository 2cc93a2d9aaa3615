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

    @Test("A form is laid out again at once where typed letters make a field higher, or their removal makes it lower")
    func fieldHeight() throws {
      let (field, below) = (TextField(""), View())
      below.isStretching = true
      let stage = try UIStage { $0.rootView = StackView(.vertical, spacing: 0, [field, below]) }
      stage.settle()
      let empty = field.frame.size.height
      // Letters of other fonts than the first ones.
      for text in ["x", "ไ", "ש", "ﷺ"] {
        _ = field.becomeFirstResponder()
        field.selectAll()
        stage.type(text)
        stage.settle()
        #expect(field.text == text && field.frame.size.height == field.intrinsicContentSize.height)
        #expect(field.frame.size.height >= empty && field.layout.size.height <= field.frame.size.height)
        stage.press([KeySymbol.backspace])
        stage.settle()
        #expect(field.text.isEmpty && field.frame.size.height == empty)
        field.placeholder = text
        stage.settle()
        #expect(field.frame.size.height == max(field.hint.size.height + 14, empty))
        field.placeholder = ""
        stage.settle()
      }
      let button = PopUpButton(["x", "ไ", "ש"])
      let heights = (0..<3).map { index in
        button.selectedIndex = index
        return button.intrinsicContentSize.height
      }
      #expect(Set(heights).count == 1)
    }
  }
}
