public import FoundationEssentials
public import ProsceniumCore

/// Items of one size in lines, in sections, of which it makes cells for those in sight only.
///
/// A million items cost as much as a hundred. The keys, the selection, moving and restoration are those of a
/// ``TableView``; the arrows to the sides go to the neighbours of a line. All lengths are points.
open class CollectionView: ScrollView {
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

  /// Whether the user may select an item; true at first.
  open var allowsSelection = true { didSet { core.setMode(allowsSelection, allowsMultipleSelection) } }

  /// Whether the user may select several items: with Shift, Control, or a rectangle; false at first.
  open var allowsMultipleSelection = false { didSet { core.setMode(allowsSelection, allowsMultipleSelection) } }

  // MARK: Cells

  /// Registers how cells of a kind are made.
  /// - Parameters:
  ///   - make: Makes a cell.
  ///   - identifier: The kind.
  public func register(
    _ make: @escaping @MainActor () -> CollectionViewCell, forCellWithReuseIdentifier identifier: String
  ) { core.pool.register(identifier, make) }

  /// A cell of a kind for an item: one that is out of sight, or a new one.
  /// - Parameters:
  ///   - identifier: The kind. If it is not registered, the cell is empty, and an error is reported.
  ///   - indexPath: The item.
  /// - Returns: The cell.
  public func dequeueReusableCell(
    withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> CollectionViewCell { core.dequeue(identifier, CollectionViewCell.init) }

  /// The cell of an item in sight.
  /// - Parameter indexPath: The item.
  /// - Returns: The cell; nil where the item is out of sight.
  public func cellForItem(at indexPath: IndexPath) -> CollectionViewCell? {
    core.item(at: indexPath).flatMap(core.cell) as? CollectionViewCell
  }

  /// The item that a cell shows.
  /// - Parameter cell: The cell.
  /// - Returns: The item; nil for none.
  public func indexPath(for cell: CollectionViewCell) -> IndexPath? { core.path(of: cell) }

  /// The items in sight, in order.
  public var indexPathsForVisibleItems: [IndexPath] { core.visiblePaths }

  /// The cells in sight, in the order of their items.
  public var visibleCells: [CollectionViewCell] { core.visibleCells() }

  // MARK: Items

  /// The number of sections.
  public var numberOfSections: Int { core.loadedSections.count }

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

  /// Asks the data source for everything again, and deselects all items.
  public func reloadData() { core.reload() }

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

  /// Follows several changes of the data source at once.
  ///
  /// If they do not lead from the items before to those after, an error is reported, and the collection is loaded anew.
  /// - Parameter updates: Changes the data source, and says so by ``insertItems(at:)`` and its like. Items that are
  ///   deleted, moved or loaded anew are named as they were before all changes, the others as they are after them. The
  ///   number of sections stays.
  public func performBatchUpdates(_ updates: () -> Void) { core.performBatchUpdates(updates) }

  // MARK: Restoration

  /// The selection and the scroll place as property-list values; see ``TableView/restorationState``.
  public var restorationState: [String: any Sendable] {
    get { core.restorationState }
    set { core.restore(newValue) }
  }

  // MARK: The view's side

  private(set) lazy var core = ListCore(of: self)

  open override func layoutSubviews() {
    core.placeCells()
    super.layoutSubviews()
  }

  open override func didScroll() {
    super.didScroll()
    setNeedsLayout()
  }

  open override var canBecomeFirstResponder: Bool { true }

  open override func firstResponderDidChange() {
    super.firstResponderDidChange()
    core.focus.update()
  }

  open override func didMoveToWindow() {
    super.didMoveToWindow()
    core.didMove()
  }

  override func sceneDidChange() {
    super.sceneDidChange()
    core.focus.observe()
  }

  open override func pressCancelled() { core.pointer.cancelPress() }

  open override func handle(_ event: Event) -> Bool { core.handle(event) || super.handle(event) }

  override func purge() { core.purge() }

  open override func draw(_ rect: Rect, in context: DrawingContext) { core.drawBackground(in: context) }
}

extension CollectionView: ListHost {
  func itemCounts() -> [Int] {
    guard let dataSource else { return [] }
    return core.counts(dataSource.numberOfSections(in: self)) {
      dataSource.collectionView(self, numberOfItemsInSection: $0)
    }
  }

  func layout(of sections: ListSections) -> any ListLayout {
    GridLayout(sections, width: bounds.size.width, collectionViewLayout)
  }

  func makeCell(at path: IndexPath) -> ListCell {
    dataSource?.collectionView(self, cellForItemAt: path) ?? CollectionViewCell()
  }

  func makeSupplement(_ supplement: ListSupplement) -> ListCell? { nil }

  func willDisplay(_ cell: ListCell, at path: IndexPath) {
    if let cell = cell as? CollectionViewCell { itemDelegate?.collectionView(self, willDisplay: cell, forItemAt: path) }
  }

  func didEndDisplaying(_ cell: ListCell, at path: IndexPath) {
    guard let cell = cell as? CollectionViewCell else { return }
    itemDelegate?.collectionView(self, didEndDisplaying: cell, forItemAt: path)
  }

  func canSelect(_ path: IndexPath) -> Bool {
    itemDelegate?.collectionView(self, shouldSelectItemAt: path) ?? true
  }
  func didSelect(_ path: IndexPath) { itemDelegate?.collectionView(self, didSelectItemAt: path) }
  func didDeselect(_ path: IndexPath) { itemDelegate?.collectionView(self, didDeselectItemAt: path) }

  func performPrimaryAction(at path: IndexPath) {
    itemDelegate?.collectionView(self, performPrimaryActionForItemAt: path)
  }

  func canMove(_ path: IndexPath) -> Bool { dataSource?.collectionView(self, canMoveItemAt: path) ?? false }

  func move(_ path: IndexPath, to place: IndexPath) {
    core.performBatchUpdates {
      dataSource?.collectionView(self, moveItemAt: path, to: place)
      core.edit?.moves.append((path, place))
    }
    (dataSource as? any ReorderingSource)?.didReorder()
  }

  func typedText(of path: IndexPath) -> String? { dataSource?.collectionView(self, typeSelectTextForItemAt: path) }

  var modelAssociation: (any DataSourceModelAssociation)? { dataSource as? any DataSourceModelAssociation }
}
