import ProsceniumCore

/// The menus of views: opened by the right button, and by the Menu key or Shift and F10.
extension ViewTree {
  /// Opens the menu of the view at a press, or of the nearest superview that has one.
  func openContextMenu(for view: View?, _ event: Event) {
    for view in view.map({ Array($0.selfAndSuperviews) }) ?? [] {
      guard let point = event.location(in: view), let menu = view.contextMenu(at: point) else { continue }
      MenuSession.open(
        menu, for: view, at: Rect(point, Size(width: 0, height: 0)), kind: .menu, from: view, isButtonDown: true)
      return
    }
  }

  /// Opens the menu of the view that gets keys, or of the nearest superview that has one.
  /// - Returns: Whether there is one.
  func openContextMenu() -> Bool {
    for view in (window?.firstResponder as? View ?? root).map({ Array($0.selfAndSuperviews) }) ?? [] {
      let point = view.contextMenuPoint
      guard let menu = view.contextMenu(at: point) else { continue }
      MenuSession.open(
        menu, for: view, at: Rect(point, Size(width: 0, height: 0)), kind: .menu, from: view, byKey: true)
      return true
    }
    return false
  }
}

/// The standard menu of a text.
extension TextEditor {
  /// Makes the menu, in which each item is enabled that does something.
  /// - Parameters:
  ///   - offset: Where the caret moves if it is outside of the selection.
  ///   - commands: The key commands of the text.
  ///   - canCopy: Whether what is selected may be copied.
  /// - Returns: Undo, redo, cut, copy, paste, delete and select all.
  func textMenu(at offset: Int?, _ commands: [KeyCommand], canCopy: Bool) -> Menu {
    let selected = editing.selection.range
    if let offset, !(selected.lowerBound...selected.upperBound).contains(offset) {
      changeAndReveal { $0.moveCaret(to: offset) }
    }
    func item(_ title: String, _ isEnabled: Bool) -> MenuElement? {
      commands.first { $0.title == title }.map { MenuItem($0, attributes: isEnabled ? [] : .disabled) }
    }
    func group(_ items: MenuElement?...) -> Menu { Menu(options: .displayInline, children: items.compactMap { $0 }) }
    let hasSelection = !editing.selection.isEmpty
    let deleting = MenuItem("Delete", attributes: hasSelection && acceptsEdits ? [] : .disabled) { [weak self] in
      self?.insertForeign("")
    }
    return Menu(children: [
      group(item("Undo", hasUndo), item("Redo", hasRedo)),
      group(
        item("Cut", hasSelection && canCopy && acceptsEdits), item("Copy", hasSelection && canCopy),
        item("Paste", acceptsEdits), deleting),
      group(item("Select All", editing.selection.range != 0..<editing.storage.length)),
    ])
  }
}
