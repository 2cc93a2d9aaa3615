public import ProsceniumCore

/// A control with a line of text that the user edits.
///
/// The text is edited while the field is the first responder: after a click, a tap, Tab or ``becomeFirstResponder()``.
/// A text has no line endings: those of what is set, typed or pasted become spaces. Positions are numbers of characters
/// (grapheme clusters, as in `String`).
///
/// | Event | When |
/// |---|---|
/// | ``ControlEvents/editingDidBegin`` | the field became the first responder |
/// | ``ControlEvents/editingChanged`` | the user, an undo or a paste changed the text; not when the program sets it |
/// | ``ControlEvents/editingDidEndOnExit``, then ``ControlEvents/primaryActionTriggered`` | Return was pressed |
/// | ``ControlEvents/editingDidEnd`` | the field resigned the first responder |
open class TextField: Control, TextEditor {
  /// When a part of the field is shown.
  public enum ViewMode: Hashable, Sendable, CaseIterable {
    /// At no time.
    case never
    /// While the field is the first responder.
    case whileEditing
    /// While the field is not the first responder.
    case unlessEditing
    /// At all times.
    case always
  }

  /// Creates a field without text.
  public override init() {
    super.init()
    clipsToBounds = true
    cursor = .text
    (layout.maximumLines, hint.maximumLines) = (1, 1)
    #if !WITHOUT_DragAndDrop
      TextTransfer.install(on: self)
    #endif
  }

  /// Creates a field.
  /// - Parameters:
  ///   - text: The text.
  ///   - placeholder: What is shown in place of an empty text.
  public convenience init(_ text: String, placeholder: String = "") {
    self.init()
    set(text, placeholder)
  }

  // Observers are not called for assignments in an initialiser.
  private func set(_ text: String, _ placeholder: String) {
    self.text = text
    self.placeholder = placeholder
  }

  // MARK: Text

  /// The text, without line endings and other control characters.
  ///
  /// Setting another text clears the undo history, and moves the caret to the end. It is not limited by
  /// ``maximumLength``, and sends no event.
  public var text: String {
    get { editing.storage.text }
    set {
      let new = newValue.onOneLine
      guard !new.utf8.elementsEqual(text.utf8) else { return }
      input.endComposition()
      let before = editing.selection
      editing = TextEditing(new)
      editing.moveCaret(to: editing.storage.length)
      undoManager?.removeAllActions(withTarget: self)
      showText()
      if before != editing.selection { selectionDidChange() }
      input.textDidChange()
    }
  }

  /// What is shown in a weaker colour in place of an empty text, at the side where it begins.
  open var placeholder = "" {
    didSet {
      guard !oldValue.utf8.elementsEqual(placeholder.utf8) else { return }
      hint.text = placeholder.onOneLine
      invalidateIntrinsicContentSize()
    }
  }

  /// Whether the characters are shown as dots.
  ///
  /// Such a text cannot be copied, cut or selected word by word, nor is it offered for pasting with the middle button.
  /// An input method gets no part of it.
  open var isSecureTextEntry = false {
    didSet {
      guard oldValue != isSecureTextEntry else { return }
      showText()
      input.textDidChange()
    }
  }

  /// The largest number of characters that the user can make the text, by keys or pasting; what exceeds it is cut off.
  ///
  /// 10,000 at first; accents need no room. The time of a key grows with the length, as a line is laid out as a whole.
  open var maximumLength = 10_000 { didSet { Responder.requireMainThread() } }

  /// The selection in characters of the text; an empty range at the caret without a selection.
  ///
  /// Setting it moves the caret to the end of the range. A bound outside the text counts as the nearest end.
  public var selectedRange: Range<Int> {
    get { editing.storage.characters(of: editing.selection.range) }
    set {
      let range = editing.storage.offsets(ofCharacters: newValue)
      let selection = TextSelection(anchor: range.lowerBound, head: range.upperBound)
      change { $0.select(selection) }
    }
  }

  /// The number of characters before the caret.
  ///
  /// Setting it clears the selection.
  public var caretOffset: Int {
    get { editing.storage.characterOffset(of: editing.selection.head) }
    set { selectedRange = newValue..<newValue }
  }

  /// The selected text; empty without a selection.
  public var selectedText: String { editing.selectedText }

  /// Replaces the selection with text, as a paste does; while the field is disabled nothing happens.
  ///
  /// The change can be undone, the delegate is asked, and ``ControlEvents/editingChanged`` is sent.
  /// - Parameter text: The text.
  public func insertText(_ text: String) {
    input.endComposition()
    replace(editing.selection.range, with: text, .other)
  }

  /// Whether the field is the first responder, so that its text is edited.
  public var isEditing: Bool { isFirstResponder }

  /// The delegate, which is asked about changes and told of them; held weakly.
  public weak var delegate: (any TextFieldDelegate)? { didSet { Responder.requireMainThread() } }

  /// The selection as property-list values, for the restoration activity of a scene.
  ///
  /// Whenever it or the text changes, the field calls its scene's `Scene.invalidateRestorableState()`. Set it after the
  /// text. Missing values count as the start of the text, invalid ones as its nearest end.
  public var restorationState: [String: Int] {
    get { editing.keptSelection }
    set {
      let selection = editing.selection(from: newValue)
      change { $0.select(selection) }
    }
  }

  @preconcurrency open override var restorationValue: (any Sendable)? {
    get { keptText }
    set { keptText = newValue }
  }

  // MARK: Looks

  /// The font.
  open var font = Font.system {
    didSet {
      guard oldValue != font else { return }
      layout.font = font
      hint.font = font
      invalidateIntrinsicContentSize()
    }
  }

  /// The colour of the letters; the theme's where nil.
  open var textColor: Color? { didSet { if oldValue != textColor { setNeedsDisplay() } } }

  /// When a button is shown that clears the text; never while there is no text.
  open var clearButtonMode = ViewMode.never { didSet { if oldValue != clearButtonMode { setNeedsDisplay() } } }

  open override var intrinsicContentSize: Size { Size(width: 160, height: FieldDrawing(field: self).height) }

  open override func draw(_ rect: Rect, in context: DrawingContext) { FieldDrawing(field: self).draw(in: context) }

  // MARK: Input

  open override var canBecomeFirstResponder: Bool { isEnabled }

  open override var isTextInput: Bool { true }

  @discardableResult
  open override func becomeFirstResponder() -> Bool {
    if !isFirstResponder, isEnabled, delegate?.textFieldShouldBeginEditing(self) == false { return false }
    return super.becomeFirstResponder()
  }

  open override func firstResponderDidChange() {
    super.firstResponderDidChange()
    // What is typed after another view was edited is another step.
    editing.seal()
    focus.update()
    // A delegate that changes the first responder has had the event for that.
    if isFirstResponder {
      delegate?.textFieldDidBeginEditing(self)
      if isFirstResponder { sendActions(for: .editingDidBegin) }
    } else {
      pressCancelled()
      change { $0.leaveCompletion() }
      delegate?.textFieldDidEndEditing(self)
      if !isFirstResponder { sendActions(for: .editingDidEnd) }
    }
  }

  open override func didMoveToWindow() {
    super.didMoveToWindow()
    pressCancelled()
    focus.observe()
  }

  override func sceneDidChange() {
    super.sceneDidChange()
    focus.observe()
  }

  open override func pressCancelled() {
    super.pressCancelled()
    press = FieldPress()
  }

  /// The commands of the keyboard.
  open override var keyCommands: [KeyCommand] { EditCommands.all }

  open override func handle(_ event: Event) -> Bool {
    switch event.kind {
    case .key(let key): isEnabled && key.isDown && handleKey(key, event)
    case .button, .motion, .touch: handlePress(event)
    case .scroll, .remoteControl, .deviceMotion, .exposed, .resized: false
    }
  }

  /// The standard menu of a text, for the selection; outside of it the caret moves to the point before.
  ///
  /// It does not move to ``contextMenuPoint``: the menu that a key opens is for the selection, wherever that is.
  /// - Parameter point: The point in the view's own coordinates, in points.
  /// - Returns: The menu; nil while the field is disabled. It copies nothing of a secure text.
  open override func contextMenu(at point: Point) -> Menu? { becomeFirstResponder() ? textMenu(at: point) : nil }

  /// Below the caret.
  open override var contextMenuPoint: Point { caretRect.lowerLeft }

  // MARK: State

  var editing = TextEditing()
  let layout = TextLayout()
  let hint = TextLayout()
  /// The part of the text to the left of the field, in points.
  var shift = 0
  var press = FieldPress()
  private(set) lazy var input = TextInput(of: self) { [weak self] in self?.focusMayHaveChanged() }
  var focus: TextFocus { input.focus }
  private(set) lazy var blink = CaretBlink(
    mayRun: { [weak self] in self?.hasCaret ?? false }, changed: { [weak self] in self?.damageCaret() })

  override var texts: [TextLayout] { [layout, hint] }
}

/// The functions that a ``TextField`` calls, on the main thread.
@preconcurrency @MainActor public protocol TextFieldDelegate: AnyObject {
  /// Asks whether the field may become the first responder.
  /// - Parameter textField: The field.
  /// - Returns: Whether it may.
  func textFieldShouldBeginEditing(_ textField: TextField) -> Bool
  /// Called after the field became the first responder, before ``ControlEvents/editingDidBegin``.
  /// - Parameter textField: The field.
  func textFieldDidBeginEditing(_ textField: TextField)
  /// Called after the field resigned the first responder, before ``ControlEvents/editingDidEnd``.
  /// - Parameter textField: The field.
  func textFieldDidEndEditing(_ textField: TextField)
  /// Asks whether the user may change a part of the text; not called for undo, redo, and what the program sets.
  /// - Parameters:
  ///   - textField: The field.
  ///   - range: The part that is replaced, in characters of the text.
  ///   - string: What replaces it.
  /// - Returns: Whether it may be replaced.
  func textField(_ textField: TextField, shouldChangeCharactersIn range: Range<Int>, replacementString string: String)
    -> Bool
  /// Asks for texts that begin with what the user has typed.
  ///
  /// Called after a character was typed at the end of the text, not for a secure one. The rest of the first suggestion
  /// that begins with the text, in upper or lower case, is put behind the caret, and is selected: the next character
  /// replaces it, Backspace removes it, and the arrow to the right, End, Return and another first responder accept it:
  /// what was typed gets the letters of the suggestion.
  /// - Parameters:
  ///   - textField: The field, with the text before the character.
  ///   - text: The text with the character.
  /// - Returns: The suggestions, the best one first.
  func textField(_ textField: TextField, completionsFor text: String) -> [String]
  /// Called after the caret or the selection changed, for any reason.
  /// - Parameter textField: The field.
  func textFieldDidChangeSelection(_ textField: TextField)
  /// Asks whether the clear button may clear the text.
  /// - Parameter textField: The field.
  /// - Returns: Whether it may.
  func textFieldShouldClear(_ textField: TextField) -> Bool
  /// Asks whether Return sends its events.
  /// - Parameter textField: The field.
  /// - Returns: Whether it does.
  func textFieldShouldReturn(_ textField: TextField) -> Bool
}

extension TextFieldDelegate {
  /// Agrees.
  public func textFieldShouldBeginEditing(_ textField: TextField) -> Bool { true }
  /// Does nothing.
  public func textFieldDidBeginEditing(_ textField: TextField) {}
  /// Does nothing.
  public func textFieldDidEndEditing(_ textField: TextField) {}
  /// Agrees.
  public func textField(
    _ textField: TextField, shouldChangeCharactersIn range: Range<Int>, replacementString string: String
  ) -> Bool { true }
  /// Has no suggestions.
  public func textField(_ textField: TextField, completionsFor text: String) -> [String] { [] }
  /// Does nothing.
  public func textFieldDidChangeSelection(_ textField: TextField) {}
  /// Agrees.
  public func textFieldShouldClear(_ textField: TextField) -> Bool { true }
  /// Agrees.
  public func textFieldShouldReturn(_ textField: TextField) -> Bool { true }
}
