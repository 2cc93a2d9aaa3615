import ProsceniumCore

/// A view whose text the user edits; its steps are those of the undo manager in its responder chain, if there is one.
@MainActor protocol TextEditor: View {
  var text: String { get set }
  /// The selection, and the place that is scrolled to.
  var restorationState: [String: Int] { get set }
  var editing: TextEditing { get set }
  /// Whether the user can change the text now.
  var acceptsEdits: Bool { get }
  /// Changes the text or the selection, scrolls to the caret, and tells the program.
  func changeAndReveal(_ body: (inout TextEditing) -> Void)
  /// What input methods have to do with it.
  var input: TextInput { get }
  /// What the text is for.
  var textInputTraits: TextInputTraits { get }
  /// The caret, where it is in sight.
  var visibleCaret: Rect? { get }
  /// Shows what an input method composes, in place of what it composed before.
  func show(_ composition: TextComposition?)
  /// Replaces the selection as by typing.
  func type(_ text: String)
  /// Replaces a part of the text, in bytes, where the caret stays.
  func replaceAround(_ range: Range<Int>, with text: String)
  /// The offset in the text of the caret after a click at a point.
  func offset(at point: Point) -> Int
  /// The offset in the text of the character at a point; beside the text the nearest one.
  func characterOffset(at point: Point) -> Int
  /// Replaces the selection with text from elsewhere, without its control characters.
  func insertForeign(_ text: String)
}

extension TextEditor {
  /// The text with its state; a secure one does not belong into a file.
  var keptText: (any Sendable)? {
    get {
      guard (self as? TextField)?.isSecureTextEntry != true else { return nil }
      return ["text": text, "selection": restorationState] as [String: any Sendable]
    }
    set {
      guard let kept = newValue as? [String: any Sendable], let text = kept["text"] as? String else { return }
      self.text = text
      restorationState = kept["selection"] as? [String: Int] ?? [:]
    }
  }

  /// Changes the text or the selection.
  /// - Returns: What was replaced.
  func edit(_ body: (inout TextEditing) -> Void) -> [TextStorage.Change] {
    let steps = editing.stepCount
    if let undoManager { editing.follow(undoManager.stepNumber) }
    body(&editing)
    if editing.stepCount != steps, let undoManager {
      undoManager.registerUndo(withTarget: self) { $0.undoStep() }
      editing.managerStep = undoManager.stepNumber
    }
    let changes = editing.takeChanges()
    // The manager's steps would be those of another text than the one that is there now.
    if !changes.isEmpty, let undoManager, !undoManager.isUndoRegistrationEnabled {
      editing.forgetSteps()
      undoManager.removeAllActions(withTarget: self)
    }
    return changes
  }

  /// Whether a press on the selection may be the begin of a drag.
  var dragsSelection: Bool {
    #if WITHOUT_DragAndDrop
      false
    #else
      interactions.contains { ($0 as? DragInteraction)?.isEnabled == true }
    #endif
  }

  /// A press that left the selection as it was has ended without a drag: the caret moves there.
  func giveUpSelection(_ drag: TextDrag, _ offset: (Point) -> Int) {
    guard drag.kind == .onSelection else { return }
    let target = offset(drag.point)
    changeAndReveal { $0.moveCaret(to: target) }
  }

  var hasUndo: Bool { acceptsEdits && (undoManager?.canUndo ?? editing.canUndo) }
  var hasRedo: Bool { acceptsEdits && (undoManager?.canRedo ?? editing.canRedo) }

  func undoLast() {
    input.endComposition()
    guard hasUndo else { return }
    if let undoManager { undoManager.undo() } else { undoStep() }
  }

  func redoLast() {
    input.endComposition()
    guard hasRedo else { return }
    if let undoManager { undoManager.redo() } else { redoStep() }
  }

  private func undoStep() {
    undoManager?.registerUndo(withTarget: self) { $0.redoStep() }
    changeAndReveal { $0.undo() }
  }

  private func redoStep() {
    undoManager?.registerUndo(withTarget: self) { $0.undoStep() }
    changeAndReveal { $0.redo() }
  }

  func copySelection(to pasteboard: Pasteboard = .general) {
    if !editing.selection.isEmpty { pasteboard.setString(editing.selectedText) }
  }

  /// Replaces the selection with the text of a pasteboard, as soon as its owner has sent it.
  func paste(from pasteboard: Pasteboard) {
    guard acceptsEdits else { return }
    // Requested at once: text that is copied later must not be pasted.
    Task.immediate { @MainActor [weak self] in
      guard let text = await pasteboard.string(), let self, self.acceptsEdits else { return }
      self.insertForeign(text)
    }
  }
}
