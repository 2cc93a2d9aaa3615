/// A text that has the focus, as far as an input method is told.
package struct FocusedText: Hashable, Sendable {
  package var traits = TextInputTraits()
  /// The caret on the desktop, in pixels; nil where it is not in sight.
  package var caret: Rect?
  /// The window that has the text, and its origin on the desktop.
  package var window: WindowID?
  package var windowOrigin = Point(x: 0, y: 0)
  /// Nil where it is unknown or a secret.
  package var surroundings: SurroundingText?

  package init() {}
}

/// The user's input method: an engine of another process that turns keys into text.
@MainActor package protocol InputMethodService: AnyObject {
  /// A text has the focus; nil for none any more. What was being composed is dropped.
  ///
  /// The engine is looked for from the first text on; it is told as ``InputMethodEvent/engine(isThere:)``.
  func focus(_ text: FocusedText?)
  /// The caret or the text around it has changed.
  func update(_ text: FocusedText)
  /// What was being composed is dropped.
  func reset()
  /// Whether the engine may not have dropped yet what it was told to: what it says is about that.
  var isForgetting: Bool { get }
  /// Gives a key to the engine, which answers with ``InputMethodEvent/answer(_:isHandled:)`` and this number.
  /// - Parameters:
  ///   - key: The key.
  ///   - time: Milliseconds on the window system's clock.
  ///   - number: The number of the answer.
  func process(_ key: Key, time: UInt32, number: Int)
}

/// One of the engines of which the user has one.
@MainActor package protocol InputEngine: InputMethodService {
  /// Whether it can be given keys.
  var isThere: Bool { get }
}

/// The engine that the window system leads to, by its own protocol.
@MainActor package protocol WindowSystemEngine: InputEngine {
  /// Begins to follow a server of input methods, which may come and go; called once.
  /// - Parameters:
  ///   - server: The server.
  ///   - host: The loop.
  ///   - post: Called with what it says.
  func start(
    _ server: InputMethodServer, host: any SystemHost, _ post: @escaping @MainActor (InputMethodEvent) -> Void)
  func stop()
}

/// A server of input methods, as the environment names it.
package struct InputMethodServer: Hashable, Sendable {
  /// Its name, from `XMODIFIERS`.
  package var name: String
  /// The name of the display.
  package var display: String
  /// The name of the user's locale.
  package var locale: String

  package init(name: String, display: String, locale: String) {
    self.name = name
    self.display = display
    self.locale = locale
  }
}

/// What an engine says.
package enum InputMethodEvent: Equatable, Sendable {
  /// It is there, or gone: what was asked before is not answered any more.
  case engine(isThere: Bool)
  /// What becomes of a key: the engine has taken it, or it is to be handled as if there were none.
  case answer(Int, isHandled: Bool)
  /// A text for the document, in place of what is being composed.
  case commit(String)
  /// What is being composed; nil for nothing.
  case compose(TextComposition?)
  /// A key of its own.
  case key(Key)
  /// Deletes text around the caret, in Unicode scalars.
  case deleteSurrounding(offset: Int, count: Int)
}
