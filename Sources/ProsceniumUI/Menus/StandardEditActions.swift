public import ProsceniumCore

/// The actions of an *Edit* menu, which a text view, a text field, lists (copying and selecting all) and views of the
/// program's own perform.
///
/// ``Menu/standardEdit`` has an item for each: the first responder of the chain that conforms performs it. One that is
/// a ``MenuValidating`` disables those that it cannot perform now.
@preconcurrency @MainActor public protocol ResponderStandardEditActions: Responder {
  /// Copies the selection to the pasteboard and deletes it.
  /// - Parameter sender: The sender of the action.
  func cut(_ sender: AnyObject?)
  /// Copies the selection to the pasteboard.
  /// - Parameter sender: The sender of the action.
  func copy(_ sender: AnyObject?)
  /// Replaces the selection with what is in the pasteboard.
  /// - Parameter sender: The sender of the action.
  func paste(_ sender: AnyObject?)
  /// Selects everything.
  /// - Parameter sender: The sender of the action.
  func selectAll(_ sender: AnyObject?)
  /// Undoes the last step.
  /// - Parameter sender: The sender of the action.
  func undo(_ sender: AnyObject?)
  /// Redoes the step that was undone last.
  /// - Parameter sender: The sender of the action.
  func redo(_ sender: AnyObject?)
}

/// The key commands for the standard actions.
@MainActor enum EditCommands {
  private typealias Editor = any ResponderStandardEditActions

  private static let copying = Action({ (editor: Editor) in { editor.copy($0) } }, name: "copy")
  private static let cutting = Action({ (editor: Editor) in { editor.cut($0) } }, name: "cut")
  private static let pasting = Action({ (editor: Editor) in { editor.paste($0) } }, name: "paste")
  private static let redoing = Action({ (editor: Editor) in { editor.redo($0) } }, name: "redo")

  static let selectAll = KeyCommand(
    input: "a", title: "Select All", action: Action({ (editor: Editor) in { editor.selectAll($0) } }, name: "selectAll")
  )
  static let copy = KeyCommand(input: "c", title: "Copy", action: copying)
  static let cut = KeyCommand(input: "x", title: "Cut", action: cutting)
  static let paste = KeyCommand(input: "v", title: "Paste", action: pasting)
  static let undo = KeyCommand(
    input: "z", title: "Undo", action: Action({ (editor: Editor) in { editor.undo($0) } }, name: "undo"))
  static let redo = KeyCommand(input: "z", modifiers: [.control, .shift], title: "Redo", action: redoing)

  // The older keys: Insert and Delete.
  private static let olderCopy = KeyCommand(symbol: KeySymbol.insert, modifiers: .control, action: copying)
  private static let olderCut = {
    let command = KeyCommand(symbol: KeySymbol.delete, modifiers: .shift, action: cutting)
    // In a text Delete deletes also with Shift.
    command.wantsPriorityOverSystemBehavior = true
    return command
  }()

  static let all = [
    selectAll, copy, cut, paste, undo, redo, olderCopy,
    KeyCommand(input: "y", title: "Redo", action: redoing),
    KeyCommand(symbol: KeySymbol.insert, modifiers: .shift, action: pasting),
    olderCut,
  ]

  /// Those of what can be selected, but not edited.
  static let reading = [selectAll, copy, olderCopy]

  /// Whether an action is one of the standard ones.
  static func isStandard(_ action: Action) -> Bool { all.contains { $0.action.name == action.name } }
}

extension Menu {
  /// A new *Edit* menu: undo, redo, cut, copy, paste and select all, for the first responder that performs them.
  public static var standardEdit: Menu {
    func group(_ commands: KeyValuePairs<String, KeyCommand>) -> Menu {
      Menu(options: .displayInline, children: commands.map { MenuItem($0.value, titleWithMnemonic: $0.key) })
    }
    return Menu(
      titleWithMnemonic: "_Edit",
      children: [
        group(["_Undo": EditCommands.undo, "_Redo": EditCommands.redo]),
        group(["Cu_t": EditCommands.cut, "_Copy": EditCommands.copy, "_Paste": EditCommands.paste]),
        group(["Select _All": EditCommands.selectAll]),
      ])
  }
}

extension TextView: ResponderStandardEditActions, MenuValidating {
  /// Disables the standard actions that do nothing now.
  /// - Parameter item: The item.
  public func validate(_ item: MenuItem) { validateEdit(item, canCopy: true) }
}

extension TextField: ResponderStandardEditActions, MenuValidating {
  /// Disables the standard actions that do nothing now.
  /// - Parameter item: The item.
  public func validate(_ item: MenuItem) { validateEdit(item, canCopy: !isSecureTextEntry) }
}

extension TextEditor {
  fileprivate func validateEdit(_ item: MenuItem, canCopy: Bool) {
    let hasSelection = !editing.selection.isEmpty
    let isEnabled: Bool
    switch item.action?.name {
    case "undo": isEnabled = hasUndo
    case "redo": isEnabled = hasRedo
    case "cut": isEnabled = hasSelection && canCopy && acceptsEdits
    case "copy": isEnabled = hasSelection && canCopy
    case "paste": isEnabled = acceptsEdits
    case "selectAll": isEnabled = editing.selection.range != 0..<editing.storage.length
    default: return
    }
    if isEnabled { item.attributes.remove(.disabled) } else { item.attributes.insert(.disabled) }
  }

  /// Makes the menu of the text: the standard one, with *Delete*.
  /// - Parameter point: Where the caret moves if it is outside of the selection; nil for nowhere.
  /// - Returns: The menu.
  func textMenu(at point: Point?) -> Menu {
    // That of a key need not be in the selection, nor is it in the line of the caret.
    let pressed = point == contextMenuPoint ? nil : point
    input.endComposition()
    let selected = editing.selection.range
    if let pressed, case let offset = offset(at: pressed),
      !(selected.lowerBound...selected.upperBound).contains(offset)
    {
      changeAndReveal { $0.moveCaret(to: offset) }
    }
    let menu = Menu.standardEdit
    let canDelete = !editing.selection.isEmpty && acceptsEdits
    let deleting = MenuItem(titleWithMnemonic: "_Delete", attributes: canDelete ? [] : .disabled) { [weak self] in
      self?.insertForeign("")
    }
    (menu.children[1] as? Menu)?.children.append(deleting)
    return menu
  }
}
