public import ProsceniumCore
import ProsceniumPlatform

/// What an input method answers when it gets a key.
public enum InputMethodAnswer: Hashable, Sendable, CaseIterable {
  /// The key is the input method's.
  case takes
  /// The key is handled as without an input method.
  case passes
  /// It does not answer: after half a second the key is handled as without an input method, and so are those behind.
  case hangs
}

/// The user's input method, which writes in the text that has the focus: see `TextInputClient`.
extension HeadlessMachine {
  /// Starts an input method, in place of one that runs; it lasts over a relaunch.
  /// - Parameter answer: Called with each key of a text that has the focus, pressed or released, in order. What it says
  ///   by ``commitText(_:)`` and ``compose(_:)`` comes before the answer.
  public func startInputMethod(_ answer: @escaping @MainActor (Key) -> InputMethodAnswer) { inputMethod.set(answer) }

  /// Ends the input method.
  public func stopInputMethod() { inputMethod.set(nil) }

  /// The input method shows a text that it composes.
  /// - Parameter composition: The text; nil for none any more.
  public func compose(_ composition: TextComposition?) { inputMethod.say(.compose(composition)) }

  /// The input method gives a text to the document.
  /// - Parameter text: The text.
  public func commitText(_ text: String) { inputMethod.say(.commit(text)) }

  /// The input method deletes text around the caret.
  /// - Parameters:
  ///   - offset: Where it begins, in Unicode scalars from the caret; negative before it.
  ///   - count: How many scalars.
  public func deleteSurroundingText(offset: Int, count: Int) {
    inputMethod.say(.deleteSurrounding(offset: offset, count: count))
  }
}
