public import ProsceniumCore

/// A button that shows one of several choices, and a menu of them.
///
/// A press opens the menu, and so do Space, Return and the arrows upwards and downwards while it is the first
/// responder. Choosing another item sends ``ControlEvents/valueChanged`` and
/// ``ControlEvents/primaryActionTriggered``. A change by the program sends nothing.
open class PopUpButton: Control {
  private let layout = TextLayout()
  private lazy var dropDown = DropDown(of: self)

  /// Creates a button without choices.
  public override init() {
    super.init()
    layout.maximumLines = 1
  }

  /// Creates a button.
  /// - Parameters:
  ///   - items: The titles of the choices; the first one is selected.
  ///   - handler: Called when the user chooses one.
  public convenience init(_ items: [String], handler: (@MainActor () -> Void)? = nil) {
    self.init()
    set(items)
    if let handler { addAction(for: .valueChanged, handler) }
  }

  // Observers are not called for assignments in an initialiser.
  private func set(_ items: [String]) { self.items = items }

  /// The titles of the choices.
  ///
  /// Setting it keeps ``selectedIndex`` where there is such a choice, else selects the first one.
  open var items: [String] = [] {
    didSet {
      dropDown.end()
      selectedIndex = selectedIndex.flatMap { items.indices.contains($0) ? $0 : nil } ?? items.indices.first
      showTitle()
      invalidateIntrinsicContentSize()
    }
  }

  /// The place of the selected choice; nil for none.
  ///
  /// A place that no choice has counts as nil. A change by the user calls the scene's
  /// `Scene.invalidateRestorableState()`: save it with the scene.
  open var selectedIndex: Int? {
    didSet {
      if let index = selectedIndex, !items.indices.contains(index) { selectedIndex = nil }
      if oldValue != selectedIndex { showTitle() }
    }
  }

  @preconcurrency open override var restorationValue: (any Sendable)? {
    get { selectedIndex ?? -1 }
    set { if let index = newValue as? Int { selectedIndex = index } }
  }

  /// The title of the selected choice; nil for none.
  public final var selectedItem: String? { selectedIndex.flatMap { items.indices.contains($0) ? items[$0] : nil } }

  private func showTitle() {
    layout.text = selectedItem ?? ""
    setNeedsDisplay()
  }

  open override var intrinsicContentSize: Size {
    let measuring = TextLayout(displayScale: layout.displayScale)
    var size = Size(width: 40, height: measuring.size.height)
    // The widest of a long list costs more than it is worth.
    for item in items.prefix(100) {
      measuring.text = item
      size = Size(width: max(size.width, measuring.size.width), height: max(size.height, measuring.size.height))
    }
    return Size(width: min(size.width, 400) + 44, height: size.height + 14)
  }

  // MARK: Input

  open override var canBecomeFirstResponder: Bool { isEnabled }

  open override func handle(_ event: Event) -> Bool {
    if let (key, symbol) = plainKey(event), key.isDown, isEnabled,
      [KeySymbol.space, KeySymbol.return, KeySymbol.up, KeySymbol.down].contains(symbol)
    {
      if !key.isRepeat { openMenu(nil) }
      return true
    }
    return super.handle(event)
  }

  /// True: the menu stays open when the finger moves.
  open override var followsFinger: Bool { true }

  open override func beginTracking(_ event: Event) {
    super.beginTracking(event)
    if isTracking { openMenu(event) }
  }

  /// Opens the menu by a press, or by a key where nil.
  private func openMenu(_ press: Event?) {
    let choices = items.indices.map { index in
      MenuItem(items[index], state: index == selectedIndex ? .on : .off) { [weak self] in self?.choose(index) }
    }
    dropDown.open(Menu(children: choices), press: press, selected: selectedIndex)
  }

  private func choose(_ index: Int) {
    guard items.indices.contains(index), index != selectedIndex else { return }
    selectedIndex = index
    userChangedValue(nil)
    sendActions(for: .primaryActionTriggered)
  }

  open override func didMoveToWindow() {
    super.didMoveToWindow()
    dropDown.end()
  }

  /// Whether the menu is open.
  var isOpen: Bool { dropDown.isOpen }

  /// Opens the menu.
  open override func accessibilityActivate() -> Bool {
    guard isEnabled else { return false }
    openMenu(nil)
    return isOpen
  }

  // MARK: Drawing

  override var texts: [TextLayout] { [layout] }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    let theme = theme
    let (bounds, alpha) = (bounds, theme.opacity(isEnabled: isEnabled))
    let isDown = isHighlighted || isOpen
    let fill = isDown ? theme.controlPressed : isHovered ? theme.controlHover : theme.controlBackground
    context.fill(bounds, cornerRadius: 6, with: fill, alpha: alpha)
    context.stroke(bounds, cornerRadius: 6, with: theme.separator, alpha: alpha)
    if isFirstResponder {
      context.strokeFocusRing(bounds.inset(x: 2, y: 2), cornerRadius: 4.5, theme)
    }
    layout.width = max(0, bounds.size.width - 36)
    let top = bounds.origin.y + (bounds.size.height - layout.size.height) / 2
    context.draw(layout, at: Point(x: bounds.origin.x + 12, y: top), color: theme.label, alpha: alpha)
    DropDown.drawArrow(in: bounds, context, color: theme.secondaryLabel, alpha: alpha)
  }
}
