import ProsceniumCore

/// Changing the text and the selection, and the actions that do.
extension TextView {
  /// Does something to the text or the selection, and lets everybody know.
  func change(reveal: Bool = true, keepsGoal: Bool = false, _ body: (inout TextEditing) -> Void) {
    let before = editing.selection
    if !keepsGoal { goalX = nil }
    // Where it was, before the text moves.
    damageCaret()
    body(&editing)
    let changes = editing.takeChanges()
    for change in changes { apply(change) }
    if changes.isEmpty { damageSelection(from: before, to: editing.selection) }
    if !changes.isEmpty {
      if !before.isEmpty || !editing.selection.isEmpty { setNeedsDisplay() }
      scroll(to: top)
    }
    if reveal { scrollToCaret() }
    damageCaret()
    blink.restart(in: window)
    if !changes.isEmpty { delegate?.textViewDidChange(self) }
    if before != editing.selection { delegate?.textViewDidChangeSelection(self) }
  }

  /// Takes over a change of the text, and says what it moves.
  private func apply(_ change: TextStorage.Change) {
    guard lines.count > 0 else { return }
    let (lower, upper) = (change.replaced.lowerBound, change.replaced.upperBound)
    let height = lines.knownHeight(lower)
    lines.apply(change, editing.storage)
    if upper <= top.paragraph {
      top.paragraph += change.count - change.replaced.count
    } else if lower < top.paragraph {
      top = TextPlace(paragraph: min(top.paragraph, lower + change.count - 1))
    }
    guard isLaidOut else { return }
    guard change.replaced.count == 1, change.count == 1 else { return damageDown(from: lower) }
    // Rows go from one piece of a paragraph to the next.
    guard editing.storage.paragraphs[lower].isEnded || lower == lines.count - 1 else { return damageDown(from: lower) }
    // Not in sight, it need not be laid out to know that nothing moves.
    guard visibleParagraphs().contains(where: { $0.index == lower }) else { return damageScrollBar() }
    if lines.height(lower, editing.storage) == height {
      damage(paragraphs: lower..<lower + 1)
    } else {
      damageDown(from: lower)
    }
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

  /// Whether there is something to undo.
  public var canUndo: Bool { isEditable && editing.canUndo }
  /// Whether there is something to do again.
  public var canRedo: Bool { isEditable && editing.canRedo }

  /// Undoes the last step: a run of typing, a paste.
  public func undo(_ sender: AnyObject? = nil) { if canUndo { change { $0.undo() } } }
  /// Does the step again that was undone last.
  public func redo(_ sender: AnyObject? = nil) { if canRedo { change { $0.redo() } } }

  /// Selects all of the text.
  public func selectAll(_ sender: AnyObject? = nil) {
    change(reveal: false) { $0.selectAll() }
    publishSelection()
  }

  /// Copies what is selected.
  public func copy(_ sender: AnyObject? = nil) {
    if !editing.selection.isEmpty { Pasteboard.general.setString(editing.selectedText) }
  }

  /// Copies what is selected, and deletes it.
  public func cut(_ sender: AnyObject? = nil) {
    guard isEditable, !editing.selection.isEmpty else { return }
    copy(sender)
    change { $0.insert("", as: .other) }
  }

  /// Puts what was copied in the place of what is selected, as soon as whoever has it has handed it over.
  public func paste(_ sender: AnyObject? = nil) { paste(from: .general) }

  func paste(from pasteboard: Pasteboard) {
    guard isEditable else { return }
    // Asked for at once: what is copied a moment later is not what was meant.
    Task.immediate { @MainActor [weak self] in
      guard let text = await pasteboard.string(), let self, self.isEditable else { return }
      self.insertText(text.withoutControls)
    }
  }

  /// What is selected can be pasted by the middle button.
  func publishSelection() {
    if !editing.selection.isEmpty { Pasteboard.primary.setString(editing.selectedText) }
  }

  static let commands = [
    KeyCommand(input: "a", title: "Select All", action: Action(TextView.selectAll, name: "selectAll")),
    KeyCommand(input: "c", title: "Copy", action: Action(TextView.copy, name: "copy")),
    KeyCommand(input: "x", title: "Cut", action: Action(TextView.cut, name: "cut")),
    KeyCommand(input: "v", title: "Paste", action: Action(TextView.paste(_:), name: "paste")),
    KeyCommand(input: "z", title: "Undo", action: Action(TextView.undo, name: "undo")),
    KeyCommand(input: "z", modifiers: [.control, .shift], title: "Redo", action: Action(TextView.redo, name: "redo")),
    KeyCommand(input: "y", title: "Redo", action: Action(TextView.redo, name: "redo")),
    // Insert and Delete, as older programs have it.
    KeyCommand(symbol: KeySymbol.insert, modifiers: .control, action: Action(TextView.copy, name: "copy")),
    KeyCommand(symbol: KeySymbol.insert, modifiers: .shift, action: Action(TextView.paste(_:), name: "paste")),
    KeyCommand(symbol: KeySymbol.delete, modifiers: .shift, action: Action(TextView.cut, name: "cut")),
  ]
}

extension String {
  /// Without control characters, but with tabs and the ends of lines.
  var withoutControls: String {
    func isPlain(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.generalCategory != .control || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }
    if unicodeScalars.allSatisfy(isPlain) { return self }
    return String(String.UnicodeScalarView(unicodeScalars.filter(isPlain)))
  }
}
