import FoundationEssentials
import ProsceniumCore

/// Items of lists, as assistive programs know them: those in sight only.
extension ListCell {
  private var list: ListView? { superview as? ListView }

  /// The list and the number of the item; nil for a cell that shows none, such as a title.
  var place: (list: ListView, item: Int)? {
    guard let list, let item = list.core.item(of: self) else { return nil }
    return (list, item)
  }

  /// The texts in the cell, in the order of its views.
  var shownTexts: [String] {
    var texts: [String] = []
    func collect(_ view: View) {
      guard !ViewDescription(view).isLeftOut else { return }
      if let text = (view as? Label).map({ $0.accessibilityLabel ?? $0.text })
        ?? (view as? ImageView)?.accessibilityLabel,
        !text.isEmpty
      {
        texts.append(text)
      }
      for subview in view.subviews { collect(subview) }
    }
    for subview in subviews { collect(subview) }
    return texts
  }

  func describeItem(_ properties: inout AccessibilityProperties) {
    guard let place else { return }
    properties.position = .init(index: place.item, count: place.list.core.loadedSections.itemCount)
    if place.list is TableView { properties.cell = .init(row: place.item, column: 0) }
    properties.states.insert(.focusable)
    if place.list.core.mode != .none { properties.states.insert(.selectable) }
    if isSelected { properties.states.insert(.selected) }
  }

  /// Performs the primary action of the item.
  func activateItem() -> Bool {
    guard let place else { return false }
    place.list.open(place.item)
    return true
  }

  func takeFocus() -> Bool {
    guard let list = place?.list else { return false }
    window?.makeKey()
    // The end of editing elsewhere may have changed the list.
    guard list.becomeFirstResponder(), let place else { return false }
    var new = place.list.core.selection
    new.lead = place.item
    place.list.core.select(new)
    place.list.core.reveal(place.item)
    return true
  }
}

extension ListCore {
  /// Selects an item, or deselects it, as the user would.
  /// - Returns: Whether it is done.
  func setSelectedByUser(_ item: Int, _ isSelected: Bool) -> Bool {
    guard mode != .none, (0..<loadedSections.itemCount).contains(item) else { return false }
    var new = selection
    if isSelected {
      if mode == .single { new.items = RangeSet() }
      new.items.insert(contentsOf: item..<item + 1)
      (new.anchor, new.lead) = (item, item)
    } else {
      new.items.remove(contentsOf: item..<item + 1)
    }
    userSelects(new)
    return selection.items.contains(item) == isSelected
  }

  /// The cells and titles in sight that assistive programs know of, from above.
  var accessibleCells: [ListCell] { cellsInOrder.filter { !ViewDescription($0).isLeftOut } }
}
