import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// The size that a text asks for.
  @MainActor @Suite("Sizes of texts") struct TextSizeTests {
    private static let font = Font(family: "Monospace", size: 13)
    private let line = {
      let layout = TextLayout()
      (layout.font, layout.text) = (font, "x")
      return layout.size
    }()

    private func view(_ text: String) -> TextView {
      let view = TextView()
      (view.font, view.text) = (Self.font, text)
      return view
    }

    @Test("A text view asks for the height of its text in the width that it is given")
    func height() throws {
      let _ = try UIStage { $0.rootView = View() }
      let text = view("one\ntwo\nthree")
      let around = Size(width: 2 * text.textInset.width, height: 2 * text.textInset.height)
      let wide = text.sizeThatFits(Size(width: .max, height: .max))
      #expect(wide.height == 3 * line.height + around.height)
      #expect((5 * (line.width - 1)...5 * line.width).contains(wide.width - around.width))
      // The height is that of the text, also where there is less room.
      #expect(text.sizeThatFits(Size(width: 200, height: 1)).height == wide.height)
      text.text = String(repeating: "word ", count: 40)
      let narrow = text.sizeThatFits(Size(width: 120, height: 1000))
      #expect(narrow.width <= 120 && narrow.height > 8 * line.height)
      #expect(text.sizeThatFits(Size(width: 0, height: 0)).height > narrow.height)
      text.text = ""
      #expect(text.sizeThatFits(Size(width: 200, height: 1000)).height == line.height + around.height)
      text.textInset = Size(width: 0, height: 20)
      #expect(text.sizeThatFits(Size(width: 200, height: 1000)).height == line.height + 40)
      text.preferredSize = Size(width: 50, height: View.noIntrinsicMetric)
      #expect(text.sizeThatFits(Size(width: 200, height: 1000)) == Size(width: 50, height: line.height + 40))
    }

    @Test("A long paragraph, and many of them, ask for what they are shown in")
    func long() throws {
      let text = view(String(repeating: "some words ", count: 3000) + "\n" + String(repeating: "x\n", count: 50))
      let stage = try UIStage(text, Rect(x: 0, y: 0, width: 300, height: 200))
      stage.settle()
      let wish = text.sizeThatFits(Size(width: 300, height: .max))
      // All of it is laid out as it comes in sight.
      for paragraph in 0..<text.lines.count { _ = text.lines.height(paragraph, text.shown) }
      #expect(wish.height == text.contentHeight + 2 * text.textInset.height)
    }

    @Test("A text that takes the room that is left in a stack asks for none, another one is as high as its text")
    func stacks() throws {
      let (text, below) = (view(String(repeating: "line\n", count: 100)), Label("below"))
      let stack = StackView(.vertical, spacing: 0, [text, below])
      let stage = try UIStage(stack, Rect(x: 0, y: 0, width: 200, height: 200))
      stage.settle()
      #expect(stack.intrinsicContentSize.height == below.intrinsicContentSize.height)
      #expect(below.frame.size.height == below.intrinsicContentSize.height)
      text.text = "one"
      text.isStretching = false
      stage.settle()
      #expect(text.frame.size.height == line.height + 2 * text.textInset.height)
      text.becomeFirstResponder()
      stage.type("a\nb\n")
      stage.settle()
      #expect(text.frame.size.height == 3 * line.height + 2 * text.textInset.height)
      text.text = ""
      stage.settle()
      #expect(text.frame.size.height == line.height + 2 * text.textInset.height)
    }

    @Test("A view that places a text by its size does so again as the text changes, and not for an equal one")
    func elsewhere() throws {
      final class Page: View {
        let text: TextView
        var layouts = 0
        init(_ text: TextView) {
          self.text = text
          super.init()
          addSubview(text)
        }
        override func layoutSubviews() {
          super.layoutSubviews()
          layouts += 1
          text.text = text.text
          text.frame = Rect(bounds.origin, text.sizeThatFits(bounds.size))
        }
      }
      let page = Page(view("one"))
      let stage = try UIStage(page, Rect(x: 0, y: 0, width: 200, height: 200))
      stage.settle()
      let margins = 2 * page.text.textInset.height
      #expect(page.text.frame.size.height == line.height + margins)
      let layouts = page.layouts
      page.setNeedsLayout()
      stage.settle()
      #expect(page.layouts == layouts + 1)
      page.text.becomeFirstResponder()
      stage.type("a\nb\n")
      stage.settle()
      #expect(page.text.frame.size.height == 3 * line.height + margins)
      page.text.textInset = Size(width: 0, height: 20)
      stage.settle()
      #expect(page.text.frame.size.height == 3 * line.height + 40)
    }
  }
}
