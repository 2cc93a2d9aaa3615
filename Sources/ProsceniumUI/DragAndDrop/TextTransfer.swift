import FoundationEssentials
import ProsceniumCore

/// The text that a drag has taken from an editor.
@MainActor final class DraggedText {
  weak var editor: (any TextEditor)?
  let range: Range<Int>
  let text: String
  /// Whether the editor has moved it within itself.
  var isMoved = false

  init(_ editor: any TextEditor) {
    self.editor = editor
    range = editor.editing.selection.range
    text = editor.editing.selectedText
  }

  /// Whether the text is still where it was.
  var isThere: Bool {
    guard let storage = editor?.editing.storage, range.upperBound <= storage.length else { return false }
    return storage[range] == text
  }
}

/// A text that is moved within another one by replacing the part between the two places: one step to undo.
struct TextMove: Hashable {
  /// What is replaced, and by what.
  var range: Range<Int>
  var text: String
  /// Where the moved text is afterwards.
  var moved: Range<Int>

  /// Moves a part of a text; nil where that changes nothing.
  init?(_ source: Range<Int>, to offset: Int, in storage: TextStorage) {
    guard !source.isEmpty, offset < source.lowerBound || offset > source.upperBound, offset >= 0,
      offset <= storage.length, source.upperBound <= storage.length
    else { return nil }
    let part = storage[source]
    if offset < source.lowerBound {
      range = offset..<source.upperBound
      text = part + storage[offset..<source.lowerBound]
      moved = offset..<offset + source.count
    } else {
      range = source.lowerBound..<offset
      text = storage[source.upperBound..<offset] + part
      moved = offset - source.count..<offset
    }
  }
}

/// Drags the selection of a text view or a text field, and drops text into it.
@MainActor final class TextTransfer: DragInteractionDelegate, DropInteractionDelegate {
  /// Weak: it may go while the text that was dropped on it is read.
  private weak var editor: (any TextEditor)?
  /// Shows where the text would be dropped.
  private let caret = View()

  private init(_ editor: any TextEditor) {
    self.editor = editor
    caret.isUserInteractionEnabled = false
  }

  static func install(on editor: any TextEditor) {
    let transfer = TextTransfer(editor)
    let (drag, drop) = (DragInteraction(delegate: transfer), DropInteraction(delegate: transfer))
    (drag.owner, drop.owner) = (transfer, transfer)
    editor.addInteraction(drag)
    editor.addInteraction(drop)
  }

  // MARK: Dragging

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt point: Point) -> [DragItem] {
    guard let editor, editor.isPressOnSelection, !editor.editing.selection.isEmpty else { return [] }
    let dragged = DraggedText(editor)
    let item = DragItem(text: dragged.text)
    item.localObject = dragged
    return [item]
  }

  func dragInteraction(_ interaction: DragInteraction, allowsMoveOf items: [DragItem]) -> Bool {
    editor?.acceptsEdits ?? false
  }

  func dragInteraction(_ interaction: DragInteraction, previewFor items: [DragItem]) -> View? {
    guard let editor else { return nil }
    let line = dragged(items).map { $0.text.prefix(60).split(whereSeparator: \.isNewline).first ?? "" } ?? ""
    return TextPreview(String(line), of: editor)
  }

  func dragInteraction(_ interaction: DragInteraction, didEndWith operation: DropOperation, items: [DragItem]) {
    guard operation == .move, let dragged = dragged(items), !dragged.isMoved, dragged.isThere, let editor,
      editor.acceptsEdits
    else { return }
    editor.replaceByDrag(dragged.range, with: "")
  }

  private func dragged(_ items: [DragItem]) -> DraggedText? { items.first?.localObject as? DraggedText }

  // MARK: Dropping

  private static let types = [PasteboardItem.textType, DragItem.urlsType]

  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
    editor?.acceptsEdits == true && session.hasItems(ofTypes: Self.types)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    guard let editor, let offset = editor.dropOffset(at: session.location(in: editor)) else {
      caret.removeFromSuperview()
      return DropProposal(operation: .cancel)
    }
    showCaret(at: offset, in: editor)
    let own = session.localDragSession.flatMap { dragged($0.items) }
    // On itself nothing would change.
    if let own, own.editor === editor, own.range.lowerBound <= offset, offset <= own.range.upperBound {
      return DropProposal(operation: .cancel)
    }
    return DropProposal(operation: session.allowsMove ? .move : .copy)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) {
    caret.removeFromSuperview()
  }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) async -> Bool {
    caret.removeFromSuperview()
    let own = session.localDragSession.flatMap { dragged($0.items) }
    if let own, let editor, own.editor === editor, session.allowsMove { return move(own, session, in: editor) }
    var text = await session.text()
    if text == nil {
      text = await session.urls().map { $0.isFileURL ? $0.path(percentEncoded: false) : $0.absoluteString }
        .joined(separator: "\n")
    }
    // Places are those of the text without what is being composed.
    editor?.input.endComposition()
    // The text may have changed while its source was asked, and its view may have gone.
    guard let text = text?.withoutControls, !text.isEmpty, let editor, let window = editor.window,
      window === session.window, editor.acceptsEdits, let offset = editor.dropOffset(at: session.location(in: editor))
    else { return false }
    let before = editor.editing.storage.length
    editor.replaceByDrag(offset..<offset, with: text)
    let added = editor.editing.storage.length - before
    guard added > 0 else { return false }
    editor.becomeFirstResponder()
    editor.changeAndReveal { $0.select(TextSelection(anchor: offset, head: offset + added)) }
    // Of what is moved the source deletes all: where a part had no room, it keeps it.
    let whole = editor is TextField ? text.onOneLine : text
    return !session.allowsMove || added == whole.utf8.count
  }

  private func move(_ own: DraggedText, _ session: DropSession, in editor: any TextEditor) -> Bool {
    editor.input.endComposition()
    guard own.isThere, let offset = editor.dropOffset(at: session.location(in: editor)),
      let move = TextMove(own.range, to: offset, in: editor.editing.storage)
    else { return false }
    own.isMoved = true
    editor.replaceByDrag(move.range, with: move.text)
    editor.becomeFirstResponder()
    editor.changeAndReveal {
      $0.select(TextSelection(anchor: move.moved.lowerBound, head: move.moved.upperBound))
    }
    return true
  }

  private func showCaret(at offset: Int, in editor: any TextEditor) {
    guard let rect = editor.caretPlace(at: offset) else { return caret.removeFromSuperview() }
    caret.backgroundColor = editor.theme.accent
    if caret.superview !== editor { editor.addSubview(caret) }
    caret.frame = Rect(rect.origin, Size(width: 2, height: rect.size.height))
  }
}

/// The first line of a text that is dragged.
private final class TextPreview: View {
  private let layout: TextLayout

  init(_ text: String, of view: View) {
    layout = TextLayout(in: view)
    layout.text = text
    super.init()
  }

  override var texts: [TextLayout] { [layout] }

  override var intrinsicContentSize: Size {
    Size(width: layout.size.width + 12, height: layout.size.height + 8)
  }

  override func draw(_ rect: Rect, in context: DrawingContext) {
    context.fill(bounds, with: theme.contentBackground)
    context.draw(layout, at: Point(x: 6, y: 4), color: theme.label)
  }
}

extension TextEditor {
  /// Whether the button is down on the selection, and has not moved it.
  fileprivate var isPressOnSelection: Bool {
    switch self {
    case let view as TextView: view.dragging.kind == .onSelection
    case let field as TextField: field.press.drag.kind == .onSelection && !field.isSecureTextEntry
    default: false
    }
  }

  /// The place in the text at a point of the view; nil while there is none.
  fileprivate func dropOffset(at point: Point) -> Int? {
    switch self {
    case let view as TextView: view.isLaidOut ? view.offset(at: point) : nil
    case let field as TextField: field.offset(at: point)
    default: nil
    }
  }

  /// Where the caret would be, if it is in sight.
  fileprivate func caretPlace(at offset: Int) -> Rect? {
    switch self {
    case let view as TextView: view.caretRect(at: offset)
    case let field as TextField:
      field.layout.caret(at: field.shown.offset(offset)).offset(x: field.origin.x, y: field.origin.y)
    default: nil
    }
  }

  /// Replaces a part of the text for the user, who is asked as for typing.
  fileprivate func replaceByDrag(_ range: Range<Int>, with text: String) {
    if let field = self as? TextField { return field.replace(range, with: text, .other) }
    changeAndReveal { $0.replace(range, with: text, .other) }
  }
}
