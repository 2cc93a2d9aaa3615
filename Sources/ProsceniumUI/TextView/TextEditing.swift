/// A text that is being written: what it is, where the caret is, and how to get back.
///
/// Knows nothing of lines as they are shown; who does moves the caret with ``moveCaret(to:extending:)``.
package struct TextEditing: Sendable {
  /// The steps in which a caret goes through text.
  package enum Unit: Hashable, Sendable, CaseIterable {
    case character, word, paragraph, document
  }

  package private(set) var storage: TextStorage
  package private(set) var selection = TextSelection()
  private var history = UndoHistory()
  /// What has changed since the last ``takeChanges()``, in order.
  private var changes: [TextStorage.Change] = []

  package init(_ text: String = "") { storage = TextStorage(text) }

  package var canUndo: Bool { history.canUndo }
  package var canRedo: Bool { history.canRedo }
  package var selectedText: String { storage[selection.range] }

  /// The paragraphs that have been replaced since the last call.
  package mutating func takeChanges() -> [TextStorage.Change] {
    defer { changes = [] }
    return changes
  }

  // MARK: Changing

  /// Puts text in the place of what is selected.
  /// - Returns: Whether anything changed.
  @discardableResult
  package mutating func insert(_ text: String, as kind: UndoHistory.Kind = .typing) -> Bool {
    replace(selection.range, with: text, kind)
  }

  /// Deletes what is selected, or else up to the next border of a unit.
  /// - Returns: Whether anything changed.
  @discardableResult
  package mutating func deleteBackward(_ unit: Unit = .character) -> Bool {
    if !selection.isEmpty { return replace(selection.range, with: "", .other) }
    return replace(target(unit, forward: false)..<selection.head, with: "", .deletingBackward)
  }

  /// Deletes what is selected, or else up to the next border of a unit.
  /// - Returns: Whether anything changed.
  @discardableResult
  package mutating func deleteForward(_ unit: Unit = .character) -> Bool {
    if !selection.isEmpty { return replace(selection.range, with: "", .other) }
    return replace(selection.head..<target(unit, forward: true), with: "", .deletingForward)
  }

  /// Puts text in the place of a part, and the caret after it.
  /// - Returns: Whether anything changed.
  @discardableResult
  package mutating func replace(_ range: Range<Int>, with text: String, _ kind: UndoHistory.Kind = .other) -> Bool {
    let range = clamped(range)
    guard !range.isEmpty || !text.isEmpty else { return false }
    let edit = UndoHistory.Edit(offset: range.lowerBound, removed: storage[range], inserted: text)
    let before = selection
    apply(edit)
    // What was typed may have joined with what follows.
    selection = TextSelection(caret: storage.roundedUp(range.lowerBound + text.utf8.count))
    history.record(edit, kind, before: before, after: selection)
    return true
  }

  /// Undoes the last step.
  /// - Returns: Whether there was one.
  @discardableResult
  package mutating func undo() -> Bool {
    guard let step = history.undo() else { return false }
    apply(step.edit.inverse)
    selection = step.before
    return true
  }

  /// Does the step again that was undone last.
  /// - Returns: Whether there was one.
  @discardableResult
  package mutating func redo() -> Bool {
    guard let step = history.redo() else { return false }
    apply(step.edit)
    selection = step.after
    return true
  }

  private mutating func apply(_ edit: UndoHistory.Edit) {
    changes.append(storage.replace(edit.range, with: edit.inserted))
  }

  // MARK: Moving

  /// Moves the caret by a unit in reading order; a selection is left at that end, unless it is extended.
  package mutating func move(_ unit: Unit, forward: Bool, extending: Bool = false) {
    if !extending, !selection.isEmpty, unit == .character {
      return moveCaret(to: forward ? selection.range.upperBound : selection.range.lowerBound)
    }
    moveCaret(to: target(unit, forward: forward), extending: extending)
  }

  /// Puts the caret somewhere; within a cluster it goes to its beginning.
  package mutating func moveCaret(to offset: Int, extending: Bool = false) {
    let head = storage.rounded(offset)
    select(TextSelection(anchor: extending ? selection.anchor : head, head: head))
  }

  /// Selects a part.
  package mutating func select(_ new: TextSelection) {
    let new = TextSelection(anchor: storage.rounded(new.anchor), head: storage.rounded(new.head))
    guard new != selection else { return }
    history.seal()
    selection = new
  }

  package mutating func selectAll() { select(TextSelection(anchor: 0, head: storage.length)) }

  private func target(_ unit: Unit, forward: Bool) -> Int {
    let head = selection.head
    switch unit {
    case .character: return forward ? storage.characterEnd(after: head) : storage.characterStart(before: head)
    case .word: return forward ? storage.wordEnd(after: head) : storage.wordStart(before: head)
    case .paragraph:
      let content = storage.contentRange(at: head)
      return forward ? content.upperBound : content.lowerBound
    case .document: return forward ? storage.length : 0
    }
  }

  private func clamped(_ range: Range<Int>) -> Range<Int> {
    let lower = storage.rounded(range.lowerBound)
    return range.isEmpty ? lower..<lower : lower..<max(lower, storage.roundedUp(range.upperBound))
  }
}
