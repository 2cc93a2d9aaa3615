public import ProsceniumCore

/// A control with a title that triggers its primary action when it is pressed.
///
/// It is pressed by pointer or touch, and by Space or Return while it is the first responder. Its event is
/// ``ControlEvents/primaryActionTriggered``, after ``ControlEvents/touchUpInside``; one that shows its ``menu`` sends
/// none for a key.
open class Button: Control, Captioned {
  /// The look of a button.
  public enum Style: Hashable, Sendable {
    /// A title on the colour of controls, with a border.
    case plain
    /// A title on the accent colour, for the default choice.
    case filled
    /// A title on the destructive colour, for what cannot be undone.
    case destructive
  }
  private(set) lazy var caption = Caption(of: self)
  private lazy var dropDown = DropDown(of: self)

  /// Creates a button without a title.
  public override init() {
    super.init()
    caption.layout.alignment = .center
  }

  /// Creates a button.
  /// - Parameters:
  ///   - title: The title.
  ///   - style: The look.
  ///   - handler: Called when the button is pressed.
  public convenience init(_ title: String, style: Style = .plain, handler: (@MainActor () -> Void)? = nil) {
    self.init()
    self.title = title
    self.style = style
    if let handler { addAction(for: .primaryActionTriggered, handler) }
  }

  /// The title.
  open var title: String {
    get { caption.text }
    set { caption.text = newValue }
  }

  /// The title with an underscore before its mnemonic, which is underlined.
  ///
  /// That is the letter that, with Alt, presses the button; where several views
  /// of a window have the same one, the next of them becomes the first responder. Two underscores stand for one.
  /// Setting ``title`` removes the mnemonic.
  open var titleWithMnemonic: String {
    get { caption.content.marked }
    set { caption.content = MarkedText(newValue) }
  }

  /// The font of the title.
  open var font: Font {
    get { caption.font }
    set { caption.font = newValue }
  }

  /// The look.
  open var style = Style.plain { didSet { if oldValue != style { setNeedsDisplay() } } }

  // MARK: The menu

  /// The menu of the button; nil for none, as at first.
  ///
  /// It is the context menu of the button; with ``showsMenuAsPrimaryAction`` it opens below the button.
  open var menu: Menu? { didSet { menuChanged() } }

  /// Whether a press, Space and Return open the ``menu``, in place of triggering the primary action; false at first.
  ///
  /// The button has an arrow then.
  open var showsMenuAsPrimaryAction = false { didSet { menuChanged() } }

  private func menuChanged() {
    dropDown.end()
    invalidateIntrinsicContentSize()
    setNeedsDisplay()
  }

  /// Whether the button opens a menu in place of its action.
  final var opensMenu: Bool { showsMenuAsPrimaryAction && menu != nil }

  /// Whether the menu is open below the button.
  var isOpen: Bool { dropDown.isOpen }

  open override func contextMenu(at point: Point) -> Menu? { menu }

  /// Whether a menu opens, which stays open when the finger moves.
  open override var followsFinger: Bool { opensMenu }

  open override func beginTracking(_ event: Event) {
    super.beginTracking(event)
    if isTracking, opensMenu, let menu { dropDown.open(menu, press: event) }
  }

  /// Sends ``ControlEvents/primaryActionTriggered``, or opens the ``menu``.
  /// - Parameter event: The event that triggers it; nil for an action of the program.
  open override func primaryAction(_ event: Event?) {
    guard opensMenu, let menu else { return super.primaryAction(event) }
    dropDown.open(menu, press: nil)
  }

  // The menu opens in place of the events.
  override func press(_ event: Event?) { opensMenu ? primaryAction(event) : super.press(event) }

  open override func didMoveToWindow() {
    super.didMoveToWindow()
    dropDown.end()
  }

  // MARK: Looks and input

  open override var intrinsicContentSize: Size {
    let size = caption.layout.measured()
    return Size(width: size.width + 28 + arrowWidth, height: size.height + 14)
  }

  private var arrowWidth: Int { opensMenu ? 16 : 0 }

  open override var canBecomeFirstResponder: Bool { isEnabled }

  open override func handle(_ event: Event) -> Bool { pressedByKey(event) ?? super.handle(event) }

  override var texts: [TextLayout] { [caption.layout] }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    let theme = theme
    let (bounds, alpha) = (bounds, theme.opacity(isEnabled: isEnabled))
    let (fill, letters) = colors(theme)
    context.fill(bounds, cornerRadius: 6, with: fill, alpha: alpha)
    if style != .plain, isEnabled {
      if let shade = accentShade(isPressed: isHighlighted, isHovered: isHovered) {
        context.fill(bounds, cornerRadius: 6, with: .black, alpha: shade)
      }
    } else {
      context.stroke(bounds, cornerRadius: 6, with: theme.separator, alpha: alpha)
    }
    if isFirstResponder {
      let ring = bounds.inset(x: 2, y: 2)
      context.strokeFocusRing(ring, cornerRadius: 4.5, theme, isAccented: isAccented)
    }
    var room = bounds.inset(x: 8, y: 0)
    room.size.width -= arrowWidth
    caption.draw(in: room, context, color: letters, alpha: alpha)
    if opensMenu { DropDown.drawArrow(in: bounds, context, color: letters, alpha: alpha) }
  }

  /// Whether the title is on a strong colour; faint letters would not be seen on a faint one.
  private var isAccented: Bool { isEnabled && (style != .plain || isSelected) }

  private func colors(_ theme: Theme) -> (fill: Color, letters: Color) {
    guard isAccented else { return (isOpen || isSelected ? theme.controlPressed : fill(theme), theme.label) }
    return (style == .destructive ? theme.destructiveBackground : theme.accentBackground, theme.accentLabel)
  }
}
