public import ProsceniumCore

/// A view of text that the user can select, copy and edit.
///
/// Positions in the text are numbers of characters (grapheme clusters, as in `String`); a line ending is one, whether
/// a line feed, a carriage return or both. Only visible paragraphs are laid out. The view handles keys while it is the
/// first responder; selecting, copying, cutting, pasting, undo and redo are actions too.
open class TextView: View, TextEditor, RestorableView {
  /// A text view without text.
  public override init() {
    super.init()
    clipsToBounds = true
    isStretching = true
    cursor = .text
    #if !WITHOUT_DragAndDrop
      TextTransfer.install(on: self)
    #endif
  }

  // MARK: Text

  /// The text.
  ///
  /// Setting it clears the undo history, and moves the caret and the scroll offset to the start.
  public var text: String {
    get { editing.storage.text }
    set {
      input.endComposition()
      let before = editing
      editing = TextEditing(newValue)
      undoManager?.removeAllActions(withTarget: self)
      let isScrolled = top != TextPlace()
      top = TextPlace()
      goalX = nil
      resetLines()
      if before.storage.text != newValue { sizeMayHaveChanged() }
      if before.selection != editing.selection { selectionDidChange() }
      if isScrolled { delegate?.textViewDidScroll(self) }
      input.textDidChange()
    }
  }

  /// The selection in characters of the text; an empty range at the caret without a selection.
  ///
  /// Setting it moves the caret to the end of the range. A bound outside the text counts as the nearest end.
  public var selectedRange: Range<Int> {
    get { editing.storage.characters(of: editing.selection.range) }
    set {
      let range = editing.storage.offsets(ofCharacters: newValue)
      let selection = TextSelection(anchor: range.lowerBound, head: range.upperBound)
      change(reveal: false) { $0.select(selection) }
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

  /// Replaces the selection with text, as a paste does.
  ///
  /// The change can be undone, and the delegate is called for it.
  /// - Parameter text: The text.
  public func insertText(_ text: String) { change { $0.insert(text, as: .other) } }

  /// Whether the user can change the text; true at first.
  ///
  /// Text that cannot be changed can still be selected and copied.
  public var isEditable = true {
    didSet {
      guard oldValue != isEditable else { return }
      focusMayHaveChanged()
      setNeedsDisplay()
    }
  }

  /// The delegate, which is called after changes; held weakly.
  public weak var delegate: (any TextViewDelegate)? { didSet { Responder.requireMainThread() } }

  // MARK: Looks

  /// The font.
  public var font = Font.system { didSet { if oldValue != font { relayout() } } }

  /// The colour of the letters; the theme's where nil.
  public var textColor: Color? { didSet { if oldValue != textColor { setNeedsDisplay() } } }

  /// The margin in points between the view's edges and the text: left and right (width), above and below (height).
  public var textInset = Size(width: 8, height: 6) { didSet { if oldValue != textInset { relayout() } } }

  // MARK: Scrolling

  /// The scroll offset in points, limited to the text.
  ///
  /// The heights of paragraphs that have not been visible are estimated: to return to the same place later use
  /// ``restorationState``.
  public var scrollOffset: Int {
    get { lines.y(of: top.paragraph) + top.y }
    set {
      let place = lines.index(atY: newValue)
      scroll(to: TextPlace(paragraph: place.index, y: place.y))
    }
  }

  /// The height of the text in points; estimated where paragraphs have not been visible.
  public var contentHeight: Int { lines.totalHeight }

  /// Scrolls by the least distance that makes the caret visible.
  public func scrollToCaret() {
    if !isLaidOut { wantsCaretInSight = true }
    revealCaret()
  }

  /// The selection and the scroll position as property-list values, for the restoration activity of a scene.
  ///
  /// Whenever it changes, by scrolling too, the view calls its scene's `Scene.invalidateRestorableState()`. Set it
  /// after the text. Missing values count as the start of the text, invalid ones as its nearest end.
  public var restorationState: [String: Int] {
    get {
      let storage = editing.storage
      let place = ["top": storage.characterOffset(of: storage.start(of: top.paragraph)), "topOffset": top.y]
      return editing.keptSelection.merging(place) { $1 }
    }
    set {
      let storage = editing.storage
      let selection = editing.selection(from: newValue)
      change(reveal: false) { $0.select(selection) }
      let paragraph = storage.location(of: storage.offset(ofCharacter: newValue["top"] ?? 0)).paragraph
      scroll(to: TextPlace(paragraph: paragraph, y: min(max(0, newValue["topOffset"] ?? 0), 1 << 24)))
    }
  }

  /// The text with the selection and the scroll position, for the restoration activity of a scene.
  ///
  /// Setting what is no such value changes nothing.
  @preconcurrency public var restorationValue: (any Sendable)? {
    get { keptText }
    set { keptText = newValue }
  }

  // MARK: The view's side

  /// The size of the text with its margins in a width, whatever height there is.
  ///
  /// The whole text is laid out for it. In a stack whose remaining room the view gets (``View/isStretching``, true at
  /// first) it asks for none; one that is not stretching is as high there as its text.
  /// - Parameter size: The available room in points; only its width counts.
  /// - Returns: The preferred size in points.
  open override func sizeThatFits(_ size: Size) -> Size {
    takesRest ? super.sizeThatFits(size) : wished(over: textSize(in: size.width.sensible))
  }

  open override func layoutSubviews() {
    super.layoutSubviews()
    guard area.size.width > 0, area.size.height > 0 else { return }
    if lines.width != area.size.width || lines.font != font || lines.count == 0 { resetLines() }
    scroll(to: top)
    if wantsCaretInSight { revealCaret() }
    wantsCaretInSight = false
  }

  open override var canBecomeFirstResponder: Bool { true }

  open override var isTextInput: Bool { true }

  open override func firstResponderDidChange() {
    super.firstResponderDidChange()
    // What is typed after another view was edited is another step.
    editing.seal()
    focus.update()
  }

  open override func didMoveToWindow() {
    super.didMoveToWindow()
    stopDragging()
    finger = nil
    focus.observe()
  }

  override func sceneDidChange() {
    super.sceneDidChange()
    focus.observe()
  }

  open override func pressCancelled() {
    stopDragging()
    finger = nil
  }

  /// The commands of the keyboard.
  open override var keyCommands: [KeyCommand] { EditCommands.all }

  open override func handle(_ event: Event) -> Bool {
    switch event.kind {
    case .key(let key): key.isDown && handleKey(key)
    case .button, .motion: handlePointer(event)
    case .scroll(let scroll): handleScroll(scroll)
    case .touch(let touch): handleTouch(touch, event)
    case .remoteControl, .deviceMotion, .exposed, .resized: false
    }
  }

  open override func draw(_ rect: Rect, in context: DrawingContext) { drawText(rect, in: context) }

  /// The standard menu of a text: undo, redo, cut, copy, paste, delete and select all.
  ///
  /// Outside of the selection the caret moves to the point before, but not to ``contextMenuPoint``: the menu that a key
  /// opens is for the selection, wherever that is.
  /// - Parameter point: The point in the view's own coordinates, in points.
  /// - Returns: The menu.
  open override func contextMenu(at point: Point) -> Menu? {
    becomeFirstResponder()
    return textMenu(at: isLaidOut ? point : nil)
  }

  /// Below the caret, where it is visible.
  open override var contextMenuPoint: Point {
    isLaidOut ? caretRect(at: editing.selection.head)?.lowerLeft ?? super.contextMenuPoint : super.contextMenuPoint
  }

  func selectionDidChange() {
    invalidateRestorableState()
    delegate?.textViewDidChangeSelection(self)
  }

  // MARK: State

  var editing = TextEditing()
  let lines = TextLines()
  override func purge() { lines.trim(keeping: 0..<0, most: 0) }
  override func followScale(_ scale: Double) {
    guard lines.displayScale != scale else { return }
    lines.displayScale = scale
    relayout()
  }
  /// The place of the text at the upper edge of the view.
  var top = TextPlace() { didSet { if oldValue != top { invalidateRestorableState() } } }
  var wantsCaretInSight = false
  /// The horizontal position in points that the caret keeps while it moves up and down.
  var goalX: Int?
  var dragging = TextDrag()
  var scrollRemainder = 0.0
  var finger: ScrollFinger?
  private(set) lazy var input = TextInput(of: self) { [weak self] in self?.focusMayHaveChanged() }
  var focus: TextFocus { input.focus }
  private(set) lazy var blink = CaretBlink(
    mayRun: { [weak self] in self?.hasCaret ?? false }, changed: { [weak self] in self?.damageCaret() })
}

/// A place in the text: a paragraph, and a height in points within it.
struct TextPlace: Hashable, Sendable {
  var paragraph = 0
  var y = 0
}

/// The functions that a ``TextView`` calls after changes, on the main thread.
@preconcurrency @MainActor public protocol TextViewDelegate: AnyObject {
  /// Called after the user or an undo changed the text; not when the program sets it.
  /// - Parameter textView: The text view.
  func textViewDidChange(_ textView: TextView)
  /// Called after the caret or the selection changed, for any reason.
  /// - Parameter textView: The text view.
  func textViewDidChangeSelection(_ textView: TextView)
  /// Called after the text has been scrolled, by the user, by what is typed out of sight, or by the program.
  /// - Parameter textView: The text view.
  func textViewDidScroll(_ textView: TextView)
}

extension TextViewDelegate {
  /// Does nothing.
  public func textViewDidChange(_ textView: TextView) {}
  /// Does nothing.
  public func textViewDidChangeSelection(_ textView: TextView) {}
  /// Does nothing.
  public func textViewDidScroll(_ textView: TextView) {}
}
