public import FoundationEssentials

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
