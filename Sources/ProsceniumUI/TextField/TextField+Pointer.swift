import ProsceniumCore

/// A press or a touch on a field.
struct FieldPress {
  /// Counts clicks and selects by them.
  var drag = TextDrag()
  /// Whether the press is on the clear button.
  var isOnClearButton = false
  /// The touch that will move the caret where it ends.
  var touch: Int?
}

/// Clicks, drags and touches.
extension TextField {
  func handlePress(_ event: Event) -> Bool {
    guard isEnabled, let point = event.location(in: self) else { return false }
    switch event.kind {
    case .button(let button):
      if button.isDown { input.endComposition() }
      switch button.number {
      case 1: if button.isDown { pressed(point, button.modifiers, event) } else { released(point) }
      case 2:
        guard button.isDown, becomeFirstResponder() else { return false }
        let target = offset(at: point)
        change { $0.moveCaret(to: target) }
        paste(from: .primary)
      default: return false
      }
    case .motion(let motion):
      guard press.drag.kind != .none, motion.phase == .moved else { return false }
      if press.drag.kind != .onSelection { select(upTo: press.drag.offset(at: point, in: self)) }
    case .touch(let touch):
      switch touch.phase {
      case .began: if press.touch == nil { press.touch = touch.identifier }
      case .moved: break
      case .ended:
        guard press.touch == touch.identifier else { return false }
        press.touch = nil
        tapped(point)
      case .cancelled: if press.touch == touch.identifier { press.touch = nil }
      }
    case .key, .scroll, .remoteControl, .deviceMotion, .exposed, .resized: return false
    }
    return true
  }

  private func pressed(_ point: Point, _ modifiers: ModifierFlags, _ event: Event) {
    if showsClearButton, clearButton.contains(point) {
      press.isOnClearButton = true
      return
    }
    // What becomes of the selection when editing begins is not the user's.
    let mayDrag = isEditing && !isSecureTextEntry && dragsSelection
    // The press may end while the program hears that editing begins.
    press.drag.begin(at: point, event.timestamp)
    guard becomeFirstResponder(), press.drag.kind != .none else { return press.drag.kind = .none }
    if mayDrag, press.drag.keeps(editing.selection, at: characterOffset(at: point), modifiers) { return }
    let target = press.drag.offset(at: point, in: self)
    if modifiers.contains(.shift) {
      press.drag.kind = .characters
      press.drag.origin = editing.selection.anchor..<editing.selection.anchor
      return change { $0.moveCaret(to: target, extending: true) }
    }
    // Where the words of a secure text are is not shown.
    if isSecureTextEntry, press.drag.kind == .words { press.drag.kind = .paragraphs }
    press.drag.origin = press.drag.unit(at: target, in: editing.storage)
    select(upTo: target)
  }

  private func released(_ point: Point) {
    if exchange(&press.isOnClearButton, with: false) {
      if clearButton.contains(point) { clear() }
      return
    }
    guard press.drag.kind != .none else { return }
    giveUpSelection(press.drag, offset)
    press.drag.kind = .none
    publishSelection()
  }

  private func tapped(_ point: Point) {
    guard self.point(inside: point) else { return }
    if showsClearButton, clearButton.contains(point) { return clear() }
    guard becomeFirstResponder() else { return }
    input.endComposition()
    let target = offset(at: point)
    change { $0.moveCaret(to: target) }
  }

  private func clear() {
    guard delegate?.textFieldShouldClear(self) ?? true else { return }
    change { $0.replace(0..<$0.storage.length, with: "") }
  }

  private func select(upTo offset: Int) {
    let selection = press.drag.selection(upTo: offset, in: editing.storage)
    change { $0.select(selection) }
  }
}
