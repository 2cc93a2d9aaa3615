public import FoundationEssentials

/// The items of a diffable data source, and what becomes of them.
@MainActor struct DiffableModel<Section: Hashable & Sendable, Item: Hashable & Sendable> {
  private(set) var snapshot = DiffableDataSourceSnapshot<Section, Item>()
  private var sections = ListSections()
  private var places: [Item: Int] = [:]
  /// The items by their names for restoration, made when a name is looked up.
  private var names: [String: Item]?

  /// Takes a new snapshot.
  /// - Returns: What becomes of each item, and which cells are made anew.
  mutating func apply(
    _ new: DiffableDataSourceSnapshot<Section, Item>
  ) -> (change: ListChange, reloaded: RangeSet<Int>) {
    let old = snapshot.itemIdentifiers
    var new = new
    places = new.makeUnique()
    let reloaded = new.reloaded.compactMap { places[$0] }
    new.forgetReloads()
    take(new)
    let now = places
    var set = RangeSet<Int>()
    for item in reloaded { set.insert(contentsOf: item..<item + 1) }
    return (ListChange { $0 < old.count ? now[old[$0]] : nil }, set)
  }

  private mutating func take(_ new: DiffableDataSourceSnapshot<Section, Item>) {
    snapshot = new
    sections = ListSections(counts: new.items.map(\.count))
    names = nil
  }

  func count(in section: Int) -> Int { snapshot.items.indices.contains(section) ? snapshot.items[section].count : 0 }

  func item(at path: IndexPath) -> Item? {
    sections.item(at: path) == nil ? nil : snapshot.items[path.section][path.item]
  }

  func path(of item: Item) -> IndexPath? { places[item].map(sections.path) }

  func section(_ index: Int) -> Section? {
    snapshot.sectionIdentifiers.indices.contains(index) ? snapshot.sectionIdentifiers[index] : nil
  }

  mutating func move(_ path: IndexPath, to place: IndexPath) {
    var new = snapshot
    new.move(from: (path.section, path.item), to: (place.section, place.item))
    places = new.makeUnique()
    take(new)
  }

  mutating func path(named name: String, _ naming: (Item) -> String) -> IndexPath? {
    let known = names ?? Dictionary(snapshot.itemIdentifiers.map { (naming($0), $0) }) { first, _ in first }
    names = known
    return known[name].flatMap(path)
  }
}

/// What the user may move in a list with a diffable data source, and what is called then.
@MainActor public struct ReorderingHandlers<Section: Hashable & Sendable, Item: Hashable & Sendable> {
  /// Whether the user may move an item; no item where nil.
  public var canReorderItem: (@MainActor (Item) -> Bool)?
  /// Called after the user has moved an item, with the items as they are now.
  public var didReorder: (@MainActor (DiffableDataSourceSnapshot<Section, Item>) -> Void)?
}

/// A data source that is told when its list has followed a move by the user.
@MainActor protocol ReorderingSource {
  func didReorder()
}

extension TableViewDiffableDataSource: ReorderingSource {
  func didReorder() { reorderingHandlers.didReorder?(model.snapshot) }
}

extension CollectionViewDiffableDataSource: ReorderingSource {
  func didReorder() { reorderingHandlers.didReorder?(model.snapshot) }
}

/// A data source of a ``TableView`` that follows snapshots: rows with the same identifier stay selected, and in sight.
///
/// UIKit's `UITableViewDiffableDataSource`. Hold it as long as the table; the table holds it weakly. Subclasses add
/// titles of sections.
@preconcurrency @MainActor
open class TableViewDiffableDataSource<Section: Hashable & Sendable, Item: Hashable & Sendable>: TableViewDataSource,
  DataSourceModelAssociation
{
  private var model = DiffableModel<Section, Item>()
  private weak var tableView: TableView?
  private let cellProvider: @MainActor (TableView, IndexPath, Item) -> TableViewCell?

  /// Creates a data source without rows, and makes it that of a table.
  /// - Parameters:
  ///   - tableView: The table.
  ///   - cellProvider: Gives the cell of a row in sight, as
  ///     ``TableViewDataSource/tableView(_:cellForRowAt:)`` does.
  public init(
    tableView: TableView, cellProvider: @escaping @MainActor (TableView, IndexPath, Item) -> TableViewCell?
  ) {
    self.tableView = tableView
    self.cellProvider = cellProvider
    tableView.dataSource = self
  }

  /// What the user may move; nothing at first.
  public var reorderingHandlers = ReorderingHandlers<Section, Item>()

  /// The name of an item for ``TableView/restorationState``; by default what `print` shows of it.
  ///
  /// Set it where that differs from run to run.
  public var modelIdentifier: @MainActor (Item) -> String = { "\($0)" }

  /// The rows as they are now.
  /// - Returns: The rows.
  public func snapshot() -> DiffableDataSourceSnapshot<Section, Item> { model.snapshot }

  /// Shows other rows; nothing is animated.
  /// - Parameter snapshot: The rows.
  public func apply(_ snapshot: DiffableDataSourceSnapshot<Section, Item>) {
    let (change, reloaded) = model.apply(snapshot)
    tableView?.core.follow(change, reloaded: reloaded)
  }

  /// The identifier of a row.
  /// - Parameter indexPath: The row.
  /// - Returns: The identifier; nil where the row does not exist.
  public func itemIdentifier(for indexPath: IndexPath) -> Item? { model.item(at: indexPath) }

  /// The row of an identifier.
  /// - Parameter itemIdentifier: The identifier.
  /// - Returns: The row; nil where it does not exist.
  public func indexPath(for itemIdentifier: Item) -> IndexPath? { model.path(of: itemIdentifier) }

  /// The identifier of a section.
  /// - Parameter index: The section.
  /// - Returns: The identifier; nil where the section does not exist.
  public func sectionIdentifier(for index: Int) -> Section? { model.section(index) }

  // MARK: TableViewDataSource

  open func numberOfSections(in tableView: TableView) -> Int { model.snapshot.numberOfSections }

  open func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { model.count(in: section) }

  open func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
    model.item(at: indexPath).flatMap { cellProvider(tableView, indexPath, $0) } ?? TableViewCell()
  }

  open func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? { nil }

  open func tableView(_ tableView: TableView, titleForFooterInSection section: Int) -> String? { nil }

  open func tableView(_ tableView: TableView, canMoveRowAt indexPath: IndexPath) -> Bool {
    guard let item = model.item(at: indexPath) else { return false }
    return reorderingHandlers.canReorderItem?(item) ?? false
  }

  open func tableView(
    _ tableView: TableView, moveRowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath
  ) {
    model.move(sourceIndexPath, to: destinationIndexPath)
  }

  open func tableView(_ tableView: TableView, typeSelectTextForRowAt indexPath: IndexPath) -> String? { nil }

  open func modelIdentifierForElement(at indexPath: IndexPath, in view: View) -> String? {
    model.item(at: indexPath).map(modelIdentifier)
  }

  open func indexPathForElement(withModelIdentifier identifier: String, in view: View) -> IndexPath? {
    model.path(named: identifier, modelIdentifier)
  }
}

/// A data source of a ``CollectionView`` that follows snapshots: items with the same identifier stay selected, and in
/// sight.
///
/// UIKit's `UICollectionViewDiffableDataSource`. Hold it as long as the collection; the collection holds it weakly.
@preconcurrency @MainActor
open class CollectionViewDiffableDataSource<Section: Hashable & Sendable, Item: Hashable & Sendable>:
  CollectionViewDataSource, DataSourceModelAssociation
{
  private var model = DiffableModel<Section, Item>()
  private weak var collectionView: CollectionView?
  private let cellProvider: @MainActor (CollectionView, IndexPath, Item) -> CollectionViewCell?

  /// Creates a data source without items, and makes it that of a collection.
  /// - Parameters:
  ///   - collectionView: The collection.
  ///   - cellProvider: Gives the cell of an item in sight, as
  ///     ``CollectionViewDataSource/collectionView(_:cellForItemAt:)`` does.
  public init(
    collectionView: CollectionView,
    cellProvider: @escaping @MainActor (CollectionView, IndexPath, Item) -> CollectionViewCell?
  ) {
    self.collectionView = collectionView
    self.cellProvider = cellProvider
    collectionView.dataSource = self
  }

  /// What the user may move; nothing at first.
  public var reorderingHandlers = ReorderingHandlers<Section, Item>()

  /// The name of an item for ``CollectionView/restorationState``; by default what `print` shows of it.
  ///
  /// Set it where that differs from run to run.
  public var modelIdentifier: @MainActor (Item) -> String = { "\($0)" }

  /// The items as they are now.
  /// - Returns: The items.
  public func snapshot() -> DiffableDataSourceSnapshot<Section, Item> { model.snapshot }

  /// Shows other items; nothing is animated.
  /// - Parameter snapshot: The items.
  public func apply(_ snapshot: DiffableDataSourceSnapshot<Section, Item>) {
    let (change, reloaded) = model.apply(snapshot)
    collectionView?.core.follow(change, reloaded: reloaded)
  }

  /// The identifier of an item.
  /// - Parameter indexPath: The item.
  /// - Returns: The identifier; nil where the item does not exist.
  public func itemIdentifier(for indexPath: IndexPath) -> Item? { model.item(at: indexPath) }

  /// The item of an identifier.
  /// - Parameter itemIdentifier: The identifier.
  /// - Returns: The item; nil where it does not exist.
  public func indexPath(for itemIdentifier: Item) -> IndexPath? { model.path(of: itemIdentifier) }

  /// The identifier of a section.
  /// - Parameter index: The section.
  /// - Returns: The identifier; nil where the section does not exist.
  public func sectionIdentifier(for index: Int) -> Section? { model.section(index) }

  // MARK: CollectionViewDataSource

  open func numberOfSections(in collectionView: CollectionView) -> Int { model.snapshot.numberOfSections }

  open func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
    model.count(in: section)
  }

  open func collectionView(
    _ collectionView: CollectionView, cellForItemAt indexPath: IndexPath
  ) -> CollectionViewCell {
    model.item(at: indexPath).flatMap { cellProvider(collectionView, indexPath, $0) } ?? CollectionViewCell()
  }

  open func collectionView(_ collectionView: CollectionView, canMoveItemAt indexPath: IndexPath) -> Bool {
    guard let item = model.item(at: indexPath) else { return false }
    return reorderingHandlers.canReorderItem?(item) ?? false
  }

  open func collectionView(
    _ collectionView: CollectionView, moveItemAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath
  ) {
    model.move(sourceIndexPath, to: destinationIndexPath)
  }

  open func collectionView(
    _ collectionView: CollectionView, typeSelectTextForItemAt indexPath: IndexPath
  ) -> String? { nil }

  open func modelIdentifierForElement(at indexPath: IndexPath, in view: View) -> String? {
    model.item(at: indexPath).map(modelIdentifier)
  }

  open func indexPathForElement(withModelIdentifier identifier: String, in view: View) -> IndexPath? {
    model.path(named: identifier, modelIdentifier)
  }
}
