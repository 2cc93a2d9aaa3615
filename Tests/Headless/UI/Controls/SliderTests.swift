import ProsceniumCore
import ProsceniumTesting
import Testing

@testable import ProsceniumUI

extension UISuites {
  /// What changes a slider, what it sends, and what it looks like.
  @MainActor @Suite("Sliders") struct SliderTests {
    /// The middle of the knob goes from 22 to 122 in the window.
    private let frame = Rect(x: 10, y: 10, width: 124, height: 24)

    private func isNear(_ one: Double, _ other: Double) -> Bool { abs(one - other) < 1e-9 }

    @Test("A second finger begins no second drag, so that the end of the first one tells what has changed")
    func twoFingers() throws {
      let view = Slider()
      view.isContinuous = false
      let stage = try UIStage(view, frame)
      let record = view.recordEvents()
      func touch(_ identifier: Int, _ phase: Touch.Phase, _ x: Int) {
        stage.send(.touch(Touch(identifier: identifier, phase: phase, location: Point(x: x, y: 20))))
      }
      touch(1, .began, 22)
      touch(1, .moved, 72)
      touch(2, .began, 72)
      touch(1, .ended, 72)
      #expect(isNear(view.value, 0.5) && record.take().contains("value"))
    }

    @Test("A second finger moves the knob of the first one nowhere, and does not end its drag; a click does")
    func secondFinger() throws {
      let view = Slider()
      let stage = try UIStage(view, frame)
      func touch(_ identifier: Int, _ phase: Touch.Phase, _ x: Int) {
        stage.send(.touch(Touch(identifier: identifier, phase: phase, location: Point(x: x, y: 20))))
      }
      touch(1, .began, 22)
      touch(1, .moved, 72)
      touch(2, .began, 122)
      touch(2, .moved, 112)
      #expect(isNear(view.value, 0.5))
      for phase in [Touch.Phase.ended, .cancelled] {
        touch(2, phase, 122)
        #expect(isNear(view.value, 0.5) && view.isTracking)
      }
      touch(1, .moved, 82)
      touch(1, .ended, 82)
      #expect(isNear(view.value, 0.6) && !view.isTracking)
      // One whose end is lost.
      touch(3, .began, 82)
      stage.send(.press(22, 20), .release(22, 20))
      #expect(view.value == 0 && !view.isTracking)
    }

    @Test("A vertical one has its smallest value at the bottom, and is drawn and dragged along its height")
    func vertical() throws {
      let view = Slider()
      view.axis = .vertical
      let size = view.intrinsicContentSize
      #expect(size.height > size.width)
      let stage = try UIStage(view, Rect(x: 10, y: 10, width: 24, height: 124))
      let bottom = try stage.pixels(Rect(x: 10, y: 10, width: 24, height: 124))
      // The middle of the knob goes from 122 up to 22.
      stage.send(.press(22, 122), .move(22, 72))
      #expect(isNear(view.value, 0.5))
      stage.send(.move(200, 22), .release(200, 22))
      #expect(view.value == 1)
      #expect(try stage.pixels(Rect(x: 10, y: 10, width: 24, height: 124)) != bottom)
      #expect(try stage.pixel(22, 120) == Theme.light.accent.pixel)
      view.becomeFirstResponder()
      stage.send(.type(KeySymbol.down))
      #expect(isNear(view.value, 0.95))
    }

    // MARK: Numbers

    @Test("The value is within the limits, and what is no number changes nothing")
    func values() {
      let view = Slider()
      #expect(view.value == 0 && view.minimumValue == 0 && view.maximumValue == 1 && view.isContinuous)
      let record = view.recordEvents()
      for (new, expected) in [
        (0.5, 0.5), (.nan, 0.5), (2, 1), (-2, 0), (.infinity, 1), (-.infinity, 0), (.signalingNaN, 0),
      ] {
        view.value = new
        #expect(view.value == expected)
      }
      #expect(record.take() == [])
    }

    @Test("Limits that change take the value along, and stay in order")
    func limits() {
      let view = Slider(5, in: 0...10)
      #expect(view.value == 5)
      view.maximumValue = 4
      #expect(view.value == 4)
      view.minimumValue = 6
      #expect(view.minimumValue == 6 && view.maximumValue == 6 && view.value == 6)
      view.maximumValue = -3
      #expect(view.minimumValue == -3 && view.maximumValue == -3 && view.value == -3)
      view.maximumValue = 3
      for number in [Double.nan, .infinity, -.infinity] {
        view.minimumValue = number
        view.maximumValue = number
      }
      #expect(view.minimumValue == -3 && view.maximumValue == 3 && view.value == -3)
    }

    @Test("The widest and the narrowest limits do no harm", arguments: [0.0, .leastNonzeroMagnitude, .infinity])
    func extremes(_ kind: Double) throws {
      ViewTree.reported = []
      let most = kind.isFinite ? kind : .greatestFiniteMagnitude
      let view = Slider(0, in: -most...most)
      let stage = try UIStage(view, frame)
      view.becomeFirstResponder()
      stage.send(.type(KeySymbol.end))
      #expect(view.value == most)
      stage.send(.type(KeySymbol.right), .type(KeySymbol.pageUp))
      #expect(view.value == most)
      stage.send(.type(KeySymbol.home), .type(KeySymbol.left))
      #expect(view.value == -most)
      stage.send(.press(22, 20), .move(122, 20), .release(122, 20))
      #expect(view.value == most)
      stage.send(.press(72, 20), .release(72, 20))
      #expect(abs(view.value) <= most / 1e6)
      stage.settle()
      #expect(ViewTree.reported == [])
    }

    // MARK: Keys

    @Test("Keys move it by a twentieth, by five of them, and to the ends")
    func keys() throws {
      let view = Slider(100, in: 0...200)
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      #expect(view.becomeFirstResponder())
      let keys = [
        (KeySymbol.right, 110.0), (KeySymbol.up, 120), (KeySymbol.left, 110), (KeySymbol.down, 100),
        (KeySymbol.pageUp, 150), (KeySymbol.pageDown, 100), (KeySymbol.end, 200), (KeySymbol.home, 0),
        // The arrow of the number pad.
        (0xFF98, 10),
      ]
      for (symbol, expected) in keys {
        stage.send(.type(symbol))
        #expect(isNear(view.value, expected) && record.take() == ["value", "primary"], "\(symbol): \(view.value)")
      }
      stage.send(.key(Key(code: 1, symbol: KeySymbol.right, characters: "", isDown: true, isRepeat: true)))
      #expect(isNear(view.value, 20) && record.take() == ["value", "primary"])
      stage.send(.key(Key(code: 1, symbol: KeySymbol.right, characters: "", isDown: false)))
      for modifier in [ModifierFlags.control, .alternate, .command] { stage.send(.type(KeySymbol.right, "", modifier)) }
      stage.send(.type(KeySymbol.space), .type(KeySymbol.return))
      #expect(isNear(view.value, 20) && record.take() == [])
      stage.send(.type(KeySymbol.home))
      _ = record.take()
      stage.send(.type(KeySymbol.home), .type(KeySymbol.left), .type(KeySymbol.pageDown))
      #expect(view.value == 0 && record.take() == [])
    }

    @Test("Keys move it by the step of the program, if that is a positive number")
    func steps() throws {
      let view = Slider(0, in: 0...100)
      let stage = try UIStage(view, frame)
      view.becomeFirstResponder()
      let steps: [(Double?, Double)] = [
        (2, 2), (0.5, 0.5), (1000, 100), (0, 5), (-1, 5), (.nan, 5), (.infinity, 5), (nil, 5),
      ]
      for (step, expected) in steps {
        view.value = 0
        view.step = step
        stage.send(.type(KeySymbol.right))
        #expect(isNear(view.value, expected), "\(step as Double?)")
      }
    }

    @Test("The keys are kept from other responders, and all others are not")
    func unusedKeys() throws {
      let view = Slider()
      let stage = try UIStage(view, frame)
      view.becomeFirstResponder()
      stage.send(.type(KeySymbol.left, "left"), .type(KeySymbol.escape, "escape"))
      #expect(stage.scene?.heard == ["escape"])
    }

    // MARK: Presses

    @Test("A press on the bar moves the knob there, and a drag takes it along, up to the ends")
    func drag() throws {
      let view = Slider()
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      stage.send(.press(72, 20))
      #expect(isNear(view.value, 0.5) && view.isHighlighted && record.take() == ["down", "value", "primary"])
      stage.send(.move(92, 200))
      #expect(isNear(view.value, 0.7) && view.isHighlighted && record.take() == ["value", "primary"])
      stage.send(.move(92, 100))
      #expect(record.take() == [])
      stage.send(.move(5000, 20))
      #expect(view.value == 1 && record.take() == ["value", "primary"])
      stage.send(.move(6000, 20), .release(6000, 20))
      #expect(view.value == 1 && !view.isHighlighted && record.take() == ["outside"])
      stage.send(.move(40, 20))
      #expect(view.value == 1)
      stage.send(.press(100, 20), .move(-50, 20), .release(30, 20))
      #expect(isNear(view.value, 0.08))
      #expect(record.take() == ["down", "value", "primary", "value", "primary", "value", "primary", "inside"])
      stage.send(.press(100, 20, 2), .release(100, 20, 2))
      #expect(isNear(view.value, 0.08) && record.take() == [])
    }

    @Test("A press on the knob does not move it, and a drag keeps its distance")
    func grip() throws {
      let view = Slider(0.3)
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      stage.send(.press(58, 20), .release(58, 20))
      #expect(view.value == 0.3 && record.take() == ["down", "inside"])
      stage.send(.press(58, 20), .move(68, 20))
      #expect(isNear(view.value, 0.4) && record.take() == ["down", "value", "primary"])
    }

    @Test("A finger moves it too")
    func touch() throws {
      let view = Slider(0, in: -1...1)
      let stage = try UIStage(view, frame)
      func touch(_ phase: Touch.Phase, _ x: Int) {
        stage.send(.touch(Touch(identifier: 7, phase: phase, location: Point(x: x, y: 20))))
      }
      touch(.began, 110)
      touch(.moved, 47)
      #expect(isNear(view.value, -0.5) && view.isTracking)
      touch(.ended, 122)
      #expect(view.value == 1 && !view.isTracking)
      touch(.began, 22)
      touch(.cancelled, 60)
      touch(.moved, 80)
      #expect(view.value == -1)
    }

    @Test("A slider that is not continuous sends its value at the end of a drag, if it is another one")
    func atEnd() throws {
      let view = Slider()
      view.isContinuous = false
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      stage.send(.press(72, 20), .move(92, 20))
      #expect(isNear(view.value, 0.7) && record.take() == ["down"])
      stage.send(.release(102, 20))
      #expect(isNear(view.value, 0.8) && record.take() == ["value", "primary", "inside"])
      stage.send(.press(102, 20), .move(105, 20), .move(102, 20), .release(102, 20))
      #expect(isNear(view.value, 0.8) && record.take().last == "inside")
      view.value = 0
      stage.send(.press(22, 20), .move(60, 20), .move(22, 20), .release(22, 20))
      #expect(view.value == 0 && record.take() == ["down", "inside"])
      view.becomeFirstResponder()
      stage.send(.type(KeySymbol.right))
      #expect(record.take() == ["value", "primary"])
    }

    @Test(
      "A drag that is cancelled keeps its value", arguments: ["interruption", "disabled", "removed"], [true, false])
    func cancelled(by cause: String, _ isContinuous: Bool) throws {
      let view = Slider()
      view.isContinuous = isContinuous
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      stage.send(.press(72, 20))
      _ = record.take()
      switch cause {
      case "interruption": stage.window.windowScene?.beginInterruption()
      case "disabled": view.isEnabled = false
      default: view.removeFromSuperview()
      }
      stage.settle()
      stage.send(.move(100, 20), .release(100, 20))
      #expect(isNear(view.value, 0.5) && !view.isHighlighted)
      #expect(record.take() == (isContinuous ? ["cancel"] : ["value", "primary", "cancel"]))
    }

    @Test("A handler that disables the slider ends the drag")
    func disabledByHandler() throws {
      let view = Slider()
      view.addAction(for: .valueChanged) { view.isEnabled = false }
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      stage.send(.press(72, 20), .move(100, 20), .release(100, 20))
      #expect(isNear(view.value, 0.5))
      #expect(record.take() == ["down", "cancel", "value", "primary"])
    }

    @Test("A slider that is disabled is changed by nothing, and is no first responder")
    func disabled() throws {
      let view = Slider()
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      #expect(view.becomeFirstResponder())
      view.isEnabled = false
      #expect(!view.isFirstResponder && !view.becomeFirstResponder())
      stage.send(.press(72, 20), .move(80, 20), .release(80, 20), .type(KeySymbol.right))
      #expect(record.take() == [] && view.value == 0)
    }

    // MARK: Looks

    @Test("Each state has a look of its own, in both appearances", arguments: [InterfaceStyle.light, .dark])
    func looks(_ appearance: InterfaceStyle) throws {
      let theme = Theme.of(appearance)
      let view = Slider(0.5)
      #expect(view.intrinsicContentSize == Size(width: 120, height: 24))
      let stage = try UIStage(view, frame, appearance)
      let plain = try stage.pixels(frame)
      #expect(try stage.pixel(40, 21) == theme.accent.pixel)
      #expect(try stage.pixel(100, 21) == theme.separator.pixel)
      #expect(try stage.pixel(72, 21) == theme.controlBackground.pixel)
      stage.send(.move(72, 21))
      #expect(try stage.pixel(72, 21) == theme.controlHover.pixel)
      stage.send(.press(72, 21))
      #expect(try stage.pixel(72, 21) == theme.controlPressed.pixel)
      stage.send(.release(72, 21), .exit())
      #expect(try stage.pixels(frame) == plain)
      view.becomeFirstResponder()
      let ring = try stage.pixels(Rect(x: 61, y: 21, width: 22, height: 1))
      #expect(ring.first == theme.accent.pixel && ring.last == theme.accent.pixel)
      view.resignFirstResponder()
      view.isEnabled = false
      let faint = try stage.pixels(frame)
      #expect(!faint.contains(theme.accent.pixel) && !faint.contains(theme.separator.pixel) && faint != plain)
      view.isEnabled = true
      view.value = 1
      #expect(try stage.pixel(100, 21) == theme.accent.pixel)
      view.maximumValue = 100
      #expect(try stage.pixel(100, 21) == theme.separator.pixel)
    }

    @Test("It draws and hears in any size", arguments: [0, 1, 10, 24, 25])
    func sizes(_ width: Int) throws {
      ViewTree.reported = []
      let view = Slider(0.5)
      let stage = try UIStage(view, Rect(x: 10, y: 10, width: width, height: 24))
      stage.send(.press(10, 20), .move(9, 20), .move(300, 20), .release(300, 20))
      #expect(width == 25 ? view.value == 1 : view.value == 0.5)
      stage.settle()
      #expect(ViewTree.reported == [])
    }
  }
}
