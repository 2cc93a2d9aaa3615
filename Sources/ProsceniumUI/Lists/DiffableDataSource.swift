public import FoundationEssentials
import ProsceniumCore

/// The items of a diffable data source, and what becomes of them.
@MainActor struct DiffableModel<Section: Hashable & Sendable, Item: Hashable & Sendable> {
  private(set) var snapshot = DiffableDataSourceSnapshot<Section, Item>()
  private var sections = ListSections()
  private var places: [Item: Int] = [:]

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
    snapshot = new
    sections = ListSections(counts: new.items.map(\.count))
    let now = places
    var set = RangeSet<Int>()
    for item in reloaded { set.insert(contentsOf: item..<item + 1) }
    return (ListChange { $0 < old.count ? now[old[$0]] : nil }, set)
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
    guard let from = sections.item(at: path),
      let place = snapshot.move(from: (path.section, path.item), to: (place.section, place.item))
    else { return }
    sections = ListSections(counts: snapshot.items.map(\.count))
    let to = sections.items(in: place.section).lowerBound + place.item
    // Those before and behind the two have the numbers that they had.
    for number in min(from, to)...max(from, to) {
      let path = sections.path(of: number)
      places[snapshot.items[path.section][path.item]] = number
    }
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

/// A data source that follows snapshots: what ``TableViewDiffableDataSource`` and ``CollectionViewDiffableDataSource``
/// have in common.
@preconcurrency @MainActor
open class DiffableDataSource<Section: Hashable & Sendable, Item: Hashable & Sendable>: DataSourceModelAssociation,
  ReorderingSource
{
  final var model = DiffableModel<Section, Item>()
  private weak var list: ListView?
  /// The items by their names for restoration; nil until a name is looked up.
  private var names: [String: Item]?

  init(of list: ListView) { self.list = list }

  /// What the user may move; nothing at first.
  public final var reorderingHandlers = ReorderingHandlers<Section, Item>() { didSet { Responder.requireMainThread() } }

  /// The name of an item for ``ListView/restorationState``; by default what `print` shows of it.
  ///
  /// Set it where that differs from run to run.
  public final var modelIdentifier: @MainActor (Item) -> String = { "\($0)" } { didSet { names = nil } }

  /// The items as they are now.
  /// - Returns: The items.
  public final func snapshot() -> DiffableDataSourceSnapshot<Section, Item> { model.snapshot }

  /// Shows other items; nothing is animated.
  /// - Parameter snapshot: The items.
  public final func apply(_ snapshot: DiffableDataSourceSnapshot<Section, Item>) {
    let (change, reloaded) = model.apply(snapshot)
    names = nil
    // The list may have got another data source.
    if let list, list.source === self { list.core.follow(change, reloaded: reloaded) }
  }

  /// The identifier of an item.
  /// - Parameter indexPath: The place of the item.
  /// - Returns: The identifier; nil where the item does not exist.
  public final func itemIdentifier(for indexPath: IndexPath) -> Item? { model.item(at: indexPath) }

  /// The place of an item.
  /// - Parameter itemIdentifier: The identifier.
  /// - Returns: The place; nil where the item does not exist.
  public final func indexPath(for itemIdentifier: Item) -> IndexPath? { model.path(of: itemIdentifier) }

  /// The identifier of a section.
  /// - Parameter index: The section.
  /// - Returns: The identifier; nil where the section does not exist.
  public final func sectionIdentifier(for index: Int) -> Section? { model.section(index) }

  open func modelIdentifierForElement(at indexPath: IndexPath, in view: View) -> String? {
    model.item(at: indexPath).map(modelIdentifier)
  }

  open func indexPathForElement(withModelIdentifier identifier: String, in view: View) -> IndexPath? {
    let known = names ?? namedItems()
    names = known
    return known[identifier].flatMap(indexPath)
  }

  private func namedItems() -> [String: Item] {
    Dictionary(model.snapshot.items.joined().map { (modelIdentifier($0), $0) }) { first, _ in first }
  }

  final func canReorder(_ path: IndexPath) -> Bool {
    model.item(at: path).flatMap { reorderingHandlers.canReorderItem?($0) } ?? false
  }

  final func move(_ path: IndexPath, to place: IndexPath) {
    model.move(path, to: place)
    names = nil
  }

  final func didReorder() { reorderingHandlers.didReorder?(model.snapshot) }
}

/// A data source of a ``TableView`` that follows snapshots: rows with the same identifier stay selected, and in sight.
///
/// UIKit's `UITableViewDiffableDataSource`. Hold it as long as the table; the table holds it weakly. Subclasses add
/// titles of sections.
@preconcurrency @MainActor
open class TableViewDiffableDataSource<Section: Hashable & Sendable, Item: Hashable & Sendable>:
  DiffableDataSource<Section, Item>, TableViewDataSource
{
  private let cellProvider: @MainActor (TableView, IndexPath, Item) -> TableViewCell?

  /// Creates a data source without rows, and makes it that of a table.
  /// - Parameters:
  ///   - tableView: The table.
  ///   - cellProvider: Gives the cell of an item in sight, as
  ///     ``TableViewDataSource/tableView(_:cellForRowAt:)`` does.
  public init(
    tableView: TableView, cellProvider: @escaping @MainActor (TableView, IndexPath, Item) -> TableViewCell?
  ) {
    self.cellProvider = cellProvider
    super.init(of: tableView)
    tableView.dataSource = self
  }

  open func numberOfSections(in tableView: TableView) -> Int { model.snapshot.numberOfSections }

  open func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
    model.count(in: section)
  }

  open func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
    model.item(at: indexPath).flatMap { cellProvider(tableView, indexPath, $0) } ?? TableViewCell()
  }

  open func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? { nil }

  open func tableView(_ tableView: TableView, titleForFooterInSection section: Int) -> String? { nil }

  open func tableView(_ tableView: TableView, canMoveRowAt indexPath: IndexPath) -> Bool {
    canReorder(indexPath)
  }

  open func tableView(
    _ tableView: TableView, moveRowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath
  ) { move(sourceIndexPath, to: destinationIndexPath) }

  open func tableView(
    _ tableView: TableView, typeSelectTextForRowAt indexPath: IndexPath
  ) -> String? { nil }

  open func tableView(_ tableView: TableView, textForCopyingRowAt indexPath: IndexPath) -> String? {
    tableView.core.labelText(at: indexPath)
  }
}

/// A data source of a ``CollectionView`` that follows snapshots: items with the same identifier stay selected, and in
/// sight.
///
/// UIKit's `UICollectionViewDiffableDataSource`. Hold it as long as the collection; the collection holds it weakly.
@preconcurrency @MainActor
open class CollectionViewDiffableDataSource<Section: Hashable & Sendable, Item: Hashable & Sendable>:
  DiffableDataSource<Section, Item>, CollectionViewDataSource
{
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
    self.cellProvider = cellProvider
    super.init(of: collectionView)
    collectionView.dataSource = self
  }

  open func numberOfSections(in collectionView: CollectionView) -> Int { model.snapshot.numberOfSections }

  open func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
    model.count(in: section)
  }

  open func collectionView(_ collectionView: CollectionView, cellForItemAt indexPath: IndexPath) -> CollectionViewCell {
    model.item(at: indexPath).flatMap { cellProvider(collectionView, indexPath, $0) } ?? CollectionViewCell()
  }

  open func collectionView(_ collectionView: CollectionView, canMoveItemAt indexPath: IndexPath) -> Bool {
    canReorder(indexPath)
  }

  open func collectionView(
    _ collectionView: CollectionView, moveItemAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath
  ) { move(sourceIndexPath, to: destinationIndexPath) }

  open func collectionView(
    _ collectionView: CollectionView, typeSelectTextForItemAt indexPath: IndexPath
  ) -> String? { nil }

  open func collectionView(_ collectionView: CollectionView, textForCopyingItemAt indexPath: IndexPath) -> String? {
    collectionView.core.labelText(at: indexPath)
  }
}
