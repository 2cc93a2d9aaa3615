import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

extension UISuites {
  /// Which segment is selected, what is sent for it, and what the control looks like.
  @MainActor @Suite("Segmented controls") struct SegmentedControlTests {
    /// Three segments of 60 points.
    private let frame = Rect(x: 10, y: 10, width: 180, height: 30)
    private let none = SegmentedControl.noSegment

    // MARK: Segments

    @Test("The selection stays with its segment while others come and go, and ends with it")
    func segments() {
      let view = SegmentedControl(["A", "B", "C"])
      #expect(view.numberOfSegments == 3 && view.selectedSegmentIndex == none)
      let record = view.recordEvents()
      view.selectedSegmentIndex = 1
      view.insertSegment(withTitle: "0", at: 0)
      #expect(view.selectedSegmentIndex == 2)
      view.insertSegment(withTitle: "D", at: .max)
      view.insertSegment(withTitle: "-", at: .min)
      #expect((0..<6).map { view.titleForSegment(at: $0) } == ["-", "0", "A", "B", "C", "D"])
      #expect(view.selectedSegmentIndex == 3)
      view.removeSegment(at: 0)
      view.removeSegment(at: 4)
      #expect(view.selectedSegmentIndex == 2)
      view.removeSegment(at: 2)
      #expect(view.selectedSegmentIndex == none && view.numberOfSegments == 3)
      view.removeAllSegments()
      #expect(view.numberOfSegments == 0 && record.take() == [])
    }

    @Test("Numbers without a segment select none, and change nothing", arguments: [-2, 2, Int.min, .max])
    func wild(_ index: Int) {
      let view = SegmentedControl(["A", "B"])
      view.selectedSegmentIndex = 1
      view.removeSegment(at: index)
      view.setTitle("X", forSegmentAt: index)
      view.setEnabled(false, forSegmentAt: index)
      #expect(view.numberOfSegments == 2 && view.selectedSegmentIndex == 1)
      #expect(view.titleForSegment(at: index) == nil && !view.isEnabledForSegment(at: index))
      view.selectedSegmentIndex = index
      #expect(view.selectedSegmentIndex == none)
    }

    // MARK: The user

    @Test("A press that ends on its segment selects it, and sends the value before the primary action")
    func press() throws {
      var values: [Int] = []
      let view = SegmentedControl(["A", "B", "C"])
      view.addAction(for: .valueChanged) { values.append(view.selectedSegmentIndex) }
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      stage.send(.press(100, 20), .release(105, 20))
      #expect(record.take() == ["down", "inside", "value", "primary"] && view.selectedSegmentIndex == 1)
      // Once more, on another segment at its end, and outside.
      stage.send(.press(100, 20), .release(105, 20))
      stage.send(.press(30, 20), .move(100, 20), .release(160, 20))
      #expect(record.take() == ["down", "inside", "down", "inside"])
      stage.send(.press(30, 20), .move(30, 100), .release(30, 100))
      #expect(record.take() == ["down", "outside"])
      view.setEnabled(false, forSegmentAt: 2)
      stage.send(.press(180, 20), .release(180, 20))
      #expect(record.take() == ["down", "inside"] && values == [1])
    }

    @Test("An action for the end of a press and for the primary action is performed once for a press")
    func once() throws {
      var calls = 0
      let view = SegmentedControl(["A", "B", "C"])
      view.addAction(for: [.touchUpInside, .primaryActionTriggered]) { calls += 1 }
      let stage = try UIStage(view, frame)
      stage.send(.press(100, 20), .release(105, 20))
      #expect(calls == 1 && view.selectedSegmentIndex == 1)
      // On the segment that is selected, and by a key, which sends no end of a press.
      stage.send(.press(100, 20), .release(105, 20))
      #expect(calls == 2)
      #expect(view.becomeFirstResponder())
      stage.send(.type(KeySymbol.left))
      #expect(calls == 3 && view.selectedSegmentIndex == 0)
    }

    @Test("A press is forgotten when the segments change under it")
    func changedMeanwhile() throws {
      let view = SegmentedControl(["A", "B", "C"])
      let stage = try UIStage(view, frame)
      for change in 0..<3 {
        stage.send(.press(30, 20))
        switch change {
        case 0: view.insertSegment(withTitle: "D", at: 0)
        case 1: view.removeSegment(at: 0)
        default: view.setEnabled(false, forSegmentAt: 0)
        }
        stage.send(.release(30, 20))
        #expect(view.selectedSegmentIndex == none)
      }
    }

    @Test("Arrows, Home and End move the selection over what is disabled, and not beyond the ends")
    func keys() throws {
      let view = SegmentedControl(["A", "B", "C", "D"])
      view.setEnabled(false, forSegmentAt: 1)
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      #expect(view.becomeFirstResponder())
      let keys = [
        (KeySymbol.right, 0), (KeySymbol.down, 2), (KeySymbol.right, 3), (KeySymbol.left, 2), (KeySymbol.up, 0),
        (KeySymbol.end, 3), (KeySymbol.home, 0),
        // The arrow of the number pad.
        (0xFF98, 2),
      ]
      for (symbol, expected) in keys {
        stage.send(.type(symbol))
        #expect(view.selectedSegmentIndex == expected && record.take() == ["value", "primary"], "\(symbol)")
      }
      stage.send(.type(KeySymbol.end), .type(KeySymbol.right))
      #expect(record.take() == ["value", "primary"])
      for modifier in [ModifierFlags.control, .alternate, .command] { stage.send(.type(KeySymbol.left, "", modifier)) }
      stage.send(.type(KeySymbol.space), .type(0x61, "a"))
      #expect(record.take() == [] && stage.scene?.heard.last == "a")
      view.selectedSegmentIndex = none
      stage.send(.type(KeySymbol.left))
      #expect(view.selectedSegmentIndex == 3)
    }

    @Test("Without segments, with one that is disabled, and disabled as a whole nothing is selected")
    func nothing() throws {
      let view = SegmentedControl()
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      view.becomeFirstResponder()
      func tryAll() {
        stage.send(.press(30, 20), .release(30, 20))
        for symbol in [KeySymbol.left, KeySymbol.right, KeySymbol.home, KeySymbol.end] { stage.send(.type(symbol)) }
        stage.settle()
        #expect(!record.take().contains("value") && view.selectedSegmentIndex == none)
      }
      tryAll()
      view.insertSegment(withTitle: "A", at: 0)
      view.setEnabled(false, forSegmentAt: 0)
      tryAll()
      view.setEnabled(true, forSegmentAt: 0)
      view.isEnabled = false
      tryAll()
      #expect(!view.isFirstResponder)
    }

    // MARK: Looks

    @Test("All segments are as wide as the widest title")
    func sizes() {
      let view = SegmentedControl(["A", "B"])
      let narrow = view.intrinsicContentSize
      view.setTitle("A long title", forSegmentAt: 1)
      let wide = view.intrinsicContentSize
      #expect(wide.width > 2 * 60 && wide.width > narrow.width && wide.height == narrow.height)
      view.font = .heading
      #expect(view.intrinsicContentSize.height > wide.height)
      view.removeAllSegments()
      #expect(view.intrinsicContentSize.width > 0)
    }

    @Test("Each state has a look of its own, in both appearances", arguments: [InterfaceStyle.light, .dark])
    func looks(_ appearance: InterfaceStyle) throws {
      let theme = Theme.of(appearance)
      let view = SegmentedControl(["A", "B", "C"])
      let stage = try UIStage(view, frame, appearance)
      func colors() throws -> [UInt32] { try [15, 75, 135].map { try stage.pixel($0, 15) } }
      let (plain, accent) = (theme.controlBackground.pixel, theme.accentBackground.pixel)
      #expect(try colors() == [plain, plain, plain])
      view.selectedSegmentIndex = 1
      #expect(try colors() == [plain, accent, plain])
      stage.send(.move(30, 20))
      #expect(try colors() == [theme.controlHover.pixel, accent, plain])
      stage.send(.press(30, 20))
      #expect(try colors() == [theme.controlPressed.pixel, accent, plain])
      stage.send(.move(100, 20))
      #expect(try colors()[0] == plain)
      stage.send(.release(100, 20), .exit())
      let quiet = try stage.pixels(frame)
      view.becomeFirstResponder()
      let ring = try stage.pixels(frame)
      #expect(ring != quiet)
      view.resignFirstResponder()
      view.setEnabled(false, forSegmentAt: 0)
      #expect(try stage.pixels(frame) != quiet)
      view.isEnabled = false
      #expect(try !stage.pixels(frame).contains(accent))
      #expect(try !stage.pixels(frame).contains(theme.label.pixel))
    }
  }
}
