import ProsceniumCore

/// What input methods have to do with a text: whether it has their keys, and what they compose in it.
@MainActor final class TextInput: TextInputClient {
  /// About the most bytes on each side of the caret that an input method gets.
  private static let mostSurroundings = 4000

  let focus: TextFocus
  private unowned let view: any TextEditor
  private lazy var context = TextInputContext(self)
  /// What the program says that the text is for.
  var traits = TextInputTraits() { didSet { if oldValue != traits { textDidChange() } } }
  /// What is being composed; nil for nothing.
  var marked: TextComposition? { context.composition }
  /// What is being composed, in the lines of a ``TextView``.
  var lines: MarkedLines?

  /// - Parameters:
  ///   - view: The view of the text, which owns this.
  ///   - changed: Called when the focus may have come or gone.
  init(of view: any TextEditor, changed: @escaping @MainActor () -> Void) {
    self.view = view
    focus = TextFocus(of: view, changed: changed)
  }

  func focusMayHaveChanged(isEditable: Bool) {
    if focus.isOn, isEditable, let window = view.window { context.activate(in: window) } else { context.deactivate() }
  }

  /// Before the caret or the text is changed by anything but an input method.
  func endComposition() { context.endComposition() }

  func textDidChange() { if focus.isOn { context.textDidChange() } }

  // MARK: The input method's side

  var textInputTraits: TextInputTraits { view.textInputTraits }

  /// The paragraph of the caret, or the nearest part of a long one.
  var surroundingText: SurroundingText? {
    let (storage, selection, part) = (view.editing.storage, view.editing.selection, surroundings)
    func characters(_ offset: Int) -> Int {
      storage[part.lowerBound..<min(max(offset, part.lowerBound), part.upperBound)].count
    }
    return SurroundingText(storage[part], anchor: characters(selection.anchor), caret: characters(selection.head))
  }

  private var surroundings: Range<Int> {
    let (storage, head) = (view.editing.storage, view.editing.selection.head)
    let paragraph = storage.contentRange(at: head)
    let lower = storage.rounded(max(paragraph.lowerBound, head - Self.mostSurroundings))
    return lower..<max(head, storage.rounded(min(paragraph.upperBound, head + Self.mostSurroundings)))
  }

  var textInputCaret: Rect? {
    guard let window = view.window, let caret = view.visibleCaret.map({ view.convert($0, to: nil) }) else { return nil }
    func pixels(_ points: Int) -> Int { Int((Double(min(max(points, -(1 << 24)), 1 << 24)) * window.scale).rounded()) }
    return Rect(
      x: pixels(caret.origin.x), y: pixels(caret.origin.y), width: max(1, pixels(caret.size.width)),
      height: pixels(caret.size.height))
  }

  func setMarkedText(_ composition: TextComposition?) { view.show(composition) }

  func commitText(_ text: String) {
    let text = text.withoutControls
    if view.acceptsEdits, !text.isEmpty { view.type(text) }
  }

  func replaceSurroundingText(_ range: Range<Int>, with text: String) {
    guard view.acceptsEdits else { return }
    let storage = view.editing.storage
    let start = storage.characterOffset(of: surroundings.lowerBound)
    let lower = storage.offset(ofCharacter: start + range.lowerBound)
    view.replaceAround(lower..<storage.offset(ofCharacter: start + range.upperBound), with: text.withoutControls)
  }
}

/// A text that is being composed, in the lines of a ``TextView``.
@MainActor struct MarkedLines {
  let composition: TextComposition
  /// The text of the view with it.
  let storage: TextStorage
  /// Where it is.
  let range: Range<Int>
  /// What it changes in the text without it.
  let change: TextStorage.Change

  /// A composition in place of the selection.
  init(_ composition: TextComposition, in editing: TextEditing) {
    self.composition = composition
    let start = editing.selection.range.lowerBound
    var storage = editing.storage
    change = storage.replace(editing.selection.range, with: composition.text)
    self.storage = storage
    range = start..<start + composition.text.utf8.count
  }

  /// The change that takes it away.
  var inverse: TextStorage.Change {
    let first = change.replaced.lowerBound
    return TextStorage.Change(replaced: first..<first + change.count, count: change.replaced.count)
  }

  /// The offset of its caret; nil without one.
  var caret: Int? { composition.caret.map { range.lowerBound + composition.utf8Offset($0) } }

  var highlights: [Range<Int>] {
    composition.utf8Highlights.map { range.lowerBound + $0.lowerBound..<range.lowerBound + $0.upperBound }
  }

  /// Draws the line below the part of it that a paragraph shows.
  func drawUnderline(
    in layout: TextLayout, from start: Int, upTo length: Int, at origin: Point, _ context: DrawingContext,
    _ color: Color
  ) {
    let (lower, upper) = (max(0, range.lowerBound - start), min(length, range.upperBound - start))
    if lower < upper { layout.drawUnderline(lower..<upper, at: origin, in: context, color) }
  }
}

extension TextComposition {
  func utf8Offset(_ characters: Int) -> Int { text.prefix(characters).utf8.count }

  var utf8Highlights: [Range<Int>] {
    segments.filter(\.isHighlighted).map { utf8Offset($0.range.lowerBound)..<utf8Offset($0.range.upperBound) }
  }
}

extension TextLayout {
  /// Draws a line below the characters of a range.
  func drawUnderline(_ range: Range<Int>, at origin: Point, in context: DrawingContext, _ color: Color) {
    for rect in selectionRects(from: range.lowerBound, to: range.upperBound) {
      let y = origin.y + rect.origin.y + rect.size.height - 2
      context.fill(Rect(x: origin.x + rect.origin.x, y: y, width: rect.size.width, height: 1), with: color)
    }
  }
}

extension TextEditing {
  /// Replaces a range; the caret stays at its characters.
  mutating func replaceAround(_ range: Range<Int>, with text: String) {
    let before = selection
    guard replace(range, with: text, .other) else { return }
    let change = text.utf8.count - range.count
    func moved(_ offset: Int) -> Int {
      offset >= range.upperBound ? offset + change : min(offset, range.lowerBound + text.utf8.count)
    }
    select(TextSelection(anchor: moved(before.anchor), head: moved(before.head)))
  }
}
