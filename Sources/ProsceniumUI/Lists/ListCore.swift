import FoundationEssentials
import ProsceniumCore

/// What a table and a collection have in common: which items there are, which are selected, and the cells in sight.
@MainActor final class ListCore {
  unowned let host: any ListHost
  private(set) var sections = ListSections()
  private(set) var selection = ListSelection()
  /// How many items the user may select.
  var mode = ListSelection.Mode.single { didSet { if oldValue != mode { limitSelection() } } }
  private var cells: [Int: ListCell] = [:]
  private var supplements: [ListSupplement: ListCell] = [:]
  var pool = CellPool()
  var search = ListSearch()
  /// Whether the data source has to be asked again.
  private(set) var isStale = true
  /// The changes that the list is being told about.
  var edit: ListEdit?
  /// The layout for the present size; nil where it has to be made.
  private var knownLayout: (layout: any ListLayout, width: Int)?
  /// What is to be restored as soon as there are items.
  var pendingState: [String: any Sendable]?
  private(set) lazy var pointer = ListPointer(of: self)
  private(set) lazy var focus = TextFocus(of: host) { [weak self] in self?.showStates() }

  init(of host: any ListHost) { self.host = host }

  // MARK: Items

  var layout: any ListLayout {
    refresh()
    let width = host.bounds.size.width
    if let knownLayout, knownLayout.width == width { return knownLayout.layout }
    let layout = host.layout(of: sections)
    knownLayout = (layout, width)
    return layout
  }

  /// Makes the layout again.
  func invalidateLayout() {
    knownLayout = nil
    host.setNeedsLayout()
  }

  /// Asks the data source for everything again, and deselects all items.
  func reload() {
    edit = nil
    pointer.stopDragging()
    for item in Array(cells.keys) { recycle(item) }
    removeSupplements()
    isStale = true
    if selection != ListSelection() { select(ListSelection()) }
    invalidateLayout()
  }

  /// Asks the data source how many items there are, if it is not known.
  func refresh() {
    guard isStale else { return }
    isStale = false
    sections = ListSections(counts: host.itemCounts())
    knownLayout = nil
    // The program may have selected items between its call and this one.
    limitSelection()
  }

  /// The sections, which are asked for if they are not known.
  var loadedSections: ListSections {
    refresh()
    return sections
  }

  func count(in section: Int) -> Int {
    let sections = loadedSections
    return (0..<sections.count).contains(section) ? sections.items(in: section).count : 0
  }

  func item(at path: IndexPath) -> Int? { loadedSections.item(at: path) }
  func path(at point: Point) -> IndexPath? { layout.item(at: point).map(sections.path) }
  func frame(at path: IndexPath) -> Rect? { item(at: path).map { layout.frame(of: $0) } }

  /// The number of items of each section of a data source.
  func counts(_ sections: Int, _ items: (Int) -> Int) -> [Int] {
    (0..<min(max(0, sections), 1 << 24)).map(items)
  }

  /// Follows a change of the data source.
  /// - Parameters:
  ///   - change: What becomes of each item.
  ///   - reloaded: The new numbers of the items whose cells are made anew.
  func apply(_ change: ListChange, reloaded: RangeSet<Int>) {
    pointer.stopDragging()
    let place = topPlace()
    sections = ListSections(counts: host.itemCounts())
    knownLayout = nil
    let old = cells
    cells = [:]
    for (item, cell) in old {
      if let new = change.item(item), !reloaded.contains(new), new < sections.itemCount {
        cells[new] = cell
      } else {
        retire(cell)
      }
    }
    removeSupplements()
    select(selection.mapped(by: change))
    limitSelection()
    host.contentSize = layout.contentSize
    // What is in sight stays there; at the top, what is new comes in sight.
    if let place, host.contentOffset.y > 0, let item = change.item(place.item), item < sections.itemCount {
      scroll(to: item, offset: place.offset)
    }
    host.setNeedsLayout()
    host.invalidateListState()
  }

  /// The uppermost item, and how far its upper edge is above that of the view.
  func topPlace() -> (item: Int, offset: Int)? {
    guard !isStale, sections.itemCount > 0, let layout = knownLayout?.layout else { return nil }
    let bounds = host.bounds
    let part = Rect(bounds.origin, Size(width: bounds.size.width, height: max(1, bounds.size.height)))
    guard let item = layout.items(in: part).first?.first else { return nil }
    return (item, bounds.origin.y - layout.frame(of: item).origin.y)
  }

  func scroll(to item: Int, offset: Int) {
    let y = layout.frame(of: item).origin.y + min(max(offset, -(1 << 20)), 1 << 20)
    host.contentOffset = Point(x: host.contentOffset.x, y: y)
  }

  func scroll(to path: IndexPath, _ position: TableView.ScrollPosition) {
    if let item = item(at: path) { reveal(item, position) }
  }

  /// Scrolls so that an item is visible, below its section's header.
  func reveal(_ item: Int, _ position: TableView.ScrollPosition = .none) {
    var frame = layout.frame(of: item)
    let header = ListSupplement(kind: .header, section: sections.section(of: item))
    if let height = layout.supplements(in: frame)[header]?.size.height {
      frame = Rect(
        x: frame.origin.x, y: frame.origin.y - height, width: frame.size.width, height: frame.size.height + height)
    }
    host.contentSize = layout.contentSize
    let room = host.bounds.size.height - frame.size.height
    let above: Int? =
      switch position {
      case .none: nil
      case .top: 0
      case .middle: max(0, room / 2)
      case .bottom: max(0, room)
      }
    guard let above else { return host.scrollRectToVisible(frame) }
    host.contentOffset = Point(x: host.contentOffset.x, y: frame.origin.y - above)
  }

  // MARK: Cells

  /// The cell of an item in sight.
  func cell(of item: Int) -> ListCell? { cells[item] }

  /// The item of a cell.
  func item(of cell: ListCell) -> Int? { cells.first { $0.value === cell }?.key }

  func path(of cell: ListCell) -> IndexPath? { item(of: cell).map(sections.path) }

  /// The items that have cells, in order.
  var visiblePaths: [IndexPath] { cells.keys.sorted().map(sections.path) }

  func visibleCells<Cell>() -> [Cell] { cells.keys.sorted().compactMap { cells[$0] as? Cell } }

  /// Takes a cell for an item; a new one, and an error, where its kind is not known.
  func dequeue<Cell: ListCell>(_ identifier: String, _ make: () -> Cell) -> Cell {
    if let cell = pool.take(identifier) as? Cell { return cell }
    Application.report(
      "a \(type(of: host)) has no cells of the kind \"\(identifier)\". Register them before it is shown.")
    return make()
  }

  /// Shows a cell for each item in sight, and for no other.
  func placeCells() {
    let layout = layout
    host.contentSize = layout.contentSize
    restorePending()
    let part = host.bounds
    let wanted = part.size.height > 0 ? layout.items(in: part) : []
    for (item, cell) in cells where !wanted.contains(where: { $0.contains(item) }) && !isHeld(cell) { recycle(item) }
    for item in wanted.joined() where !isStale && cells[item] == nil && item < sections.itemCount { show(item) }
    for (item, cell) in cells where item < sections.itemCount { cell.frame = layout.frame(of: item) }
    placeSupplements(layout.supplements(in: part))
    pool.hide()
    showStates()
  }

  /// Whether a cell is kept although it is out of sight: it is pressed, or the user types in it.
  private func isHeld(_ cell: ListCell) -> Bool {
    pointer.holds(cell) || (host.window?.firstResponder as? View)?.isDescendant(of: cell) == true
  }

  private func show(_ item: Int) {
    let path = sections.path(of: item)
    let cell = host.makeCell(at: path)
    // What the data source does meanwhile counts at the next layout.
    guard !isStale, item < sections.itemCount else { return retire(cell) }
    if let other = self.item(of: cell) { cells[other] = nil }
    cells[item] = cell
    cell.isHidden = false
    if cell.superview !== host { host.insertSubview(cell, at: 0) }
    host.willDisplay(cell, at: path)
  }

  private func recycle(_ item: Int) {
    guard let cell = cells.removeValue(forKey: item) else { return }
    if item < sections.itemCount { host.didEndDisplaying(cell, at: sections.path(of: item)) }
    retire(cell)
  }

  private func retire(_ cell: ListCell) {
    cell.giveUpFirstResponder()
    cell.state = ListCell.State()
    pool.put(cell)
    host.setNeedsLayout()
  }

  private func placeSupplements(_ wanted: [ListSupplement: Rect]) {
    for (supplement, view) in supplements where wanted[supplement] == nil {
      view.removeFromSuperview()
      supplements[supplement] = nil
    }
    for (supplement, frame) in wanted {
      if supplements[supplement] == nil, let view = host.makeSupplement(supplement) {
        supplements[supplement] = view
        host.addSubview(view)
      }
      supplements[supplement]?.frame = frame
    }
  }

  private func removeSupplements() {
    for view in supplements.values { view.removeFromSuperview() }
    supplements = [:]
  }

  /// Shows each cell whether it is selected, and whether the list gets the keys.
  private func showStates() {
    let isOn = focus.isOn
    for (item, cell) in cells {
      cell.state = ListCell.State(
        isSelected: selection.items.contains(item), isEmphasized: isOn, isLead: isOn && selection.lead == item,
        isHighlighted: pointer.drag.kind == .moving && pointer.holds(cell))
    }
  }

  func purge() { pool.purge() }

  func drawBackground(in context: DrawingContext) {
    if host.backgroundColor == nil { context.fill(host.bounds, with: host.theme.contentBackground) }
  }

  func didMove() {
    pointer.stopDragging()
    focus.observe()
  }

  /// Handles a key, a press or a touch.
  /// - Returns: Whether the list uses the event.
  func handle(_ event: Event) -> Bool {
    if case .key(let key) = event.kind { return handleKey(key, event) }
    return pointer.handle(event)
  }

  // MARK: Selection

  /// Sets the selection, without calling the delegate.
  func select(_ new: ListSelection) {
    guard new != selection else { return }
    let hasChanged = new.items != selection.items
    selection = new
    showStates()
    if hasChanged { host.invalidateListState() }
  }

  /// Sets the selection as the user wants it, as far as the delegate allows, and calls the delegate.
  func userSelects(_ new: ListSelection) {
    var new = new
    let (old, sections) = (selection.items, sections)
    let refused = new.items.subtracting(old).elements.filter { !host.canSelect(sections.path(of: $0)) }
    // The delegate may have changed the list, or the selection.
    guard !isStale, sections == self.sections, old == selection.items else { return }
    for item in refused { new.items.remove(contentsOf: item..<item + 1) }
    // Where nothing is selected instead, the selection stays.
    if !refused.isEmpty, new.items.subtracting(old).isEmpty { new.items = old }
    select(new)
    for item in old.subtracting(new.items).elements { host.didDeselect(sections.path(of: item)) }
    for item in new.items.subtracting(old).elements { host.didSelect(sections.path(of: item)) }
  }

  func setMode(_ allowsSelection: Bool, _ allowsMultipleSelection: Bool) {
    mode = !allowsSelection ? .none : allowsMultipleSelection ? .multiple : .single
  }

  var selectedPaths: [IndexPath] { selection.items.elements.map(sections.path) }

  /// Selects an item for the program, besides others where that is possible; none where nil.
  func select(_ path: IndexPath?, _ position: TableView.ScrollPosition?) {
    guard let path else { return select(ListSelection(lead: selection.lead)) }
    if let position { scroll(to: path, position) }
    guard mode != .none, let item = item(at: path) else { return }
    var new = selection
    if mode == .single { new.items = RangeSet() }
    new.items.insert(contentsOf: item..<item + 1)
    (new.anchor, new.lead) = (item, item)
    select(new)
  }

  func deselect(_ path: IndexPath) {
    guard let item = item(at: path) else { return }
    var new = selection
    new.items.remove(contentsOf: item..<item + 1)
    select(new)
  }

  private func limitSelection() {
    guard !isStale else { return }
    var new = selection
    new.limit(to: mode, of: sections.itemCount)
    select(new)
  }
}

extension View {
  /// Has the scene save its state later, because what the list restores has changed.
  func invalidateListState() { window?.windowScene?.invalidateRestorableState() }
}
