public import FoundationEssentials
public import ProsceniumCore

/// Items of one size in lines, in sections, of which it makes cells for those in sight only.
///
/// A million items cost as much as a hundred. The keys, the selection, moving and restoration are those of a
/// ``TableView``; the arrows to the sides go to the neighbours of a line. All lengths are points.
open class CollectionView: ListView {
  /// Creates a collection without items.
  public override init() { super.init() }

  /// Creates a collection.
  /// - Parameter collectionViewLayout: How the items are placed.
  public convenience init(collectionViewLayout: CollectionViewFlowLayout) {
    self.init()
    self.collectionViewLayout = collectionViewLayout
  }

  /// What the collection shows; held weakly.
  ///
  /// Setting it loads the collection anew.
  open weak var dataSource: (any CollectionViewDataSource)? { didSet { reloadData() } }

  open override weak var delegate: (any ScrollViewDelegate)? {
    didSet { itemDelegate = delegate as? any CollectionViewDelegate }
  }
  private weak var itemDelegate: (any CollectionViewDelegate)?

  /// How the items are placed.
  open var collectionViewLayout = CollectionViewFlowLayout() {
    didSet { if oldValue != collectionViewLayout { core.invalidateLayout() } }
  }

  // MARK: Cells

  /// Registers how cells of a kind are made.
  /// - Parameters:
  ///   - make: Makes a cell.
  ///   - identifier: The kind.
  public func register(
    _ make: @escaping @MainActor () -> CollectionViewCell, forCellWithReuseIdentifier identifier: String
  ) { core.register(identifier, make) }

  /// A cell of a kind for an item: one that is out of sight, or a new one.
  /// - Parameters:
  ///   - identifier: The kind. If it is not registered, the cell is empty, and an error is reported.
  ///   - indexPath: The item.
  /// - Returns: The cell.
  public func dequeueReusableCell(
    withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> CollectionViewCell { core.dequeue(identifier, CollectionViewCell.init) }

  /// The cell of an item in sight, as ``TableView/cellForRow(at:)``.
  /// - Parameter indexPath: The item.
  /// - Returns: The cell; nil where the item is out of sight.
  public func cellForItem(at indexPath: IndexPath) -> CollectionViewCell? {
    core.cell(at: indexPath) as? CollectionViewCell
  }

  /// The item that a cell shows.
  /// - Parameter cell: The cell.
  /// - Returns: The item; nil for none.
  public func indexPath(for cell: CollectionViewCell) -> IndexPath? { core.path(of: cell) }

  /// The items in sight that have cells, in order, as of ``cellForItem(at:)``.
  public var indexPathsForVisibleItems: [IndexPath] { core.visiblePaths }

  /// The cells in sight, in the order of their items, as of ``cellForItem(at:)``.
  public var visibleCells: [CollectionViewCell] { core.visibleCells() }

  // MARK: Items

  /// The number of items of a section; 0 for one that does not exist.
  /// - Parameter section: The section.
  /// - Returns: The number.
  public func numberOfItems(inSection section: Int) -> Int { core.count(in: section) }

  /// The item at a point.
  /// - Parameter point: The point in the collection's own coordinates.
  /// - Returns: The item; nil for none.
  public func indexPathForItem(at point: Point) -> IndexPath? { core.path(at: point) }

  /// The place of an item in the collection's own coordinates; nil for an item that does not exist.
  /// - Parameter indexPath: The item.
  /// - Returns: The place.
  public func rectForItem(at indexPath: IndexPath) -> Rect? { core.frame(at: indexPath) }

  /// Scrolls to an item.
  /// - Parameters:
  ///   - indexPath: The item; nothing happens where it does not exist.
  ///   - position: Where the item is shown.
  public func scrollToItem(at indexPath: IndexPath, at position: TableView.ScrollPosition = .none) {
    core.scroll(to: indexPath, position)
  }

  // MARK: Selection

  /// The selected items, in order.
  public var indexPathsForSelectedItems: [IndexPath] { core.selectedPaths }

  /// Selects an item, besides the others where several may be selected; the delegate is not called.
  /// - Parameters:
  ///   - indexPath: The item; all are deselected where nil, and nothing happens where it does not exist.
  ///   - scrollPosition: Where the item is shown; as it is where nil.
  public func selectItem(at indexPath: IndexPath?, scrollPosition: TableView.ScrollPosition? = nil) {
    core.select(indexPath, scrollPosition)
  }

  /// Deselects an item; the delegate is not called.
  /// - Parameter indexPath: The item.
  public func deselectItem(at indexPath: IndexPath) { core.deselect(indexPath) }

  // MARK: Changes

  /// Shows items that the data source has inserted; the selection, and what is in sight, stay.
  /// - Parameter indexPaths: The items, as they are now.
  public func insertItems(at indexPaths: [IndexPath]) { core.edit { $0.inserted += indexPaths } }

  /// Removes items that the data source has deleted.
  /// - Parameter indexPaths: The items, as they were.
  public func deleteItems(at indexPaths: [IndexPath]) { core.edit { $0.deleted += indexPaths } }

  /// Shows an item at the place to which the data source has moved it.
  /// - Parameters:
  ///   - indexPath: The item, as it was.
  ///   - newIndexPath: Its place now.
  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    core.edit { $0.moves.append((indexPath, newIndexPath)) }
  }

  /// Asks the data source for new cells of items.
  /// - Parameter indexPaths: The items, as they were before other changes.
  public func reloadItems(at indexPaths: [IndexPath]) { core.edit { $0.reloaded += indexPaths } }

  // MARK: What the core asks for

  override func itemCounts() -> [Int] {
    guard let dataSource else { return [] }
    return core.counts(dataSource.numberOfSections(in: self)) {
      dataSource.collectionView(self, numberOfItemsInSection: $0)
    }
  }

  override func layout(of sections: ListSections) -> any ListLayout {
    GridLayout(sections, width: bounds.size.width, collectionViewLayout)
  }

  override func makeCell(at path: IndexPath) -> ListCell {
    dataSource?.collectionView(self, cellForItemAt: path) ?? CollectionViewCell()
  }

  override func willDisplay(_ cell: ListCell, at path: IndexPath) {
    if let cell = cell as? CollectionViewCell { itemDelegate?.collectionView(self, willDisplay: cell, forItemAt: path) }
  }

  override func didEndDisplaying(_ cell: ListCell, at path: IndexPath) {
    guard let cell = cell as? CollectionViewCell else { return }
    itemDelegate?.collectionView(self, didEndDisplaying: cell, forItemAt: path)
  }

  override func canSelect(_ path: IndexPath) -> Bool {
    itemDelegate?.collectionView(self, shouldSelectItemAt: path) ?? true
  }
  override func didSelect(_ path: IndexPath) { itemDelegate?.collectionView(self, didSelectItemAt: path) }
  override func didDeselect(_ path: IndexPath) { itemDelegate?.collectionView(self, didDeselectItemAt: path) }

  override func performPrimaryAction(at path: IndexPath) {
    itemDelegate?.collectionView(self, performPrimaryActionForItemAt: path)
  }

  override func canMove(_ path: IndexPath) -> Bool { dataSource?.collectionView(self, canMoveItemAt: path) ?? false }

  override func typedText(of path: IndexPath) -> String? {
    dataSource?.collectionView(self, typeSelectTextForItemAt: path)
  }

  override func copiedText(of path: IndexPath) -> String? {
    dataSource?.collectionView(self, textForCopyingItemAt: path)
  }

  override func moveData(_ path: IndexPath, to place: IndexPath) {
    dataSource?.collectionView(self, moveItemAt: path, to: place)
  }

  override var source: AnyObject? { dataSource }
}
