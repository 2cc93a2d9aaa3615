public import ProsceniumCore

/// A view that shows a text.
open class Label: View {
  let layout = TextLayout()

  /// Creates a label without text.
  public override init() {
    super.init()
    isUserInteractionEnabled = false
    layout.maximumLines = 1
  }

  /// Creates a label.
  /// - Parameters:
  ///   - text: The text.
  ///   - font: The font.
  public convenience init(_ text: String, font: Font = .system) {
    self.init()
    set(text, font)
  }

  // Observers are not called for assignments in an initialiser.
  private func set(_ text: String, _ font: Font) {
    self.text = text
    self.font = font
  }

  /// The text.
  open var text = "" {
    didSet {
      guard !oldValue.utf8.elementsEqual(text.utf8) else { return }
      layout.text = text
      invalidateIntrinsicContentSize()
    }
  }

  /// The font.
  open var font = Font.system {
    didSet {
      guard oldValue != font else { return }
      layout.font = font
      invalidateIntrinsicContentSize()
    }
  }

  /// The colour of the letters; the theme's where nil.
  open var textColor: Color? { didSet { if oldValue != textColor { setNeedsDisplay() } } }

  /// Whether the theme's colour is that of less important text.
  final var isSecondary = false { didSet { if oldValue != isSecondary { setNeedsDisplay() } } }

  /// The alignment of lines within the label.
  open var alignment = TextAlignment.natural {
    didSet {
      layout.alignment = alignment
      setNeedsDisplay()
    }
  }

  /// The largest number of lines; no limit where 0.
  open var numberOfLines = 1 {
    didSet {
      guard oldValue != numberOfLines else { return }
      layout.maximumLines = numberOfLines > 0 ? numberOfLines : nil
      invalidateIntrinsicContentSize()
    }
  }

  open override var intrinsicContentSize: Size { layout.measured() }

  open override func sizeThatFits(_ size: Size) -> Size {
    var fitting = intrinsicContentSize
    if fitting.width > size.width, numberOfLines != 1 {
      layout.width = max(0, size.width)
      fitting = layout.size
    }
    fitting.width = min(fitting.width, max(0, size.width))
    return wished(over: fitting)
  }

  override func purge() { layout.purge() }

  open override func draw(_ rect: Rect, in context: DrawingContext) {
    layout.width = bounds.size.width
    let top = max(0, (bounds.size.height - layout.size.height) / 2)
    let origin = Point(x: bounds.origin.x, y: bounds.origin.y + top)
    context.draw(layout, at: origin, color: textColor ?? (isSecondary ? theme.secondaryLabel : theme.label))
  }
}
