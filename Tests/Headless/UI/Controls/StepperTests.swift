import ProsceniumCore
import ProsceniumTesting
import ProsceniumUI
import Testing

extension UISuites {
  /// The numbers of steppers, what changes them and how often, and what they look like.
  @MainActor @Suite("Steppers") struct StepperTests {
    /// Two buttons of 34 points.
    private let frame = Rect(x: 10, y: 10, width: 68, height: 30)

    // MARK: Numbers

    @Test("The number is within the limits, and what is no number changes nothing")
    func values() {
      let view = Stepper()
      #expect(view.value == 0 && view.minimumValue == 0 && view.maximumValue == 100 && view.stepValue == 1)
      for (new, expected) in [(5.0, 5.0), (.nan, 5), (200, 100), (-1, 0), (.infinity, 100), (-.infinity, 0)] {
        view.value = new
        #expect(view.value == expected)
      }
      view.maximumValue = -5
      #expect(view.minimumValue == -5 && view.value == -5)
      for wild in [Double.nan, .infinity, -.infinity] {
        view.minimumValue = wild
        view.maximumValue = wild
        view.stepValue = wild
      }
      for wrong in [0.0, -1] { view.stepValue = wrong }
      #expect(view.minimumValue == -5 && view.maximumValue == -5 && view.stepValue == 1)
    }

    @Test("Steps stay within the limits, or go to the other one, whatever the numbers are")
    func steps() throws {
      let view = Stepper()
      let stage = try UIStage(view, frame)
      view.becomeFirstResponder()
      let cases: [(ClosedRange<Double>, step: Double, wraps: Bool, ups: [Double])] = [
        (0...2, 1, false, [1, 2, 2]), (0...2, 1, true, [1, 2, 0, 1]), (0...2.5, 1, true, [1, 2, 2.5, 0]),
        (0...10, 1e300, false, [10, 10]), (0...10, 1e300, true, [10, 0]),
        (0 ... .greatestFiniteMagnitude, .greatestFiniteMagnitude, false, [.greatestFiniteMagnitude]),
        (3...3, 1, true, [3]),
      ]
      for (limits, step, wraps, ups) in cases {
        (view.minimumValue, view.maximumValue) = (limits.lowerBound, limits.upperBound)
        (view.value, view.stepValue, view.wraps) = (limits.lowerBound, step, wraps)
        for expected in ups {
          stage.send(.type(KeySymbol.up))
          #expect(view.value == expected, "\(limits), \(step), \(wraps)")
        }
      }
      (view.minimumValue, view.maximumValue, view.value, view.stepValue, view.wraps) = (0, 9, 4, 5, true)
      for expected in [0.0, 9, 4] {
        stage.send(.type(KeySymbol.left))
        #expect(view.value == expected)
      }
    }

    // MARK: The user

    @Test("Keys step, and go to the limits; what changes nothing sends nothing")
    func keys() throws {
      let view = Stepper()
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      #expect(view.becomeFirstResponder())
      for (symbol, expected) in [
        (KeySymbol.up, 1.0), (KeySymbol.right, 2), (KeySymbol.down, 1), (KeySymbol.left, 0), (KeySymbol.end, 100),
        (KeySymbol.home, 0), (0xFF97, 1),
      ] {
        stage.send(.type(symbol))
        #expect(view.value == expected && record.take() == ["value", "primary"])
      }
      stage.send(.type(KeySymbol.home))
      _ = record.take()
      stage.send(.type(KeySymbol.down), .type(KeySymbol.home), .type(KeySymbol.up, "", .control))
      #expect(record.take() == [])
      view.isEnabled = false
      stage.send(.type(KeySymbol.up))
      #expect(view.value == 0 && !view.isFirstResponder)
    }

    @Test("A press steps at once, and after half a second ten times a second while it is held on its button")
    func repeats() throws {
      let view = Stepper()
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      stage.send(.press(60, 20))
      #expect(view.value == 1 && record.take() == ["down", "value", "primary"])
      stage.program.advance(by: 450)
      #expect(view.value == 1)
      stage.program.advance(by: 1000)
      let held = view.value
      #expect(8...12 ~= held && record.take().count { $0 == "value" } == Int(held) - 1)
      stage.send(.move(20, 20))
      stage.program.advance(by: 1000)
      #expect(view.value == held)
      stage.send(.move(60, 20))
      stage.program.advance(by: 500)
      #expect(view.value > held)
      stage.send(.release(60, 20))
      let end = view.value
      stage.program.advance(by: 3000)
      #expect(view.value == end && record.take().suffix(1) == ["inside"])
      view.autorepeat = false
      stage.send(.press(20, 20))
      stage.program.advance(by: 3000)
      stage.send(.release(20, 20))
      #expect(view.value == end - 1)
    }

    @Test(
      "A press that is held ends with what cancels it, and its number is told of",
      arguments: ["interruption", "disabled", "removed", "hidden window"])
    func cancelled(by cause: String) throws {
      let view = Stepper()
      view.isContinuous = false
      let record = view.recordEvents()
      let stage = try UIStage(view, frame)
      stage.send(.press(60, 20))
      #expect(view.value == 1 && record.take() == ["down"])
      switch cause {
      case "interruption": stage.window.windowScene?.beginInterruption()
      case "disabled": view.isEnabled = false
      case "removed": view.removeFromSuperview()
      default: stage.window.isHidden = true
      }
      stage.program.advance(by: 5000)
      #expect(view.value == 1 && record.take() == ["value", "primary", "cancel"])
    }

    @Test("Nothing is requested while nothing is pressed, nor after a press")
    func quiet() throws {
      let view = Stepper()
      let stage = try UIStage(view, frame)
      stage.send(.press(60, 20))
      stage.program.advance(by: 1000)
      stage.send(.release(60, 20), .exit())
      stage.settle()
      let count = stage.frameRequests
      stage.program.advance(by: 10_000)
      #expect(stage.frameRequests == count)
    }

    // MARK: Looks

    @Test("Each state has a look of its own, in both appearances", arguments: [InterfaceStyle.light, .dark])
    func looks(_ appearance: InterfaceStyle) throws {
      let theme = Theme.of(appearance)
      let view = Stepper()
      view.value = 50
      view.autorepeat = false
      let stage = try UIStage(view, frame, appearance)
      func colors() throws -> [UInt32] { try [18, 52].map { try stage.pixel($0, 32) } }
      let plain = theme.controlBackground.pixel
      #expect(try colors() == [plain, plain])
      let quiet = try stage.pixels(frame)
      stage.send(.move(60, 20))
      #expect(try colors() == [plain, theme.controlHover.pixel])
      stage.send(.press(60, 20))
      #expect(try colors() == [plain, theme.controlPressed.pixel])
      stage.send(.release(60, 20), .exit())
      #expect(try stage.pixels(frame) == quiet)
      view.becomeFirstResponder()
      #expect(try stage.pixels(frame).contains(theme.accent.pixel))
      view.resignFirstResponder()
      // A button that can do nothing.
      view.value = 0
      let bottom = try stage.pixels(frame)
      view.value = 100
      let top = try stage.pixels(frame)
      #expect(bottom != quiet && top != quiet && top != bottom)
      view.wraps = true
      #expect(try stage.pixels(frame) == quiet)
      view.isEnabled = false
      #expect(try !stage.pixels(frame).contains(theme.label.pixel))
    }
  }
}
