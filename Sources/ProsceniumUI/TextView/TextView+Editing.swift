import ProsceniumCore

/// Changes of the text and the selection, and the actions for them.
extension TextView {
  /// Changes the text or the selection, and notifies the delegate.
  func change(reveal: Bool = true, keepsGoal: Bool = false, _ body: (inout TextEditing) -> Void) {
    input.endComposition()
    let (before, place) = (editing.selection, top)
    if !keepsGoal { goalX = nil }
    // The old place, before the text moves.
    damageCaret()
    let changes = edit(body)
    for change in changes { apply(change) }
    if changes.isEmpty {
      damageSelection(from: before, to: editing.selection)
    } else {
      if !before.isEmpty || !editing.selection.isEmpty { setNeedsDisplay() }
      followChange(from: place)
    }
    if reveal { scrollToCaret() }
    damageCaret()
    blink.restart(in: window)
    if !changes.isEmpty { delegate?.textViewDidChange(self) }
    if before != editing.selection {
      selectionDidChange()
    } else if !changes.isEmpty {
      // As what is deleted behind the caret.
      invalidateRestorableState()
    }
    input.textDidChange()
  }

  /// Applies a change of the text, and requests a redraw of all that moves.
  func apply(_ change: TextStorage.Change) {
    sizeMayHaveChanged()
    guard lines.count > 0 else { return }
    let (lower, upper) = (change.replaced.lowerBound, change.replaced.upperBound)
    let height = lines.knownHeight(lower)
    lines.apply(change, shown)
    if upper <= top.paragraph {
      top.paragraph += change.count - change.replaced.count
    } else if lower < top.paragraph {
      top = TextPlace(paragraph: min(top.paragraph, lower + change.count - 1))
    }
    guard isLaidOut else { return }
    guard change.replaced.count == 1, change.count == 1 else { return damageDown(from: lower) }
    // Rows may span two pieces of a paragraph.
    guard shown.paragraphs[lower].isEnded || lower == lines.count - 1 else { return damageDown(from: lower) }
    // A paragraph that is not visible need not be laid out: nothing visible moves.
    guard visibleParagraphs().contains(where: { $0.index == lower }) else { return damageScrollBar() }
    guard lines.height(lower, shown) == height else { return damageDown(from: lower) }
    damage(paragraphs: lower..<lower + 1)
  }

  /// Scrolls no further than the text goes, and notifies the delegate of where its changes have moved what is shown.
  /// - Parameter place: The place at the upper edge before them.
  func followChange(from place: TextPlace) {
    if !scroll(to: top), isLaidOut, top != place { delegate?.textViewDidScroll(self) }
  }

  private func damageDown(from paragraph: Int) {
    damageScrollBar()
    let frame = visibleParagraphs().first { $0.index >= paragraph }?.frame
    let y = frame.map { max($0.origin.y, bounds.origin.y) } ?? bounds.origin.y
    setNeedsDisplay(
      Rect(x: bounds.origin.x, y: y, width: bounds.size.width, height: bounds.origin.y + bounds.size.height - y))
  }

  private func damageSelection(from old: TextSelection, to new: TextSelection) {
    guard old != new, !(old.isEmpty && new.isEmpty) else { return }
    if old.anchor == new.anchor { return damage(min(old.head, new.head)..<max(old.head, new.head)) }
    damage(old.range)
    damage(new.range)
  }

  // MARK: Actions

  /// Whether there is a step to undo: of the text, or of anything that the undo manager of the responder chain has.
  public var canUndo: Bool { hasUndo }
  /// Whether there is a step to redo, as for ``canUndo``.
  public var canRedo: Bool { hasRedo }

  /// Undoes the last step, such as a run of typing or a paste.
  ///
  /// Where the responder chain has an undo manager (`Responder.undoManager`), the view registers its steps there, and
  /// that manager's last group is undone.
  /// - Parameter sender: The sender of the action.
  public func undo(_ sender: AnyObject? = nil) { undoLast() }
  /// Redoes the step that was undone last, as ``undo(_:)`` undoes it.
  /// - Parameter sender: The sender of the action.
  public func redo(_ sender: AnyObject? = nil) { redoLast() }

  /// Selects the whole text.
  /// - Parameter sender: The sender of the action.
  public func selectAll(_ sender: AnyObject? = nil) {
    change(reveal: false) { $0.selectAll() }
    publishSelection()
  }

  /// Copies the selection to the pasteboard.
  /// - Parameter sender: The sender of the action.
  public func copy(_ sender: AnyObject? = nil) { copySelection() }

  /// Copies the selection to the pasteboard and deletes it.
  /// - Parameter sender: The sender of the action.
  public func cut(_ sender: AnyObject? = nil) {
    input.endComposition()
    guard isEditable, !editing.selection.isEmpty else { return }
    copy(sender)
    change { $0.insert("", as: .other) }
  }

  /// Replaces the selection with the text of the pasteboard, as soon as its owner has sent it.
  /// - Parameter sender: The sender of the action.
  public func paste(_ sender: AnyObject? = nil) { paste(from: .general) }

  func insertForeign(_ text: String) { insertText(text.withoutControls) }

  var acceptsEdits: Bool { isEditable }

  func changeAndReveal(_ body: (inout TextEditing) -> Void) { change(body) }

  /// Offers the selection for pasting with the middle button.
  func publishSelection() { copySelection(to: .primary) }
}

extension String {
  /// The text without control characters other than tabs and line endings.
  var withoutControls: String {
    func isPlain(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.generalCategory != .control || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }
    if unicodeScalars.allSatisfy(isPlain) { return self }
    return String(String.UnicodeScalarView(unicodeScalars.filter(isPlain)))
  }
}
