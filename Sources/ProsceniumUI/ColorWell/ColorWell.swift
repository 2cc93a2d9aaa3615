public import ProsceniumCore

/// A control that shows a colour, and in which the user chooses another one.
///
/// A press opens a panel above the window, and so do Space and Return while the well is the first responder: the user
/// chooses one of its colours, types a code (`#1A66D6`), or picks the colour of a pixel of the screen where the desktop
/// environment lets a program do so (`WindowScene.pickColor()`). Another colour sends ``ControlEvents/valueChanged``,
/// and after that ``ControlEvents/primaryActionTriggered``. A change by the program sends nothing.
open class ColorWell: Control {
  private weak var panel: ColorPanelController?

  /// Creates a well without a colour.
  public override init() { super.init() }

  /// Creates a well.
  /// - Parameters:
  ///   - color: The colour.
  ///   - handler: Called when the user chooses another one.
  public convenience init(_ color: Color, handler: (@MainActor () -> Void)? = nil) {
    self.init()
    selectedColor = color
    if let handler { addAction(for: .valueChanged, handler) }
  }

  /// The colour; nil for none, as at first.
  ///
  /// A change by the user calls the scene's `Scene.invalidateRestorableState()`: save it with the scene, as
  /// `Color.rgb`. Its alpha is not shown, and those that the user chooses are opaque.
  open var selectedColor: Color? { didSet { if oldValue != selectedColor { setNeedsDisplay() } } }

  @preconcurrency open override var restorationValue: (any Sendable)? {
    get { selectedColor.map { Int($0.rgb) } ?? -1 }
    set {
      guard let code = newValue as? Int else { return }
      selectedColor = UInt32(exactly: code).map { Color(rgb: $0) }
    }
  }

  /// The title of the panel; "Color" where empty, as at first.
  open var title = "" { didSet { Responder.requireMainThread() } }

  // MARK: The panel

  /// Opens the panel.
  /// - Parameter event: The event that triggers it; nil for an action of the program.
  open override func primaryAction(_ event: Event?) {
    guard !isOpen, let window else { return }
    let panel = ColorPanelController(selectedColor) { [weak self] in self?.choose($0) }
    panel.title = title.isEmpty ? "Color" : title
    if panel.show(above: window) { self.panel = panel }
  }

  private func choose(_ color: Color) {
    guard color != selectedColor else { return }
    selectedColor = color
    userChangedValue(nil)
    sendActions(for: .primaryActionTriggered)
  }

  /// Whether the panel is open.
  var isOpen: Bool { panel?.hasEnded == false }

  open override func didMoveToWindow() {
    super.didMoveToWindow()
    panel?.end()
  }

  // MARK: Input

  open override var canBecomeFirstResponder: Bool { isEnabled }

  open override func handle(_ event: Event) -> Bool { pressedByKey(event) ?? super.handle(event) }

  // MARK: Drawing

  open override var intrinsicContentSize: Size { Size(width: 52, height: 30) }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    let theme = theme
    let (bounds, alpha) = (bounds, isHighlighted ? 0.6 : theme.opacity(isEnabled: isEnabled))
    context.fill(bounds, cornerRadius: 6, with: isHovered ? theme.controlHover : theme.controlBackground, alpha: alpha)
    context.stroke(bounds, cornerRadius: 6, with: theme.separator, alpha: alpha)
    let inner = bounds.inset(x: 5, y: 5)
    if let selectedColor {
      context.fill(inner, cornerRadius: 3, with: selectedColor.withAlphaComponent(1), alpha: alpha)
    } else {
      var line = Path()
      line.move(toX: Double(inner.origin.x), y: Double(inner.origin.y + inner.size.height))
      line.line(toX: Double(inner.origin.x + inner.size.width), y: Double(inner.origin.y))
      context.stroke(line, with: theme.destructive, alpha: alpha, lineWidth: 1.5)
    }
    context.stroke(inner, cornerRadius: 3, with: theme.separator, alpha: alpha)
    if isFirstResponder { context.strokeFocusRing(bounds, cornerRadius: 6, theme) }
  }
}
