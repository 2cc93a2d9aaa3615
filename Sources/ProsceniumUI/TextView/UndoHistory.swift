/// The edits of a text, grouped into steps that the user undoes and redoes.
///
/// A run of typing is one step, and so is a run of deleting. A movement of the caret, a line ending and any other edit
/// begin the next step.
struct UndoHistory: Hashable, Sendable {
  /// The kind of an edit.
  enum Kind: Hashable, Sendable, CaseIterable {
    case typing
    case deletingBackward
    case deletingForward
    /// Pasting, cutting, dragging: always a separate step.
    case other
  }

  /// The replacement of text.
  struct Edit: Hashable, Sendable {
    var offset: Int
    var removed: String
    var inserted: String

    /// The edit that undoes this one.
    var inverse: Edit { Edit(offset: offset, removed: inserted, inserted: removed) }
    var range: Range<Int> { offset..<offset + removed.utf8.count }
    fileprivate var cost: Int { removed.utf8.count + inserted.utf8.count + 100 }

    /// This edit and the next one merged; nil where they are not adjacent.
    fileprivate func followed(by next: Edit) -> Edit? {
      if next.removed.isEmpty, next.offset == offset + inserted.utf8.count {
        return Edit(offset: offset, removed: removed, inserted: inserted + next.inserted)
      }
      guard inserted.isEmpty, next.inserted.isEmpty else { return nil }
      if next.offset + next.removed.utf8.count == offset {
        return Edit(offset: next.offset, removed: next.removed + removed, inserted: "")
      }
      return next.offset == offset ? Edit(offset: offset, removed: removed + next.removed, inserted: "") : nil
    }
  }

  /// One step.
  struct Step: Hashable, Sendable {
    var edit: Edit
    var before: TextSelection
    var after: TextSelection
    fileprivate var kind: Kind
  }

  /// The largest size of the history in bytes; the last step is kept even if it is larger.
  var limit = 64 << 20
  private var done: [Step] = []
  private var undone: [Step] = []
  private var cost = 0
  private var isOpen = false
  /// How many steps have begun, over all.
  private(set) var beganCount = 0

  var canUndo: Bool { !done.isEmpty }
  var canRedo: Bool { !undone.isEmpty }

  /// Adds an edit, and removes all steps that could be redone.
  mutating func record(_ edit: Edit, _ kind: Kind, before: TextSelection, after: TextSelection) {
    undone = []
    if isOpen, let last = done.last, kind != .other, last.kind == kind, last.after == before,
      let joined = last.edit.followed(by: edit)
    {
      cost += joined.cost - last.edit.cost
      done[done.count - 1] = Step(edit: joined, before: last.before, after: after, kind: kind)
    } else {
      done.append(Step(edit: edit, before: before, after: after, kind: kind))
      beganCount += 1
      cost += edit.cost
    }
    isOpen = kind != .other && !edit.inserted.utf8.contains { $0 == 0x0A || $0 == 0x0D }
    forget()
  }

  /// Makes the next edit begin a new step.
  mutating func seal() { isOpen = false }

  /// Moves the last step to the redo list, and returns it.
  mutating func undo() -> Step? {
    isOpen = false
    guard let step = done.popLast() else { return nil }
    cost -= step.edit.cost
    undone.append(step)
    return step
  }

  /// Moves the step that was undone last back to the undo list, and returns it.
  mutating func redo() -> Step? {
    isOpen = false
    guard let step = undone.popLast() else { return nil }
    cost += step.edit.cost
    done.append(step)
    return step
  }

  private mutating func forget() {
    guard cost > limit, done.count > 1 else { return }
    // Half of the history at once, so that not every key moves all steps.
    var index = 0
    while cost > limit / 2, index < done.count - 1 {
      cost -= done[index].edit.cost
      index += 1
    }
    done.removeFirst(index)
  }
}
