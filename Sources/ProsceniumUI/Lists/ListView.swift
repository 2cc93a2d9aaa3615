import FoundationEssentials
public import ProsceniumCore

/// What a ``TableView`` and a ``CollectionView`` have in common: a list of items in sections, of which it makes cells
/// for those in sight only.
open class ListView: ScrollView, ResponderStandardEditActions, RestorableView {
  /// Creates a list without items.
  public override init() { super.init() }

  /// Whether the user may select an item; true at first.
  ///
  /// Where it becomes false all items are deselected. The program may select one all the same.
  open var allowsSelection = true {
    didSet {
      setMode()
      if !allowsSelection, oldValue { core.select(nil, nil) }
    }
  }

  /// Whether the user may select several items: with Shift, Control, or a rectangle; false at first.
  open var allowsMultipleSelection = false { didSet { setMode() } }

  private func setMode() {
    core.mode = !allowsSelection ? .none : allowsMultipleSelection ? .multiple : .single
    tellAssistivePrograms()
  }

  /// Other items are selected, of which some may be out of sight: they are not drawn.
  final func selectionDidChange() {
    invalidateRestorableState()
    tellAssistivePrograms()
  }

  /// The number of sections.
  public final var numberOfSections: Int { core.loadedSections.count }

  // MARK: Changes

  /// Asks the data source for everything again, and deselects all items.
  public final func reloadData() { core.reload() }

  /// Follows several changes of the data source at once.
  ///
  /// If they do not lead from the items before to those after, an error is reported, and the list is loaded anew.
  /// - Parameter updates: Changes the data source, and says so by the list's functions. Items that are deleted, moved
  ///   or loaded anew are named as they were before all changes, the others as they are after them. The number of
  ///   sections stays.
  public final func performBatchUpdates(_ updates: () -> Void) { core.performBatchUpdates(updates) }

  // MARK: Copying

  open override var keyCommands: [KeyCommand] { EditCommands.reading }

  /// Copying where something is selected, and selecting all where several items may be selected; of the other standard
  /// edit actions none, which go on along the responder chain.
  open override func canPerformAction(_ action: Action, withSender sender: AnyObject?) -> Bool {
    switch action.name {
    case EditCommands.copy.action.name: core.copying.canCopy
    case EditCommands.selectAll.action.name: core.copying.canSelectAll
    default: !EditCommands.isStandard(action) && super.canPerformAction(action, withSender: sender)
    }
  }

  /// Copies what the data source says of the selected items to the pasteboard, each on a line of its own.
  /// - Parameter sender: The sender of the action.
  open func copy(_ sender: AnyObject? = nil) { core.copying.copy() }

  /// Selects all items, where several may be selected and as far as the delegate allows.
  /// - Parameter sender: The sender of the action.
  open func selectAll(_ sender: AnyObject? = nil) { core.copying.selectAll() }

  /// Does nothing; a subclass whose items can be cut overrides it, and performs it
  /// (``canPerformAction(_:withSender:)``).
  /// - Parameter sender: The sender of the action.
  open func cut(_ sender: AnyObject? = nil) {}

  /// Does nothing, as ``cut(_:)``.
  /// - Parameter sender: The sender of the action.
  open func paste(_ sender: AnyObject? = nil) {}

  /// Does nothing, as ``cut(_:)``.
  /// - Parameter sender: The sender of the action.
  open func undo(_ sender: AnyObject? = nil) {}

  /// Does nothing, as ``cut(_:)``.
  /// - Parameter sender: The sender of the action.
  open func redo(_ sender: AnyObject? = nil) {}

  // MARK: Restoration

  /// The selection and the scroll place as property-list values, for the restoration activity of a scene.
  ///
  /// Items are named by the data source if it is a ``DataSourceModelAssociation``, as each diffable one is, else by
  /// their place. Setting it before there are items restores it as soon as there are. The first 10,000 selected items
  /// are saved.
  public final var restorationState: [String: any Sendable] {
    get { core.restoration.state }
    set { core.restoration.restore(newValue) }
  }

  /// The ``restorationState``, as of other views.
  ///
  /// Setting what is no such value changes nothing.
  @preconcurrency public final var restorationValue: (any Sendable)? {
    get { restorationState }
    set { if let state = newValue as? [String: any Sendable] { restorationState = state } }
  }

  // MARK: The view's side

  private(set) final lazy var core = ListCore(of: self)
  /// The view that the list is a part of, whose name and hint assistive programs read as the list's.
  final weak var namingView: View?

  open override func layoutSubviews() {
    core.placeCells()
    super.layoutSubviews()
  }

  /// Whether the list counts or changes its items or places its cells, and may call the program meanwhile.
  final var isAtWork = false

  /// - Returns: Whether the list was at work before.
  final func beginWork() -> Bool { exchange(&isAtWork, with: true) }

  /// Places the cells for what has changed since the last layout, for a program that asks for those in sight.
  ///
  /// Not while the list is at work, and not where the program has changed its items and has not said so yet: it would
  /// be asked for cells of items that are gone.
  final func layOutCells() {
    guard !isAtWork, layoutState.isNeeded, bounds.size.width > 0, bounds.size.height > 0 else { return }
    isAtWork = true
    if core.isToldAll { layoutIfNeeded() }
    isAtWork = false
  }

  /// Shows another part at once, within an animation too: there are no cells for what is on the way.
  override func show(from origin: Point) { View.performWithoutAnimation { super.show(from: origin) } }

  open override func didScroll() {
    super.didScroll()
    setNeedsLayout()
    core.pointer.followPointer()
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

  open override func pressCancelled() {
    super.pressCancelled()
    core.pointer.cancelPress()
  }

  override func take(_ other: ScrollFinger) -> Bool { core.pointer.take(other) }

  open override func handle(_ event: Event) -> Bool {
    // What the list does not want of a finger scrolls no list either.
    if case .touch = event.kind { return core.handle(event) }
    return core.handle(event) || super.handle(event)
  }

  override func purge() { core.purge() }

  override func followScale(_ scale: Double) {
    super.followScale(scale)
    core.followScale(scale)
  }

  /// A point of the item from which the keys go on, else of the first selected one, which is scrolled into sight.
  ///
  /// Without such an item it is beside the upper left corner, where none is.
  open override var contextMenuPoint: Point { core.keyboard.pointForMenu() ?? bounds.origin - Point(x: 1, y: 0) }

  /// The subviews in the order in which Tab goes through them.
  final var tabOrder: [View] { core.cellsInOrder + subviews.filter { !($0 is ListCell) } }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    if backgroundColor == nil { context.fill(bounds, with: theme.contentBackground) }
  }

  /// Whether the list gets the keys, and no item shows that.
  final var showsRing = false { didSet { if oldValue != showsRing { setFrontNeedsDisplay() } } }

  /// Whether the list has an edge in every appearance, because it is a part of a form.
  final var hasEdge = false

  override func drawInFront(_ bounds: Rect, in context: DrawingContext) {
    let theme = theme
    // The background of lists is that of the window in high contrast.
    if theme.isHighContrast || hasEdge { context.stroke(bounds, with: theme.separator) }
    if showsRing { context.strokeFocusRing(bounds, theme) }
  }

  // MARK: What the core asks for

  /// The number of items of each section.
  func itemCounts() -> [Int] { [] }

  func layout(of sections: ListSections) -> any ListLayout { RowLayout(sections, width: bounds.size.width) }

  func makeCell(at path: IndexPath) -> ListCell { ListCell() }

  func makeSupplement(_ supplement: ListSupplement) -> ListCell? { nil }

  func willDisplay(_ cell: ListCell, at path: IndexPath) {}

  func didEndDisplaying(_ cell: ListCell, at path: IndexPath) {}

  func canSelect(_ path: IndexPath) -> Bool { true }

  /// The item that is selected where the user chooses one: that one, or another one; nil for none.
  func choice(instead path: IndexPath) -> IndexPath? { canSelect(path) ? path : nil }

  func didSelect(_ path: IndexPath) {}

  func didDeselect(_ path: IndexPath) {}

  func performPrimaryAction(at path: IndexPath) {}

  /// Opens an item for the user, unless the delegate refuses to have it selected.
  final func open(_ item: Int) {
    let (path, generation) = (core.loadedSections.path(of: item), core.generation)
    guard core.mode == .none || core.selection.items.contains(item) || canSelect(path) else { return }
    // The delegate may have changed the list.
    if generation == core.generation { performPrimaryAction(at: path) }
  }

  func canMove(_ path: IndexPath) -> Bool { false }

  /// Where an item goes that the user moves; the item itself where it stays.
  func target(of path: IndexPath, movedTo place: IndexPath) -> IndexPath { place }

  /// Has the data source move an item.
  func moveData(_ path: IndexPath, to place: IndexPath) {}

  /// What is copied of an item; nil for nothing.
  func copiedText(of path: IndexPath) -> String? { nil }

  /// What a user types to find an item.
  func typedText(of path: IndexPath) -> String? { nil }

  /// The data source.
  var source: AnyObject? { nil }
}
