import ProsceniumCore

/// Changes of the text and the selection, keys, and the actions for them.
extension TextField {
  var acceptsEdits: Bool { isEnabled }

  func changeAndReveal(_ body: (inout TextEditing) -> Void) { change(body) }

  func insertForeign(_ text: String) { insertText(text) }

  func change(_ body: (inout TextEditing) -> Void) {
    input.endComposition()
    let before = editing.selection
    let changes = edit(body)
    if changes.isEmpty { showCaret() } else { showText() }
    blink.restart(in: window)
    if before != editing.selection { selectionDidChange() }
    input.textDidChange()
    if !changes.isEmpty { sendActions(for: .editingChanged) }
  }

  func selectionDidChange() {
    invalidateRestorableState()
    delegate?.textFieldDidChangeSelection(self)
  }

  /// Replaces a part of the text for the user, if the delegate agrees.
  func replace(_ range: Range<Int>, with text: String, _ kind: UndoHistory.Kind) {
    let range = editing.storage.characters(of: range)
    // A pasteboard may have far more than there is room for.
    let whole = String(text.prefix(2 * min(max(0, maximumLength), 1 << 30) + 64)).onOneLine
    let room =
      kind == .deletingBackward ? whole.count : editing.room(for: whole, in: range, most: maximumLength)
    // Where there is no room at all, what is selected stays.
    guard acceptsEdits, text.isEmpty || room > 0, case let text = String(whole.prefix(room)),
      !range.isEmpty || !text.isEmpty,
      delegate?.textField(self, shouldChangeCharactersIn: range, replacementString: text) ?? true
    else { return }
    let suggestion = kind == .typing ? delegate?.completion(of: range, text, in: self) : nil
    // The delegate may have set another text.
    let bytes = editing.storage.offsets(ofCharacters: range)
    change {
      $0.replace(bytes, with: text, kind)
      $0.complete(suggestion, atMost: room - text.count)
    }
  }

  // MARK: Keys

  func handleKey(_ key: Key, _ event: Event) -> Bool {
    guard let command = TextCommand(key) else { return false }
    input.endComposition()
    switch command {
    case .type("\t"): return false  // Tab moves to the next view.
    case .type(let text): replace(editing.selection.range, with: text, .typing)
    case .newLine: if !key.isRepeat { returnPressed(event) }
    case .deleteBackward(let unit): delete(unit, forward: false, .deletingBackward)
    case .deleteForward(let unit): delete(unit, forward: true, .deletingForward)
    case .move(let move, let extending):
      guard self.move(move, extending: extending) else { return false }
      if extending { publishSelection() }
    }
    return true
  }

  private func returnPressed(_ event: Event) {
    change { $0.leaveCompletion() }
    guard delegate?.textFieldShouldReturn(self) ?? true else { return }
    sendActions(for: .editingDidEndOnExit, event)
    primaryAction(event)
  }

  private func delete(_ unit: TextEditing.Unit, forward: Bool, _ kind: UndoHistory.Kind) {
    let (range, rest) = editing.deletion(shownUnit(unit), forward: forward)
    replace(range, with: isSecureTextEntry ? "" : rest, editing.selection.isEmpty ? kind : .other)
  }

  /// The unit, but nothing that tells where the words of a secure text are.
  private func shownUnit(_ unit: TextEditing.Unit) -> TextEditing.Unit {
    isSecureTextEntry && unit == .word ? .document : unit
  }

  /// Moves the caret.
  /// - Returns: Whether the movement is one of a line of text.
  private func move(_ move: TextCommand.Move, extending: Bool) -> Bool {
    switch move {
    case .left, .right: moveSideways(right: move == .right, extending: extending)
    case .wordLeft, .wordRight:
      let forward = (move == .wordRight) != isRightToLeft
      change { $0.move(shownUnit(.word), forward: forward, extending: extending) }
    case .lineStart, .documentStart, .up: change { $0.move(.document, forward: false, extending: extending) }
    case .lineEnd, .documentEnd, .down: change { $0.moveAccepting(.document, forward: true, extending: extending) }
    case .paragraphUp, .paragraphDown, .pageUp, .pageDown: return false
    }
    return true
  }

  private func moveSideways(right: Bool, extending: Bool) {
    let (selection, forward) = (editing.selection, right != isRightToLeft)
    if !extending, !selection.isEmpty { return change { $0.moveAccepting(.character, forward: forward) } }
    let place = shown.offset(selection.head)
    let moved = layout.moveVisually(from: place, by: right ? 1 : -1)
    let offset = shown.textOffset(moved)
    let target = moved > place ? editing.storage.roundedUp(offset) : editing.storage.rounded(offset)
    guard target != selection.head else {
      return change { $0.move(.character, forward: forward, extending: extending) }
    }
    change { $0.moveCaret(to: target, extending: extending) }
  }

  // MARK: Actions

  /// Whether there is a step to undo: of the text, or of anything that the undo manager of the responder chain has.
  public var canUndo: Bool { hasUndo }
  /// Whether there is a step to redo, as for ``canUndo``.
  public var canRedo: Bool { hasRedo }

  /// Undoes the last step, such as a run of typing or a paste; that of the responder chain's undo manager, if any.
  /// - Parameter sender: The sender of the action.
  public func undo(_ sender: AnyObject? = nil) { undoLast() }

  /// Redoes the step that was undone last, as ``undo(_:)`` undoes it.
  /// - Parameter sender: The sender of the action.
  public func redo(_ sender: AnyObject? = nil) { redoLast() }

  /// Selects the whole text.
  /// - Parameter sender: The sender of the action.
  public func selectAll(_ sender: AnyObject? = nil) {
    change { $0.selectAll() }
    publishSelection()
  }

  /// Copies the selection to the pasteboard; not that of a secure text.
  /// - Parameter sender: The sender of the action.
  public func copy(_ sender: AnyObject? = nil) { if !isSecureTextEntry { copySelection() } }

  /// Copies the selection to the pasteboard and deletes it; not that of a secure text.
  /// - Parameter sender: The sender of the action.
  public func cut(_ sender: AnyObject? = nil) {
    input.endComposition()
    guard acceptsEdits, !isSecureTextEntry, !editing.selection.isEmpty else { return }
    copySelection()
    replace(editing.selection.range, with: "", .other)
  }

  /// Replaces the selection with the text of the pasteboard, as soon as its owner has sent it.
  /// - Parameter sender: The sender of the action.
  public func paste(_ sender: AnyObject? = nil) { paste(from: .general) }

  /// Offers the selection for pasting with the middle button.
  func publishSelection() { if !isSecureTextEntry { copySelection(to: .primary) } }
}

extension String {
  /// The text with spaces in place of line endings and tabs, and without other control characters.
  var onOneLine: String {
    guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control || $0.properties.isLineBreak })
    else { return self }
    return String(map { $0.isNewline || $0 == "\t" ? " " : $0 }).withoutControls
  }
}

extension Unicode.Scalar.Properties {
  /// LINE SEPARATOR and PARAGRAPH SEPARATOR, which are no control characters.
  fileprivate var isLineBreak: Bool { generalCategory == .lineSeparator || generalCategory == .paragraphSeparator }
}
