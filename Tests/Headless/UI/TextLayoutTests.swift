import Glibc
import ProsceniumCore
import ProsceniumTesting
import Synchronization
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// Places in a text: what carets and selections are made of.
  @MainActor @Suite("Text layout") struct TextLayoutTests {
    private func layout(_ text: String, width: Int? = nil) -> TextLayout {
      #expect(TestFonts.isSet)
      let layout = TextLayout(text, font: Font(size: 16))
      layout.width = width
      return layout
    }

    @Test("A text has a size, and more lines where it is narrower")
    func size() {
      let wide = layout("one two three four")
      #expect(wide.size.width > 60 && wide.size.height > 12 && wide.lineCount == 1)
      let narrow = layout("one two three four", width: 60)
      #expect(narrow.lineCount > 1 && narrow.size.width <= 60 && narrow.size.height > wide.size.height)
      narrow.maximumLines = 1
      #expect(narrow.lineCount == 1 && narrow.isTruncated)
    }

    /// The last owner of a text, and where it was released: 1 is the main thread, 2 another one.
    private nonisolated static let owner = Mutex<TextLayout?>(nil)
    private nonisolated static let releasing = Atomic<Int>(0)
    private typealias Notify = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void
    private typealias WeakRef = @convention(c) (OpaquePointer, Notify, UnsafeMutableRawPointer?) -> Void

    /// Several threads of this process run the main queue, one after the other.
    private nonisolated static func noteRelease() {
      releasing.store(Responder.isMainThread ? 1 : 2, ordering: .relaxed)
    }

    private func giveAway() throws {
      let text = layout("one")
      let watch = unsafeBitCast(try #require(dlsym(nil, "g_object_weak_ref")), to: WeakRef.self)
      let pointer = try #require(text.pointer)
      watch(pointer, { _, _ in TextLayoutTests.noteRelease() }, nil)
      Self.owner.withLock { $0 = text }
    }

    @Test("A text whose last owner goes on another thread is released on the main thread, as its fonts are used there")
    func released() async throws {
      try giveAway()
      await Task.detached { Self.owner.withLock { $0 = nil } }.value
      for _ in 0..<10_000 where Self.releasing.load(ordering: .relaxed) == 0 { await Task.yield() }
      #expect(Self.releasing.load(ordering: .relaxed) == 1)
    }

    @Test("A text of one line has one, whatever line endings are in it")
    func lineEndings() {
      let height = layout("Subject").size.height
      for content in [
        "Subject\nBody\nthat is longer\nthan\nfive lines", "a\r\nb\u{2029}c\u{2028}d\ne", "\n\n\n\nBody",
      ] {
        let text = layout(content)
        text.maximumLines = 1
        for width in [nil, 200, 50] {
          text.width = width
          #expect(text.lineCount == 1 && text.size.height <= height + 1, "\(content), \(width ?? 0)")
          #expect(text.caretOffset(at: text.caret(at: content.utf8.count).origin) <= content.utf8.count)
        }
        text.maximumLines = nil
        #expect(text.lineCount >= 4)
      }
    }

    @Test("A label of one line is as high as one, whatever its text is")
    func labels() {
      let (label, plain) = (Label("Subject\nBody"), Label("Subject"))
      #expect(label.intrinsicContentSize.height == plain.intrinsicContentSize.height)
      label.numberOfLines = 0
      #expect(label.intrinsicContentSize.height > plain.intrinsicContentSize.height * 3 / 2)
    }

    @Test("A click on a character gives its caret, and the caret its place")
    func carets() {
      let text = layout("abc e\u{301}x 😀!")
      var place = 0
      var last = -1
      for character in text.text {
        let caret = text.caret(at: place)
        #expect(caret.origin.x > last && caret.size.height > 10)
        #expect(text.caretOffset(at: Point(x: caret.origin.x + 1, y: 5)) == place)
        last = caret.origin.x
        place += character.utf8.count
      }
      #expect(text.caretOffset(at: Point(x: 10_000, y: 5)) == place)
      #expect(text.caretOffset(at: Point(x: Int.min, y: Int.max)) >= 0)
      // Within a character, and out of range: no harm.
      for wrong in [-5, 6, 11, 10_000, Int.max, Int.min] { _ = (text.caret(at: wrong), text.line(at: wrong)) }
    }

    @Test("Letters stand as far from one another as the first two, at every scale", arguments: [1, 1.25, 1.5, 1.75, 2])
    func evenness(scale: Double) throws {
      let (label, field, view) = (Label(Self.strokes), TextField(), TextView())
      (field.text, view.text) = (Self.strokes, Self.strokes)
      // Letters of five points, which are no whole pixels.
      (label.font, field.font, view.font) = (Font(size: 18), Font(size: 18), Font(size: 18))
      let stage = try UIStage { window in
        window.rootView = StackView(.vertical, margin: 11, [label, field, view])
      }
      stage.program.platform.send(.scale(stage.id, scale))
      stage.settle()
      let surface = try stage.surface()
      for shown in [label, field, view] {
        let place = shown.convert(shown.bounds, to: nil)
        let row = Int(Double(place.origin.y + (shown === view ? 16 : place.size.height / 2)) * scale)
        let left = Int(Double(place.origin.x - 2) * scale)
        // Each letter is one stroke; where it begins the shade darkens.
        let shades = (left..<surface.size.width - Int(20 * scale)).map { surface[$0, row] & 0xFF }
        let starts = shades.indices.dropFirst().filter { shades[$0] < 0xC0 && shades[$0 - 1] >= 0xC0 }
        let gaps = Set(zip(starts, starts.dropFirst()).map { $1 - $0 })
        #expect(starts.count == Self.strokes.count && gaps.count == 1, "\(type(of: shown)): \(starts)")
      }
    }
    private static let strokes = String(repeating: "l", count: 20)

    @Test("Sizes and places are points at every scale, and a text fits where measured", arguments: [1.25, 1.5, 3])
    func scales(scale: Double) {
      let text = "Wherever you go, there you are"
      let (plain, scaled) = (layout(text), layout(text))
      let natural = plain.size
      scaled.displayScale = scale
      #expect(abs(scaled.size.height - natural.height) <= 1)
      #expect(abs(scaled.size.width - natural.width) <= natural.width / 10)
      #expect(abs(scaled.baseline - plain.baseline) <= 1)
      for offset in 0..<text.utf8.count {
        let caret = scaled.caret(at: offset)
        #expect(scaled.caretOffset(at: Point(x: caret.origin.x + 1, y: 5)) == offset)
        #expect(caret.size.height == scaled.size.height)
      }
      let selected = scaled.selectionRects(from: 0, to: text.utf8.count)
      #expect(selected == [Rect(x: 0, y: 0, width: scaled.size.width, height: scaled.size.height)])
      // Measured, it needs neither an ellipsis nor a second line.
      scaled.width = scaled.size.width
      #expect(scaled.lineCount == 1)
      scaled.maximumLines = 1
      #expect(!scaled.isTruncated)
      for wrong in [0, -1, .infinity, .nan, 1e300] {
        scaled.displayScale = wrong
        #expect((0.1...32).contains(scaled.displayScale))
      }
      scaled.width = Int.max
      #expect(scaled.lineCount == 1)
    }

    @Test("Views lay their texts out again where the window comes to a screen of another scale")
    func screens() throws {
      let (label, button, text) = (Label("Willow"), Button("Willow"), TextView())
      text.text = "Willow"
      let stage = try UIStage { window in window.rootView = StackView(.vertical, [label, button, text]) }
      func scales() -> Set<Double> {
        Set((label.texts + button.texts + [text.rows(0).layout]).map(\.displayScale))
      }
      #expect(scales() == [1])
      stage.program.platform.send(.scale(stage.id, 1.5))
      stage.settle()
      #expect(scales() == [1.5])
      // What comes into the window later.
      let late = Label("Willow")
      #expect(late.texts.map(\.displayScale) == [1])
      stage.window.rootView?.addSubview(late)
      #expect(late.texts.map(\.displayScale) == [1.5])
      stage.program.platform.send(.scale(stage.id, 1))
      stage.settle()
      #expect(scales() == [1])
    }

    @Test("A view that is told of its window finds all its texts laid out for that window")
    func told() throws {
      let (stage, told) = (try UIStage { $0.rootView = View() }, Told())
      stage.program.platform.send(.scale(stage.id, 1.5))
      stage.settle()
      stage.window.rootView?.addSubview(told)
      #expect(told.scales == [1.5])
    }
    private final class Told: View {
      var scales: Set<Double> = []
      override init() {
        super.init()
        addSubview(Label("Willow"))
      }
      override func didMoveToWindow() {
        guard window != nil else { return }
        forEach { scales.formUnion($0.texts.map(\.displayScale)) }
      }
    }

    @Test("What comes into a window that is out of sight has the scale of the others when it is seen")
    func background() throws {
      let (early, late) = (Label("Willow"), Label("Willow"))
      let stage = try UIStage { $0.rootView = StackView(.vertical, [early]) }
      func send(_ scale: Double) {
        stage.program.platform.send(.scale(stage.id, scale))
        stage.settle()
      }
      send(1.5)
      stage.program.platform.send(.levels(stage.id, WindowLevels()))
      stage.program.advance(by: 5000)
      #expect(stage.window.windowScene?.activationState == .background)
      send(1)
      stage.window.rootView?.addSubview(late)
      send(1.5)
      stage.program.platform.send(
        .levels(stage.id, WindowLevels(visible: true, visibleCause: "viewable", focused: true)))
      stage.settle()
      #expect([early, late].map { $0.texts[0].displayScale } == [1.5, 1.5])
    }

    @Test(
      "A text is no wider than the room that it is cut to, at scales of any resolution", arguments: [106, 110, 134])
    func room(dotsPerInch: Int) {
      for content in ["Wherever you go, there you are", "\u{5E9}\u{5DC}\u{5D5}\u{5DD} abc 123"] {
        let text = layout(content)
        text.displayScale = Double(dotsPerInch) / 96
        text.maximumLines = 1
        for width in 40..<90 {
          text.width = width
          let line = text.lineRect(0)
          #expect(text.size.width <= width && line.origin.x + line.size.width <= width, "\(content), \(width)")
        }
      }
    }

    @Test("Lines have ranges and places")
    func lines() {
      let text = layout("first\nsecond line\n")
      #expect(text.lineCount == 3)
      #expect(text.lineRange(0) == 0..<5 && text.lineRange(1) == 6..<17 && text.lineRange(2) == 18..<18)
      #expect(text.lineRange(7).isEmpty && text.line(at: 8) == 1 && text.line(at: 18) == 2)
      #expect(text.lineRect(1).origin.y >= text.lineRect(0).size.height - 1)
      #expect(text.caret(at: 18).origin.y == text.lineRect(2).origin.y)
    }

    @Test("The arrow to the right goes to the right, in every direction of the text")
    func visual() {
      let text = layout("ab שלום cd")
      var place = 0
      var places = [text.caret(at: 0).origin.x]
      for _ in 0..<text.text.count {
        place = text.moveVisually(from: place, by: 1)
        places.append(text.caret(at: place).origin.x)
      }
      #expect(place == text.text.utf8.count && places.count == text.text.count + 1)
      #expect(places.first == 0 && places.last == places.max())
      #expect(text.moveVisually(from: 0, by: -1) == 0)
      #expect(text.moveVisually(from: 0, by: 1_000_000) == text.text.utf8.count)
    }

    @Test("A selection over two directions has several rectangles; a NUL does not end a text")
    func selection() {
      let text = layout("ab שלום cd")
      #expect(text.selectionRects(from: 0, to: 2).count == 1)
      #expect(text.selectionRects(from: 0, to: 5).count >= 2)
      #expect(text.selectionRects(from: 5, to: 5).isEmpty)
      let two = layout("one\ntwo")
      #expect(two.selectionRects(from: 1, to: 6).count == 2)
      let nul = layout("a\0b")
      #expect(nul.size.width > layout("a").size.width && nul.caret(at: 3).origin.x > nul.caret(at: 2).origin.x)
    }

    @Test(
      "A text from right to left reads as it is written, wherever its lines stand",
      arguments: [TextAlignment.left, .center, .right])
    func alignments(_ alignment: TextAlignment) {
      let (natural, aligned) = (layout("", width: 300), layout("", width: 300))
      aligned.alignment = alignment
      for content in ["\u{5E9}\u{5DC}\u{5D5}\u{5DD} 12!", "abc 12!", "12!", "\u{5E9} abc (1)"] {
        (natural.text, aligned.text) = (content, content)
        let places = [natural, aligned].map { text in
          (0...content.utf8.count).map { text.caret(at: $0).origin.x - text.lineRect(0).origin.x }
        }
        // Lines in the middle begin within a point.
        #expect(zip(places[0], places[1]).allSatisfy { abs($0 - $1) <= 1 }, "\(content): \(places)")
        let (line, room) = (aligned.lineRect(0), 300 - aligned.lineRect(0).size.width)
        let expected = alignment == .left ? 0 : alignment == .right ? room : room / 2
        #expect(abs(line.origin.x - expected) <= 1, "\(content): \(line)")
      }
      let button = Button("\u{5E9}?")
      #expect(button.texts[0].caret(at: 0).origin.x > button.texts[0].caret(at: 2).origin.x)
    }

    @Test("A word that is broken shows nothing that it does not have", arguments: [TextWrapping.word, .character])
    func hyphens(_ wrapping: TextWrapping) {
      let text = layout(String(repeating: "incomprehensibilities", count: 8), width: 100)
      text.wrapping = wrapping
      #expect(text.lineCount > 8)
      for line in 0..<text.lineCount {
        let range = text.lineRange(line)
        let bytes = Array(text.text.utf8)[range]
        // By itself the row is as wide: there is no hyphen at its end.
        let alone = layout(String(decoding: bytes, as: UTF8.self))
        #expect(abs(text.lineRect(line).size.width - alone.size.width) <= 1, "row \(line)")
      }
    }
  }
}
