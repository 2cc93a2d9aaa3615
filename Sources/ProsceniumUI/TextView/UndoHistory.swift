/// What was done to a text, to be undone and done again in steps that a person would call one.
///
/// A run of typing is one step, so is a run of deleting; a move of the caret, the end of a line or anything else begins
/// the next one.
package struct UndoHistory: Hashable, Sendable {
  /// What an edit was done by.
  package enum Kind: Hashable, Sendable, CaseIterable {
    case typing
    case deletingBackward
    case deletingForward
    /// Pasting, cutting, dragging: always a step of its own.
    case other
  }

  /// Text that came in the place of other text.
  package struct Edit: Hashable, Sendable {
    package var offset: Int
    package var removed: String
    package var inserted: String

    package init(offset: Int, removed: String, inserted: String) {
      self.offset = offset
      self.removed = removed
      self.inserted = inserted
    }

    /// What undoes it.
    package var inverse: Edit { Edit(offset: offset, removed: inserted, inserted: removed) }
    var range: Range<Int> { offset..<offset + removed.utf8.count }
    fileprivate var cost: Int { removed.utf8.count + inserted.utf8.count + 100 }

    /// This edit and the next as one; nil where they do not touch.
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
  package struct Step: Hashable, Sendable {
    package var edit: Edit
    package var before: TextSelection
    package var after: TextSelection
    fileprivate var kind: Kind
  }

  /// What is remembered at most, in bytes; the last step is, however long.
  package var limit = 64 << 20
  private var done: [Step] = []
  private var undone: [Step] = []
  private var cost = 0
  private var isOpen = false

  package init() {}

  package var canUndo: Bool { !done.isEmpty }
  package var canRedo: Bool { !undone.isEmpty }

  /// Remembers an edit; what had been undone cannot be done again.
  package mutating func record(_ edit: Edit, _ kind: Kind, before: TextSelection, after: TextSelection) {
    undone = []
    if isOpen, let last = done.last, kind != .other, last.kind == kind, last.after == before,
      let joined = last.edit.followed(by: edit)
    {
      cost += joined.cost - last.edit.cost
      done[done.count - 1] = Step(edit: joined, before: last.before, after: after, kind: kind)
    } else {
      done.append(Step(edit: edit, before: before, after: after, kind: kind))
      cost += edit.cost
    }
    isOpen = kind != .other && !edit.inserted.utf8.contains { $0 == 0x0A || $0 == 0x0D }
    forget()
  }

  /// The next edit begins a step of its own.
  package mutating func seal() { isOpen = false }

  /// The last step, which is undone now.
  package mutating func undo() -> Step? {
    isOpen = false
    guard let step = done.popLast() else { return nil }
    cost -= step.edit.cost
    undone.append(step)
    return step
  }

  /// The step undone last, which is done again now.
  package mutating func redo() -> Step? {
    isOpen = false
    guard let step = undone.popLast() else { return nil }
    cost += step.edit.cost
    done.append(step)
    return step
  }

  private mutating func forget() {
    guard cost > limit, done.count > 1 else { return }
    // Half of it at once, so that not every key moves all steps.
    var index = 0
    while cost > limit / 2, index < done.count - 1 {
      cost -= done[index].edit.cost
      index += 1
    }
    done.removeFirst(index)
  }
}
