import FoundationEssentials
import ProsceniumCore

/// What a table and a collection have in common: which items there are, which are selected, and the cells in sight.
@MainActor final class ListCore {
  unowned let host: ListView
  private(set) var sections = ListSections()
  private(set) var selection = ListSelection()
  /// How many items the user may select.
  var mode = ListSelection.Mode.single { didSet { if oldValue != mode { limitSelection() } } }
  private var cells: [Int: ListCell] = [:]
  private var supplements: [ListSupplement: ListCell] = [:]
  private var pool = CellPool()
  /// Whether the data source has to be asked again.
  private(set) var isStale = true
  /// How often the items have changed, which the program may do whenever it is called: whoever calls it compares.
  private(set) var generation = 0
  /// The changes that the list is being told about.
  var edit: ListEdit?
  private var knownLayout = KnownLayout.none
  var pending = Pending()
  var copying: ListCopying { ListCopying(core: self) }
  var restoration: ListRestoration { ListRestoration(core: self) }
  private(set) lazy var keyboard = ListKeyboard(of: self)
  private(set) lazy var pointer = ListPointer(of: self)
  private(set) lazy var focus = TextFocus(of: host) { [weak self] in self?.showStates() }

  private enum KnownLayout {
    case none
    /// The program is being asked for heights and titles.
    case making
    /// The layout for a width and a number of pixels per point.
    case known(any ListLayout, width: Int, scale: Double)
  }

  /// What the next layout scrolls to, and what the delegate is told yet.
  struct Pending {
    fileprivate var news = ListNews()
    /// What is to be restored as soon as there are items.
    var state: [String: any Sendable]?
    /// What stays in sight in another layout.
    fileprivate var place: KeptPlace?
  }

  init(of host: ListView) { self.host = host }

  // MARK: Items

  var layout: any ListLayout {
    refresh()
    let (width, scale) = (host.bounds.size.width, Pixels(of: host.window).scale)
    switch knownLayout {
    case .known(let layout, width, scale): return layout
    // Whoever asks for places while it is asked for heights gets those of rows of one height.
    case .making: return RowLayout(sections, width: width)
    case .known: keepPlace()
    case .none: break
    }
    let generation = generation
    knownLayout = .making
    let wasAtWork = host.beginWork()
    let layout = host.layout(of: sections)
    host.isAtWork = wasAtWork
    let isCurrent = generation == self.generation
    knownLayout = isCurrent ? .known(layout, width: width, scale: scale) : .none
    if isCurrent { return layout }
    refresh()
    return RowLayout(sections, width: width)
  }

  /// Makes the layout again.
  func invalidateLayout() {
    keepPlace()
    forgetLayout()
  }

  /// Makes the layout again for a window of another scale, for which the program may measure rows otherwise.
  func followScale(_ scale: Double) {
    guard case .known(_, _, let known) = knownLayout, known != scale else { return }
    keepPlace()
    forgetLayout()
  }

  /// Keeps what is in sight there, of the layout before; at the top of the list nothing.
  private func keepPlace() {
    if placeToKeep == nil {
      pending.place = nil
      if host.contentOffset.y > 0, let place = placesInSight().first { keep(place.item, above: place.offset) }
    }
    pending.place?.isDue = true
    host.setNeedsLayout()
  }

  /// Has an item stay where it is as long as nobody scrolls.
  func keep(_ item: Int, above: Int) {
    pending.place = KeptPlace(item: item, above: above, offset: host.contentOffset, height: host.bounds.size.height)
  }

  /// What stays in sight; nil where the list has been scrolled since.
  private var placeToKeep: KeptPlace? {
    pending.place.flatMap { $0.offset == host.contentOffset && $0.item < sections.itemCount ? $0 : nil }
  }

  /// Scrolls to what was in sight before the layout changed.
  private func scrollToKeptPlace() {
    let layout = layout
    guard let place = placeToKeep, place.isDue else {
      // In a view of another height the end of the list, which may have kept the item from the top, is elsewhere.
      if placeToKeep?.height != host.bounds.size.height { pending.place = nil }
      return
    }
    pending.place = nil
    let generation = generation
    host.contentSize = layout.contentSize
    scroll(to: place.item, offset: place.above(in: layout))
    if generation == self.generation { keep(place.item, above: place.above) }
  }

  private func forgetLayout() { if case .known = knownLayout { knownLayout = .none } }

  /// Asks the data source for everything again, and deselects all items.
  func reload() {
    let wasAtWork = host.beginWork()
    defer { host.isAtWork = wasAtWork }
    edit = nil
    pointer.listChanges()
    generation += 1
    (isStale, pending.place, pending.news) = (true, nil, ListNews())
    forgetLayout()
    let (old, sections) = (cells, sections)
    cells = [:]
    removeSupplements()
    select(ListSelection())
    host.setNeedsLayout()
    for (item, cell) in old { retire(cell, shownAt: sections.path(of: item)) }
  }

  /// Asks the data source how many items there are, if it is not known.
  func refresh() {
    guard isStale else { return }
    let wasAtWork = host.beginWork()
    defer { host.isAtWork = wasAtWork }
    isStale = false
    let generation = generation
    var counts = host.itemCounts()
    // What was asked before the program changed the items is old.
    if generation != self.generation { counts = host.itemCounts() }
    sections = ListSections(counts: counts)
    forgetLayout()
    // The program may have selected items between its call and this one.
    limitSelection()
  }

  /// Whether the list knows all that the data source has changed.
  var isToldAll: Bool { isStale || ListSections(counts: host.itemCounts()) == sections }

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
  func path(at point: Point) -> IndexPath? {
    let layout = layout
    return Rect(.zero, layout.contentSize).contains(point) ? layout.item(at: point).map(sections.path) : nil
  }
  func frame(at path: IndexPath) -> Rect? { placedItem(at: path).flatMap(frame) }

  /// The item at a path, once the program, which may change the items then, was asked for their places.
  private func placedItem(at path: IndexPath) -> Int? {
    _ = layout
    return item(at: path)
  }

  /// The place of an item; nil where the program has removed it as it was asked for their places.
  func frame(of item: Int) -> Rect? {
    let layout = layout
    return item < sections.itemCount ? layout.frame(of: item) : nil
  }

  /// The number of items of each section of a data source.
  func counts(_ sections: Int, _ items: (Int) -> Int) -> [Int] {
    (0..<min(max(0, sections), 1 << 24)).map(items)
  }

  /// Follows a change of the data source.
  /// - Parameters:
  ///   - change: What becomes of each item.
  ///   - reloaded: The new numbers of the items whose cells are made anew.
  func apply(_ change: ListChange, reloaded: RangeSet<Int>) {
    let wasAtWork = host.beginWork()
    defer { host.isAtWork = wasAtWork }
    let place = placeToKeep.flatMap { $0.isDue ? $0 : nil }
    let (places, old, oldSections) = (place == nil ? placesInSight() : [], cells, sections)
    pending.place = place.flatMap { old in change.nearest(old.item, sections.itemCount).map { old.moved(to: $0) } }
    pending.news.map(by: change)
    generation += 1
    let generation = generation
    let counts = host.itemCounts()
    // What becomes of each item is not known where the program has changed them meanwhile.
    guard generation == self.generation else { return reload() }
    sections = ListSections(counts: counts)
    forgetLayout()
    cells = [:]
    var gone: [(cell: ListCell, path: IndexPath)] = []
    for (item, cell) in old {
      if let new = change.item(item), !reloaded.contains(new), new < sections.itemCount, cells[new] == nil {
        cells[new] = cell
      } else {
        gone.append((cell, oldSections.path(of: item)))
      }
    }
    pointer.listChanges(change, reloaded, of: oldSections.itemCount)
    select(selection.mapped(by: change, of: oldSections.itemCount))
    limitSelection()
    removeSupplements()
    host.setNeedsLayout()
    host.invalidateRestorableState()
    for (cell, path) in gone { retire(cell, shownAt: path) }
    guard generation == self.generation else { return }
    if place != nil, pending.place != nil { return scrollToKeptPlace() }
    let isAtTop = host.contentOffset.y == 0 && !pointer.isDragging
    host.contentSize = layout.contentSize
    guard generation == self.generation, !isAtTop else { return }
    // What is in sight stays there, as far as it is not gone; at the top what is new comes in sight,
    // but beneath a rectangle that the user draws.
    for place in places {
      guard let item = change.item(place.item) else { continue }
      return scroll(to: item, offset: place.offset)
    }
  }

  /// The items in sight, and how far the upper edge of each is above that of the view.
  func placesInSight() -> [(item: Int, offset: Int)] {
    guard !isStale, case .known(let layout, _, _) = knownLayout else { return [] }
    let bounds = host.bounds
    let part = Rect(bounds.origin, Size(width: max(1, bounds.size.width), height: max(1, bounds.size.height)))
    return layout.items(in: part).joined().map { ($0, bounds.origin.y - layout.frame(of: $0).origin.y) }
  }

  /// The uppermost item, and how far its upper edge is above that of the view.
  func topPlace() -> (item: Int, offset: Int)? {
    let layout = layout
    return placeToKeep.map { ($0.item, $0.above(in: layout)) } ?? placesInSight().first
  }

  func scroll(to item: Int, offset: Int) {
    guard let frame = frame(of: item) else { return }
    let y = frame.origin.y + min(max(offset, -(1 << 20)), 1 << 20)
    host.contentOffset = Point(x: host.contentOffset.x, y: y)
  }

  func scroll(to path: IndexPath, _ position: TableView.ScrollPosition) {
    if let item = placedItem(at: path) { reveal(item, position) }
  }

  /// Scrolls so that an item is visible, below its section's header.
  func reveal(_ item: Int, _ position: TableView.ScrollPosition = .none) {
    scrollToKeptPlace()
    pending.place = nil
    guard var frame = frame(of: item) else { return }
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
  func cell(at path: IndexPath) -> ListCell? {
    host.layOutCells()
    return item(at: path).flatMap { cells[$0] }.flatMap { $0.isOutOfSight ? nil : $0 }
  }

  /// The item of a cell.
  func item(of cell: ListCell) -> Int? { cells.first { $0.value === cell }?.key }

  func path(of cell: ListCell) -> IndexPath? { item(of: cell).map(sections.path) }

  /// The items in sight that have cells, in order.
  private var visibleItems: [Int] {
    host.layOutCells()
    return cells.filter { !$1.isOutOfSight }.keys.sorted()
  }
  var visiblePaths: [IndexPath] { visibleItems.map(sections.path) }
  func visibleCells<Cell>() -> [Cell] { visibleItems.compactMap { cells[$0] as? Cell } }

  /// The cells and titles from above; in the list they are in the order in which they were made.
  var cellsInOrder: [ListCell] {
    let unused = Set(pool.cells.map(ObjectIdentifier.init))
    let all = host.subviews.compactMap { $0 as? ListCell }
      .filter { !$0.isHidden && !unused.contains(ObjectIdentifier($0)) }
    return all.sorted { ($0.frame.origin.y, $0.frame.origin.x) < ($1.frame.origin.y, $1.frame.origin.x) }
  }

  /// Registers how cells of a kind are made.
  func register(_ identifier: String, _ make: @escaping @MainActor () -> ListCell) {
    View.requireMainThread()
    for cell in pool.register(identifier, make) { cell.removeFromSuperview() }
  }

  /// Takes a cell for an item; a new one, and an error, where its kind is not known.
  func dequeue<Cell: ListCell>(_ identifier: String, _ make: () -> Cell) -> Cell {
    if let cell = pool.take(identifier) as? Cell {
      cell.prepareForReuse()
      return cell
    }
    if let cell = pool.makers[identifier]?() as? Cell {
      cell.reuseIdentifier = identifier
      return cell
    }
    Application.report(
      "A \(type(of: host)) has no cells of the kind \"\(identifier)\". Register them before it is shown.")
    return make()
  }

  /// Shows a cell for each item in sight, and for no other.
  func placeCells() {
    let wasAtWork = host.beginWork()
    defer { host.isAtWork = wasAtWork }
    scrollToKeptPlace()
    host.contentSize = layout.contentSize
    restoration.restoreIfPending()
    // What the program changes from here on is placed by the next layout.
    let (layout, part) = (layout, host.bounds)
    let generation = generation
    let wanted = part.size.height > 0 ? layout.items(in: part) : []
    for (item, cell) in cells {
      cell.isOutOfSight = !wanted.contains { $0.contains(item) }
      guard cell.isOutOfSight, !isHeld(item, cell) else { continue }
      cells[item] = nil
      retire(cell, shownAt: sections.path(of: item))
      guard generation == self.generation else { return }
    }
    for item in wanted.joined() where cells[item] == nil {
      View.performWithoutAnimation { show(item, at: layout.frame(of: item)) }
      guard generation == self.generation else { return }
    }
    for (item, cell) in cells { cell.frame = layout.frame(of: item) }
    View.performWithoutAnimation { placeSupplements(layout.supplements(in: part)) }
    for cell in pool.cells { cell.isHidden = true }
    showStates()
  }

  /// Whether a cell is kept although it is out of sight: it is pressed, or the user types in it.
  private func isHeld(_ item: Int, _ cell: ListCell) -> Bool {
    pointer.holds(item) || (host.window?.firstResponder as? View)?.isDescendant(of: cell) == true
  }

  private func show(_ item: Int, at frame: Rect) {
    let (path, generation) = (sections.path(of: item), generation)
    let cell = host.makeCell(at: path)
    let other = self.item(of: cell)
    guard generation == self.generation else {
      if other == nil { keep(cell) }
      return
    }
    if let other { cells[other] = nil }
    pool.take(cell)
    cells[item] = cell
    cell.isHidden = false
    (cell.isOutOfSight, cell.isDisplayed) = (false, false)
    cell.frame = frame
    if cell.superview !== host { host.insertSubview(cell, at: 0) }
    cell.state = state(of: item)
    // What the cell does of that may have changed the items.
    guard let path = generation == self.generation ? path : self.path(of: cell) else { return }
    cell.isDisplayed = true
    host.willDisplay(cell, at: path)
    // Here nothing is animated.
    cell.layoutIfNeeded()
  }

  /// Takes a cell out of use, and tells the program.
  private func retire(_ cell: ListCell, shownAt path: IndexPath) {
    ViewInput(cell).giveUpFirstResponder()
    // A press on a control in it does not act for another item.
    cell.tree?.removeFromInput(cell)
    cell.isHovered = false
    cell.state = ListCell.State()
    keep(cell)
    if exchange(&cell.isDisplayed, with: false) { host.didEndDisplaying(cell, at: path) }
  }

  /// Keeps a cell for another item.
  private func keep(_ cell: ListCell) {
    if !pool.put(cell) { cell.removeFromSuperview() }
    host.setNeedsLayout()
  }

  /// The texts of the labels of an item's cell, which is made where the item is out of sight.
  func labelText(at path: IndexPath) -> String? {
    guard let item = item(at: path) else { return nil }
    if let cell = cells[item] { return cell.labelText }
    let wasAtWork = host.beginWork()
    defer { host.isAtWork = wasAtWork }
    let cell = host.makeCell(at: path)
    let text = cell.labelText
    // The program may have kept cells of its own, one of which is shown or waits to be used.
    pool.take(cell)
    if self.item(of: cell) == nil { keep(cell) }
    return text
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
      supplements[supplement]?.layoutIfNeeded()
    }
  }

  private func removeSupplements() {
    for view in supplements.values { view.removeFromSuperview() }
    supplements = [:]
  }

  /// Shows each cell whether it is selected, and whether the list gets the keys.
  private func showStates() {
    host.showsRing = focus.isOn && selection.lead == nil
    // What a cell does of that may give the others to other items.
    for (item, cell) in cells where cells[item] === cell { cell.state = state(of: item) }
  }

  private func state(of item: Int) -> ListCell.State {
    ListCell.State(
      isSelected: selection.items.contains(item), isEmphasized: focus.isOn,
      isLead: focus.isOn && selection.lead == item,
      isHighlighted: pointer.drag.kind == .moving && pointer.holds(item))
  }

  func purge() { for cell in pool.removeAll() { cell.removeFromSuperview() } }

  func didMove() {
    pointer.stopDragging()
    focus.observe()
  }

  /// Handles a key, a press or a touch.
  /// - Returns: Whether the list uses the event.
  func handle(_ event: Event) -> Bool {
    if case .key(let key) = event.kind { return keyboard.handle(key, event) }
    return pointer.handle(event)
  }

  // MARK: Selection

  /// Sets the selection, without calling the delegate.
  func select(_ new: ListSelection) {
    guard new != selection else { return }
    let hasChanged = new.items != selection.items
    selection = new
    showStates()
    if hasChanged { host.selectionDidChange() }
  }

  /// Sets the selection as the user wants it, as far as the delegate allows, and calls the delegate.
  /// - Parameters:
  ///   - new: The selection.
  ///   - chosen: An item of it of which the delegate is asked and told although it is selected already.
  func userSelects(_ new: ListSelection, choosing chosen: Int? = nil) {
    let old = selection.items
    guard let (new, known) = ListWish(core: self, chosen: chosen).ask(for: new) else { return }
    select(new)
    if new.items != old, pointer.drag.kind != .band { copying.publish() }
    pending.news.add(from: known, to: new.items)
    // Each call may change the list, or the selection.
    while let (item, isSelected) = pending.news.next() {
      guard item < loadedSections.itemCount else { continue }
      let path = self.sections.path(of: item)
      if isSelected { host.didSelect(path) } else { host.didDeselect(path) }
    }
  }

  var selectedPaths: [IndexPath] { selection.items.elements.map(sections.path) }

  /// Selects an item for the program, besides others where that is possible; none where nil.
  func select(_ path: IndexPath?, _ position: TableView.ScrollPosition?) {
    guard let path else { return select(ListSelection(lead: selection.lead)) }
    if let position { scroll(to: path, position) }
    guard let item = item(at: path) else { return }
    var new = selection
    if mode != .multiple { new.items = RangeSet() }
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
