public import FoundationEssentials
public import ProsceniumCore

/// A list of rows in sections, of which it makes cells for those in sight only.
///
/// A million rows cost as much as a hundred, where all have the same height. Arrows, Page Up and Down, Home and End
/// move the selection, with Shift and Control as well; typing finds a row
/// (``TableViewDataSource/tableView(_:typeSelectTextForRowAt:)``), Return and a double click open it. The scene saves
/// its state after the user has selected something or scrolled; see ``restorationState``. All lengths are points.
open class TableView: ScrollView {
  /// Where a row is shown that is scrolled to.
  public enum ScrollPosition: Hashable, Sendable {
    /// As near as possible, and not at all where it is in sight.
    case none
    /// At the upper edge.
    case top
    /// In the middle.
    case middle
    /// At the lower edge.
    case bottom
  }

  /// Creates a table without rows.
  public override init() {
    super.init()
    lineHeight = 3 * rowHeight
  }

  /// What the table shows; held weakly.
  ///
  /// Setting it loads the table anew.
  open weak var dataSource: (any TableViewDataSource)? { didSet { reloadData() } }

  open override weak var delegate: (any ScrollViewDelegate)? {
    didSet { rowDelegate = delegate as? any TableViewDelegate }
  }
  private weak var rowDelegate: (any TableViewDelegate)?

  /// The height of each row, 1...65,536; 28 at first.
  open var rowHeight = 28 {
    didSet {
      guard oldValue != rowHeight else { return }
      lineHeight = 3 * min(max(rowHeight, 8), 100)
      core.invalidateLayout()
    }
  }

  /// Whether the delegate is asked for the height of each row, of those out of sight too; false at first.
  open var hasVariableRowHeights = false { didSet { if oldValue != hasVariableRowHeights { core.invalidateLayout() } } }

  /// Whether the user may select a row; true at first.
  open var allowsSelection = true { didSet { core.setMode(allowsSelection, allowsMultipleSelection) } }

  /// Whether the user may select several rows: with Shift, Control, or a rectangle; false at first.
  open var allowsMultipleSelection = false { didSet { core.setMode(allowsSelection, allowsMultipleSelection) } }

  // MARK: Cells

  /// Registers how cells of a kind are made.
  /// - Parameters:
  ///   - make: Makes a cell.
  ///   - identifier: The kind.
  public func register(_ make: @escaping @MainActor () -> TableViewCell, forCellReuseIdentifier identifier: String) {
    core.pool.register(identifier, make)
  }

  /// A cell of a kind for a row: one that is out of sight, or a new one.
  /// - Parameters:
  ///   - identifier: The kind. If it is not registered, the cell is a plain ``TableViewCell``, and an error is
  ///     reported.
  ///   - indexPath: The row.
  /// - Returns: The cell.
  public func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> TableViewCell {
    core.dequeue(identifier, TableViewCell.init)
  }

  /// The cell of a row in sight.
  /// - Parameter indexPath: The row.
  /// - Returns: The cell; nil where the row is out of sight.
  public func cellForRow(at indexPath: IndexPath) -> TableViewCell? {
    core.item(at: indexPath).flatMap(core.cell) as? TableViewCell
  }

  /// The row that a cell shows.
  /// - Parameter cell: The cell.
  /// - Returns: The row; nil for none.
  public func indexPath(for cell: TableViewCell) -> IndexPath? { core.path(of: cell) }

  /// The rows in sight, in order.
  public var indexPathsForVisibleRows: [IndexPath] { core.visiblePaths }

  /// The cells in sight, in the order of their rows.
  public var visibleCells: [TableViewCell] { core.visibleCells() }

  // MARK: Rows

  /// The number of sections.
  public var numberOfSections: Int { core.loadedSections.count }

  /// The number of rows of a section; 0 for one that does not exist.
  /// - Parameter section: The section.
  /// - Returns: The number.
  public func numberOfRows(inSection section: Int) -> Int { core.count(in: section) }

  /// The row at a point.
  /// - Parameter point: The point in the table's own coordinates.
  /// - Returns: The row; nil for none.
  public func indexPathForRow(at point: Point) -> IndexPath? { core.path(at: point) }

  /// The place of a row in the table's own coordinates; nil for a row that does not exist.
  /// - Parameter indexPath: The row.
  /// - Returns: The place.
  public func rectForRow(at indexPath: IndexPath) -> Rect? { core.frame(at: indexPath) }

  /// Scrolls to a row.
  /// - Parameters:
  ///   - indexPath: The row; nothing happens where it does not exist.
  ///   - position: Where the row is shown.
  public func scrollToRow(at indexPath: IndexPath, at position: ScrollPosition = .none) {
    core.scroll(to: indexPath, position)
  }

  // MARK: Selection

  /// The first selected row; nil for none.
  public var indexPathForSelectedRow: IndexPath? { core.selection.items.elements.first.map(core.sections.path) }

  /// The selected rows, in order.
  public var indexPathsForSelectedRows: [IndexPath] { core.selectedPaths }

  /// Selects a row, besides the others where several may be selected; the delegate is not called.
  /// - Parameters:
  ///   - indexPath: The row; all are deselected where nil, and nothing happens where it does not exist.
  ///   - scrollPosition: Where the row is shown; as it is where nil.
  public func selectRow(at indexPath: IndexPath?, scrollPosition: ScrollPosition? = nil) {
    core.select(indexPath, scrollPosition)
  }

  /// Deselects a row; the delegate is not called.
  /// - Parameter indexPath: The row.
  public func deselectRow(at indexPath: IndexPath) { core.deselect(indexPath) }

  // MARK: Changes

  /// Asks the data source for everything again, and deselects all rows.
  public func reloadData() { core.reload() }

  /// Shows rows that the data source has inserted; the selection, and what is in sight, stay.
  /// - Parameter indexPaths: The rows, as they are now.
  public func insertRows(at indexPaths: [IndexPath]) { core.edit { $0.inserted += indexPaths } }

  /// Removes rows that the data source has deleted.
  /// - Parameter indexPaths: The rows, as they were.
  public func deleteRows(at indexPaths: [IndexPath]) { core.edit { $0.deleted += indexPaths } }

  /// Shows a row at the place to which the data source has moved it.
  /// - Parameters:
  ///   - indexPath: The row, as it was.
  ///   - newIndexPath: Its place now.
  public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    core.edit { $0.moves.append((indexPath, newIndexPath)) }
  }

  /// Asks the data source for new cells of rows.
  /// - Parameter indexPaths: The rows, as they were before other changes.
  public func reloadRows(at indexPaths: [IndexPath]) { core.edit { $0.reloaded += indexPaths } }

  /// Follows several changes of the data source at once.
  ///
  /// If they do not lead from the rows before to those after, an error is reported, and the table is loaded anew.
  /// - Parameter updates: Changes the data source, and says so by ``insertRows(at:)`` and its like. Rows that are
  ///   deleted, moved or loaded anew are named as they were before all changes, the others as they are after them. The
  ///   number of sections stays.
  public func performBatchUpdates(_ updates: () -> Void) { core.performBatchUpdates(updates) }

  // MARK: Restoration

  /// The selection and the scroll place as property-list values, for the restoration activity of a scene.
  ///
  /// Rows are named by the data source if it is a ``DataSourceModelAssociation``, as each diffable one is, else by
  /// their place. Setting it before there are rows restores it as soon as there are. The first 10,000 selected rows are
  /// saved.
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

extension TableView: ListHost {
  func itemCounts() -> [Int] {
    guard let dataSource else { return [] }
    return core.counts(dataSource.numberOfSections(in: self)) { dataSource.tableView(self, numberOfRowsInSection: $0) }
  }

  func layout(of sections: ListSections) -> any ListLayout {
    let around = (0..<sections.count).map { section in
      RowLayout.Edges(
        header: title(of: ListSupplement(kind: .header, section: section)) == nil ? 0 : TableSectionTitle.height,
        footer: title(of: ListSupplement(kind: .footer, section: section)) == nil ? 0 : TableSectionTitle.height)
    }
    var heights: [Int]?
    if hasVariableRowHeights, let rowDelegate {
      heights = (0..<sections.itemCount).map { rowDelegate.tableView(self, heightForRowAt: sections.path(of: $0)) }
    }
    return RowLayout(sections, width: bounds.size.width, rowHeight: rowHeight, heights: heights, around: around)
  }

  private func title(of supplement: ListSupplement) -> String? {
    switch supplement.kind {
    case .header: dataSource?.tableView(self, titleForHeaderInSection: supplement.section)
    case .footer: dataSource?.tableView(self, titleForFooterInSection: supplement.section)
    }
  }

  func makeCell(at path: IndexPath) -> ListCell { dataSource?.tableView(self, cellForRowAt: path) ?? TableViewCell() }

  func makeSupplement(_ supplement: ListSupplement) -> ListCell? {
    title(of: supplement).map { TableSectionTitle($0, supplement.kind) }
  }

  func willDisplay(_ cell: ListCell, at path: IndexPath) {
    if let cell = cell as? TableViewCell { rowDelegate?.tableView(self, willDisplay: cell, forRowAt: path) }
  }

  func didEndDisplaying(_ cell: ListCell, at path: IndexPath) {
    if let cell = cell as? TableViewCell { rowDelegate?.tableView(self, didEndDisplaying: cell, forRowAt: path) }
  }

  func canSelect(_ path: IndexPath) -> Bool {
    guard let rowDelegate else { return true }
    return rowDelegate.tableView(self, willSelectRowAt: path) != nil
  }
  func didSelect(_ path: IndexPath) { rowDelegate?.tableView(self, didSelectRowAt: path) }
  func didDeselect(_ path: IndexPath) { rowDelegate?.tableView(self, didDeselectRowAt: path) }

  func performPrimaryAction(at path: IndexPath) {
    rowDelegate?.tableView(self, performPrimaryActionForRowAt: path)
  }

  func canMove(_ path: IndexPath) -> Bool { dataSource?.tableView(self, canMoveRowAt: path) ?? false }

  func move(_ path: IndexPath, to place: IndexPath) {
    let place =
      rowDelegate?.tableView(self, targetIndexPathForMoveFromRowAt: path, toProposedIndexPath: place) ?? place
    guard place != path else { return }
    core.performBatchUpdates {
      dataSource?.tableView(self, moveRowAt: path, to: place)
      core.edit?.moves.append((path, place))
    }
    (dataSource as? any ReorderingSource)?.didReorder()
  }

  func typedText(of path: IndexPath) -> String? { dataSource?.tableView(self, typeSelectTextForRowAt: path) }

  var modelAssociation: (any DataSourceModelAssociation)? { dataSource as? any DataSourceModelAssociation }
}
