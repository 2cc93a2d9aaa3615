public import ProsceniumCore

/// A control with a title that does something when it is pressed.
///
/// By pointer or finger, and by Space or Return while it is the first responder. Its event is
/// ``ControlEvents/primaryActionTriggered``.
open class Button: Control {
  /// What a button looks like.
  public enum Style: Hashable, Sendable {
    /// A title on the control's colour, with an edge.
    case plain
    /// A title on what stands out: the one that most people are going to press.
    case filled
    /// A title in the colour of what cannot be undone.
    case destructive
  }
  private let layout = TextLayout()
  /// The title's size: measuring lays it out, which drawing then does again.
  private var natural: Size?

  /// A button without a title.
  public override init() {
    super.init()
    layout.alignment = .center
    layout.maximumLines = 1
  }

  /// A button.
  /// - Parameters:
  ///   - title: What is on it.
  ///   - style: What it looks like.
  ///   - handler: Called when it is pressed.
  public convenience init(
    _ title: String, style: Style = .plain, handler: (@MainActor () -> Void)? = nil
  ) {
    self.init()
    set(title)
    self.style = style
    if let handler { addAction(for: .primaryActionTriggered, handler) }
  }

  // An initialiser would set it without its observer.
  private func set(_ title: String) { self.title = title }

  /// What is on the button.
  open var title = "" {
    didSet {
      guard !oldValue.utf8.elementsEqual(title.utf8) else { return }
      layout.text = title
      natural = nil
      invalidateIntrinsicContentSize()
    }
  }

  /// The title's font.
  open var font = Font.system {
    didSet {
      guard oldValue != font else { return }
      layout.font = font
      natural = nil
      invalidateIntrinsicContentSize()
    }
  }

  /// What it looks like.
  open var style = Style.plain {
    didSet { if oldValue != style { setNeedsDisplay() } }
  }

  open override var intrinsicContentSize: Size {
    if natural == nil { layout.width = nil }
    let size = natural ?? layout.size
    natural = size
    return Size(width: size.width + 28, height: size.height + 14)
  }

  open override var canBecomeFirstResponder: Bool { isEnabled }

  open override func handle(_ event: Event) -> Bool {
    let symbols = [KeySymbol.space, KeySymbol.return]
    if case .key(let key) = event.kind, symbols.contains(KeySymbol.withoutKeypad(key.symbol)),
      key.modifiers.isDisjoint(with: [.control, .alternate, .command])
    {
      if key.isDown, !key.isRepeat, isEnabled { primaryAction(event) }
      return isEnabled
    }
    return super.handle(event)
  }

  override func purge() { layout.purge() }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    let (theme, bounds, alpha) = (theme, bounds, isEnabled ? 1 : 0.4)
    let (fill, letters) = colors(theme)
    context.fill(bounds, cornerRadius: 6, with: fill, alpha: alpha)
    if style == .filled {
      // The same light and shade, whatever the accent is.
      let shade = isHighlighted ? Color.black : .white
      if isHighlighted || isHovered { context.fill(bounds, cornerRadius: 6, with: shade, alpha: 0.15) }
    } else {
      context.stroke(bounds, cornerRadius: 6, with: theme.separator, alpha: alpha)
    }
    if isFirstResponder {
      let ring = style == .filled ? theme.accentLabel : theme.accent
      context.stroke(bounds.inset(x: 2, y: 2), cornerRadius: 4.5, with: ring, lineWidth: 2)
    }
    layout.width = max(0, bounds.size.width - 16)
    let origin = Point(
      x: bounds.origin.x + 8, y: bounds.origin.y + (bounds.size.height - layout.size.height) / 2)
    context.draw(layout, at: origin, color: letters, alpha: alpha)
  }

  private func colors(_ theme: Theme) -> (fill: Color, letters: Color) {
    if style == .filled || isSelected { return (theme.accent, theme.accentLabel) }
    let fill = isHighlighted ? theme.controlPressed : isHovered ? theme.controlHover : theme.controlBackground
    return (fill, style == .destructive ? theme.destructive : theme.label)
  }
}
