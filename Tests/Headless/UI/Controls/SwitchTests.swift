import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

extension UISuites {
  /// What changes a switch, what it sends, and what it looks like.
  @MainActor @Suite("Switches") struct SwitchTests {
    private let frame = Rect(x: 10, y: 10, width: 150, height: 28)

    @Test("A press that ends inside changes the switch, and sends the value before the primary action")
    func press() throws {
      var values: [Bool] = []
      let view = Switch("Sound")
      view.addAction(for: .valueChanged) { values.append(view.isOn) }
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      // The knob and the title.
      for x in [20, 70] {
        stage.send(.press(x, 20))
        #expect(view.isHighlighted && record.take() == ["down"])
        stage.send(.release(x, 20))
        #expect(record.take() == ["inside", "value", "primary"])
      }
      #expect(values == [true, false] && !view.isOn)
      stage.send(.press(20, 20), .move(20, 100), .release(20, 100))
      #expect(record.take() == ["down", "outside"] && !view.isOn)
      stage.send(.press(20, 20, 3), .release(20, 20, 3), .move(20, 20))
      #expect(record.take() == [] && !view.isOn)
      for phase in [Touch.Phase.began, .ended] {
        stage.send(.touch(Touch(identifier: 4, phase: phase, location: Point(x: 30, y: 20))))
      }
      #expect(record.take() == ["down", "inside", "value", "primary"] && view.isOn)
    }

    @Test("Space and Return change it while it is the first responder, once for each time that they go down")
    func keys() throws {
      let view = Switch()
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      #expect(view.becomeFirstResponder())
      for (number, symbol) in [KeySymbol.space, KeySymbol.return, KeySymbol.keypadEnter, 0xFF80].enumerated() {
        stage.send(.type(symbol))
        #expect(record.take() == ["inside", "value", "primary"] && view.isOn == number.isMultiple(of: 2))
      }
      stage.send(.key(Key(code: 1, symbol: KeySymbol.space, characters: " ", isDown: true, isRepeat: true)))
      stage.send(.key(Key(code: 1, symbol: KeySymbol.space, characters: " ", isDown: false)))
      for modifier in [ModifierFlags.control, .alternate, .command] { stage.send(.type(KeySymbol.space, "", modifier)) }
      stage.send(.type(0x61, "a"), .type(KeySymbol.left))
      #expect(record.take() == [] && !view.isOn)
    }

    @Test("The program changes it without an event, and presses it with the same ones as the user")
    func program() {
      var calls = 0
      let view = Switch("A", isOn: true, style: .checkbox) { calls += 1 }
      #expect(view.isOn && view.title == "A" && view.style == .checkbox)
      let record = view.recordEvents()
      view.isOn = false
      view.isOn = true
      #expect(record.take() == [] && calls == 0)
      view.primaryAction(nil)
      #expect(record.take() == ["value", "primary"] && calls == 1 && !view.isOn)
    }

    @Test("A switch that is disabled is changed by nothing, and is no first responder")
    func disabled() throws {
      let view = Switch("Sound")
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      #expect(view.becomeFirstResponder())
      view.isEnabled = false
      #expect(!view.isFirstResponder && !view.becomeFirstResponder())
      stage.send(.press(20, 20), .release(20, 20), .type(KeySymbol.space))
      #expect(record.take() == [] && !view.isOn)
    }

    @Test("A press that is cancelled changes nothing", arguments: ["interruption", "disabled", "removed"])
    func cancelled(by cause: String) throws {
      let view = Switch("Sound")
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      stage.send(.press(20, 20))
      switch cause {
      case "interruption": stage.window.windowScene?.beginInterruption()
      case "disabled": view.isEnabled = false
      default: view.removeFromSuperview()
      }
      stage.settle()
      stage.send(.release(20, 20))
      #expect(record.take() == ["down", "cancel"] && !view.isOn && !view.isHighlighted)
    }

    @Test("The size is that of the switch and its title")
    func sizes() throws {
      let view = Switch()
      let stack = StackView(.horizontal, [view, Spacer()])
      let stage = try UIStage(stack, frame)
      #expect(view.intrinsicContentSize == Size(width: 46, height: 28) && view.frame.size.width == 46)
      view.style = .checkbox
      stage.settle()
      #expect(view.intrinsicContentSize == Size(width: 24, height: 24) && view.frame.size.width == 24)
      view.title = "Sound"
      stage.settle()
      let width = view.intrinsicContentSize.width
      #expect(width > 24 + 20 && view.frame.size.width == width)
      view.font = .heading
      stage.settle()
      #expect(view.intrinsicContentSize.width > width && view.frame.size.width == view.intrinsicContentSize.width)
      view.title = ""
      #expect(view.intrinsicContentSize == Size(width: 24, height: 24))
    }

    @Test(
      "Each state has a look of its own, in both appearances",
      arguments: [InterfaceStyle.light, .dark], [Switch.Style.sliding, .checkbox])
    func looks(_ appearance: InterfaceStyle, _ style: Switch.Style) throws {
      let theme = Theme.of(appearance)
      let view = Switch("Sound")
      view.style = style
      let stage = try UIStage(view, frame, appearance)
      // A place beside the knob, or in the corner of the box, in both states.
      let (x, y) = style == .sliding ? (33, 24) : (16, 29)
      #expect(try stage.pixel(x, y) == theme.controlBackground.pixel)
      let off = try stage.pixels(frame)
      stage.send(.move(60, 20))
      #expect(try stage.pixel(x, y) == theme.controlHover.pixel)
      stage.send(.press(60, 20))
      #expect(try stage.pixel(x, y) == theme.controlPressed.pixel)
      stage.send(.release(60, 20), .exit())
      #expect(try stage.pixel(x, y) == theme.accentBackground.pixel)
      let on = try stage.pixels(frame)
      #expect(on.contains(theme.accentLabel.pixel) && off != on)
      stage.send(.move(60, 20))
      let hovered = try stage.pixel(x, y)
      stage.send(.press(60, 20))
      let pressed = try stage.pixel(x, y)
      #expect(Set([hovered, pressed, theme.accentBackground.pixel]).count == 3)
      // Let go elsewhere, so that it stays on.
      stage.send(.move(200, 200), .release(200, 200), .exit())
      #expect(try stage.pixels(frame) == on && view.isOn)
      view.becomeFirstResponder()
      let ring = try stage.pixels(frame)
      #expect(ring != on)
      #expect(try stage.pixel(11, 24) == theme.accent.pixel)
      view.resignFirstResponder()
      #expect(try stage.pixels(frame) == on)
      view.isEnabled = false
      let faint = try stage.pixels(frame)
      #expect(!faint.contains(theme.accentBackground.pixel) && !faint.contains(theme.label.pixel) && faint != on)
      view.isOn = false
      #expect(try stage.pixels(frame) != faint)
      view.isEnabled = true
      #expect(try stage.pixels(frame) == off)
    }
  }
}
