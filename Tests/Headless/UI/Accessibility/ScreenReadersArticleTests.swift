import ProsceniumTesting
import ProsceniumUI
import Testing

@testable import ProsceniumCore

// Begin: code of ScreenReaders.md
private final class Dial: View {
  var level = 3 { didSet { setNeedsDisplay() } }

  override var accessibilityProperties: AccessibilityProperties {
    var properties = super.accessibilityProperties
    properties.role = .slider
    properties.label = "Level"
    properties.range = AccessibilityRange(value: Double(level), minimum: 0, maximum: 10, step: 1)
    return properties
  }

  override func accessibilityPerform(_ request: AccessibilityRequest) -> Bool {
    guard case .setValue(let value) = request else { return super.accessibilityPerform(request) }
    level = Int(min(max(value, 0), 10))
    return true
  }
}
// End: code of ScreenReaders.md

// Begin: code of ScreenReaders.md
private final class Board: Window, AccessibilityContainer {
  let stone = AccessibilityElement(.button, label: "Stone on D4", frame: Rect(x: 40, y: 40, width: 20, height: 20))

  var accessibilityElements: [any AccessibilityObject]? { [stone] }
}
// End: code of ScreenReaders.md

extension UISuites {
  /// The view of the article, moved by a screen reader, and its board.
  @MainActor @Suite("The article about screen readers") struct ScreenReadersArticleTests {
    @Test("The dial is read and moved, and the stone is read")
    func read() throws {
      let dial = Dial()
      dial.isAccessibilityElement = true
      var board: Board?
      let stage = try UIStage { window in
        window.rootView = dial
        guard let scene = window.windowScene else { return }
        board = Board(windowScene: scene)
        board?.isHidden = false
      }
      let machine = stage.program.machine
      machine.startScreenReader()
      stage.settle()
      let slider = try #require(machine.accessibleWindows.first?.first(.slider, "Level"))
      machine.perform(.setValue(7), on: slider)
      stage.settle()
      #expect(dial.level == 7)
      #expect(machine.accessibleWindows.first?.first(.slider)?.properties.range?.value == 7)
      #expect(machine.accessibleWindows.last?.first(.button, "Stone on D4") != nil)
      withExtendedLifetime(board) {}
      // Begin: code of ScreenReaders.md
      Accessibility.post(notification: .announcement, argument: "Saved")
      // End: code of ScreenReaders.md
      #expect(machine.accessibilityAnnouncements == ["Saved"])
    }

    @Test("A test presses a button")
    func pressed() throws {
      var count = 0
      let button = Button("Send") { count += 1 }
      let program = try UIStage { $0.rootView = button }.program
      // Begin: code of ScreenReaders.md
      program.machine.startScreenReader()
      program.advance(by: .milliseconds(100))
      if let button = program.machine.accessibleWindows.first?.first(.button, "Send") {
        program.machine.perform(.action(0), on: button)
      }
      // End: code of ScreenReaders.md
      program.advance(by: 100)
      #expect(count == 1)
    }
  }
}
