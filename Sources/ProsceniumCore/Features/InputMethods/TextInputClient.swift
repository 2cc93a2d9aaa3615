/// A text of the program that input methods write in (UIKit's `UITextInput`).
///
/// A toolkit's text, or one that the program draws itself, owns a ``TextInputContext`` and tells it when the text gets
/// the keys that the user types. All functions are called on the main thread, and only while the context is active, or
/// as it is deactivated, where that ends what is being composed. Texts of `ProsceniumUI` are clients already.
@preconcurrency @MainActor public protocol TextInputClient: AnyObject {
  /// What the text is for.
  var textInputTraits: TextInputTraits { get }

  /// The text around the caret, without what is being composed; nil where it is unknown.
  ///
  /// Not asked for while ``TextInputTraits/isSecureTextEntry`` is true.
  var surroundingText: SurroundingText? { get }

  /// The caret's rectangle in pixels of the window, where the window of candidates is placed; nil where it is not in
  /// sight.
  var textInputCaret: Rect? { get }

  /// Shows a text at the caret, in place of the selection, that is being composed.
  ///
  /// It is no part of the document: not of what is saved, copied, or undone.
  /// - Parameter composition: The text, which replaces the one before; nil for none any more.
  func setMarkedText(_ composition: TextComposition?)

  /// Replaces the selection with a text that has been composed, as if it had been typed.
  ///
  /// What was being composed has been taken away before.
  /// - Parameter text: The text; the engine of an input method may send any.
  func commitText(_ text: String)

  /// Replaces a part of the text around the caret; the selection stays where it is.
  /// - Parameters:
  ///   - range: The part, in characters of ``surroundingText``.
  ///   - text: What replaces it.
  func replaceSurroundingText(_ range: Range<Int>, with text: String)
}

extension TextInputClient {
  /// Any text.
  public var textInputTraits: TextInputTraits { TextInputTraits() }
  /// Unknown.
  public var surroundingText: SurroundingText? { nil }
  /// Does nothing.
  public func replaceSurroundingText(_ range: Range<Int>, with text: String) {}
}

/// The connection of a text with the user's input method (AppKit's `NSTextInputContext`).
///
/// Owned by its client. One context of the program is active at a time. While it is, the keys of its window go to the
/// input method first, where there is one: over the bus, and in their order. What that does not handle goes on to the
/// window, as all keys do without an input method. Nothing is looked for before the first text is active. Deactivate it
/// before the text goes.
@preconcurrency @MainActor public final class TextInputContext {
  /// The text; held weakly.
  public private(set) weak var client: (any TextInputClient)?
  /// What is being composed; nil for nothing.
  public private(set) var composition: TextComposition?
  private(set) weak var window: Window?
  private weak var feature: InputMethods?

  /// A context that is not active.
  /// - Parameter client: The text, which owns the context.
  public init(_ client: any TextInputClient) { self.client = client }

  /// Whether the text gets the keys of its window.
  public var isActive: Bool { feature?.active === self }

  /// The text gets the keys of a window from now on, in place of any other text.
  ///
  /// Call it when the text becomes the first responder of the key window of an active scene.
  /// - Parameter window: The window.
  public func activate(in window: Window) {
    assertMainThread()
    guard !isActive || window !== self.window else { return }
    deactivate()
    guard let feature = window.inputMethods else { return }
    (self.window, self.feature) = (window, feature)
    feature.activate(self)
  }

  /// The text does not get the keys any more; does nothing where it is not active.
  ///
  /// What is being composed ends as in ``endComposition()``.
  public func deactivate() {
    assertMainThread()
    guard isActive else { return }
    // Before: what is committed may make the program activate another text, or this one again.
    feature?.deactivate()
    finishComposition()
  }

  /// Takes away what is being composed, and makes the input method forget it.
  ///
  /// What the input method wants to stay (``TextComposition/remainder``) is committed. Call it before the caret is
  /// moved or the text is changed by anything else.
  public func endComposition() {
    assertMainThread()
    guard composition != nil else { return }
    finishComposition()
    feature?.reset()
  }

  /// The caret, its place in the window, the text around it or its traits have changed.
  ///
  /// The client is asked for them later, once for all changes until then, and only where there is an input method.
  public func textDidChange() {
    assertMainThread()
    if isActive { feature?.refreshLater() }
  }

  // MARK: The input method's side

  private func finishComposition() {
    guard let composition = composition.take() else { return }
    client?.setMarkedText(nil)
    if !composition.remainder.isEmpty { client?.commitText(composition.remainder) }
  }

  func compose(_ new: TextComposition?) {
    let new = new?.text.isEmpty == true ? nil : new
    guard new != composition else { return }
    composition = new
    client?.setMarkedText(new)
  }

  func commit(_ text: String) {
    compose(nil)
    if !text.isEmpty { client?.commitText(text) }
  }

  func deleteSurrounding(offset: Int, count: Int) {
    guard let client, let text = surroundings, let edit = text.deleting(offset: offset, count: count) else { return }
    // What is composed is no part of the text that is changed, and stays.
    let shown = composition
    compose(nil)
    client.replaceSurroundingText(edit.range, with: edit.rest)
    if isActive { compose(shown) }
  }

  private var surroundings: SurroundingText? {
    client.flatMap { $0.textInputTraits.isSecureTextEntry ? nil : $0.surroundingText }
  }

  /// What the input method is told.
  var focusedText: FocusedText {
    var text = FocusedText()
    guard let client, let window else { return text }
    text.traits = client.textInputTraits
    text.surroundings = surroundings
    let origin = window.knownFrame.origin
    text.window = window.id
    text.windowOrigin = Point(x: origin.x.limited, y: origin.y.limited)
    text.caret = client.textInputCaret.map { caret in
      Rect(
        x: origin.x.limited + caret.origin.x.limited, y: origin.y.limited + caret.origin.y.limited,
        width: caret.size.width.limited, height: caret.size.height.limited)
    }
    return text
  }
}

extension Int {
  /// Within what a client may say.
  fileprivate var limited: Int { Swift.min(Swift.max(self, -(1 << 20)), 1 << 20) }
}

extension SurroundingText {
  /// A deletion of Unicode scalars, counted from the caret.
  /// - Returns: The characters that it concerns, and what is left of them; nil where it deletes nothing.
  func deleting(offset: Int, count: Int) -> (range: Range<Int>, rest: String)? {
    let most = 1 << 32
    let caret = text.prefix(caret).unicodeScalars.count
    let all = text.unicodeScalars.count
    let start = min(max(0, caret + min(max(offset, -most), most)), all)
    let end = min(max(start, caret + min(max(offset, -most), most) + min(max(count, 0), most)), all)
    guard start < end else { return nil }
    var (place, rest) = (0, String.UnicodeScalarView())
    var range: Range<Int>?
    for (number, character) in text.enumerated() {
      let scalars = character.unicodeScalars
      let next = place + scalars.count
      if next > start, place < end {
        range = (range?.lowerBound ?? number)..<number + 1
        for (index, scalar) in scalars.enumerated() where !(start..<end).contains(place + index) { rest.append(scalar) }
      }
      place = next
    }
    return range.map { ($0, String(rest)) }
  }
}
