import FoundationEssentials
public import ProsceniumCore

/// Text that the user can read, select, copy and write.
///
/// Places in the text are counted in characters (grapheme clusters, as `String` counts them); a line's end is one, whether
/// a line feed, a carriage return or both. Only paragraphs that can be seen are laid out. Its first responder hears of
/// keys; select, copy, cut, paste, undo and redo are actions, too.
open class TextView: View {
  /// A text view without text.
  public override init() {
    super.init()
    clipsToBounds = true
    isStretching = true
    cursor = .text
  }

  // MARK: Text

  /// The text.
  ///
  /// Setting it forgets what could be undone, and puts the caret and the scroll offset to the beginning.
  public var text: String {
    get { editing.storage.text }
    set {
      let before = editing.selection
      editing = TextEditing(newValue)
      top = TextPlace()
      goalX = nil
      lines.reset(editing.storage, width: area.size.width, font: font)
      setNeedsDisplay()
      if before != editing.selection { delegate?.textViewDidChangeSelection(self) }
    }
  }

  /// What is selected, in characters of the text; empty, at the caret, where nothing is.
  ///
  /// Set, the caret is at the range's end; what lies outside the text counts as its nearest end.
  public var selectedRange: Range<Int> {
    get {
      let range = editing.selection.range
      let lower = editing.storage.characterOffset(of: range.lowerBound)
      return lower..<(range.isEmpty ? lower : editing.storage.characterOffset(of: range.upperBound))
    }
    set {
      let storage = editing.storage
      let selection = TextSelection(
        anchor: storage.offset(ofCharacter: newValue.lowerBound), head: storage.offset(ofCharacter: newValue.upperBound)
      )
      change(reveal: false) { $0.select(selection) }
    }
  }

  /// How many characters are before the caret.
  ///
  /// Setting it selects nothing.
  public var caretOffset: Int {
    get { editing.storage.characterOffset(of: editing.selection.head) }
    set { selectedRange = newValue..<newValue }
  }

  /// The selected text; empty where nothing is selected.
  public var selectedText: String { editing.selectedText }

  /// Puts text in the place of what is selected, as if it had been pasted.
  ///
  /// Can be undone; the delegate hears of it.
  public func insertText(_ text: String) { change { $0.insert(text, as: .other) } }

  /// Whether the user can change the text; true at first.
  ///
  /// Selecting and copying are always possible.
  public var isEditable = true {
    didSet { if oldValue != isEditable { setNeedsDisplay() } }
  }

  /// Who hears of changes.
  public weak var delegate: (any TextViewDelegate)?

  // MARK: Looks

  /// The font.
  public var font = Font.system {
    didSet { if oldValue != font { relayout() } }
  }

  /// The letters' colour; the theme's where nil.
  public var textColor: Color? {
    didSet { if oldValue != textColor { setNeedsDisplay() } }
  }

  /// Points between the view's edge and the text, on the left and right (width), above and below (height).
  public var textInset = Size(width: 8, height: 6) {
    didSet { if oldValue != textInset { relayout() } }
  }

  // MARK: Scrolling

  /// How far the text is scrolled, in points; kept within the text.
  ///
  /// Paragraphs that nobody has seen count as high as is likely: to come back to the same place later keep
  /// ``restorationState``.
  public var scrollOffset: Int {
    get { lines.y(of: top.paragraph) + top.y }
    set {
      let place = lines.index(atY: newValue)
      scroll(to: TextPlace(paragraph: place.index, y: place.y))
    }
  }

  /// How high the text is, in points, as far as that is known.
  public var contentHeight: Int { lines.totalHeight }

  /// Scrolls as little as shows the caret.
  public func scrollToCaret() {
    guard isLaidOut else {
      wantsCaretInSight = true
      return
    }
    revealCaret()
  }

  /// The selection and the place that is shown, as plain values: for a scene's restoration activity.
  ///
  /// Set it after the text; missing or foolish values count as the text's beginning or its nearest end.
  public var restorationState: [String: Int] {
    get {
      let storage = editing.storage
      return [
        "anchor": storage.characterOffset(of: editing.selection.anchor),
        "caret": storage.characterOffset(of: editing.selection.head),
        "top": storage.characterOffset(of: storage.start(of: top.paragraph)), "topOffset": top.y,
      ]
    }
    set {
      let storage = editing.storage
      func offset(_ key: String) -> Int { storage.offset(ofCharacter: newValue[key] ?? 0) }
      let selection = TextSelection(
        anchor: offset(newValue["anchor"] == nil ? "caret" : "anchor"), head: offset("caret"))
      change(reveal: false) { $0.select(selection) }
      let paragraph = storage.location(of: offset("top")).paragraph
      scroll(to: TextPlace(paragraph: paragraph, y: min(max(0, newValue["topOffset"] ?? 0), 1 << 24)))
    }
  }

  // MARK: The view's side

  open override func layoutSubviews() {
    super.layoutSubviews()
    guard area.size.width > 0, area.size.height > 0 else { return }
    if lines.width != area.size.width || lines.font != font || lines.count == 0 { resetLines() }
    scroll(to: top)
    if wantsCaretInSight { revealCaret() }
    wantsCaretInSight = false
  }

  open override var canBecomeFirstResponder: Bool { true }

  open override func firstResponderDidChange() {
    super.firstResponderDidChange()
    focusMayHaveChanged()
  }

  open override func didMoveToWindow() {
    super.didMoveToWindow()
    stopDragging()
    touch = nil
    observeScene()
  }

  override func sceneDidChange() {
    super.sceneDidChange()
    observeScene()
  }

  /// The caret is there while the scene is active, and the window is its key window.
  private func observeScene() {
    observers = []
    isResigning = false
    if let window, let scene = window.windowScene {
      let center = NotificationCenter.default
      observers = [
        center.addObserver(of: window, for: .didBecomeKey) { [weak self] _ in self?.focusMayHaveChanged() },
        center.addObserver(of: window, for: .didResignKey) { [weak self] _ in self?.focusMayHaveChanged() },
        center.addObserver(of: scene, for: .didActivate) { [weak self] _ in self?.focusMayHaveChanged() },
        // The scene is active until the callbacks are over.
        center.addObserver(of: scene, for: .willDeactivate) { [weak self] _ in self?.focusMayHaveChanged(isLost: true)
        },
      ]
    }
    focusMayHaveChanged()
  }

  open override func pressCancelled() {
    stopDragging()
    touch = nil
  }

  /// What the keyboard asks for besides what it types.
  open override var keyCommands: [KeyCommand] { Self.commands }

  open override func handle(_ event: Event) -> Bool {
    switch event.kind {
    case .key(let key): key.isDown && hear(key)
    case .button, .motion: hearPointer(event)
    case .scroll(let scroll): hear(scroll)
    case .touch(let touch): hear(touch, event)
    case .exposed, .resized: false
    }
  }

  open override func draw(_ rect: Rect, in context: DrawingContext) { drawText(rect, in: context) }

  // MARK: State

  var editing = TextEditing()
  let lines = TextLines()
  override func purge() { lines.trim(keeping: 0..<0, most: 0) }
  /// What of the text is at the upper edge.
  var top = TextPlace()
  var wantsCaretInSight = false
  /// Where the caret would be on a line that is long enough, while it goes up and down.
  var goalX: Int?
  var dragging = TextDrag()
  var scrollRemainder = 0.0
  var touch: TextTouch?
  /// The scene is about to be active no longer.
  var isResigning = false
  private var observers: [NotificationCenter.ObservationToken] = []
  private(set) lazy var blink = CaretBlink(
    mayRun: { [weak self] in self?.hasCaret ?? false }, changed: { [weak self] in self?.damageCaret() })
}

/// A height within a paragraph.
struct TextPlace: Hashable, Sendable {
  var paragraph = 0
  var y = 0
}
