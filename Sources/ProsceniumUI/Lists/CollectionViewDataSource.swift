public import FoundationEssentials

/// What a ``CollectionView`` shows.
///
/// All functions are called on the main thread, and only for items that the data source has named. After a change of
/// its items call ``CollectionView/insertItems(at:)`` and its like, or ``ListView/reloadData()``; a
/// ``CollectionViewDiffableDataSource`` does so by itself.
@preconcurrency @MainActor public protocol CollectionViewDataSource: AnyObject {
  /// The number of sections; 1 by default.
  /// - Parameter collectionView: The collection.
  /// - Returns: The number.
  func numberOfSections(in collectionView: CollectionView) -> Int

  /// The number of items of a section.
  /// - Parameters:
  ///   - collectionView: The collection.
  ///   - section: The section.
  /// - Returns: The number.
  func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int

  /// The cell for an item that comes in sight.
  /// - Parameters:
  ///   - collectionView: The collection.
  ///   - indexPath: The item.
  /// - Returns: A cell of ``CollectionView/dequeueReusableCell(withReuseIdentifier:for:)``, or a new one.
  func collectionView(_ collectionView: CollectionView, cellForItemAt indexPath: IndexPath) -> CollectionViewCell

  /// Whether the user may move an item; false by default.
  ///
  /// The user drags it, or presses Alt with Up or Down for a line, or Alt and Shift with Left or Right for a place.
  /// - Parameters:
  ///   - collectionView: The collection.
  ///   - indexPath: The item.
  /// - Returns: Whether the item can be moved.
  func collectionView(_ collectionView: CollectionView, canMoveItemAt indexPath: IndexPath) -> Bool

  /// Moves an item, because the user has moved it: change the data, and nothing of the collection.
  /// - Parameters:
  ///   - collectionView: The collection.
  ///   - sourceIndexPath: The item.
  ///   - destinationIndexPath: Its new place, after it has left the old one.
  func collectionView(
    _ collectionView: CollectionView, moveItemAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath)

  /// What a user types to find an item; nil by default, so that letters find nothing.
  /// - Parameters:
  ///   - collectionView: The collection.
  ///   - indexPath: The item.
  /// - Returns: The beginning of it is typed, in letters of either case.
  func collectionView(_ collectionView: CollectionView, typeSelectTextForItemAt indexPath: IndexPath) -> String?

  /// What is copied of an item that the user has selected; by default the texts of the labels in its cell, with tabs
  /// between them.
  ///
  /// Called for each selected item when the user copies, and when the user selects up to 1,000 items, which become the
  /// contents of `Pasteboard.primary`. The default has a cell made for each item that is out of sight: answer it
  /// yourself where many items may be selected.
  /// - Parameters:
  ///   - collectionView: The collection.
  ///   - indexPath: The item.
  /// - Returns: The text; nil where nothing of the item is copied.
  func collectionView(_ collectionView: CollectionView, textForCopyingItemAt indexPath: IndexPath) -> String?
}

extension CollectionViewDataSource {
  /// One.
  public func numberOfSections(in collectionView: CollectionView) -> Int { 1 }
  /// No item can be moved.
  public func collectionView(_ collectionView: CollectionView, canMoveItemAt indexPath: IndexPath) -> Bool { false }
  /// Does nothing.
  public func collectionView(
    _ collectionView: CollectionView, moveItemAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath
  ) {}
  /// Nothing is found by typing.
  public func collectionView(
    _ collectionView: CollectionView, typeSelectTextForItemAt indexPath: IndexPath
  ) -> String? { nil }
  /// The texts of the cell's labels.
  public func collectionView(_ collectionView: CollectionView, textForCopyingItemAt indexPath: IndexPath) -> String? {
    collectionView.core.labelText(at: indexPath)
  }
}

/// What a ``CollectionView`` calls, on the main thread, when the user does something with its items.
///
/// What the program selects, moves or scrolls calls none of these.
@preconcurrency @MainActor public protocol CollectionViewDelegate: ScrollViewDelegate {
  /// Whether the user may select an item; true by default.
  ///
  /// Also asked for a click or a tap on the item that is selected, and before an item is opened that is not.
  /// - Parameters:
  ///   - collectionView: The collection.
  ///   - indexPath: The item.
  /// - Returns: Whether it is selected.
  func collectionView(_ collectionView: CollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool

  /// The user has selected an item, or has clicked or tapped the item that is selected, as in UIKit.
  ///
  /// A click on an item that is not selected calls it with the press, one on the item that is with the release.
  /// - Parameters:
  ///   - collectionView: The collection.
  ///   - indexPath: The item.
  func collectionView(_ collectionView: CollectionView, didSelectItemAt indexPath: IndexPath)

  /// The user has deselected an item, or selected another one instead.
  /// - Parameters:
  ///   - collectionView: The collection.
  ///   - indexPath: The item.
  func collectionView(_ collectionView: CollectionView, didDeselectItemAt indexPath: IndexPath)

  /// The user wants to open an item: by a double click, or by Return; not one that may not be selected.
  /// - Parameters:
  ///   - collectionView: The collection.
  ///   - indexPath: The item.
  func collectionView(_ collectionView: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath)

  /// A cell comes in sight; whether it is selected is set.
  /// - Parameters:
  ///   - collectionView: The collection.
  ///   - cell: The cell.
  ///   - indexPath: Its item.
  func collectionView(
    _ collectionView: CollectionView, willDisplay cell: CollectionViewCell, forItemAt indexPath: IndexPath)

  /// A cell has gone out of sight.
  /// - Parameters:
  ///   - collectionView: The collection.
  ///   - cell: The cell.
  ///   - indexPath: Its item.
  func collectionView(
    _ collectionView: CollectionView, didEndDisplaying cell: CollectionViewCell, forItemAt indexPath: IndexPath)
}

extension CollectionViewDelegate {
  /// Agrees.
  public func collectionView(_ collectionView: CollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool { true }
  /// Does nothing.
  public func collectionView(_ collectionView: CollectionView, didSelectItemAt indexPath: IndexPath) {}
  /// Does nothing.
  public func collectionView(_ collectionView: CollectionView, didDeselectItemAt indexPath: IndexPath) {}
  /// Does nothing.
  public func collectionView(_ collectionView: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath) {}
  /// Does nothing.
  public func collectionView(
    _ collectionView: CollectionView, willDisplay cell: CollectionViewCell, forItemAt indexPath: IndexPath
  ) {}
  /// Does nothing.
  public func collectionView(
    _ collectionView: CollectionView, didEndDisplaying cell: CollectionViewCell, forItemAt indexPath: IndexPath
  ) {}
}
