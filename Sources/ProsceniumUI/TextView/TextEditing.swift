/// A text that is being edited: its storage, its selection and its undo history.
///
/// Has no layout: movements by lines on the screen are made with ``moveCaret(to:extending:)``.
struct TextEditing: Sendable {
  /// The units by which a caret moves.
  enum Unit: Hashable, Sendable, CaseIterable { case character, word, paragraph, document }

  private(set) var storage: TextStorage
  private(set) var selection = TextSelection()
  private var history = UndoHistory()
  /// The changes since the last ``takeChanges()``, in order.
  private var changes: [TextStorage.Change] = []
  /// The undo manager's number after the last edit, by which the next one knows whether something else came between.
  var managerStep = 0
  /// What has been added to the text is the rest of this one.
  var suggestion: String?

  init(_ text: String = "") { storage = TextStorage(text) }

  var canUndo: Bool { history.canUndo }
  var canRedo: Bool { history.canRedo }
  /// How many steps have begun that can be undone on their own.
  var stepCount: Int { history.beganCount }
  var selectedText: String { storage[selection.range] }

  /// Returns the paragraphs that were replaced since the last call, and clears the list.
  mutating func takeChanges() -> [TextStorage.Change] {
    defer { changes = [] }
    return changes
  }

  // MARK: Changing

  /// Replaces the selection with text.
  /// - Returns: Whether anything changed.
  @discardableResult
  mutating func insert(_ text: String, as kind: UndoHistory.Kind = .typing) -> Bool {
    replace(selection.range, with: text, kind)
  }

  /// Deletes the selection; without one, the text up to the boundary of a unit before, or the last sign of a letter.
  /// - Returns: Whether anything changed.
  @discardableResult
  mutating func deleteBackward(_ unit: Unit = .character) -> Bool {
    let (range, rest) = deletion(unit, forward: false)
    return replace(range, with: rest, selection.isEmpty ? .deletingBackward : .other)
  }

  /// Deletes the selection; without one, the text up to the next boundary of a unit.
  /// - Returns: Whether anything changed.
  @discardableResult
  mutating func deleteForward(_ unit: Unit = .character) -> Bool {
    replace(deletion(unit, forward: true).range, with: "", selection.isEmpty ? .deletingForward : .other)
  }

  /// The selection; without one, the text up to the next boundary of a unit, and what stays of that.
  func deletion(_ unit: Unit, forward: Bool) -> (range: Range<Int>, rest: String) {
    if !selection.isEmpty { return (selection.range, "") }
    let target = target(unit, forward: forward)
    let range = min(target, selection.head)..<max(target, selection.head)
    return (range, unit == .character && !forward ? Character.rest(of: storage[range]) : "")
  }

  /// Replaces a range of the text, and moves the caret behind the new text.
  /// - Returns: Whether anything changed.
  @discardableResult
  mutating func replace(_ range: Range<Int>, with text: String, _ kind: UndoHistory.Kind = .other) -> Bool {
    let range = clamped(range)
    guard !range.isEmpty || !text.isEmpty else { return false }
    let edit = edit(range, with: text, kind)
    let before = selection
    apply(edit)
    // The new text may form one cluster with the text behind it.
    selection = TextSelection(caret: storage.roundedUp(range.lowerBound + text.utf8.count))
    history.record(edit, kind, before: before, after: selection)
    return true
  }

  private func edit(_ range: Range<Int>, with text: String, _ kind: UndoHistory.Kind) -> UndoHistory.Edit {
    let removed = storage[range]
    guard kind == .deletingBackward, removed.utf8.starts(with: text.utf8) else {
      return UndoHistory.Edit(offset: range.lowerBound, removed: removed, inserted: text)
    }
    // What stays of a letter is no part of the edit, so that a run of deletions is one.
    let rest = range.lowerBound + text.utf8.count..<range.upperBound
    return UndoHistory.Edit(offset: rest.lowerBound, removed: storage[rest], inserted: "")
  }

  /// Undoes the last step.
  /// - Returns: Whether there was a step.
  @discardableResult
  mutating func undo() -> Bool {
    guard let step = history.undo() else { return false }
    apply(step.edit.inverse)
    selection = step.before
    return true
  }

  /// Redoes the step that was undone last.
  /// - Returns: Whether there was a step.
  @discardableResult
  mutating func redo() -> Bool {
    guard let step = history.redo() else { return false }
    apply(step.edit)
    selection = step.after
    return true
  }

  /// Makes the next edit begin a new step.
  mutating func seal() { history.seal() }

  /// Makes what has been done until now nothing that can be undone or redone.
  mutating func forgetSteps() { history = UndoHistory() }

  /// Makes the next edit begin a new step, if the undo manager's number is another one than after the last edit.
  mutating func follow(_ step: Int) { if exchange(&managerStep, with: step) != step { history.seal() } }

  private mutating func apply(_ edit: UndoHistory.Edit) {
    changes.append(storage.replace(edit.range, with: edit.inserted))
  }

  // MARK: Moving

  /// Moves the caret by a unit in reading order; without extending, a selection collapses to that end.
  mutating func move(_ unit: Unit, forward: Bool, extending: Bool = false) {
    if !extending, !selection.isEmpty, unit == .character {
      return moveCaret(to: forward ? selection.range.upperBound : selection.range.lowerBound)
    }
    moveCaret(to: target(unit, forward: forward), extending: extending)
  }

  /// Moves the caret to an offset; within a cluster, to the start of the cluster.
  mutating func moveCaret(to offset: Int, extending: Bool = false) {
    let head = storage.rounded(offset)
    select(TextSelection(anchor: extending ? selection.anchor : head, head: head))
  }

  /// Selects a range.
  mutating func select(_ new: TextSelection) {
    let new = TextSelection(anchor: storage.rounded(new.anchor), head: storage.rounded(new.head))
    guard new != selection else { return }
    history.seal()
    selection = new
  }

  mutating func selectAll() { select(TextSelection(anchor: 0, head: storage.length)) }

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

/// A selection in UTF-8 offsets, from its anchor to the caret.
struct TextSelection: Hashable, Sendable {
  /// The fixed end of the selection.
  var anchor: Int
  /// The moving end of the selection: the caret.
  var head: Int

  var range: Range<Int> { min(anchor, head)..<max(anchor, head) }
  var isEmpty: Bool { anchor == head }
}

extension TextSelection {
  /// A caret without a selection.
  init(caret: Int = 0) { self.init(anchor: caret, head: caret) }
}

// MARK: Restoration

extension TextEditing {
  /// The selection as property-list values.
  var keptSelection: [String: Int] {
    ["anchor": storage.characterOffset(of: selection.anchor), "caret": storage.characterOffset(of: selection.head)]
  }

  /// The selection of such values; missing ones are the start of the text.
  func selection(from kept: [String: Int]) -> TextSelection {
    let caret = kept["caret"] ?? 0
    return TextSelection(
      anchor: storage.offset(ofCharacter: kept["anchor"] ?? caret), head: storage.offset(ofCharacter: caret))
  }
}
