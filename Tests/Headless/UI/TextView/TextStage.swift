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
  private var time: UInt32 = 1000

  init(_ text: String = "", font: Font = Font(family: "Monospace", size: 13)) throws {
    let view = view
    stage = try UIStage { window in
      view.font = font
      view.text = text
      window.rootView = view
      view.becomeFirstResponder()
    }
    view.delegate = self
  }

  func textViewDidChange(_ textView: TextView) { changes += 1 }
  func textViewDidChangeSelection(_ textView: TextView) { selections += 1 }

  /// Text with the caret in it as `|`, and what is selected between `[` and `]`.
  var shown: String {
    var text = Array(view.text)
    let range = view.selectedRange
    if range.isEmpty {
      text.insert("|", at: range.lowerBound)
    } else {
      text.insert("]", at: range.upperBound)
      text.insert("[", at: range.lowerBound)
    }
    return String(text)
  }

  func type(_ text: String) {
    for character in text {
      let symbol = character == "\n" ? 0xFF0D : character.unicodeScalars.first?.value ?? 0
      stage.send(.type(symbol, character == "\n" ? "\r" : String(character)))
    }
  }

  func press(_ symbols: UInt32..., with modifiers: ModifierFlags = []) {
    for symbol in symbols { stage.send(.type(symbol, "", modifiers)) }
  }

  /// Control and a letter, as the window system tells it: as a control character.
  func command(_ letter: Unicode.Scalar, _ modifiers: ModifierFlags = .control) {
    stage.send(.type(letter.value, String(Unicode.Scalar(UInt8(letter.value & 0x1F))), modifiers))
  }

  /// Clicks with so much time since the last click.
  func click(_ x: Int, _ y: Int, _ number: Int = 1, after milliseconds: UInt32 = 2000, modifiers: ModifierFlags = []) {
    time += milliseconds
    let point = Point(x: x, y: y)
    for isDown in [true, false] {
      send(.button(PointerButton(number: number, isDown: isDown, location: point, modifiers: modifiers)), time)
    }
  }

  func send(_ kind: InputEvent.Kind, _ time: UInt32) {
    stage.program.platform.send(.input(stage.id, InputEvent(kind, time: time)))
  }

  /// What a command that waits for an answer brings about.
  func wait(until condition: () -> Bool, _ location: SourceLocation = #_sourceLocation) async {
    let end = ContinuousClock.now + .seconds(60)
    var turns = 0
    // Other tests may occupy the main actor for a long while.
    while !condition(), turns < 10_000 || ContinuousClock.now < end {
      turns += 1
      try? await Task.sleep(for: .milliseconds(1))
    }
    // Another test may have launched a program meanwhile.
    Application.sharedIfLaunched = stage.program.application
    #expect(condition(), "this did not come about", sourceLocation: location)
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
