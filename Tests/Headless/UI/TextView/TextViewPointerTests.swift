import ProsceniumCore
import ProsceniumTesting
import TestSupport
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// A text view under the pointer, and what it draws.
  @MainActor @Suite("Text view: pointer and drawing") struct TextViewPointerTests {
    private let many = (0..<100).map { "Line \($0)" }.joined(separator: "\n")

    @Test("A click places the caret, two select a word, three a paragraph")
    func clicks() throws {
      let text = try TextStage("one two three\nnext")
      text.stage.settle()
      // Eight points to a letter, and eight before the first.
      text.click(8 + 8 * 5, 12)
      #expect((4...6).contains(text.view.caretOffset) && text.view.selectedRange.isEmpty)
      text.click(8 + 8 * 5, 12, after: 100)
      #expect(text.shown == "one [two] three\nnext")
      let primary = text.stage.program.platform.pasteboards.items[.primary]?.first
      #expect(primary.map { String(decoding: $0.data, as: UTF8.self) } == "two")
      text.click(8 + 8 * 5, 12, after: 100)
      #expect(text.shown == "[one two three]\nnext")
      text.click(8 + 8 * 5, 12, after: 100)
      #expect(text.view.selectedRange.isEmpty)
      text.click(9, 12)
      text.click(300, 12, modifiers: .shift)
      #expect(text.shown == "[one two three]\nnext")
      text.click(300, 200)
      #expect(text.shown == "one two three\nnext|")
    }

    @Test("A double click on either half of a character selects its word, in a field, too")
    func halves() throws {
      let words = ["I", " ", "am", "am", " ", "a", " ", "cat", "cat", "cat"]
      let text = try TextStage("I am a cat")
      text.stage.settle()
      func selected(_ x: Int, _ y: Int, _ selection: () -> String) -> String {
        text.click(x, y)
        text.click(x, y, after: 100)
        return selection()
      }
      for (index, word) in words.enumerated() {
        for part in [1, 6] { #expect(selected(8 + 8 * index + part, 12) { text.view.selectedText } == word) }
      }
      // Beside the text it is the word at its end.
      #expect(selected(200, 12) { text.view.selectedText } == "cat")
      let field = TextField("I am a cat")
      field.font = text.view.font
      field.frame = Rect(x: 0, y: 0, width: 200, height: 30)
      text.stage.window.rootView = field
      text.stage.settle()
      for (index, word) in words.enumerated() {
        for part in [1, 6] { #expect(selected(8 + 8 * index + part, 15) { field.selectedText } == word) }
      }
      #expect(selected(8 + 6, 1) { field.selectedText } == "I")
      #expect(selected(180, 15) { field.selectedText } == "cat")
    }

    @Test("A drag selects, by words after a double click")
    func drags() throws {
      let text = try TextStage("one two three four\nnext")
      text.stage.settle()
      text.stage.send(.press(9, 12), .move(200, 12), .move(8 + 8 * 6, 12), .release(60, 12), .move(200, 12))
      let range = text.view.selectedRange
      #expect(range.lowerBound == 0 && (5...7).contains(range.upperBound))
      text.click(8 + 8 * 5, 12, after: 5000)
      text.send(.press(8 + 8 * 5, 12), 6200)
      #expect(text.view.selectedText == "two")
      text.send(.move(8 + 8 * 10, 12), 6300)
      #expect(text.view.selectedText == "two three")
      text.send(.move(9, 12), 6400)
      #expect(text.view.selectedText == "one two")
      text.send(.release(9, 12), 6500)
    }

    @Test("The wheel scrolls, no further than the text goes")
    func wheel() throws {
      let text = try TextStage(many)
      text.stage.settle()
      func turn(_ lines: Double) {
        let point = Point(x: 50, y: 50)
        text.stage.send(.scroll(Scroll(deltaX: 0, deltaY: lines, isPrecise: lines != lines.rounded(), location: point)))
      }
      turn(1)
      let notch = text.view.scrollOffset
      #expect((30...90).contains(notch))
      for _ in 0..<10 { turn(0.1) }
      #expect(abs(text.view.scrollOffset - 2 * notch) <= 1)
      turn(-100)
      #expect(text.view.scrollOffset == 0)
      turn(1000)
      let end = text.view.scrollOffset
      #expect(end == text.view.contentHeight - (240 - 12))
      turn(.infinity)
      turn(.nan)
      turn(5)
      #expect(text.view.scrollOffset == end)
      // The scroll bar is dragged back to the beginning.
      text.stage.send(.press(316, 235), .move(316, -500), .release(316, -500))
      #expect(text.view.scrollOffset == 0 && text.view.selectedRange.isEmpty)
    }

    @Test("A press on the thumb moves nothing, and one beside it turns pages while it is held")
    func scrollBar() throws {
      let text = try TextStage(many)
      text.stage.settle()
      text.view.scrollOffset = 201
      text.stage.send(.press(316, 40))
      #expect(text.view.scrollOffset == 201)
      text.stage.send(.release(316, 40), .press(316, 235))
      #expect(text.view.scrollOffset == 201 + 216)
      text.stage.program.advance(by: 5000)
      #expect(text.view.scrollOffset == text.view.contentHeight - (240 - 12))
      text.stage.send(.release(316, 235), .press(316, 2))
      let offset = text.view.scrollOffset
      #expect(offset == text.view.contentHeight - (240 - 12) - 216)
      text.stage.send(.release(316, 2))
      text.stage.program.advance(by: 2000)
      #expect(text.view.scrollOffset == offset && text.view.selectedRange.isEmpty)
    }

    @Test("The thumb reaches the end of a text that becomes higher while it is dragged")
    func thumbToTheEnd() throws {
      // Each word has a row of its own, of 38 letters; the height that is estimated is that of full rows.
      let words = Array(repeating: String(repeating: "w", count: 20), count: 10).joined(separator: " ")
      let text = try TextStage(Array(repeating: words, count: 200).joined(separator: "\n"))
      text.stage.settle()
      let estimated = text.view.contentHeight
      text.stage.send(.press(316, 10))
      for y in stride(from: 14, through: 222, by: 4) { text.stage.send(.move(316, y)) }
      #expect(text.view.contentHeight > estimated)
      for y in [230, 239, 1000, 239] {
        text.stage.send(.move(316, y))
        #expect(text.view.visibleParagraphs().last?.index == 199)
        #expect(text.view.scrollOffset == text.view.contentHeight - (240 - 12), "\(y)")
      }
      text.stage.send(.move(316, 10))
      #expect(text.view.scrollOffset == 0)
      text.stage.send(.release(316, 10))
    }

    @Test("The delegate is told of scrolling, by whatever brings it about, and of nothing else")
    func told() throws {
      let text = try TextStage(many)
      text.stage.settle()
      #expect(text.scrolls == 0)
      let point = Point(x: 50, y: 50)
      func turn(_ lines: Double) {
        text.stage.send(.scroll(Scroll(deltaX: 0, deltaY: lines, isPrecise: false, location: point)))
      }
      turn(-1)
      #expect(text.scrolls == 0)
      turn(1)
      #expect(text.scrolls == 1)
      // The caret, which is at the beginning, comes in sight with what is typed.
      text.type("x")
      #expect(text.scrolls == 2 && text.view.scrollOffset == 0)
      text.type("y")
      #expect(text.scrolls == 2)
      text.view.scrollOffset = 100
      text.view.scrollOffset = 100
      #expect(text.scrolls == 3)
      text.view.text = "short"
      #expect(text.scrolls == 4 && text.view.scrollOffset == 0)
      // What is shown is deleted.
      text.view.text = many
      text.view.scrollOffset = 400
      text.command("a")
      #expect(text.scrolls == 5 && text.view.scrollOffset == 400)
      text.press(Symbol.delete)
      #expect(text.scrolls == 6 && text.view.scrollOffset == 0 && text.view.text == "")
    }

    @Test("Beyond the end of a text a finger scrolls the view around it, and with Shift the wheel does so sideways")
    func around() throws {
      let (view, outer) = (TextView(), ScrollView())
      view.text = "short"
      view.frame = Rect(x: 0, y: 0, width: 300, height: 150)
      outer.addSubview(view)
      outer.contentSize = Size(width: 800, height: 800)
      let stage = try UIStage { $0.rootView = outer }
      stage.settle()
      func touch(_ phase: Touch.Phase, _ y: Int) {
        stage.send(.touch(Touch(identifier: 1, phase: phase, location: Point(x: 50, y: y))))
      }
      touch(.began, 140)
      touch(.moved, 100)
      touch(.moved, 60)
      touch(.ended, 60)
      #expect(outer.contentOffset == Point(x: 0, y: 80) && !view.isFirstResponder)
      let point = Point(x: 50, y: 20)
      stage.send(.scroll(Scroll(deltaX: 0, deltaY: 1, isPrecise: false, location: point, modifiers: .shift)))
      #expect(outer.contentOffset == Point(x: 40, y: 80))
    }

    @Test("A finger that moves scrolls, one that stays places the caret")
    func touches() throws {
      let text = try TextStage(many)
      text.stage.settle()
      func touch(_ phase: Touch.Phase, _ y: Int, _ identifier: Int = 1) {
        text.stage.send(.touch(Touch(identifier: identifier, phase: phase, location: Point(x: 200, y: y))))
      }
      touch(.began, 200)
      touch(.began, 20, 2)
      touch(.moved, 195)
      #expect(text.view.scrollOffset == 0)
      touch(.moved, 100)
      touch(.moved, Int.min, 2)
      touch(.ended, 20, 2)
      #expect(text.view.scrollOffset == 100)
      touch(.moved, -100)
      touch(.ended, -100)
      #expect(text.view.scrollOffset == 300 && text.view.caretOffset == 0)
      touch(.began, 12)
      touch(.ended, 12)
      #expect(text.view.caretOffset > 50 && text.view.scrollOffset == 300)
      let caret = text.view.caretOffset
      touch(.began, 200)
      touch(.cancelled, 200)
      touch(.moved, 100)
      #expect(text.view.caretOffset == caret && text.view.scrollOffset == 300)
    }

    @Test("What is typed out of sight comes into sight; pages are turned with their keys")
    func revealing() throws {
      let text = try TextStage(many)
      text.stage.settle()
      text.press(Symbol.pageDown)
      let page = text.view.scrollOffset
      #expect((150...228).contains(page) && text.view.caretOffset > 0)
      text.press(Symbol.pageUp)
      #expect(text.view.scrollOffset == 0 && text.view.caretOffset == 0)
      text.press(Symbol.end, with: .control)
      #expect(text.view.scrollOffset == text.view.contentHeight - 228)
      text.view.scrollOffset = 0
      text.type("x")
      #expect(text.view.scrollOffset == text.view.contentHeight - 228)
      for _ in 0..<20 { text.press(Symbol.up) }
      #expect(text.view.scrollOffset < text.view.contentHeight - 228)
      text.press(Symbol.home, with: .control)
      #expect(text.view.scrollOffset == 0)
    }

    @Test("A drag beyond the edge scrolls frame by frame, until the button is let go")
    func autoscroll() throws {
      let text = try TextStage(many)
      text.stage.settle()
      text.stage.send(.press(20, 100), .move(20, 300))
      text.stage.program.advance(by: 500)
      let offset = text.view.scrollOffset
      #expect(offset > 100 && text.view.selectedText.contains("Line 20"))
      text.stage.send(.release(20, 300))
      text.stage.program.advance(by: 500)
      #expect(text.view.scrollOffset == offset)
      text.stage.send(.press(20, 100), .move(20, -50))
      text.stage.program.advance(by: 3000)
      #expect(text.view.scrollOffset == 0)
      // The release is not told.
      text.stage.program.desk.minimize(text.stage.window)
      text.stage.program.advance(by: 3000)
      text.stage.program.desk.restore(text.stage.window)
      text.stage.send(.move(20, 500))
      text.stage.program.advance(by: 300)
      #expect(text.view.scrollOffset == 0)
    }

    @Test("Wild places, keys and sizes do no harm")
    func wild() throws {
      let text = try TextStage(many)
      let far = Int(Int32.max)
      for (x, y) in [(far, far), (-far, -far), (0, far), (Int.max, Int.min)] {
        text.stage.send(.press(x, y), .move(y, x), .move(x, y), .release(x, y))
        text.stage.send(.press(x, y, 2), .release(x, y, 2))
      }
      text.stage.send(.press(9, 9), .move(far, far), .release(far, far))
      text.view.scrollOffset = .max
      text.view.scrollOffset = .min
      text.view.selectedRange = Int.min..<Int.max
      text.view.restorationState = ["anchor": .max, "caret": .min, "top": .max, "topOffset": .max]
      text.view.restorationState = [:]
      #expect(text.view.scrollOffset == 0)
      for size in [(1, 1), (5, 2000), (3000, 12), (320, 240)] {
        text.stage.program.platform.move(text.stage.id, to: Rect(x: 0, y: 0, width: size.0, height: size.1))
        text.stage.settle()
        text.type("a")
        text.press(Symbol.pageDown, Symbol.up, Symbol.end, Symbol.left)
        text.click(3, 3)
      }
      #expect(text.view.text.hasPrefix("aaaa") || text.view.text.contains("a"))
    }

    @Test("The selection and what is shown come back, wherever the window is and however large")
    func restoration() throws {
      let text = try TextStage(many)
      text.stage.settle()
      text.view.selectedRange = 30..<35
      text.view.scrollOffset = 333
      let state = text.view.restorationState
      let other = try TextStage("")
      other.view.text = many
      other.view.restorationState = state
      other.stage.settle()
      #expect(other.view.scrollOffset == 333 && other.view.selectedRange == 30..<35)
      #expect(other.view.restorationState == state)
    }

    @Test("A key draws its paragraph and nothing else, and lays out one")
    func damage() throws {
      let text = try TextStage(many)
      text.stage.settle()
      let count = text.view.lines.layoutCount
      #expect(count < 30)
      text.view.drawn = []
      text.press(Symbol.end)
      text.type("abc")
      text.stage.program.advance(by: 30)
      #expect(text.view.lines.layoutCount - count == 3)
      let rows = text.view.drawn.map(\.size.height)
      #expect(!rows.isEmpty && rows.allSatisfy { $0 < 40 }, "\(text.view.drawn)")
    }

    @Test("In a megabyte a key at the end lays out one paragraph, in little time")
    func size() throws {
      let line = "A line of words, as long as lines are in a note that goes on\n"
      let text = try TextStage(String(repeating: line, count: 17_000))
      text.stage.settle()
      text.press(Symbol.end, with: .control)
      text.stage.settle()
      let count = text.view.lines.layoutCount
      #expect(count < 200)
      let time = processorTime {
        for _ in 0..<50 {
          text.type("x")
          text.stage.program.advance(by: 17)
        }
      }
      #expect(text.view.lines.layoutCount - count == 50)
      // Without optimisation; the whole text takes minutes to lay out.
      #expect(time < .seconds(5), "50 keys took \(time)")
    }

    @Test("A megabyte without a line's end can be written in all the same")
    func oneLine() throws {
      let text = try TextStage(String(repeating: "word ", count: 200_000))
      text.stage.settle()
      text.press(Symbol.end)
      text.type("ab")
      text.press(Symbol.down, Symbol.pageDown, Symbol.up)
      text.press(Symbol.end, with: .control)
      text.stage.settle()
      let count = text.view.lines.layoutCount
      let time = processorTime {
        for _ in 0..<10 {
          text.type("x")
          text.stage.program.advance(by: 17)
        }
      }
      #expect(text.view.lines.layoutCount - count <= 20)
      #expect(time < .seconds(8), "10 keys took \(time)")
      // What is out of sight is not laid out to be selected.
      text.press(Symbol.home, with: .control)
      let layouts = text.view.lines.layoutCount
      text.command("a")
      text.stage.settle()
      #expect(text.view.lines.layoutCount == layouts && text.view.selectedRange.count == text.view.text.count)
      // Line by line through the places where it is cut.
      text.press(Symbol.home, with: .control)
      var last = -1
      for _ in 0..<600 {
        text.press(Symbol.end)
        text.press(Symbol.down)
        if text.view.caretOffset <= last { break }
        last = text.view.caretOffset
      }
      #expect(last > 2 * TextStorage.mostBytes, "\(last)")
    }

    @Test("The caret blinks while it has the focus, and for ten seconds after the last key")
    func blinking() throws {
      let text = try TextStage("text")
      let platform = text.stage.program.platform
      text.stage.settle()
      #expect(text.view.blink.isRunning)
      text.view.drawn = []
      text.stage.program.advance(by: 3000)
      #expect((3...6).contains(text.view.drawn.count), "\(text.view.drawn)")
      #expect(text.view.drawn.allSatisfy { $0.size.width <= 2 })
      text.stage.program.advance(by: 10_000)
      #expect(!text.view.blink.isRunning)
      var commands = platform.commands.count
      text.stage.program.advance(by: 60_000)
      #expect(platform.commands.count == commands)
      // A key brings it back; without the focus there is none.
      text.type("x")
      #expect(text.view.blink.isRunning)
      text.stage.program.desk.focus(nil)
      text.stage.program.advance(by: 1000)
      #expect(!text.view.blink.isRunning)
      commands = platform.commands.count
      text.view.drawn = []
      text.stage.program.advance(by: 60_000)
      #expect(platform.commands.count == commands && text.view.drawn.isEmpty)
      text.stage.program.desk.focus(text.stage.window)
      text.stage.program.advance(by: 100)
      #expect(text.view.blink.isRunning && !text.view.drawn.isEmpty)
    }

    @Test("In the background nothing is drawn, and what is written meanwhile is there on return")
    func background() throws {
      let text = try TextStage("text")
      text.stage.settle()
      text.stage.program.desk.minimize(text.stage.window)
      text.stage.program.advance(by: 3000)
      text.view.drawn = []
      let commands = text.stage.program.platform.commands.count
      for _ in 0..<100 { text.view.insertText("line\n") }
      text.stage.program.advance(by: 30_000)
      #expect(text.view.drawn.isEmpty && text.stage.program.platform.commands.count == commands)
      text.stage.program.desk.restore(text.stage.window)
      text.stage.program.advance(by: 100)
      #expect(text.view.drawn.contains { $0.size.height == 240 })
    }

    @Test("Text with a selection, marks, both directions and a scroll bar looks as it was reviewed")
    func picture() throws {
      let sample =
        "Dear reader,\nthis line is long enough to be wrapped once.\nCafe\u{301} naïve Ωμέγα אבג end\n\n\ttab"
      let text = try TextStage(sample, font: Font(family: "Sans", size: 14))
      text.view.selectedRange = 5..<24
      text.stage.settle()
      try Pictures.expect(try text.stage.surface(), "text-selection", tolerance: 0.02)
      text.view.text = many
      text.view.scrollOffset = 400
      text.view.overrideAppearance = .dark
      text.view.caretOffset = text.view.text.prefix(180).count
      text.stage.settle()
      try Pictures.expect(try text.stage.surface(), "text-scrolled-dark", tolerance: 0.02)
    }
  }
}
