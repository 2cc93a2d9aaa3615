import ProsceniumTesting
import Testing

@testable import ProsceniumCore
@testable import ProsceniumLoop
@testable import ProsceniumPlatform
@testable import ProsceniumStore
@testable import ProsceniumTrace
@testable import ProsceniumUI

/// A window with a text view that the tests write in, without a display.
@MainActor final class TextStage: TextViewDelegate {
  final class Recorder: TextView {
    var drawn: [Rect] = []
    override func draw(_ rect: Rect, in context: DrawingContext) {
      drawn.append(rect)
      super.draw(rect, in: context)
    }
  }

  let stage: UIStage
  let view = Recorder()
  var changes = 0
  var selections = 0
  var scrolls = 0

  init(
    _ text: String = "", font: Font = Font(family: "Monospace", size: 13), suspends: Bool = false
  ) throws {
    let view = view
    stage = try UIStage(suspends: suspends) { window in
      view.font = font
      view.text = text
      window.rootView = view
      view.becomeFirstResponder()
    }
    view.delegate = self
  }

  func textViewDidChange(_ textView: TextView) { changes += 1 }
  func textViewDidChangeSelection(_ textView: TextView) { selections += 1 }
  func textViewDidScroll(_ textView: TextView) { scrolls += 1 }

  /// Text with the caret in it as `|`, and what is selected between `[` and `]`.
  var shown: String { UIStage.marked(view.text, view.selectedRange) }

  func type(_ text: String) { stage.type(text) }
  func press(_ symbols: UInt32..., with modifiers: ModifierFlags = []) { stage.press(symbols, with: modifiers) }
  func command(_ letter: Unicode.Scalar, _ modifiers: ModifierFlags = .control) { stage.command(letter, modifiers) }
  func click(_ x: Int, _ y: Int, _ number: Int = 1, after milliseconds: UInt32 = 2000, modifiers: ModifierFlags = []) {
    stage.click(x, y, number, after: milliseconds, modifiers: modifiers)
  }

  func send(_ kind: InputEvent.Kind, _ time: UInt32) {
    stage.program.platform.send(.input(stage.id, InputEvent(kind, time: time)))
  }

  func wait(until condition: () -> Bool, _ location: SourceLocation = #_sourceLocation) async {
    await stage.wait(until: condition, location)
  }
}

/// Keysyms (X protocol, appendix A).
enum Symbol {
  static let (home, left, up, right, down): (UInt32, UInt32, UInt32, UInt32, UInt32) = (
    0xFF50, 0xFF51, 0xFF52, 0xFF53, 0xFF54
  )
  static let (pageUp, pageDown, end): (UInt32, UInt32, UInt32) = (0xFF55, 0xFF56, 0xFF57)
  static let (backspace, tab, escape, delete, insert): (UInt32, UInt32, UInt32, UInt32, UInt32) = (
    0xFF08, 0xFF09, 0xFF1B, 0xFFFF, 0xFF63
  )
}
