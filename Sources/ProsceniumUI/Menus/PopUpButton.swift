public import ProsceniumCore

/// A button that shows one of several choices, and a menu of them.
///
/// A press opens the menu, and so do Space, Return and the arrows upwards and downwards while it is the first
/// responder. Choosing an item sends ``ControlEvents/valueChanged`` and ``ControlEvents/primaryActionTriggered``. A
/// change by the program sends nothing.
open class PopUpButton: Control, MenuSession.Opener {
  private let layout = TextLayout()
  private var session: MenuSession?

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
      session?.end()
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

  /// The title of the selected choice; nil for none.
  public final var selectedItem: String? { selectedIndex.flatMap { items.indices.contains($0) ? items[$0] : nil } }

  private func showTitle() {
    layout.text = selectedItem ?? ""
    setNeedsDisplay()
  }

  open override var intrinsicContentSize: Size {
    let measuring = TextLayout()
    var size = Size(width: 40, height: layout.size.height)
    // The widest of a long list costs more than it is worth.
    for item in items.prefix(100) {
      measuring.text = item
      size.width = max(size.width, measuring.size.width)
    }
    return Size(width: min(size.width, 400) + 44, height: size.height + 14)
  }

  // MARK: Input

  open override var canBecomeFirstResponder: Bool { isEnabled }

  open override func handle(_ event: Event) -> Bool {
    if let (key, symbol) = plainKey(event), key.isDown, isEnabled,
      [KeySymbol.space, KeySymbol.return, KeySymbol.up, KeySymbol.down].contains(symbol)
    {
      openMenu(byKey: true, isButtonDown: false)
      return true
    }
    return super.handle(event)
  }

  open override func beginTracking(_ event: Event) {
    super.beginTracking(event)
    if isTracking { openMenu(byKey: false, isButtonDown: true) }
  }

  private func openMenu(byKey: Bool, isButtonDown: Bool) {
    let choices = items.indices.map { index in
      MenuItem(items[index], state: index == selectedIndex ? .on : .off) { [weak self] in self?.choose(index) }
    }
    session = MenuSession.open(
      Menu(children: choices), for: self, at: bounds, kind: .dropDownMenu, from: self, opener: self, byKey: byKey,
      isButtonDown: isButtonDown, selected: selectedIndex)
    setNeedsDisplay()
  }

  private func choose(_ index: Int) {
    guard items.indices.contains(index), index != selectedIndex else { return }
    selectedIndex = index
    userChangedValue(nil)
    sendActions(for: .primaryActionTriggered)
  }

  open override func didMoveToWindow() {
    super.didMoveToWindow()
    session?.end()
  }

  /// Whether the menu is open.
  var isOpen: Bool { session != nil }

  /// Opens the menu.
  open override func accessibilityActivate() -> Bool {
    guard isEnabled else { return false }
    openMenu(byKey: true, isButtonDown: false)
    return isOpen
  }

  // MARK: The open menu

  func menuHeard(_ event: Event) -> Bool { false }
  func menuLeft(forward: Bool) {}
  func menuEnded(_ session: MenuSession) {
    guard session === self.session else { return }
    self.session = nil
    setNeedsDisplay()
  }

  // MARK: Drawing

  override func purge() { layout.purge() }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    let (theme, bounds, alpha) = (theme, bounds, isEnabled ? 1 : 0.4)
    let isDown = isHighlighted || session != nil
    let fill = isDown ? theme.controlPressed : isHovered ? theme.controlHover : theme.controlBackground
    context.fill(bounds, cornerRadius: 6, with: fill, alpha: alpha)
    context.stroke(bounds, cornerRadius: 6, with: theme.separator, alpha: alpha)
    if isFirstResponder {
      context.stroke(bounds.inset(x: 2, y: 2), cornerRadius: 4.5, with: theme.accent, lineWidth: 2)
    }
    layout.width = max(0, bounds.size.width - 36)
    let top = bounds.origin.y + (bounds.size.height - layout.size.height) / 2
    context.draw(layout, at: Point(x: bounds.origin.x + 12, y: top), color: theme.label, alpha: alpha)
    let (x, y) = (Double(bounds.origin.x + bounds.size.width) - 16, Double(bounds.origin.y + bounds.size.height / 2))
    var arrows = Path()
    arrows.move(toX: x - 4, y: y - 2)
    arrows.line(toX: x, y: y + 2)
    arrows.line(toX: x + 4, y: y - 2)
    context.stroke(arrows, with: theme.secondaryLabel, alpha: alpha, lineWidth: 1.8)
  }
}
