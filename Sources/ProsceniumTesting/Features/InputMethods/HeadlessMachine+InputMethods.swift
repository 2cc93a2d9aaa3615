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

extension HeadlessMachine {
  /// The user's input method.
  public var inputMethod: HeadlessInputMethod { HeadlessInputMethod(service: parts.inputMethod) }
}

/// The user's input method, which writes in the text that has the focus: see `TextInputClient`.
@MainActor public struct HeadlessInputMethod {
  let service: HeadlessInputMethodService

  /// Starts, in place of an input method that runs; it lasts over a relaunch.
  /// - Parameter answer: Called with each key of a text that has the focus, pressed or released, in order. What it says
  ///   by ``commitText(_:)`` and ``compose(_:)`` comes before the answer.
  public func start(_ answer: @escaping @MainActor (Key) -> InputMethodAnswer) { service.set(answer) }

  /// Ends.
  public func stop() { service.set(nil) }

  /// Shows a text that is being composed.
  /// - Parameter composition: The text; nil for none any more.
  public func compose(_ composition: TextComposition?) { service.say(.compose(composition)) }

  /// Gives a text to the document.
  /// - Parameter text: The text.
  public func commitText(_ text: String) { service.say(.commit(text)) }

  /// Deletes text around the caret.
  /// - Parameters:
  ///   - offset: Where it begins, in Unicode scalars from the caret; negative before it.
  ///   - count: How many scalars.
  public func deleteSurroundingText(offset: Int, count: Int) {
    service.say(.deleteSurrounding(offset: offset, count: count))
  }
}
