public import FoundationEssentials
import ProsceniumCore

/// A data source that knows its elements by identifiers, so that a list can be restored although it has changed.
///
/// UIKit's `UIDataSourceModelAssociation`. A ``TableView`` or ``CollectionView`` whose data source conforms to it names
/// the selected items and the uppermost one in its `restorationState` by these identifiers; one whose data source does
/// not names them by their place. All functions are called on the main thread.
@preconcurrency @MainActor public protocol DataSourceModelAssociation: AnyObject {
  /// The identifier of an element; nil for one that cannot be restored.
  /// - Parameters:
  ///   - indexPath: The place of the element.
  ///   - view: The list.
  /// - Returns: The identifier, which is the same when the program runs again.
  func modelIdentifierForElement(at indexPath: IndexPath, in view: View) -> String?

  /// The place of an element; nil if it does not exist any more.
  /// - Parameters:
  ///   - identifier: The identifier.
  ///   - view: The list.
  /// - Returns: The place.
  func indexPathForElement(withModelIdentifier identifier: String, in view: View) -> IndexPath?
}

/// A view that shows a list: what a ``ListCore`` asks of it.
@MainActor protocol ListHost: ScrollView {
  var core: ListCore { get }
  /// The number of items of each section.
  func itemCounts() -> [Int]
  func layout(of sections: ListSections) -> any ListLayout
  func makeCell(at path: IndexPath) -> ListCell
  func makeSupplement(_ supplement: ListSupplement) -> ListCell?
  func willDisplay(_ cell: ListCell, at path: IndexPath)
  func didEndDisplaying(_ cell: ListCell, at path: IndexPath)
  func canSelect(_ path: IndexPath) -> Bool
  func didSelect(_ path: IndexPath)
  func didDeselect(_ path: IndexPath)
  func performPrimaryAction(at path: IndexPath)
  func canMove(_ path: IndexPath) -> Bool
  /// Changes the data source; the list follows.
  func move(_ path: IndexPath, to place: IndexPath)
  /// What a user types to find an item.
  func typedText(of path: IndexPath) -> String?
  var modelAssociation: (any DataSourceModelAssociation)? { get }
}

/// The cells that are used again, and how new ones are made.
@MainActor struct CellPool {
  private var makers: [String: @MainActor () -> ListCell] = [:]
  private var unused: [String: [ListCell]] = [:]

  mutating func register(_ identifier: String, _ make: @escaping @MainActor () -> ListCell) {
    makers[identifier] = make
    for cell in unused.removeValue(forKey: identifier) ?? [] { cell.removeFromSuperview() }
  }

  /// A cell of a kind; nil for one that is not registered.
  mutating func take(_ identifier: String) -> ListCell? {
    if let cell = unused[identifier]?.popLast() {
      cell.prepareForReuse()
      return cell
    }
    guard let cell = makers[identifier]?() else { return nil }
    cell.reuseIdentifier = identifier
    return cell
  }

  /// Keeps a cell that is out of sight.
  mutating func put(_ cell: ListCell) {
    guard let identifier = cell.reuseIdentifier else { return cell.removeFromSuperview() }
    unused[identifier, default: []].append(cell)
  }

  /// Hides the cells that are not used, which stay in the list.
  func hide() {
    for cells in unused.values { for cell in cells { cell.isHidden = true } }
  }

  mutating func purge() {
    for cells in unused.values { for cell in cells { cell.removeFromSuperview() } }
    unused = [:]
  }
}
