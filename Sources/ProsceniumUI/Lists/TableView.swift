public import FoundationEssentials
public import ProsceniumCore

/// A list of rows in sections, of which it makes cells for those in sight only.
///
/// A million rows cost as much as a hundred, where all have the same height. Arrows, Page Up and Down, Home and End
/// move the selection, with Shift and Control as well; typing finds a row
/// (``TableViewDataSource/tableView(_:typeSelectTextForRowAt:)``), Return and a double click open it. The scene saves
/// its state after the user has selected something or scrolled; see ``ListView/restorationState``. All lengths are
/// points.
open class TableView: ListView {
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
    didSet {
      rowDelegate = delegate as? any TableViewDelegate
      if laysOutHeights || hasVariableRowHeights { core.invalidateLayout() }
    }
  }
  private weak var rowDelegate: (any TableViewDelegate)?
  /// Whether the rows have the heights of a delegate, which may be gone since.
  private var laysOutHeights = false

  /// The height of each row, 1...65,536; 28 at first.
  open var rowHeight = 28 {
    didSet {
      guard oldValue != rowHeight else { return }
      lineHeight = 3 * min(max(rowHeight, 8), 100)
      core.invalidateLayout()
    }
  }

  /// Whether the delegate is asked for the height of each row, of those out of sight too.
  ///
  /// Until it is set, whether the delegate implements ``TableViewDelegate/tableView(_:heightForRowAt:)``. Set false
  /// where the rows of a long list are alike for the moment; true means nothing to a delegate without the method.
  ///
  /// It is asked again where the rows, the width or the scale of the window (``TextLayout/displayScale``) have changed.
  /// The uppermost row stays in its place then.
  open var hasVariableRowHeights: Bool {
    get { setsVariableRowHeights ?? rowDelegate?.hasRowHeights ?? false }
    set {
      Responder.requireMainThread()
      let old = hasVariableRowHeights
      setsVariableRowHeights = newValue
      if old != newValue { core.invalidateLayout() }
    }
  }
  private var setsVariableRowHeights: Bool?

  // MARK: Cells

  /// Registers how cells of a kind are made.
  /// - Parameters:
  ///   - make: Makes a cell.
  ///   - identifier: The kind.
  public func register(_ make: @escaping @MainActor () -> TableViewCell, forCellReuseIdentifier identifier: String) {
    core.register(identifier, make)
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
  ///
  /// Where rows have changed or come in sight since the last layout, the data source is asked for their cells first:
  /// not within ``ListView/performBatchUpdates(_:)``, nor while the table calls the program for its rows and cells.
  /// - Parameter indexPath: The row.
  /// - Returns: The cell; nil where the row is out of sight.
  public func cellForRow(at indexPath: IndexPath) -> TableViewCell? {
    core.cell(at: indexPath) as? TableViewCell
  }

  /// The row that a cell shows.
  /// - Parameter cell: The cell.
  /// - Returns: The row; nil for none.
  public func indexPath(for cell: TableViewCell) -> IndexPath? { core.path(of: cell) }

  /// The rows in sight that have cells, in order, as of ``cellForRow(at:)``.
  public var indexPathsForVisibleRows: [IndexPath] { core.visiblePaths }

  /// The cells in sight, in the order of their rows, as of ``cellForRow(at:)``.
  public var visibleCells: [TableViewCell] { core.visibleCells() }

  // MARK: Rows

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

  // MARK: What the core asks for

  override func itemCounts() -> [Int] {
    guard let dataSource else { return [] }
    return core.counts(dataSource.numberOfSections(in: self)) { dataSource.tableView(self, numberOfRowsInSection: $0) }
  }

  override func layout(of sections: ListSections) -> any ListLayout {
    let around = (0..<sections.count).map { section in
      RowLayout.Edges(
        header: title(of: ListSupplement(kind: .header, section: section)) == nil ? 0 : TableSectionTitle.height,
        footer: title(of: ListSupplement(kind: .footer, section: section)) == nil ? 0 : TableSectionTitle.height)
    }
    var heights: [Int]?
    if hasVariableRowHeights, let rowDelegate, rowDelegate.hasRowHeights {
      heights = (0..<sections.itemCount).map { rowDelegate.height(ofRowAt: sections.path(of: $0), in: self) }
    }
    laysOutHeights = heights != nil
    return RowLayout(sections, width: bounds.size.width, rowHeight: rowHeight, heights: heights, around: around)
  }

  private func title(of supplement: ListSupplement) -> String? {
    switch supplement.kind {
    case .header: dataSource?.tableView(self, titleForHeaderInSection: supplement.section)
    case .footer: dataSource?.tableView(self, titleForFooterInSection: supplement.section)
    }
  }

  override func makeCell(at path: IndexPath) -> ListCell {
    dataSource?.tableView(self, cellForRowAt: path) ?? TableViewCell()
  }

  override func makeSupplement(_ supplement: ListSupplement) -> ListCell? {
    title(of: supplement).map { TableSectionTitle($0, supplement.kind) }
  }

  override func willDisplay(_ cell: ListCell, at path: IndexPath) {
    if let cell = cell as? TableViewCell { rowDelegate?.tableView(self, willDisplay: cell, forRowAt: path) }
  }

  override func didEndDisplaying(_ cell: ListCell, at path: IndexPath) {
    if let cell = cell as? TableViewCell { rowDelegate?.tableView(self, didEndDisplaying: cell, forRowAt: path) }
  }

  override func canSelect(_ path: IndexPath) -> Bool { choice(instead: path) != nil }

  override func choice(instead path: IndexPath) -> IndexPath? {
    guard let rowDelegate else { return path }
    return rowDelegate.tableView(self, willSelectRowAt: path)
  }
  override func didSelect(_ path: IndexPath) { rowDelegate?.tableView(self, didSelectRowAt: path) }
  override func didDeselect(_ path: IndexPath) { rowDelegate?.tableView(self, didDeselectRowAt: path) }

  override func performPrimaryAction(at path: IndexPath) {
    rowDelegate?.tableView(self, performPrimaryActionForRowAt: path)
  }

  override func canMove(_ path: IndexPath) -> Bool { dataSource?.tableView(self, canMoveRowAt: path) ?? false }

  override func typedText(of path: IndexPath) -> String? { dataSource?.tableView(self, typeSelectTextForRowAt: path) }

  override func copiedText(of path: IndexPath) -> String? { dataSource?.tableView(self, textForCopyingRowAt: path) }

  override func target(of path: IndexPath, movedTo place: IndexPath) -> IndexPath {
    rowDelegate?.tableView(self, targetIndexPathForMoveFromRowAt: path, toProposedIndexPath: place) ?? place
  }

  override func moveData(_ path: IndexPath, to place: IndexPath) {
    dataSource?.tableView(self, moveRowAt: path, to: place)
  }

  override var source: AnyObject? { dataSource }
}

extension TableViewDelegate {
  /// Whether it implements `tableView(_:heightForRowAt:)`.
  fileprivate var hasRowHeights: Bool { TableViewRowHeight.self != NotImplemented.self }

  fileprivate func height(ofRowAt path: IndexPath, in table: TableView) -> Int {
    tableView(table, heightForRowAt: path) as? Int ?? table.rowHeight
  }
}
